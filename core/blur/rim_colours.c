#include "blur/rim_colours.h"

#include "backend/backend.h"
#include "base/memory.h"

satb_status satb_separate_colours(satb_context *context, const satb_image *picture,
                                  const satb_image *matte, const satb_image *sides, satb_image *out)
{
    const size_t row =
        (size_t)picture->width * (size_t)picture->channels * (size_t)picture->bits / 8;
    satk_separate job = {.src = satb_plane_of(picture),
                         .matte = satb_plane_of(matte),
                         .sides = satb_plane_of(sides)};
    satb_status status = SATB_OK;

    *out = *picture;
    out->stride = (ptrdiff_t)row;
    out->data = satb_take(&context->spares, row * (size_t)picture->height);
    job.dst = satb_plane_of(out);
    job.scratch = satb_take(&context->spares, satk_separate_scratch_cpu(&job, context->threads));
    if (job.scratch && out->data)
        satk_separate_cpu(&job, context->threads);
    else {
        status = satb_fail(context, SATB_ERR_NOMEM, "out of memory for the colours of rims");
        satb_give(&context->spares, out->data);
        out->data = NULL;
    }
    satb_give(&context->spares, job.scratch);
    return status;
}
