/* Summed-area tables by scans of the rows, then of the columns (J. Hensley et al., "Fast Summed-Area Table
 * Generation and its Applications", 2005), each in three phases:
 *   1. every block scans its section, and leaves the section's sum
 *   2. the section sums are scanned, by these same phases where they outgrow one section
 *   3. every section but the first adds the sum of all before it
 * Phase 3 of the rows takes no pass: the columns' phase 1 reads the table anyway and adds the sums.
 *
 * A SOURCE has load(x, y, out[CHANNELS]): the words that pixel (x, y) adds. The table's rows are
 * dense, 16-byte aligned. */
#ifndef SATK_SAT_ROWS_COLUMNS_CUH
#define SATK_SAT_ROWS_COLUMNS_CUH

#include "common/launch.cuh"
#include "common/scan.cuh"
#include "common/tile.cuh"
#include "sat/sat_tune.cuh"

static inline int sections_of(int columns)
{
    return (columns + SATK_ROW_SECTION - 1) / SATK_ROW_SECTION;
}

static inline int strips_of(int rows)
{
    return (rows + SATK_COLUMN_STRIP - 1) / SATK_COLUMN_STRIP;
}

/* --- Rows, phase 1 ---------------------------------------------------------------------------- */

/* A source: sums of an earlier level (in place). */
template <typename T, int CHANNELS> struct from_sums {
    const T *sums;
    int columns;

    __device__ __forceinline__ void load(int x, int y, T *out) const
    {
        const size_t at = ((size_t)y * columns + x) * CHANNELS;
        for (int c = 0; c < CHANNELS; c++)
            out[c] = sums[at + c];
    }
};

/* A block scans one section of one row. A warp has SATK_ROW_ITEMS runs of 32 neighbouring
 * pixels; it scans each run, carries the sum from run to run, and then adds the sum of the warps
 * before it. */
template <typename T, int CHANNELS, typename SOURCE>
static __global__ void scan_row_sections(const SOURCE source, T *out, T *sums, int columns,
                                         int sections)
{
    __shared__ T totals[CHANNELS][SATK_ROW_WARPS];
    const int section = (int)(blockIdx.x % (unsigned)sections),
              y = (int)(blockIdx.x / (unsigned)sections);
    const int lane = threadIdx.x % SATK_WARP, warp = threadIdx.x / SATK_WARP;
    const int first = section * SATK_ROW_SECTION + warp * SATK_WARP * SATK_ROW_ITEMS + lane;
    T value[SATK_ROW_ITEMS][CHANNELS];
    T carry[CHANNELS];

    /* Load everything before the first use: the loads overlap. */
#pragma unroll
    for (int i = 0; i < SATK_ROW_ITEMS; i++) {
#pragma unroll
        for (int c = 0; c < CHANNELS; c++)
            value[i][c] = 0;
        if (first + i * SATK_WARP < columns)
            source.load(first + i * SATK_WARP, y, value[i]);
    }

    /* Scan the warp's runs. */
#pragma unroll
    for (int c = 0; c < CHANNELS; c++) {
        carry[c] = 0;
#pragma unroll
        for (int i = 0; i < SATK_ROW_ITEMS; i++) {
            value[i][c] = satk_warp_scan(value[i][c]) + carry[c];
            carry[c] = __shfl_sync(0xffffffffu, value[i][c], SATK_WARP - 1);
        }
        if (lane == 0)
            totals[c][warp] = carry[c];
    }
    __syncthreads();

    /* Add the warps before; the last one has the section's sum. */
#pragma unroll
    for (int c = 0; c < CHANNELS; c++) {
        const T before = satk_warps_before(totals[c]);
#pragma unroll
        for (int i = 0; i < SATK_ROW_ITEMS; i++)
            value[i][c] += before;
        if (threadIdx.x == blockDim.x - 1)
            sums[((size_t)y * sections + section) * CHANNELS + c] = carry[c] + before;
    }
#pragma unroll
    for (int i = 0; i < SATK_ROW_ITEMS; i++)
        if (first + i * SATK_WARP < columns)
            satk_store_pixel<T, CHANNELS>(
                out + ((size_t)y * columns + first + i * SATK_WARP) * CHANNELS, value[i]);
}

