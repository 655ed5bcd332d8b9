/* Pairs pictures with their maps and mattes. */
#include "batch/batch_list.h"

#include "codec/codec.h"

#include <stdlib.h>
#include <string.h>

/* Returns how many of the names are `stem` (with its dot) and the ending of a picture. Sets *found to the first, unless it
 * is set. */
static int count_named(const paths *names, const char *stem, const char **found)
{
    int count = 0;
    const size_t length = strlen(stem);
    for (size_t i = paths_from(names, stem); i < names->count; i++) {
        const char *name = names->at[i];
        if (strncmp(name, stem, length) != 0)
            break;
        if (path_stem(name) != length - 1 || !codec_is_map_name(name))
            continue;
        *found = *found ? *found : name;
        count++;
    }
    return count;
}

static char *no_companion(const char *stem, const batch_naming *n)
{
    const char *base = path_base(stem);
    if (n->suffix)
        return text_new("its %s is missing; expected %s%s.png (or another format)", n->word, base,
                        n->suffix);
    return text_new("its %s is missing; expected %s%s%s_%s.png or %s.%s.png (or another format)",
                    n->word, n->among ? "" : base, n->among ? "" : ".png, ", base, n->kind, base,
                    n->kind);
}

/* Counts the companions; -1: not enough memory. *found is set to the first. */
static int count_companions(const char *stem, const paths *names, const batch_naming *n,
                            const char **found)
{
    const char *const between[] = {"", "_", "."};
    int count = 0;
    for (int i = n->suffix ? 2 : n->among; i < 3; i++) {
        char *with = text_new("%s%s%s.", stem, n->suffix ? n->suffix : between[i],
                              n->suffix || i == 0 ? "" : n->kind);
        if (!with)
            return -1;
        count += count_named(names, with, found);
        free(with);
    }
    return count;
}

bool batch_find_companion(const char *name, const paths *names, const batch_naming *n, char **found,
                          char **fault)
{
    const char *first = NULL;
    char *stem = strndup(name, path_stem(name));
    const int count = stem ? count_companions(stem, names, n, &first) : -1;
    *found = *fault = NULL;
    if (count == 1)
        *found = strdup(first);
    else if (count == 0)
        *fault = no_companion(stem, n);
    else if (count > 1)
        *fault =
            text_new("several files match as its %s, including %s%s", n->word, first, n->remedy);
    free(stem);
    return *found || *fault;
}
