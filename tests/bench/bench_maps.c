#include "bench/bench_maps.h"

#include "bench/bench_fill.h"
#include "support/device.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HAIR = 100 }; /* pixels: its length */

int bench_is_of_maps(const bench_row *row)
{
    return row->primitive >= BENCH_SURFACE && row->primitive <= BENCH_FILL;
}

int bench_has_matte(const bench_row *row)
{
    return row->primitive >= BENCH_MATTE_PLANE && row->primitive <= BENCH_SEPARATE;
}

/* --- A subject -------------------------------------------------------------------------------- */

/* Returns the coverage of a pixel: strands go outwards, and end at different lengths. */
static uint8_t cover_at(const bench_row *r, int x, int y)
{
    const double u = x - r->width / 3, v = y - r->height / 2, radius = r->height / 4.0;
    const double out = hypot(u, v) - radius, turn = 900 * atan2(v, u);
    const double strand = 0.5 + 0.5 * sin(turn), length = HAIR * (0.6 + 0.4 * sin(turn / 7));

    if (out < 0)
        return UINT8_MAX;
    return (uint8_t)(out < length ? 255 * fmin(strand * 1.4, 1) * (1 - out / length) : 0);
}

/* Draws coverage, and behind it what becomes of colours, and the rims of a map that has none. */
static void draw(const bench_row *r, uint8_t *to)
{
    const size_t pixels = bench_pixels(r);

    memset(to + pixels, 0, pixels + satk_rims_bytes(pixels));
    for (int y = 0; y < r->height; y++)
        for (int x = 0; x < r->width; x++) {
            const uint8_t cover = cover_at(r, x, y);
            const size_t i = (size_t)y * (size_t)r->width + (size_t)x;
            to[i] = cover;
            to[pixels + i] =
                cover > 0 && cover < UINT8_MAX ? SATK_COLOUR_SUBJECT : SATK_COLOUR_KEEP;
        }
}

void bench_fill_matte(bench *b)
{
    const size_t bytes = 2 * bench_pixels(b->row) + satk_rims_bytes(bench_pixels(b->row));
    uint8_t *const host = malloc(bytes);

    if (host)
        draw(b->row, host);
    b->matte = host ? bench_get_filled(b->on, host, bytes) : NULL;
    b->failed |= !b->matte;
    free(host);
}

/* --- Jobs ------------------------------------------------------------------------------------- */

static satk_plane deep_plane_of(const bench *b, void *data, int channels, int bits)
{
    return (satk_plane){.data = data,
                        .pitch = (ptrdiff_t)b->row->width * channels * bits / 8,
                        .width = b->row->width,
                        .height = b->row->height,
                        .channels = channels,
                        .bits = bits};
}

static satk_plane plane_of(const bench *b, void *data, int channels)
{
    return deep_plane_of(b, data, channels, 8);
}

static satk_surface surface_job(const bench *b, int set)
{
    return (satk_surface){.src = plane_of(b, b->src[set], b->row->channels),
                          .map = plane_of(b, b->map[set], 1),
                          .dst = plane_of(b, b->dst[set], 1),
                          .rims = satk_rims_in(b->rims, bench_pixels(b->row)),
                          .how = SATK_CUT | SATK_JOIN | SATK_FIND_MASK,
                          .linear = b->linear,
                          .counts = b->result,
                          .scratch = b->scratch};
}

static satk_fill fill_job(const bench *b, int set)
{
    return (satk_fill){.src = plane_of(b, b->src[set], b->row->channels),
                       .map = deep_plane_of(b, b->map[set], 1, 16),
                       .dst = deep_plane_of(b, b->dst[set], 1, 16),
                       .near_black = 1,
                       .counts = b->result,
                       .scratch = b->scratch};
}

static satk_matte_plane plane_job(const bench *b, int set)
{
    return (satk_matte_plane){.src = plane_of(b, b->src[set], b->row->channels),
                              .dst = plane_of(b, b->dst[set], 1),
                              .counts = b->result,
                              .scratch = b->scratch};
}

static satk_follow follow_job(const bench *b, int set)
{
    const size_t pixels = bench_pixels(b->row);

    return (satk_follow){.matte = plane_of(b, b->matte, 1),
                         .map = plane_of(b, b->map[set], 1),
                         .dst = plane_of(b, b->dst[set], 1),
                         .rims = satk_rims_in(b->matte + 2 * pixels, pixels),
                         .counts = b->result,
                         .scratch = b->scratch};
}

static satk_separate separate_job(const bench *b, int set)
{
    return (satk_separate){.src = plane_of(b, b->src[set], b->row->channels),
                           .matte = plane_of(b, b->matte, 1),
                           .sides = plane_of(b, b->matte + bench_pixels(b->row), 1),
                           .dst = plane_of(b, b->dst[set], b->row->channels),
                           .scratch = b->scratch};
}

/* Runs one job on the row's back end, or returns its scratch. */
#define RUN(name, job)                                                                             \
    (b->on == BENCH_CUDA ? (void)(b->failed |= device_##name(&job))                                \
                         : satk_##name##_cpu(&job, b->threads))
#define SCRATCH(name, job)                                                                         \
    (b->on == BENCH_CUDA ? device_##name##_scratch(&job)                                           \
                         : satk_##name##_scratch_cpu(&job, b->threads))

size_t bench_maps_scratch(const bench *b)
{
    const satk_surface surface = surface_job(b, 0);
    const satk_matte_plane plane = plane_job(b, 0);
    const satk_follow follow = follow_job(b, 0);
    const satk_separate separate = separate_job(b, 0);
    const satk_fill fill = fill_job(b, 0);

    switch (b->row->primitive) {
    case BENCH_SURFACE: return SCRATCH(surface, surface);
    case BENCH_MATTE_PLANE: return SCRATCH(matte_plane, plane);
    case BENCH_FOLLOW: return SCRATCH(follow, follow);
    case BENCH_SEPARATE: return SCRATCH(separate, separate);
    default: return SCRATCH(fill, fill);
    }
}

void bench_run_maps(bench *b, int set)
{
    const satk_surface surface = surface_job(b, set);
    const satk_matte_plane plane = plane_job(b, set);
    const satk_follow follow = follow_job(b, set);
    const satk_separate separate = separate_job(b, set);
    const satk_fill fill = fill_job(b, set);

    switch (b->row->primitive) {
    case BENCH_SURFACE: RUN(surface, surface); break;
    case BENCH_MATTE_PLANE: RUN(matte_plane, plane); break;
    case BENCH_FOLLOW: RUN(follow, follow); break;
    case BENCH_SEPARATE: RUN(separate, separate); break;
    default: RUN(fill, fill); break;
    }
}
