/* The kernels of the course books, run on the host warp by warp and thread by thread, and what they
 * cost, counted as they run. Nothing here is computed from a formula: the published figures are
 * formulas, and a formula can leave something out.
 *
 * One block; count is a power of two from 2 to TEXTBOOK_MOST. Arrays lie on a boundary of 128 bytes,
 * as allocations do. Counts are added to what the caller gives. */
#ifndef SATB_TEXTBOOK_H
#define SATB_TEXTBOOK_H

#include <stddef.h>
#include <stdint.h>

enum {
    TEXTBOOK_WARP = 32,
    TEXTBOOK_LINE = 128,  /* bytes: what the books call one request is one line of one access */
    TEXTBOOK_SECTOR = 32, /* bytes: what today's profilers count */
    TEXTBOOK_MOST = 2048,
    TEXTBOOK_STEPS = 64
};

typedef struct textbook_traffic {
    uint64_t instructions; /* of warps */
    uint64_t lines, sectors;
} textbook_traffic;

/* Slots and steps are those of the loops, where the books count them. */
typedef struct textbook_counts {
    uint64_t steps;      /* iterations of a block between two barriers */
    uint64_t active;     /* threads that worked, over all steps */
    uint64_t issued;     /* 32 for each warp with a thread that worked, over all steps */
    uint64_t operations; /* applications of the operator */
    uint64_t divergent[TEXTBOOK_STEPS]; /* by step: warps of which some threads worked, not all */
    textbook_traffic load, store;       /* global memory */
    textbook_traffic result_load, result_store; /* thread 0 hands the block's result over */
} textbook_counts;

typedef uint64_t (*textbook_op)(uint64_t left, uint64_t right);
uint64_t textbook_add(uint64_t left, uint64_t right);
uint64_t textbook_max(uint64_t left, uint64_t right);

/* --- Reduction -------------------------------------------------------------------------------- */

typedef enum textbook_tree {
    TEXTBOOK_INTERLEAVED, /* stride 1, 2, ...: thread t owns element 2t */
    TEXTBOOK_CONVERGENT,  /* stride ..., 2, 1: thread t owns element t */
    TEXTBOOK_SHARED,      /* convergent in shared memory, first addition while loading */
    TEXTBOOK_TREES
} textbook_tree;

typedef struct textbook_reduction {
    textbook_tree tree;
    textbook_op op;
    uint32_t bytes;  /* of an element in memory */
    uint32_t coarse; /* shared: pairs that a thread adds up alone; otherwise 1 */
    const uint64_t *in;
    uint32_t count; /* threads = count / (2 coarse) */
} textbook_reduction;

uint64_t textbook_reduce(const textbook_reduction *r, textbook_counts *counts);

/* --- Scan ------------------------------------------------------------------------------------- */

typedef enum textbook_network {
    TEXTBOOK_HILLIS_STEELE, /* = Kogge-Stone; inclusive; a thread per element, double buffered */
    TEXTBOOK_BRENT_KUNG,    /* inclusive; a thread per pair */
    TEXTBOOK_BLELLOCH,      /* exclusive; a thread per pair */
    TEXTBOOK_NETWORKS
} textbook_network;

typedef struct textbook_scan_job {
    textbook_network network;
    textbook_op op; /* 0 is its identity */
    uint32_t bytes;
    const uint64_t *in;
    uint32_t count;
    uint64_t *out;
    uint64_t *middle; /* the array after the first tree (up-sweep), or NULL */
} textbook_scan_job;

/* up: the first tree, or all of Hillis-Steele; down: the second tree. They may be the same. */
void textbook_scan(const textbook_scan_job *job, textbook_counts *up, textbook_counts *down);

/* --- The table -------------------------------------------------------------------------------- */

enum { TEXTBOOK_TEXT = 160 };

typedef struct textbook_row {
    const char *what;
    const char *published; /* NULL: asked for, not printed */
    const char *right;     /* where that is not what is published, otherwise NULL */
    const char *remark;
    void (*count)(const struct textbook_row *row, char *text); /* TEXTBOOK_TEXT bytes */

    /* What it counts: */
    int kernel; /* a textbook_tree or a textbook_network */
    uint32_t elements;
    const uint64_t *in;
} textbook_row;

extern const textbook_row textbook_rows[];
extern const int textbook_rows_count;

/* Returns the right text of a row. */
const char *textbook_expected(const textbook_row *row);

/* A launch's accesses to global memory as a profiler counts them, hand-over included. */
typedef struct textbook_launch {
    const char *kernel;
    textbook_tree tree;
    uint32_t count;
} textbook_launch;

extern const textbook_launch textbook_launches[];
extern const int textbook_launches_count;

/* A launch's elements, and its counts, the result's load and store added to the others. */
void textbook_values(uint32_t *values, uint32_t count);
textbook_counts textbook_count_launch(const textbook_launch *launch);

/* Prints all that, and what the library's own code says to the same arrays, on a device too where
 * there is one. Returns how much is not as it must be. */
int textbook_print(int device);

#endif
