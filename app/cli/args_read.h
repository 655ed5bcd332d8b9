/* Readers of the values of options. Each takes the whole text or refuses it. They refuse NaN, infinities (but for the far
 * distance), signs, blanks and hexadecimal. The program never calls setlocale(), so the decimal point is '.' on every
 * machine. */
#ifndef SATBLUR_APP_ARGS_READ_H
#define SATBLUR_APP_ARGS_READ_H

#include "cli/option_row.h"

/* General readers, which store at row->field. */
option_reader read_choice;    /* a choice's value, into an int or an enum; text may be NULL */
option_reader read_word;      /* a choice's word, into a string */
option_reader read_number;    /* row->low to row->high, into a double */
option_reader read_signed;    /* the same, but below 0, too */
option_reader read_positive;  /* above 0, up to 1e6, into a double */
option_reader read_help;      /* a choice, or a word, which the parser checks */
option_reader read_whole;     /* row->low to row->high, into an int */
option_reader read_text;      /* at least a character, into a string */
option_reader read_command;   /* at least a character, which stays in options.text */
option_reader read_name_part; /* no '/', into a string */
option_reader read_clip_time; /* into a clip_time */
option_reader read_encoder;   /* letters, digits, _ and -, into a string */

/* Readers of one option. */
option_reader read_radius;
option_reader read_stats;
option_reader read_histogram;
option_reader read_dump_coc;
option_reader read_focus_view;
option_reader read_tilt_shift;
option_reader read_max_radius;
option_reader read_grain;
option_reader read_focus_plane;
option_reader read_focus;
option_reader read_focus_at;
option_reader read_focus_keys, read_radius_keys;
option_reader read_fps;
option_reader read_depth_range;
option_reader read_distance;
option_reader read_device;
option_reader read_gpu_memory;
option_reader read_max_pixels;
option_reader read_shard;

#endif
