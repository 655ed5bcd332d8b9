#include "blur/rim_doubt.h"

#include "base/memory.h"
#include "common/plane.h"
#include "depth/window_sums.h"

#include <string.h>

enum {
    SAMPLES = 8, /* to each side of a pixel that is compared with them */
    ALIKE = 6,   /* the largest difference of colours, 8 bits a channel, root mean square */
    MOST_COLOURS = 3
};

/* The planes of sums: doubtful pixels, and the codes before them. */
enum { COUNT, CODES, PLANES };

typedef struct search {
    const satb_image *picture, *marks, *near;
    int colours;     /* of a pixel, without alpha */
    int reach;       /* of doubt, in pixels */
    uint8_t *answer; /* of every pixel: 1: it is beside an edge; and then, 1: it is a stranger */
    satb_windows windows;
} search;

static uint8_t *row_of(const satb_image *image, int y)
{
    return (uint8_t *)image->data + y * image->stride;
}

static uint8_t *answer_at(const search *s, int x, int y)
{
    return s->answer + (size_t)y * (size_t)s->marks->width + (size_t)x;
}

/* Gives the pixels with the answer 1 a mark. */
static void mark_answers(const search *s, uint8_t mark)
{
    for (int y = 0; y < s->marks->height; y++)
        for (int x = 0; x < s->marks->width; x++)
            if (*answer_at(s, x, y))
                row_of(s->marks, y)[x] = mark;
}

/* --- Pixels beside an edge -------------------------------------------------------------------- */

static void read_near(const void *job, int y, int x0, int x1, uint32_t *row)
{
    const search *const s = job;
    const uint8_t *const marks = row_of(s->marks, y);
    const uint16_t *const near = (const uint16_t *)(const void *)row_of(s->near, y);

    for (int x = x0; x < x1; x++, row += PLANES) {
        row[COUNT] = marks[x] == SATB_MARK_DOUBTFUL;
        row[CODES] = row[COUNT] ? near[x] : 0;
    }
}

static void take_near(void *job, const satk_sliding_row *row)
{
    const search *const s = job;
    const int y = row->y;
    const uint8_t *const marks = row_of(s->marks, y);
    uint16_t *const near = (uint16_t *)(void *)row_of(s->near, y);

    for (int x = row->x0; x < row->x1; x++) {
        const uint64_t count =
            marks[x] == SATB_MARK_SHARP ? satk_sliding_sum(&s->windows, row, x, COUNT) : 0;
        if (count == 0)
            continue;
        *answer_at(s, x, y) = 1;
        near[x] = (uint16_t)((satk_sliding_sum(&s->windows, row, x, CODES) + count / 2) / count);
    }
}

/* --- Colours ---------------------------------------------------------------------------------- */

static int colour_at(const search *s, int x, int y, int c)
{
    return (int)(satk_code(row_of(s->picture, y),
                           (size_t)x * (size_t)s->picture->channels + (size_t)c,
                           s->picture->bits) >>
                 (s->picture->bits - 8));
}

/* Returns whether two pixels have like colours. */
static int are_alike(const search *s, const int *colour, int x, int y)
{
    int apart = 0;

    for (int c = 0; c < s->colours; c++) {
        const int difference = colour[c] - colour_at(s, x, y, c);
        apart += difference * difference;
    }
    return apart <= ALIKE * ALIKE * s->colours;
}

/* Returns whether no sharp pixel around has the pixel's colour. */
static int is_stranger(const search *s, int x, int y)
{
    const int step = (s->reach + 1) / 2;
    int colour[MOST_COLOURS], seen = 0;

    for (int c = 0; c < s->colours; c++)
        colour[c] = colour_at(s, x, y, c);
    for (int j = -SAMPLES; j <= SAMPLES; j++)
        for (int i = -SAMPLES; i <= SAMPLES; i++) {
            const int u = x + i * step, v = y + j * step;
            if (u < 0 || v < 0 || u >= s->marks->width || v >= s->marks->height ||
                row_of(s->marks, v)[u] != SATB_MARK_SHARP)
                continue;
            seen = 1;
            if (are_alike(s, colour, u, v))
                return 0;
        }
    return seen;
}

static void compare_colours(const search *s, int threads)
{
#pragma omp parallel for num_threads(threads) schedule(dynamic, 8)
    for (int y = 0; y < s->marks->height; y++)
        for (int x = 0; x < s->marks->width; x++)
            *answer_at(s, x, y) =
                row_of(s->marks, y)[x] == SATB_MARK_DOUBTFUL && is_stranger(s, x, y);
}

/* s has its memory, all 0. */
static satb_status find_strangers(satb_context *context, const search *s)
{
    const satb_status status = satb_sum_windows(context, &s->windows);

    if (status != SATB_OK)
        return status;
    mark_answers(s, SATB_MARK_DOUBTFUL);
    compare_colours(s, context->threads);
    mark_answers(s, SATB_MARK_STRANGER);
    return SATB_OK;
}

satb_status satb_find_strangers(satb_context *context, const satb_image *picture,
                                const satb_image *marks, const satb_image *near, int reach)
{
    const size_t pixels = (size_t)picture->width * (size_t)picture->height;
    search s = {.picture = picture,
                .marks = marks,
                .near = near,
                .colours = picture->channels - (picture->channels % 2 == 0),
                .reach = reach,
                .answer = satb_take(&context->spares, pixels)};
    satb_status status = SATB_ERR_NOMEM;

    s.windows = (satb_windows){.width = picture->width,
                               .height = picture->height,
                               .planes = PLANES,
                               .radius = s.reach,
                               .job = &s,
                               .read = read_near,
                               .take = take_near};
    if (s.answer) {
        memset(s.answer, 0, pixels);
        status = find_strangers(context, &s);
    } else
        satb_fail(context, status, "out of memory for doubtful pixels");
    satb_give(&context->spares, s.answer);
    return status;
}
