/* The command line: words to options, and the refusals. */
#ifndef SATBLUR_APP_ARGS_H
#define SATBLUR_APP_ARGS_H

#include "base/message.h"
#include "cli/option_row.h"
#include "engine/options.h"

#include <stdbool.h>

typedef enum args_result {
    ARGS_RUN,
    ARGS_HELP,
    ARGS_VERSION,
    ARGS_PAGE,
    ARGS_WRONG,
    ARGS_FAILED /* not enough memory */
} args_result;

/* Reads the whole command line into *o, whose strings stay argv's. ARGS_WRONG, ARGS_FAILED: p has the problem and the remedy. */
args_result args_parse(int argc, char **argv, options *o, problem *p);

/* Returns whether the options ask for a picture, not only for statistics or a figure. */
bool args_writes(const options *o);

/* Checks the options of folders: they are given for folders only, and together with the options that they need. folder:
 * INPUT is a folder, or --files-from was given. False: p has the problem and the remedy. */
bool args_check_batch(const options *o, bool folder, problem *p);

/* Does the same for a clip. */
bool args_check_clip(const options *o, problem *p);

/* Prints a note on what --dof-preset stood for, if it was given. */
void args_tell_preset(const options *o);

/* Returns what the configuration file has set, like "FILE sets --quality, --quiet"; "": nothing. It is valid until the next
 * args_parse(). */
const char *args_config_words(const options *o);

/* Adds to a problem that the configuration file has set an option that it names. */
void args_explain_config(const options *o, problem *p);

/* --- Between the files of the parser ---------------------------------------------------------- */

/* Checks that no options contradict each other or lack another. False: p has the problem and the remedy. */
bool args_check(const options *o, problem *p);

/* Reads the value of option i, which may be NULL, into *o. False: p has the problem. */
bool args_take_option(options *o, int i, const char *value, problem *p);

/* Says that the option lacks its value. Returns false always. */
bool args_lack_value(int option, problem *p);

/* Returns the value without its numbers' units, as the option's row says; its memory is static. value NULL: returns NULL. */
const char *args_without_units(int option, const char *value);

/* An answer to words that other programs, or photographers, use. */
typedef struct args_answer {
    const char *said; /* words with blanks between them */
    const char
        *text; /* for an option: a clause that names ours; for OPTION=VALUE: the value to give */
} args_answer;

extern const args_answer args_options_meant[], args_values_meant[]; /* said NULL ends them */

/* Refuses an option that there is none of, and names the one that was probably meant. Returns false always. */
bool args_refuse_option(const char *text, problem *p);

/* Returns the value that was probably meant; NULL: none is near. */
const char *args_meant_value(const option_row *row, const char *value);

/* Reads the options that --dof-preset stands for, where no other was given. */
bool args_take_preset(options *o, problem *p);

/* Returns whether the options have that one, or one that takes its place. */
bool args_is_settled(const options *o, int option);

/* Reads the options of the configuration file, where no other was given. met: needs that will be met. False: p has the line,
 * with the file's name. */
bool args_take_config(options *o, unsigned met, problem *p);

/* Refuses a preset that excludes what was given. */
bool args_check_preset(const options *o, problem *p);

/* Says that two options exclude each other. Returns false always. */
bool args_exclude(problem *p, const char *a, const char *b);

/* Returns the needs (of option_row.needs) that the given operations meet. */
unsigned args_given_operations(const options *o);

/* Returns a given operation that writes a picture and is another option than that one; -1: there is none. */
int args_other_operation(const options *o, int option);

/* Refuses operations that exclude each other, and none at all. */
bool args_check_operations(const options *o, problem *p);

struct line;

/* Returns "--depth MAP, --matte MASK or --equalize": the operations that meet any of the needs. */
struct line args_operation_words(unsigned needs);

/* The end of the remedy for a command without an operation. */
#define ARGS_FIRST_WAYS "--radius R to blur everything alike (see 'satblur --help')"

/* Says that an option needs one of the operations that meet its needs. Returns false always. */
bool args_lack_operation(problem *p, const char *name, unsigned needs);

/* Returns an option that was given, and that says how to blur by a map; -1: there is none. */
int args_lacking(const options *o);

/* Returns the word of an option's choice that stands for the value; "?" if there is none. */
const char *args_word(int option, int value);

#endif
