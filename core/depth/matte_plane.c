#include "depth/matte_plane.h"

#include "backend/backend.h"
#include "backend/image.h"
#include "base/memory.h"
#include "matte/matte_plane.h"

/* Makes the plane, which has its memory, of a matte in host memory. */
static satb_status make(satb_context *context, const satb_image *matte, const satb_image *plane)
{
    uint64_t counts[SATK_MATTE_COUNTS];
    satk_matte_plane job = {
        .src = satb_plane_of(matte), .dst = satb_plane_of(plane), .counts = counts};
    const size_t bytes = satk_matte_plane_scratch_cpu(&job, context->threads);

    job.scratch = bytes > 0 ? satb_take(&context->spares, bytes) : NULL;
    if (!plane->data || (bytes > 0 && !job.scratch)) {
        satb_give(&context->spares, job.scratch);
        return satb_fail(context, SATB_ERR_NOMEM, "out of memory for a matte");
    }
    satk_matte_plane_cpu(&job, context->threads);
    satb_give(&context->spares, job.scratch);
    return SATB_OK;
}

satb_status satb_open_matte_plane(satb_context *context, const satb_image *matte, int width,
                                  int height, satb_image *plane)
{
    satb_image view;
    void *copy = NULL;

    *plane = (satb_image){.data = NULL};
    satb_status status = satb_check_image(context, matte, "matte");
    if (status == SATB_OK)
        status = satb_view_on_host(context, matte, &view, &copy);
    if (status != SATB_OK)
        return status;
    *plane = (satb_image){.data = satb_take(&context->spares, (size_t)width * (size_t)height),
                          .stride = width,
                          .width = width,
                          .height = height,
                          .channels = 1,
                          .bits = 8};
    status = make(context, &view, plane);
    if (status != SATB_OK) {
        satb_give(&context->spares, plane->data);
        plane->data = NULL;
    }
    satb_give(&context->spares, copy);
    return status;
}

double satb_matte_mean(const satb_image *plane)
{
    uint64_t sum = 0;

    for (int y = 0; y < plane->height; y++)
        for (int x = 0; x < plane->width; x++)
            sum += ((const uint8_t *)plane->data)[y * plane->stride + x];
    return (double)sum / UINT8_MAX / (double)plane->width / (double)plane->height;
}
