#include "codec/heif/heif_open.h"

#include "base/threads.h"
#include "codec/decode_limit.h"
#include "image/orientation.h"
#include "image/pixels.h"
#include "image/shape.h"

#include <malloc.h>
#include <pthread.h>
#include <string.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;

/* libde265 leaves some of its notes on a damaged picture as malloc() gave their memory, its filters use them, and it warns of
 * nothing. Zeroed memory makes the same picture of the same file each time. It holds for the process that codec/isolate.h
 * starts for the file, and for the program's own where none can be started. */
static void zero_new_memory(void)
{
#ifdef M_PERTURB
    enum { GIVES_ZEROS = 0xff }; /* malloc() fills with the complement */
    mallopt(M_PERTURB, GIVES_ZEROS);
#endif
}

static void start(void)
{
    zero_new_memory();
    heif_init(NULL);
    heif_hevc_register();
}

/* Loads libheif's plug-ins, which decode AVIF on some systems. */
void heif_prepare(void)
{
    pthread_once(&once, start);
}

bool heif_explain(problem *p, struct heif_error error)
{
    const int first_line = (int)strcspn(error.message, "\n");
    if (error.code == heif_error_Memory_allocation_error &&
        error.subcode != heif_suberror_Security_limit_exceeded)
        return problem_set(p, "not enough memory to read it");
    return problem_set(p, "libheif cannot read it (%.*s); get a whole copy, or convert it to PNG",
                       first_line < 200 ? first_line : 200, error.message);
}

bool heif_open(bytes in, heif_item *item, problem *p)
{
    enum { FIXED = 8 << 20, TIMES = 4 }; /* bytes at least; libheif ends the program without */
    heif_prepare();
    *item = (heif_item){.context = NULL};
    if (!heif_graph_allows(in, NULL, &item->colours, p))
        return false;
    if (threads_have_memory(FIXED + TIMES * in.size))
        item->context = heif_context_alloc();
    if (!item->context)
        return problem_set(p, "not enough memory to read it");
    heif_context_set_maximum_image_size_limit(item->context, HEIF_SIDE + 1);
    heif_context_set_max_decoding_threads(item->context, 0);
    struct heif_error error =
        heif_context_read_from_memory_without_copy(item->context, in.data, in.size, NULL);
    if (error.code == heif_error_Ok)
        error = heif_context_get_primary_image_ID(item->context, &item->id);
    if (error.code == heif_error_Ok)
        error = heif_context_get_primary_image_handle(item->context, &item->handle);
    if (error.code != heif_error_Ok)
        return heif_explain(p, error);
    item->properties = heif_properties_of(in, item->id);
    return true;
}

void heif_close(heif_item *item)
{
    if (item->handle)
        heif_image_handle_release(item->handle);
    if (item->context)
        heif_context_free(item->context);
    *item = (heif_item){.handle = NULL};
}

/* --- Shapes ----------------------------------------------------------------------------------- */

int heif_bits(const heif_item *item)
{
    const int bits = heif_image_handle_get_luma_bits_per_pixel(item->handle);
    return bits < 8 || bits > 16 ? 8 : bits;
}

/* libheif turns the claimed size only where the file lists the turn behind it, but it turns the pixels in either case. */
satb_image heif_shape(const heif_item *item)
{
    const struct heif_image_handle *h = item->handle;
    const bool has_alpha = heif_image_handle_has_alpha_channel(h);
    const bool swaps = orientation_swaps(item->properties.orientation);
    const int width = heif_image_handle_get_ispe_width(h);
    const int height = heif_image_handle_get_ispe_height(h);
    satb_image shape = {.width = swaps ? height : width,
                        .height = swaps ? width : height,
                        .channels = (item->properties.is_gray ? 1 : 3) + has_alpha,
                        .bits = heif_bits(item) > 8 ? 16 : 8};
    if (item->properties.is_cropped) {
        shape.width = heif_image_handle_get_width(h);
        shape.height = heif_image_handle_get_height(h);
    }
    shape.stride = (ptrdiff_t)shape.width * shape.channels * (shape.bits / 8);
    return shape;
}

bool heif_allows(const heif_item *item, uint64_t max_pixels, problem *p)
{
    const satb_image stored = {.width = heif_image_handle_get_ispe_width(item->handle),
                               .height = heif_image_handle_get_ispe_height(item->handle)};
    const satb_image shape = heif_shape(item);
    const satb_image *const both[] = {&stored, &shape};
    for (int i = 0; i < 2; i++) {
        if (both[i]->width < 1 || both[i]->height < 1)
            return problem_set(p, "claims %d x %d pixels; the file is damaged", both[i]->width,
                               both[i]->height);
        if (both[i]->width > HEIF_SIDE || both[i]->height > HEIF_SIDE)
            return problem_set(p, "%d x %d pixels are more than %d a side; convert it to PNG",
                               both[i]->width, both[i]->height, HEIF_SIDE);
        if (!picture_allows(both[i], max_pixels, p))
            return false;
    }
    return true;
}

