// Accumulation over the lens: Haeberli and Akeley, "The accumulation buffer", 1990.
//
// Each lens sample is a picture with one point per pixel, at the same place in all of them. That
// place visits the TEXELS^2 texels of a pixel equally often, so that what is in focus becomes the
// pinhole picture exactly.
#include "quality/layers/planes.h"

#include <stdlib.h>
#include <string.h>

enum { BAND = 8 };

struct sample {
    float u, v; // on the lens
    float x, y; // in the pixel
};

// The first two dimensions of Sobol's sequence: any 2^k consecutive points from a multiple of 2^k
// on are a (0, k, 2)-net.
static void sobol(uint32_t i, float *u, float *v)
{
    uint32_t a = 0, b = 0;
    for (uint32_t bit = 1u << 31, dir = 1u << 31; i; i >>= 1, bit >>= 1, dir ^= dir >> 1)
        if (i & 1) {
            a ^= bit;
            b ^= dir;
        }
    *u = unit_float(a) + 0x1p-25f;
    *v = unit_float(b) + 0x1p-25f;
}

// A point of a hexagon with a corner at the top and the area of a disc of radius 1: of one of its six triangles.
static vec3 hexagon(float u, float v)
{
    const float out = sqrtf(PI / (1.5f * sqrtf(3))), part = 6 * u - floorf(6 * u);
    const float from = PI / 3 * floorf(6 * u) - PI / 2, to = from + PI / 3, r = out * sqrtf(v);
    return v3(r * (cosf(from) + part * (cosf(to) - cosf(from))),
              r * (sinf(from) + part * (sinf(to) - sinf(from))), 0);
}

static struct sample lens_sample(enum aperture aperture, int i, int samples)
{
    const int cell = i / (samples / (TEXELS * TEXELS));
    struct sample s;
    sobol((uint32_t)i, &s.u, &s.v);
    if (aperture != SQUARE) {
        const vec3 d = aperture == DISC ? disc(s.u, s.v) : hexagon(s.u, s.v);
        s.u = d.x;
        s.v = d.y;
    } else {
        s.u = 2 * s.u - 1;
        s.v = 2 * s.v - 1;
    }
    // In the texel: an additive recurrence (Roberts, "The unreasonable effectiveness of
    // quasirandom sequences", 2018), in fixed point.
    const float x = unit_float((uint32_t)i * 3242174889u),
                y = unit_float((uint32_t)i * 2447445414u);
    s.x = ((float)(cell % TEXELS) + x) / TEXELS;
    s.y = ((float)(cell / TEXELS) + y) / TEXELS;
    return s;
}

// One row of the picture while it is composited: light so far and what still shines through.
struct row {
    float *red, *green, *blue, *through;
};

// What a lens sample adds of a point with disparity q: 1 + E (2 r^2 - 1), whose mean over the disc
// is 1. Spherical aberration has one sign behind the focus and the other before it.
static float gain(const struct tableau *scene, const struct sample *s, float q)
{
    const float side = q < scene->focus ? 1 : q > scene->focus ? -1 : 0;
    const float edge = side == 0 ? 0 : scene->edge + side * scene->spherical;
    return 1 + edge * (2 * (s->u * s->u + s->v * s->v) - 1);
}

static void over(const struct row *row, int first, int count, const float *restrict texels,
                 size_t pitch, float gain)
{
    float *restrict const red = row->red + first, *restrict const green = row->green + first;
    float *restrict const blue = row->blue + first, *restrict const through = row->through + first;
    for (int x = 0; x < count; ++x) {
        red[x] += gain * through[x] * texels[x];
        green[x] += gain * through[x] * texels[pitch + (size_t)x];
        blue[x] += gain * through[x] * texels[2 * pitch + (size_t)x];
        through[x] *= 1 - texels[3 * pitch + (size_t)x];
    }
}

