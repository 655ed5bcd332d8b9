/* Cuts the ramps of a depth map: gives pixels on them the code of the closer end. */
#include "surface/resample_rule.h"
#include "surface/surface_stages.cuh"

/* Counts of a thread. */
struct tally {
    int snapped, rims;
    unsigned low, high; /* SATK_NEAR_LOW, SATK_NEAR_HIGH */
};

static __device__ __forceinline__ void add_up(const satk_surface &job, const tally &t)
{
    satk_add_up(job.counts, SATK_SNAPPED, t.snapped);
    satk_add_up(job.counts, SATK_RIMS, t.rims);
    satk_raise(job.counts, SATK_NEAR_LOW, t.low);
    satk_raise(job.counts, SATK_NEAR_HIGH, t.high);
}

static __device__ __forceinline__ void note_rim(const satk_surface &job, satk_pixel p,
                                                const satk_rim &rim, tally *t)
{
    satk_put_rim(&job.rims, (size_t)p.y * job.dst.width + p.x, &rim);
    if (rim.kind == SATK_RIM_NONE)
        return;
    t->rims++;
    if (rim.kind == SATK_RIM_EDGE) {
        t->low = max(t->low, 65536u - rim.near);
        t->high = max(t->high, rim.near + 1u);
    }
}

/* --- Narrow ramps ----------------------------------------------------------------------------- */

/* Copies a map of the picture's size, and cuts samples on narrow ramps. */
template <typename CODE>
static __global__ void __launch_bounds__(SATK_SURFACE_THREADS)
    cut_narrow(const __grid_constant__ satk_surfacing s)
{
    __shared__ satk_few few;
    const satk_plane &map = s.job.map;
    const satk_surface_way way = satk_way_of(&s.job);

    if (way != SATK_WAY_NARROW && way != SATK_WAY_STAYS)
        return;
    for (unsigned number = blockIdx.x; number < satk_tiles_of(map);
         number += gridDim.x, __syncthreads()) {
        const satk_pixel tile = satk_find_tile(map, number), strip = satk_find_strip(tile);

        satk_gather_none(few);
#pragma unroll
        for (int j = 0; j < SATK_SURFACE_STRIP; j++) {
            const satk_pixel p = {strip.x, strip.y + j};
            if (p.y < map.height && way == SATK_WAY_NARROW)
                satk_gather_row(few, satk_strip_row() + j, *satk_word_of(s.ramps, p));
            if (satk_is_inside(map, p))
                satk_set_code<CODE>(s.between, p, satk_code_at<CODE>(map, p.x, p.y));
        }
        const int count = satk_gathered(few);
        for (int i = (int)threadIdx.x; i < count; i += SATK_SURFACE_THREADS) {
            const satk_pixel p = satk_gathered_at(few, i, tile);
            const uint32_t ends = satk_find_ends(map, p),
                           code = (uint32_t)satk_code16(map, p.x, p.y);
            const uint32_t end = satk_closer_end(code, ends & UINT16_MAX, ends >> 16);
            satk_set_code<CODE>(s.between, p, (int)satk_code_in(map.bits, end));
        }
        if (threadIdx.x == 0 && count)
            atomicAdd((unsigned long long *)&s.job.counts[SATK_SNAPPED], (unsigned long long)count);
    }
}

/* --- Wide ramps ------------------------------------------------------------------------------- */

/* Where the columns and rows of a tile lie in the levels. Finding it takes divisions, so each is found once. */
struct place {
    satk_tap tap; /* the samples that the pixel lies between */
    int sample;   /* that which the pixel goes by */
};

struct places {
    place column[SATK_MOST_LEVELS][SATK_WARP], row[SATK_MOST_LEVELS][SATK_SURFACE_ROWS];
};

static __device__ __forceinline__ place find_place(int i, int pixels, int samples, int of_level)
{
    const int at = min(i, pixels - 1);

    return {satk_tap_at(at, pixels, of_level),
            satk_sample_of(satk_sample_of(at, pixels, samples), samples, of_level)};
}

static __device__ __forceinline__ void find_places(const satk_surfacing &s, satk_pixel tile,
                                                   places &at)
{
    const satk_plane &map = s.job.map;

    for (int k = (int)threadIdx.x; k < s.levels * (SATK_WARP + SATK_SURFACE_ROWS);
         k += SATK_SURFACE_THREADS) {
        const int l = k / (SATK_WARP + SATK_SURFACE_ROWS), i = k % (SATK_WARP + SATK_SURFACE_ROWS);
        const satk_plane &level = s.level[l].map;
        if (i < SATK_WARP)
            at.column[l][i] = find_place(tile.x + i, s.fine.width, map.width, level.width);
        else
            at.row[l][i - SATK_WARP] =
                find_place(tile.y + i - SATK_WARP, s.fine.height, map.height, level.height);
    }
    __syncthreads();
}

