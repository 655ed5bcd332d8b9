#include "codec/png_filter.h"

#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define INLINE static inline __attribute__((always_inline))

/* Which of left, above and corner (above left) is nearest to left + above - corner; ties in that
 * order. That is the larger of left and above where 3 corner - left - above is at most the smaller,
 * the smaller where it is at least the larger, otherwise corner; chosen by masks, as branches on
 * noise are guessed wrongly (26 for 37 ms in a 4K picture, and 43 by three distances). */
INLINE int paeth(int left, int above, int corner)
{
    const int limit = 3 * corner - left - above;
    const int low = left < above ? left : above, high = left < above ? above : left;
    const int take_low = -(high <= limit), take_high = -(limit <= low);
    const int other = corner ^ ((corner ^ low) & take_low);
    return other ^ ((other ^ high) & take_high);
}

/* --- Undoing ---------------------------------------------------------------------------------- */

/* Each pixel waits for the one before it, so these loops are not vectorised: what helps is that the
 * bytes of a pixel are independent chains, whose number the compiler is told (bpp is a constant
 * where this is inlined). Vectors of one pixel each were no faster. */
INLINE void undo_left(int filter, const uint8_t *restrict packed, const uint8_t *restrict above,
                      uint8_t *restrict row, size_t size, const int bpp)
{
    int left[8] = {0}, corner[8] = {0};
    for (size_t i = 0; i + (size_t)bpp <= size; i += (size_t)bpp) {
        for (int c = 0; c < bpp; c++) {
            const int up = above[i + (size_t)c];
            const int guess = filter == FILTER_SUB       ? left[c]
                              : filter == FILTER_AVERAGE ? (left[c] + up) >> 1
                                                         : paeth(left[c], up, corner[c]);
            left[c] = (uint8_t)(packed[i + (size_t)c] + guess);
            corner[c] = up;
            row[i + (size_t)c] = (uint8_t)left[c];
        }
    }
}

INLINE void undo_filter(int filter, const uint8_t *packed, const uint8_t *above, uint8_t *row,
                        size_t size, int bpp)
{
    switch (bpp) {
    case 1: undo_left(filter, packed, above, row, size, 1); break;
    case 2: undo_left(filter, packed, above, row, size, 2); break;
    case 3: undo_left(filter, packed, above, row, size, 3); break;
    case 4: undo_left(filter, packed, above, row, size, 4); break;
    case 6: undo_left(filter, packed, above, row, size, 6); break;
    default: undo_left(filter, packed, above, row, size, 8); break;
    }
}

static void undo_up(const uint8_t *restrict packed, const uint8_t *restrict above,
                    uint8_t *restrict row, size_t size)
{
    for (size_t i = 0; i < size; i++)
        row[i] = (uint8_t)(packed[i] + above[i]);
}

static bool undo_row(const uint8_t *packed, const uint8_t *above, uint8_t *row, size_t size,
                     int bpp)
{
    switch (packed[0]) {
    case FILTER_NONE: memcpy(row, packed + 1, size); return true;
    case FILTER_SUB: undo_filter(FILTER_SUB, packed + 1, above, row, size, bpp); return true;
    case FILTER_UP: undo_up(packed + 1, above, row, size); return true;
    case FILTER_AVERAGE:
        undo_filter(FILTER_AVERAGE, packed + 1, above, row, size, bpp);
        return true;
    case FILTER_PAETH: undo_filter(FILTER_PAETH, packed + 1, above, row, size, bpp); return true;
    default: return false;
    }
}

/* A gray row is one chain only. So rows are undone abreast, each a pixel behind the one above it, whose last value
 * is then what is above: a lane of a vector for each, whatever its filter. 2.2 for 4.0 ms in a map of 1920x1080 with
 * rows of all filters (four abreast where all were FILTER_PAETH). */
enum { ABREAST = 8 };

typedef int16_t lanes __attribute__((vector_size(2 * ABREAST)));
typedef uint8_t narrow __attribute__((vector_size(ABREAST)));
typedef uint8_t pair __attribute__((vector_size(2 * ABREAST)));

typedef struct front {
    const uint8_t *packed, *above;
    uint8_t *rows;
    size_t size;
    lanes is[FILTER_COUNT]; /* all bits of the rows that have it */
    lanes left, corner;
} front;

static front make_front(const uint8_t *packed, const uint8_t *above, uint8_t *rows, size_t size,
                        size_t count)
{
    front f = {.packed = packed + 1, .above = above, .rows = rows, .size = size};
    for (size_t r = 0; r < count; r++)
        f.is[packed[r * (size + 1)]][r] = -1;
    return f;
}

