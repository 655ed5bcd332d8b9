/* The exchange of sums between the tiles of a gray picture's table.
 *
 * The picture is cut into strips of columns and chunks of rows; a tile is where the two meet. Some chunks
 * are a band. A tile publishes the last column and the last row of its own table, and then asks for
 *
 *     rows     the last columns of the tiles to the left of it
 *     tops     the last rows of the tiles above it in its band
 *     corners  the last words of tiles in its band that are neither
 *     base     the table's row above the band, from the last chunk of the band before
 *
 * all at once. Only the base depends on messages that its sender has to wait for. Reads grow with the number
 * of strips and of a band's chunks, but a tile waits for one message, where look-back (sat_board.cuh) waits
 * for at least two, one after the other.
 *
 * Messages are units of 16 bytes, written and read whole, so that no fence is needed: four sums of 24 bits, or two
 * words of the table, and the number of the build. The number makes a board outlive its build: it is cleared
 * before its first use only. Tiles are numbered in the order in which blocks draw tickets, unless all of
 * them run at the same time. The block with the last number opens the next build. */
#ifndef SATK_SAT_BAND_CUH
#define SATK_SAT_BAND_CUH

#include "common/parts.h"
#include "common/scan.cuh"
#include "common/words.cuh"
#include "sat/sat_board.cuh"
#include "sat/sat_tune.cuh"

struct satk_band_board {
    unsigned long long *ticket; /* builds so far << 32 | tiles drawn */
    uint4 *rows;                /* [tile][unit of its last column] */
    uint4 *tops;                /* [tile][unit of its last row] */
    uint4 *bases;               /* [band][strip][unit of the table's row below] */
    int strips, chunks, levels; /* of a picture; levels: chunks of a band */
    uint32_t tiles;             /* of all pictures */
};

/* A tile's place. */
struct satk_spot {
    uint32_t tile, build;
    uint32_t first, band; /* the band's first tile; its number, through all pictures */
    int strip, chunk, level;
    size_t picture;
};

/* --- Units ------------------------------------------------------------------------------------ */

static __device__ __forceinline__ uint4 satk_pack(uint4 sums, uint32_t build)
{
    return {sums.x | sums.w << 24, sums.y | (sums.w << 16 & 0xff000000u),
            sums.z | (sums.w << 8 & 0xff000000u), build};
}

static __device__ __forceinline__ uint4 satk_unpack(uint4 unit)
{
    return {unit.x & 0xffffffu, unit.y & 0xffffffu, unit.z & 0xffffffu,
            unit.x >> 24 | unit.y >> 24 << 8 | unit.z >> 24 << 16};
}

/* One access each (PTX ISA, "Memory Consistency Model": 16 bytes of type b128 are not torn). */
static __device__ __forceinline__ void satk_send(uint4 *to, uint4 unit)
{
#ifdef __NVCC__
    const unsigned long long low = (unsigned long long)unit.y << 32 | unit.x;
    const unsigned long long high = (unsigned long long)unit.w << 32 | unit.z;
    asm volatile("{\n\t.reg .b128 unit;\n\tmov.b128 unit, {%1, %2};\n\t"
                 "st.relaxed.gpu.global.b128 [%0], unit;\n\t}" ::"l"(to),
                 "l"(low), "l"(high)
                 : "memory");
#else
    to->x = unit.x, to->y = unit.y, to->z = unit.z;
    __atomic_store_n(&to->w, unit.w, __ATOMIC_RELEASE);
#endif
}

static __device__ __forceinline__ uint4 satk_poll(const uint4 *from)
{
#ifdef __NVCC__
    unsigned long long low, high;
    asm volatile("{\n\t.reg .b128 unit;\n\tld.relaxed.gpu.global.b128 unit, [%2];\n\t"
                 "mov.b128 {%0, %1}, unit;\n\t}"
                 : "=l"(low), "=l"(high)
                 : "l"(from)
                 : "memory");
    return {(uint32_t)low, (uint32_t)(low >> 32), (uint32_t)high, (uint32_t)(high >> 32)};
#else
    const uint32_t build = __atomic_load_n(&from->w, __ATOMIC_ACQUIRE);
    return {from->x, from->y, from->z, build};
#endif
}