/* --- Pixels ----------------------------------------------------------------------------------- */

enum { CHANNELS = 4 };

typedef struct planes {
    const uint8_t *data[CHANNELS]; /* NULL: alpha that covers all */
    int stride[CHANNELS];
    unsigned black[CHANNELS]; /* the smallest sample */
    unsigned white[CHANNELS]; /* what the largest one has more */
    bool is_wide[CHANNELS];   /* two bytes a sample */
    bool is_premultiplied;
} planes;

/* Finds a plane of the picture's size. Samples of limited range are studio video's: 16 .. 235 of 8 bits. */
static bool find_plane(const struct heif_image *from, enum heif_channel channel, bool is_limited,
                       const satb_image *image, int c, planes *out)
{
    const int bits = heif_image_get_bits_per_pixel_range(from, channel);
    const bool is_sound = bits >= 1 && bits <= 16;
    const int more = is_sound && bits > 8 ? bits - 8 : 0;
    out->data[c] = heif_image_get_plane_readonly(from, channel, &out->stride[c]);
    out->black[c] = is_limited ? 16u << more : 0;
    out->white[c] = is_limited ? 219u << more : (1u << (is_sound ? bits : 8)) - 1;
    out->is_wide[c] = bits > 8;
    return out->data[c] && is_sound && heif_image_get_width(from, channel) == image->width &&
           heif_image_get_height(from, channel) == image->height;
}

/* Returns whether samples of limited range have come out as they are: libheif stretches those of colours alone. A coded
 * picture that is silent is of limited range, as HEVC has it. */
static bool range_is_limited(const heif_item *item, const struct heif_image *decoded)
{
    struct heif_color_profile_nclx *nclx = NULL;
    if (!item->colours.is_gray)
        return false;
    if (item->colours.range != HEIF_RANGE_UNKNOWN)
        return item->colours.range == HEIF_RANGE_LIMITED;
    heif_image_get_nclx_color_profile(decoded, &nclx);
    const bool is_limited = nclx && !nclx->full_range_flag;
    if (nclx)
        heif_nclx_color_profile_free(nclx);
    return is_limited;
}

static bool find_planes(const heif_item *item, struct heif_image *from, satb_image *image,
                        planes *out)
{
    static const enum heif_channel colours[] = {heif_channel_R, heif_channel_G, heif_channel_B};
    const bool is_gray = heif_image_get_colorspace(from) == heif_colorspace_monochrome;
    const bool has_alpha = heif_image_has_channel(from, heif_channel_Alpha);
    const bool is_limited = range_is_limited(item, from);
    const int count = is_gray ? 1 : 3;
    image->channels = count + has_alpha;
    out->is_premultiplied = has_alpha && heif_image_is_premultiplied_alpha(from);
    for (int c = 0; c < count; c++)
        if (!find_plane(from, is_gray ? heif_channel_Y : colours[c], is_limited, image, c, out))
            return false;
    return !has_alpha || find_plane(from, heif_channel_Alpha,
                                    item->colours.alpha == HEIF_RANGE_LIMITED, image, count, out);
}

static unsigned plane_sample(const planes *p, int c, int x, int y)
{
    const uint8_t *row = p->data[c] + (ptrdiff_t)y * p->stride[c];
    const unsigned v = p->is_wide[c] ? ((const uint16_t *)(const void *)row)[x] : row[x];
    const unsigned above = v > p->black[c] ? v - p->black[c] : 0;
    return above < p->white[c] ? above : p->white[c];
}

/* Returns v of 0..from on the scale 0..to, rounded. */
static unsigned rescale(uint64_t v, uint64_t from, unsigned to)
{
    const uint64_t scaled = (v * to + from / 2) / from;
    return scaled < to ? (unsigned)scaled : to;
}

/* Fills a row. Colours that have been multiplied by alpha are divided by it; where alpha is 0, they stay as they are. */
static void fill_row(const planes *from, int y, satb_image *image)
{
    const unsigned white = image->bits == 16 ? UINT16_MAX : UINT8_MAX;
    const int channels = image->channels, last = channels - 1;
    uint8_t *row = (uint8_t *)image->data + y * image->stride;
    for (int x = 0; x < image->width; x++) {
        const uint64_t alpha = from->is_premultiplied ? plane_sample(from, last, x, y) : 0;
        for (int c = 0; c < channels; c++) {
            const uint64_t v = plane_sample(from, c, x, y);
            const bool is_divided = alpha > 0 && c != last;
            const unsigned out = is_divided
                                     ? rescale(v * from->white[last], from->white[c] * alpha, white)
                                     : rescale(v, from->white[c], white);
            if (image->bits == 16)
                ((uint16_t *)(void *)row)[x * channels + c] = (uint16_t)out;
            else
                row[x * channels + c] = (uint8_t)out;
        }
    }
}

