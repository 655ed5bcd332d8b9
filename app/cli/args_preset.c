/* --dof-preset: the options that a preset stands for are read as if they had been typed, unless others were. */
#include "base/line.h"
#include "cli/args.h"

#include <stddef.h>
#include <string.h>

static const option_part *parts_of(const char *preset)
{
    for (const option_choice *c = args_rows[OPT_DOF_PRESET].choices; c->word; c++)
        if (strcmp(c->word, preset) == 0)
            return c->stands_for;
    return NULL;
}

bool args_is_settled(const options *o, int option)
{
    const bool lens = o->given[OPT_FSTOP] || o->given[OPT_FOCAL] || o->given[OPT_SENSOR];
    if (o->given[option])
        return true;
    switch (option) {
    case OPT_MAX_RADIUS: return lens || o->given[OPT_RADIUS_KEYS];
    case OPT_BOKEH:
    case OPT_HIGHLIGHTS: return !options_are_layered(o);
    case OPT_QUIET: return o->given[OPT_VERBOSE];
    case OPT_VERBOSE: return o->given[OPT_QUIET];
    case OPT_DEPTH_PROCESS: return o->given[OPT_DEPTH_COMMAND];
    case OPT_DEPTH_COMMAND: return o->given[OPT_DEPTH_PROCESS];
    case OPT_FSTOP:
    case OPT_FOCAL:
    case OPT_SENSOR: return o->given[OPT_MAX_RADIUS];
    case OPT_FOCUS:
        return o->given[OPT_FOCUS_AT] || o->given[OPT_FOCUS_PLANE] || o->given[OPT_TILT_SHIFT];
    case OPT_FOCUS_RANGE: return o->given[OPT_TILT_SHIFT];
    default: return false;
    }
}

bool args_take_preset(options *o, problem *p)
{
    const option_part *part = o->given[OPT_DOF_PRESET] ? parts_of(o->dof_preset) : NULL;
    for (; part && part->value; part++) {
        if (args_is_settled(o, part->option))
            continue;
        if (!args_take_option(o, part->option, part->value, p))
            return false;
        o->by_preset[part->option] = true;
    }
    return true;
}

bool args_check_preset(const options *o, problem *p)
{
    const int other = o->by_preset[OPT_TILT_SHIFT] ? args_other_operation(o, OPT_TILT_SHIFT) : -1;
    return other < 0 ||
           problem_set(p,
                       "--dof-preset %s sets --tilt-shift, which excludes --%s; give one of them",
                       o->dof_preset, args_rows[other].name);
}

void args_tell_preset(const options *o)
{
    line said = {.used = 0};
    if (!o->given[OPT_DOF_PRESET])
        return;
    for (const option_part *part = parts_of(o->dof_preset); part && part->value; part++)
        if (o->by_preset[part->option])
            line_add(&said, " --%s %s", args_rows[part->option].name, part->value);
    message_note(!o->given[OPT_VERBOSE], "--dof-preset %s sets%s", o->dof_preset,
                 said.used ? said.text : " nothing, because other options override it");
}