/* Waits for the unit of this build; `unit` may be an older one. */
static __device__ __forceinline__ uint4 satk_wait(const uint4 *from, uint4 unit, uint32_t build)
{
    while (unit.w != build)
        unit = satk_poll(from);
    return unit;
}

/* --- Numbers ---------------------------------------------------------------------------------- */

/* Draws the block's tile, by ticket. All threads call it; it has a barrier. */
static __device__ __forceinline__ satk_spot satk_draw_spot(const satk_band_board &board)
{
    __shared__ unsigned long long drawn;
    satk_spot spot;

    if (threadIdx.x == 0) {
        drawn = atomicAdd(board.ticket, 1ull);
        if ((uint32_t)drawn == board.tiles - 1)
            *board.ticket = satk_next_ticket((uint32_t)(drawn >> 32) + 1);
    }
    __syncthreads();
    spot.tile = (uint32_t)drawn;
    spot.build = (uint32_t)(drawn >> 32) + 1;
    const uint32_t each = (uint32_t)board.strips * board.chunks;
    const int bands = (board.chunks + board.levels - 1) / board.levels;
    spot.picture = spot.tile / each;
    spot.strip = spot.tile % board.strips;
    spot.chunk = spot.tile % each / board.strips;
    spot.level = spot.chunk % board.levels;
    spot.first = spot.tile - spot.strip - (uint32_t)spot.level * board.strips;
    spot.band = (uint32_t)spot.picture * bands + spot.chunk / board.levels;
    return spot;
}

/* Finds the block's tile where all tiles of the one picture run at the same time: a block each, in
 * a grid as wide as the tiles. They are one band. The build is not known yet: satk_read_build(). */
static __device__ __forceinline__ satk_spot satk_own_spot(void)
{
    satk_spot spot = {};

    spot.tile = blockIdx.y * gridDim.x + blockIdx.x;
    spot.strip = blockIdx.x;
    spot.chunk = spot.level = blockIdx.y;
    return spot;
}

/* Reads the build's number by one thread, before a barrier: no tile receives a message of this one earlier, so the next
 * build is not open yet. Behind the barrier, `build` holds the number. */
static __device__ __forceinline__ void satk_read_build(const satk_band_board &board,
                                                       uint32_t *build)
{
    if (threadIdx.x == 0)
        *build = (uint32_t)(__ldcg(board.ticket) >> 32) + 1;
}

/* Opens the next build, by the last tile: it has received the messages of all others. */
static __device__ __forceinline__ void satk_end_build(const satk_band_board &board,
                                                      const satk_spot &spot)
{
    if (spot.tile == board.tiles - 1 && threadIdx.x == 0)
        *board.ticket = satk_next_ticket(spot.build);
}

/* --- Receiving -------------------------------------------------------------------------------- */

/* Units of a tile. */
template <typename TILE> struct satk_units {
    enum { row = TILE::height / 4, top = TILE::width / 4, base = TILE::width / 2 };
    static_assert((int)TILE::threads >= (int)base && (int)TILE::threads >= (int)row,
                  "a thread has one of each");
};

/* Sums of all messages that the tile receives. The four words of a unit lie apart and those of neighbouring
 * units side by side, so that a warp's additions go to different banks. */
