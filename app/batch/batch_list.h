/* What a batch has to do: one item for each picture, in an order that depends on the names alone. */
#ifndef SATBLUR_APP_BATCH_LIST_H
#define SATBLUR_APP_BATCH_LIST_H

#include "engine/options.h"
#include "base/paths.h"
#include "base/message.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct batch_item {
    char *input;
    char *relative; /* the output's name within its folder */
    char *output;   /* its path; NULL: nothing is written */
    char *map;      /* NULL: none */
    char *fault;    /* why nothing can be done with it; NULL: nothing is wrong so far */
} batch_item;

typedef struct batch_list {
    batch_item *items;
    size_t count;
    size_t ignored; /* files of the folder that are no pictures by their names */
} batch_list;

/* Finds all items, pairs them with their maps and names their outputs. Creates nothing. */
bool batch_list_make(batch_list *list, const options *o, problem *p);

/* Leaves out the items of other shards. */
void batch_list_select_shard(batch_list *list, const options *o);

void batch_list_free(batch_list *list);

/* --- Its parts -------------------------------------------------------------------------------- */

/* Where the output of the input of that name goes, within the folder: the ending's letters stay
 * where no format is given. NULL: not enough memory. */
char *batch_output_name(const char *name, const char *suffix, const char *format);

/* The map of the input of that name among the sorted names of a folder: map, a name there, or fault,
 * both for free(). suffix NULL: the usual ones. among: the maps lie among the inputs, so that what
 * has the input's own name and another ending is no map. False: not enough memory. */
bool batch_find_map(const char *name, const paths *maps, const char *suffix, bool among, char **map,
                    char **fault);

/* Whether shard so-and-so of so many (0: all are one) takes the item of that index. */
bool batch_in_shard(size_t index, int shard, int shards);

/* Why the name would leave the folder that it is within ("..", "/..."); NULL: it does not. */
const char *batch_outside(const char *name);

#endif
