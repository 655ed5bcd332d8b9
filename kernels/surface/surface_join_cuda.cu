/* Joins pixels beside something nearer that show both surfaces to the nearer one. */
#include "surface/surface_stages.cuh"

template <typename CODE>
static __device__ __forceinline__ int nearness(const satk_surfacing &s, int x, int y)
{
    const int code = satk_code_at<CODE>(s.between, x, y);

    return s.job.near_black ? (CODE)~code : code;
}

/* Returns the nearness of the nearest of the 3 x 3 around. */
template <typename CODE>
static __device__ __forceinline__ int nearest(const satk_surfacing &s, satk_pixel p)
{
    const satk_plane &map = s.between;
    int most = 0;

#pragma unroll
    for (int j = -1; j <= 1; j++)
#pragma unroll
        for (int i = -1; i <= 1; i++)
            most = max(most, nearness<CODE>(s, satk_within(p.x + i, map.width),
                                            satk_within(p.y + j, map.height)));
    return most;
}

/* Sets the bits of pixels beside something nearer. */
template <typename CODE>
static __global__ void __launch_bounds__(SATK_SURFACE_THREADS)
    find_beside(const __grid_constant__ satk_surfacing s)
{
    const satk_plane &map = s.between;

    if (satk_is_mask(&s.job))
        return;
    for (unsigned number = blockIdx.x; number < satk_tiles_of(map); number += gridDim.x) {
        const satk_pixel strip = satk_find_strip(satk_find_tile(map, number));
        satk_extremes around[SATK_SURFACE_STRIP];

        satk_find_extremes<CODE>(map, strip, around);
#pragma unroll
        for (int j = 0; j < SATK_SURFACE_STRIP; j++) {
            const satk_pixel p = {strip.x, strip.y + j};
            int step = 0; /* to the nearest */
            if (satk_is_inside(map, p)) {
                const int code = satk_code_at<CODE>(map, p.x, p.y);
                step = s.job.near_black ? code - around[j].low : around[j].high - code;
            }
            const uint32_t word = __ballot_sync(~0u, step > (int)satk_least_step(8 * sizeof(CODE)));
            if (threadIdx.x % SATK_WARP == 0 && p.y < map.height)
                *satk_word_of(s.beside, p) = word;
        }
    }
}

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

static __device__ __forceinline__ void find_light(const satk_surfacing &s, int x, int y,
                                                  uint32_t *light)
{
    const satk_colour own = satk_colour_at(s.job.src, x, y);

#pragma unroll
    for (int c = 0; c < 3; c++)
        light[c] = s.job.linear[own.rgb[c]];
}

template <typename CODE>
static __device__ bool is_mixed(const satk_surfacing &s, satk_pixel p, int most)
{
    const int half = (most + nearness<CODE>(s, p.x, p.y)) / 2;
    colour_sums near = {{0}}, far = {{0}};
    uint32_t light[3];

    for (int y = max(p.y - SATK_HEARD, 0); y <= min(p.y + SATK_HEARD, s.between.height - 1); y++) {
        const uint32_t unclear = satk_five_bits(s.beside, p.x, y);
        for (int i = max(SATK_HEARD - p.x, 0);
             i < min(SATK_HEARD_SIDE, s.between.width - p.x + SATK_HEARD); i++) {
            const int x = p.x + i - SATK_HEARD;
            const bool is_near = nearness<CODE>(s, x, y) > half;
            const bool is_far = !is_near && !(unclear >> i & 1);
            find_light(s, x, y, light);
            const uint32_t square =
                light[0] * light[0] + light[1] * light[1] + light[2] * light[2]; /* 14 bits each */
            add(&near, light, square, is_near);
            add(&far, light, square, is_far);
        }
    }
    if (!near.count || !far.count)
        return false;
    find_light(s, p.x, p.y, light);
    const int64_t own[3] = {light[0], light[1], light[2]};
    const satk_colour_sums of_near = widened(near), of_far = widened(far);
    return satk_is_outside(own, &of_far) && satk_is_on_line(own, &of_near, &of_far);
}

template <typename CODE>
static __global__ void __launch_bounds__(SATK_SURFACE_THREADS)
    join(const __grid_constant__ satk_surfacing s)
{
    __shared__ satk_few few;
    int mixed = 0;

    if (satk_is_mask(&s.job))
        return;
    for (unsigned number = blockIdx.x; number < satk_tiles_of(s.between);
         number += gridDim.x, __syncthreads()) {
        const satk_pixel tile = satk_find_tile(s.between, number), strip = satk_find_strip(tile);
        satk_gather_none(few);
#pragma unroll
        for (int j = 0; j < SATK_SURFACE_STRIP; j++) {
            const satk_pixel p = {strip.x, strip.y + j};
            if (p.y < s.between.height)
                satk_gather_row(few, satk_strip_row() + j, *satk_word_of(s.beside, p));
            if (satk_is_inside(s.between, p))
                satk_set_code<CODE>(s.job.dst, p, satk_code_at<CODE>(s.between, p.x, p.y));
        }
        const int count = satk_gathered(few);
        for (int i = (int)threadIdx.x; i < count; i += SATK_SURFACE_THREADS) {
            const satk_pixel p = satk_gathered_at(few, i, tile);
            const int most = nearest<CODE>(s, p);
            if (is_mixed<CODE>(s, p, most)) {
                satk_set_code<CODE>(s.job.dst, p, s.job.near_black ? (CODE)~most : most);
                mixed++;
            }
        }
    }
    satk_add_up(s.job.counts, SATK_MIXED, mixed);
}

int satk_join(const satk_surfacing *s, cudaStream_t stream)
{
    const unsigned tiles = satk_tiles_of(s->job.dst); /* blocks: some tiles have much more work */

    if (s->job.dst.bits == 8)
        find_beside<uint8_t><<<tiles, SATK_SURFACE_THREADS, 0, stream>>>(*s);
    else
        find_beside<uint16_t><<<tiles, SATK_SURFACE_THREADS, 0, stream>>>(*s);
    const int error = satk_launched(stream);
    if (error)
        return error;
    if (s->job.dst.bits == 8)
        join<uint8_t><<<tiles, SATK_SURFACE_THREADS, 0, stream>>>(*s);
    else
        join<uint16_t><<<tiles, SATK_SURFACE_THREADS, 0, stream>>>(*s);
    return satk_launched(stream);
}
