/* Cuts the ramps of a depth map: gives pixels on them the code of the closer end. */
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

/* Cuts samples on narrow ramps; all others of the map stay where they are. A thread has a word of bits. */
template <typename CODE>
static __global__ void __launch_bounds__(SATK_SURFACE_THREADS)
    cut_narrow(const __grid_constant__ satk_surfacing s)
{
    const satk_plane &map = s.job.map;
    const size_t word = (size_t)blockIdx.x * SATK_SURFACE_THREADS + threadIdx.x;
    const int y = (int)(word / s.ramps.pitch), first = (int)(word % s.ramps.pitch) * SATK_WARP;

    if (y >= map.height || satk_way_of(&s.job) != SATK_WAY_NARROW)
        return;
    if (word == 0)
        s.job.counts[SATK_SNAPPED] = s.job.counts[SATK_RAMPS];
    for (uint32_t bits = s.ramps.words[word]; bits; bits &= bits - 1) {
        const satk_pixel p = {first + __ffs((int)bits) - 1, y};
        const uint32_t ends = satk_find_ends(map, p), code = (uint32_t)satk_code16(map, p.x, y);
        const uint32_t end = satk_closer_end(code, ends & UINT16_MAX, ends >> 16);
        satk_set_code<CODE>(s.between, p, (int)satk_code_in(map.bits, end));
    }
}

/* --- Wide ramps ------------------------------------------------------------------------------- */

/* Finds where columns and rows lie in the levels: it takes divisions, so each is found once. */
static __global__ void __launch_bounds__(SATK_SURFACE_THREADS)
    find_places(const __grid_constant__ satk_surfacing s)
{
    const int all = s.fine.width + s.fine.height;
    const int k = (int)(blockIdx.x * SATK_SURFACE_THREADS + threadIdx.x), l = k / all, i = k % all;

    if (l >= s.levels || satk_way_of(&s.job) != SATK_WAY_WIDE)
        return;
    const satk_plane &level = s.level[l].map;
    const bool is_row = i >= s.fine.width;
    const int at = is_row ? i - s.fine.width : i;
    const int pixels = is_row ? s.fine.height : s.fine.width;
    const int samples = is_row ? s.job.map.height : s.job.map.width;
    const int of_level = is_row ? level.height : level.width;
    s.places[k] = {satk_tap_at(at, pixels, of_level),
                   satk_sample_of(satk_sample_of(at, pixels, samples), samples, of_level)};
}

/* Those of a tile. */
struct places {
    satk_level_place column[SATK_MOST_LEVELS][SATK_WARP], row[SATK_MOST_LEVELS][SATK_SURFACE_ROWS];
};

static __device__ __forceinline__ void get_places(const satk_surfacing &s, satk_pixel tile,
                                                  places &at)
{
    const int width = s.fine.width, height = s.fine.height;

    for (int k = (int)threadIdx.x; k < s.levels * (SATK_WARP + SATK_SURFACE_ROWS);
         k += SATK_SURFACE_THREADS) {
        const int l = k / (SATK_WARP + SATK_SURFACE_ROWS), i = k % (SATK_WARP + SATK_SURFACE_ROWS);
        const satk_level_place *const of = s.places + (size_t)l * (width + height);
        if (i < SATK_WARP)
            at.column[l][i] = of[min(tile.x + i, width - 1)];
        else
            at.row[l][i - SATK_WARP] = of[width + min(tile.y + i - SATK_WARP, height - 1)];
    }
    __syncthreads();
}

/* Returns the finest of the first levels in which a pixel of the tile is on a ramp, or their number. */
static __device__ __forceinline__ int finest_of(const satk_surfacing &s, int levels,
                                                const places &at, int column, int row)
{
    uint32_t near = 0;

#pragma unroll
    for (int l = 0; l < SATK_MOST_LEVELS; l++)
        if (l < levels &&
            satk_bit_at(s.level[l].near, at.column[l][column].sample, at.row[l][row].sample))
            near |= 1u << l;
    return near ? __ffs((int)near) - 1 : levels;
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
                                                      const satk_level_place &column,
                                                      const satk_level_place &row)
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
            get_places(s, tile, at);
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

static unsigned blocks_for(size_t threads)
{
    return (unsigned)((threads + SATK_SURFACE_THREADS - 1) / SATK_SURFACE_THREADS);
}

template <typename CODE> static int launch(const satk_surfacing *s, cudaStream_t stream)
{
    const unsigned tiles = satk_tiles_of(s->job.dst), some = satk_blocks_of(tiles);
    const bool same = satk_has_size_of(&s->job.map, &s->job.dst), cuts = satk_may_cut(&s->job);
    const size_t words = (size_t)s->ramps.pitch * s->job.map.height;
    const size_t places = s->levels * ((size_t)s->fine.width + s->fine.height);
    int error = 0;

    if (s->job.how & (SATK_FIND_MASK | SATK_AS_MASK)) {
        cut_mask<CODE><<<some, SATK_SURFACE_THREADS, 0, stream>>>(*s);
        error = satk_launched(stream);
    }
    if (!error && same && cuts) {
        cut_narrow<CODE><<<blocks_for(words), SATK_SURFACE_THREADS, 0, stream>>>(*s);
        error = satk_launched(stream);
    }
    if (!error && cuts) {
        find_places<<<blocks_for(places), SATK_SURFACE_THREADS, 0, stream>>>(*s);
        error = satk_launched(stream);
    }
    if (error || (same && !cuts))
        return error;
    cut_wide<CODE><<<same ? some : tiles, SATK_SURFACE_THREADS, 0, stream>>>(*s);
    return satk_launched(stream);
}

int satk_cut_ramps(const satk_surfacing *s, cudaStream_t stream)
{
    return s->job.dst.bits == 8 ? launch<uint8_t>(s, stream) : launch<uint16_t>(s, stream);
}
