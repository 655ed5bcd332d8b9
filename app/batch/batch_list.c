#include "batch/batch_list.h"

#include "batch/batch_walk.h"
#include "base/output.h"
#include "codec/codec.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool no_memory(problem *p)
{
    return problem_set(p, "not enough memory for the list of files");
}

/* --- Names ------------------------------------------------------------------------------------ */

char *batch_output_name(const char *name, const char *suffix, const char *format)
{
    const int stem = (int)path_stem(name);
    return text_new("%.*s%s%s%s", stem, name, suffix ? suffix : "", format ? "." : "",
                    format ? format : name + stem);
}

bool batch_in_shard(size_t index, int shard, int shards)
{
    return shards == 0 || index % (size_t)shards == (size_t)shard - 1;
}

const char *batch_outside(const char *name)
{
    if (name[0] == '/')
        return "the name is absolute; give a name within the folder";
    for (const char *part = name; part; part = strchr(part, '/')) {
        part += *part == '/';
        if (strncmp(part, "..", 2) == 0 && (part[2] == '/' || part[2] == '\0'))
            return "the name has .. in it; give a name within the folder";
    }
    return NULL;
}

/* Returns the path of a name in a folder. folder NULL: the current one. */
static char *within(const char *folder, const char *name)
{
    if (!folder)
        return strdup(name);
    const size_t length = strlen(folder);
    return text_new("%s%s%s", folder, folder[length - 1] == '/' ? "" : "/", name);
}

/* --- Which files ------------------------------------------------------------------------------ */

typedef struct plan {
    const options *o;
    char *output;           /* canonical folder OUTPUT; NULL: none */
    const char *map_folder; /* holds a map for each; NULL: there is one for all, or none */
    bool among;             /* map_folder is the folder of the inputs */
    paths found, maps, unread;
} plan;

static bool collect_names(plan *w, problem *p)
{
    const options *o = w->o;
    const bool recursive = o->given[OPT_RECURSIVE];
    const walk_rule of_maps = {.recursive = recursive, .skipped = {w->output}};
    const walk_rule of_inputs = {.recursive = recursive,
                                 .skipped = {w->output, w->among ? NULL : w->map_folder}};
    if (!(o->files_from ? walk_list(o->files_from, &w->found, p)
                        : walk_folder(o->input, &of_inputs, &w->found, &w->unread, p)))
        return false;
    if (w->map_folder &&
        !walk_folder(w->among ? o->input : w->map_folder, &of_maps, &w->maps, &w->unread, p))
        return false;
    if (w->unread.count > 0 && o->shards > 0) /* other shards may have had another list */
        return problem_set(
            p, "%s: cannot be read: %.*s; --shard needs the whole list, so make it readable",
            strchr(w->unread.at[0], '\n') + 1, (int)strcspn(w->unread.at[0], "\n"),
            w->unread.at[0]);
    paths_sort(&w->found);
    paths_sort(&w->maps);
    paths_sort(&w->unread);
    return true;
}

static char *relative_output(const options *o, const char *key)
{
    return o->output ? batch_output_name(key, o->suffix, o->format) : strdup(key);
}

/* key: the input's name if the tree is kept, else its last part. The map is named after it. */
static bool fill_map(batch_item *item, const plan *w, const char *key)
{
    const options *o = w->o;
    const char *one = o->depth ? o->depth : o->radius_map;
    char *map;
    if (!w->map_folder)
        return !one || (item->map = strdup(one));
    if (!batch_find_map(key, &w->maps, o->depth_suffix, w->among, &map, &item->fault))
        return false;
    item->map = map ? within(w->among ? o->input : w->map_folder, map) : NULL;
    const bool good = !map || item->map;
    free(map);
    return good;
}

static bool fill_item(batch_item *item, const plan *w, const char *name)
{
    const options *o = w->o;
    const char *outside = NULL;
    while (strncmp(name, "./", 2) == 0)
        name += 2;
    const char *key = o->given[OPT_RECURSIVE] ? name : path_base(name);
    if (o->input || o->given[OPT_RECURSIVE])
        outside = batch_outside(name);
    item->input = within(o->input, name);
    item->relative = relative_output(o, outside ? path_base(name) : key);
    if (!item->input || !item->relative)
        return false;
    if (outside)
        return (item->fault = strdup(outside));
    if (o->output && !(item->output = within(o->output, item->relative)))
        return false;
    return fill_map(item, w, key);
}

