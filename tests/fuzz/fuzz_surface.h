/* Pictures with bytes around them, and between their rows, that nobody may write. */
#ifndef SATB_TESTS_FUZZ_SURFACE_H
#define SATB_TESTS_FUZZ_SURFACE_H

#include "fuzz/fuzz.h"

#include <satblur.h>

typedef struct surface {
    satb_image image;
    uint8_t *memory;
    size_t size;
} surface;

enum { GUARD = 64, GUARD_BYTE = 0xa5 };

static inline size_t surface_row(const surface *s)
{
    return (size_t)s->image.width * (size_t)s->image.channels * (size_t)s->image.bits / 8;
}

static inline uint8_t *surface_line(const surface *s, int y)
{
    return (uint8_t *)s->image.data + y * s->image.stride;
}

static inline surface surface_make(satb_image shape, size_t padding)
{
    surface s = {.image = shape};
    s.image.stride = (ptrdiff_t)(surface_row(&s) + padding);
    s.size = 2 * GUARD + (size_t)s.image.stride * (size_t)(shape.height - 1) + surface_row(&s);
    s.memory = malloc(s.size);
    CHECK(s.memory);
    memset(s.memory, GUARD_BYTE, s.size);
    s.image.data = s.memory + GUARD;
    return s;
}

static inline void surface_copy(const surface *to, const surface *from)
{
    for (int y = 0; y < to->image.height; y++)
        memcpy(surface_line(to, y), surface_line(from, y), surface_row(to));
}

static inline int surface_same(const surface *a, const surface *b)
{
    for (int y = 0; y < a->image.height; y++)
        if (memcmp(surface_line(a, y), surface_line(b, y), surface_row(a)) != 0)
            return 0;
    return 1;
}

static inline void surface_check(const surface *s)
{
    const uint8_t *at = s->memory, *const end = s->memory + s->size;
    for (int y = 0; y < s->image.height; y++) {
        for (; at < surface_line(s, y); at++)
            CHECK(*at == GUARD_BYTE);
        at += surface_row(s);
    }
    for (; at < end; at++)
        CHECK(*at == GUARD_BYTE);
}

/* Frees the picture, and checks the bytes around the pixels. */
static inline void surface_free(surface *s)
{
    surface_check(s);
    free(s->memory);
    *s = (surface){0};
}

#endif