template <typename TILE> struct satk_received {
    typedef satk_units<TILE> units;
    uint32_t top[4][units::top], left[4][units::row], corner;

    __device__ __forceinline__ uint4 above(int unit) const
    {
        return {top[0][unit] + corner, top[1][unit] + corner, top[2][unit] + corner,
                top[3][unit] + corner};
    }
    __device__ __forceinline__ uint32_t left_of(int row) const
    {
        return left[row % 4][row / 4];
    }
    /* Clears the sums. All threads call it, before a barrier. */
    __device__ __forceinline__ void clear()
    {
        uint32_t *const tops = &top[0][0], *const lefts = &left[0][0];

        for (int i = threadIdx.x; i < 4 * units::top; i += TILE::threads)
            tops[i] = 0;
        for (int i = threadIdx.x; i < 4 * units::row; i += TILE::threads)
            lefts[i] = 0;
        if (threadIdx.x == 0)
            corner = 0;
    }
};

/* Messages of `tiles` tiles, UNITS from each, `step` units apart. Groups of threads share them: a
 * thread adds up one unit of each `groups`-th tile. SATK_GRAY_ASKED are on their way at a time. */
template <typename TILE, int UNITS> struct satk_receiver {
    enum { groups = TILE::threads / UNITS };
    const uint4 *from;
    uint32_t step;
    int tiles, unit; /* tiles: not yet received */
    uint4 asked[SATK_GRAY_ASKED], sum = {0, 0, 0, 0};

    __device__ __forceinline__ satk_receiver(const uint4 *first, uint32_t step_of_tiles,
                                             int of_tiles)
        : step(groups * step_of_tiles), unit(threadIdx.x % UNITS)
    {
        const int group = threadIdx.x / UNITS;

        from = first + group * step_of_tiles + unit;
        tiles = group < groups ? (of_tiles - group + groups - 1) / groups : 0;
    }

    __device__ __forceinline__ void ask()
    {
#pragma unroll
        for (int i = 0; i < SATK_GRAY_ASKED; i++)
            if (i < tiles)
                asked[i] = satk_poll(from + i * step);
    }

    __device__ __forceinline__ void receive(uint32_t build)
    {
#pragma unroll
        for (int i = 0; i < SATK_GRAY_ASKED; i++)
            if (i < tiles)
                sum = satk_plus(sum, satk_unpack(satk_wait(from + i * step, asked[i], build)));
        from += SATK_GRAY_ASKED * step;
        tiles -= SATK_GRAY_ASKED;
    }

    /* Receives the rest, and adds the sum to `sums`. */
    __device__ __forceinline__ void finish(uint32_t build, uint32_t (*sums)[UNITS])
    {
        while (tiles > 0) {
            ask();
            receive(build);
        }
        if (sum.x | sum.y | sum.z | sum.w) {
            atomicAdd(&sums[0][unit], sum.x);
            atomicAdd(&sums[1][unit], sum.y);
            atomicAdd(&sums[2][unit], sum.z);
            atomicAdd(&sums[3][unit], sum.w);
        }
    }
};

/* The last words of the tiles above and to the left, shared out among the block's threads. */
template <typename TILE> struct satk_corner_receiver {
    typedef satk_units<TILE> units;
    const uint4 *first; /* the band's first tile's last unit */
    int strip, strips, tiles, at;
    uint32_t sum;
    uint4 asked;

    __device__ __forceinline__ satk_corner_receiver(const satk_band_board &board,
                                                    const satk_spot &spot)
        : first(board.tops + ((size_t)spot.first + 1) * units::top - 1), strip(spot.strip),
          strips(board.strips), tiles(spot.strip * spot.level), at(threadIdx.x), sum(0)
    {
    }

    __device__ __forceinline__ const uint4 *where() const
    {
        return first + ((size_t)(at / strip) * strips + at % strip) * units::top;
    }

    __device__ __forceinline__ void ask()
    {
        if (at < tiles)
            asked = satk_poll(where());
    }

    __device__ __forceinline__ void receive(uint32_t build)
    {
        if (at < tiles)
            sum += satk_unpack(satk_wait(where(), asked, build)).w;
        at += TILE::threads;
    }

    __device__ __forceinline__ void finish(uint32_t build, uint32_t *corner)
    {
        while (at < tiles) {
            ask();
            receive(build);
        }
        if (tiles == 0)
            return;
        sum = satk_warp_total(sum);
        if (threadIdx.x % SATK_WARP == 0 && sum)
            atomicAdd(corner, sum);
    }
};

