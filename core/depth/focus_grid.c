#include "depth/focus_grid.h"

enum { LEAST_PITCH = 4, LEAST_PATCH = 4 };

/* Returns the pixels of a patch along an axis: a third of the pitch. One patch is in the middle of the side, so both are
 * even, or both odd. */
static int patch_of(int pitch, int side)
{
    const int third = pitch / 3 < LEAST_PATCH ? LEAST_PATCH : pitch / 3;
    const int even = third < SATK_MOST_PATCH ? third & ~1 : SATK_MOST_PATCH - 2;
    const int patch = even + (side & 1);

    return patch < side ? patch : side;
}

/* Returns how many cells lie on either side of the middle one. */
static int cells_beside(int side, int patch, int pitch)
{
    return (side - patch) / 2 / pitch;
}

satk_grid_of_patches satb_focus_grid(int width, int height)
{
    satk_grid_of_patches grid;
    const int pitch = (satk_larger(width, height) + SATB_FOCUS_CELLS - 1) / SATB_FOCUS_CELLS;

    grid.pitch = pitch > LEAST_PITCH ? pitch : LEAST_PITCH;
    grid.width = patch_of(grid.pitch, width);
    grid.height = patch_of(grid.pitch, height);
    const int beside = cells_beside(width, grid.width, grid.pitch);
    const int above = cells_beside(height, grid.height, grid.pitch);
    grid.columns = 2 * beside + 1;
    grid.rows = 2 * above + 1;
    grid.left = (width - grid.width) / 2 - beside * grid.pitch;
    grid.top = (height - grid.height) / 2 - above * grid.pitch;
    return grid;
}
