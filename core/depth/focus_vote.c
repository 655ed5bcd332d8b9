#include "depth/focus_vote.h"

#include "layer/radii_rule.h"
#include "stats/patches_rule.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST SATB_FOCUS_NEAREST
#define BINS    256 /* of depth */
#define REACH   4 /* bins to each side that are in focus together: 3.5 % of the depths that occur */
#define SMOOTH  10 /* bins to each side that support a bin, the less the farther they are */
#define MIDDLE  3  /* patches to each side that support one as the middle of what is in focus */
#define AROUND  2  /* patches to each side whose detail is one's own */
#define STEP    3  /* patches that a soft step of the depth takes at most */

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
        s->depth[i] = d >= s->high  ? LARGEST
                      : d <= s->low ? 0
                                    : (uint16_t)((d - s->low) / (s->high - s->low) * LARGEST + 0.5);
    }
}

static int bin_of(uint32_t depth)
{
    return (int)((depth * (BINS - 1) + LARGEST / 2) / LARGEST);
}

/* --- The picture as it is displayed ----------------------------------------------------------- */

/* Returns the grid's patch that is displayed at column i of row j, by EXIF's orientation. */
static int stored_patch(const satb_focus_patches *grid, int orientation, int i, int j)
{
    const int swapped = orientation >= 5;
    const int columns = swapped ? grid->down.patches : grid->across.patches;
    const int rows = swapped ? grid->across.patches : grid->down.patches;
    const int x = orientation & 2 ? columns - 1 - i : i;
    const int y = (orientation - 1) & 2 ? rows - 1 - j : j;

    return swapped ? x * grid->across.patches + y : y * grid->across.patches + x;
}

/* Returns the pixels of patches first .. end - 1 along an axis. */
static int pixels_of(const satk_cuts *c, int first, int end)
{
    return satk_cut_at(c, end * c->samples) - satk_cut_at(c, first * c->samples);
}

/* Returns the pixel in the middle of patch i of an axis. */
static int middle_of(const satk_cuts *c, int i)
{
    return satk_cut_at(c, i * c->samples) + pixels_of(c, i, i + 1) / 2;
}

/* An axis of the grid: of each patch, its pixels, and whether it reaches into the area. */
typedef struct axis {
    int pixels[SATK_MOST_PATCHES], is_within[SATK_MOST_PATCHES];
} axis;

/* Fills in an axis. from, size: the area's pixels; size 0: all. */
static void fill_axis(axis *a, const satk_cuts *c, int from, int size)
{
    for (int i = 0; i < c->patches; i++) {
        a->pixels[i] = pixels_of(c, i, i + 1);
        a->is_within[i] = size == 0 || (satk_cut_at(c, i * c->samples) < from + size &&
                                        satk_cut_at(c, (i + 1) * c->samples) > from);
    }
}

/* Returns whether the mask has a subject: neither none nor all of the picture. */
static int has_subject(const satb_focus_patches *grid)
{
    const int n = grid->across.patches * grid->down.patches;
    uint64_t sum = 0;

    for (int i = 0; i < n; i++)
        sum += grid->patches[i].subject;
    return sum > 0 && sum < (uint64_t)grid->across.side * (uint64_t)grid->down.side;
}

/* Fills in a patch of the view. */
static void fill_patch(const satk_patch *p, uint64_t pixels, int is_within, int by_subject,
                       satb_focus_view *v, int to)
{
    v->detail[to] = p->detail;
    v->depth[to] = (uint32_t)((p->depth + pixels / 2) / pixels);
    v->share[to] = is_within ? LARGEST : 0;
    if (by_subject)
        v->share[to] = (uint32_t)(((uint64_t)p->subject * LARGEST + pixels - 1) / pixels);
    if (by_subject && p->subject > 0)
        v->depth[to] = (uint32_t)((p->subject_depth + p->subject / 2) / p->subject);
}

static void fill_view(const satb_focus_patches *grid, int orientation, const int area[4],
                      int by_subject, satb_focus_view *v)
{
    const int columns = grid->across.patches;
    axis across, down;

    fill_axis(&across, &grid->across, area[0], area[2]);
    fill_axis(&down, &grid->down, area[1], area[2] == 0 ? 0 : area[3]);
    v->columns = orientation >= 5 ? grid->down.patches : columns;
    v->rows = orientation >= 5 ? columns : grid->down.patches;
    for (int y = 0, to = 0; y < v->rows; y++)
        for (int x = 0; x < v->columns; x++, to++) {
            const int at = stored_patch(grid, orientation, x, y);
            const int i = at % columns, j = at / columns;
            fill_patch(&grid->patches[at], (uint64_t)across.pixels[i] * (uint64_t)down.pixels[j],
                       across.is_within[i] && down.is_within[j], by_subject, v, to);
        }
}

/* --- Votes ------------------------------------------------------------------------------------ */

