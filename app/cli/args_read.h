/* Readers of the values of options. Each takes the whole text or refuses it, and returns false for what the option does
 * not expect. NaN, infinities (but for the far distance), signs, blanks and hexadecimal are refused. The program never
 * calls setlocale(), so the decimal point is '.' on every machine. */
#ifndef SATBLUR_APP_ARGS_READ_H
#define SATBLUR_APP_ARGS_READ_H

#include "cli/option_row.h"

/* General readers: they store at row->field. */
bool read_choice(const option_row *row, options *o, const char *text);   /* a choice's value, an int or an enum */
bool read_word(const option_row *row, options *o, const char *text);     /* a choice's word, a string */
bool read_number(const option_row *row, options *o, const char *text);   /* row->low to row->high, a double */
bool read_positive(const option_row *row, options *o, const char *text); /* above 0, to 1e6, a double */
bool read_whole(const option_row *row, options *o, const char *text);    /* row->low to row->high, an int */
bool read_text(const option_row *row, options *o, const char *text);     /* not empty, a string */
bool read_name_part(const option_row *row, options *o, const char *text); /* without '/', a string */

/* Readers of one option each, or of two. */
bool read_radius(const option_row *row, options *o, const char *text);
bool read_stats(const option_row *row, options *o, const char *text);
bool read_histogram(const option_row *row, options *o, const char *text);
bool read_dump_coc(const option_row *row, options *o, const char *text);
bool read_focus(const option_row *row, options *o, const char *text);
bool read_focus_at(const option_row *row, options *o, const char *text);
bool read_depth_range(const option_row *row, options *o, const char *text);
bool read_distance(const option_row *row, options *o, const char *text);
bool read_device(const option_row *row, options *o, const char *text);
bool read_gpu_memory(const option_row *row, options *o, const char *text);
bool read_max_pixels(const option_row *row, options *o, const char *text);
bool read_shard(const option_row *row, options *o, const char *text);

#endif
