/* Pairs pictures with their maps. */
#include "batch/batch_list.h"

#include "codec/codec.h"

#include <stdlib.h>
#include <string.h>

/* Returns how many of the names are `stem` (with its dot) and the ending of a picture. Sets *found to the first, unless it
 * is set. */
static int count_named(const paths *maps, const char *stem, const char **found)
{
    int count = 0;
    const size_t length = strlen(stem);
    for (size_t i = paths_from(maps, stem); i < maps->count; i++) {
        const char *name = maps->at[i];
        if (strncmp(name, stem, length) != 0)
            break;
        if (path_stem(name) != length - 1 || !codec_is_picture_name(name))
            continue;
        *found = *found ? *found : name;
        count++;
    }
    return count;
}

/* among: the file with the picture's own name is the picture. */
static char *no_map(const char *stem, const char *suffix, bool among)
{
    const char *base = path_base(stem);
    if (suffix)
        return text_new("its map is missing; expected %s%s.png (or another format)", base, suffix);
    return text_new("its map is missing; expected %s%s%s_depth.png or %s.depth.png (or another "
                    "format)",
                    among ? "" : base, among ? "" : ".png, ", base, base);
}

bool batch_find_map(const char *name, const paths *maps, const char *suffix, bool among, char **map,
                    char **fault)
{
    const char *const usual[] = {"", "_depth", ".depth"};
    const char *found = NULL;
    int count = 0;
    char *stem = strndup(name, path_stem(name));
    *map = *fault = NULL;
    for (int i = suffix ? 2 : among; stem && i < 3; i++) {
        char *with = text_new("%s%s.", stem, suffix ? suffix : usual[i]);
        count = with && count >= 0 ? count + count_named(maps, with, &found) : -1;
        free(with);
    }
    if (stem && count == 1)
        *map = strdup(found);
    else if (stem && count == 0)
        *fault = no_map(stem, suffix, among);
    else if (stem && count > 1)
        *fault = text_new("several files match as its map, %s among them; choose by "
                          "--depth-suffix",
                          found);
    free(stem);
    return *map || *fault;
}
