#include "common/parts.h"
#include "matte/follow_rule.h"
#include "matte/matte_sums.cuh"

/* Radii from the widest window that tells pixels near others to 1, of pictures of at most 2^31 pixels a side. */
enum { MOST_LEVELS = 32 };

/* The planes of the sums: pixels of each side; of each side, the pixels inside and their codes. */
enum { COUNT, CODES, PLANES = 2 * SATK_SIDES };

/* The scratch. */
struct follow_work {
    uint32_t (
        *has)[SATK_SIDES]; /* [MOST_LEVELS]: 1: that radius has left pixels inside on the side */
    uint8_t *search;       /* of every pixel */
    satk_matte_sums<SATK_SIDES> sides;
    satk_matte_sums<PLANES> codes; /* in the memory of sides, which are needed no more */
};

static size_t divide(const satk_follow *job, follow_work *w)
{
    uint8_t *const base = (uint8_t *)job->scratch;
    size_t bytes = 0;

    w->has = (uint32_t(*)[SATK_SIDES])(base + satk_place(&bytes, MOST_LEVELS, sizeof *w->has));
    w->search = base + satk_place(&bytes, (uint64_t)job->map.width * (uint64_t)job->map.height, 1);
    size_t sides = bytes;
    w->sides = satk_matte_place<SATK_SIDES>(&job->map, job->scratch, &sides);
    w->codes = satk_matte_place<PLANES>(&job->map, job->scratch, &bytes);
    return bytes;
}

/* Returns the number of radii: reach, half of it, .., 1. */
static __host__ __device__ __forceinline__ int levels_of(int reach)
{
    int levels = 1;

    while (reach >> levels > 0)
        levels++;
    return levels;
}

static __device__ __forceinline__ bool has_both(const uint32_t (*has)[SATK_SIDES], int level)
{
    return has[level][SATK_BACKGROUND] && has[level][SATK_SUBJECT];
}

/* --- Pixels near others ----------------------------------------------------------------------- */

struct sides_source {
    enum { planes = SATK_SIDES };
    satk_plane matte;

    __device__ __forceinline__ void read(int x, int y, uint32_t *words) const
    {
        const int side = satk_matte_side(((const uint8_t *)satk_row_of(&matte, y))[x]);

        words[SATK_BACKGROUND] = side == SATK_BACKGROUND;
        words[SATK_SUBJECT] = side == SATK_SUBJECT;
    }
};

/* Notes that a side has pixels inside. */
static __device__ __forceinline__ void note(volatile uint32_t *has)
{
    if (!*has)
        *has = 1;
}

/* Returns the side that all windows of the tile's pixels are of, or SATK_BOTH_SIDES. */
static __device__ __forceinline__ int side_around(const follow_work &work, satk_matte_area tile,
                                                  int reach, const satk_plane &map)
{
    const satk_matte_area all = satk_matte_around(tile, reach, map.width, map.height);
    uint64_t total[SATK_SIDES];

    satk_sum_in(work.sides, all, total);
    return total[SATK_BACKGROUND] == all.pixels() ? SATK_BACKGROUND
           : total[SATK_SUBJECT] == all.pixels()  ? SATK_SUBJECT
                                                  : SATK_BOTH_SIDES;
}

static __device__ __forceinline__ int search_at(const satk_follow &job, const follow_work &work,
                                                int x, int y, int reach, int side)
{
    const satk_matte_area window =
        satk_matte_around({x, x + 1, y, y + 1}, reach, job.map.width, job.map.height);
    uint64_t total[SATK_SIDES];

    satk_sum_in(work.sides, window, total);
    return satk_follow_search(side, window.pixels(), total[SATK_BACKGROUND], total[SATK_SUBJECT]);
}

/* Finds out which pixels are inside, by windows of the level's radius, unless a wider one has left some of both sides. In
 * most tiles no pixel is near others. */
static __global__ void __launch_bounds__(SATK_MATTE_THREADS)
    mark(const __grid_constant__ satk_follow job, const __grid_constant__ follow_work work,
         int level)
{
    __shared__ int around;
    const satk_matte_area tile = satk_matte_tile(job.map);
    const int x = satk_matte_column(tile), first = satk_matte_row(tile);
    const int reach = satk_follow_reach(&job.map) >> level;

    for (int i = 0; i < level; i++)
        if (has_both(work.has, i))
            return;
    if (threadIdx.x == 0) {
        around = side_around(work, tile, reach, job.map);
        if (around != SATK_BOTH_SIDES)
            note(&work.has[level][around]);
    }
    __syncthreads();
    if (x >= tile.x1)
        return;
    for (int y = first; y < min(first + SATK_MATTE_STRIP, tile.y1); y++) {
        const int side = satk_matte_side(((const uint8_t *)satk_row_of(&job.matte, y))[x]);
        const int search = around != SATK_BOTH_SIDES ? SATK_INSIDE
                           : side == SATK_BOTH_SIDES ? SATK_SOUGHT
                                                     : search_at(job, work, x, y, reach, side);
        work.search[(size_t)y * job.map.width + x] = (uint8_t)search;
        if (around == SATK_BOTH_SIDES && search == SATK_INSIDE)
            note(&work.has[level][side]);
    }
}

