/* The sums of box_slide_cuda.cu: those of each column, as rows enter and leave, and a row of them, scanned. */
#ifndef SATK_BOX_SLIDE_CUH
#define SATK_BOX_SLIDE_CUH

#include "box/box_fused.cuh"
#include "box/box_tune.cuh"
#include "common/scan.cuh"

#include <string.h>
#include <type_traits>

namespace
{

constexpr int own = SATK_SLIDE_COLUMNS; /* of a thread, side by side */
constexpr int most_threads = SATK_SLIDE_THREADS, most_warps = most_threads / SATK_WARP;
constexpr int most_columns = own * most_threads;
constexpr int64_t largest = SATK_SLIDE_LARGEST;

static_assert(own == 8,
              "columns are loaded in units of 8 or 16 bytes, and stored as 4 words twice");
static_assert(largest * 255 + largest / 2 < (int64_t)1 << 31, "or mean() may be 2 too small");

struct sliding {
    satk_box box;
    int radius_x, radius_y;
    int rows, bands;       /* of a band; and how many there are */
    int segment, segments; /* columns of a segment that get means; and how many there are */
    int threads;           /* of a block that slides */
    size_t width;          /* columns of sums, a whole number for each thread */
    uint32_t *sums; /* [band][colour][column]: of all rows above; one band more than there are */
    bool wide;      /* the picture's rows are 16-byte aligned */
};

/* --- Column sums ------------------------------------------------------------------------------ */

/* Returns the number less a byte of the word. */
__device__ __forceinline__ uint32_t less_byte(uint32_t word, int byte, uint32_t number)
{
#ifdef __NVCC__
    uint32_t less;
    asm("dp4a.u32.s32 %0, %1, %2, %3;"
        : "=r"(less)
        : "r"(word), "r"(0xff << 8 * byte), "r"(number)); /* times -1 */
    return less;
#else
    return number - (word >> 8 * byte & 255);
#endif
}

/* The codes of a thread's columns in a row, packed. */
template <int CHANNELS> struct codes_of {
    static constexpr int bytes = own * CHANNELS;
    uint32_t word[bytes / 4];

    /* Loads the codes. there: columns in the picture; beyond it they are 0. */
    __device__ __forceinline__ void load(const uint8_t *from, int there, bool wide)
    {
        typedef typename std::conditional<bytes % 16 == 0, uint4, uint2>::type unit;

        if (wide && there >= own) {
#pragma unroll
            for (int i = 0; i < bytes / (int)sizeof(unit); i++) {
                const unit v = __ldg((const unit *)from + i);
                memcpy((char *)word + i * sizeof v, &v, sizeof v);
            }
            return;
        }
#pragma unroll
        for (int i = 0; i < bytes / 4; i++)
            word[i] = 0;
#pragma unroll
        for (int i = 0; i < bytes; i++)
            if (i < there * CHANNELS)
                word[i / 4] |= (uint32_t)from[i] << 8 * (i % 4);
    }
};

template <int CHANNELS> struct column_sums {
    static constexpr int colours = satk_opaque<CHANNELS>::colours;
    uint32_t sum[colours][own];

    /* Adds the codes, or subtracts them. */
    template <bool ADD> __device__ __forceinline__ void add(const codes_of<CHANNELS> &codes)
    {
#pragma unroll
        for (int i = 0; i < own; i++)
#pragma unroll
            for (int c = 0; c < colours; c++) {
                const int at = i * CHANNELS + c, byte = at % 4;
                const uint32_t word = codes.word[at / 4];
                sum[c][i] = ADD ? __dp4a(word, 1u << 8 * byte, sum[c][i])
                                : less_byte(word, byte, sum[c][i]);
            }
    }
};

/* A thread's columns. */
struct place {
    int column, there; /* the first one; how many are in the picture */
};

__device__ __forceinline__ place place_at(const sliding &job, int column)
{
    return {column, min(max(job.box.src.width - column, 0), own)};
}

/* Adds rows from..to of the picture to the sums, or subtracts them. */
template <int CHANNELS, bool ADD>
__device__ __forceinline__ void add_rows(const sliding &job, const place &at, int from, int to,
                                         column_sums<CHANNELS> *sums)
{
    const satk_plane &src = job.box.src;

#pragma unroll 4
    for (int y = from; y < to; y++) {
        codes_of<CHANNELS> codes;
        codes.load(satk_pixel_of(src, at.column, y, CHANNELS), at.there, job.wide);
        sums->template add<ADD>(codes);
    }
}

/* --- A row's prefixes ------------------------------------------------------------------------- */

/* Of a block, in shared memory. */
template <int COLOURS> struct row_table {
    uint32_t totals[COLOURS][most_warps];
    alignas(16) uint32_t prefix[1]; /* [colour][slot of a column] */
};

/* Returns the place of a column's word. Every other 32 words have their pairs of 4 the other way
 * round, so that threads that store 4 of their own 8 use different banks. */
__device__ __forceinline__ int slot_of(int column)
{
    return column ^ (column >> 5 & 1) << 2;
}

/* Returns the words of a colour; the last one is the sum of all columns. */
__host__ __device__ __forceinline__ int slots_of(int threads)
{
    return own * threads + 4;
}

/* Finds the sums left of the thread's columns, in the block. */
template <int COLOURS, int CHANNELS>
__device__ __forceinline__ void scan_row(const column_sums<CHANNELS> &sums,
                                         row_table<COLOURS> *table, uint32_t *before)
{
    const int lane = (int)threadIdx.x % SATK_WARP, warp = (int)threadIdx.x / SATK_WARP;
    const int warps = (int)blockDim.x / SATK_WARP;

#pragma unroll
    for (int c = 0; c < COLOURS; c++) {
        uint32_t total = 0;
#pragma unroll
        for (int i = 0; i < own; i++)
            total += sums.sum[c][i];
        const uint32_t scanned = satk_warp_scan(total);
        if (lane == SATK_WARP - 1)
            table->totals[c][warp] = scanned;
        before[c] = scanned - total;
    }
    __syncthreads(); /* and all readers of the row before are done */
#pragma unroll
    for (int c = 0; c < COLOURS; c++) {
        const uint32_t total = lane < warps ? table->totals[c][lane] : 0;
        const uint32_t scanned = satk_warp_scan(total);
        before[c] += __shfl_sync(0xffffffffu, scanned - total, warp);
    }
}

template <int COLOURS, int CHANNELS>
__device__ __forceinline__ void put_row(const column_sums<CHANNELS> &sums, const uint32_t *before,
                                        row_table<COLOURS> *table)
{
    const int first = (int)threadIdx.x * own, slots = slots_of((int)blockDim.x);

#pragma unroll
    for (int c = 0; c < COLOURS; c++) {
        uint32_t *const prefix = table->prefix + c * slots;
        uint32_t words[own], sum = before[c];
#pragma unroll
        for (int i = 0; i < own; i++) {
            words[i] = sum;
            sum += sums.sum[c][i];
        }
#pragma unroll
        for (int i = 0; i < own; i += 4)
            *(uint4 *)(prefix + slot_of(first + i)) = {words[i], words[i + 1], words[i + 2],
                                                       words[i + 3]};
        if (threadIdx.x == blockDim.x - 1)
            prefix[slot_of(first + own)] = sum;
    }
}

} // namespace

#endif