/* Returns the finest of the first levels in which a pixel of the tile is on a ramp, or their number. */
static __device__ __forceinline__ int finest_of(const satk_surfacing &s, int levels,
                                                const places &at, int column, int row)
{
    int l = 0;

    while (l < levels &&
           !satk_bit_at(s.level[l].near, at.column[l][column].sample, at.row[l][row].sample))
        l++;
    return l;
}

/* Returns one of the ends, those `shift` up, interpolated between four samples. */
static __device__ __forceinline__ uint32_t between(const uint32_t *ends, int width,
                                                   const satk_tap &x, const satk_tap &y, int shift)
{
    const uint32_t *const above = ends + (size_t)y.a * width, *const below =
                                                                  ends + (size_t)y.b * width;
    const uint32_t a = satk_blend_row(above[x.a] >> shift & UINT16_MAX,
                                      above[x.b] >> shift & UINT16_MAX, x.weight);
    const uint32_t b = satk_blend_row(below[x.a] >> shift & UINT16_MAX,
                                      below[x.b] >> shift & UINT16_MAX, x.weight);

    return satk_blend_rows(a, b, y.weight);
}

/* Returns the largest difference of codes between a pixel and those `across` away in its row and `down` in its column. */
static __device__ __forceinline__ uint32_t rise_at(const satk_plane &map, satk_pixel p, int across,
                                                   int down)
{
    const int code = satk_code16(map, p.x, p.y);
    const int left = satk_within(p.x - across, map.width),
              right = satk_within(p.x + across, map.width);
    const int top = satk_within(p.y - down, map.height),
              bottom = satk_within(p.y + down, map.height);

    return (uint32_t)max(
        max(abs(satk_code16(map, left, p.y) - code), abs(satk_code16(map, right, p.y) - code)),
        max(abs(satk_code16(map, p.x, top) - code), abs(satk_code16(map, p.x, bottom) - code)));
}

/* Returns the slope of a ramp. */
static __device__ __forceinline__ uint32_t slope_at(const satk_plane &map, satk_pixel p)
{
    const int left = satk_within(p.x - 1, map.width), right = satk_within(p.x + 1, map.width);
    const int top = satk_within(p.y - 1, map.height), bottom = satk_within(p.y + 1, map.height);

    return (uint32_t)(abs(satk_code16(map, left, p.y) - satk_code16(map, right, p.y)) +
                      abs(satk_code16(map, p.x, top) - satk_code16(map, p.x, bottom)));
}

template <typename CODE>
static __device__ void cut_pixel(const satk_surfacing &s, satk_pixel p, satk_ramp ramp, tally *t)
{
    const uint32_t code = (uint32_t)satk_code16(s.fine, p.x, p.y);
    const uint32_t end = satk_closer_end(code, ramp.low, ramp.high);
    const int bits = s.between.bits;

    if (!satk_is_cut(&ramp, rise_at(s.fine, p, (ramp.across + 1) / 2, (ramp.down + 1) / 2)))
        return;
    ramp.slope = satk_is_far_end(&ramp, end, s.job.near_black) ? slope_at(s.fine, p) : 0;
    note_rim(s.job, p, satk_rim_at(&ramp, code, s.job.near_black, bits), t);
    if (satk_code_in(bits, code) == satk_code_in(bits, end))
        return;
    satk_set_code<CODE>(s.between, p, (int)satk_code_in(bits, end));
    t->snapped++;
}

static __device__ __forceinline__ satk_ramp find_ramp(const satk_surfacing &s, int l,
                                                      const place &column, const place &row)
{
    const satk_plane &map = s.level[l].map;
    const uint32_t *const ends = s.level[l].ends;

    return {between(ends, map.width, column.tap, row.tap, 0),
            between(ends, map.width, column.tap, row.tap, 16),
            (s.fine.width + map.width - 1) / map.width,
            (s.fine.height + map.height - 1) / map.height, 0};
}