// A plane of one disparity only shifts: a row of its texels lies on the row of the picture.
static void over_flat(const struct plane *p, const struct row *row, int y, float ox, float oy,
                      int width, float gain)
{
    const int ix = ifloor(ox * TEXELS) - p->moved_x, iy = ifloor(oy * TEXELS) - p->moved_y;
    const int dx = floor_div(ix, TEXELS), dy = floor_div(iy, TEXELS);
    const int source = y + dy;
    if (source < p->row || source >= p->row + p->rows)
        return;
    const int first = p->column - dx > 0 ? p->column - dx : 0;
    const int end = p->column + p->columns - dx < width ? p->column + p->columns - dx : width;
    const float *const texels = plane_row(p, source, ix - dx * TEXELS, iy - dy * TEXELS);
    if (end > first)
        over(row, first, end - first, texels + (first + dx - p->column), (size_t)p->columns, gain);
}

// The line of points of a plane that a lens sample brings to a row of pixels: point = at + x step,
// disparity = q + x dq. From point + R (q(point) - focus) (u, v) = pixel, with
// q(point) = q0 + g . point, follows q(point) = (q0 + g . pixel + R focus g . (u, v)) /
// (1 + R g . (u, v)).
struct line {
    float x, y, step_x, step_y, q, dq;
};

static struct line slanted_line(const struct tableau *scene, const struct plane *p,
                                const struct sample *s, int y)
{
    const float turn = scene->radius * (p->qx * s->u + p->qy * s->v);
    const float px = s->x, py = (float)y + s->y;
    struct line line;
    line.q = (p->q0 + p->qx * px + p->qy * py + scene->focus * turn) / (1 + turn);
    line.dq = p->qx / (1 + turn);
    line.x = px - scene->radius * (line.q - scene->focus) * s->u;
    line.y = py - scene->radius * (line.q - scene->focus) * s->v;
    line.step_x = 1 - scene->radius * line.dq * s->u;
    line.step_y = -scene->radius * line.dq * s->v;
    return line;
}

static int clampi(int x, int low, int high)
{
    return x < low ? low : x > high ? high : x;
}

static void fetch(const struct plane *p, const struct line *line, int width, float *out)
{
    const size_t pitch = (size_t)p->columns;
    for (int x = 0; x < width; ++x) {
        const int ix = ifloor((line->x + (float)x * line->step_x) * TEXELS);
        const int iy = ifloor((line->y + (float)x * line->step_y) * TEXELS);
        const int tx = clampi(ix - p->moved_x - p->column * TEXELS, 0, p->columns * TEXELS - 1);
        const int ty = clampi(iy - p->moved_y - p->row * TEXELS, 0, p->rows * TEXELS - 1);
        const float *const texel =
            plane_row(p, p->row + ty / TEXELS, tx % TEXELS, ty % TEXELS) + tx / TEXELS;
        for (size_t c = 0; c < 4; ++c)
            out[c * (size_t)width + (size_t)x] = texel[c * pitch];
    }
}

// A slanted plane may lie on both sides of the focus.
static void over_slanted(const struct tableau *scene, const struct sample *s, const struct row *row,
                         const struct line *line, const float *texels)
{
    const size_t width = (size_t)scene->width;
    if (scene->edge == 0 && scene->spherical == 0) {
        over(row, 0, scene->width, texels, width, 1);
        return;
    }
    for (int x = 0; x < scene->width; ++x)
        over(row, x, 1, texels + x, width, gain(scene, s, line->q + (float)x * line->dq));
}

// Front to back in the order that the scene gives.
static void composite(const struct tableau *scene, const struct sample *s, int y,
                      const struct row *row, float *scratch)
{
    for (int i = 0; i < scene->plane_count; ++i) {
        const struct plane *const p = &scene->planes[i];
        if (p->qx == 0 && p->qy == 0) {
            const float shift = scene->radius * (p->q0 - scene->focus);
            over_flat(p, row, y, s->x - shift * s->u, s->y - shift * s->v, scene->width,
                      gain(scene, s, p->q0));
        } else {
            const struct line line = slanted_line(scene, p, s, y);
            fetch(p, &line, scene->width, scratch);
            over_slanted(scene, s, row, &line, scratch);
        }
    }
}

