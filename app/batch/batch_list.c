#include "batch/batch_list.h"

#include "batch/batch_walk.h"
#include "base/output.h"
#include "engine/source.h"
#include "codec/codec.h"

#include <errno.h>
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
            return "the name contains ..; give a name within the folder";
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

/* Maps, or mattes. */
typedef struct companions {
    const char *one;    /* a file for all pictures; NULL: none */
    const char *folder; /* holds a file for each; NULL: there is one for all, or none */
    const char *beside; /* an input of the command line that is in the folder; NULL: none is */
    batch_naming naming;
    paths names;
} companions;

typedef struct plan {
    const options *o;
    char *output;                /* canonical folder OUTPUT; NULL: none */
    companions of[SOURCES_EACH]; /* INPUT has none */
    paths found, unread;
} plan;

static bool collect_companions(const plan *w, companions *c, paths *unread, problem *p)
{
    const char *const skipped[] = {w->output};
    const walk_rule rule = {
        .recursive = w->o->given[OPT_RECURSIVE], .skipped = skipped, .skips = 1};
    if (c->folder && !walk_folder(c->naming.among && w->o->input ? w->o->input : c->folder, &rule,
                                  &c->names, unread, p))
        return false;
    paths_sort(&c->names);
    return true;
}

/* Returns the folder of companions that is none of inputs. */
static const char *apart(const companions *c)
{
    return c->naming.among ? NULL : c->folder;
}

/* Returns the name without "./" and the slashes behind it. */
static const char *plain_name(const char *name)
{
    for (const char *rest; strncmp(name, "./", 2) == 0; name = rest) {
        rest = name + 1 + strspn(name + 1, "/");
        if (*rest == '\0')
            break; /* the folder itself */
    }
    return name;
}

/* Takes the inputs of the command line. */
static bool take_named(plan *w, problem *p)
{
    bool good = true;
    for (size_t i = 0; i < w->o->named_count && good; i++)
        good = paths_add(&w->found, w->o->named->at[i], strlen(w->o->named->at[i]));
    return good || no_memory(p);
}

static bool collect_names(plan *w, problem *p)
{
    const options *o = w->o;
    const char *skipped[1 + SOURCES_EACH] = {w->output};
    for (source_role r = 0; r < SOURCES_EACH; r++)
        skipped[1 + r] = apart(&w->of[r]);
    const walk_rule of_inputs = {
        .recursive = o->given[OPT_RECURSIVE], .skipped = skipped, .skips = 1 + SOURCES_EACH};
    if (!(o->named        ? take_named(w, p)
          : o->files_from ? walk_list(o->files_from, &w->found, p)
                          : walk_folder(o->input, &of_inputs, &w->found, &w->unread, p)))
        return false;
    for (source_role r = 0; r < SOURCES_EACH; r++)
        if (!collect_companions(w, &w->of[r], &w->unread, p))
            return false;
    if (w->unread.count > 0 && o->shards > 0) /* other shards may have had another list */
        return problem_set(
            p, "%s: cannot be read: %.*s; make it readable, because --shard needs the whole list",
            strchr(w->unread.at[0], '\n') + 1, (int)strcspn(w->unread.at[0], "\n"),
            w->unread.at[0]);
    for (size_t i = 0; i < w->found.count; i++) {
        const char *const name = plain_name(w->found.at[i]);
        memmove(w->found.at[i], name, strlen(name) + 1);
    }
    paths_sort(&w->found);
    paths_sort(&w->unread);
    return true;
}

static char *relative_output(const options *o, const char *key)
{
    const char *const format = o->format ? o->format : codec_ending_instead(key);
    return o->output ? batch_output_name(key, o->suffix, format) : strdup(key);
}

/* Sets *path to an item's companion, or item->fault. key: the input's name if the tree is kept, else its last part. The
 * companion is named after it. */
static bool fill_companion(batch_item *item, const plan *w, const companions *c, const char *key,
                           char **path)
{
    char *name;
    if (!c->folder)
        return !c->one || (*path = strdup(c->one));
    if (item->fault)
        return true;
    if (!batch_find_companion(key, &c->names, &c->naming, &name, &item->fault))
        return false;
    if (name && c->beside) /* the folder as it is written there */
        *path = text_new("%.*s%s", (int)(path_base(c->beside) - c->beside), c->beside, name);
    else if (name)
        *path = within(c->naming.among ? w->o->input : c->folder, name);
    const bool good = !name || *path;
    free(name);
    return good;
}

static bool fill_item(batch_item *item, const plan *w, const char *name)
{
    const options *o = w->o;
    const char *outside = NULL;
    const char *key = o->given[OPT_RECURSIVE] ? name : path_base(name);
    if (o->input || o->given[OPT_RECURSIVE])
        outside = batch_outside(name);
    item->input = within(o->input, name);
    item->relative = relative_output(o, outside ? path_base(name) : key);
    if (!item->input || !item->relative)
        return false;
    if (outside)
        return (item->fault = strdup(outside));
    if (options_have_list(o) && access(item->input, F_OK) != 0)
        item->fault = o->named && path_is_star(item->input)
                          ? strdup("there is no such file; leave out the quotes, so that * "
                                   "stands for files")
                          : text_new("cannot be opened: %s", strerror(errno));
    if (o->output && !(item->output = within(o->output, item->relative)))
        return false;
    for (source_role r = SOURCE_INPUT + 1; r < SOURCES_EACH; r++)
        if (!fill_companion(item, w, &w->of[r], key, &item->source[r]))
            return false;
    return true;
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
        if (!options_have_list(w->o) && !codec_is_picture_name(found->at[i]))
            list->ignored++;
        else if (!fill_item(&list->items[list->count++], w, found->at[i]))
            return no_memory(p);
    return true;
}

