/* Looks for each kind in turn, and decodes the map that is found. */
#include "embedded/embedded.h"

#include "embedded/photo.h"
#include "format/heif/heif_box.h"
#include "format/jpeg_segment.h"
#include "image/pixels.h"
#include "image/shape.h"

#include <satb_config.h>

#include <string.h>

/* --- Decoding --------------------------------------------------------------------------------- */

static bool copy_raw(const embedded_found *f, uint64_t max_pixels, problem *p)
{
    satb_image *const image = &f->map->picture.image;
    *image = (satb_image){
        .width = f->width, .height = f->height, .stride = f->width, .channels = 1, .bits = 8};
    if (f->width < 1 || f->height < 1 || picture_bytes(image) != f->coded.size)
        return problem_set(p, "its depth map of %d x %d pixels has %zu bytes; the file is damaged",
                           f->width, f->height, f->coded.size);
    if (!picture_allows(image, max_pixels, p))
        return false;
    image->data = pixels_allocate(f->coded.size);
    if (!image->data)
        return problem_set(p, "not enough memory for its depth map");
    memcpy(image->data, f->coded.data, f->coded.size);
    f->map->picture.format = f->map->picture.library = "raw";
    f->map->picture.white = UINT8_MAX;
    f->map->picture.orientation = 1;
    return true;
}

/* Makes code 0 the largest one, and so on. */
static void turn_codes(satb_image *image)
{
    uint8_t *const at = image->data;
    for (size_t i = 0; i < picture_bytes(image); i++)
        at[i] ^= UINT8_MAX;
}

static bool is_png_or_jpeg(bytes file)
{
    return file.size > 8 && (memcmp(file.data, "\xff\xd8\xff", 3) == 0 ||
                             memcmp(file.data, "\x89PNG\r\n\x1a\n", 8) == 0);
}

static bool decode(const embedded_found *f, embedded_kind kind, const decode_settings *given,
                   problem *p)
{
    const char *const name = kind == EMBEDDED_DEPTH ? "its depth map" : "its matte";
    const decode_settings settings = {.choice =
                                          given->choice == CODEC_PLAIN ? CODEC_PLAIN : CODEC_FAST,
                                      .max_pixels = given->max_pixels};
    if (f->width || f->height)
        return copy_raw(f, given->max_pixels, p);
    if (!is_png_or_jpeg(f->coded))
        return problem_set(p, "%s is neither a PNG nor a JPEG; extract it and give it by --%s",
                           name, kind == EMBEDDED_DEPTH ? "depth" : "matte");
    if (!picture_decode(&f->map->picture, f->coded.data, f->coded.size, name, &settings, p))
        return false;
    if (f->map->means.is_turned)
        turn_codes(&f->map->picture.image);
    return true;
}

/* --- The photo -------------------------------------------------------------------------------- */

/* Returns where the JPEG ends. */
static size_t find_end(bytes file)
{
    jpeg_segment s;
    size_t at = JPEG_FIRST;
    while (jpeg_next_segment(file, &at, &s))
        if (s.marker == JPEG_EOI)
            return at;
    return file.size;
}

/* Names a kind of file that is known, but not read. */
static embedded_status xiaomi_find(const photo *ph, embedded_kind kind, embedded_found *f,
                                   problem *p)
{
    static const uint8_t mark[] = {'P', 'M', 'P', 'D', 2, 0};
    (void)f;
    for (size_t at = ph->end; kind == EMBEDDED_DEPTH && at + sizeof mark <= ph->file.size; at++) {
        const uint8_t *const found =
            memchr(ph->file.data + at, mark[0], ph->file.size - sizeof mark + 1 - at);
        if (!found)
            break;
        at = (size_t)(found - ph->file.data);
        if (memcmp(found, mark, sizeof mark) == 0)
            return embedded_fail(p, "it has Xiaomi's depth map, which satblur does not read; "
                                    "extract the map and give it by --depth");
    }
    return EMBEDDED_NONE;
}

/* In this order: a photo that says in XMP what it has is taken at its word. */
static embedded_finder *const finders[] = {dynamic_depth_find, gdepth_find, apple_find,
                                           samsung_find,       huawei_find, xiaomi_find};

static embedded_status find(bytes file, embedded_kind kind, embedded_found *f, problem *p)
{
    photo ph = {.file = file, .end = find_end(file)};
    embedded_status status = EMBEDDED_NONE;
    jpeg_xmp_read(file, &ph.xmp);
    if (ph.xmp.out_of_memory)
        status = embedded_fail(p, "not enough memory for its extended XMP");
    for (size_t i = 0; status == EMBEDDED_NONE && i < sizeof finders / sizeof *finders; i++)
        status = finders[i](&ph, kind, f, p);
    jpeg_xmp_free(&ph.xmp);
    return status;
}

embedded_status embedded_find(bytes file, embedded_kind kind, const decode_settings *settings,
                              embedded_map *out, problem *p)
{
    embedded_found f = {.map = out};
    *out = (embedded_map){.picture = {.format = ""}};
#if SATB_HAVE_OPENEXR
    if (exr_begins(file))
        return exr_depth_read(file, kind, settings, out, p);
#endif
#if SATB_HAVE_HEIF
    if (heif_kind_of(file) != HEIF_NONE)
        return heic_read(file, kind, settings, out, p);
#endif
    if (file.size < 4 || memcmp(file.data, "\xff\xd8\xff", 3) != 0)
        return EMBEDDED_NONE;
    embedded_status status = find(file, kind, &f, p);
    if (status == EMBEDDED_FOUND && !decode(&f, kind, settings, p))
        status = EMBEDDED_FAILED;
    blob_free(&f.memory);
    if (out->original.size > 0 && !is_png_or_jpeg(out->original))
        out->original = (bytes){.size = 0};
    if (status != EMBEDDED_FOUND)
        embedded_free(out);
    return status;
}

void embedded_free(embedded_map *map)
{
    picture_free(&map->picture);
    blob_free(&map->original_memory);
    *map = (embedded_map){.picture = {.format = ""}};
}
