/* The gain map of a HEIC or AVIF: of ISO 21496-1, by a picture of the kind tmap that is derived of the primary one and of the map; or
 * Apple's, an auxiliary picture. */
#include "codec/heif/heif_aux.h"
#include "codec/heif/heif_open.h"
#include "image/shape.h"
#include "metadata/gain_apple.h"

#include <stdlib.h>
#include <string.h>

/* --- ISO 21496-1 ------------------------------------------------------------------------------ */

/* Reads the numbers of an item of the kind tmap, behind its version. */
static gain_status read_numbers(const heif_items *items, const heif_entry *e, gain_map *gain,
                                const char **why)
{
    bytes data;
    void *gathered;
    problem ignored;
    gain_status found = GAIN_NONE;
    *why = "its numbers are damaged";
    if (heif_items_data(items, e, &data, &gathered, &ignored) && data.size > 0)
        found = data.data[0] == 0 ? gain_read_iso(heif_behind(data, 1), gain, why) : GAIN_UNFIT;
    free(gathered);
    return found;
}

/* Finds the map that belongs to the primary picture. */
static gain_status find_derived(bytes in, gain_map *gain, uint32_t *map, const char **why)
{
    problem ignored;
    heif_items *const items = heif_items_read(in, &ignored);
    gain_status found = GAIN_NONE;
    for (int i = 0; items && found == GAIN_NONE && i < items->count; i++) {
        const heif_entry *const e = &items->entry[i];
        const int *const parts = items->part + e->first_part;
        if (e->kind != HEIF_KIND('t', 'm', 'a', 'p') || e->parts != 2 ||
            parts[0] != items->primary || parts[1] == items->primary)
            continue;
        found = read_numbers(items, e, gain, why);
        *map = items->entry[parts[1]].id;
    }
    free(items);
    return found;
}

/* --- Apple's ---------------------------------------------------------------------------------- */

/* Reads the first block of metadata of a kind. data NULL: there is none. */
static blob read_block(const struct heif_image_handle *handle, const char *kind)
{
    enum { MOST = 1 << 20 };
    heif_item_id id;
    blob block = {.size = 0};
    if (heif_image_handle_get_list_of_metadata_block_IDs(handle, kind, &id, 1) < 1)
        return block;
    const size_t size = heif_image_handle_get_metadata_size(handle, id);
    block.data = size > 0 && size <= MOST ? malloc(size) : NULL;
    if (block.data && heif_image_handle_get_metadata(handle, id, block.data).code == heif_error_Ok)
        block.size = block.capacity = size;
    return block;
}

/* Returns the TIFF in a block of EXIF, which begins with the TIFF's place. */
static bytes tiff_of(const blob *block)
{
    const size_t skip = block->size < 4 ? SIZE_MAX : big_endian_32(block->data);
    return skip < block->size - 4 ? heif_behind(blob_view(block), 4 + skip) : (bytes){.size = 0};
}

static gain_status read_apple(const heif_item *main, const heif_item *map, gain_map *gain,
                              const char **why)
{
    blob exif = read_block(main->handle, "Exif"), xmp = read_block(map->handle, "mime");
    const gain_status found = gain_read_apple(blob_view(&xmp), tiff_of(&exif), gain, why);
    blob_free(&exif);
    blob_free(&xmp);
    return found;
}

/* --- All -------------------------------------------------------------------------------------- */

/* Finds the map and its numbers. */
static gain_status find_map(bytes in, const heif_item *main, heif_item *map, gain_map *gain,
                            const char **why)
{
    uint32_t id;
    const gain_status found = find_derived(in, gain, &id, why);
    if (found == GAIN_READ) {
        *map = (heif_item){.id = id, .properties = heif_properties_of(in, id)};
        const struct heif_error error =
            heif_context_get_image_handle(main->context, id, &map->handle);
        if (error.code == heif_error_Ok)
            return GAIN_READ;
        *why = "its picture is missing";
        return GAIN_UNFIT;
    }
    if (!heif_aux_find(in, main, HEIF_AUX_GAIN, map))
        return found;
    const gain_status apple = read_apple(main, map, gain, why);
    return apple == GAIN_NONE ? found : apple;
}

/* Reads its pixels, no larger than the picture, without alpha, and gray if they are Apple's. */
static bool read_pixels(bytes in, const heif_item *main, heif_item *map, const satb_image *base,
                        gain_map *gain, problem *p)
{
    satb_image *const image = &gain->image;
    const uint64_t most = (uint64_t)base->width * (uint64_t)base->height;
    if (!heif_aux_pixels(in, main, map, most, image, p))
        return false;
    if (gain->is_apples || image->channels == 2)
        heif_aux_make_gray(image);
    const bool fits = image->width <= base->width && image->height <= base->height &&
                      image->channels != 4 &&
                      (base->channels >= 3 || (image->channels == 1 && gain_map_is_plain(gain)));
    return fits ||
           problem_set(p, "it is larger than the picture, or has colours that the picture lacks");
}

gain_status heif_read_gain(bytes in, const satb_image *base, const decode_settings *settings,
                           gain_map *gain, problem *p)
{
    heif_item main, map = {.handle = NULL};
    const char *why = "";
    gain_status found = GAIN_NONE;
    const bool is_writable = settings->gain == GAIN_LIGHT || base->channels % 2;
    if (!is_writable)
        return GAIN_NONE;
    if (!heif_open(in, &main, p)) { /* as it was not long ago */
        found = GAIN_UNFIT;
        p->kind = PROBLEM_MEMORY;
    } else {
        found = find_map(in, &main, &map, gain, &why);
        if (found == GAIN_UNFIT)
            problem_set(p, "%s", why);
        if (found == GAIN_READ && !read_pixels(in, &main, &map, base, gain, p))
            found = GAIN_UNFIT;
    }
    heif_close(&map);
    heif_close(&main);
    return found;
}