/* --- What cannot be --------------------------------------------------------------------------- */

static void free_item(batch_item *item)
{
    for (source_role r = 0; r < SOURCES_EACH; r++)
        free(item->source[r]);
    free(item->relative);
    free(item->output);
    free(item->fault);
}

static bool add_path(paths *to, const char *path)
{
    return !path || paths_add(to, path, strlen(path));
}

/* Leaves out the items that are maps or mattes of other items. */
static bool drop_companions(batch_list *list, problem *p)
{
    paths theirs = {0};
    bool good = true;
    size_t kept = 0;
    for (size_t i = 0; i < list->count && good; i++)
        for (source_role r = SOURCE_INPUT + 1; r < SOURCES_EACH; r++)
            good = good && add_path(&theirs, list->items[i].source[r]);
    paths_sort(&theirs);
    for (size_t i = 0; i < list->count && good; i++) {
        const size_t at = paths_from(&theirs, list->items[i].input);
        if (at < theirs.count && strcmp(theirs.at[at], list->items[i].input) == 0)
            free_item(&list->items[i]);
        else
            list->items[kept++] = list->items[i];
    }
    list->count = good ? kept : list->count;
    paths_free(&theirs);
    return good || no_memory(p);
}

/* --- All of it -------------------------------------------------------------------------------- */

static bool check_folders(const plan *w, problem *p)
{
    const options *o = w->o;
    if (o->output && !path_is_folder(o->output) &&
        (access(o->output, F_OK) == 0 || errno == ENOTDIR)) /* "photo.jpg/" */
        return problem_set(p, "%s is a file; name a folder as OUTPUT", o->output);
    if (run_files_same(o->input, w->output)) {
        return problem_set(p,
                           "%s is INPUT and OUTPUT, so outputs would become inputs; name two "
                           "folders",
                           o->input);
    }
    for (source_role r = 0; r < SOURCES_EACH; r++) {
        const char *const word = w->of[r].naming.word;
        if (run_files_same(w->of[r].folder, w->output))
            return problem_set(
                p,
                "%s is OUTPUT and the folder of %ss, so outputs would become %ss; name two folders",
                o->output, word, word);
    }
    if (w->of[SOURCE_MAP].naming.among && o->depth_suffix && o->depth_suffix[0] == '\0')
        return problem_set(
            p, "--depth-suffix '' would make each picture in %s its own map; give another suffix",
            w->of[SOURCE_MAP].folder);
    return true;
}

static bool find_items(batch_list *list, plan *w, problem *p)
{
    const options *o = w->o;
    bool any_among = false;
    for (source_role r = 0; r < SOURCES_EACH; r++)
        any_among |= w->of[r].naming.among;
    if (!check_folders(w, p) || !collect_names(w, p) || !fill_items(list, w, p) ||
        (any_among && !drop_companions(list, p)))
        return false;
    if (list->count == 0) {
        return problem_set(p, "%s: no pictures found%s", o->files_from ? o->files_from : o->input,
                           o->files_from || o->given[OPT_RECURSIVE]
                               ? ""
                               : "; use --recursive to search subfolders");
    }
    return true;
}

/* Returns an input of the command line that is in the folder; NULL: none is. */
static const char *find_beside(const options *o, const char *folder)
{
    for (size_t i = 0; folder && i < o->named_count; i++) {
        const char *const input = o->named->at[i];
        char *const own = text_new("%.*s.", (int)(path_base(input) - input), input);
        const bool is_it = run_files_same(folder, own);
        free(own);
        if (is_it)
            return plain_name(input);
    }
    return NULL;
}

/* Returns where the pictures of that role are. */
static companions companions_of(const options *o, source_role role)
{
    const source_row *const row = source_row_of(o, role);
    const char *const name = role == SOURCE_INPUT ? NULL : source_file(o, role);
    const bool is_map = role == SOURCE_MAP;
    const char *const folder = name && (row->is_folder || path_is_folder(name)) ? name : NULL;
    const char *const beside = find_beside(o, folder);
    return (companions){
        .one = name,
        .folder = folder,
        .beside = beside,
        .naming = {.kind = is_map ? "depth" : row->noun,
                   .word = row->noun,
                   .suffix = is_map ? o->depth_suffix : NULL,
                   .remedy = is_map ? "; choose by --depth-suffix" : "; remove the others",
                   .among = beside || run_files_same(folder, o->input)}};
}

bool batch_list_make(batch_list *list, const options *o, problem *p)
{
    plan w = {.o = o};
    for (source_role r = 0; r < SOURCES_EACH; r++)
        w.of[r] = companions_of(o, r);
    *list = (batch_list){0};
    w.output = o->output ? output_canonical_folder(o->output) : NULL;
    const bool done = o->output && !w.output ? no_memory(p) : find_items(list, &w, p);
    free(w.output);
    paths_free(&w.found);
    for (source_role r = 0; r < SOURCES_EACH; r++)
        paths_free(&w.of[r].names);
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
