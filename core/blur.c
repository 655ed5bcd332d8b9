#include "blur.h"

#include "backend.h"
#include "size.h"
#include "tone_tables.h"

#include <stdlib.h>

satb_status satb_blur_check(satb_context *context, const satb_image *src, const satb_image *dst,
                            const satb_look *look)
{
    satb_status status = satb_check_image(context, src, "source");

    if (status == SATB_OK)
        status = satb_check_output(context, src, dst);
    if (status == SATB_OK && (look->edge < SATB_EDGE_SHRINK || look->edge > SATB_EDGE_WRAP))
        status = satb_fail(context, SATB_ERR_ARG, "edge: no such mode");
    return status;
}

/* --- Numbers ---------------------------------------------------------------------------------- */

typedef struct numbers {
    uint32_t radius_x, radius_y; /* Q8, not larger than makes a difference */
    int word, wide;
} numbers;

/* With shrinking windows nothing changes beyond the longer side. */
static uint32_t useful_radius(const satb_blur *blur, uint32_t radius)
{
    const int longer = blur->src->width > blur->src->height ? blur->src->width : blur->src->height;
    const uint64_t limit = (uint64_t)longer * SATK_ONE;

    return blur->look.edge == SATB_EDGE_SHRINK && radius > limit ? (uint32_t)limit : radius;
}

/* Pixels of the largest box on one axis: a fraction reads one box wider. */
static uint64_t widest(const satb_blur *blur, uint32_t radius, int side)
{
    const uint64_t width = 2 * (((uint64_t)radius + SATK_ONE - 1) / SATK_ONE) + 1;

    return blur->look.edge == SATB_EDGE_SHRINK && width > (uint64_t)side ? (uint64_t)side : width;
}

uint64_t satb_largest_sample(int bits, int gamma, int weighted)
{
    const uint64_t code = ((uint64_t)1 << bits) - 1;
    const uint64_t colour = gamma ? code : satb_linear_max(bits);

    return weighted ? colour * code : colour;
}

/* The table's word and the width of the arithmetic, from what a window can add up to: overflow is
 * impossible. */
static satb_status choose(satb_context *context, const satb_blur *blur, int weighted, numbers *out)
{
    const satk_u128 sample = satb_largest_sample(blur->src->bits, blur->look.gamma, weighted);

    out->radius_x = useful_radius(blur, blur->radius_x);
    out->radius_y = useful_radius(blur, blur->radius_y);
    const satk_u128 area = (satk_u128)widest(blur, out->radius_x, blur->src->width) *
                           widest(blur, out->radius_y, blur->src->height);
    if (area > SATB_MAX_PIXELS || area * sample > UINT64_MAX)
        return satb_fail(
            context, SATB_ERR_LIMIT,
            "windows of up to %.0f pixels are too large for %d-bit samples%s; use a smaller radius",
            (double)area, blur->src->bits, weighted ? " with alpha" : "");
    out->word = area * sample <= UINT32_MAX ? 32 : 64;
    const int whole = !blur->map && out->radius_x % SATK_ONE == 0 && out->radius_y % SATK_ONE == 0;
    const satk_u128 weight = whole ? 1 : SATK_ONE * SATK_ONE;
    out->wide = area * sample * weight > UINT64_MAX;
    return SATB_OK;
}

/* --- Tone ------------------------------------------------------------------------------------- */

static satb_status make_tables(satb_context *context, int bits)
{
    const int i = bits == 16;

    if (context->decode[i] && context->encode[i])
        return SATB_OK;
    if (!context->decode[i])
        context->decode[i] = malloc(sizeof(uint32_t) << bits);
    if (!context->encode[i])
        context->encode[i] = malloc(sizeof(uint16_t) * (satb_linear_max(bits) + 1));
    if (!context->decode[i] || !context->encode[i]) {
        free(context->decode[i]);
        free(context->encode[i]);
        context->decode[i] = NULL;
        context->encode[i] = NULL;
        return satb_fail(context, SATB_ERR_NOMEM, "out of memory");
    }
    satb_fill_decode(bits, context->decode[i]);
    satb_fill_encode(bits, context->encode[i]);
    return SATB_OK;
}

