/* Whether an image is a map of a picture: its proportions, its colours, its range, and what it shows. */
#include "backend/image.h"
#include "base/tone_tables.h"
#include "matte/matte_plane_rule.h"

#include <math.h>

/* Returns whether the image, wherever it is, has a shape that the library takes. */
static int is_shape(const satb_image *image)
{
    satb_context none = {0};
    satb_image here = *image;

    here.on_device = 0;
    return satb_check_image(&none, &here, "") == SATB_OK;
}

static int is_on_host(const satb_image *image)
{
    return image && !image->on_device && is_shape(image);
}

static const void *row_of(const satb_image *image, int y)
{
    return (const uint8_t *)image->data + y * image->stride;
}

static unsigned sample_of(const satb_image *image, const void *row, size_t at)
{
    return image->bits == 16 ? ((const uint16_t *)row)[at] : ((const uint8_t *)row)[at];
}

static unsigned full_of(const satb_image *image)
{
    return image->bits == 16 ? UINT16_MAX : UINT8_MAX;
}

/* --- Proportions ------------------------------------------------------------------------------ */

/* Returns whether w1 : h1 and w2 : h2 differ by more than 2 % and by more than the rounding of a side to whole pixels. */
static int differ(int w1, int h1, int w2, int h2)
{
    const double a = (double)w1 * h2, b = (double)w2 * h1, most = fmax(a, b);
    const double rounding = w1 > h1 ? w1 : h1;

    return fabs(a - b) > 0.02 * most && fabs(a - b) > rounding;
}

static unsigned judge_proportions(const satb_image *src, const satb_image *map)
{
    if (!differ(src->width, src->height, map->width, map->height))
        return 0;
    const int turned = (src->width > src->height) != (map->width > map->height) &&
                       !differ(src->width, src->height, map->height, map->width);
    return turned ? SATB_SIGN_TURNED : SATB_SIGN_STRETCHED;
}

/* --- Colours ---------------------------------------------------------------------------------- */

/* Returns the parts in one row of `step`. */
static satb_colours measure_colours(const satb_image *map, int step)
{
    const unsigned eighth = full_of(map) / 8;
    const size_t channels = (size_t)map->channels;
    size_t tinted = 0, coloured = 0, seen = 0;

    if (channels < 3)
        return (satb_colours){0};
    for (int y = 0; y < map->height; y += step) {
        const void *const row = row_of(map, y);
        for (size_t x = 0; x < (size_t)map->width; x++, seen++) {
            const unsigned r = sample_of(map, row, x * channels);
            const unsigned g = sample_of(map, row, x * channels + 1);
            const unsigned b = sample_of(map, row, x * channels + 2);
            const unsigned most = r > g ? r > b ? r : b : g > b ? g : b;
            const unsigned least = r < g ? r < b ? r : b : g < b ? g : b;
            tinted += most - least > eighth;
            coloured += most - least > 2 * eighth && 5 * (most - least) > 2 * most;
        }
    }
    return (satb_colours){(double)tinted / (double)seen, (double)coloured / (double)seen};
}

satb_status satb_map_colours(const satb_image *map, satb_colours *colours)
{
    if (!colours || !is_on_host(map) || map->half)
        return SATB_ERR_ARG;
    *colours = measure_colours(map, 1);
    return SATB_OK;
}

/* Returns whether the image has an alpha that is not the same everywhere. */
static int has_alpha(const satb_image *image)
{
    const size_t channels = (size_t)image->channels;

    if (channels % 2 == 1)
        return 0;
    const unsigned first = sample_of(image, image->data, channels - 1);
    for (int y = 0; y < image->height; y++)
        for (size_t x = 0; x < (size_t)image->width; x++)
            if (sample_of(image, row_of(image, y), x * channels + channels - 1) != first)
                return 1;
    return 0;
}

static unsigned judge_colours(const satb_colours *c)
{
    return (c->tinted > 0.02 ? SATB_SIGN_TINTED : 0u) |
           (c->coloured > 0.1 ? SATB_SIGN_COLOURED : 0u);
}

/* --- Likeness --------------------------------------------------------------------------------- */

enum { SIDE = SATB_ALIKE_SIDE, POINTS = 4 }; /* cells to each side, and points of a cell */

/* Returns red, green or blue of a pixel in 8 bits, or gray. */
static int colour_of(const satb_image *image, int x, int y, int c)
{
    const size_t at = (size_t)x * (size_t)image->channels + (size_t)(image->channels > 2 ? c : 0);
    const unsigned sample = sample_of(image, row_of(image, y), at);

    return image->half ? satb_code_of_half((uint16_t)sample) : (int)(sample >> (image->bits - 8));
}

