#include "depth/depth_resample.h"

#include "base/memory.h"
#include "base/size.h"

static const void *row_of(const satb_image *image, int y)
{
    return (const uint8_t *)image->data + y * image->stride;
}

/* Returns position i of n on an axis of `from` samples: (i + 1/2) from / n - 1/2, clamped to the outermost
 * centres. */
satb_tap satb_tap_at(int i, int n, int from)
{
    const int64_t scaled = (2 * (int64_t)i + 1) * from - n, period = 2 * (int64_t)n;

    if (scaled <= 0)
        return (satb_tap){0, 0, 0};
    const int a = (int)(scaled / period);
    if (a >= from - 1)
        return (satb_tap){from - 1, from - 1, 0};
    return (satb_tap){a, a + 1, (uint32_t)((scaled % period * 65536 + n) / period)};
}

/* Stretches a row of the map to the picture's width, in 1/65536. The second tap of the last column is the
 * first. */
#define STRETCH_ROW(name, type, scale)                                                             \
    static void name(const void *row, size_t channels, const satb_tap *columns, int width,         \
                     uint32_t *out)                                                                \
    {                                                                                              \
        for (int x = 0; x < width; x++) {                                                          \
            const satb_tap t = columns[x];                                                         \
            const uint32_t a = ((const type *)row)[(size_t)t.a * channels] * scale;                \
            const uint32_t b = ((const type *)row)[(size_t)t.b * channels] * scale;                \
            out[x] = a * (65536 - t.weight) + b * t.weight;                                        \
        }                                                                                          \
    }

STRETCH_ROW(stretch_row8, uint8_t, 257u)
STRETCH_ROW(stretch_row16, uint16_t, 1u)

/* Two stretched rows of the map; a row of the picture lies between them. */
typedef struct rows {
    int a, b; /* rows that above and below hold; -1: none */
    uint32_t *above, *below;
} rows;

static void stretch(const satb_image *map, const satb_tap *columns, int y, int width, uint32_t *out)
{
    (map->bits == 8 ? stretch_row8 : stretch_row16)(row_of(map, y), (size_t)map->channels, columns,
                                                    width, out);
}

/* Moves to the rows of the map around a row of the picture: going down, the lower one is often the next upper one. */
static void move_rows(const satb_image *map, const satb_tap *columns, satb_tap to, int width,
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
        out[x] = (uint16_t)(((uint64_t)above[x] * (65536 - weight) + (uint64_t)below[x] * weight +
                             ((uint64_t)1 << 31)) >>
                            32);
}

/* work: two rows for each thread. */
static void resample_map(const satb_image *map, const satb_tap *columns, uint32_t *work,
                         int threads, const satb_image *out)
{
    const int height = out->height, width = out->width;

#pragma omp parallel for num_threads(threads)
    for (int i = 0; i < threads; i++) {
        uint32_t *const own = work + 2 * (size_t)i * (size_t)width;
        rows r = {-1, -1, own, own + width};
        const int first = (int)((int64_t)height * i / threads);
        const int last = (int)((int64_t)height * (i + 1) / threads);
        for (int y = first; y < last; y++) {
            const satb_tap t = satb_tap_at(y, height, map->height);
            move_rows(map, columns, t, width, &r);
            blend_rows(&r, t.weight, width, (uint16_t *)((uint8_t *)out->data + y * out->stride));
        }
    }
}

satb_status satb_resample(satb_context *context, const satb_image *map, int width, int height,
                          satb_image *out)
{
    const size_t row = (size_t)width * sizeof(uint16_t), threads = (size_t)context->threads;
    size_t bytes;
    satb_spares *const spares = &context->spares;
    satb_tap *const columns = satb_take(spares, (size_t)width * sizeof *columns);
    uint32_t *const work = satb_take(spares, 2 * threads * (size_t)width * sizeof *work);
    uint16_t *const data =
        satb_multiply(row, (size_t)height, &bytes) ? satb_take(spares, bytes) : NULL;
    satb_status status = SATB_OK;

    *out = (satb_image){.data = data,
                        .stride = (ptrdiff_t)row,
                        .width = width,
                        .height = height,
                        .channels = 1,
                        .bits = 16};
    if (columns && work && data) {
        for (int x = 0; x < width; x++)
            columns[x] = satb_tap_at(x, width, map->width);
        resample_map(map, columns, work, context->threads, out);
    } else {
        satb_give(spares, data);
        out->data = NULL;
        status =
            satb_fail(context, SATB_ERR_NOMEM, "out of memory for a map of %d x %d", width, height);
    }
    satb_give(spares, columns);
    satb_give(spares, work);
    return status;
}
