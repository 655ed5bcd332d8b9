#include "quality/measure/measure.h"

#include "quality/vec.h"

#include <stdlib.h>

enum { HALF = 5, SIZE = 2 * HALF + 1 };

static int mirrored(int i, int n)
{
    while (i < 0 || i >= n)
        i = i < 0 ? -i - 1 : 2 * n - 1 - i;
    return i;
}

static void window_weights(float weight[SIZE])
{
    double sum = 0;
    for (int i = 0; i < SIZE; ++i)
        sum += exp(-0.5 * (i - HALF) * (i - HALF) / 2.25);
    for (int i = 0; i < SIZE; ++i)
        weight[i] = (float)(exp(-0.5 * (i - HALF) * (i - HALF) / 2.25) / sum);
}

// In place, through `spare`.
static void smooth_map(float *map, float *spare, int width, int height)
{
    float weight[SIZE];
    window_weights(weight);
#pragma omp parallel for
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            float sum = 0;
            for (int k = 0; k < SIZE; ++k)
                sum += weight[k] *
                       map[(size_t)y * (size_t)width + (size_t)mirrored(x + k - HALF, width)];
            spare[(size_t)y * (size_t)width + (size_t)x] = sum;
        }
#pragma omp parallel for
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            float sum = 0;
            for (int k = 0; k < SIZE; ++k)
                sum += weight[k] *
                       spare[(size_t)mirrored(y + k - HALF, height) * (size_t)width + (size_t)x];
            map[(size_t)y * (size_t)width + (size_t)x] = sum;
        }
}

static float code_luma(const float *c)
{
    return luma(v3(c[0], c[1], c[2]));
}

// The five local means that the formula needs.
struct moments {
    float *a, *b, *aa, *bb, *ab;
};

static float similarity(const struct moments *m, size_t i)
{
    const double c1 = 0.01 * 0.01, c2 = 0.03 * 0.03;
    const double a = (double)m->a[i], b = (double)m->b[i];
    const double variance_a = (double)m->aa[i] - a * a, variance_b = (double)m->bb[i] - b * b;
    const double covariance = (double)m->ab[i] - a * b;
    return (float)((2 * a * b + c1) * (2 * covariance + c2) /
                   ((a * a + b * b + c1) * (variance_a + variance_b + c2)));
}

float *ssim_map(const struct picture *a, const struct picture *b)
{
    const size_t count = (size_t)a->width * (size_t)a->height;
    float *const memory = malloc(6 * count * sizeof *memory);
    float *const result = malloc(count * sizeof *result);
    if (!memory || !result)
        abort();
    const struct moments m = {memory, memory + count, memory + 2 * count, memory + 3 * count,
                              memory + 4 * count};
    for (size_t i = 0; i < count; ++i) {
        const float p = code_luma(a->rgb + 3 * i), q = code_luma(b->rgb + 3 * i);
        m.a[i] = p;
        m.b[i] = q;
        m.aa[i] = p * p;
        m.bb[i] = q * q;
        m.ab[i] = p * q;
    }
    for (size_t k = 0; k < 5; ++k)
        smooth_map(memory + k * count, memory + 5 * count, a->width, a->height);
    for (size_t i = 0; i < count; ++i)
        result[i] = similarity(&m, i);
    free(memory);
    return result;
}