/* Makes each number the sum of those up to `reach` columns and rows away. */
static void add_around(const satb_focus_view *v, int reach, uint32_t *numbers, uint32_t *spare)
{
    const int w = v->columns, h = v->rows;

    for (int j = 0; j < h; j++)
        for (int i = 0; i < w; i++) {
            uint32_t sum = 0;
            for (int k = satk_larger(i - reach, 0); k <= satk_smaller(i + reach, w - 1); k++)
                sum += numbers[j * w + k];
            spare[j * w + i] = sum;
        }
    for (int j = 0; j < h; j++) {
        memset(numbers + j * w, 0, (size_t)w * sizeof *numbers);
        for (int k = satk_larger(j - reach, 0); k <= satk_smaller(j + reach, h - 1); k++)
            for (int i = 0; i < w; i++)
                numbers[j * w + i] += spare[k * w + i];
    }
}

/* Makes details 64 .. 256: their means over patches around, compared with the mean of the picture, of which a quarter is
 * noise. */
static void compare_details(satb_focus_view *v)
{
    const int n = v->columns * v->rows;
    uint64_t total = 0;

    for (int i = 0; i < n; i++)
        total += v->detail[i];
    const uint32_t mean = (uint32_t)(total / (uint64_t)n), noise = mean / 4;
    for (int i = 0; i < n; i++)
        v->detail[i] = v->detail[i] > noise ? v->detail[i] - noise : 0;
    add_around(v, AROUND, v->detail, v->spare);
    const uint64_t enough = (uint64_t)(mean - noise) * (2 * AROUND + 1) * (2 * AROUND + 1);
    for (int i = 0; i < n; i++)
        v->detail[i] = enough == 0 || v->detail[i] >= enough
                           ? 256
                           : 64 + (uint32_t)(192 * (uint64_t)v->detail[i] / enough);
}

/* Returns 1024 in the middle of the width, 102 at its ends. n: columns. */
static uint32_t votes_across(int i, int n)
{
    const int from = 2 * i + 1 - n;

    return (uint32_t)(1024 - 922 * from * from / (n * n));
}

/* Returns 1024 two fifths below the top, 256 at the top and 154 at the bottom. n: rows. */
static uint32_t votes_down(int j, int n)
{
    const int from = 5 * (2 * j + 1) - 4 * n;

    return (uint32_t)(from < 0 ? 1024 - 768 * from * from / (16 * n * n)
                               : 1024 - 870 * from * from / (36 * n * n));
}

/* Returns the depth's change to the patch above or below, of the two the smaller one: the ends of an upright surface do not
 * count. It is that over 1/64 of the longer side. */
static uint64_t slope_at(const satb_focus_view *v, int at)
{
    const int64_t own = v->depth[at], longest = satk_larger(v->columns, v->rows);
    const int has_above = at >= v->columns, has_below = at + v->columns < v->columns * v->rows;
    const int64_t above = has_above ? llabs(own - v->depth[at - v->columns]) : LARGEST;
    const int64_t below = has_below ? llabs(own - v->depth[at + v->columns]) : LARGEST;

    return !has_above && !has_below ? 0
                                    : (uint64_t)((above < below ? above : below) * longest / 64);
}

/* Returns the votes of a near and upright patch, up to 1/500 of the scale. */
static uint64_t votes_without_subject(const satb_focus_view *v, int at)
{
    const uint64_t depth = (uint64_t)v->depth[at] * v->depth[at], slope = slope_at(v, at);
    const uint64_t far = 26214, steep = 1311; /* half of the votes: 2/5 and 1/50 of the scale */

    return 131 * depth / (depth + far * far) * 1024 * steep * steep /
           (steep * steep + slope * slope) / 1024;
}

/* Sets the votes of a row by how much patches stand out of it. */
static void stand_out(satb_focus_view *v, int j)
{
    const uint32_t *const depth = v->depth + j * v->columns;
    uint32_t right[SATK_MOST_PATCHES], left = LARGEST;

    for (int i = v->columns - 1; i >= 0; i--)
        right[i] = i + 1 < v->columns && right[i + 1] < depth[i] ? right[i + 1] : depth[i];
    for (int i = 0; i < v->columns; i++) {
        left = depth[i] < left ? depth[i] : left;
        const uint32_t beside = left > right[i] ? left : right[i];
        const uint32_t least = LARGEST / 50 + depth[i] / 25, most = depth[i] - beside;
        v->votes[j * v->columns + i] = most > least ? most - least : 0;
    }
}

/* Gives votes to what a side of the picture cuts: a quarter of the step that it ends in, if its depths differ by at most as much.
 * So no plane gets any. inwards: 1 from the left side, -1 from the right one. */