/* --- Means of both sides, and the map --------------------------------------------------------- */

struct codes_source {
    enum { planes = PLANES };
    satk_plane matte, map;
    const uint8_t *search;

    __device__ __forceinline__ void read(int x, int y, uint32_t *words) const
    {
        const bool is_inside = search[(size_t)y * map.width + x] == SATK_INSIDE;
        const bool is_subject = ((const uint8_t *)satk_row_of(&matte, y))[x] != 0;
        const uint32_t code = satk_sample_at(&map, x, y, 0);
        const bool background = is_inside && !is_subject, subject = is_inside && is_subject;

        words[2 * SATK_BACKGROUND + COUNT] = background;
        words[2 * SATK_BACKGROUND + CODES] = background ? code : 0;
        words[2 * SATK_SUBJECT + COUNT] = subject;
        words[2 * SATK_SUBJECT + CODES] = subject ? code : 0;
    }
};

/* Finds the means around a pixel by windows that widen until they have both sides. Returns false if there are none. */
static __device__ __forceinline__ bool find_means(const satk_matte_sums<PLANES> &codes, int x,
                                                  int y, int r, bool once, satk_side_means *mean)
{
    const int longest = max(codes.width, codes.height);
    uint64_t total[PLANES];

    for (;; r *= 2) {
        satk_sum_in(codes, satk_matte_around({x, x + 1, y, y + 1}, r, codes.width, codes.height),
                    total);
        if (total[2 * SATK_BACKGROUND + COUNT] && total[2 * SATK_SUBJECT + COUNT])
            break;
        if (once || r >= longest)
            return false;
    }
    for (int side = 0; side < SATK_SIDES; side++)
        mean->of[side] = satk_follow_mean(total[2 * side + CODES], total[2 * side + COUNT]);
    return true;
}

static __global__ void __launch_bounds__(SATK_MATTE_THREADS)
    settle(const __grid_constant__ satk_follow job, const __grid_constant__ follow_work work)
{
    const satk_matte_area tile = satk_matte_tile(job.map);
    const int x = satk_matte_column(tile), first = satk_matte_row(tile);
    const int reach = satk_follow_reach(&job.map), levels = levels_of(reach);
    unsigned count = 0;
    int level = 0;

    while (level < levels - 1 && !has_both(work.has, level))
        level++;
    for (int y = first; y < min(first + SATK_MATTE_STRIP, tile.y1) && x < tile.x1; y++) {
        const int search = work.search[(size_t)y * job.map.width + x];
        satk_side_means mean;
        if (search != SATK_INSIDE) {
            const bool is_found = find_means(work.codes, x, y, 2 * (reach >> level),
                                             search == SATK_SOUGHT_ONCE, &mean);
            count += (unsigned)satk_follow_settle(&job, x, y, is_found ? &mean : NULL);
        } else if (job.dst.data != job.map.data)
            satk_put_sample(&job.dst, x, y, 0, satk_sample_at(&job.map, x, y, 0));
    }
    satk_matte_add(&job.counts[SATK_FOLLOWED], count);
}

/* --- Launch ----------------------------------------------------------------------------------- */

size_t satk_follow_scratch_cuda(const satk_follow *job)
{
    follow_work work;

    return divide(job, &work);
}

/* Marks by all radii; the device returns from those that are not needed. */
static int mark_all(const satk_follow *job, const follow_work &work, cudaStream_t stream)
{
    const int levels = levels_of(satk_follow_reach(&job->map));
    int error = satk_build_matte_sums(sides_source{job->matte}, work.sides, stream);

    for (int level = 0; level < levels && !error; level++) {
        mark<<<satk_matte_blocks(&job->map), SATK_MATTE_THREADS, 0, stream>>>(*job, work, level);
        error = satk_launched(stream);
    }
    return error;
}

int satk_follow_cuda(const satk_follow *job, void *of)
{
    cudaStream_t const stream = (cudaStream_t)of;
    follow_work work;

    (void)divide(job, &work);
    int error =
        (int)cudaMemsetAsync(job->counts, 0, SATK_FOLLOW_COUNTS * sizeof *job->counts, stream);
    if (!error)
        error = (int)cudaMemsetAsync(work.has, 0, MOST_LEVELS * sizeof *work.has, stream);
    if (!error)
        error = mark_all(job, work, stream);
    if (!error)
        error = satk_build_matte_sums(codes_source{job->matte, job->map, work.search}, work.codes,
                                      stream);
    if (error)
        return error;
    settle<<<satk_matte_blocks(&job->map), SATK_MATTE_THREADS, 0, stream>>>(*job, work);
    return satk_launched(stream);
}
