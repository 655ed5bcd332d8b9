/* The sums of box_slide_cuda.cu: those of each column, as rows enter and leave, and a row of them, scanned.
 *
 * Codes are summed as they are, or as samples from a table in shared memory, which alpha may weight; half floats as
 * samples that are computed. A column's sum has 32 bits, or 64 of half floats. Where a window's has more than 32, the
 * table of a row has the columns' upper parts in a plane of their own. Their sum over a window is short of the window's
 * by less than 2^32, so the other plane's 32 bits tell the rest.
 *
 * With a fraction, the rows and columns just outside count, too, but less. A column's sum has its rows' weights. The row of
 * these sums is read as two nested windows. */
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
constexpr int64_t largest = SATK_SLIDE_LARGEST;

static_assert(own == 8,
              "columns are loaded in units of 8 or 16 bytes, and stored as 4 words twice");
static_assert(largest * 255 + largest / 2 < (int64_t)1 << 31, "or mean_of() may be 2 too small");

/* The upper part of a column's sum begins at this bit. */
constexpr int upper = 20;
static_assert(own * SATK_SLIDE_THREADS_LARGE <= (int64_t)1 << (32 - upper),
              "lower parts add up to 32 bits");

/* Colours are codes as they are, samples from the tone's table, those times alpha, or samples of half floats, as alpha is. */
enum way { CODES, SAMPLES, WEIGHTED, HALVES };

/* The form of a job's sums. SPLIT: windows may add up to more than 31 bits. FRACTION: a radius has one. */
template <int CHANNELS, way WAY, bool SPLIT, bool FRACTION> struct form {
    static constexpr bool weighted = WAY == WEIGHTED, has_samples = WAY == SAMPLES || weighted;
    static constexpr bool half = WAY == HALVES, split = SPLIT, fraction = FRACTION;
    static constexpr int channels = CHANNELS, bits = half ? 16 : 8;
    static constexpr int bytes = channels * bits / 8; /* of a pixel */
    static constexpr int colours = half ? channels : satk_opaque<CHANNELS>::colours;
    static constexpr int sums = colours + weighted; /* of a column: alpha's is the last */
    static constexpr int planes = colours * (split ? 2 : 1) + weighted; /* of a row's table */
    static constexpr int most_threads =
        split || fraction ? SATK_SLIDE_THREADS_LARGE : SATK_SLIDE_THREADS;
    static constexpr int most_columns = own * most_threads;
    typedef form<CHANNELS, WAY, half, false> plain; /* has the same column sums over bands */
    typedef typename std::conditional<half, uint64_t, uint32_t>::type column;
    typedef typename std::conditional<split, uint64_t, uint32_t>::type sum;
    typedef typename std::conditional<split, float, uint32_t>::type inverse;
};

/* The weights of two nested windows of an axis, with radii of whole pixels that are 1 apart. They are in lowest terms, which
 * changes no mean and leaves room for larger windows: those of whole radii are 1 and 0. */
struct nested {
    int radius; /* of the inner one */
    uint32_t inner, outer;

    __host__ __device__ __forceinline__ uint32_t one() const /* both windows' weight */
    {
        return inner + outer;
    }
    /* Returns the weighted length of a window that is not clipped. */
    __host__ __device__ __forceinline__ uint64_t full() const
    {
        return inner * (uint64_t)(2 * radius + 1) + outer * (uint64_t)(2 * radius + 3);
    }
    /* Returns the pixels of one of the windows around a position of an axis of n. */
    __device__ __forceinline__ satk_range window(int at, int more, int n) const
    {
        return satk_clip(satk_window(at, radius + more), n);
    }
    /* Returns the weighted length of both. FRACTION: the outer one counts. */
    template <bool FRACTION> __device__ __forceinline__ uint32_t length(int at, int n) const
    {
        const satk_range in = window(at, 0, n), out = window(at, 1, n);
        const uint32_t length = (uint32_t)(in.hi - in.lo);

        return FRACTION ? inner * length + outer * (uint32_t)(out.hi - out.lo) : length;
    }
};

struct sliding {
    satk_box box;
    nested across, down;
    int rows, bands;       /* of a band; and how many there are */
    int segment, segments; /* columns of a segment that get means; and how many there are */
    int threads;           /* of a block that slides */
    int blocks;            /* of them that the device holds at a time */
    size_t width;          /* columns of sums, a whole number for each thread */
    void *sums; /* [band][sum][column]: of all rows above; one band more than there are */
    bool wide;  /* the picture's rows are 16-byte aligned */
};

/* --- Samples ---------------------------------------------------------------------------------- */

/* Samples by code, in shared memory. Each lane has a copy in a bank of its own. */
struct sample_table {
    uint32_t sample[256][SATK_WARP];

