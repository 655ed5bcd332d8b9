/* The command line. One table (args.c) holds every option: its name, what it takes, what it
 * needs beside it, and its help text; the parser, the hints and --help all read that table. */
#ifndef SATBLUR_APP_ARGS_H
#define SATBLUR_APP_ARGS_H

#include "base/message.h"
#include "engine/options.h"

#include <stdbool.h>
#include <stdio.h>

typedef enum args_result { ARGS_RUN, ARGS_HELP, ARGS_VERSION, ARGS_WRONG } args_result;

/* Reads the whole command line. ARGS_WRONG: p says what is wrong and what to do. The strings stay
 * argv's. */
args_result args_parse(int argc, char **argv, options *o, problem *p);

void args_help(FILE *to);

/* True when the options ask for a picture, not only for statistics. */
bool args_writes(const options *o);

/* The options that concern whole folders: whether they are given for one, and go together. folder:
 * INPUT is one, or --files-from was given. */
bool args_check_batch(const options *o, bool folder, problem *p);

/* --- Between the files of the parser ---------------------------------------------------------- */

typedef struct option_row {
    const char *name;     /* without the dashes */
    const char *argument; /* as --help shows it; NULL: takes none; "[=...]": optional */
    const char *group;    /* --help starts a paragraph where it changes */
    const char *expects;  /* completes "--name TEXT: expected ..." */
    const char *help;
    bool (*set)(
        options *o,
        const char *text); /* false: text is not what it expects; NULL: only noted in given[] */
    unsigned needs;        /* one of these NEEDS_ bits must be met; 0: always allowed */
} option_row;

enum {
    NEEDS_DEPTH = 1,
    NEEDS_RADIUS = 2,
    NEEDS_MAP = 4,
    NEEDS_EQUALIZE = 8,
    NEEDS_BATCH = 16, /* beside whatever else */
    NEEDS_BLUR = NEEDS_DEPTH | NEEDS_RADIUS | NEEDS_MAP,
    NEEDS_OUTPUT = NEEDS_BLUR | NEEDS_EQUALIZE
};

extern const option_row args_rows[OPT_COUNT];

extern const char *const args_edges[4]; /* --edge's words, by satb_edge */

/* Finds options that contradict each other or lack their companions. */
bool args_check(const options *o, problem *p);

bool set_depth(options *o, const char *text);
bool set_radius(options *o, const char *text);
bool set_radius_map(options *o, const char *text);
bool set_stats(options *o, const char *text);
bool set_histogram(options *o, const char *text);
bool set_focus(options *o, const char *text);
bool set_focus_at(options *o, const char *text);
bool set_focus_range(options *o, const char *text);
bool set_near_scale(options *o, const char *text);
bool set_far_scale(options *o, const char *text);
bool set_max_radius(options *o, const char *text);
bool set_method(options *o, const char *text);
bool set_bokeh(options *o, const char *text);
bool set_highlights(options *o, const char *text);
bool set_depth_type(options *o, const char *text);
bool set_near(options *o, const char *text);
bool set_depth_range(options *o, const char *text);
bool set_depth_holes(options *o, const char *text);
bool set_fstop(options *o, const char *text);
bool set_focal(options *o, const char *text);
bool set_sensor(options *o, const char *text);
bool set_distance(options *o, const char *text);
bool set_gamma(options *o, const char *text);
bool set_edge(options *o, const char *text);
bool set_device(options *o, const char *text);
bool set_threads(options *o, const char *text);
bool set_sat(options *o, const char *text);
bool set_gpu_memory(options *o, const char *text);

bool set_depth_dir(options *o, const char *text);
bool set_depth_suffix(options *o, const char *text);
bool set_files_from(options *o, const char *text);
bool set_suffix(options *o, const char *text);
bool set_format(options *o, const char *text);
bool set_jobs(options *o, const char *text);
bool set_shard(options *o, const char *text);
bool set_report(options *o, const char *text);
bool set_quality(options *o, const char *text);
bool set_compression(options *o, const char *text);
bool set_codec(options *o, const char *text);
bool set_max_pixels(options *o, const char *text);
bool set_dump_coc(options *o, const char *text);

#endif
