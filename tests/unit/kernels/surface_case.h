/* Kernels of depth as unit tests run them: on images, with scratch memory of exactly the size that a kernel names. Memory that
 * a kernel has to write, and scratch, is full of noise at first. */
#ifndef SATB_TESTS_UNIT_SURFACE_CASE_H
#define SATB_TESTS_UNIT_SURFACE_CASE_H

#include "unit/unit.h"

#include "surface/surface.h"
#include "unit/core/unit_drawn.h"

#include <stdlib.h>
#include <string.h>

enum { NOISE_BYTE = 0xA5 };

static inline satk_plane plane_of(const satb_image *image)
{
    return (satk_plane){.data = image->data,
                        .pitch = image->stride,
                        .width = image->width,
                        .height = image->height,
                        .channels = image->channels,
                        .bits = image->bits};
}

static inline void *noisy_memory(size_t bytes)
{
    return memset(unit_aligned(bytes), NOISE_BYTE, bytes);
}

/* Returns an image full of noise, also behind its rows. */
static inline satb_image noisy_image(int w, int h, int channels, int bits)
{
    const satb_image image = blank(w, h, channels, bits);

    memset(image.data, NOISE_BYTE, (size_t)(image.stride * h));
    return image;
}

/* Checks that nothing was written behind the rows of a noisy image. */
static inline void keeps_its_padding(const satb_image *image)
{
    const ptrdiff_t row = (ptrdiff_t)image->width * image->channels * image->bits / 8;

    for (int y = 0; y < image->height; y++)
        for (ptrdiff_t i = row; i < image->stride; i++)
            assert_int_equal(((const uint8_t *)image->data)[y * image->stride + i], NOISE_BYTE);
}

/* Checks that two images have the same samples. */
static inline void are_same(const satb_image *a, const satb_image *b)
{
    const size_t row = (size_t)a->width * (size_t)a->channels * (size_t)a->bits / 8;

    assert_true(a->width == b->width && a->height == b->height && a->channels == b->channels &&
                a->bits == b->bits);
    for (int y = 0; y < a->height; y++)
        assert_memory_equal((const uint8_t *)a->data + y * a->stride,
                            (const uint8_t *)b->data + y * b->stride, row);
}

/* --- Rims ------------------------------------------------------------------------------------- */

/* Returns planes of noise. */
static inline satk_rims rims_new(int w, int h)
{
    const size_t pixels = (size_t)w * (size_t)h;

    return satk_rims_in(noisy_memory(satk_rims_bytes(pixels)), pixels);
}

/* Returns planes without a rim. */
static inline satk_rims rims_none(int w, int h)
{
    const satk_rims rims = rims_new(w, h);

    memset(rims.kind, SATK_RIM_NONE, (size_t)w * (size_t)h);
    return rims;
}

/* --- Surfaces --------------------------------------------------------------------------------- */

/* What a map becomes. */
typedef struct surfaces {
    satb_image map;
    satk_rims rims;
    uint64_t counts[SATK_SURFACE_COUNTS];
} surfaces;

/* Runs a job on a map for w x h pixels. The job comes with its stages and what these need besides the map. */
static inline surfaces surfaces_of(satk_surface job, const satb_image *map, int w, int h,
                                   int threads)
{
    const int bits = map->width == w && map->height == h ? map->bits : 16;
    surfaces s = {.map = noisy_image(w, h, 1, bits), .rims = rims_new(w, h)};

    memset(s.counts, NOISE_BYTE, sizeof s.counts);
    job.map = plane_of(map);
    job.dst = plane_of(&s.map);
    job.rims = s.rims;
    job.counts = s.counts;
    job.scratch = noisy_memory(satk_surface_scratch_cpu(&job, threads));
    satk_surface_cpu(&job, threads);
    keeps_its_padding(&s.map);
    return s;
}

/* Checks that the counts of rims are those of the planes. Returns the number of rims. */
static inline size_t counts_its_rims(const surfaces *s)
{
    uint64_t rims = 0, low = 0, high = 0;

    for (int i = 0; i < s->map.width * s->map.height; i++) {
        const int kind = s->rims.kind[i];
        const uint64_t near = s->rims.near[i];
        rims += kind != SATK_RIM_NONE;
        if (kind != SATK_RIM_EDGE)
            continue;
        low = 65536 - near > low ? 65536 - near : low;
        high = near + 1 > high ? near + 1 : high;
    }
    assert_int_equal(s->counts[SATK_RIMS], rims);
    assert_int_equal(s->counts[SATK_NEAR_LOW], low);
    assert_int_equal(s->counts[SATK_NEAR_HIGH], high);
    return rims;
}

#endif
