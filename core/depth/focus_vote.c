#include "depth/focus_vote.h"

#include "layer/radii_rule.h"

#include <math.h>
#include <stdlib.h>

#define LARGEST SATB_FOCUS_NEAREST
#define BINS    256 /* of depth */
#define REACH   4 /* bins to each side that are in focus together: 3.5 % of the depths that occur */
#define SMOOTH  10    /* bins to each side that support a bin, the less the farther they are */
#define MIDDLE  3     /* cells to each side that support a cell as the middle of what is in focus */
#define TOTAL   65536 /* the largest weight */

/* --- Depths ----------------------------------------------------------------------------------- */

static double disparity_of(const satb_focus_scale *s, size_t code)
{
    return satk_disparity(s->lens, (uint32_t)code, (uint32_t)s->codes - 1);
}

/* Returns the disparity that `rank` pixels are farther than. Disparities rise or fall with the codes. */
static double disparity_at(const satb_focus_scale *s, uint64_t rank)
{
    const int rises = disparity_of(s, 0) <= disparity_of(s, s->codes - 1);
    uint64_t sum = 0;
    size_t i = 0;

    for (; i < s->codes - 1; i++) {
        sum += s->counts[rises ? i : s->codes - 1 - i];
        if (sum > rank)
            break;
    }
    return disparity_of(s, rises ? i : s->codes - 1 - i);
}

void satb_fill_focus_depths(satb_focus_scale *s)
{
    uint64_t total = 0;

    for (size_t i = 0; i < s->codes; i++)
        total += s->counts[i];
    s->low = disparity_at(s, total / 1000);
    s->high = disparity_at(s, total - 1 - total / 1000);
    for (size_t i = 0; i < s->codes; i++) {
        const double d = s->counts[i] ? disparity_of(s, i) : s->low; /* others are nowhere */
        s->depth[i] = d >= s->high  ? (s->high > s->low ? LARGEST : 0)
                      : d <= s->low ? 0
                                    : (uint16_t)((d - s->low) / (s->high - s->low) * LARGEST + 0.5);
    }
}

static int bin_of(double depth)
{
    return (int)(depth * (BINS - 1) / LARGEST + 0.5);
}

/* Returns whether the near end is clipped, as networks' maps may be: far more pixels have the last depth than each of the
 * depths next to it, and yet depth leads up to it. A mask's white has no depth that leads up to it. */
static int is_clipped(const satb_focus_scale *s)
{
    enum { NEXT = 32 };
    uint64_t bins[BINS] = {0}, total = 0, next = 0, used = 0;

    for (size_t i = 0; i < s->codes; i++)
        if (s->counts[i]) {
            bins[bin_of(s->depth[i])] += s->counts[i];
            total += s->counts[i];
        }
    for (int b = BINS - 1 - NEXT; b < BINS - 1; b++) {
        next += bins[b];
        used += bins[b] > 0;
    }
    const uint64_t end = bins[BINS - 1];
    return end > total / 100 && end * used > 8 * next && end < 16 * next;
}

/* --- Weights ---------------------------------------------------------------------------------- */

/* Returns 1 in the middle of the width and two fifths below the top, less elsewhere, 0.015 in the bottom corners.
 * across: -1 .. 1, exact, so that both sides weigh the same; y: 0 .. 1. */
static double weight_of_place(double across, double y)
{
    const double away = y < 0.4 ? (0.4 - y) / 0.4 : (y - 0.4) / 0.6;

    return (1 - 0.9 * across * across) * (1 - (y < 0.4 ? 0.75 : 0.85) * away * away);
}

/* Returns how much the depth changes to the cell above or below, of the two the smaller change: the ends of an upright
 * surface do not count. */
static double slope_at(const satb_focus_view *v, int i, int j)
{
    const satb_focus_cell *const c = &v->cells[j * v->columns + i];
    const double above = j > 0 ? fabs(c->depth - (c - v->columns)->depth) : LARGEST;
    const double below = j + 1 < v->rows ? fabs(c->depth - (c + v->columns)->depth) : LARGEST;

    return v->rows == 1 ? 0 : above < below ? above : below;
}

/* Returns 1 for a square of 0, 1/2 for the square of `half`, and less beyond. */
static double falling(double square, double half)
{
    return half * half / (half * half + square);
}

/* is_flat: all depths are the same. */
static double weight_of(const satb_focus_view *v, int i, int j, int is_flat, int clipped)
{
    const satb_focus_cell *const c = &v->cells[j * v->columns + i];
    const double slope = slope_at(v, i, j) * satk_larger(v->columns, v->rows) / SATB_FOCUS_CELLS;

    double w = weight_of_place((double)(2 * i + 1 - v->columns) / v->columns, (j + 0.5) / v->rows);
    w *= (c->detail + 1.0 / 16) / (c->detail + 1);
    w *= is_flat ? 1 : 1 - falling(c->depth * c->depth, 0.4 * LARGEST); /* the background */
    w *= falling(slope * slope, 0.02 * LARGEST);                        /* the ground */
    w *= falling(c->variance, 0.03 * LARGEST);                          /* two surfaces */
    return clipped && c->bin >= BINS - 2 ? w / 8 : w;
}

/* --- The picture as it is displayed ----------------------------------------------------------- */

/* Returns the grid's cell that is displayed at column i of row j, by EXIF's orientation. */
static int stored_cell(const satb_focus_patches *grid, int orientation, int i, int j)
{
    const int swapped = orientation >= 5;
    const int columns = swapped ? grid->at.rows : grid->at.columns;
    const int rows = swapped ? grid->at.columns : grid->at.rows;
    const int x = orientation & 2 ? columns - 1 - i : i;
    const int y = (orientation - 1) & 2 ? rows - 1 - j : j;

    return swapped ? x * grid->at.columns + y : y * grid->at.columns + x;
}