/* As above, by masks; where both take, it is the same value. */
INLINE lanes paeth_lanes(lanes left, lanes above, lanes corner)
{
    const lanes is_less = left < above;
    const lanes low = (left & is_less) | (above & ~is_less);
    const lanes high = (above & is_less) | (left & ~is_less);
    const lanes limit = 3 * corner - above - left;
    const lanes take_low = limit >= high, take_high = limit <= low;
    return (low & take_low) | (high & take_high) | (corner & ~(take_low | take_high));
}

/* Each lane's value in the next one, and in the first this. */
INLINE lanes next_lanes(lanes values, int16_t first)
{
#ifdef __SSE2__ /* for GCC 12, which takes them out one by one */
    lanes next = (lanes)_mm_slli_si128((__m128i)values, sizeof first);
#else
    lanes next = __builtin_shufflevector(values, values, 0, 0, 1, 2, 3, 4, 5, 6);
#endif
    next[0] = first;
    return next;
}

/* Pixel i of the first row, i - 1 of the second and so on. first_above: what is above the first; within: all bits of a
 * byte for the rows that have that pixel, so that the others begin with zeros. */
INLINE lanes undo_step(front *f, lanes packed, int16_t first_above, lanes within)
{
    const lanes left = f->left, above = next_lanes(left, first_above);
    const lanes guess = (left & f->is[FILTER_SUB]) | (above & f->is[FILTER_UP]) |
                        (((left + above) >> 1) & f->is[FILTER_AVERAGE]) |
                        (paeth_lanes(left, above, f->corner) & f->is[FILTER_PAETH]);
    f->corner = above;
    f->left = (packed + guess) & within;
    return f->left;
}

/* Steps first <= i < last, in which not all rows may have a pixel. */
static void undo_ends(front *f, size_t first, size_t last, size_t count)
{
    for (size_t i = first; i < last; i++) {
        const size_t top = i < f->size ? 0 : i - f->size + 1, end = i < count ? i + 1 : count;
        lanes packed = {0}, within = {0};
        for (size_t r = top; r < end; r++) {
            packed[r] = f->packed[r * (f->size + 1) + i - r];
            within[r] = UINT8_MAX;
        }
        const lanes values = undo_step(f, packed, top == 0 ? f->above[i] : 0, within);
        for (size_t r = top; r < end; r++)
            f->rows[r * f->size + i - r] = (uint8_t)values[r];
    }
}

#define LOW(a, b)                                                                                  \
    __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define HIGH(a, b)                                                                                 \
    __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)

/* Half a vector. A part of a vector's memory that is written alone makes its reader wait. */
INLINE pair row_of(const uint8_t *bytes)
{
    typedef uint64_t words __attribute__((vector_size(sizeof(pair))));
    words row = {0};
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    row[0] = word;
    return (pair)row;
}

/* Rows become columns. */
INLINE void transpose(uint8_t bytes[ABREAST][ABREAST])
{
    pair a[4], b[4];
    for (int r = 0; r < 4; r++) {
        const pair upper = row_of(bytes[r]), lower = row_of(bytes[r + 4]);
        a[r] = LOW(upper, lower);
    }
    for (int r = 0; r < 2; r++) {
        b[r] = LOW(a[r], a[r + 2]);
        b[r + 2] = HIGH(a[r], a[r + 2]);
    }
    for (int r = 0; r < 2; r++) {
        a[2 * r] = LOW(b[2 * r], b[2 * r + 1]);
        a[2 * r + 1] = HIGH(b[2 * r], b[2 * r + 1]);
    }
    memcpy(bytes, a, sizeof a);
}

/* As many steps, in which all rows have a pixel, from i on. */
INLINE void undo_block(front *f, size_t i)
{
    const lanes within = {UINT8_MAX, UINT8_MAX, UINT8_MAX, UINT8_MAX,
                          UINT8_MAX, UINT8_MAX, UINT8_MAX, UINT8_MAX};
    uint8_t bytes[ABREAST][ABREAST];
    for (size_t r = 0; r < ABREAST; r++)
        memcpy(bytes[r], f->packed + r * (f->size + 1) + i - r, ABREAST);
    transpose(bytes);
    for (size_t s = 0; s < ABREAST; s++) {
        narrow step;
        memcpy(&step, bytes[s], sizeof step);
        const lanes packed = __builtin_convertvector(step, lanes);
        step = __builtin_convertvector(undo_step(f, packed, f->above[i + s], within), narrow);
        memcpy(bytes[s], &step, sizeof step);
    }
    transpose(bytes);
    for (size_t r = 0; r < ABREAST; r++)
        memcpy(f->rows + r * f->size + i - r, bytes[r], ABREAST);
}

