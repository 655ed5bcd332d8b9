#include "blur/tone.h"

#include "backend/backend.h"
#include "backend/image.h"
#include "base/tone_tables.h"
#include "common/pool.h"
#include "depth/code_set.h"

#include <stdlib.h>

/* Of the context's tables: 0 is of 8 bits, 1 of 16. */
enum { HALF = 2 };

uint64_t satb_largest_sample(const satb_image *src, int gamma, int weighted)
{
    const uint64_t code = ((uint64_t)1 << src->bits) - 1;
    const uint64_t colour = gamma ? code : satb_linear_max(src->bits);

    if (src->half)
        return (uint64_t)1 << SATK_HALF_BITS;
    return weighted ? colour * code : colour;
}

const char *satb_sample_words(const satb_image *src)
{
    return src->half ? "half floats" : src->bits == 8 ? "8-bit samples" : "16-bit samples";
}

static satb_status make_half_table(satb_context *context)
{
    if (context->decode[HALF])
        return SATB_OK;
    context->decode[HALF] = malloc(sizeof(uint32_t) * SATB_HALVES);
    if (!context->decode[HALF])
        return satb_fail(context, SATB_ERR_NOMEM, "out of memory");
    satb_fill_decode_half(context->decode[HALF]);
    return SATB_OK;
}

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

/* Returns whether all pixels of a row have the largest alpha. Inlined with constant channels and bits, so that the
 * compiler makes vectors of it. */
SATK_FN int is_opaque_row(const uint8_t *row, int width, int channels, int bits)
{
    const uint32_t most = (1u << bits) - 1;
    uint32_t all = most;

    for (int x = 0; x < width; x++)
        all &= satk_code(row, (size_t)x * (size_t)channels + (size_t)channels - 1, bits);
    return all == most;
}

/* An image, and whether a pixel has been found that has not the largest alpha. */
typedef struct look {
    const satb_image *image;
    atomic_int *found;
} look;

static void look_at_row(const void *of, int y)
{
    const look *const l = of;
    const satb_image *const image = l->image;
    const int width = image->width, two = image->channels == 2;
    const uint8_t *const row = (const uint8_t *)image->data + y * image->stride;
    int opaque;

    if (atomic_load_explicit(l->found, memory_order_relaxed))
        return;
    if (image->bits == 8)
        opaque = two ? is_opaque_row(row, width, 2, 8) : is_opaque_row(row, width, 4, 8);
    else
        opaque = two ? is_opaque_row(row, width, 2, 16) : is_opaque_row(row, width, 4, 16);
    if (!opaque)
        atomic_store(l->found, 1);
}

/* Returns whether all pixels have the largest alpha. There are 2 or 4 channels. */
static int is_opaque(const satb_image *image, int threads)
{
    atomic_int found = 0;

    satk_for(threads, image->height, 0, look_at_row, &(look){image, &found});
    return !found;
}

/* Returns whether the largest code is the only one of a set. */
static int has_largest_alone(const satb_code_set *set, int bits)
{
    const uint32_t codes = 1u << bits;

    return satb_next_code(set, 0, codes) == codes - 1;
}

/* Looks at an image where it is, on the device. */
static satb_status look_on_device(satb_context *context, const satb_image *image, int *opaque)
{
    const satb_backend *const b = context->backend;
    const size_t bytes = satk_codes_bytes(image->bits);
    satb_code_set set;
    satk_codes job = {.src = satb_plane_of(image)};
    void *out = NULL;

    job.src.data = (uint8_t *)image->data + (image->channels - 1) * (image->bits / 8);
    satb_status status = b->output_bytes(context, SATB_SLOT_STATS, &set, bytes, &out);
    job.out = out;
    if (status == SATB_OK)
        status = b->codes(context, &job);
    if (status == SATB_OK)
        status = b->fetch(context, set.words, out, bytes);
    *opaque = status == SATB_OK && has_largest_alone(&set, image->bits);
    return status;
}

/* Looks at an image where it is; on the host, too, if the device has no memory for a set of codes. */
static satb_status look_for_opaque(satb_context *context, const satb_image *image, int *opaque)
{
    satb_status status = SATB_ERR_DEVICE_NOMEM;
    satb_image view;
    void *copy;

    if (image->on_device)
        status = look_on_device(context, image, opaque);
    if (status != SATB_ERR_DEVICE_NOMEM)
        return status;
    context->message[0] = '\0';
    status = satb_view_on_host(context, image, &view, &copy);
    if (status == SATB_OK)
        *opaque = is_opaque(&view, context->threads);
    satb_give(&context->spares, copy);
    return status;
}

satb_status satb_make_tone(satb_context *context, const satb_image *src, int gamma, satk_tone *tone)
{
    const int i = src->bits == 16, has_alpha = satk_has_alpha(src->channels);
    int opaque = 0;

    if (src->half) {
        const satb_status made = make_half_table(context);
        *tone = (satk_tone){.decode = context->decode[HALF], .half = 1};
        return made;
    }
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

static satb_slot decode_slot(const satk_tone *tone, int bits)
{
    return tone->half ? SATB_SLOT_DECODE_HALF : bits == 16 ? SATB_SLOT_DECODE16 : SATB_SLOT_DECODE8;
}

static satb_slot encode_slot(int bits)
{
    return bits == 16 ? SATB_SLOT_ENCODE16 : SATB_SLOT_ENCODE8;
}

void satb_add_tone(const satk_tone *tone, int bits, satb_need *need)
{
    if (tone->decode)
        need->bytes[decode_slot(tone, bits)] += decode_bytes(bits);
    if (tone->encode)
        need->bytes[encode_slot(bits)] += encode_bytes(bits);
}

satb_status satb_upload_tone(satb_context *context, int bits, satk_tone *tone)
{
    const satb_backend *const b = context->backend;
    const void *decode = NULL, *encode = NULL;
    satb_status status = SATB_OK;

    if (tone->decode)
        status = b->upload_bytes(context, decode_slot(tone, bits), tone->decode, decode_bytes(bits),
                                 1, &decode);
    if (status == SATB_OK && tone->encode)
        status = b->upload_bytes(context, encode_slot(bits), tone->encode, encode_bytes(bits), 1,
                                 &encode);
    if (status == SATB_OK) {
        tone->decode = decode;
        tone->encode = encode;
    }
    return status;
}