/* --- Rows, phase 3, for the sums themselves --------------------------------------------------- */

/* Adds the scanned sum of section s - 1 to the words of section s, one word to a thread. */
template <typename T>
static __global__ void add_row_offsets(T *words, const T *sums, int columns, int rows, int channels,
                                       int sections)
{
    const size_t at = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const size_t row_words = (size_t)columns * channels;
    if (at >= row_words * rows)
        return;
    const size_t y = at / row_words;
    const int x = (int)(at % row_words) / channels, c = (int)(at % row_words) % channels;
    const int section = x / SATK_ROW_SECTION;
    if (section > 0)
        words[at] += sums[(y * sections + section - 1) * channels + c];
}

/* --- Columns ---------------------------------------------------------------------------------- */

/* A thread's place: one word column of one strip. Neighbours walk beside it, so every access is
 * coalesced. */
struct column_place {
    unsigned at; /* word within the row */
    unsigned row_words;
    int strip, first, last; /* rows first <= y < last */
};

static __device__ __forceinline__ column_place place_of(int columns, int rows, int channels,
                                                        int first_strip)
{
    column_place p;
    p.row_words = (unsigned)columns * channels;
    const unsigned blocks = (p.row_words + SATK_COLUMN_THREADS - 1) / SATK_COLUMN_THREADS;
    p.at = blockIdx.x % blocks * SATK_COLUMN_THREADS + threadIdx.x;
    p.strip = (int)(blockIdx.x / blocks) + first_strip;
    p.first = p.strip * SATK_COLUMN_STRIP;
    p.last = min(p.first + SATK_COLUMN_STRIP, rows);
    return p;
}

/* Phase 1: a thread walks one word column down one strip, SATK_COLUMN_ITEMS rows in flight.
 * row_sums, where the rows have several sections (else NULL), makes up for the rows' phase 3. */
template <typename T>
static __global__ void scan_column_strips(T *words, T *sums, const T *row_sums, int columns,
                                          int rows, int channels)
{
    const column_place p = place_of(columns, rows, channels, 0);
    if (p.at >= p.row_words)
        return;
    const int sections = (columns + SATK_ROW_SECTION - 1) / SATK_ROW_SECTION;
    const int section = (int)(p.at / channels) / SATK_ROW_SECTION, c = (int)(p.at % channels);
    const bool offset = row_sums && section > 0;
    T sum = 0;

    for (int y = p.first; y < p.last; y += SATK_COLUMN_ITEMS) {
        T value[SATK_COLUMN_ITEMS];
#pragma unroll
        for (int i = 0; i < SATK_COLUMN_ITEMS; i++) {
            value[i] = y + i < p.last ? words[(size_t)(y + i) * p.row_words + p.at] : 0;
            if (offset && y + i < p.last)
                value[i] += row_sums[((size_t)(y + i) * sections + section - 1) * channels + c];
        }
#pragma unroll
        for (int i = 0; i < SATK_COLUMN_ITEMS; i++) {
            sum += value[i];
            if (y + i < p.last)
                words[(size_t)(y + i) * p.row_words + p.at] = sum;
        }
    }
    sums[(size_t)p.strip * p.row_words + p.at] = sum;
}

/* Phase 3: a thread adds the strips before its own to its word column. Strip 0 has none before it.
 */
template <typename T>
static __global__ void add_column_offsets(T *words, const T *sums, int columns, int rows,
                                          int channels)
{
    const column_place p = place_of(columns, rows, channels, 1);
    if (p.at >= p.row_words)
        return;
    const T offset = sums[(size_t)(p.strip - 1) * p.row_words + p.at];

    for (int y = p.first; y < p.last; y += SATK_COLUMN_ITEMS) {
        T value[SATK_COLUMN_ITEMS];
#pragma unroll
        for (int i = 0; i < SATK_COLUMN_ITEMS; i++)
            value[i] = y + i < p.last ? words[(size_t)(y + i) * p.row_words + p.at] : 0;
#pragma unroll
        for (int i = 0; i < SATK_COLUMN_ITEMS; i++)
            if (y + i < p.last)
                words[(size_t)(y + i) * p.row_words + p.at] = value[i] + offset;
    }
}

