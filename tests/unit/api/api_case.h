/* A CPU context for the tests of the public library, and how its results are compared. */
#ifndef SATB_TESTS_API_CASE_H
#define SATB_TESTS_API_CASE_H

#include "unit/core/unit_context.h"
#include "unit/core/unit_image.h"

static inline size_t bytes_of(const satb_image *image)
{
    return (size_t)image->stride * (size_t)image->height;
}

static inline void same(const satb_image *a, const satb_image *b)
{
    assert_memory_equal(a->data, b->data, bytes_of(a));
}

static inline void ok(satb_status status)
{
    if (status != SATB_OK)
        fail_msg("%s: %s", satb_status_text(status), satb_last_message(cpu));
}

static inline void fill(const satb_image *image, const uint16_t *pixel)
{
    const size_t n = (size_t)image->width * (size_t)image->height;

    for (size_t i = 0; i < n * (size_t)image->channels; i++)
        if (image->bits == 8)
            ((uint8_t *)image->data)[i] = (uint8_t)pixel[i % (size_t)image->channels];
        else
            ((uint16_t *)image->data)[i] = pixel[i % (size_t)image->channels];
}

static inline satb_dof_report dof(const satb_image *src, const satb_image *depth,
                                  const satb_image *dst, satb_method method, satb_bokeh bokeh,
                                  satb_edge edge)
{
    const satb_dof_params params = {.focus_mode = SATB_FOCUS_VALUE,
                                    .focus = 0.5,
                                    .strength = SATB_STRENGTH_RADIUS,
                                    .max_radius = 12,
                                    .method = method,
                                    .bokeh = bokeh,
                                    .look = {.edge = edge}};
    satb_dof_report report;

    ok(satb_dof(cpu, src, depth, dst, &params, &report));
    return report;
}

#endif