static int compare(const void *a, const void *b)
{
    const uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;

    return (left > right) - (left < right);
}

/* Returns a quarter more than the detail that a fifth of the cells do not exceed: noise, and what blurred surfaces
 * show. */
static uint64_t noise_of(const satb_focus_patches *grid)
{
    uint64_t details[SATB_FOCUS_MOST];
    const int n = grid->at.columns * grid->at.rows;

    for (int i = 0; i < n; i++)
        details[i] = grid->cells[i].detail;
    qsort(details, (size_t)n, sizeof *details, compare);
    return details[n / 5] * 5 / 4;
}

static void fill_view(const satb_focus_patches *grid, int orientation, satb_focus_view *v)
{
    const double pixels = (double)grid->at.width * grid->at.height;
    const int n = grid->at.columns * grid->at.rows;
    const uint64_t noise = noise_of(grid);
    uint64_t total = 0;

    for (int i = 0; i < n; i++)
        total += grid->cells[i].detail > noise ? grid->cells[i].detail - noise : 0;
    v->columns = orientation >= 5 ? grid->at.rows : grid->at.columns;
    v->rows = orientation >= 5 ? grid->at.columns : grid->at.rows;
    for (int i = 0; i < n; i++) {
        const satk_patch *const from =
            &grid->cells[stored_cell(grid, orientation, i % v->columns, i / v->columns)];
        const double depth = (double)from->depth / pixels;
        const double variance = (double)from->square / pixels - depth * depth;
        v->cells[i] = (satb_focus_cell){
            .depth = depth,
            .variance = variance > 0 ? variance : 0,
            .detail = from->detail > noise ? (double)(from->detail - noise) * n / (double)total : 0,
            .bin = bin_of(depth)};
    }
}

/* --- Choice ----------------------------------------------------------------------------------- */

/* Returns the bin with the most support, the nearest of equals. */
static int strongest_bin(const satb_focus_view *v)
{
    uint64_t bins[BINS] = {0}, most = 0;
    int best = 0;

    for (int i = 0; i < v->columns * v->rows; i++)
        bins[v->cells[i].bin] += v->cells[i].weight;
    for (int b = 0; b < BINS; b++) {
        uint64_t support = 0;
        for (int i = b - SMOOTH; i <= b + SMOOTH; i++)
            if (i >= 0 && i < BINS)
                support += bins[i] * (uint64_t)(SMOOTH + 1 - abs(i - b));
        if (support >= most) {
            most = support;
            best = b;
        }
    }
    return best;
}

/* Returns the mean disparity of the pixels around a bin. */
static double mean_disparity(const satb_focus_scale *s, int bin)
{
    double sum = 0, weight = 0;

    for (size_t i = 0; i < s->codes; i++) {
        if (!s->counts[i] || abs(bin_of(s->depth[i]) - bin) > REACH)
            continue;
        const double d = disparity_of(s, i);
        if (d >= s->low && d <= s->high) {
            sum += d * (double)s->counts[i];
            weight += (double)s->counts[i];
        }
    }
    return weight > 0 ? sum / weight : s->low + (s->high - s->low) * bin / (BINS - 1);
}

/* Returns how much a cell stands for what is in focus around it. */
static uint64_t support_of(const satb_focus_view *v, int bin, int i, int j)
{
    const int away = abs(v->cells[j * v->columns + i].bin - bin);
    uint64_t sum = 0;

    for (int y = j - MIDDLE; away <= REACH && y <= j + MIDDLE; y++)
        for (int x = i - MIDDLE; x <= i + MIDDLE; x++)
            if (x >= 0 && x < v->columns && y >= 0 && y < v->rows &&
                abs(v->cells[y * v->columns + x].bin - bin) <= REACH)
                sum += v->cells[y * v->columns + x].weight;
    return sum * (uint64_t)(REACH + 1 - away) * v->cells[j * v->columns + i].weight;
}

/* Returns the cell with the most support at a bin: of equals the one closest to the middle column, then the highest. */
static int strongest_cell(const satb_focus_view *v, int bin)
{
    uint64_t most = 0;
    int best = v->columns / 2;

    for (int j = 0; j < v->rows; j++)
        for (int k = 0; k < v->columns; k++) {
            const int i = v->columns / 2 + (k & 1 ? k / 2 + 1 : -(k / 2)); /* from the middle */
            const uint64_t support = support_of(v, bin, i, j);
            if (support > most) {
                most = support;
                best = j * v->columns + i;
            }
        }
    return best;
}

void satb_vote_focus(const satb_focus_scale *s, const satb_focus_patches *grid, int orientation,
                     satb_focus_view *v, satb_found_focus *found)
{
    const int is_flat = s->low >= s->high, clipped = is_clipped(s);

    fill_view(grid, orientation, v);
    for (int i = 0; i < v->columns * v->rows; i++)
        v->cells[i].weight =
            (uint32_t)(weight_of(v, i % v->columns, i / v->columns, is_flat, clipped) * TOTAL +
                       0.5);
    found->disparity = mean_disparity(s, strongest_bin(v));
    const double depth = is_flat ? 0 : (found->disparity - s->low) / (s->high - s->low) * LARGEST;
    const int best = strongest_cell(v, bin_of(depth));
    const int at = stored_cell(grid, orientation, best % v->columns, best / v->columns);
    found->x = grid->at.left + at % grid->at.columns * grid->at.pitch + grid->at.width / 2;
    found->y = grid->at.top + at / grid->at.columns * grid->at.pitch + grid->at.height / 2;
}