satb_status satb_upload_tone(satb_context *context, int bits, int gamma, satk_tone *tone)
{
    const int i = bits == 16;
    const void *decode, *encode;

    if (gamma)
        return SATB_OK;
    satb_status status = make_tables(context, bits);
    if (status == SATB_OK)
        status = context->backend->upload_bytes(context, i ? SATB_SLOT_DECODE16 : SATB_SLOT_DECODE8,
                                                context->decode[i], sizeof(uint32_t) << bits, 1,
                                                &decode);
    if (status == SATB_OK)
        status = context->backend->upload_bytes(
            context, i ? SATB_SLOT_ENCODE16 : SATB_SLOT_ENCODE8, context->encode[i],
            sizeof(uint16_t) * (satb_linear_max(bits) + 1), 1, &encode);
    if (status == SATB_OK) {
        tone->decode = decode;
        tone->encode = encode;
    }
    return status;
}

satb_status satb_needs_weights(satb_context *context, const satk_plane *src, int *weighted)
{
    const satb_backend *const b = context->backend;
    const size_t bytes = satk_histogram_bytes(src->channels, src->bits);
    uint64_t opaque = 0; /* pixels: the last bin of the last channel */
    void *out = NULL;

    *weighted = 0;
    if (!satk_has_alpha(src->channels))
        return SATB_OK;
    satb_status status = b->reserve(context, SATB_SLOT_STATS, bytes, &out);
    satk_histogram job = {.src = *src, .out = out};
    if (status == SATB_OK)
        status = b->histogram(context, &job);
    if (status == SATB_OK)
        status = b->fetch(context, &opaque, job.out + bytes / sizeof opaque - 1, sizeof opaque);
    if (status == SATB_OK)
        *weighted = opaque < (uint64_t)src->width * (uint64_t)src->height;
    return status;
}

/* --- Run -------------------------------------------------------------------------------------- */

static satb_status upload(satb_context *context, const satb_blur *blur, satk_box *box)
{
    const satb_backend *const b = context->backend;
    const void *radii = NULL;

    satb_status status = b->begin(context, SATB_STAGE_UPLOAD);
    if (status == SATB_OK)
        status = b->upload(context, SATB_SLOT_SRC, blur->src, &box->src);
    if (status == SATB_OK)
        status = satb_upload_tone(context, blur->src->bits, blur->look.gamma, &box->tone);
    if (status == SATB_OK && blur->map)
        status = b->upload(context, SATB_SLOT_MAP, blur->map, &box->map);
    if (status == SATB_OK && blur->map)
        status = b->upload_bytes(context, SATB_SLOT_RADII, blur->radii,
                                 sizeof(uint32_t) << blur->map->bits, 0, &radii);
    if (status == SATB_OK)
        status = b->output(context, SATB_SLOT_DST, blur->dst, &box->dst);
    box->lut = radii;
    return status;
}

satb_status satb_blur_run(satb_context *context, const satb_blur *blur)
{
    const satb_backend *const b = context->backend;
    satk_box box = {.edge = (satk_edge)blur->look.edge};
    numbers n = {0};
    size_t table_bytes;

    satb_status status = upload(context, blur, &box);
    if (status == SATB_OK)
        status = b->begin(context, SATB_STAGE_TABLE);
    if (status == SATB_OK)
        status = satb_needs_weights(context, &box.src, &box.tone.weighted);
    if (status == SATB_OK)
        status = choose(context, blur, box.tone.weighted, &n);
    box.radius_x = n.radius_x;
    box.radius_y = n.radius_y;
    box.word = n.word;
    box.wide = n.wide;
    if (status == SATB_OK && !satb_table_bytes(blur->src, box.word, &table_bytes))
        status = satb_fail(context, SATB_ERR_LIMIT, "the table would not fit the address space");
    if (status == SATB_OK)
        status = b->blur(context, &box);
    if (status == SATB_OK)
        status = b->begin(context, SATB_STAGE_DOWNLOAD);
    if (status == SATB_OK)
        status = b->download(context, &box.dst, blur->dst);
    if (status == SATB_OK)
        status = b->finish(context);
    return satb_settled(context, status);
}
