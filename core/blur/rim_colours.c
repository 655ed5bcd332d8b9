#include "blur/rim_colours.h"

#include "base/memory.h"
#include "common/plane.h"
#include "depth/window_sums.h"

#include <string.h>

enum { NARROWEST = 3, ENOUGH = 12 }; /* pixels: of the narrowest windows' radius, of either side */

typedef struct separation {
    const satb_image *picture, *matte, *sides, *out;
    int colours;     /* of a pixel, without alpha */
    uint8_t *sought; /* of every pixel: 1 until it is done, if it has a side */
    satb_windows windows;
} separation;

static uint8_t *row_of(const satb_image *image, int y)
{
    return (uint8_t *)image->data + y * image->stride;
}

static uint32_t code_at(const separation *s, int x, int y, int c)
{
    return satk_code(row_of(s->picture, y), (size_t)x * (size_t)s->picture->channels + (size_t)c,
                     s->picture->bits);
}

/* The planes: of the background, then of the subject, its pixels and their colours. */
static void read_row(const void *job, int y, uint32_t *row)
{
    const separation *const s = job;
    const uint8_t *const cover = row_of(s->matte, y);
    const int half = 1 + s->colours;

    memset(row, 0, 2 * (size_t)half * (size_t)s->picture->width * sizeof *row);
    for (int x = 0; x < s->picture->width; x++, row += 2 * half) {
        if (cover[x] > 0 && cover[x] < UINT8_MAX)
            continue;
        uint32_t *const of = row + (cover[x] > 0 ? half : 0);
        of[0] = 1;
        for (int c = 0; c < s->colours; c++)
            of[1 + c] = code_at(s, x, y, c);
    }
}

static int64_t divided(int64_t a, int64_t b)
{
    return a < 0 ? -((-a + b / 2) / b) : (a + b / 2) / b;
}

/* Returns the colour of one side, from the means of both sides and the pixel's code, which mixes them by m / 255. */
static uint32_t separated(int64_t subject, int64_t background, int64_t code, int64_t m,
                          int of_subject, int bits)
{
    const int64_t rest = UINT8_MAX - m, white = (1 << bits) - 1;
    const int64_t error = UINT8_MAX * code - m * subject - rest * background;
    const int64_t part = divided((of_subject ? m : rest) * error, m * m + rest * rest);
    const int64_t colour = (of_subject ? subject : background) + part;

    return (uint32_t)(colour < 0 ? 0 : colour > white ? white : colour);
}

static void set_code(const separation *s, int x, int y, int c, uint32_t code)
{
    satk_put_code(row_of(s->out, y), (size_t)x * (size_t)s->out->channels + (size_t)c, s->out->bits,
                  code);
}

static void take_row(void *job, int y, const uint64_t *table)
{
    const separation *const s = job;
    const int width = s->picture->width, half = 1 + s->colours;
    uint8_t *const sought = s->sought + (size_t)y * (size_t)width;

    for (int x = 0; x < width; x++) {
        if (!sought[x])
            continue;
        const int64_t behind = (int64_t)satb_window_sum(&s->windows, table, x, 0);
        const int64_t before = (int64_t)satb_window_sum(&s->windows, table, x, half);
        if (behind < ENOUGH || before < ENOUGH)
            continue;
        for (int c = 0; c < s->colours; c++) {
            const uint64_t b = satb_window_sum(&s->windows, table, x, 1 + c);
            const uint64_t f = satb_window_sum(&s->windows, table, x, half + 1 + c);
            set_code(s, x, y, c,
                     separated(divided((int64_t)f, before), divided((int64_t)b, behind),
                               code_at(s, x, y, c), row_of(s->matte, y)[x],
                               row_of(s->sides, y)[x] == SATB_COLOUR_SUBJECT, s->picture->bits));
        }
        sought[x] = 0;
    }
}

/* s has its memory, and out is a copy of the picture. */
static satb_status separate(satb_context *context, separation *s)
{
    const satb_image *const sides = s->sides;

    for (int y = 0; y < sides->height; y++)
        for (int x = 0; x < sides->width; x++)
            s->sought[(size_t)y * (size_t)sides->width + (size_t)x] =
                row_of(sides, y)[x] != SATB_COLOUR_KEEP;
    s->windows = (satb_windows){.width = sides->width,
                                .height = sides->height,
                                .planes = 2 * (1 + s->colours),
                                .radius = NARROWEST,
                                .y1 = sides->height,
                                .job = s,
                                .read = read_row,
                                .take = take_row};
    return satb_widen_windows(context, &s->windows, s->sought);
}

static void copy_rows(const satb_image *from, const satb_image *to)
{
    for (int y = 0; y < from->height; y++)
        memcpy(row_of(to, y), row_of(from, y), (size_t)to->stride);
}

satb_status satb_separate_colours(satb_context *context, const satb_image *picture,
                                  const satb_image *matte, const satb_image *sides, satb_image *out)
{
    const size_t row =
        (size_t)picture->width * (size_t)picture->channels * (size_t)picture->bits / 8;
    separation s = {
        .picture = picture,
        .matte = matte,
        .sides = sides,
        .out = out,
        .colours = picture->channels - (picture->channels % 2 == 0),
        .sought = satb_take(&context->spares, (size_t)picture->width * (size_t)picture->height)};
    satb_status status = SATB_ERR_NOMEM;

    *out = *picture;
    out->stride = (ptrdiff_t)row;
    out->data = satb_take(&context->spares, row * (size_t)picture->height);
    if (s.sought && out->data) {
        copy_rows(picture, out);
        status = separate(context, &s);
    } else
        satb_fail(context, status, "out of memory for the colours of rims");
    satb_give(&context->spares, s.sought);
    if (status != SATB_OK) {
        satb_give(&context->spares, out->data);
        out->data = NULL;
    }
    return status;
}
