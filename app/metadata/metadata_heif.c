/* Metadata in HEIC and AVIF, by libheif: the profile is a property, EXIF and XMP are items of their own. */
#include "metadata/metadata_fields.h"

#include "format/exif.h"
#include "format/heif/heif_beside.h"

#include <libheif/heif.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An item begins with the offset of the TIFF, counted from behind those four bytes. */
static void take_exif(metadata *m, bytes item)
{
    enum { OFFSET = 4 };
    const size_t skip = item.size < OFFSET ? SIZE_MAX : big_endian_32(item.data);
    if (skip > item.size - OFFSET || item.size < OFFSET) {
        metadata_lose(m, "EXIF", "damaged");
        return;
    }
    metadata_take_exif(
        m, (bytes){.data = item.data + OFFSET + skip, .size = item.size - OFFSET - skip});
}

static void take_item(metadata *m, const char *type, const char *content, bytes item)
{
    if (strcmp(type, "Exif") == 0)
        take_exif(m, item);
    else if (strcmp(type, "mime") == 0 && strcmp(content, "application/rdf+xml") == 0)
        metadata_take_xmp(m, item);
    else if (strcmp(type, "mime") == 0)
        words_add(&m->lost, "an item with other metadata");
    else
        metadata_lose(m, "metadata", "of an unknown kind");
}

static void read_item(metadata *m, const struct heif_image_handle *handle, heif_item_id id)
{
    const size_t size = heif_image_handle_get_metadata_size(handle, id);
    const char *const type = heif_image_handle_get_metadata_type(handle, id);
    const char *const content = heif_image_handle_get_metadata_content_type(handle, id);
    if (size > METADATA_MOST) {
        metadata_lose(m, "metadata", "too large");
        return;
    }
    uint8_t *const data = malloc(size + 1);
    m->out_of_memory = m->out_of_memory || !data;
    if (data && heif_image_handle_get_metadata(handle, id, data).code == heif_error_Ok)
        take_item(m, type ? type : "", content ? content : "", (bytes){.data = data, .size = size});
    else if (data)
        metadata_lose(m, "metadata", "damaged");
    free(data);
}

static void read_items(metadata *m, const struct heif_image_handle *handle)
{
    enum { MOST = 32 };
    heif_item_id ids[MOST];
    const int count = heif_image_handle_get_list_of_metadata_block_IDs(handle, NULL, ids, MOST);
    for (int i = 0; i < count; i++)
        read_item(m, handle, ids[i]);
}

static void read_profile(metadata *m, const struct heif_image_handle *handle)
{
    const size_t size = heif_image_handle_get_raw_color_profile_size(handle);
    if (size == 0 || size > PROFILE_MOST) {
        if (size > 0)
            metadata_lose(m, "colour profile", "too large");
        return;
    }
    uint8_t *const data = malloc(size);
    m->out_of_memory = m->out_of_memory || !data;
    if (data && heif_image_handle_get_raw_color_profile(handle, data).code == heif_error_Ok)
        metadata_take_icc(m, (bytes){.data = data, .size = size}, "ICC profile");
    free(data);
}

static void lose_beside(metadata *m, bytes file)
{
    beside_names names;
    char text[48];
    heif_beside(file, &names);
    for (int i = 0; i < names.count; i++)
        words_add(&m->lost, names.at[i]);
    snprintf(text, sizeof text, "%d further picture%s", names.pictures,
             names.pictures == 1 ? "" : "s");
    words_add(&m->lost, names.pictures > 0 ? text : "");
}

/* libheif turns the pixels, so the orientation that EXIF and XMP repeat has been heeded. */
void metadata_read_heif(metadata *m, bytes file)
{
    struct heif_context *context = heif_context_alloc();
    struct heif_image_handle *handle = NULL;
    m->out_of_memory = m->out_of_memory || !context;
    if (context &&
        heif_context_read_from_memory_without_copy(context, file.data, file.size, NULL).code ==
            heif_error_Ok &&
        heif_context_get_primary_image_handle(context, &handle).code == heif_error_Ok) {
        read_profile(m, handle);
        read_items(m, handle);
        m->turned = exif_orientation(blob_view(&m->exif));
        metadata_set_upright(m);
        lose_beside(m, file);
    }
    if (handle)
        heif_image_handle_release(handle);
    if (context)
        heif_context_free(context);
}
