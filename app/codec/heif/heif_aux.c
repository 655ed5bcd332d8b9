#include "codec/heif/heif_aux.h"

#include "codec/heif/heif_open.h"
#include "image/orientation.h"
#include "image/pixels.h"
#include "image/shape.h"
#include "metadata/gain_apple.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_type_of(heif_aux kind, const char *type)
{
    if (kind == HEIF_AUX_MATTE)
        return strcmp(type, "urn:com:apple:photo:2018:aux:portraiteffectsmatte") == 0;
    if (kind == HEIF_AUX_GAIN)
        return strcmp(type, GAIN_APPLE_TYPE) == 0;
    return strcmp(type, "urn:mpeg:hevc:2015:auxid:2") == 0 ||
           strcmp(type, "urn:mpeg:mpegB:cicp:systems:auxiliary:depth") == 0;
}

static bool handle_has_type(const struct heif_image_handle *handle, heif_aux kind)
{
    const char *type = NULL;
    const bool known =
        heif_image_handle_get_auxiliary_type(handle, &type).code == heif_error_Ok && type;
    const bool found = known && is_type_of(kind, type);
    if (type)
        heif_image_handle_free_auxiliary_types(handle, &type);
    return found;
}

bool heif_aux_find(bytes in, const heif_item *main, heif_aux kind, heif_item *aux)
{
    enum { MOST = 64 };
    heif_item_id ids[MOST];
    const int count = heif_image_handle_get_list_of_auxiliary_image_IDs(main->handle, 0, ids, MOST);
    for (int i = 0; i < count; i++) {
        struct heif_image_handle *handle = NULL;
        if (heif_image_handle_get_auxiliary_image_handle(main->handle, ids[i], &handle).code !=
            heif_error_Ok)
            continue;
        if (handle_has_type(handle, kind)) {
            *aux = (heif_item){
                .handle = handle, .id = ids[i], .properties = heif_properties_of(in, ids[i])};
            return true;
        }
        heif_image_handle_release(handle);
    }
    return false;
}

/* --- What a depth map's codes mean ------------------------------------------------------------ */

/* Returns the text of an attribute or element of an XMP packet, which ends in 0: NAME="TEXT" or NAME>TEXT. NULL: it has
 * none. */
static const char *find_text(const char *xmp, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = strstr(xmp, name); at; at = strstr(at + length, name)) {
        const char *const next = at + length;
        if (next[0] == '=' && (next[1] == '"' || next[1] == '\''))
            return next + 2;
        if (next[0] == '>')
            return next + 1;
    }
    return NULL;
}

static bool find_number(const char *xmp, const char *name, double *value)
{
    const char *const text = find_text(xmp, name);
    char *end = NULL;
    *value = text ? strtod(text, &end) : 0;
    return text && end != text;
}

static bool text_is(const char *xmp, const char *name, const char *word)
{
    const char *const text = find_text(xmp, name);
    return text && strncmp(text, word, strlen(word)) == 0;
}

/* Returns the item's first XMP packet with a 0 behind it, for free(). NULL: it has none. */
static char *read_xmp(const struct heif_image_handle *handle)
{
    enum { MOST_ITEMS = 8, MOST_BYTES = 1 << 20 };
    heif_item_id ids[MOST_ITEMS];
    const int count =
        heif_image_handle_get_list_of_metadata_block_IDs(handle, "mime", ids, MOST_ITEMS);
    for (int i = 0; i < count; i++) {
        const size_t size = heif_image_handle_get_metadata_size(handle, ids[i]);
        char *const text = size > 0 && size <= MOST_BYTES ? calloc(1, size + 1) : NULL;
        if (text && heif_image_handle_get_metadata(handle, ids[i], text).code == heif_error_Ok)
            return text;
        free(text);
    }
    return NULL;
}

/* Takes the range of disparities in 1/m, or of depths in metres. A range that makes no sense counts as unknown. */
static void take_range(heif_aux_image *out, bool is_depth, double low, double high)
{
    if (!isfinite(low) || !isfinite(high) || low < 0 || high <= low || (is_depth && low == 0))
        return;
    out->type = is_depth ? SATB_DEPTH_LINEAR : SATB_DEPTH_DISPARITY;
    out->near_black = is_depth;
    out->distance_near = is_depth ? low : 1 / high;
    out->distance_far = is_depth ? high : low > 0 ? 1 / low : INFINITY;
}

