#include "depth/focus_grid.h"

#include "common/plane.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST_PITCH = 4, LEAST_PATCH = 4, MOST_PATCH = 16 };

/* --- Places ----------------------------------------------------------------------------------- */

/* Returns the pixels of a patch along an axis: a third of the pitch. One patch is in the middle of the side, so both are
 * even, or both odd. */
static int patch_of(int pitch, int side)
{
    const int third = pitch / 3 < LEAST_PATCH ? LEAST_PATCH : pitch / 3;
    const int even = third < MOST_PATCH ? third & ~1 : MOST_PATCH - 2;
    const int patch = even + (side & 1);

    return patch < side ? patch : side;
}

/* Returns how many cells lie on either side of the middle one. */
static int cells_beside(int side, int patch, int pitch)
{
    return (side - patch) / 2 / pitch;
}

static void place_patches(int width, int height, satb_focus_grid *grid)
{
    const int longer = width > height ? width : height;
    const int pitch = (longer + SATB_FOCUS_CELLS - 1) / SATB_FOCUS_CELLS;

    grid->pitch = pitch > LEAST_PITCH ? pitch : LEAST_PITCH;
    grid->patch_width = patch_of(grid->pitch, width);
    grid->patch_height = patch_of(grid->pitch, height);
    const int beside = cells_beside(width, grid->patch_width, grid->pitch);
    const int above = cells_beside(height, grid->patch_height, grid->pitch);
    grid->columns = 2 * beside + 1;
    grid->rows = 2 * above + 1;
    grid->left = (width - grid->patch_width) / 2 - beside * grid->pitch;
    grid->top = (height - grid->patch_height) / 2 - above * grid->pitch;
}

/* --- Sums ------------------------------------------------------------------------------------- */

static const void *pixel_at(const satb_image *image, int x, int y)
{
    const ptrdiff_t pixel = image->channels * (image->bits / 8);

    return (const uint8_t *)image->data + y * image->stride + x * pixel;
}

/* Fill luma (red + 2 green + blue; gray; times alpha) from codes. Transparent pixels have no detail. */
#define FILL_LUMA(name, type, bits)                                                                \
    static void name(const type *codes, int channels, int count, int32_t *luma)                    \
    {                                                                                              \
        for (int i = 0; i < count; i++, codes += channels)                                         \
            luma[i] = channels < 3 ? codes[0] : codes[0] + 2 * codes[1] + codes[2];                \
        if (!satk_has_alpha(channels))                                                             \
            return;                                                                                \
        codes -= (ptrdiff_t)channels * count;                                                      \
        for (int i = 0; i < count; i++, codes += channels)                                         \
            luma[i] = (int32_t)((int64_t)luma[i] * codes[channels - 1] >> (bits));                 \
    }

FILL_LUMA(fill_luma8, uint8_t, 8)
FILL_LUMA(fill_luma16, uint16_t, 16)

/* The luma of a row of patches, and of the row above. */
typedef struct lumas {
    int32_t at[2][SATB_FOCUS_CELLS][MOST_PATCH];
} lumas;

/* Adds a patch's row to its cell's detail. above: NULL in the first row. */
static void add_detail(const satb_image *picture, int x, int y, int width, int32_t *luma,
                       const int32_t *above, satb_focus_cell *cell)
{
    const void *const codes = pixel_at(picture, x, y);
    uint32_t differences = 0;

    if (picture->bits == 8)
        fill_luma8(codes, picture->channels, width, luma);
    else
        fill_luma16(codes, picture->channels, width, luma);
    for (int i = 1; i < width; i++)
        differences += (uint32_t)abs(luma[i] - luma[i - 1]);
    for (int i = 0; above && i < width; i++)
        differences += (uint32_t)abs(luma[i] - above[i]);
    cell->detail += differences;
}

static void add_depths(const satb_image *map, int x, int y, int width, const uint16_t *depth,
                       satb_focus_cell *cell)
{
    const void *const codes = pixel_at(map, x, y);

    for (int i = 0; i < width; i++) {
        const uint64_t d = depth[satk_code(codes, (size_t)i, map->bits)];
        cell->depth += d;
        cell->square += d * d;
    }
}

/* Reads the pictures row by row, as they lie in memory. */
void satb_fill_focus_grid(const satb_image *picture, const satb_image *map, const uint16_t *depth,
                          satb_focus_grid *grid)
{
    lumas rows;

    memset(grid, 0, sizeof *grid);
    place_patches(map->width, map->height, grid);
    for (int j = 0; j < grid->rows; j++)
        for (int r = 0; r < grid->patch_height; r++)
            for (int i = 0; i < grid->columns; i++) {
                const int x = grid->left + i * grid->pitch, y = grid->top + j * grid->pitch + r;
                satb_focus_cell *const cell = &grid->cells[j * grid->columns + i];
                add_detail(picture, x, y, grid->patch_width, rows.at[r & 1][i],
                           r > 0 ? rows.at[~r & 1][i] : NULL, cell);
                add_depths(map, x, y, grid->patch_width, depth, cell);
            }
}