// The same where planes pass through one another: each pixel sorts its points by disparity.
static void composite_sorted(const struct tableau *scene, const struct sample *s, int y,
                             const struct row *row, float *scratch)
{
    const int width = scene->width, count = scene->plane_count;
    struct line line[PLANES_MAX];
    for (int i = 0; i < count; ++i) {
        line[i] = slanted_line(scene, &scene->planes[i], s, y);
        fetch(&scene->planes[i], &line[i], width, scratch + (size_t)(i * 4 * width));
    }
    int order[PLANES_MAX];
    for (int i = 0; i < count; ++i)
        order[i] = i;
    for (int x = 0; x < width; ++x) {
        float q[PLANES_MAX];
        for (int i = 0; i < count; ++i)
            q[i] = line[i].q + (float)x * line[i].dq;
        for (int i = 1; i < count; ++i) // the last pixel's order is nearly this one's
            for (int k = i; k > 0 && q[order[k]] > q[order[k - 1]]; --k) {
                const int swap = order[k];
                order[k] = order[k - 1];
                order[k - 1] = swap;
            }
        for (int i = 0; i < count; ++i)
            over(row, x, 1, scratch + (size_t)(order[i] * 4 * width + x), (size_t)width,
                 gain(scene, s, q[order[i]]));
    }
}

// Sets `through` to 1 where the lens sample reaches the pixel, to 0 where the lens's rim stops it, and adds it to
// `weights`. The rim is a disc of radius 1 that moves towards the picture's centre. The aperture is
// upright behind the focus, where a point moves by -(u, v).
static void admit(const struct tableau *scene, const struct sample *s, int y, float *through,
                  float *weights)
{
    const float w = (float)scene->width, h = (float)scene->height;
    const float shift = 2 * scene->vignette / sqrtf(w * w + h * h);
    const float v = shift * ((float)y + 0.5f - h / 2) - s->v;
    for (int x = 0; x < scene->width; ++x) {
        const float u = shift * ((float)x + 0.5f - w / 2) - s->u;
        through[x] = shift == 0 || u * u + v * v <= 1;
        weights[x] += through[x];
    }
}

// Samples first .. end of pixel row y are added to row.
static void lens_row(const struct tableau *scene, const struct sample *s, int y, int crosses,
                     const struct row *row, float *weights, float *scratch)
{
    admit(scene, s, y, row->through, weights);
    (crosses ? composite_sorted : composite)(scene, s, y, row, scratch);
}

static void lens_band(const struct tableau *scene, const struct sample *samples, int count, int y0,
                      int crosses, float *rgb)
{
    const size_t width = (size_t)scene->width;
    const int y1 = y0 + BAND < scene->height ? y0 + BAND : scene->height;
    float *const sums = calloc((4 * BAND + 1 + 4 * PLANES_MAX) * width, sizeof *sums);
    if (!sums)
        abort();
    float *const through = sums + 4 * BAND * width;
    for (int i = 0; i < count; ++i)
        for (int y = y0; y < y1; ++y) {
            float *const sum = sums + 4 * width * (size_t)(y - y0);
            const struct row row = {sum, sum + width, sum + 2 * width, through};
            lens_row(scene, &samples[i], y, crosses, &row, sum + 3 * width, through + width);
        }
    for (int y = y0; y < y1; ++y)
        for (size_t x = 0; x < width; ++x)
            for (size_t c = 0; c < 3; ++c)
                rgb[((size_t)y * width + x) * 3 + c] =
                    sums[(4 * (size_t)(y - y0) + c) * width + x] /
                    sums[(4 * (size_t)(y - y0) + 3) * width + x];
    free(sums);
}

void tableau_lens(const struct tableau *scene, int samples, float *rgb)
{
    const int cells = TEXELS * TEXELS, count = (samples + cells - 1) / cells * cells;
    struct sample *const list = malloc((size_t)count * sizeof *list);
    if (!list)
        abort();
    for (int i = 0; i < count; ++i)
        list[i] = lens_sample(scene->aperture, i, count);
    const int crosses = tableau_crosses(scene);
#pragma omp parallel for schedule(dynamic, 1)
    for (int y = 0; y < scene->height; y += BAND)
        lens_band(scene, list, count, y, crosses, rgb);
    free(list);
}
