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

/* Sums the patches. */
static satb_status sum_patches(satb_context *at, const satb_image *picture, const satb_image *map,
                               const satb_focus_scale *s, satb_focus_patches *grid)
{
    const satb_backend *const b = at->backend;
    const satb_band all = satb_whole(map);
    const size_t bytes = sizeof *grid->cells * (size_t)(grid->at.columns * grid->at.rows);
    satk_patches job = {.grid = grid->at};
    const void *depth = NULL;
    void *out = NULL;

    satb_status status = b->upload(at, SATB_SLOT_SRC, picture, &all, &job.src);
    if (status == SATB_OK)
        status = b->upload(at, SATB_SLOT_MAP, map, &all, &job.map);
    if (status == SATB_OK)
        status =
            b->upload_bytes(at, SATB_SLOT_SIGNED, s->depth, s->codes * sizeof *s->depth, 0, &depth);
    if (status == SATB_OK)
        status = b->output_bytes(at, SATB_SLOT_STATS, grid->cells, bytes, &out);
    job.depth = depth;
    job.out = out;
    if (status == SATB_OK)
        status = b->patches(at, &job);
    return status == SATB_OK ? b->fetch(at, grid->cells, out, bytes) : status;
}

size_t satb_focus_bytes(int bits)
{
    const size_t counts = satk_histogram_bytes(1, bits);
    const size_t cells = SATB_FOCUS_MOST * sizeof(satk_patch);

    return counts > cells ? counts : cells;
}

/* The memory of a search. */
typedef struct search {
    satb_focus_scale s;
    uint64_t *counts;
    satb_focus_patches *grid;
    satb_focus_view *view;
} search;

static satb_status look(satb_context *at, const satb_image *picture, const satb_image *map,
                        search *of)
{
    satb_status status = at->backend->begin(at, SATB_STAGE_MEASURE);

    of->grid->at = satb_focus_grid(map->width, map->height);
    if (status == SATB_OK)
        status = count_codes(at, map, of->counts);
    if (status == SATB_OK) {
        satb_fill_focus_depths(&of->s);
        status = sum_patches(at, picture, map, &of->s, of->grid);
    }
    if (status == SATB_OK)
        status = at->backend->finish(at);
    return satb_settled(at, status);
}

/* Looks at both on the host. */
static satb_status look_on_host(satb_context *at, const satb_image *picture, const satb_image *map,
                                search *of)
{
    satb_image seen, depths;
    satb_context *host;
    void *picture_copy = NULL, *map_copy = NULL;

    at->message[0] = '\0';
    satb_status status = satb_open_host(at, &host);
    if (status == SATB_OK)
        status = satb_view_on_host(at, picture, &seen, &picture_copy);
    if (status == SATB_OK)
        status = satb_view_on_host(at, map, &depths, &map_copy);
    if (status == SATB_OK)
        status = satb_from_host(at, host, look(host, &seen, &depths, of));
    satb_give(&at->spares, map_copy);
    satb_give(&at->spares, picture_copy);
    return status;
}

satb_status satb_find_focus(satb_context *context, const satb_image *picture, const satb_image *map,
                            int orientation, const satk_lens *lens, satb_found_focus *found)
{
    satb_spares *const spares = &context->spares;
    const size_t codes = (size_t)1 << map->bits;
    search of = {.counts = satb_take(spares, codes * sizeof *of.counts),
                 .grid = satb_take(spares, sizeof *of.grid),
                 .view = satb_take(spares, sizeof *of.view)};
    satb_status status = SATB_ERR_NOMEM;

    of.s = (satb_focus_scale){.lens = lens,
                              .counts = of.counts,
                              .codes = codes,
                              .depth = satb_take(spares, codes * sizeof *of.s.depth)};
    if (of.counts && of.grid && of.view && of.s.depth)
        status = look(context, picture, map, &of);
    else
        satb_fail(context, status, "out of memory for the focus");
    if (status == SATB_ERR_DEVICE_NOMEM)
        status = look_on_host(context, picture, map, &of);
    if (status == SATB_OK)
        satb_vote_focus(&of.s, of.grid, orientation, of.view, found);
    satb_give(spares, of.s.depth);
    satb_give(spares, of.view);
    satb_give(spares, of.grid);
    satb_give(spares, of.counts);
    return status;
}
