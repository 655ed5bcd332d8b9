/* The library's own code on the books' arrays, on either back end: the one place where the models
 * meet it. 1: it has run; otherwise device_error() or the memory is to blame. */
#ifndef SATB_TEXTBOOK_LIBRARY_H
#define SATB_TEXTBOOK_LIBRARY_H

#include "array/reduce.h"
#include "array/scan.h"
#include "textbook/textbook.h"

typedef enum library_on { LIBRARY_CPU, LIBRARY_CUDA } library_on;

/* The summed-area table of a gray picture. */
int library_table(library_on on, const uint8_t *codes, int width, int height, uint32_t *table);

/* One kernel's launch, where the elements fit a block. in, out and the result are the host's; the
 * words of a scan have 32 bits. */
int library_reduce(library_on on, satk_reduce_variant variant, satk_reduce_op op,
                   const uint32_t *values, uint32_t count, uint64_t *result);
int library_scan(library_on on, satk_scan_variant variant, satk_scan_op op, int exclusive,
                 const uint32_t *in, uint32_t count, uint32_t *out);

/* The variants that the models are of. */
satk_reduce_variant library_tree(textbook_tree tree);
satk_scan_variant library_network(textbook_network network);

/* All of it on the arrays of the books, each kernel launched once: how many results are not the
 * models'. Adds to *compared. */
int library_differs(library_on on, int *compared);

#endif
