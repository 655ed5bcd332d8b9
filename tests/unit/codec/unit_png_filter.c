/* PNG's filters against their definition. */
#include "unit/unit.h"

#include "codec/png/png_filter.h"

#include <stdlib.h>
#include <string.h>

static uint32_t seed = 1;

static uint32_t any(uint32_t below)
{
    seed = seed * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)seed * below >> 32);
}

/* Returns the guess of a filter by W3C PNG, 9.2, word for word. */
static int guess(int filter, int a, int b, int c)
{
    const int p = a + b - c;
    const int pa = abs(p - a), pb = abs(p - b), pc = abs(p - c);
    switch (filter) {
    case 1: return a;
    case 2: return b;
    case 3: return (a + b) / 2;
    case 4: return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
    default: return 0;
    }
}

enum { LEFT = 8, WIDE = 8 * 37, TALL = 19 };

/* Filters the rows, each behind zeros. Undone, they must be the same. */
static void check_filters(uint8_t rows[TALL + 1][LEFT + WIDE], int size, int bpp, int count)
{
    uint8_t packed[WIDE + 1], back[WIDE];
    for (int y = 1; y <= count; y++) {
        const uint8_t *row = rows[y] + LEFT, *above = rows[y - 1] + LEFT;
        const int filter = (int)any(FILTER_COUNT);
        uint64_t cost = 0;
        packed[0] = (uint8_t)filter;
        filter_apply(filter, row, above, packed + 1, (size_t)size, bpp);
        for (int i = 0; i < size; i++) {
            const int wanted = row[i] - guess(filter, row[i - bpp], above[i], above[i - bpp]);
            assert_int_equal(packed[1 + i], (uint8_t)wanted);
            cost += (uint64_t)abs((int8_t)packed[1 + i]);
        }
        assert_int_equal(filter_cost(packed + 1, (size_t)size), cost);
        assert_true(filter_undo(packed, above, back, (size_t)size, bpp));
        assert_memory_equal(back, row, (size_t)size);
    }
    packed[0] = (uint8_t)(FILTER_COUNT + any(251));
    assert_false(filter_undo(packed, rows[0] + LEFT, back, (size_t)size, bpp));
}

static void test_filters(void **state)
{
    static const int bpps[] = {1, 2, 3, 4, 6, 8};
    static uint8_t rows[TALL + 1][LEFT + WIDE];
    for (int turn = 0; turn < 2000; turn++) {
        const int bpp = bpps[any(6)], size = bpp * (1 + (int)any(any(2) ? 5 : 37));
        for (int y = 0; y <= TALL; y++)
            for (int i = 0; i < size; i++)
                rows[y][LEFT + i] = (uint8_t)(any(2) ? any(256) : 255 * any(2));
        check_filters(rows, size, bpp, 1 + (int)any(TALL));
    }
}

UNIT_MAIN(UNIT(test_filters))
