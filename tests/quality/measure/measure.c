#include "quality/measure/measure.h"

#include "quality/vec.h"

#include <stdlib.h>

static double square_error(const struct picture *a, const struct picture *b, size_t i)
{
    double sum = 0;
    for (size_t c = 3 * i; c < 3 * i + 3; ++c)
        sum += ((double)a->rgb[c] - (double)b->rgb[c]) * ((double)a->rgb[c] - (double)b->rgb[c]);
    return sum / 3;
}

double psnr(const struct picture *a, const struct picture *b, const uint8_t *mask, int bits,
            int value)
{
    const size_t count = (size_t)a->width * (size_t)a->height;
    double sum = 0, pixels = 0;
    for (size_t i = 0; i < count; ++i)
        if ((mask[i] & bits) == value) {
            sum += square_error(a, b, i);
            pixels += 1;
        }
    if (pixels == 0)
        return (double)NAN;
    return sum > 0 ? fmin(-10 * log10(sum / pixels), 99) : 99;
}

double mean_error(const struct picture *a, const struct picture *b, const uint8_t *mask, int bits,
                  int value)
{
    const size_t count = (size_t)a->width * (size_t)a->height;
    double sum = 0, pixels = 0;
    for (size_t i = 0; i < count; ++i)
        if ((mask[i] & bits) == value) {
            for (size_t c = 3 * i; c < 3 * i + 3; ++c)
                sum += fabs((double)a->rgb[c] - (double)b->rgb[c]) / 3;
            pixels += 1;
        }
    return pixels > 0 ? sum / pixels : (double)NAN;
}

double mean_over(const float *map, const struct picture *size, const uint8_t *mask, int bits,
                 int value)
{
    const size_t count = (size_t)size->width * (size_t)size->height;
    double sum = 0, pixels = 0;
    for (size_t i = 0; i < count; ++i)
        if ((mask[i] & bits) == value) {
            sum += (double)map[i];
            pixels += 1;
        }
    return pixels > 0 ? sum / pixels : (double)NAN;
}

// --- Lights ---

static double linear(float code)
{
    const double c = (double)code;
    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static double light_at(const struct picture *p, int x, int y)
{
    const float *const c = p->rgb + 3 * ((size_t)y * (size_t)p->width + (size_t)x);
    return 0.2126 * linear(c[0]) + 0.7152 * linear(c[1]) + 0.0722 * linear(c[2]);
}

struct window {
    int x0, y0, x1, y1;
};

static struct window window(const struct picture *p, const struct light_spot *l, float reach)
{
    return (struct window){(int)fmaxf(0, floorf(l->x - reach)), (int)fmaxf(0, floorf(l->y - reach)),
                           (int)fminf((float)p->width, ceilf(l->x + reach) + 1),
                           (int)fminf((float)p->height, ceilf(l->y + reach) + 1)};
}

static float distance(const struct light_spot *l, int x, int y)
{
    return hypotf((float)x + 0.5f - l->x, (float)y + 0.5f - l->y);
}

// How far around a light its spot is looked for, and the ring whose mean light in the truth counts
// as that of the surroundings.
static float reach(const struct light_spot *l)
{
    return 1.5f * l->radius + 2;
}

static double surroundings(const struct picture *truth, const struct light_spot *l)
{
    const float inner = l->radius + 2, outer = reach(l);
    const struct window w = window(truth, l, outer);
    double sum = 0, count = 0;
    for (int y = w.y0; y < w.y1; ++y)
        for (int x = w.x0; x < w.x1; ++x) {
            const float d = distance(l, x, y);
            if (d > inner && d <= outer) {
                sum += light_at(truth, x, y);
                count += 1;
            }
        }
    return count > 0 ? sum / count : 0;
}

// Returns the light above the surroundings. With `only_more`, darker pixels count as nothing
// instead of less.
static double excess(const struct picture *p, int x, int y, double base, int only_more)
{
    const double e = light_at(p, x, y) - base;
    return only_more ? fmax(e, 0) : e;
}

static double spot_sum(const struct picture *p, const struct light_spot *l, double base,
                       int only_more)
{
    const struct window w = window(p, l, reach(l));
    double sum = 0;
    for (int y = w.y0; y < w.y1; ++y)
        for (int x = w.x0; x < w.x1; ++x)
            if (distance(l, x, y) <= reach(l))
                sum += excess(p, x, y, base, only_more);
    return sum;
}

static double spot_distance(const struct picture *a, double a_sum, const struct picture *b,
                            double b_sum, const struct light_spot *l, double base)
{
    const struct window w = window(a, l, reach(l));
    double sum = 0;
    for (int y = w.y0; y < w.y1; ++y)
        for (int x = w.x0; x < w.x1; ++x)
            if (distance(l, x, y) <= reach(l))
                sum += fabs(excess(a, x, y, base, 1) / a_sum - excess(b, x, y, base, 1) / b_sum);
    return sum;
}

struct light_score light_score(const struct numbers *numbers, const struct picture *truth,
                               const struct picture *candidate)
{
    struct light_score score = {0, 0};
    for (int i = 0; i < numbers->light_count; ++i) {
        const struct light_spot *const l = &numbers->lights[i];
        const double base = surroundings(truth, l);
        const double t = spot_sum(truth, l, base, 1), c = spot_sum(candidate, l, base, 1);
        score.energy +=
            spot_sum(candidate, l, base, 0) / spot_sum(truth, l, base, 0) / numbers->light_count;
        score.shape +=
            (c > 0 ? spot_distance(truth, t, candidate, c, l, base) : 2) / numbers->light_count;
    }
    return score;
}