/* Makes an item that fails, so that the others are done. */
static bool fill_unread(batch_item *item, const char *unread)
{
    const char *path = strchr(unread, '\n') + 1;
    item->input = strdup(path);
    item->relative = strdup(path_base(path));
    item->fault = text_new("cannot be read: %.*s", (int)(path - unread - 1), unread);
    return item->input && item->relative && item->fault;
}

static bool fill_items(batch_list *list, const plan *w, problem *p)
{
    const paths *found = &w->found;
    list->items = calloc(found->count + w->unread.count + 1, sizeof *list->items);
    if (!list->items)
        return no_memory(p);
    for (size_t i = 0; i < w->unread.count; i++)
        if (!fill_unread(&list->items[list->count++], w->unread.at[i]))
            return no_memory(p);
    for (size_t i = 0; i < found->count; i++)
        if (!w->o->files_from && !codec_is_picture_name(found->at[i]))
            list->ignored++;
        else if (!fill_item(&list->items[list->count++], w, found->at[i]))
            return no_memory(p);
    return true;
}

/* --- What cannot be --------------------------------------------------------------------------- */

static void free_item(batch_item *item)
{
    free(item->input);
    free(item->relative);
    free(item->output);
    free(item->map);
    free(item->fault);
}

/* Leaves out the items that are maps of other items. */
static bool drop_maps(batch_list *list, problem *p)
{
    paths maps = {0};
    bool good = true;
    size_t kept = 0;
    for (size_t i = 0; i < list->count && good; i++)
        good =
            !list->items[i].map || paths_add(&maps, list->items[i].map, strlen(list->items[i].map));
    paths_sort(&maps);
    for (size_t i = 0; i < list->count && good; i++) {
        const size_t at = paths_from(&maps, list->items[i].input);
        if (at < maps.count && strcmp(maps.at[at], list->items[i].input) == 0)
            free_item(&list->items[i]);
        else
            list->items[kept++] = list->items[i];
    }
    list->count = good ? kept : list->count;
    paths_free(&maps);
    return good || no_memory(p);
}

/* --- All of it -------------------------------------------------------------------------------- */

static bool check_folders(const plan *w, problem *p)
{
    const options *o = w->o;
    if (o->output && access(o->output, F_OK) == 0 && !walk_is_folder(o->output))
        return problem_set(p, "%s is a file; name a folder as OUTPUT", o->output);
    if (o->input && o->output && walk_same(o->input, w->output)) {
        return problem_set(p,
                           "%s is INPUT and OUTPUT, so outputs would become inputs; name two "
                           "folders",
                           o->input);
    }
    if (w->map_folder && o->output && walk_same(w->map_folder, w->output)) {
        return problem_set(
            p,
            "%s is OUTPUT and the folder of maps, so outputs would become maps; name two folders",
            o->output);
    }
    if (w->among && o->depth_suffix && o->depth_suffix[0] == '\0')
        return problem_set(
            p, "--depth-suffix '' would make each picture in %s its own map; give another suffix",
            o->input);
    if (o->depth && walk_is_folder(o->depth))
        return problem_set(p, "--depth %s is a folder; use --depth-dir", o->depth);
    return true;
}

static bool find_items(batch_list *list, plan *w, problem *p)
{
    const options *o = w->o;
    if (!check_folders(w, p) || !collect_names(w, p) || !fill_items(list, w, p) ||
        (w->among && !drop_maps(list, p)))
        return false;
    if (list->count == 0) {
        return problem_set(p, "%s: no pictures found%s", o->files_from ? o->files_from : o->input,
                           o->files_from || o->given[OPT_RECURSIVE]
                               ? ""
                               : "; use --recursive to search subfolders");
    }
    return true;
}

bool batch_list_make(batch_list *list, const options *o, problem *p)
{
    plan w = {.o = o, .map_folder = o->depth_dir};
    *list = (batch_list){0};
    if (o->radius_map && walk_is_folder(o->radius_map))
        w.map_folder = o->radius_map;
    w.among = w.map_folder && o->input && walk_same(w.map_folder, o->input);
    w.output = o->output ? output_canonical_folder(o->output) : NULL;
    const bool done = o->output && !w.output ? no_memory(p) : find_items(list, &w, p);
    free(w.output);
    paths_free(&w.found);
    paths_free(&w.maps);
    paths_free(&w.unread);
    if (!done)
        batch_list_free(list);
    return done;
}

void batch_list_select_shard(batch_list *list, const options *o)
{
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++)
        if (batch_in_shard(i, o->shard, o->shards))
            list->items[kept++] = list->items[i];
        else
            free_item(&list->items[i]);
    list->count = kept;
}

void batch_list_free(batch_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free_item(&list->items[i]);
    free(list->items);
    *list = (batch_list){0};
}
