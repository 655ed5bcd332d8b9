/* Lays the map out: copies it, cuts narrow ramps, and joins pixels beside something nearer that show both surfaces to the nearer
 * one. Codes are turned where small ones are near, so that the nearest are the largest. */
#include "surface/surface_stages.cuh"

static constexpr int REACH = SATK_HEARD + 1; /* of pixels beside those that are heard */

/* Holds satk_colour_sums in fewer registers. */
struct colour_sums {
    uint32_t colour[3], count;
    uint64_t square;
};

/* Adds a colour if it counts. */
static __device__ __forceinline__ void add(colour_sums *to, const uint32_t *light, uint32_t square,
                                           bool counts)
{
#pragma unroll
    for (int c = 0; c < 3; c++)
        to->colour[c] += counts ? light[c] : 0;
    to->square += counts ? square : 0;
    to->count += counts;
}

static __device__ __forceinline__ satk_colour_sums widened(const colour_sums &s)
{
    return {{s.colour[0], s.colour[1], s.colour[2]}, (int64_t)s.square, s.count};
}

/* --- Tiles ------------------------------------------------------------------------------------ */

/* What a tile's pixels hear: their light, of 14 bits, and nearness. Pixels beside the picture are as those that are neither near
 * nor far. */
static constexpr int HEARD_WIDE = SATK_WARP + 2 * SATK_HEARD;
static constexpr int HEARD_HIGH = SATK_SURFACE_ROWS + 2 * SATK_HEARD;
static constexpr uint16_t UNCLEAR =
    1 << 15; /* with the first light: the pixel is beside something nearer */

struct heard {
    ushort4 pixel[HEARD_HIGH][HEARD_WIDE];
};

static __device__ __forceinline__ bool is_beside(const satk_patch<REACH> &patch, int x, int y,
                                                 int least)
{
    return satk_around(patch, x, y).high - patch.code[y + REACH][x + REACH] > least;
}

/* Fills in what the pixels of a tile hear. */
static __device__ __forceinline__ void hear(const satk_surfacing &s, satk_pixel tile, int least,
                                            const satk_patch<REACH> &patch, heard &to)
{
    for (int k = (int)threadIdx.x; k < HEARD_WIDE * HEARD_HIGH; k += SATK_SURFACE_THREADS) {
        const int x = k % HEARD_WIDE - SATK_HEARD, y = k / HEARD_WIDE - SATK_HEARD;
        const satk_pixel p = {tile.x + x, tile.y + y};
        ushort4 pixel = {UNCLEAR, 0, 0, 0};
        if (p.x >= 0 && p.y >= 0 && satk_is_inside(s.job.dst, p)) {
            const satk_colour own = satk_colour_at(s.job.src, p.x, p.y);
            const uint32_t beside = is_beside(patch, x, y, least) ? UNCLEAR : 0;
            pixel.x = (uint16_t)(s.job.linear[own.rgb[0]] | beside);
            pixel.y = (uint16_t)s.job.linear[own.rgb[1]];
            pixel.z = (uint16_t)s.job.linear[own.rgb[2]];
            pixel.w = patch.code[y + REACH][x + REACH];
        }
        to.pixel[y + SATK_HEARD][x + SATK_HEARD] = pixel;
    }
    __syncthreads();
}

static __device__ __forceinline__ void find_light(const ushort4 &pixel, uint32_t *light)
{
    light[0] = pixel.x & (UNCLEAR - 1u);
    light[1] = pixel.y;
    light[2] = pixel.z;
}

/* Returns whether the colour of a tile's pixel is a mixture. most: the nearness of the nearest beside it. */
static __device__ __forceinline__ bool is_mixed(const heard &all, int column, int row, int most)
{
    const ushort4 own = all.pixel[row + SATK_HEARD][column + SATK_HEARD];
    const int half = (most + own.w) / 2;
    colour_sums near = {{0}}, far = {{0}};
    uint32_t light[3];

    for (int j = 0; j < SATK_HEARD_SIDE; j++)
#pragma unroll
        for (int i = 0; i < SATK_HEARD_SIDE; i++) {
            const ushort4 pixel = all.pixel[row + j][column + i];
            const bool is_near = pixel.w > half;
            const bool is_far = !is_near && !(pixel.x & UNCLEAR);
            find_light(pixel, light);
            const uint32_t square =
                light[0] * light[0] + light[1] * light[1] + light[2] * light[2]; /* 14 bits each */
            add(&near, light, square, is_near);
            add(&far, light, square, is_far);
        }
    if (!near.count || !far.count)
        return false;
    find_light(own, light);
    const int64_t colour[3] = {light[0], light[1], light[2]};
    const satk_colour_sums of_near = widened(near), of_far = widened(far);
    return satk_is_outside(colour, &of_far) && satk_is_on_line(colour, &of_near, &of_far);
}