/* Receives all that the tile needs. at_once: asks for as much as there is room for before it waits;
 * without it, registers are saved. All threads call it, between barriers. */
template <typename TILE>
static __device__ __forceinline__ void
satk_receive_all(const satk_band_board &board, const satk_spot &spot, satk_received<TILE> *received)
{
    typedef satk_units<TILE> units;
    typedef satk_receiver<TILE, units::row> row_receiver;
    typedef satk_receiver<TILE, units::top> top_receiver;
    const uint4 *const left = board.rows + (size_t)(spot.tile - spot.strip) * units::row;
    const uint4 *const above = board.tops + (size_t)(spot.first + spot.strip) * units::top;
    const uint32_t chunk = (uint32_t)board.strips * units::top;

    if constexpr (TILE::at_once) {
        row_receiver rows(left, units::row, spot.strip);
        top_receiver tops(above, chunk, spot.level);
        satk_corner_receiver<TILE> corners(board, spot);
        rows.ask();
        tops.ask();
        corners.ask();
        rows.receive(spot.build);
        tops.receive(spot.build);
        corners.receive(spot.build);
        rows.finish(spot.build, received->left);
        tops.finish(spot.build, received->top);
        corners.finish(spot.build, &received->corner);
    } else {
        row_receiver(left, units::row, spot.strip).finish(spot.build, received->left);
        top_receiver(above, chunk, spot.level).finish(spot.build, received->top);
        satk_corner_receiver<TILE>(board, spot).finish(spot.build, &received->corner);
    }
    if (spot.chunk > spot.level && threadIdx.x < units::base) {
        const int i = threadIdx.x;
        const uint4 *const base =
            board.bases + ((size_t)(spot.band - 1) * board.strips + spot.strip) * units::base + i;
        const uint4 words = satk_wait(base, satk_poll(base), spot.build);
        atomicAdd(&received->top[i % 2 * 2][i / 2], words.x);
        atomicAdd(&received->top[i % 2 * 2 + 1][i / 2], words.y);
    }
}

/* --- Host ------------------------------------------------------------------------------------- */

/* Divides pictures of width x height pixels into tiles, which share the board at `memory`. Returns
 * the board's bytes. */
template <typename TILE>
static size_t satk_lay_out(satk_band_board *board, int width, int height, int pictures,
                           void *memory)
{
    typedef satk_units<TILE> units;
    uint8_t *const base = (uint8_t *)memory;
    size_t bytes = 0;

    board->strips = (width + TILE::width - 1) / TILE::width;
    board->chunks = (height + TILE::height - 1) / TILE::height;
    board->tiles = (uint32_t)board->strips * (uint32_t)board->chunks * (uint32_t)pictures;
    board->levels = SATK_GRAY_BAND / board->strips;
    if (board->levels < SATK_GRAY_LEVELS)
        board->levels = SATK_GRAY_LEVELS;
    if (board->levels > SATK_GRAY_MOST_LEVELS)
        board->levels = SATK_GRAY_MOST_LEVELS;
    const size_t bands =
        (size_t)((board->chunks + board->levels - 1) / board->levels) * (size_t)pictures;
    board->ticket = (unsigned long long *)(base + satk_place(&bytes, 1, sizeof *board->ticket));
    board->rows = (uint4 *)(base + satk_place(&bytes, (size_t)board->tiles * units::row, 16));
    board->tops = (uint4 *)(base + satk_place(&bytes, (size_t)board->tiles * units::top, 16));
    board->bases = (uint4 *)(base + satk_place(&bytes, bands * board->strips * units::base, 16));
    return bytes;
}

#endif