/* --- Launches --------------------------------------------------------------------------------- */

/* Launches phases 2 and 3 for the sums of sections: scans each row of `sums` in place. `above`
 * holds the levels above. */
template <typename T, int CHANNELS>
static int scan_rows_of_sums(T *sums, int columns, int rows, T *above, cudaStream_t stream)
{
    const int sections = sections_of(columns);
    const size_t words = (size_t)columns * rows * CHANNELS;
    const from_sums<T, CHANNELS> source = {sums, columns};

    scan_row_sections<T, CHANNELS>
        <<<(unsigned)sections * rows, SATK_ROW_WARPS * SATK_WARP, 0, stream>>>(source, sums, above,
                                                                               columns, sections);
    int error = satk_launched(stream);
    if (error || sections == 1)
        return error;
    error = scan_rows_of_sums<T, CHANNELS>(above, sections, rows,
                                           above + (size_t)sections * rows * CHANNELS, stream);
    if (error)
        return error;
    const size_t blocks = (words + SATK_OFFSET_THREADS - 1) / SATK_OFFSET_THREADS;
    add_row_offsets<T><<<(unsigned)blocks, SATK_OFFSET_THREADS, 0, stream>>>(
        sums, above, columns, rows, CHANNELS, sections);
    return satk_launched(stream);
}

/* Launches all phases of the columns, in place. `sums` holds the strips' sums and the levels
 * above. */
template <typename T>
static int scan_columns(T *words, const T *row_sums, int columns, int rows, int channels, T *sums,
                        cudaStream_t stream)
{
    const int strips = strips_of(rows);
    const unsigned blocks =
        ((unsigned)columns * channels + SATK_COLUMN_THREADS - 1) / SATK_COLUMN_THREADS;

    scan_column_strips<T><<<blocks * strips, SATK_COLUMN_THREADS, 0, stream>>>(
        words, sums, row_sums, columns, rows, channels);
    int error = satk_launched(stream);
    if (error || strips == 1)
        return error;
    error = scan_columns<T>(sums, NULL, columns, strips, channels,
                            sums + (size_t)strips * columns * channels, stream);
    if (error)
        return error;
    add_column_offsets<T><<<blocks *(strips - 1), SATK_COLUMN_THREADS, 0, stream>>>(
        words, sums, columns, rows, channels);
    return satk_launched(stream);
}

/* Return the words of the rows' section sums, all levels together, and of the columns' strip
 * sums. */
static inline size_t row_sum_words(int columns, int rows, int channels)
{
    size_t words = 0;

    do {
        columns = sections_of(columns);
        words += (size_t)columns * rows * channels;
    } while (columns > 1);
    return words;
}

static inline size_t column_sum_words(int columns, int rows, int channels)
{
    size_t words = 0;

    do {
        rows = strips_of(rows);
        words += (size_t)columns * rows * channels;
    } while (rows > 1);
    return words;
}

/* Returns the words of scratch for a table. */
static inline size_t satk_rows_columns_scratch(int columns, int rows, int channels)
{
    return row_sum_words(columns, rows, channels) + column_sum_words(columns, rows, channels);
}

template <typename T, int CHANNELS, typename SOURCE>
static int satk_build_rows_columns(const SOURCE &source, T *table, T *scratch, int columns,
                                   int rows, cudaStream_t stream)
{
    const int sections = sections_of(columns);
    T *const row_sums = scratch;
    T *const column_sums = row_sums + row_sum_words(columns, rows, CHANNELS);

    scan_row_sections<T, CHANNELS>
        <<<(unsigned)sections * rows, SATK_ROW_WARPS * SATK_WARP, 0, stream>>>(
            source, table, row_sums, columns, sections);
    int error = satk_launched(stream);
    if (!error && sections > 1)
        error = scan_rows_of_sums<T, CHANNELS>(
            row_sums, sections, rows, row_sums + (size_t)sections * rows * CHANNELS, stream);
    if (!error)
        error = scan_columns<T>(table, sections > 1 ? row_sums : NULL, columns, rows, CHANNELS,
                                column_sums, stream);
    return error;
}

#endif
