/* The number of highlights: areas of lights, less the holes in them. */
#include "check/oracle.h"

#include <stdlib.h>

static int is_light(const oracle_highlight *h, int x, int y)
{
    for (int c = 0; c < h->src.channels; c++)
        if (oracle_code(&h->src, x, y, c) != oracle_code(&h->base, x, y, c))
            return 1;
    return 0;
}

/* A picture of what is lit, with a border, and the pixels that are to be looked at. */
typedef struct areas {
    int width, height;
    uint8_t *lit;
    int *stack;
} areas;

/* Empties the area of a pixel. Its pixels meet at sides, and lit ones at corners, too. */
static void empty_area(const areas *a, int at)
{
    const uint8_t lit = a->lit[at];
    int count = 1;

    a->stack[0] = at;
    a->lit[at] = 2;
    while (count > 0) {
        const int x = a->stack[--count] % a->width, y = a->stack[count] / a->width;
        for (int j = y - 1; j <= y + 1; j++)
            for (int i = x - 1; i <= x + 1; i++)
                if (i >= 0 && j >= 0 && i < a->width && j < a->height &&
                    (lit || i == x || j == y) && a->lit[j * a->width + i] == lit) {
                    a->lit[j * a->width + i] = 2;
                    a->stack[count++] = j * a->width + i;
                }
    }
}

/* Returns the areas of lights in the first rows, less their holes. */
static int count_areas(const oracle_highlight *h, areas a, int rows)
{
    int count = 1; /* what is around all is no hole */

    a.height = rows + 2;
    for (int i = 0; i < a.width * a.height; i++) {
        const int x = i % a.width - 1, y = i / a.width - 1;
        a.lit[i] =
            x >= 0 && y >= 0 && x < h->src.width && y < rows ? (uint8_t)is_light(h, x, y) : 0;
    }
    for (int i = 0; i < a.width * a.height; i++)
        if (a.lit[i] < 2) {
            count += a.lit[i] ? 1 : -1;
            empty_area(&a, i);
        }
    return count;
}

uint32_t oracle_lamps(const oracle_highlight *h, int first, int last)
{
    const size_t pixels = (size_t)(h->src.width + 2) * (size_t)(h->src.height + 2);
    const areas a = {
        .width = h->src.width + 2, .lit = malloc(pixels), .stack = malloc(pixels * sizeof(int))};
    const int count = a.lit && a.stack ? count_areas(h, a, last) - count_areas(h, a, first) : -1;

    free(a.lit);
    free(a.stack);
    return (uint32_t)count;
}
