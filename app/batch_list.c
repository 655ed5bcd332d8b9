#include "batch_list.h"

#include "batch_walk.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool no_memory(problem *p)
{
    return problem_set(p, "not enough memory for the list of files");
}

/* --- Names ------------------------------------------------------------------------------------ */

char *batch_output_place(const char *name, const char *suffix, const char *format)
{
    const int stem = (int)name_stem(name);
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
        return "its name is absolute, so it is not within the folder";
    for (const char *part = name; part; part = strchr(part, '/')) {
        part += *part == '/';
        if (strncmp(part, "..", 2) == 0 && (part[2] == '/' || part[2] == '\0'))
            return "its name has .. in it, so it may not be within the folder";
    }
    return NULL;
}

/* A path in a folder; NULL as a folder is the current one. */
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
    const char *map_folder; /* where maps are looked for; NULL: there is one for all, or none */
    bool among;             /* it is the folder of the inputs */
    names found, maps;
} plan;

static bool collect_names(plan *w, problem *p)
{
    const options *o = w->o;
    const char *const skipped[2] = {o->output, w->among ? NULL : w->map_folder};
    if (!(o->files_from
              ? walk_list(o->files_from, &w->found, p)
              : walk_folder(o->input, o->given[OPT_RECURSIVE], false, skipped, &w->found, p)))
        return false;
    if (w->map_folder &&
        !walk_folder(w->map_folder, o->given[OPT_RECURSIVE], false, NULL, &w->maps, p))
        return false;
    names_sort(&w->found);
    names_sort(&w->maps);
    return true;
}

static char *item_place(const options *o, const char *key)
{
    return o->output ? batch_output_place(key, o->suffix, o->format) : strdup(key);
}

/* key: the input's name where the tree is kept, otherwise its last part; output and map are named
 * after it. */
static bool fill_map(batch_item *item, const plan *w, const char *key)
{
    const options *o = w->o;
    const char *one = o->depth ? o->depth : o->radius_map;
    char *map;
    if (!w->map_folder)
        return !one || (item->map = strdup(one));
    if (!batch_find_map(key, &w->maps, o->depth_suffix, w->among, &map, &item->fault))
        return false;
    item->map = map ? within(w->map_folder, map) : NULL;
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
    const char *key = o->given[OPT_RECURSIVE] ? name : name_base(name);
    if (o->input || o->given[OPT_RECURSIVE])
        outside = batch_outside(name);
    item->input = within(o->input, name);
    item->place = item_place(o, outside ? name_base(name) : key);
    if (!item->input || !item->place)
        return false;
    if (outside)
        return (item->fault = strdup(outside));
    if (o->output && !(item->output = within(o->output, item->place)))
        return false;
    return fill_map(item, w, key);
}

static bool fill_items(batch_list *list, const plan *w, problem *p)
{
    const names *found = &w->found;
    list->items = calloc(found->count ? found->count : 1, sizeof *list->items);
    if (!list->items)
        return no_memory(p);
    for (size_t i = 0; i < found->count; i++)
        if (!w->o->files_from && !name_is_picture(found->at[i]))
            list->ignored++;
        else if (!fill_item(&list->items[list->count++], w, found->at[i]))
            return no_memory(p);
    return true;
}

/* --- What cannot be --------------------------------------------------------------------------- */

static void free_item(batch_item *item)
{
    free(item->input);
    free(item->place);
    free(item->output);
    free(item->map);
    free(item->fault);
}

static int by_output(const void *a, const void *b)
{
    const batch_item *const *x = a, *const *y = b;
    return strcmp((*x)->output, (*y)->output);
}

static bool check_clashes(const batch_list *list, problem *p)
{
    const batch_item **sorted = malloc((list->count + 1) * sizeof *sorted);
    size_t count = 0;
    bool good = true;
    if (!sorted)
        return no_memory(p);
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].output)
            sorted[count++] = &list->items[i];
    qsort(sorted, count, sizeof *sorted, by_output);
    for (size_t i = 1; i < count && good; i++) {
        if (strcmp(sorted[i - 1]->output, sorted[i]->output) == 0)
            good = problem_set(p, "%s and %s would both be written to %s; nothing was done",
                               sorted[i - 1]->input, sorted[i]->input, sorted[i]->output);
    }
    free(sorted);
    return good;
}

typedef struct identity {
    dev_t device;
    ino_t inode;
} identity;

