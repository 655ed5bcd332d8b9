#include "blur/blur.h"

#include "backend/bands.h"
#include "base/size.h"
#include "base/tone_tables.h"

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

/* 1: so are the pixels of a row. Inlined with constant channels and bits, which makes vectors of it. */
SATK_FN int is_opaque_row(const uint8_t *row, int width, int channels, int bits)
{
    const uint32_t most = (1u << bits) - 1;
    uint32_t all = most;

    for (int x = 0; x < width; x++)
        all &= satk_code(row, (size_t)x * (size_t)channels + (size_t)channels - 1, bits);
    return all == most;
}

/* 1: every pixel has the largest alpha; there are 2 channels or 4. */
static int is_opaque(const satb_image *image, int threads)
{
    const int width = image->width, two = image->channels == 2;
    int opaque = 1;

#pragma omp parallel for num_threads(threads) reduction(& : opaque)
    for (int y = 0; y < image->height; y++) {
        const uint8_t *const row = (const uint8_t *)image->data + y * image->stride;
        if (opaque && image->bits == 8)
            opaque = two ? is_opaque_row(row, width, 2, 8) : is_opaque_row(row, width, 4, 8);
        else if (opaque)
            opaque = two ? is_opaque_row(row, width, 2, 16) : is_opaque_row(row, width, 4, 16);
    }
    return opaque;
}

static satb_status look_for_opaque(satb_context *context, const satb_image *image, int *opaque)
{
    satb_image view;
    void *copy;
    const satb_status status = satb_view_on_host(context, image, &view, &copy);

    if (status == SATB_OK)
        *opaque = is_opaque(&view, context->threads);
    satb_give(&context->spares, copy);
    return status;
}

satb_status satb_make_tone(satb_context *context, const satb_image *src, int gamma, satk_tone *tone)
{
    const int i = src->bits == 16, has_alpha = satk_has_alpha(src->channels);
    int opaque = 0;

    satb_status status = gamma ? SATB_OK : make_tables(context, src->bits);
    if (status == SATB_OK && has_alpha)
        status = look_for_opaque(context, src, &opaque);
    if (status != SATB_OK)
        return status;
    *tone = (satk_tone){.weighted = has_alpha && !opaque, .opaque = opaque};
    if (!gamma) {
        tone->decode = context->decode[i];
        tone->encode = context->encode[i];
    }
    return SATB_OK;
}

static size_t decode_bytes(int bits)
{
    return sizeof(uint32_t) << bits;
}

static size_t encode_bytes(int bits)
{
    return sizeof(uint16_t) * (satb_linear_max(bits) + 1);
}

void satb_add_tone(const satk_tone *tone, int bits, satb_room *room)
{
    const int i = bits == 16;

    if (!tone->decode)
        return;
    room->bytes[i ? SATB_SLOT_DECODE16 : SATB_SLOT_DECODE8] += decode_bytes(bits);
    room->bytes[i ? SATB_SLOT_ENCODE16 : SATB_SLOT_ENCODE8] += encode_bytes(bits);
}

satb_status satb_upload_tone(satb_context *context, int bits, satk_tone *tone)
{
    const satb_backend *const b = context->backend;
    const int i = bits == 16;
    const void *decode, *encode;

    if (!tone->decode)
        return SATB_OK;
    satb_status status = b->upload_bytes(context, i ? SATB_SLOT_DECODE16 : SATB_SLOT_DECODE8,
                                         tone->decode, decode_bytes(bits), 1, &decode);
    if (status == SATB_OK)
        status = b->upload_bytes(context, i ? SATB_SLOT_ENCODE16 : SATB_SLOT_ENCODE8, tone->encode,
                                 encode_bytes(bits), 1, &encode);
    if (status == SATB_OK) {
        tone->decode = decode;
        tone->encode = encode;
    }
    return status;
}

/* --- Run -------------------------------------------------------------------------------------- */

typedef struct blurring {
    const satb_blur *blur;
    satk_box box;
} blurring;

static size_t radii_bytes(const satb_blur *blur)
{
    return sizeof *blur->radii << blur->map->bits;
}

static satb_status prepare(satb_context *context, blurring *r)
{
    const satb_blur *const blur = r->blur;
    numbers n = {0};
    size_t table_bytes;

    r->box.src = satb_plane_of(blur->src);
    if (blur->map)
        r->box.map = satb_plane_of(blur->map);
    satb_status status = satb_make_tone(context, blur->src, blur->look.gamma, &r->box.tone);
    if (status == SATB_OK)
        status = choose(context, blur, r->box.tone.weighted, &n);
    r->box.radius_x = n.radius_x;
    r->box.radius_y = n.radius_y;
    r->box.word = n.word;
    r->box.wide = n.wide;
    if (status == SATB_OK && !satb_table_bytes(blur->src, r->box.word, &table_bytes))
        status = satb_fail(context, SATB_ERR_LIMIT, "the table would not fit the address space");
    return status;
}

static void add_room(satb_context *context, const void *job, int rows, satb_room *room)
{
    const blurring *const r = job;
    satk_box box = r->box;

    satb_add_plane(room, SATB_SLOT_SRC, r->blur->src, rows);
    satb_add_plane(room, SATB_SLOT_DST, r->blur->dst, rows);
    satb_add_tone(&box.tone, box.src.bits, room);
    if (r->blur->map) {
        satb_add_plane(room, SATB_SLOT_MAP, r->blur->map, rows);
        room->bytes[SATB_SLOT_RADII] += radii_bytes(r->blur);
    }
    box.src.height = rows;
    context->backend->add_blur_room(context, &box, room);
}

static satb_status upload_tables(satb_context *context, void *job)
{
    blurring *const r = job;
    const satb_blur *const blur = r->blur;
    const void *radii = NULL;

    satb_status status = satb_upload_tone(context, blur->src->bits, &r->box.tone);
    if (status == SATB_OK && blur->map)
        status = context->backend->upload_bytes(context, SATB_SLOT_RADII, blur->radii,
                                                radii_bytes(blur), 0, &radii);
    r->box.lut = radii;
    return status;
}

static satb_status run_band(satb_context *context, void *job, const satb_band_planes *planes)
{
    satk_box *const box = &((blurring *)job)->box;

    box->src = planes->src;
    box->map = planes->map;
    box->dst = planes->dst;
    return context->backend->blur(context, box);
}

satb_status satb_blur_run(satb_context *context, const satb_blur *blur)
{
    blurring r = {.blur = blur, .box = {.edge = (satk_edge)blur->look.edge}};
    satb_bands bands = {.height = blur->src->height, .edge = blur->look.edge};

    satb_status status = context->backend->begin(context, SATB_STAGE_UPLOAD);
    if (status == SATB_OK)
        status = prepare(context, &r);
    if (status != SATB_OK)
        return satb_settled(context, status);
    bands.reach = (int)((r.box.radius_y + SATK_ONE - 1) / SATK_ONE);
    return satb_run_in_bands(context, &bands,
                             &(satb_banded){.src = blur->src,
                                            .map = blur->map,
                                            .dst = blur->dst,
                                            .stage = SATB_STAGE_TABLE,
                                            .job = &r,
                                            .add_room = add_room,
                                            .upload_tables = upload_tables,
                                            .run = run_band});
}
