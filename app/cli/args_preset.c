/* --dof-preset: the options that a preset stands for are read as if they had been typed, unless others were. */
#include "cli/args.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 1024 }; /* letters of what a preset stands for */

/* Returns what the preset stands for, which is its explanation in --help=all: "--name value --name value". */
static const char *stands_for(const options *o)
{
    for (const option_choice *c = args_rows[OPT_DOF_PRESET].choices; c->word; c++)
        if (strcmp(c->word, o->dof_preset) == 0)
            return c->help;
    return "";
}

/* Returns whether the user has typed the option or one that takes its place. */
static bool is_settled(const options *o, int option)
{
    const bool lens = o->given[OPT_FSTOP] || o->given[OPT_FOCAL] || o->given[OPT_SENSOR];
    const bool layered = o->dof.method != SATB_METHOD_GATHER &&
                         o->dof.method != SATB_METHOD_SPREAD && o->look.edge == SATB_EDGE_SHRINK;
    if (o->given[option])
        return true;
    switch (option) {
    case OPT_MAX_RADIUS: return lens || o->given[OPT_RADIUS_KEYS];
    case OPT_BOKEH:
    case OPT_HIGHLIGHTS: return !layered;
    case OPT_FOCUS_RANGE: return o->given[OPT_TILT_SHIFT];
    default: return false;
    }
}

static int option_named(const char *name)
{
    for (int i = 0; i < OPT_COUNT; i++)
        if (strcmp(args_rows[i].name, name) == 0)
            return i;
    return -1;
}

bool args_take_preset(options *o, problem *p)
{
    static char words[MOST]; /* the options' values point into it; a command line has one preset */
    if (!o->given[OPT_DOF_PRESET])
        return true;
    if ((size_t)snprintf(words, sizeof words, "%s", stands_for(o)) >= sizeof words)
        return problem_set(p, "--dof-preset %s stands for more than %d letters; give its options",
                           o->dof_preset, MOST - 1);
    for (char *name = strtok(words, " "); name; name = strtok(NULL, " ")) {
        char *const value = strtok(NULL, " ");
        const int i = option_named(name + 2);
        if (is_settled(o, i))
            continue;
        if (!args_take_option(o, i, value, p))
            return false;
        o->by_preset[i] = true;
    }
    return true;
}

bool args_check_preset(const options *o, problem *p)
{
    const int other = o->by_preset[OPT_TILT_SHIFT] ? args_other_operation(o, OPT_TILT_SHIFT) : -1;
    return other < 0 ||
           problem_set(p,
                       "--dof-preset %s stands for --tilt-shift, which excludes --%s; give one of "
                       "them",
                       o->dof_preset, args_rows[other].name);
}

void args_tell_preset(const options *o)
{
    char text[MOST] = "";
    size_t used = 0;
    for (int i = 0; i < OPT_COUNT && used < sizeof text; i++)
        if (o->by_preset[i])
            used += (size_t)snprintf(text + used, sizeof text - used, " --%s %s", args_rows[i].name,
                                     o->text[i]);
    if (o->given[OPT_DOF_PRESET])
        message_note(o->given[OPT_QUIET], "--dof-preset %s stands for%s here", o->dof_preset,
                     used ? text : " nothing, as other options say all of it,");
}
