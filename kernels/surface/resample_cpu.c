#include "surface/resample.h"
#include "surface/resample_rule.h"

#include <string.h>

static const void *row_of(const satk_plane *plane, int y)
{
    return (const uint8_t *)plane->data + y * plane->pitch;
}

static void *row_to(const satk_plane *plane, int y)
{
    return (uint8_t *)plane->data + y * plane->pitch;
}

/* --- Copies ----------------------------------------------------------------------------------- */

#define COPY_CHANNEL(name, type)                                                                   \
    static void name(const void *from, size_t channels, int width, void *to)                       \
    {                                                                                              \
        for (int x = 0; x < width; x++)                                                            \
            ((type *)to)[x] = ((const type *)from)[(size_t)x * channels];                          \
    }

COPY_CHANNEL(copy_channel8, uint8_t)
COPY_CHANNEL(copy_channel16, uint16_t)

static void copy_map(const satk_plane *src, const satk_plane *dst, int threads)
{
#pragma omp parallel for num_threads(threads)
    for (int y = 0; y < src->height; y++)
        if (src->channels == 1)
            memcpy(row_to(dst, y), row_of(src, y), (size_t)src->width * (size_t)src->bits / 8);
        else
            (src->bits == 8 ? copy_channel8 : copy_channel16)(row_of(src, y), (size_t)src->channels,
                                                              src->width, row_to(dst, y));
}

/* --- Interpolation ---------------------------------------------------------------------------- */

/* Stretches a row of the map to the picture's width, in 1/65536. */
#define STRETCH_ROW(name, type, scale)                                                             \
    static void name(const void *row, size_t channels, const satk_tap *columns, int width,         \
                     uint32_t *out)                                                                \
    {                                                                                              \
        for (int x = 0; x < width; x++) {                                                          \
            const satk_tap t = columns[x];                                                         \
            out[x] =                                                                               \
                satk_blend_row(((const type *)row)[(size_t)t.a * channels] * scale,                \
                               ((const type *)row)[(size_t)t.b * channels] * scale, t.weight);     \
        }                                                                                          \
    }

STRETCH_ROW(stretch_row8, uint8_t, 257u)
STRETCH_ROW(stretch_row16, uint16_t, 1u)

/* Two stretched rows of the map; a row of the picture lies between them. */
typedef struct rows {
    int a, b; /* rows that above and below hold; -1: none */
    uint32_t *above, *below;
} rows;

static void stretch(const satk_plane *map, const satk_tap *columns, int y, int width, uint32_t *out)
{
    (map->bits == 8 ? stretch_row8 : stretch_row16)(row_of(map, y), (size_t)map->channels, columns,
                                                    width, out);
}

/* Moves to the rows of the map around a row of the picture: going down, the lower one is often the next upper one. */
static void move_rows(const satk_plane *map, const satk_tap *columns, satk_tap to, int width,
                      rows *r)
{
    if (r->a != to.a && r->b == to.a) {
        uint32_t *const row = r->above;
        r->above = r->below, r->a = r->b;
        r->below = row, r->b = -1;
    }
    if (r->a != to.a)
        stretch(map, columns, to.a, width, r->above);
    if (r->b != to.b)
        stretch(map, columns, to.b, width, r->below);
    r->a = to.a;
    r->b = to.b;
}

static void blend_rows(const rows *r, uint32_t weight, int width, uint16_t *out)
{
    const uint32_t *const above = r->above, *const below = r->below;

    for (int x = 0; x < width; x++)
        out[x] = (uint16_t)satk_blend_rows(above[x], below[x], weight);
}

/* work: two rows for each thread. */
static void interpolate(const satk_resample *job, const satk_tap *columns, uint32_t *work,
                        int threads)
{
    const satk_plane *const map = &job->src;
    const int height = job->dst.height, width = job->dst.width;

#pragma omp parallel for num_threads(threads)
    for (int i = 0; i < threads; i++) {
        uint32_t *const own = work + 2 * (size_t)i * (size_t)width;
        rows r = {-1, -1, own, own + width};
        const int first = (int)((int64_t)height * i / threads);
        const int last = (int)((int64_t)height * (i + 1) / threads);
        for (int y = first; y < last; y++) {
            const satk_tap t = satk_tap_at(y, height, map->height);
            move_rows(map, columns, t, width, &r);
            blend_rows(&r, t.weight, width, row_to(&job->dst, y));
        }
    }
}

/* --- Run -------------------------------------------------------------------------------------- */

static size_t taps_bytes(const satk_resample *job)
{
    return ((size_t)job->dst.width * sizeof(satk_tap) + 63) / 64 * 64;
}

static int is_same(const satk_resample *job)
{
    return job->src.width == job->dst.width && job->src.height == job->dst.height;
}

size_t satk_resample_scratch_cpu(const satk_resample *job, int threads)
{
    return is_same(job)
               ? 0
               : taps_bytes(job) + 2 * (size_t)threads * (size_t)job->dst.width * sizeof(uint32_t);
}

void satk_resample_cpu(const satk_resample *job, int threads)
{
    satk_tap *const columns = job->scratch;

    if (is_same(job)) {
        copy_map(&job->src, &job->dst, threads);
        return;
    }
    for (int x = 0; x < job->dst.width; x++)
        columns[x] = satk_tap_at(x, job->dst.width, job->src.width);
    interpolate(job, columns, (uint32_t *)(void *)((uint8_t *)job->scratch + taps_bytes(job)),
                threads);
}
