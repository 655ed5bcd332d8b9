/* The width of the widest soft rim: definition, run by run = CPU = CUDA. */
#include "check/check.h"

#include "support/device.h"
#include "surface/rim_width.h"

#include <string.h>

typedef struct rims_case {
    block memory;
    satk_rims rims;
    int width, height;
} rims_case;

/* Draws soft rectangles of subjects, some with holes, in noise that is not soft. */
static rims_case make_case(check *c, int width, int height)
{
    const size_t pixels = (size_t)width * (size_t)height;
    rims_case r = {block_exact(satk_rims_bytes(pixels), 0), .width = width, .height = height};
    const int holes = random_below(&c->random, 3) ? 1 << 20 : 1 + random_below(&c->random, 200);

    random_bytes(&c->random, block_data(&r.memory), r.memory.bytes);
    r.rims = satk_rims_in(block_data(&r.memory), pixels);
    for (size_t i = 0; i < pixels; i++)
        r.rims.kind[i] = (uint8_t)random_below(&c->random, SATK_RIM_SUBJECT);
    for (int n = random_below(&c->random, 9); n > 0; n--) {
        const int left = random_below(&c->random, width), top = random_below(&c->random, height);
        const int right = left + 1 + random_below(&c->random, width - left);
        const int bottom = top + 1 + random_below(&c->random, height - top);
        for (int y = top; y < bottom; y++)
            for (int x = left; x < right; x++) {
                const size_t at = (size_t)y * (size_t)width + (size_t)x;
                r.rims.kind[at] = (uint8_t)(SATK_RIM_SUBJECT + random_below(&c->random, 2));
                r.rims.cover[at] = (uint8_t)(random_below(&c->random, holes) == 0
                                                 ? 252 + random_below(&c->random, 8)
                                                 : 4 + random_below(&c->random, 248));
            }
    }
    return r;
}

static int is_soft(const rims_case *r, int x, int y)
{
    const size_t at = (size_t)y * (size_t)r->width + (size_t)x;

    return x >= 0 && x < r->width && y >= 0 && y < r->height && r->rims.kind[at] > 1 &&
           r->rims.cover[at] > 3 && r->rims.cover[at] < 252;
}

static int count_from(const rims_case *r, int x, int y, int dx, int dy)
{
    int n = 0;

    for (; n < 128 && is_soft(r, x, y); x += dx, y += dy)
        n++;
    return n;
}

/* Returns the width of the run along dx, dy that begins at a pixel. */
static int width_of(const rims_case *r, int x, int y, int dx, int dy)
{
    const int n = is_soft(r, x - dx, y - dy) ? 0 : count_from(r, x, y, dx, dy);
    const int at_x = x + n / 2 * dx, at_y = y + n / 2 * dy;

    if (n == 0)
        return 0;
    const int across = count_from(r, at_x, at_y, dy, dx) + count_from(r, at_x, at_y, -dy, -dx) - 1;
    const int along = n == (dx ? r->width : r->height) ? 128 : n;
    const int aside = across == (dx ? r->height : r->width) || across > 128 ? 128 : across;
    return along < aside ? along : aside;
}

static uint32_t define(const rims_case *r, uint32_t widest)
{
    for (int y = 0; y < r->height; y++)
        for (int x = 0; x < r->width; x++) {
            const uint32_t row = (uint32_t)width_of(r, x, y, 1, 0);
            const uint32_t column = (uint32_t)width_of(r, x, y, 0, 1);
            widest = row > widest ? row : widest;
            widest = column > widest ? column : widest;
        }
    return widest;
}

static void on_cuda(check *c, const rims_case *r, uint32_t before, uint32_t want)
{
    block number = block_exact(sizeof before, 0);
    uint32_t *const got = block_data(&number);
    mirrors on = {.c = c};

    *got = before;
    const satk_rim_width job = {
        satk_rims_in(mirrors_in(&on, &r->memory), (size_t)r->width * (size_t)r->height), r->width,
        r->height, mirrors_out(&on, &number)};
    if (mirrors_end(&on, on.failed || device_rim_width(&job)))
        check_that(c, ON_CUDA, *got == want, "%u instead of %u", *got, want);
    block_free(&number);
}

void check_rim_width(check *c)
{
    if (!check_group(c, "rim_width"))
        return;
    for (int i = 0; i < check_count(c, 200, 20) && !check_hopeless(c); i++) {
        const int w = 1 + random_below(&c->random, i % 5 ? 60 : 400);
        const int h = 1 + random_below(&c->random, i % 5 ? 50 : 300);
        const uint32_t before = (uint32_t)random_below(&c->random, i % 3 ? 1 : 60);
        rims_case r = make_case(c, w, h);
        const uint32_t want = define(&r, before);
        uint32_t got = before;
        check_case(c, "%d x %d, %u before", w, h, before);
        satk_rim_width_cpu(&(satk_rim_width){r.rims, w, h, &got}, 1 + i % 4);
        check_that(c, ON_CPU, got == want, "%u instead of %u", got, want);
        if (c->cuda)
            on_cuda(c, &r, before, want);
        block_free(&r.memory);
    }
}
