/* What the tiles of a one-pass table tell each other.
 *
 * The picture is cut into strips of columns and chunks of rows; a tile is where the two meet, and so many
 * chunks are a band. A tile publishes its rows' sums and its last row's words, and then asks for
 *
 *     rows     the sums of the tiles to the left of it
 *     tops     the last rows of the tiles above it in its band
 *     corners  the last words of those, for tiles that are neither
 *     base     the table's row above the band, from the last chunk of the band before
 *
 * all at once: nobody waits for what others have to hear first, but the base. What is read so grows with the
 * number of strips and a band's chunks, not with a tile's pixels.
 *
 * What is published carries the number of the build (sat_unit.cuh), so the board outlives a build and need not be
 * cleared: only before its first use is it zero. Tiles are numbered in the order in which blocks draw tickets, unless all of
 * them run at the same time; whoever has the last one opens the next build. */
#ifndef SATK_SAT_BOARD_CUH
#define SATK_SAT_BOARD_CUH

#include "array.h"
#include "sat_unit.cuh"
#include "scan.cuh"

#include <type_traits>

struct satk_board {
    unsigned long long *ticket; /* builds so far << 32 | tiles drawn */
    uint4 *rows;                /* [tile][unit of its rows' sums] */
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

/* --- Numbers ---------------------------------------------------------------------------------- */

/* The block's tile, by ticket. Called by all threads; has a barrier. */
static __device__ __forceinline__ satk_spot satk_draw_tile_of(const satk_board &board)
{
    __shared__ unsigned long long drawn;
    satk_spot spot;

    if (threadIdx.x == 0) {
        drawn = atomicAdd(board.ticket, 1ull);
        if ((uint32_t)drawn == board.tiles - 1)
            *board.ticket = (drawn >> 32) + 1 << 32;
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

/* The block's tile where all tiles of the one picture run at the same time: a block each, in a grid as wide as
 * the tiles. They are one band. The build is not known yet: satk_this_build(). */
static __device__ __forceinline__ satk_spot satk_own_tile(void)
{
    satk_spot spot = {};

    spot.tile = blockIdx.y * gridDim.x + blockIdx.x;
    spot.strip = blockIdx.x;
    spot.chunk = spot.level = blockIdx.y;
    return spot;
}

static __device__ __forceinline__ uint32_t satk_this_build(const satk_board &board)
{
    return (uint32_t)(__ldcg(board.ticket) >> 32) + 1;
}

/* The last tile, which has heard of all others, opens the next build. */
static __device__ __forceinline__ void satk_end_build(const satk_board &board,
                                                      const satk_spot &spot)
{
    if (spot.tile == board.tiles - 1 && threadIdx.x == 0)
        *board.ticket = (unsigned long long)spot.build << 32;
}

/* --- Listening -------------------------------------------------------------------------------- */

/* Units of a tile, by what they hold. */
template <typename TILE> struct satk_units {
    enum {
        pack = TILE::bytes8 ? 4 : 8 / (int)sizeof(typename TILE::word), /* words of a unit */
        wide = 8 / (int)sizeof(typename TILE::word),                    /* and of one of a base */
        row = TILE::sums / pack,
        top = TILE::words / pack,
        corner = (TILE::channels + pack - 1) / pack,
        base = TILE::words / wide
    };
    static_assert(TILE::sums % pack == 0 && TILE::words % pack == 0, "whole units");
};

/* Where what is heard is added up. Words of a unit lie apart and those of neighbouring units side by side,
 * so that a warp's additions go to different banks. */
template <typename TILE> struct satk_heard {
    typedef typename TILE::word word;
    typedef satk_units<TILE> units;
    word top[TILE::words], left[TILE::sums], corner[TILE::channels];

    __device__ __forceinline__ word *top_at(int i)
    {
        return top + i % units::pack * units::top + i / units::pack;
    }
    __device__ __forceinline__ word *left_at(int i)
    {
        return left + i % units::pack * units::row + i / units::pack;
    }
    /* By all threads, before a barrier. */
    __device__ __forceinline__ void clear()
    {
        for (int i = threadIdx.x; i < TILE::words; i += TILE::threads)
            top[i] = 0;
        for (int i = threadIdx.x; i < TILE::sums; i += TILE::threads)
            left[i] = 0;
        if (threadIdx.x < TILE::channels)
            corner[threadIdx.x] = 0;
    }
};

template <typename S> static __device__ __forceinline__ S satk_warp_total(S value)
{
#if __CUDA_ARCH__ >= 800
    if constexpr (sizeof(S) == 4)
        return __reduce_add_sync(0xffffffffu, value);
    else
#endif
        return satk_warp_reduce(value);
}

template <typename T> static __device__ __forceinline__ void satk_add_to(T *sum, T value)
{
    typedef typename std::conditional<sizeof(T) == 4, unsigned, unsigned long long>::type bits;
    atomicAdd((bits *)sum, (bits)value);
}

/* The same unit of several tiles, added up: what one thread hears. ASKED of them are on their way at a time. */
template <typename TILE, int ASKED> struct satk_ear {
    typedef typename TILE::word word;
    enum { pack = satk_units<TILE>::pack };
    const uint4 *from = NULL;
    uint32_t step = 0; /* to the next tile */
    int tiles = 0;     /* not yet heard */
    uint4 unit[ASKED];
    word sum[pack] = {};

    __device__ __forceinline__ void ask()
    {
#pragma unroll
        for (int i = 0; i < ASKED; i++)
            if (i < tiles)
                unit[i] = satk_hear(from + i * step);
    }

    __device__ __forceinline__ void hear(uint32_t build)
    {
#pragma unroll
        for (int i = 0; i < ASKED; i++) {
            if (i >= tiles)
                break;
            word words[pack];
            satk_unpack<TILE>(satk_wait(from + i * step, unit[i], build), words);
#pragma unroll
            for (int j = 0; j < pack; j++)
                sum[j] += words[j];
        }
        from += ASKED * step;
        tiles -= ASKED;
    }
};

/* Units of `tiles` tiles, `step` apart, shared out among the threads: each has a unit of every tile or, where
 * there are threads enough, of every second one and so on. */
template <typename TILE, int UNITS, int ASKED> struct satk_ears {
    enum {
        each = (UNITS + TILE::threads - 1) / TILE::threads, /* of a thread */
        groups = each > 1 ? 1 : TILE::threads / UNITS,
        pack = satk_units<TILE>::pack
    };
    satk_ear<TILE, ASKED> ear[each];

    __device__ __forceinline__ satk_ears(const uint4 *first, size_t step, int tiles)
    {
#pragma unroll
        for (int e = 0; e < each; e++) {
            const int number = e * TILE::threads + threadIdx.x;
            const int group = each > 1 ? 0 : number / UNITS;
            const int unit = each > 1 ? number : number % UNITS;
            if (group >= groups || unit >= UNITS || group >= tiles)
                continue;
            ear[e].from = first + group * step + unit;
            ear[e].step = (uint32_t)(groups * step);
            ear[e].tiles = (tiles - group + groups - 1) / groups;
        }
    }

    __device__ __forceinline__ bool is_done() const
    {
        return ear[0].tiles <= 0; /* the others have no more */
    }

    __device__ __forceinline__ void ask()
    {
#pragma unroll
        for (int e = 0; e < each; e++)
            ear[e].ask();
    }

    __device__ __forceinline__ void hear(uint32_t build)
    {
#pragma unroll
        for (int e = 0; e < each; e++)
            ear[e].hear(build);
    }

    /* Word j of unit i to sums[j * UNITS + i]. */
    __device__ __forceinline__ void add_to(typename TILE::word *sums) const
    {
#pragma unroll
        for (int e = 0; e < each; e++) {
            if (!ear[e].from)
                continue;
            const int unit = (e * TILE::threads + threadIdx.x) % (each > 1 ? 1 << 30 : UNITS);
#pragma unroll
            for (int j = 0; j < pack; j++)
                satk_add_to(sums + j * UNITS + unit, ear[e].sum[j]);
        }
    }
};

/* The last words of the tiles that are above and to the left; a thread hears a tile at a time. */
template <typename TILE> struct satk_corners {
    typedef typename TILE::word word;
    typedef satk_units<TILE> units;
    const uint4 *first; /* the first tile's last units */
    int strip, strips, tiles, at;
    uint4 unit[units::corner];
    word sum[TILE::channels] = {};

    __device__ __forceinline__ satk_corners(const satk_board &board, const satk_spot &spot)
        : first(board.tops + ((size_t)spot.first + 1) * units::top - units::corner),
          strip(spot.strip), strips(board.strips), tiles(spot.strip * spot.level), at(threadIdx.x)
    {
    }

    __device__ __forceinline__ bool is_done() const
    {
        return at >= tiles;
    }

    __device__ __forceinline__ const uint4 *where() const
    {
        return first + ((size_t)(at / strip) * strips + at % strip) * units::top;
    }

    __device__ __forceinline__ void ask()
    {
        if (at < tiles)
#pragma unroll
            for (int i = 0; i < units::corner; i++)
                unit[i] = satk_hear(where() + i);
    }

    __device__ __forceinline__ void hear(uint32_t build)
    {
        enum { BEFORE = units::corner * units::pack - TILE::channels }; /* the last pixel */
        word words[units::corner * units::pack];

        if (at >= tiles)
            return;
#pragma unroll
        for (int i = 0; i < units::corner; i++)
            satk_unpack<TILE>(satk_wait(where() + i, unit[i], build), words + i * units::pack);
#pragma unroll
        for (int c = 0; c < TILE::channels; c++)
            sum[c] += words[BEFORE + c];
        at += TILE::threads;
    }

    /* Called by whole warps. */
    __device__ __forceinline__ void add_to(word *sums) const
    {
        if (tiles == 0)
            return;
#pragma unroll
        for (int c = 0; c < TILE::channels; c++) {
            const word all = satk_warp_total(sum[c]);
            if (threadIdx.x % SATK_WARP == 0 && all)
                satk_add_to(sums + c, all);
        }
    }
};

/* Adds the table's row above the band. */
template <typename TILE>
static __device__ __forceinline__ void
satk_hear_base(const satk_board &board, const satk_spot &spot, satk_heard<TILE> *heard)
{
    typedef satk_units<TILE> units;
    const uint4 *const base =
        board.bases + ((size_t)(spot.band - 1) * board.strips + spot.strip) * units::base;

    for (int i = threadIdx.x; i < units::base; i += TILE::threads) {
        typename TILE::word words[units::wide];
        satk_words_of(satk_wait(base + i, satk_hear(base + i), spot.build), words);
#pragma unroll
        for (int j = 0; j < units::wide; j++)
            satk_add_to(heard->top_at(i * units::wide + j), words[j]);
    }
}

template <typename EARS, typename T>
static __device__ __forceinline__ void satk_hear_out(EARS *ears, uint32_t build, T *sums)
{
    while (!ears->is_done()) {
        ears->ask();
        ears->hear(build);
    }
    ears->add_to(sums);
}

/* Hears all that the tile needs. at_once: as much as there is room for is asked for before anything is waited
 * for; without it, registers are saved. Called by all threads, between barriers. */
template <typename TILE>
static __device__ __forceinline__ void satk_listen(const satk_board &board, const satk_spot &spot,
                                                   satk_heard<TILE> *heard)
{
    typedef satk_units<TILE> units;
    satk_ears<TILE, units::row, SATK_TABLE_ASKED> rows(
        board.rows + (size_t)(spot.tile - spot.strip) * units::row, units::row, spot.strip);
    satk_ears<TILE, units::top, SATK_TABLE_ASKED> tops(
        board.tops + (size_t)(spot.first + spot.strip) * units::top,
        (size_t)board.strips * units::top, spot.level);
    satk_corners<TILE> corners(board, spot);

    if (TILE::at_once) {
        rows.ask();
        tops.ask();
        corners.ask();
        rows.hear(spot.build);
        tops.hear(spot.build);
        corners.hear(spot.build);
    }
    satk_hear_out(&rows, spot.build, heard->left);
    satk_hear_out(&tops, spot.build, heard->top);
    satk_hear_out(&corners, spot.build, heard->corner);
    if (spot.chunk > spot.level)
        satk_hear_base<TILE>(board, spot, heard);
}

/* --- Host ------------------------------------------------------------------------------------- */

/* Divides pictures of width x height pixels into tiles, the board at `memory` among them; its bytes. */
template <typename TILE>
static size_t satk_lay_out(satk_board *board, int width, int height, int pictures, void *memory)
{
    typedef satk_units<TILE> units;
    uint8_t *const base = (uint8_t *)memory;
    size_t bytes = 0;

    board->strips = (width + TILE::width - 1) / TILE::width;
    board->chunks = (height + TILE::height - 1) / TILE::height;
    board->tiles = (uint32_t)board->strips * (uint32_t)board->chunks * (uint32_t)pictures;
    board->levels = TILE::band / board->strips;
    if (board->levels < SATK_TABLE_LEVELS)
        board->levels = SATK_TABLE_LEVELS;
    if (board->levels > SATK_TABLE_MOST_LEVELS)
        board->levels = SATK_TABLE_MOST_LEVELS;
    const size_t bands =
        (size_t)((board->chunks + board->levels - 1) / board->levels) * (size_t)pictures;
    board->ticket = (unsigned long long *)(base + satk_place(&bytes, 1, sizeof *board->ticket));
    board->rows = (uint4 *)(base + satk_place(&bytes, (size_t)board->tiles * units::row, 16));
    board->tops = (uint4 *)(base + satk_place(&bytes, (size_t)board->tiles * units::top, 16));
    board->bases = (uint4 *)(base + satk_place(&bytes, bands * board->strips * units::base, 16));
    return bytes;
}

#endif
