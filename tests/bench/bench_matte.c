#include "bench/bench_matte.h"

#include "bench/bench_fill.h"
#include "support/device.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HAIR = 100 }; /* pixels: its length */

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

static satk_plane plane_of(const bench *b, void *data, int channels)
{
    return (satk_plane){
        data, (ptrdiff_t)b->row->width * channels, b->row->width, b->row->height, channels, 8};
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

size_t bench_matte_scratch(const bench *b)
{
    const satk_matte_plane plane = plane_job(b, 0);
    const satk_follow follow = follow_job(b, 0);
    const satk_separate separate = separate_job(b, 0);
    const int cuda = b->on == BENCH_CUDA;

    switch (b->row->primitive) {
    case BENCH_MATTE_PLANE:
        return cuda ? device_matte_plane_scratch(&plane)
                    : satk_matte_plane_scratch_cpu(&plane, b->threads);
    case BENCH_FOLLOW:
        return cuda ? device_follow_scratch(&follow) : satk_follow_scratch_cpu(&follow, b->threads);
    default:
        return cuda ? device_separate_scratch(&separate)
                    : satk_separate_scratch_cpu(&separate, b->threads);
    }
}

void bench_run_matte(bench *b, int set)
{
    const satk_matte_plane plane = plane_job(b, set);
    const satk_follow follow = follow_job(b, set);
    const satk_separate separate = separate_job(b, set);
    const int cuda = b->on == BENCH_CUDA;

    switch (b->row->primitive) {
    case BENCH_MATTE_PLANE:
        cuda ? (void)(b->failed |= device_matte_plane(&plane))
             : satk_matte_plane_cpu(&plane, b->threads);
        break;
    case BENCH_FOLLOW:
        cuda ? (void)(b->failed |= device_follow(&follow)) : satk_follow_cpu(&follow, b->threads);
        break;
    default:
        cuda ? (void)(b->failed |= device_separate(&separate))
             : satk_separate_cpu(&separate, b->threads);
        break;
    }
}