/* Returns whether the planes have the picture's bytes, and alpha has not been multiplied in. */
static bool are_its_bytes(const planes *from, const satb_image *image)
{
    for (int c = 0; c < image->channels; c++)
        if (from->white[c] != UINT8_MAX || from->is_wide[c])
            return false;
    return image->bits == 8 && !from->is_premultiplied;
}

/* fill_row(), of planes that have the picture's bytes. */
static void interleave_row(const planes *from, int y, satb_image *image)
{
    const int channels = image->channels;
    uint8_t *const row = (uint8_t *)image->data + y * image->stride;
    for (int c = 0; c < channels; c++) {
        const uint8_t *const plane = from->data[c] + (ptrdiff_t)y * from->stride[c];
        for (int x = 0; x < image->width; x++)
            row[x * channels + c] = plane[x];
    }
}

static bool copy_pixels(const heif_item *item, struct heif_image *from, satb_image *image,
                        problem *p)
{
    planes found = {.is_premultiplied = false};
    image->width = heif_image_get_primary_width(from);
    image->height = heif_image_get_primary_height(from);
    if (!find_planes(item, from, image, &found))
        return problem_set(
            p, "its alpha or its planes have another size than the picture; convert it to PNG");
    image->bits = found.is_wide[0] ? 16 : 8;
    if (!pixels_make(image, p))
        return false;
    void (*const fill)(const planes *, int, satb_image *) =
        are_its_bytes(&found, image) ? interleave_row : fill_row;
    for (int y = 0; y < image->height; y++)
        fill(&found, y, image);
    return true;
}

/* libheif mirrors 8 bits alone, and a picture that it turns has lost its range. So these are turned here unless they must be
 * cropped first, or have alpha, which libheif turns in any case. */
static bool is_turned_here(const heif_item *item)
{
    const bool needs_range = item->colours.is_gray && item->colours.range == HEIF_RANGE_UNKNOWN;
    return (heif_bits(item) > 8 || needs_range) &&
           !heif_image_handle_has_alpha_channel(item->handle) &&
           item->properties.orientation != 1 && !item->properties.is_cropped;
}

/* dav1d starts as many threads as there are processors, or gives up. */
static bool lacks_threads(void)
{
    const int all = satb_processors();
    return threads_available(all) < all;
}

/* Unknown codes of colours are no damage: strict decoding would refuse them, and lose the frame's memory. */
static bool decode(const heif_item *item, struct heif_image **decoded, problem *p)
{
    enum { FIXED = 16 << 20, A_PIXEL = 12 }; /* bytes at least; libheif ends the program without */
    const uint64_t width = (uint64_t)heif_image_handle_get_ispe_width(item->handle);
    const uint64_t height = (uint64_t)heif_image_handle_get_ispe_height(item->handle);
    const bool has_memory = threads_have_memory(FIXED + A_PIXEL * (size_t)(width * height));
    struct heif_decoding_options *const options = has_memory ? heif_decoding_options_alloc() : NULL;
    if (!options)
        return problem_set(p, "not enough memory to read it");
    options->ignore_transformations = is_turned_here(item);
    heif_hevc_allow(heif_graph_pixels(width, height));
    const struct heif_error error = heif_decode_image(
        item->handle, decoded, heif_colorspace_undefined, heif_chroma_undefined, options);
    heif_decoding_options_free(options);
    if (error.code == heif_error_Decoder_plugin_error && lacks_threads())
        return problem_set(p, "too few threads or too little memory to read it; allow more");
    if (error.code != heif_error_Ok)
        return heif_explain(p, error);
    return *decoded || problem_set(p, "the picture is empty; the file is damaged");
}

bool heif_pixels(const heif_item *item, satb_image *image, struct heif_image **decoded, problem *p)
{
    struct heif_image *found = NULL;
    const satb_image claim = heif_shape(item);
    decode_limit(&claim);
    bool done = decode(item, &found, p) && copy_pixels(item, found, image, p);
    if (done && is_turned_here(item) && !orientation_apply(image, item->properties.orientation))
        done = problem_set(p, "not enough memory to rotate it");
    if (done && (image->width != claim.width || image->height != claim.height))
        done = problem_set(p, "%d x %d pixels where %d x %d were claimed; the file is damaged",
                           image->width, image->height, claim.width, claim.height);
    if (!done) {
        pixels_free(image->data);
        image->data = NULL;
    }
    if (done && decoded)
        *decoded = found;
    else if (found)
        heif_image_release(found);
    return done;
}
