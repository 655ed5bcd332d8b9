/* What the fuzzers share. Each is one file with this function, for libFuzzer (clang) or for replay.c,
 * which runs a corpus through it with any compiler. */
#ifndef SATB_TESTS_FUZZ_H
#define SATB_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Always 0: every input is worth keeping. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A property that does not hold ends the process, as a crash would. */
#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

/* Decisions, taken from the front of the input; 0 once it is used up. */
typedef struct feed {
    const uint8_t *data;
    size_t size;
} feed;

static inline uint32_t take(feed *f, int size)
{
    uint32_t value = 0;
    for (; size > 0; size--) {
        value = value << 8 | (f->size ? *f->data : 0);
        f->data += f->size > 0;
        f->size -= f->size > 0;
    }
    return value;
}

/* 0 .. below - 1 */
static inline uint32_t choose(feed *f, uint32_t below)
{
    return take(f, below > 256 ? 4 : 1) % below;
}

#endif
