#include "surface/resample.h"
#include "common/pool.h"
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

static void copy_row(const void *of, int y)
{
    const satk_resample *const job = of;
    const satk_plane *const src = &job->src, *const dst = &job->dst;

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

/* --- Run -------------------------------------------------------------------------------------- */

static size_t taps_bytes(const satk_resample *job)
{
    return ((size_t)job->dst.width * sizeof(satk_tap) + 63) / 64 * 64;
}

static int is_same(const satk_resample *job)
{
    return job->src.width == job->dst.width && job->src.height == job->dst.height;
}

typedef struct parts {
    const satk_resample *job;
    int count;
} parts;

/* Interpolates a part of the rows. In the scratch memory are the taps of columns, and two rows for each part. */
static void blend_part(const void *of, int i)
{
    const parts *const p = of;
    const satk_resample *const job = p->job;
    const int height = job->dst.height, width = job->dst.width;
    uint32_t *const own = (uint32_t *)(void *)((uint8_t *)job->scratch + taps_bytes(job)) +
                          2 * (size_t)i * (size_t)width;
    rows r = {-1, -1, own, own + width};
    const int end = (int)((int64_t)height * (i + 1) / p->count);

    for (int y = (int)((int64_t)height * i / p->count); y < end; y++) {
        const satk_tap t = satk_tap_at(y, height, job->src.height);
        move_rows(&job->src, job->scratch, t, width, &r);
        blend_rows(&r, t.weight, width, row_to(&job->dst, y));
    }
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
        satk_for(threads, job->src.height, 0, copy_row, job);
        return;
    }
    for (int x = 0; x < job->dst.width; x++)
        columns[x] = satk_tap_at(x, job->dst.width, job->src.width);
    satk_for(threads, threads, 1, blend_part, &(parts){job, threads});
}
