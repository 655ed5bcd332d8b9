#include "job/stay.h"

#include "job/dither_step.h"

/* Returns whether all that the options ask for is done on a GPU: a JPEG is made there, no bound holds for its memory, no
 * CPU verifies the work, and no step of the host's needs the pixels. */
static bool is_asked(const picture_job *j)
{
    const options *const o = j->o;
    const bool needs_host = o->dof.fringe > 0 || o->given[OPT_VERIFY] || dither_step_is_asked(o);
    return j->gpu != NO_GPU && o->codec == CODEC_GPU && j->format &&
           codec_metadata(j->format) == METADATA_JPEG && o->engine.gpu_memory == 0 && !needs_host;
}

/* nvJPEG encodes RGB alone, and the host alone rotates. A map or a mask, of whatever size and channels, is taken where it is,
 * on either side. */
bool stay_is_possible(const picture_job *j)
{
    const satb_image *const src = &j->request.src;
    const bool is_read = src->width > 0, is_turned = j->orientation > 1;
    return is_asked(j) && !j->input.gain.image.data &&
           (!is_read || (src->on_device && src->channels == 3 && !is_turned));
}

bool stay_settle(picture_job *j, problem *p)
{
    j->stays = stay_is_possible(j);
    return j->stays || engine_bring(&j->request, p);
}

bool stay_end(picture_job *j, problem *p)
{
    j->stays = false;
    return engine_bring(&j->request, p);
}
