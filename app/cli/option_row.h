/* The table of options. A row is all that the program knows of an option: the parser, the checks, --help, the manual
 * page, the completions of the shells and --resume read the same row. */
#ifndef SATBLUR_APP_OPTION_ROW_H
#define SATBLUR_APP_OPTION_ROW_H

#include "engine/options.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct option_part {
    int option;
    const char *value; /* as it is typed; NULL ends a list */
} option_part;

typedef struct option_choice {
    const char *word;              /* NULL ends a list of choices */
    int value;                     /* for read_choice() */
    const char *help;              /* one clause, capital first, no full stop */
    const option_part *stands_for; /* the options that the choice sets; NULL: none */
} option_choice;

/* What --resume compares: an output is made again if an option that changes its bytes has changed. Each row says one of
 * them; 0 is none, so that a row that forgot it fails a test. */
typedef enum option_bytes {
    BYTES_SAME = 1, /* the option changes no byte of an output, or only the output's name */
    BYTES_DIFFER,   /* the option and its value change bytes */
    BYTES_OF_FILE   /* the option changes bytes; --resume compares the file that it names */
} option_bytes;

enum { /* Bits of option_row.needs */
       NEEDS_DEPTH = 1,
       NEEDS_MATTE = 2,
       NEEDS_TILT_SHIFT = 4,
       NEEDS_RADIUS = 8,
       NEEDS_RADIUS_MAP = 16,
       NEEDS_EQUALIZE = 32,
       NEEDS_FIGURES = 64, /* statistics of INPUT, which no option needs */
       NEEDS_BATCH = 128,  /* INPUT is a folder or a list of pictures */
       NEEDS_CLIP = 256,   /* INPUT or OUTPUT is a clip */

       NEEDS_FOCUS =
           NEEDS_DEPTH | NEEDS_MATTE, /* depth of field of which the focus can be chosen */
       NEEDS_DOF = NEEDS_FOCUS | NEEDS_TILT_SHIFT,
       NEEDS_BLUR = NEEDS_DOF | NEEDS_RADIUS | NEEDS_RADIUS_MAP,
       NEEDS_OUTPUT = NEEDS_BLUR | NEEDS_EQUALIZE
};

typedef struct option_row option_row;

/* Stores an option's value; false: text is not what the option expects. */
typedef bool option_reader(const option_row *row, options *o, const char *text);

struct option_row {
    const char *name; /* without the dashes */

    /* The value's name in --help; NULL: no value; "[=...]": the value may be left out. The shells complete "FILE" and
     * "MAP" as files, and "DIR" as a folder. */
    const char *argument;

    const char *section; /* --help starts a paragraph where it changes */
    const char *help;    /* one clause of at most 74 characters, capital first, no full stop */
    const char *more;    /* whole sentences for --help=all and the manual page; NULL: none */
    const char *preset;  /* the value without the option, in words; NULL: --help says none */
    const option_choice *choices;
    const char *expects; /* completes "--name TEXT: expected ..."; NULL: the choices do */

    option_reader *read; /* NULL: only given[] is set */
    size_t field;        /* where a general reader stores the value, by offsetof(options, ...) */
    bool or_zero;        /* 0 is allowed, too */
    double low, high;    /* the range of a number; low == high: its reader knows the range */
    const char *
        units; /* of the numbers between commas, as args_units.c names them; the last for all others; NULL: none */

    option_bytes bytes;
    unsigned needs; /* one of these NEEDS_ bits must be met; 0: always allowed */
    bool layered;   /* --method layered alone has the option */
    bool of_run;    /* it says what one run does, so no configuration file has it */
    bool daily;     /* --help shows the option; otherwise only --help=all does */
};

extern const option_row args_rows[OPT_COUNT]; /* in the order of --help=all */

/* Returns whether a word is one of a list with blanks between them. */
bool args_is_among(const char *list, const char *word);

#endif
