/* The operations: what can be done to a picture, what stands beside what, and the words for that. */
#include "cli/args.h"

#include <stdio.h>
#include <string.h>

typedef struct operation {
    int option;
    unsigned
        gives; /* the needs of other options that it meets; NEEDS_FIGURES: it writes no picture */
    unsigned beside; /* what it may stand beside; 0: no other operation that writes a picture */
} operation;

static const operation operations[] = {
    {OPT_DEPTH, NEEDS_DEPTH | NEEDS_DOF, 0},
    {OPT_DEPTH_DIR, NEEDS_DEPTH | NEEDS_DOF, 0},
    {OPT_MATTE, NEEDS_DOF, .beside = NEEDS_DEPTH},
    {OPT_TILT_SHIFT, NEEDS_DOF, 0},
    {OPT_RADIUS, NEEDS_RADIUS, 0},
    {OPT_RADIUS_MAP, NEEDS_MAP, 0},
    {OPT_EQUALIZE, NEEDS_EQUALIZE, 0},
    {OPT_STATS, NEEDS_FIGURES, .beside = NEEDS_OUTPUT},
    {OPT_HISTOGRAM, NEEDS_FIGURES, .beside = NEEDS_OUTPUT | NEEDS_FIGURES},
};
enum { OPERATIONS = sizeof operations / sizeof *operations };

unsigned args_given_operations(const options *o)
{
    unsigned gives = 0;
    for (int i = 0; i < OPERATIONS; i++)
        gives |= o->given[operations[i].option] ? operations[i].gives : 0;
    return gives;
}

bool args_writes(const options *o)
{
    return args_given_operations(o) & NEEDS_OUTPUT;
}

int args_other_operation(const options *o, int option)
{
    for (int i = 0; i < OPERATIONS; i++)
        if (o->given[operations[i].option] && operations[i].gives & NEEDS_OUTPUT &&
            operations[i].option != option)
            return operations[i].option;
    return -1;
}

/* --- Words ------------------------------------------------------------------------------------ */

static bool is_listed(const operation *a, unsigned needs, bool of_folder)
{
    return a->gives & needs && a->option != (of_folder ? OPT_DEPTH : OPT_DEPTH_DIR);
}

args_words args_operation_words(unsigned needs, bool of_folder, bool with_values)
{
    args_words list = {.text = ""};
    size_t used = 0;
    int left = 0;
    for (int i = 0; i < OPERATIONS; i++)
        left += is_listed(&operations[i], needs, of_folder);
    for (int i = 0, first = 1; i < OPERATIONS && used < sizeof list.text; i++) {
        if (!is_listed(&operations[i], needs, of_folder))
            continue;
        const option_row *const row = &args_rows[operations[i].option];
        const char *const value = with_values && row->argument ? row->argument : "";
        const int length = (int)strcspn(value, "["); /* up to a part that may be left out */
        used += (size_t)snprintf(list.text + used, sizeof list.text - used, "%s--%s%s%.*s",
                                 first       ? ""
                                 : left == 1 ? " or "
                                             : ", ",
                                 row->name, length ? " " : "", length, value);
        first = 0;
        left--;
    }
    return list;
}

args_words args_need_words(unsigned needs)
{
    const char *const of = needs == NEEDS_BLUR     ? "a blur: "
                           : needs == NEEDS_OUTPUT ? "an OUTPUT: "
                                                   : "";
    const args_words list = args_operation_words(needs, false, !of[0]);
    args_words words;
    snprintf(words.text, sizeof words.text, "%s%.240s", of, list.text);
    return words;
}

/* --- Checks ----------------------------------------------------------------------------------- */

static bool exclude_each_other(const operation *a, const operation *b)
{
    return !(a->beside & b->gives) && !(b->beside & a->gives);
}

bool args_check_operations(const options *o, problem *p)
{
    for (int i = 0; i < OPERATIONS; i++)
        for (int k = 0; k < i && o->given[operations[i].option]; k++)
            if (o->given[operations[k].option] &&
                exclude_each_other(&operations[k], &operations[i]))
                return args_exclude(p, args_rows[operations[k].option].name,
                                    args_rows[operations[i].option].name);
    return args_given_operations(o) != 0 ||
           problem_set(p, "there is nothing to do; give %s (see 'satblur --help')",
                       args_operation_words(NEEDS_OUTPUT | NEEDS_FIGURES, false, true).text);
}
