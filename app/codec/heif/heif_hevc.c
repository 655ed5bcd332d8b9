/* The decoder of HEVC, by libde265: libheif's own one gives out the rest of a damaged picture as it found its memory, and
 * allocates what the coded picture claims, which may be more than the file says. This one refuses both. */
#include "codec/heif/heif_open.h"

#include <libde265/de265.h>
#include <libheif/heif_plugin.h>
#include <limits.h>
#include <string.h>

/* libheif decodes all parts of a picture in the calling thread, as it is told to use no others. */
static _Thread_local uint64_t allowed;

void heif_hevc_allow(uint64_t pixels)
{
    allowed = pixels;
}

static struct heif_error failure(enum heif_error_code code, const char *text)
{
    return (struct heif_error){code, heif_suberror_Unspecified, text};
}

static struct heif_error success(void)
{
    return failure(heif_error_Ok, "Success");
}

static struct heif_error damage(void)
{
    return failure(heif_error_Decoder_plugin_error, "the HEVC data is damaged");
}

static const char *plugin_name(void)
{
    return "libde265 for satblur";
}

static int supports(enum heif_compression_format format)
{
    enum { ABOVE_OTHERS = 1000 };
    return format == heif_compression_HEVC ? ABOVE_OTHERS : 0;
}

/* --- Memory ----------------------------------------------------------------------------------- */

static void clear_plane(struct de265_image *image, int c, const struct de265_image_spec *spec)
{
    int stride = 0;
    uint8_t *plane = (uint8_t *)(uintptr_t)de265_get_image_plane(image, c, &stride);
    const bool is_halved = c > 0 && spec->format == de265_image_format_YUV420P8;
    const int rows = is_halved ? (spec->height + 1) / 2 : spec->height;
    if (plane)
        memset(plane, 0, (size_t)stride * (size_t)rows);
}

/* Gives memory that is all 0, so that no picture depends on what it held before. 0: it is refused. */
static int get_buffer(de265_decoder_context *ctx, struct de265_image_spec *spec,
                      struct de265_image *image, void *user)
{
    const uint64_t pixels = (uint64_t)spec->width * (uint64_t)spec->height;
    if (spec->width < 1 || spec->height < 1 || pixels > allowed)
        return 0;
    allowed -= pixels;
    if (!de265_get_default_image_allocation_functions()->get_buffer(ctx, spec, image, user))
        return 0;
    for (int c = 0; c < (spec->format == de265_image_format_mono8 ? 1 : 3); c++)
        clear_plane(image, c, spec);
    return 1;
}

static void release_buffer(de265_decoder_context *ctx, struct de265_image *image, void *user)
{
    de265_get_default_image_allocation_functions()->release_buffer(ctx, image, user);
}

/* --- Decoding --------------------------------------------------------------------------------- */

static struct heif_error new_decoder(void **decoder)
{
    static struct de265_image_allocation memory = {.get_buffer = get_buffer,
                                                   .release_buffer = release_buffer};
    *decoder = de265_new_decoder();
    if (!*decoder)
        return failure(heif_error_Memory_allocation_error, "not enough memory");
    de265_set_image_allocation_functions(*decoder, &memory, NULL);
    de265_set_parameter_bool(*decoder, DE265_DECODER_PARAM_BOOL_SEI_CHECK_HASH, 1);
    return success();
}

static void free_decoder(void *decoder)
{
    de265_free_decoder(decoder);
}

/* Each unit follows its size of four bytes. */
static struct heif_error push_data(void *decoder, const void *data, size_t size)
{
    const uint8_t *at = data;
    while (size > 0) {
        const uint32_t unit = size < 4 ? UINT32_MAX : big_endian_32(at);
        if (size < 4 || unit > size - 4 || unit > INT_MAX)
            return damage();
        if (de265_push_NAL(decoder, at + 4, (int)unit, 0, NULL) != DE265_OK)
            return damage();
        at += 4 + unit;
        size -= 4 + unit;
    }
    return success();
}