/* Takes what the coded picture says: Z in metres, or disparities, which phones give in 1/m. */
static void take_representation(heif_aux_image *out, const struct heif_depth_representation_info *r)
{
    const bool is_depth = r->depth_representation_type == heif_depth_representation_type_uniform_Z;
    out->near_black = is_depth;
    out->type = is_depth ? SATB_DEPTH_LINEAR : SATB_DEPTH_DISPARITY;
    if (r->depth_representation_type == heif_depth_representation_type_nonuniform_disparity)
        return;
    if (r->has_z_near && r->has_z_far && is_depth)
        take_range(out, true, r->z_near, r->z_far);
    else if (r->has_z_near && r->has_z_far && r->z_near > 0 && r->z_far > 0)
        take_range(out, false, 1 / r->z_far, 1 / r->z_near);
    else if (r->has_d_min && r->has_d_max && !is_depth)
        take_range(out, false, r->d_min, r->d_max);
}

/* Takes what the item's XMP says. Disparities of relative accuracy have an unknown scale. */
static void take_xmp(heif_aux_image *out, const char *xmp)
{
    double low, high;
    const bool is_depth =
        text_is(xmp, "NativeFormat", "hdep") || text_is(xmp, "NativeFormat", "fdep");
    if (find_number(xmp, "FloatMinValue", &low) && find_number(xmp, "FloatMaxValue", &high))
        take_range(out, is_depth, low, high);
    if (text_is(xmp, "Accuracy", "relative"))
        out->distance_near = out->distance_far = 0;
}

static void find_meaning(const heif_item *main, const heif_item *aux, heif_aux_image *out)
{
    const struct heif_depth_representation_info *info = NULL;
    if (heif_image_handle_get_depth_image_representation_info(main->handle, aux->id, &info) && info)
        take_representation(out, info);
    if (info)
        heif_depth_representation_info_free(info);
    char *const xmp = read_xmp(aux->handle);
    if (xmp)
        take_xmp(out, xmp);
    free(xmp);
}

/* --- Its pixels ------------------------------------------------------------------------------- */

void heif_aux_make_gray(satb_image *image)
{
    const size_t size = (size_t)image->bits / 8, step = size * (size_t)image->channels;
    const size_t pixels = (size_t)image->width * (size_t)image->height;
    uint8_t *const data = image->data;
    for (size_t i = 0; step > size && i < pixels; i++)
        memmove(data + i * size, data + i * step, size);
    image->channels = 1;
    image->stride = (ptrdiff_t)image->width * (ptrdiff_t)size;
}

/* A picture without a turn of its own is turned as the primary one. Its samples have all codes unless the file or AV1's header
 * says something else. */
bool heif_aux_pixels(bytes in, const heif_item *main, heif_item *aux, uint64_t max_pixels,
                     satb_image *image, problem *p)
{
    const bool turns = aux->properties.orientation == 1;
    if (!heif_graph_allows(in, &aux->id, &aux->colours, p))
        return false;
    if (aux->colours.range == HEIF_RANGE_UNKNOWN)
        aux->colours.range = HEIF_RANGE_FULL;
    if (!heif_allows(aux, max_pixels, p) || !heif_pixels(aux, image, NULL, p))
        return false;
    if (!turns || orientation_apply(image, main->properties.orientation))
        return true;
    pixels_free(image->data);
    image->data = NULL;
    return problem_set(p, "not enough memory to rotate it");
}

heif_aux_status heif_aux_read(bytes in, heif_aux kind, const decode_settings *settings,
                              heif_aux_image *out, problem *p)
{
    heif_item main, aux = {.handle = NULL};
    heif_aux_status status = HEIF_AUX_FAILED;
    *out = (heif_aux_image){.type = SATB_DEPTH_DISPARITY};
    if (heif_kind_of(in) == HEIF_NONE)
        return HEIF_AUX_NONE;
    if (heif_open(in, &main, p)) {
        if (!heif_aux_find(in, &main, kind, &aux))
            status = HEIF_AUX_NONE;
        else if (heif_aux_pixels(in, &main, &aux, settings->max_pixels, &out->image, p))
            status = HEIF_AUX_READ;
    }
    if (status == HEIF_AUX_READ) {
        heif_aux_make_gray(&out->image);
        out->white = (1u << heif_bits(&aux)) - 1;
        if (kind == HEIF_AUX_DEPTH)
            find_meaning(&main, &aux, out);
    }
    heif_close(&aux);
    heif_close(&main);
    return status;
}