/* Returns where it ends. */
static size_t undo_blocks(front *all, size_t i)
{
    front f = *all; /* in registers */
    for (; i + ABREAST <= f.size; i += ABREAST)
        undo_block(&f, i);
    *all = f;
    return i;
}

static void undo_abreast(front f, size_t count)
{
    const size_t begin = count - 1, end = f.size + begin;
    undo_ends(&f, 0, begin, count);
    undo_ends(&f, count == ABREAST ? undo_blocks(&f, begin) : begin, end, count);
}

/* How many rows are to be undone abreast: they take as long as two that wait for every pixel. */
static size_t count_abreast(const uint8_t *packed, size_t size, size_t count)
{
    const size_t most = count < ABREAST ? count : ABREAST;
    int slow = 0;
    for (size_t r = 0; r < most; r++) {
        const int filter = packed[r * (size + 1)];
        if (filter >= FILTER_COUNT)
            return 0;
        slow += filter == FILTER_PAETH || filter == FILTER_AVERAGE;
    }
    return slow >= 2 ? most : 0;
}

bool filter_undo(const uint8_t *packed, const uint8_t *above, uint8_t *rows, size_t size, int bpp,
                 int count)
{
    for (size_t left = (size_t)count, done; left > 0; left -= done) {
        const size_t many = bpp == 1 ? count_abreast(packed, size, left) : 0;
        done = many ? many : 1;
        if (many)
            undo_abreast(make_front(packed, above, rows, size, many), many);
        else if (!undo_row(packed, above, rows, size, bpp))
            return false;
        packed += done * (size + 1);
        rows += done * size;
        above = rows - size;
    }
    return true;
}

/* --- Applying --------------------------------------------------------------------------------- */

/* In 16 bits, so that the compiler fits twice as many into a vector. */
static void apply_paeth(const uint8_t *restrict row, const uint8_t *restrict above,
                        uint8_t *restrict out, size_t size, ptrdiff_t bpp)
{
    for (ptrdiff_t i = 0; i < (ptrdiff_t)size; i++) {
        const int16_t left = row[i - bpp], up = above[i], corner = above[i - bpp];
        const int16_t x = (int16_t)(up - corner), y = (int16_t)(left - corner);
        const int16_t z = (int16_t)(x + y);
        const int16_t to_left = (int16_t)(x < 0 ? -x : x), to_up = (int16_t)(y < 0 ? -y : y);
        const int16_t to_corner = (int16_t)(z < 0 ? -z : z);
        const int16_t other = to_up <= to_corner ? up : corner;
        out[i] = (uint8_t)(row[i] - (to_left <= to_up && to_left <= to_corner ? left : other));
    }
}

void filter_apply(int filter, const uint8_t *restrict row, const uint8_t *restrict above,
                  uint8_t *restrict out, size_t size, int bpp)
{
    const ptrdiff_t count = (ptrdiff_t)size;
    switch (filter) {
    case FILTER_SUB:
        for (ptrdiff_t i = 0; i < count; i++)
            out[i] = (uint8_t)(row[i] - row[i - bpp]);
        break;
    case FILTER_UP:
        for (ptrdiff_t i = 0; i < count; i++)
            out[i] = (uint8_t)(row[i] - above[i]);
        break;
    case FILTER_AVERAGE:
        for (ptrdiff_t i = 0; i < count; i++)
            out[i] = (uint8_t)(row[i] - ((row[i - bpp] + above[i]) >> 1));
        break;
    case FILTER_PAETH: apply_paeth(row, above, out, size, bpp); break;
    default: memcpy(out, row, size); break;
    }
}

uint64_t filter_cost(const uint8_t *filtered, size_t size)
{
    enum { PART = 1 << 16 }; /* 32 bits hold the sum of a part, and vectorise twice as wide */
    uint64_t total = 0;
    for (size_t at = 0; at < size; at += PART) {
        const size_t end = size - at < PART ? size : at + PART;
        uint32_t sum = 0;
        for (size_t i = at; i < end; i++) {
            const int8_t value = (int8_t)filtered[i];
            sum += (uint8_t)(value < 0 ? -value : value);
        }
        total += sum;
    }
    return total;
}
