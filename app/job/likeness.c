#include "job/likeness.h"

#include "image/half.h"
#include "image/orientation.h"
#include "image/pixels.h"
#include "image/shape.h"

#include <math.h>

bool view_open(const satb_image *image, satb_image *view, const char *name, problem *p)
{
    problem inner;
    *view = *image;
    return !image->on_device || pixels_fetch(image, view, &inner) || problem_at(p, name, &inner);
}

void view_close(const satb_image *image, satb_image *view)
{
    if (image->on_device)
        pixels_drop(view);
}

enum {
    SIDE = LIKENESS_SIDE,
    POINTS = 4
}; /* cells of a picture to each side, and points of a cell */

/* Returns 8-bit red, green or blue of a pixel, or gray. */
static int colour_of(const satb_image *image, int x, int y, int c)
{
    const uint8_t *const row = (const uint8_t *)image->data + y * image->stride;
    const size_t at = (size_t)x * (size_t)image->channels + (size_t)(image->channels > 2 ? c : 0);
    const unsigned sample = picture_sample(image, row, at);
    return (int)(image->half ? half_to_code((uint16_t)sample) : sample >> (image->bits - 8));
}

/* Returns the mean of red, green or blue over points of a cell, or (c = 3) of all three. */
static double cell_mean(const satb_image *image, int orientation, int cell, int c)
{
    const bool swapped = orientation_swaps(orientation);
    const int width = swapped ? image->height : image->width;
    const int height = swapped ? image->width : image->height;
    const int64_t all = SIDE * POINTS;
    double sum = 0;
    for (int i = 0; i < POINTS * POINTS; i++) {
        const int64_t u = cell % SIDE * POINTS + i % POINTS, v = cell / SIDE * POINTS + i / POINTS;
        int x = (int)((2 * u + 1) * width / (2 * all));
        int y = (int)((2 * v + 1) * height / (2 * all));
        orientation_point_to_stored(orientation, width, height, &x, &y);
        for (int k = 0; k < 3; k++)
            if (c == 3 || c == k)
                sum += colour_of(image, x, y, k);
    }
    return sum / (c == 3 ? 3 * POINTS * POINTS : POINTS * POINTS);
}

bool likeness_find(const satb_image *a, const satb_image *b, int orientation, bool gray)
{
    double apart = 0, spread = 0;
    for (int cell = 0; cell < SIDE * SIDE; cell++)
        for (int c = gray ? 3 : 0; c < (gray ? 4 : 3); c++) {
            const double mean = cell_mean(a, 1, cell, c);
            apart += fabs(mean - cell_mean(b, orientation, cell, c));
            spread += fabs(mean - cell_mean(a, 1, (cell + 7 * SIDE + 7) % (SIDE * SIDE), c));
        }
    return spread > 0 && 8 * apart < spread;
}
