/* Which channels of an EXR are the picture. */
#include "codec/exr/exr.h"

#include <stdio.h>
#include <string.h>

enum { NAME = 256 };

/* Returns the number of the channel with that letter in the layer, whose name ends in a dot or is empty. */
static int find_in_layer(const exr_attr_chlist_t *list, const char *layer, int length,
                         const char *letter)
{
    char name[NAME];
    const int size = snprintf(name, sizeof name, "%.*s%s", length, layer, letter);
    return size < NAME ? exr_find(list, name) : -1;
}

static bool take_colours(const exr_attr_chlist_t *list, const char *layer, int length,
                         exr_layer *out)
{
    static const char *const letters[] = {"R", "G", "B", "A"};
    int at[4];
    for (int i = 0; i < 4; i++)
        at[i] = find_in_layer(list, layer, length, letters[i]);
    if (at[0] < 0 || at[1] < 0 || at[2] < 0)
        return false;
    *out = (exr_layer){.count = at[3] < 0 ? 3 : 4, .channel = {at[0], at[1], at[2], at[3]}};
    return true;
}

/* Takes R, G and B of the first part that has them without a layer's name. */
static bool take_plain(exr_const_context_t file, exr_layer *out)
{
    for (int part = 0; part < exr_part_count(file); part++)
        if (exr_is_flat(file, part) && take_colours(exr_channels_of(file, part), "", 0, out)) {
            out->part = part;
            return true;
        }
    return false;
}

/* Returns the length of a name up to its last dot, which is the layer's if the channel is an R. */
static int layer_of(const char *name)
{
    const char *const dot = strrchr(name, '.');
    return dot && strcmp(dot, ".R") == 0 ? (int)(dot + 1 - name) : 0;
}

static bool is_combined(const char *name, int length)
{
    static const char end[] = ".Combined.";
    const int size = (int)sizeof end - 1;
    return (length >= size && strncmp(name + length - size, end, (size_t)size) == 0) ||
           (length == size - 1 && strncmp(name, end + 1, (size_t)length) == 0);
}

/* Takes the first layer of colours, of those with the name Combined only if combined says so. Returns how many there are. */
static int take_layers(exr_const_context_t file, bool combined, exr_layer *out)
{
    int count = 0;
    for (int part = 0; part < exr_part_count(file); part++) {
        const exr_attr_chlist_t *const list = exr_channels_of(file, part);
        for (int i = 0; i < list->num_channels && exr_is_flat(file, part); i++) {
            const char *const name = list->entries[i].name.str;
            const int length = layer_of(name);
            exr_layer found;
            if (length == 0 || (combined && !is_combined(name, length)) ||
                !take_colours(list, name, length, &found) || count++ > 0)
                continue;
            *out = found;
            out->part = part;
        }
    }
    return count;
}

/* Takes Y of the first part that has it and no vector, whose Y would mean a direction. False: there is none, or
 * *has_chroma. */
static bool take_gray(exr_const_context_t file, exr_layer *out, bool *has_chroma)
{
    for (int part = 0; part < exr_part_count(file); part++) {
        const exr_attr_chlist_t *const list = exr_channels_of(file, part);
        const int gray = exr_find(list, "Y"), alpha = exr_find(list, "A");
        if (!exr_is_flat(file, part) || gray < 0 || exr_find(list, "X") >= 0)
            continue;
        *has_chroma = exr_find(list, "RY") >= 0 || exr_find(list, "BY") >= 0;
        if (*has_chroma)
            return false;
        *out = (exr_layer){.part = part, .count = alpha < 0 ? 1 : 2, .channel = {gray, alpha}};
        return true;
    }
    return false;
}

static bool refuse(exr_const_context_t file, int layers, problem *p)
{
    char names[1024];
    if (exr_name_channels(file, names, sizeof names) == 0)
        return problem_set(p, "deep data are not read here; save them flat");
    if (layers > 1)
        return problem_set(p, "%d layers have R, G and B; save only one: %s", layers, names);
    return problem_set(p,
                       "no channels R, G and B, or Y, but %s; if that is depth, give it to "
                       "--depth",
                       names);
}

bool exr_choose_layer(exr_const_context_t file, exr_layer *layer, problem *p)
{
    bool has_chroma = false;
    if (take_plain(file, layer) || take_layers(file, true, layer) > 0)
        return true;
    const int layers = take_layers(file, false, layer);
    if (layers == 1 || (layers == 0 && take_gray(file, layer, &has_chroma)))
        return true;
    return has_chroma
               ? problem_set(p, "luminance with chroma (RY, BY) is not read here; save it as RGB")
               : refuse(file, layers, p);
}
