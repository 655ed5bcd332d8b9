/* The operations: what can be done to a picture, what stands beside what, and the words for that. */
#include "base/line.h"
#include "cli/args.h"

#include <string.h>

typedef struct operation {
    int option;
    unsigned meets;  /* the need of other options; NEEDS_FIGURES: it writes no picture */
    unsigned beside; /* operations that it may stand beside; 0: none that writes a picture */
} operation;

static const operation operations[] = {
    {OPT_DEPTH, NEEDS_DEPTH, 0},
    {OPT_DEPTH_DIR, NEEDS_DEPTH, 0},
    {OPT_MATTE, NEEDS_MATTE, .beside = NEEDS_DEPTH},
    {OPT_TILT_SHIFT, NEEDS_TILT_SHIFT, 0},
    {OPT_RADIUS, NEEDS_RADIUS, 0},
    {OPT_RADIUS_MAP, NEEDS_RADIUS_MAP, 0},
    {OPT_EQUALIZE, NEEDS_EQUALIZE, 0},
    {OPT_STATS, NEEDS_FIGURES, .beside = NEEDS_OUTPUT},
    {OPT_HISTOGRAM, NEEDS_FIGURES, .beside = NEEDS_OUTPUT | NEEDS_FIGURES},
};
enum { OPERATIONS = sizeof operations / sizeof *operations };

unsigned args_given_operations(const options *o)
{
    unsigned met = 0;
    for (int i = 0; i < OPERATIONS; i++)
        met |= o->given[operations[i].option] ? operations[i].meets : 0;
    return met;
}

bool args_writes(const options *o)
{
    return args_given_operations(o) & NEEDS_OUTPUT;
}

int args_other_operation(const options *o, int option)
{
    for (int i = 0; i < OPERATIONS; i++)
        if (o->given[operations[i].option] && operations[i].meets & NEEDS_OUTPUT &&
            operations[i].option != option)
            return operations[i].option;
    return -1;
}

/* --- Words ------------------------------------------------------------------------------------ */

struct line args_operation_words(unsigned needs)
{
    const option_row *rows[OPERATIONS];
    int count = 0;
    line words = {.used = 0};
    for (int i = 0; i < OPERATIONS; i++)
        if (operations[i].meets & needs && operations[i].option != OPT_DEPTH_DIR)
            rows[count++] = &args_rows[operations[i].option];
    for (int i = 0; i < count; i++) {
        const char *const value = rows[i]->argument ? rows[i]->argument : "";
        const int length = (int)strcspn(value, "["); /* up to a part that may be left out */
        line_add(&words, "%s--%s%s%.*s",
                 i == 0           ? ""
                 : i == count - 1 ? " or "
                                  : ", ",
                 rows[i]->name, length ? " " : "", length, value);
    }
    return words;
}

bool args_lack_operation(problem *p, const char *name, unsigned needs)
{
    return problem_set(p, "--%s needs %s%s", name,
                       needs == NEEDS_BLUR     ? "a blur: "
                       : needs == NEEDS_OUTPUT ? "an OUTPUT: "
                                               : "",
                       args_operation_words(needs).text);
}

int args_lacking(const options *o)
{
    for (int i = 0; i < OPT_COUNT; i++)
        if (o->given[i] && args_rows[i].needs &&
            !(args_rows[i].needs & ~(unsigned)(NEEDS_DOF | NEEDS_RADIUS_MAP)))
            return i;
    return -1;
}

/* --- Checks ----------------------------------------------------------------------------------- */

bool args_exclude(problem *p, const char *a, const char *b)
{
    return problem_set(p, "--%s and --%s exclude each other; give one of them", a, b);
}

static bool exclude_each_other(const operation *a, const operation *b)
{
    return !(a->beside & b->meets) && !(b->beside & a->meets);
}

bool args_check_operations(const options *o, problem *p)
{
    for (int i = 0; i < OPERATIONS; i++)
        for (int k = 0; k < i && o->given[operations[i].option]; k++)
            if (o->given[operations[k].option] &&
                exclude_each_other(&operations[k], &operations[i]))
                return args_exclude(p, args_rows[operations[k].option].name,
                                    args_rows[operations[i].option].name);
    const int lacking = args_lacking(o);
    if (args_given_operations(o) == 0 && lacking >= 0)
        return args_lack_operation(p, args_rows[lacking].name, args_rows[lacking].needs);
    if (args_given_operations(o) == 0 && o->input && !o->output)
        return problem_set(p, "OUTPUT is missing; give its name after '%s', or --stats to measure",
                           o->input);
    return args_given_operations(o) != 0 ||
           problem_set(p, "there is nothing to do; give --depth MAP, or " ARGS_FIRST_WAYS);
}
