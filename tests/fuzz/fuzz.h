/* Shared by the fuzzers. Each fuzzer is one file with this function, for libFuzzer (clang) or for
 * replay.c, which runs a corpus through it with any compiler. */
#ifndef SATB_TESTS_FUZZ_H
#define SATB_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns 0: every input is worth keeping. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Ends the process if the condition does not hold, as a crash would. */
#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

/* Decisions from the front of the input. They are 0 once the input is used up. */
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

/* Returns 0 .. below - 1. */
static inline uint32_t choose(feed *f, uint32_t below)
{
    return take(f, below > 256 ? 4 : 1) % below;
}

#endif