/* Copies the map at the picture's size, and cuts pixels on the ramps of all levels. */
template <typename CODE>
static __global__ void __launch_bounds__(SATK_SURFACE_THREADS)
    cut_wide(const __grid_constant__ satk_surfacing s)
{
    __shared__ satk_few few;
    __shared__ places at;
    __shared__ uint8_t finest[SATK_WARP * SATK_SURFACE_ROWS];
    const satk_surface_way way = satk_way_of(&s.job);
    const bool stays = way == SATK_WAY_STAYS && !satk_has_size_of(&s.job.map, &s.fine);
    const int levels = stays ? 0 : satk_levels_used(s.job.counts, s.levels);
    const int lane = (int)(threadIdx.x % SATK_WARP);
    tally t = {0, 0, 0, 0};

    if (way != SATK_WAY_WIDE && !stays)
        return;
    for (unsigned number = blockIdx.x; number < satk_tiles_of(s.fine);
         number += gridDim.x, __syncthreads()) {
        const satk_pixel tile = satk_find_tile(s.fine, number), strip = satk_find_strip(tile);
        if (!stays)
            find_places(s, tile, at);
        satk_gather_none(few);
#pragma unroll
        for (int j = 0; j < SATK_SURFACE_STRIP; j++) {
            const satk_pixel p = {strip.x, strip.y + j};
            const int row = satk_strip_row() + j;
            const bool is_inside = satk_is_inside(s.fine, p);
            const int l = is_inside ? finest_of(s, levels, at, lane, row) : levels;
            finest[row * SATK_WARP + lane] = (uint8_t)l;
            satk_gather_row(few, row, __ballot_sync(~0u, l < levels));
            if (is_inside)
                satk_set_code<CODE>(s.between, p, satk_code_at<CODE>(s.fine, p.x, p.y));
        }
        const int count = satk_gathered(few);
        for (int i = (int)threadIdx.x; i < count; i += SATK_SURFACE_THREADS) {
            const int l = finest[few.at[i]];
            const satk_ramp ramp = find_ramp(s, l, at.column[l][few.at[i] % SATK_WARP],
                                             at.row[l][few.at[i] / SATK_WARP]);
            cut_pixel<CODE>(s, satk_gathered_at(few, i, tile), ramp, &t);
        }
    }
    add_up(s.job, t);
}

/* --- Masks ------------------------------------------------------------------------------------ */

template <typename CODE>
static __global__ void __launch_bounds__(SATK_SURFACE_THREADS)
    cut_mask(const __grid_constant__ satk_surfacing s)
{
    const int white = (CODE)-1;
    tally t = {0, 0, 0, 0};

    if (!satk_is_mask(&s.job))
        return;
    for (unsigned number = blockIdx.x; number < satk_tiles_of(s.fine); number += gridDim.x) {
        const satk_pixel strip = satk_find_strip(satk_find_tile(s.fine, number));
#pragma unroll
        for (int j = 0; j < SATK_SURFACE_STRIP; j++) {
            const satk_pixel p = {strip.x, strip.y + j};
            if (!satk_is_inside(s.fine, p))
                continue;
            const int code = satk_code_at<CODE>(s.fine, p.x, p.y);
            satk_set_code<CODE>(s.job.dst, p, 2 * code >= white ? white : 0);
            if (code != 0 && code != white)
                note_rim(s.job, p, satk_mask_rim((uint32_t)code, s.job.near_black, s.job.dst.bits),
                         &t);
        }
    }
    t.snapped = t.rims;
    add_up(s.job, t);
}

/* --- Run -------------------------------------------------------------------------------------- */

template <typename CODE> static int launch(const satk_surfacing *s, cudaStream_t stream)
{
    const unsigned blocks = satk_blocks_of(satk_tiles_of(s->job.dst));
    const bool same = satk_has_size_of(&s->job.map, &s->job.dst);
    int error = 0;

    if (s->job.how & (SATK_FIND_MASK | SATK_AS_MASK)) {
        cut_mask<CODE><<<blocks, SATK_SURFACE_THREADS, 0, stream>>>(*s);
        error = satk_launched(stream);
    }
    if (!error && same) {
        cut_narrow<CODE><<<blocks, SATK_SURFACE_THREADS, 0, stream>>>(*s);
        error = satk_launched(stream);
    }
    if (error || (same && !satk_may_cut(&s->job)))
        return error;
    cut_wide<CODE><<<blocks, SATK_SURFACE_THREADS, 0, stream>>>(*s);
    return satk_launched(stream);
}

int satk_cut_ramps(const satk_surfacing *s, cudaStream_t stream)
{
    return s->job.dst.bits == 8 ? launch<uint8_t>(s, stream) : launch<uint16_t>(s, stream);
}
