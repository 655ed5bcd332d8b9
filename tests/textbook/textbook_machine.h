/* Between the models of textbook_*.c: a block of threads that go through a step together. */
#ifndef SATB_TEXTBOOK_MACHINE_H
#define SATB_TEXTBOOK_MACHINE_H

#include "textbook/textbook.h"

typedef struct machine {
    uint32_t threads, count;
    uint32_t bytes; /* of a word of the array in global memory; 0: it lies in shared memory */
    textbook_op op;
    textbook_counts *counts;
} machine;

/* A thread's work in a step: array[own] = array[other] op array[own]. */
typedef struct duty {
    int active;
    uint32_t own, other;
} duty;

typedef duty (*assignment)(uint32_t thread, uint32_t stride, uint32_t count);

typedef enum how {
    IN_PLACE,
    SWAPPING /* array[other] becomes what array[own] was */
} how;

/* One step of all warps, from an array to another or to itself, and a barrier. */
void machine_step(const machine *m, assignment assign, uint32_t stride, how way,
                  const uint64_t *from, uint64_t *to);

/* Every thread accesses the word first + thread of an array in global memory. */
void machine_access_all(const machine *m, uint32_t first, uint32_t bytes, textbook_traffic *t);

/* Thread 0 alone accesses a word at the start of an array. */
void machine_access_one(textbook_traffic *t);

/* Additions of whole threads to what they have in registers: every thread, one step. */
void machine_add_all(const machine *m, uint64_t *own, const uint64_t *other);

#endif