/* Finds the pixel of a point, of `all` along each side of the image as displayed. EXIF's orientation has rows as columns
 * from 5 on. */
static void find_point(const satb_image *image, int orientation, int across, int down, int all,
                       int *x, int *y)
{
    const int swapped = orientation >= 5;
    const int64_t width = image->width, height = image->height;
    const int u = swapped ? down : across, v = swapped ? across : down;
    const int mirrored = orientation == 2 || orientation == 3 || orientation >= 7;
    const int upside_down =
        orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
    const int64_t at = (2 * u + 1) * width / (2 * all), row = (2 * v + 1) * height / (2 * all);

    *x = (int)(mirrored ? width - 1 - at : at);
    *y = (int)(upside_down ? height - 1 - row : row);
}

/* Returns the mean of red, green or blue over points of a cell, or (c = 3) of all three, of the image as displayed. */
static double cell_mean(const satb_image *image, int orientation, int cell, int c)
{
    double sum = 0;
    int x, y;

    for (int i = 0; i < POINTS * POINTS; i++) {
        find_point(image, orientation, cell % SIDE * POINTS + i % POINTS,
                   cell / SIDE * POINTS + i / POINTS, SIDE * POINTS, &x, &y);
        for (int k = 0; k < 3; k++)
            if (c == 3 || c == k)
                sum += colour_of(image, x, y, k);
    }
    return sum / (c == 3 ? 3 * POINTS * POINTS : POINTS * POINTS);
}

int satb_are_alike(const satb_image *a, const satb_image *b, int orientation, int gray)
{
    double apart = 0, spread = 0;

    if (!is_on_host(a) || !is_on_host(b))
        return 0;
    for (int cell = 0; cell < SIDE * SIDE; cell++)
        for (int c = gray ? 3 : 0; c < (gray ? 4 : 3); c++) {
            const double mean = cell_mean(a, 1, cell, c);
            apart += fabs(mean - cell_mean(b, orientation, cell, c));
            spread += fabs(mean - cell_mean(a, 1, (cell + 7 * SIDE + 7) % (SIDE * SIDE), c));
        }
    return spread > 0 && 8 * apart < spread;
}

/* Returns whether the map is so much wider or higher than the picture that one side of it, of the picture's proportions, may
 * be the picture: some programs draw the map beside or below it. */
static int has_side(const satb_image *src, const satb_image *map, satb_image *side)
{
    const double wide = (double)map->height * src->width / src->height;
    const double high = (double)map->width * src->height / src->width;

    *side = *map;
    if (4 * wide < 3 * map->width)
        side->width = (int)(wide + 0.5);
    else if (4 * high < 3 * map->height)
        side->height = (int)(high + 0.5);
    else
        return 0;
    return side->width >= SIDE && side->height >= SIDE;
}

/* Returns whether that side of the map, or the opposite one, looks like the picture. */
static int shows_picture(const satb_image *src, const satb_image *map, const satb_image *side,
                         int gray)
{
    satb_image other = *side;

    other.data = (uint8_t *)map->data + (map->height - side->height) * map->stride +
                 (ptrdiff_t)(map->width - side->width) * map->channels * (map->bits / 8);
    return satb_are_alike(src, side, 1, gray) || satb_are_alike(src, &other, 1, gray);
}

static unsigned judge_likeness(const satb_image *src, const satb_image *map, int tinted)
{
    satb_image side;
    const int sided = has_side(src, map, &side);

    if (src->on_device || map->on_device)
        return tinted || sided ? SATB_SIGN_UNSEEN : 0;
    return (tinted && satb_are_alike(src, map, 1, 0) ? SATB_SIGN_PICTURE : 0u) |
           (sided && shows_picture(src, map, &side, !tinted) ? SATB_SIGN_BESIDE : 0u) |
           (!tinted && satb_are_alike(src, map, 1, 1) ? SATB_SIGN_ALIKE : 0u);
}

/* --- Range ------------------------------------------------------------------------------------ */

/* Sets the extreme codes of a channel. Most maps use more of their scale in their first rows, and then the rest is not read. */
static unsigned judge_range(const satb_image *map, size_t channel, int zero_counts,
                            satb_judgement *j)
{
    const unsigned full = full_of(map);
    unsigned least = full, most = 0;

    for (int y = 0; y < map->height; y++) {
        const void *const row = row_of(map, y);
        for (size_t x = 0; x < (size_t)map->width; x++) {
            const unsigned code = sample_of(map, row, x * (size_t)map->channels + channel);
            if (code == 0 && !zero_counts)
                continue;
            least = code < least ? code : least;
            most = code > most ? code : most;
        }
        if (most > least && 8 * (most - least) > full)
            return 0;
    }
    j->least = least;
    j->most = most;
    return most > least ? SATB_SIGN_NARROW : 0;
}