/* Returns whether ramps are in the patch of a tile, in a row of it that has the thread's number. */
static __device__ __forceinline__ bool has_ramps(const satk_surfacing &s, satk_pixel tile)
{
    const int y = tile.y + (int)threadIdx.x - REACH, word = tile.x / SATK_WARP;
    uint32_t bits = 0;

    if (threadIdx.x >= SATK_SURFACE_ROWS + 2 * REACH || y < 0 || y >= s.job.map.height)
        return false;
    for (int i = max(word - 1, 0); i <= min(word + 1, s.ramps.pitch - 1); i++)
        bits |= s.ramps.words[(size_t)y * s.ramps.pitch + i];
    return bits != 0;
}

/* Puts the codes of ramps that are cut into a patch. */
template <typename CODE>
static __device__ __forceinline__ void put_cuts(const satk_surfacing &s, satk_pixel tile, CODE turn,
                                                satk_patch<REACH> &patch)
{
    constexpr int WIDE = satk_patch<REACH>::SIDE, HIGH = SATK_SURFACE_ROWS + 2 * REACH;

    for (int k = (int)threadIdx.x; k < WIDE * HIGH; k += SATK_SURFACE_THREADS) {
        const int x = satk_within(tile.x + k % WIDE - REACH, s.job.map.width);
        const int y = satk_within(tile.y + k / WIDE - REACH, s.job.map.height);
        if (satk_bit_at(s.ramps, x, y))
            patch.code[k / WIDE][k % WIDE] = (CODE)(satk_code_at<CODE>(s.between, x, y) ^ turn);
    }
    __syncthreads();
}

/* A block has a tile. */
template <typename CODE>
static __global__ void __launch_bounds__(SATK_SURFACE_THREADS, SATK_SURFACE_RESIDENT)
    join(const __grid_constant__ satk_surfacing s)
{
    __shared__ satk_few few;
    __shared__ satk_patch<REACH> patch;
    __shared__ heard all;
    const satk_surface_way way = satk_way_of(&s.job);
    const bool is_wide = way == SATK_WAY_WIDE || !satk_has_size_of(&s.job.map, &s.job.dst);
    const bool joins = s.job.how & SATK_JOIN, is_narrow = way == SATK_WAY_NARROW;
    const int least = (int)satk_least_step(8 * sizeof(CODE));
    const satk_pixel tile = satk_find_tile(s.job.dst, blockIdx.x), strip = satk_find_strip(tile);
    const CODE turn = s.job.near_black ? (CODE)-1 : 0;
    int mixed = 0;

    if (way == SATK_WAY_MASK)
        return;
    const bool has_cuts = is_narrow && has_ramps(s, tile);
    const bool is_busy =
        satk_load_patch<CODE>(is_wide ? s.between : s.job.map, tile, s.job.near_black,
                              joins ? least : INT32_MAX, has_cuts, patch);
    if (is_busy && is_narrow)
        put_cuts<CODE>(s, tile, turn, patch);
    if (is_busy)
        satk_gather_none(few);
#pragma unroll
    for (int j = 0; j < SATK_SURFACE_STRIP; j++) {
        const satk_pixel p = {strip.x, strip.y + j};
        const int column = p.x - tile.x, row = p.y - tile.y;
        const bool is_inside = satk_is_inside(s.job.dst, p);
        if (is_inside)
            satk_set_code<CODE>(s.job.dst, p, patch.code[row + REACH][column + REACH] ^ turn);
        if (is_busy && joins)
            satk_gather_row(few, row,
                            __ballot_sync(~0u, is_inside && is_beside(patch, column, row, least)));
    }
    const int count = is_busy && joins ? satk_gathered(few) : 0;
    if (count == 0)
        return;
    hear(s, tile, least, patch, all);
    for (int i = (int)threadIdx.x; i < count; i += SATK_SURFACE_THREADS) {
        const int column = few.at[i] % SATK_WARP, row = few.at[i] / SATK_WARP;
        const int most = satk_around(patch, column, row).high;
        if (is_mixed(all, column, row, most)) {
            satk_set_code<CODE>(s.job.dst, satk_gathered_at(few, i, tile), most ^ turn);
            mixed++;
        }
    }
    satk_add_up(s.job.counts, SATK_MIXED, mixed);
}

int satk_join(const satk_surfacing *s, cudaStream_t stream)
{
    const unsigned tiles = satk_tiles_of(s->job.dst); /* blocks: some tiles have much more work */

    if (s->job.dst.bits == 8)
        join<uint8_t><<<tiles, SATK_SURFACE_THREADS, 0, stream>>>(*s);
    else
        join<uint16_t><<<tiles, SATK_SURFACE_THREADS, 0, stream>>>(*s);
    return satk_launched(stream);
}