    /* Returns the sample of a byte of a word. The place is found in one step more than the byte is. */
    __device__ __forceinline__ uint32_t of(uint32_t word, int byte) const
    {
        constexpr int shift = 7;
        const uint32_t row = (byte ? word >> (8 * byte - shift) : word << shift) & 255 << shift;
        const uint32_t lane = threadIdx.x % SATK_WARP * (uint32_t)sizeof(uint32_t);

        return *(const uint32_t *)((const char *)sample + (row | lane));
    }
};
static_assert(sizeof(uint32_t) * SATK_WARP == 1 << 7, "or of() finds another row");

/* Fills the table. A barrier must follow. */
__device__ __forceinline__ void fill_samples(const satk_tone &tone, sample_table *table)
{
    constexpr int units = SATK_WARP / 4;

    for (int i = (int)threadIdx.x; i < 256 * units; i += (int)blockDim.x) {
        const uint32_t code = (uint32_t)(i / units);
        const uint32_t sample = tone.decode ? __ldg(tone.decode + code) : code;
        ((uint4 *)table->sample)[i] = {sample, sample, sample, sample};
    }
}

/* Returns the sample of a half float, as the tone's table has it, from which a load would take longer. */
__device__ __forceinline__ uint32_t sample_of_half(uint32_t code)
{
#ifdef __NVCC__
    float number;
    asm("cvt.f32.f16 %0, %1;" : "=f"(number) : "h"((uint16_t)code));
    return __float2uint_rz(__fmaf_rn(number, 0x1p20f, 0.5f)); /* 0 of NaN, too; it clamps */
#else
    const uint32_t exponent = code >> 10, infinite = 31 << 10, too_large = 27 << 10;
    const uint64_t digits = exponent ? code % 1024 + 1024 : 2 * code;

    if (code >= too_large)
        return code <= infinite ? UINT32_MAX : 0;
    return (uint32_t)(((digits << exponent) + 16) >> 5);
#endif
}

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

/* The codes of a thread's columns in a row, packed. PIXEL: bytes of one. */
template <int PIXEL> struct codes_of {
    static constexpr int bytes = own * PIXEL;
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
            if (i < there * PIXEL)
                word[i / 4] |= (uint32_t)from[i] << 8 * (i % 4);
    }
    __device__ __forceinline__ uint32_t code(int at) const
    {
        return word[at / 4] >> 8 * (at % 4) & 255;
    }
    __device__ __forceinline__ uint32_t half(int at) const
    {
        return word[at / 2] >> 16 * (at % 2) & 65535;
    }
};

