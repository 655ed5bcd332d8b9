#include "oracle.h"

#include <stdlib.h>

__extension__ typedef unsigned __int128 u128;

/* Over one window: of membership, of what is not hidden, of membership times samples. */
typedef struct sums {
    u128 in, seen, samples[4], area;
} sums;

static int in_slab(int position, int slab)
{
    const int m = 16 - abs(position - 16 * slab);

    return m < 0 ? 0 : m;
}

static int in_or_behind(int position, int slab)
{
    const int b = 16 - (position - 16 * slab);

    return b < 0 ? 0 : b > 16 ? 16 : b;
}

/* Whether the pixel dx, dy beside the centre belongs to the stack. */
static int in_stack(const oracle_stack *s, int dx, int dy)
{
    return abs(dy) <= s->middle_rows ? abs(dx) <= s->middle
                                     : abs(dy) <= s->rows && abs(dx) <= s->outer;
}

static u128 boxes_with(const oracle_stack *s, int dx, int dy)
{
    const int x = abs(dx), y = abs(dy);

    return (u128)((x <= s->middle && y <= s->middle_rows) +
                  (x <= s->middle_rows && y <= s->middle) + (x <= s->outer && y <= s->rows) +
                  (x <= s->rows && y <= s->outer));
}

static void add_pixel(const oracle_layer *layer, int slab, int x, int y, u128 times, sums *s)
{
    const int position = layer->position[oracle_code(&layer->map, x, y, 0)];
    const u128 m = (u128)in_slab(position, slab);
    uint64_t sample[4];

    oracle_samples(&layer->src, &layer->look, x, y, sample);
    s->area += times;
    s->in += times * m;
    s->seen += times * (u128)in_or_behind(position, slab);
    for (int c = 0; c < layer->src.channels; c++)
        s->samples[c] += times * m * sample[c];
}

static sums over_stack(const oracle_layer *layer, int slab, const oracle_stack *stack, int x, int y)
{
    const int wide = stack->middle > stack->outer ? stack->middle : stack->outer;
    const int high = stack->middle_rows > stack->rows ? stack->middle_rows : stack->rows;
    const int far = wide > high ? wide : high;
    sums s = {0};

    for (int j = y > far ? y - far : 0; j <= y + far && j < layer->src.height; j++)
        for (int i = x > far ? x - far : 0; i <= x + far && i < layer->src.width; i++) {
            const u128 times = layer->smooth ? boxes_with(stack, i - x, j - y)
                                             : (u128)in_stack(stack, i - x, j - y);
            if (times)
                add_pixel(layer, slab, i, j, times, &s);
        }
    return s;
}

/* Over the first window in which at least a sixteenth is seen, or else the last one. */
static sums over_slab(const oracle_layer *layer, int slab, int x, int y)
{
    sums s = {0};

    for (int i = 0; i < ORACLE_WINDOWS; i++) {
        s = over_stack(layer, slab, &layer->slabs[slab].window[i], x, y);
        if (s.seen >= s.area)
            break;
    }
    return s;
}

static u128 divided(u128 a, u128 b)
{
    return (2 * a + b) / (2 * b); /* half up */
}

/* The codes of what came through; *codes holds the source's and keeps what has no mean. */
static void put_light(const oracle_layer *layer, const u128 *result, u128 came, oracle_codes *codes)
{
    const int channels = layer->src.channels, alpha = channels % 2 == 0 ? channels - 1 : -1;
    const u128 weight = layer->look.weighted && alpha >= 0 ? result[alpha] : 256 * came;
    const u128 most = oracle_sample_max(layer->src.bits, &layer->look);

    for (int c = 0; c < channels && came != 0; c++) {
        if (c == alpha) {
            codes->c[c] = (uint32_t)divided(result[c], 256 * came);
        } else if (weight != 0) {
            const u128 mean = divided(result[c], weight);
            const uint32_t sample = (uint32_t)(mean < most ? mean : most);
            codes->c[c] = layer->look.linear ? oracle_encode(layer->src.bits, sample) : sample;
        }
    }
}

static void lay_pixel(const oracle_layer *layer, int x, int y, oracle_codes *codes)
{
    u128 result[4] = {0}, left = 65536;

    for (int k = layer->count - 1; k >= 0; k--) {
        const sums s = over_slab(layer, k, x, y);
        if (s.in == 0)
            continue; /* its share is 0 */
        const u128 share = divided(left * s.in, s.seen);
        for (int c = 0; c < layer->src.channels; c++)
            result[c] += share * divided(256 * s.samples[c], s.in);
        left -= share;
    }
    for (int c = 0; c < layer->src.channels; c++)
        codes->c[c] = oracle_code(&layer->src, x, y, c);
    put_light(layer, result, 65536 - left, codes);
}

void oracle_layers(const oracle_layer *layer, const oracle_pixel *pixels, size_t count,
                   oracle_codes *codes)
{
#pragma omp parallel for schedule(dynamic, 16) if (count > 64)
    for (size_t i = 0; i < count; i++)
        lay_pixel(layer, pixels[i].x, pixels[i].y, &codes[i]);
}
