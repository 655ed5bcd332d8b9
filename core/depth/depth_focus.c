#include "depth/depth_focus.h"

#include "backend/backend.h"
#include "backend/host.h"
#include "backend/image.h"

/* Counts the codes of a map. */
static satb_status count_codes(satb_context *at, const satb_image *map, uint64_t *counts)
{
    const satb_backend *const b = at->backend;
    const satb_band all = satb_whole(map);
    const size_t bytes = satk_histogram_bytes(1, map->bits);
    satk_histogram job = {.out = NULL};
    void *out = NULL;

    satb_status status = b->upload(at, SATB_SLOT_MAP, map, &all, &job.src);
    if (status == SATB_OK)
        status = b->output_bytes(at, SATB_SLOT_STATS, counts, bytes, &out);
    job.out = out;
    if (status == SATB_OK)
        status = b->histogram(at, &job);
    return status == SATB_OK ? b->fetch(at, counts, out, bytes) : status;
}

/* What the focus is looked for in, wherever it is. */
typedef struct scene {
    satb_image picture, map, subject; /* subject: data NULL: unknown */
} scene;

/* Sums the patches. */
static satb_status sum_patches(satb_context *at, const scene *in, const satb_focus_scale *s,
                               satb_focus_patches *grid)
{
    const satb_backend *const b = at->backend;
    const satb_band all = satb_whole(&in->map);
    const size_t bytes =
        sizeof *grid->patches * (size_t)(grid->across.patches * grid->down.patches);
    satk_patches job = {.across = grid->across, .down = grid->down};
    const void *depth = NULL;
    void *out = NULL;

    satb_status status = b->upload(at, SATB_SLOT_SRC, &in->picture, &all, &job.src);
    if (status == SATB_OK)
        status = b->upload(at, SATB_SLOT_MAP, &in->map, &all, &job.map);
    if (status == SATB_OK && in->subject.data)
        status = b->upload(at, SATB_SLOT_MATTE, &in->subject, &all, &job.subject);
    if (status == SATB_OK)
        status =
            b->upload_bytes(at, SATB_SLOT_SIGNED, s->depth, s->codes * sizeof *s->depth, 0, &depth);
    if (status == SATB_OK)
        status = b->output_bytes(at, SATB_SLOT_STATS, grid->patches, bytes, &out);
    job.depth = depth;
    job.out = out;
    if (status == SATB_OK)
        status = b->patches(at, &job);
    return status == SATB_OK ? b->fetch(at, grid->patches, out, bytes) : status;
}

size_t satb_focus_bytes(int bits)
{
    const size_t counts = satk_histogram_bytes(1, bits);
    const size_t patches = SATB_FOCUS_MOST * sizeof(satk_patch);

    return counts > patches ? counts : patches;
}

/* The memory of a search. */
typedef struct search {
    satb_focus_scale s;
    uint64_t *counts;
    satb_focus_patches *grid;
    satb_focus_view *view;
} search;

static satb_status look(satb_context *at, const scene *in, search *of)
{
    satb_status status = at->backend->begin(at, SATB_STAGE_MEASURE);

    satb_cut_patches(in->map.width, in->map.height, &of->grid->across, &of->grid->down);
    if (status == SATB_OK)
        status = count_codes(at, &in->map, of->counts);
    if (status == SATB_OK) {
        satb_fill_focus_depths(&of->s);
        status = sum_patches(at, in, &of->s, of->grid);
    }
    if (status == SATB_OK)
        status = at->backend->finish(at);
    return satb_settled(at, status);
}

/* Looks at all of it on the host. */
static satb_status look_on_host(satb_context *at, const scene *in, search *of)
{
    scene seen = *in;
    satb_image *const images[] = {&seen.picture, &seen.map, &seen.subject};
    enum { IMAGES = sizeof images / sizeof *images };
    void *copies[IMAGES] = {NULL};
    satb_context *host;

    at->message[0] = '\0';
    satb_status status = satb_open_host(at, &host);
    for (int i = 0; i < IMAGES && status == SATB_OK; i++)
        if (images[i]->data) {
            const satb_image there = *images[i];
            status = satb_view_on_host(at, &there, images[i], &copies[i]);
        }
    if (status == SATB_OK)
        status = satb_from_host(at, host, look(host, &seen, of));
    for (int i = IMAGES; i-- > 0;)
        satb_give(&at->spares, copies[i]);
    return status;
}

satb_status satb_find_focus(const satb_depth_map *depth, const satb_dof_params *params,
                            const satk_lens *lens, satb_found_focus *found)
{
    const scene in = {.picture = depth->seen,
                      .map = depth->map,
                      .subject = depth->matte.data ? depth->matte : depth->protect};
    satb_context *const at = depth->at;
    satb_spares *const spares = &at->spares;
    const size_t codes = (size_t)1 << in.map.bits;
    search of = {.counts = satb_take(spares, codes * sizeof *of.counts),
                 .grid = satb_take(spares, sizeof *of.grid),
                 .view = satb_take(spares, sizeof *of.view)};
    satb_status status = SATB_ERR_NOMEM;

    of.s = (satb_focus_scale){.lens = lens,
                              .counts = of.counts,
                              .codes = codes,
                              .depth = satb_take(spares, codes * sizeof *of.s.depth)};
    if (of.counts && of.grid && of.view && of.s.depth)
        status = look(at, &in, &of);
    else
        satb_fail(at, status, "out of memory for the focus");
    if (status == SATB_ERR_DEVICE_NOMEM)
        status = look_on_host(at, &in, &of);
    if (status == SATB_OK)
        satb_vote_focus(&of.s, of.grid, params->orientation == 0 ? 1 : params->orientation,
                        params->focus_area, of.view, found);
    satb_give(spares, of.s.depth);
    satb_give(spares, of.view);
    satb_give(spares, of.grid);
    satb_give(spares, of.counts);
    return status;
}