template <typename FORM> struct column_sums {
    typedef codes_of<FORM::bytes> codes_type;
    typename FORM::column sum[FORM::sums][own];

    /* Adds the codes' samples, or subtracts them. */
    template <bool ADD>
    __device__ __forceinline__ void add(const codes_type &codes, const sample_table *table)
    {
#pragma unroll
        for (int i = 0; i < own; i++)
            if constexpr (FORM::has_samples)
                add_samples<ADD>(codes, i, table);
            else if constexpr (FORM::half)
                add_halves<ADD>(codes, i);
            else
                add_codes<ADD>(codes, i);
    }

    /* Finds the samples of column i. */
    static __device__ __forceinline__ void get(const codes_type &codes, int i,
                                               const sample_table *table, uint32_t *samples)
    {
        const int first = i * FORM::channels;
        const uint32_t alpha = FORM::weighted ? codes.code(first + FORM::colours) : 1;
#pragma unroll
        for (int c = 0; c < FORM::colours; c++)
            samples[c] = FORM::has_samples
                             ? table->of(codes.word[(first + c) / 4], (first + c) % 4) * alpha
                             : codes.code(first + c);
        if constexpr (FORM::weighted)
            samples[FORM::colours] = alpha;
    }

  private:
    template <bool ADD> __device__ __forceinline__ void add_codes(const codes_type &codes, int i)
    {
#pragma unroll
        for (int c = 0; c < FORM::sums; c++) {
            const int at = i * FORM::channels + c, byte = at % 4;
            const uint32_t word = codes.word[at / 4];
            sum[c][i] =
                ADD ? __dp4a(word, 1u << 8 * byte, sum[c][i]) : less_byte(word, byte, sum[c][i]);
        }
    }
    template <bool ADD> __device__ __forceinline__ void add_halves(const codes_type &codes, int i)
    {
#pragma unroll
        for (int c = 0; c < FORM::sums; c++) {
            const uint64_t sample = sample_of_half(codes.half(i * FORM::channels + c));
            sum[c][i] += ADD ? sample : 0 - sample;
        }
    }
    template <bool ADD>
    __device__ __forceinline__ void add_samples(const codes_type &codes, int i,
                                                const sample_table *table)
    {
        const int first = i * FORM::channels;
        const uint32_t alpha = FORM::weighted ? codes.code(first + FORM::colours) : 1;
        const uint32_t weight = ADD ? alpha : 0 - alpha;
#pragma unroll
        for (int c = 0; c < FORM::colours; c++)
            sum[c][i] += table->of(codes.word[(first + c) / 4], (first + c) % 4) * weight;
        if constexpr (FORM::weighted)
            sum[FORM::colours][i] += weight;
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
template <typename FORM, bool ADD>
__device__ __forceinline__ void add_rows(const sliding &job, const place &at, int from, int to,
                                         const sample_table *table, column_sums<FORM> *sums)
{
    const satk_plane &src = job.box.src;

#pragma unroll(FORM::has_samples ? 1 : 4)
    for (int y = from; y < to; y++) {
        codes_of<FORM::bytes> codes;
        codes.load(satk_pixel_of(src, at.column, y, FORM::bytes), at.there, job.wide);
        sums->template add<ADD>(codes, table);
    }
}

/* Goes on by a row. A row that enters has the outer weight, and one row later both; one that leaves loses the inner weight, and
 * one row later the rest. later: what the rows before have left to be added now. */
template <typename FORM>
__device__ __forceinline__ void step_down(const nested &weight, const codes_of<FORM::bytes> &enter,
                                          const codes_of<FORM::bytes> &leave,
                                          const sample_table *table, column_sums<FORM> *sums,
                                          column_sums<FORM> *later)
{
    if constexpr (!FORM::fraction) {
        sums->template add<true>(enter, table);
        sums->template add<false>(leave, table);
    } else {
#pragma unroll
        for (int i = 0; i < own; i++) {
            uint32_t in[FORM::sums], out[FORM::sums];
            column_sums<FORM>::get(enter, i, table, in);
            column_sums<FORM>::get(leave, i, table, out);
#pragma unroll
            for (int c = 0; c < FORM::sums; c++) {
                sums->sum[c][i] += later->sum[c][i] + weight.outer * in[c] - weight.inner * out[c];
                later->sum[c][i] = weight.inner * in[c] - weight.outer * out[c];
            }
        }
    }
}

/* --- A row's prefixes ------------------------------------------------------------------------- */

/* Of a block, in shared memory. */
template <typename FORM> struct row_table {
    uint32_t totals[FORM::planes][FORM::most_threads / SATK_WARP];
    alignas(16) uint32_t prefix[1]; /* [plane][slot of a column] */
};

/* Returns the place of a column's word. Every other 32 words have their pairs of 4 the other way
 * round, so that threads that store 4 of their own 8 use different banks. */
__device__ __forceinline__ int slot_of(int column)
{
    return column ^ (column >> 5 & 1) << 2;
}

/* Returns the words of a plane; the last one is the sum of all columns. */
__host__ __device__ __forceinline__ int slots_of(int threads)
{
    return own * threads + 4;
}

/* Returns what a column adds to a plane. Alpha's plane is the last. */
template <typename FORM>
__device__ __forceinline__ uint32_t part_of(const column_sums<FORM> &sums, int plane, int column)
{
    if (!FORM::split)
        return sums.sum[plane][column];
    const typename FORM::column sum = sums.sum[plane / 2][column];
    return (uint32_t)(plane % 2 ? sum >> upper : sum);
}

/* Finds the sums left of the thread's columns, in the block. */
template <typename FORM>
__device__ __forceinline__ void scan_row(const column_sums<FORM> &sums, row_table<FORM> *table,
                                         uint32_t *before)
{
    const int lane = (int)threadIdx.x % SATK_WARP, warp = (int)threadIdx.x / SATK_WARP;
    const int warps = (int)blockDim.x / SATK_WARP;

#pragma unroll
    for (int p = 0; p < FORM::planes; p++) {
        uint32_t total = 0;
#pragma unroll
        for (int i = 0; i < own; i++)
            total += part_of(sums, p, i);
        const uint32_t scanned = satk_warp_scan(total);
        if (lane == SATK_WARP - 1)
            table->totals[p][warp] = scanned;
        before[p] = scanned - total;
    }
    __syncthreads(); /* and all readers of the row before are done */
#pragma unroll
    for (int p = 0; p < FORM::planes; p++) {
        const uint32_t total = lane < warps ? table->totals[p][lane] : 0;
        const uint32_t scanned = satk_warp_scan(total);
        before[p] += __shfl_sync(0xffffffffu, scanned - total, warp);
    }
}

template <typename FORM>
__device__ __forceinline__ void put_row(const column_sums<FORM> &sums, const uint32_t *before,
                                        row_table<FORM> *table)
{
    const int first = (int)threadIdx.x * own, slots = slots_of((int)blockDim.x);

#pragma unroll
    for (int p = 0; p < FORM::planes; p++) {
        uint32_t *const prefix = table->prefix + p * slots;
        uint32_t words[own], sum = before[p];
#pragma unroll
        for (int i = 0; i < own; i++) {
            words[i] = sum;
            sum += part_of(sums, p, i);
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