/* Returns what a mask covers, of which all codes are known to be within the judgement's: an eighth of the scale. */
static unsigned judge_cover(const satb_image *mask, const satb_judgement *j)
{
    if (satk_matte_cover(j->most, mask->bits) == 0)
        return SATB_SIGN_BLACK;
    return satk_matte_cover(j->least, mask->bits) == UINT8_MAX ? SATB_SIGN_WHITE : 0u;
}

/* --- Near and far ----------------------------------------------------------------------------- */

enum { POINTS_DOWN = 60, UPPER = 24, LOWER = 48 }; /* points of a column, and where its parts end */

/* Known codes of a part of a map. */
typedef struct code_sum {
    uint64_t sum, count;
} code_sum;

/* Adds the codes of a column of points to its upper or lower part. range: the extremes of all. */
static void add_column(const satb_image *map, int orientation, int column, code_sum parts[2],
                       unsigned range[2])
{
    for (int i = 0; i < POINTS_DOWN; i++) {
        int x, y;
        if (i >= UPPER && i < LOWER)
            continue;
        find_point(map, orientation, column, i, POINTS_DOWN, &x, &y);
        const unsigned code = sample_of(map, row_of(map, y), (size_t)x * (size_t)map->channels);
        if (code == 0 && map->bits == 16)
            continue;
        parts[i >= LOWER].sum += code;
        parts[i >= LOWER].count++;
        range[0] = code < range[0] ? code : range[0];
        range[1] = code > range[1] ? code : range[1];
    }
}

/* Returns how much farther the lower part is than the upper one, in codes. */
static double farther_below(const code_sum parts[2], int near_black)
{
    if (parts[0].count == 0 || parts[1].count == 0)
        return 0;
    const double fall = (double)parts[0].sum / (double)parts[0].count -
                        (double)parts[1].sum / (double)parts[1].count;
    return near_black ? -fall : fall;
}

/* The ground is below, and comes nearer downwards. Returns the sign if the lowest fifth of the upright map is farther than its
 * upper two fifths, by over 1/5 of the codes that occur, and in at least 4 of 5 columns. */
static unsigned judge_direction(const satb_image *map, int orientation, int near_black)
{
    code_sum all[2] = {{0, 0}, {0, 0}};
    unsigned range[2] = {UINT16_MAX, 0};
    int columns = 0;

    for (int i = 0; i < POINTS_DOWN; i++) {
        code_sum parts[2] = {{0, 0}, {0, 0}};
        add_column(map, orientation, i, parts, range);
        columns += farther_below(parts, near_black) > 0;
        for (int k = 0; k < 2; k++) {
            all[k].sum += parts[k].sum;
            all[k].count += parts[k].count;
        }
    }
    return range[1] > range[0] && 5 * columns >= 4 * POINTS_DOWN &&
                   5 * farther_below(all, near_black) > range[1] - range[0]
               ? SATB_SIGN_SWAPPED
               : 0;
}

/* Judges a map's or a mask's samples, on the host. */
static void judge_samples(const satb_image *map, const satb_judge_params *p, satb_judgement *j)
{
    const size_t alpha = p->is_mask && has_alpha(map) ? (size_t)map->channels - 1 : 0;
    const int zero_counts = p->is_mask || map->bits == 8;

    j->least = 1; /* no code */
    j->colours = alpha ? (satb_colours){0} : p->colours ? *p->colours : measure_colours(map, 4);
    j->signs |= judge_range(map, alpha, zero_counts, j);
    if (p->orientation > 0 && !p->is_mask)
        j->signs |= judge_direction(map, p->orientation, p->near_black);
    if (p->is_mask && j->most >= j->least)
        j->signs |= judge_cover(map, j);
}

satb_status satb_judge_map(const satb_image *src, const satb_image *map,
                           const satb_judge_params *params, satb_judgement *judgement)
{
    const satb_judge_params defaults = {0}, *const p = params ? params : &defaults;
    satb_judgement j = {0};

    if (!judgement || !map || !is_shape(map) || map->half || (src && !is_shape(src)))
        return SATB_ERR_ARG;
    if (p->orientation < 0 || p->orientation > 8)
        return SATB_ERR_ARG;
    if (!map->on_device)
        judge_samples(map, p, &j);
    else if (p->colours)
        j.colours = *p->colours;
    j.signs |= judge_colours(&j.colours);
    if (!(j.signs & SATB_SIGN_NARROW))
        j.least = j.most = 0;
    if (src)
        j.signs |= judge_proportions(src, map);
    if (src && !p->is_mask)
        j.signs |= judge_likeness(src, map, (j.signs & SATB_SIGN_TINTED) != 0);
    *judgement = j;
    return SATB_OK;
}
