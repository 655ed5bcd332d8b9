#include "check/surface/surface_compare.h"

#include "backend/image.h"

#include <string.h>

/* Returns a plane of a map's rims, of `bytes` a pixel, as an image. */
static satb_image rims_of(const satb_depth_map *depth, void *plane, int bytes)
{
    satb_image image = depth->map;

    image.data = plane;
    image.bits = 8 * bytes;
    image.stride = (ptrdiff_t)image.width * bytes;
    return image;
}

/* Returns the first pixel that differs, or -1. */
static int first_difference(const satb_image *a, const satb_image *b)
{
    for (int i = 0; i < a->width * a->height; i++) {
        const size_t x = (size_t)(i % a->width);
        const void *const p = (const uint8_t *)a->data + i / a->width * a->stride;
        const void *const q = (const uint8_t *)b->data + i / a->width * b->stride;
        if (satk_code(p, x, a->bits) != satk_code(q, x, b->bits))
            return i;
    }
    return -1;
}

/* Compares an image of the host with one of the other context. */
static void compare(check *c, backend on, satb_context *other, const char *what,
                    const satb_image *want, const satb_image *got)
{
    satb_image view;
    void *copy;

    if (!check_that(c, on, satb_view_on_host(other, got, &view, &copy) == SATB_OK, "%s",
                    satb_last_message(other)))
        return;
    const int at = first_difference(want, &view), x = at % want->width, y = at / want->width;
    check_that(c, on, at < 0, "%s: %d,%d differs", what, x, y);
    satb_give(&other->spares, copy);
}

/* Returns whether two planes are the same where kind says that there are rims. Nothing else of them is known, so nothing else
 * is copied. */
static int are_same_runs(satb_context *other, const satb_image *a, const satb_image *b,
                         const uint8_t *kind)
{
    const int pixels = a->width * a->height;
    int same = 1;

    for (int i = 0, end; i < pixels && same; i = end) {
        satb_image p = *a, q = *b, view;
        void *copy;
        for (end = i + 1; end < pixels && end % a->width && !kind[end] == !kind[i]; end++)
            ;
        if (!kind[i])
            continue;
        p.data = (uint8_t *)a->data + (size_t)i * (size_t)(a->bits / 8);
        q.data = (uint8_t *)b->data + (size_t)i * (size_t)(b->bits / 8);
        p.width = q.width = end - i, p.height = q.height = 1;
        same = satb_view_on_host(other, &q, &view, &copy) == SATB_OK &&
               first_difference(&p, &view) < 0;
        satb_give(&other->spares, copy);
    }
    return same;
}

static void compare_rims(check *c, backend on, const satb_depth_map *want,
                         const satb_depth_map *got)
{
    const struct {
        const char *what;
        void *want, *got;
        int bytes;
    } planes[] = {{"kinds of rims", want->rims.kind, got->rims.kind, 1},
                  {"near codes", want->rims.near, got->rims.near, 2},
                  {"far codes", want->rims.far, got->rims.far, 2},
                  {"coverage of rims", want->rims.cover, got->rims.cover, 1},
                  {"samples", want->rims.sample, got->rims.sample, 1},
                  {"parts beside edges", want->rims.beside, got->rims.beside, 1}};

    for (size_t i = 0; i < sizeof planes / sizeof *planes; i++) {
        const satb_image a = rims_of(want, planes[i].want, planes[i].bytes);
        const satb_image b = rims_of(got, planes[i].got, planes[i].bytes);
        if (i == 0)
            compare(c, on, got->at, planes[i].what, &a, &b);
        else
            check_that(c, on, are_same_runs(got->at, &a, &b, want->rims.kind), "%s differ",
                       planes[i].what);
    }
}

static void compare_numbers(check *c, backend on, const satb_depth_map *want,
                            const satb_depth_map *got)
{
    static const char *const names[SATK_SURFACE_COUNTS] = {
        "black",
        "white",
        "edges",
        "ramps",
        "snapped",
        "mixed",
        "rims",
        "low",
        "highest",
        "edges of half 1",
        "edges of half 2",
        "edges of half 3",
        "new edges of half 1",
        "new edges of half 2",
        "new edges of half 3",
    };
    const satb_depth_numbers *const a = &want->numbers, *const b = &got->numbers;

    for (int i = 0; i < SATK_SURFACE_COUNTS; i++)
        check_that(c, on, a->surface[i] == b->surface[i], "%s: %llu; wanted %llu", names[i],
                   (unsigned long long)b->surface[i], (unsigned long long)a->surface[i]);
    check_that(c, on,
               !memcmp(&a->codes, &b->codes, satk_codes_bytes(want->map.bits)) &&
                   !memcmp(&a->near, &b->near, sizeof a->near),
               "the sets of codes differ");
}

void surface_compare(check *c, backend on, const satb_depth_map *want, const satb_depth_map *got)
{
    compare(c, on, got->at, "map", &want->map, &got->map);
    compare_rims(c, on, want, got);
    compare_numbers(c, on, want, got);
}
