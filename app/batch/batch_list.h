/* The items of a batch: one for each picture, in an order that follows from the names alone. */
#ifndef SATBLUR_APP_BATCH_LIST_H
#define SATBLUR_APP_BATCH_LIST_H

#include "engine/options.h"
#include "base/paths.h"
#include "base/message.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct batch_item {
    SOURCE_MEMBERS(char *, source, input); /* NULL: none, or one for all that the options name */
    char *relative;                        /* path of the output within its folder */
    char *output;                          /* its whole path; NULL: nothing is written */
    char *fault; /* the reason why the item fails at once; NULL: none so far */
} batch_item;

typedef struct batch_list {
    batch_item *items;
    size_t count;
    size_t ignored; /* files of the folder whose names are no pictures' */
} batch_list;

/* Finds all items, pairs them with their maps and mattes, and names their outputs. Creates nothing. False: there is none,
 * or the folders cannot be used; the list is empty then. */
bool batch_list_make(batch_list *list, const options *o, problem *p);

/* Leaves out the items of other shards. */
void batch_list_select_shard(batch_list *list, const options *o);

void batch_list_free(batch_list *list);

/* --- Its parts -------------------------------------------------------------------------------- */

/* Returns the path of an input's output within the folder, for free(): the suffix stands before the ending, and format
 * replaces the ending (NULL: it stays). NULL: not enough memory. */
char *batch_output_name(const char *name, const char *suffix, const char *format);

/* How pictures and their companions, maps or mattes, have names alike. */
typedef struct batch_naming {
    const char *kind;   /* "depth": a.png, a_depth.png and a.depth.png are companions of a.jpg */
    const char *word;   /* for messages: "map" */
    const char *suffix; /* NULL: the usual ones; otherwise <name><suffix>.png alone */
    const char *remedy; /* against several: "; choose by --depth-suffix" */
    bool among; /* they stand among the inputs, so a file with the input's own name is none */
} batch_naming;

/* Finds an input's companion among the sorted names of a folder. Sets *found, a name there, or *fault, both for free().
 * False: not enough memory. */
bool batch_find_companion(const char *name, const paths *names, const batch_naming *naming,
                          char **found, char **fault);

/* Returns whether the shard (1 .. shards) takes the item with that index. shards 0: there is one shard. */
bool batch_in_shard(size_t index, int shard, int shards);

/* Returns the reason why a name could lead out of its folder ("..", "/..."); NULL: it cannot. */
const char *batch_outside(const char *name);

#endif