static void stand_out_at_side(satb_focus_view *v, int j, int inwards)
{
    const int side = j * v->columns + (inwards > 0 ? 0 : v->columns - 1);
    uint32_t least = LARGEST, most = 0, beyond = LARGEST;
    int last = 0; /* patch before the step, counted from the side */

    for (; last + STEP < v->columns; last++) {
        const uint32_t own = v->depth[side + inwards * last];
        least = own < least ? own : least;
        most = own > most ? own : most;
        beyond = v->depth[side + inwards * (last + STEP)];
        if (own > beyond + LARGEST / 8)
            break;
    }
    const uint32_t step = least > beyond ? least - beyond : 0;
    if (last + STEP >= v->columns || 4 * (most - least) > step)
        return;
    for (int i = 0; i <= last; i++) {
        uint32_t *const votes = &v->votes[side + inwards * i];
        *votes = *votes > step / 4 ? *votes : step / 4;
    }
}

/* Sets all votes, each below 2^26. */
static void count_votes(satb_focus_view *v, int by_subject)
{
    uint32_t across[SATK_MOST_PATCHES];

    compare_details(v);
    for (int i = 0; i < v->columns; i++)
        across[i] = votes_across(i, v->columns);
    for (int j = 0, at = 0; j < v->rows; j++) {
        const uint32_t down = votes_down(j, v->rows);
        stand_out(v, j);
        stand_out_at_side(v, j, 1);
        stand_out_at_side(v, j, -1);
        for (int i = 0; i < v->columns; i++, at++) {
            const uint64_t votes =
                by_subject ? LARGEST : v->votes[at] + votes_without_subject(v, at);
            const uint64_t factor = (uint64_t)(across[i] * down >> 10) * v->detail[at];
            v->votes[at] =
                (uint32_t)((votes * factor >> 9) * v->share[at] >> 16) + (v->share[at] > 0);
        }
    }
}

/* --- Choice ----------------------------------------------------------------------------------- */

/* Returns the bin with the most support for its patches, the nearest of equals. */
static int strongest_bin(const satb_focus_view *v)
{
    const uint64_t even = (uint64_t)(v->columns * v->rows) * (SMOOTH + 1) * (SMOOTH + 1);
    uint64_t bins[BINS] = {0}, counts[BINS] = {0}, most = 0;
    int best = 0;

    for (int i = 0; i < v->columns * v->rows; i++) {
        bins[bin_of(v->depth[i])] += v->votes[i];
        counts[bin_of(v->depth[i])]++;
    }
    for (int b = 0; b < BINS; b++) {
        uint64_t support = 0, count = 0;
        for (int i = satk_larger(b - SMOOTH, 0); i <= satk_smaller(b + SMOOTH, BINS - 1); i++) {
            support += bins[i] * (uint64_t)(SMOOTH + 1 - abs(i - b));
            count += counts[i] * (uint64_t)(SMOOTH + 1 - abs(i - b));
        }
        support = support * even / (BINS * count + 2 * even);
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

/* Returns the patch with the most votes at a bin around it, by their detail: of equals the one closest to the middle column,
 * then the highest. The votes and details end. */
static int strongest_patch(satb_focus_view *v, int bin)
{
    uint32_t *const around = v->detail;
    uint64_t most = 0;
    const int middle = (v->columns - 1) / 2;
    int best = middle;

    for (int i = 0; i < v->columns * v->rows; i++) {
        const int counts = v->votes[i] > 0 && abs(bin_of(v->depth[i]) - bin) <= REACH;
        const uint64_t votes = (uint64_t)v->votes[i] * (v->detail[i] - 63) >> 8;
        around[i] = v->votes[i] = counts ? (uint32_t)votes + 1 : 0;
    }
    add_around(v, MIDDLE, around, v->spare);
    for (int at = 0; at < v->columns * v->rows; at++) {
        const int k = at % v->columns;
        const int patch = at - k + middle + (k & 1 ? k / 2 + 1 : -(k / 2)); /* from the middle */
        const int away = abs(bin_of(v->depth[patch]) - bin);
        const uint64_t support =
            away <= REACH ? (uint64_t)around[patch] * (uint64_t)(REACH + 1 - away) * v->votes[patch]
                          : 0;
        if (support > most) {
            most = support;
            best = patch;
        }
    }
    return best;
}

void satb_vote_focus(const satb_focus_scale *s, const satb_focus_patches *grid, int orientation,
                     const int area[4], satb_focus_view *v, satb_found_focus *found)
{
    const int by_subject = has_subject(grid);

    fill_view(grid, orientation, area, by_subject, v);
    count_votes(v, by_subject);
    found->disparity = mean_disparity(s, strongest_bin(v));
    const double depth = s->low >= s->high ? 1 : (found->disparity - s->low) / (s->high - s->low);
    const int best = strongest_patch(v, bin_of((uint32_t)(depth * LARGEST + 0.5)));
    const int at = stored_patch(grid, orientation, best % v->columns, best / v->columns);
    found->x = middle_of(&grid->across, at % grid->across.patches);
    found->y = middle_of(&grid->down, at / grid->across.patches);
}
