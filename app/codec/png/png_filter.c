#include "codec/png/png_filter.h"

#include <string.h>

#define INLINE static inline __attribute__((always_inline))

/* Returns left, above or corner (above left): the nearest to left + above - corner, in that order where several are. That is
 * the larger of left and above where 3 corner - left - above is at most the smaller; the smaller where it is at least the
 * larger; otherwise corner. Masks choose, as branches on noise are mispredicted. */
INLINE int paeth(int left, int above, int corner)
{
    const int limit = 3 * corner - left - above;
    const int low = left < above ? left : above, high = left < above ? above : left;
    const int take_low = -(high <= limit), take_high = -(limit <= low);
    const int other = corner ^ ((corner ^ low) & take_low);
    return other ^ ((other ^ high) & take_high);
}

/* --- Undoing ---------------------------------------------------------------------------------- */

/* Undoes the filters that look to the left. Each pixel waits for the one before it, so these loops are not vectorised; the
 * bytes of a pixel are independent chains, whose number the compiler knows, as bpp is a constant where this is inlined. */
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

bool filter_undo(const uint8_t *packed, const uint8_t *above, uint8_t *row, size_t size, int bpp)
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

/* --- Applying --------------------------------------------------------------------------------- */

/* Works in 16 bits, so that a vector holds twice as many samples. */
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
    enum { PART = 1 << 16 }; /* 32 bits hold its sum, and a vector twice as many sums */
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