static int by_identity(const void *a, const void *b)
{
    const identity *x = a, *y = b;
    if (x->device != y->device)
        return x->device < y->device ? -1 : 1;
    return x->inode < y->inode ? -1 : x->inode > y->inode;
}

/* An output in an input's place would be blurred again by the next run; one in a map's place would
 * be the wrong map. */
static bool check_overwrites(const batch_list *list, problem *p)
{
    identity *inputs = malloc((2 * list->count + 1) * sizeof *inputs);
    size_t count = 0;
    bool good = true;
    struct stat about;
    if (!inputs)
        return no_memory(p);
    for (size_t i = 0; i < list->count; i++) {
        const char *const files[2] = {list->items[i].input, list->items[i].map};
        for (int k = 0; k < 2; k++)
            if (files[k] && stat(files[k], &about) == 0)
                inputs[count++] = (identity){about.st_dev, about.st_ino};
    }
    qsort(inputs, count, sizeof *inputs, by_identity);
    for (size_t i = 0; i < list->count && good; i++) {
        const char *output = list->items[i].output;
        if (!output || stat(output, &about) != 0)
            continue;
        const identity key = {about.st_dev, about.st_ino};
        if (bsearch(&key, inputs, count, sizeof *inputs, by_identity))
            good = problem_set(p,
                               "%s is an input and would be written over; nothing was done: name "
                               "another folder, or a --suffix",
                               output);
    }
    free(inputs);
    return good;
}

/* Where maps lie among the pictures, what is another's map is no input. */
static bool drop_maps(batch_list *list, problem *p)
{
    names maps = {0};
    bool good = true;
    size_t kept = 0;
    for (size_t i = 0; i < list->count && good; i++)
        good =
            !list->items[i].map || names_add(&maps, list->items[i].map, strlen(list->items[i].map));
    names_sort(&maps);
    for (size_t i = 0; i < list->count && good; i++) {
        const size_t at = names_from(&maps, list->items[i].input);
        if (at < maps.count && strcmp(maps.at[at], list->items[i].input) == 0)
            free_item(&list->items[i]);
        else
            list->items[kept++] = list->items[i];
    }
    list->count = good ? kept : list->count;
    names_free(&maps);
    return good || no_memory(p);
}

/* --- All of it -------------------------------------------------------------------------------- */

static void keep_shard(batch_list *list, const options *o)
{
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++)
        if (batch_in_shard(i, o->shard, o->shards))
            list->items[kept++] = list->items[i];
        else
            free_item(&list->items[i]);
    list->count = kept;
}

static bool check_folders(const options *o, problem *p)
{
    if (o->output && access(o->output, F_OK) == 0 && !walk_is_folder(o->output))
        return problem_set(p, "%s is a file; name a folder as OUTPUT", o->output);
    if (o->input && o->output && walk_same(o->input, o->output)) {
        return problem_set(p,
                           "%s is INPUT and OUTPUT, so that outputs would become inputs; name two "
                           "folders",
                           o->input);
    }
    if (o->depth && walk_is_folder(o->depth))
        return problem_set(p, "--depth %s is a folder; say --depth-dir", o->depth);
    return true;
}

static bool make(batch_list *list, plan *w, problem *p)
{
    const options *o = w->o;
    if (!check_folders(o, p) || !collect_names(w, p) || !fill_items(list, w, p) ||
        (w->among && !drop_maps(list, p)))
        return false;
    if (list->count == 0) {
        return problem_set(
            p, "%s: there are no pictures in it%s", o->files_from ? o->files_from : o->input,
            o->files_from || o->given[OPT_RECURSIVE] ? "" : "; --recursive looks deeper");
    }
    if (!check_clashes(list, p) || !check_overwrites(list, p))
        return false;
    keep_shard(list, o);
    return true;
}

bool batch_list_make(batch_list *list, const options *o, problem *p)
{
    plan w = {.o = o, .map_folder = o->depth_dir};
    *list = (batch_list){0};
    if (o->radius_map && walk_is_folder(o->radius_map))
        w.map_folder = o->radius_map;
    w.among = w.map_folder && o->input && walk_same(w.map_folder, o->input);
    const bool done = make(list, &w, p);
    names_free(&w.found);
    names_free(&w.maps);
    if (!done)
        batch_list_free(list);
    return done;
}

void batch_list_free(batch_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free_item(&list->items[i]);
    free(list->items);
    *list = (batch_list){0};
}
