/* Which channel of an EXR is depth. */
#include "codec/exr/exr.h"

#include <stdio.h>
#include <string.h>

static bool ends(const char *name, const char *with)
{
    const size_t size = strlen(name), end = strlen(with);
    return size >= end && strcmp(name + size - end, with) == 0;
}

/* Returns whether the layer has an X, too: then Y and Z are parts of a vector. */
static bool is_of_vector(const exr_attr_chlist_t *list, const char *name)
{
    char other[256];
    const size_t size = strlen(name);
    if (size == 0 || size >= sizeof other)
        return false;
    memcpy(other, name, size + 1);
    other[size - 1] = 'X';
    return exr_find(list, other) >= 0;
}

/* Returns the place of a name in the order of names that mean depth: GRAY_DEPTH is Y, which beside nothing else is a gray
 * picture, too. NO_DEPTH: it means something else. */
enum { GRAY_DEPTH = 9, NO_DEPTH = 99 };
static int rank_of(const exr_attr_chlist_t *list, const char *name)
{
    static const struct {
        const char *name;
        bool is_end, is_axis;
    } known[] = {
        {"Z", false, true},       {"ViewLayer.Depth.Z", false, true},
        {".Depth.Z", true, true}, {".Depth.V", true, false},
        {".Z", true, true},       {"depth", false, false},
        {"Depth", false, false},  {".depth", true, false},
        {".Depth", true, false},  {"Y", false, true},
    };
    for (int i = 0; i < (int)(sizeof known / sizeof *known); i++)
        if ((known[i].is_end ? ends(name, known[i].name) : strcmp(name, known[i].name) == 0) &&
            !(known[i].is_axis && is_of_vector(list, name)))
            return i;
    return NO_DEPTH;
}

static void take(exr_choice *choice, const exr_attr_chlist_t *list, int part, int channel)
{
    *choice = (exr_choice){.part = part, .channel = channel};
    snprintf(choice->name, sizeof choice->name, "%s", list->entries[channel].name.str);
}

/* Takes the channel whose name means depth most surely, and before the place `before`; of two the shorter, and then the
 * first. */
static bool take_by_name(exr_const_context_t file, int before, exr_choice *choice)
{
    int best = before;
    size_t length = 0;
    for (int part = 0; part < exr_part_count(file); part++) {
        const exr_attr_chlist_t *const list = exr_channels_of(file, part);
        for (int i = 0; i < list->num_channels && exr_is_flat(file, part); i++) {
            const char *const name = list->entries[i].name.str;
            const int rank = rank_of(list, name);
            if (rank < best || (rank == best && rank < before && strlen(name) < length)) {
                take(choice, list, part, i);
                best = rank;
                length = strlen(name);
            }
        }
    }
    return best < before;
}

/* Takes the only channel of all parts, or R, G and B of a part. */
static bool take_by_count(exr_const_context_t file, exr_choice *choice)
{
    int all = 0;
    bool found = false;
    for (int part = 0; part < exr_part_count(file); part++) {
        const exr_attr_chlist_t *const list = exr_channels_of(file, part);
        const int red = exr_find(list, "R"), green = exr_find(list, "G"),
                  blue = exr_find(list, "B");
        const bool is_gray = red >= 0 && green >= 0 && blue >= 0;
        if (!exr_is_flat(file, part))
            continue;
        all += list->num_channels;
        if (!found && (is_gray || list->num_channels == 1)) {
            take(choice, list, part, is_gray ? red : 0);
            choice->is_gray = is_gray;
            choice->green = green;
            choice->blue = blue;
            found = true;
        }
    }
    return found && (choice->is_gray || all == 1);
}

static bool take_named(exr_const_context_t file, const char *name, exr_choice *choice)
{
    for (int part = 0; part < exr_part_count(file); part++) {
        const exr_attr_chlist_t *const list = exr_channels_of(file, part);
        const int channel = exr_find(list, name);
        if (channel >= 0 && exr_is_flat(file, part)) {
            take(choice, list, part, channel);
            return true;
        }
    }
    return false;
}

/* --- Errors ----------------------------------------------------------------------------------- */

static bool refuse(exr_const_context_t file, const char *name, problem *p)
{
    char names[1024];
    if (exr_name_channels(file, names, sizeof names) == 0)
        return problem_set(p, "deep data are not read here; save them flat");
    return name ? problem_set(p, "has no channel %.60s; give one of: %s", name, names)
                : problem_set(p, "no channel is clearly the depth; give --depth-channel NAME: %s",
                              names);
}

bool exr_refuse_channels(exr_const_context_t file, problem *p)
{
    return refuse(file, NULL, p);
}

bool exr_choose(exr_const_context_t file, const char *name, exr_choice *choice, problem *p)
{
    const bool done = name ? take_named(file, name, choice)
                           : take_by_name(file, NO_DEPTH, choice) || take_by_count(file, choice);
    return done || refuse(file, name, p);
}

bool exr_choose_own(exr_const_context_t file, const char *name, exr_choice *choice)
{
    return name ? take_named(file, name, choice) : take_by_name(file, GRAY_DEPTH, choice);
}
