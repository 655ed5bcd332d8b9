#include "blur/dof_rims.h"

#include "backend/host.h"
#include "depth/shown.h"
#include "cover/cover_rule.h"

/* Returns whether a near surface is so blurred that rims may be doubtful: one of the extreme codes is the most blurred. */
static int may_doubt(const satb_dof_blur *blur)
{
    const satb_code_set *const near = &blur->depth->numbers.near;
    const uint32_t codes = 1u << blur->map->bits;

    return satb_radius_size(blur, satb_next_code(near, 0, codes)) >= SATK_BLURRED ||
           satb_radius_size(blur, satb_last_code(near, codes)) >= SATK_BLURRED;
}

/* Adds the codes that rims and strangers get. Those of strangers are means of near codes of edges. */
static void add_near_codes(const satb_dof_blur *blur, int doubts, satb_code_set *codes)
{
    const satb_depth_numbers *const n = &blur->depth->numbers;
    const uint64_t low = n->surface[SATK_NEAR_LOW], high = n->surface[SATK_NEAR_HIGH];

    satb_add_code_set(codes, &n->near);
    if (doubts && high > 0)
        satb_add_codes(codes, (uint32_t)(65536 - low), (uint32_t)(high - 1));
}

/* Makes the planes, and the table of radii. */
static satb_status prepare(satb_context *at, const satb_dof_blur *blur, satk_cover *job)
{
    const satb_backend *const b = at->backend;
    const satb_image *const picture = &blur->depth->seen;
    const satb_band all = satb_whole(picture);
    satk_radii tables = {.lens = *blur->lens, .bits = blur->map->bits};
    void *radii = NULL;

    satb_status status = b->upload(at, SATB_SLOT_SRC, picture, &all, &job->src);
    if (status == SATB_OK)
        status = b->reserve(at, SATB_SLOT_SIGNED, sizeof(int32_t) << blur->map->bits, &radii);
    tables.radius = radii;
    if (status == SATB_OK)
        status = b->radii(at, &tables);
    if (status == SATB_OK)
        status = satb_plane_in(at, SATB_SLOT_COVERED, picture->width, picture->height,
                               blur->map->bits, &job->dst);
    if (status == SATB_OK)
        status =
            satb_plane_in(at, SATB_SLOT_COVER, picture->width, picture->height, 8, &job->cover);
    if (status == SATB_OK && blur->depth->matte.data)
        status =
            satb_plane_in(at, SATB_SLOT_SIDES, picture->width, picture->height, 8, &job->sides);
    job->radius = radii;
    return status;
}

/* Turns codes of a picture into half floats. */
static satb_status restore_halves(satb_context *at, const satb_image *picture,
                                  const satk_plane *codes)
{
    const satb_band all = satb_whole(picture);
    satk_plane halves;
    const satb_status status = at->backend->upload(at, SATB_SLOT_SRC, picture, &all, &halves);

    return status == SATB_OK ? satb_unshow(at, &halves, codes) : status;
}

/* Gives the pixels at rims the colours of their near surfaces. */
static satb_status separate_colours(satb_context *at, const satk_cover *cover, satb_covered *c)
{
    const satb_image *const picture = &c->blur.depth->picture;
    satk_separate job = {.src = cover->src,
                         .matte = satb_plane_of(&c->blur.depth->matte),
                         .sides = cover->sides,
                         .dst = cover->src};

    job.dst.pitch = (ptrdiff_t)satb_pitch(picture);
    satb_status status = at->backend->reserve(
        at, SATB_SLOT_SEPARATED, (size_t)job.dst.pitch * (size_t)picture->height, &job.dst.data);
    if (status == SATB_OK)
        status = at->backend->separate(at, &job);
    if (status == SATB_OK && picture->half)
        status = restore_halves(at, picture, &job.dst);
    c->src = satb_image_in(at, &job.dst);
    c->src.half = picture->half;
    c->blur.src = &c->src;
    return status;
}

static void keep(satb_context *at, satb_covered *c)
{
    satb_call *const call = &c->blur.depth->call;

    c->replaced = call->kept[SATB_KEPT_MAP];
    satb_keep(call, at, SATB_SLOT_COVERED, SATB_KEPT_MAP, &c->map);
    satb_keep(call, at, SATB_SLOT_COVER, SATB_KEPT_COVER, &c->cover);
    if (c->src.data)
        satb_keep(call, at, SATB_SLOT_SEPARATED, SATB_KEPT_SRC, &c->src);
}

static satb_status cover(satb_context *at, satb_covered *c)
{
    satk_cover job = {.map = satb_plane_of(c->blur.map),
                      .rims = c->blur.depth->rims,
                      .doubts = may_doubt(&c->blur)};

    satb_status status = at->backend->begin(at, SATB_STAGE_UPLOAD);
    if (status == SATB_OK)
        status = prepare(at, &c->blur, &job);
    if (status == SATB_OK)
        status = at->backend->begin(at, SATB_STAGE_MEASURE);
    if (status == SATB_OK)
        status = at->backend->cover(at, &job);
    c->map = satb_image_in(at, &job.dst);
    c->cover = satb_image_in(at, &job.cover);
    c->codes = *c->blur.codes;
    add_near_codes(&c->blur, job.doubts, &c->codes);
    if (status == SATB_OK && c->blur.depth->matte.data)
        status = separate_colours(at, &job, c);
    if (status == SATB_OK)
        status = at->backend->pause(at);
    status = satb_settled(at, status);
    if (status != SATB_OK)
        return status;
    keep(at, c);
    c->blur.map = &c->map;
    c->blur.cover = &c->cover;
    c->blur.codes = &c->codes;
    return SATB_OK;
}

satb_status satb_cover_rims(satb_context *context, const satb_dof_blur *blur, satb_covered *covered)
{
    satb_context *const at = blur->depth->at;

    *covered = (satb_covered){.blur = *blur};
    return satb_is_empty(&blur->depth->numbers.near)
               ? SATB_OK
               : satb_from_host(context, at, cover(at, covered));
}

void satb_end_cover(satb_covered *covered)
{
    satb_image **const kept = covered->blur.depth->call.kept;

    kept[SATB_KEPT_SRC] = kept[SATB_KEPT_COVER] = NULL;
    if (kept[SATB_KEPT_MAP] == &covered->map)
        kept[SATB_KEPT_MAP] = covered->replaced;
}