/* Returns whether the decoder has met damage. A message before the header that it refers to is none. */
static bool has_met_damage(de265_decoder_context *decoder)
{
    for (de265_error w; (w = de265_get_warning(decoder)) != DE265_OK;)
        if (w != DE265_WARNING_SPS_MISSING_CANNOT_DECODE_SEI)
            return true;
    return false;
}

static bool copy_plane(const struct de265_image *from, int c, struct heif_image *to)
{
    static const enum heif_channel channels[] = {heif_channel_Y, heif_channel_Cb, heif_channel_Cr};
    const int bits = de265_get_bits_per_pixel(from, c);
    const int width = de265_get_image_width(from, c), height = de265_get_image_height(from, c);
    int stride, to_stride;
    const uint8_t *plane = de265_get_image_plane(from, c, &stride);
    if (!plane || width < 1 || height < 1 || bits != de265_get_bits_per_pixel(from, 0) ||
        heif_image_add_plane(to, channels[c], width, height, bits).code != heif_error_Ok)
        return false;
    uint8_t *rows = heif_image_get_plane(to, channels[c], &to_stride);
    for (int y = 0; rows && y < height; y++)
        memcpy(rows + (ptrdiff_t)y * to_stride, plane + (ptrdiff_t)y * stride,
               (size_t)width * (bits > 8 ? 2 : 1));
    return rows != NULL;
}

/* The colours that the coded picture names count where the file names none. Unknown ones are left out. */
static void copy_colours(const struct de265_image *from, struct heif_image *to)
{
    struct heif_color_profile_nclx *nclx = heif_nclx_color_profile_alloc();
    if (!nclx)
        return;
    heif_nclx_color_profile_set_color_primaries(nclx,
                                                (uint16_t)de265_get_image_colour_primaries(from));
    heif_nclx_color_profile_set_transfer_characteristics(
        nclx, (uint16_t)de265_get_image_transfer_characteristics(from));
    heif_nclx_color_profile_set_matrix_coefficients(
        nclx, (uint16_t)de265_get_image_matrix_coefficients(from));
    nclx->full_range_flag = de265_get_image_full_range_flag(from) != 0;
    heif_image_set_nclx_color_profile(to, nclx);
    heif_nclx_color_profile_free(nclx);
}

static struct heif_error copy_image(const struct de265_image *from, struct heif_image **out)
{
    const bool is_gray = de265_get_chroma_format(from) == de265_chroma_mono;
    struct heif_image *to = NULL;
    struct heif_error error =
        heif_image_create(de265_get_image_width(from, 0), de265_get_image_height(from, 0),
                          is_gray ? heif_colorspace_monochrome : heif_colorspace_YCbCr,
                          (enum heif_chroma)de265_get_chroma_format(from), &to);
    for (int c = 0; error.code == heif_error_Ok && c < (is_gray ? 1 : 3); c++)
        if (!copy_plane(from, c, to))
            error = damage();
    if (error.code == heif_error_Ok)
        copy_colours(from, to);
    else if (to)
        heif_image_release(to);
    *out = error.code == heif_error_Ok ? to : NULL;
    return error;
}

/* Decodes the first picture of the data. */
static struct heif_error decode_image(void *decoder, struct heif_image **out)
{
    const struct de265_image *image = NULL;
    int more = 1;
    *out = NULL;
    if (de265_flush_data(decoder) != DE265_OK)
        return damage();
    while (!image && more) {
        if (de265_decode(decoder, &more) != DE265_OK)
            return damage();
        image = de265_get_next_picture(decoder);
    }
    return image && !has_met_damage(decoder) ? copy_image(image, out) : damage();
}

void heif_hevc_register(void)
{
    static const struct heif_decoder_plugin plugin = {.plugin_api_version = 1,
                                                      .get_plugin_name = plugin_name,
                                                      .does_support_format = supports,
                                                      .new_decoder = new_decoder,
                                                      .free_decoder = free_decoder,
                                                      .push_data = push_data,
                                                      .decode_image = decode_image};
    heif_register_decoder_plugin(&plugin);
}
