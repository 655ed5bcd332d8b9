/* The gain map of a JPEG: one of the JPEGs that follow it. */
#include "codec/codec_format.h"
#include "format/jpeg_segment.h"
#include "format/jpeg_xmp.h"
#include "format/xmp.h"
#include "metadata/gain_apple.h"

/* Returns where the JPEG itself ends. */
static size_t find_end(bytes in)
{
    size_t at = JPEG_FIRST;
    jpeg_segment s;
    while (jpeg_next_segment(in, &at, &s) && s.marker != JPEG_EOI)
        continue;
    return s.marker == JPEG_EOI ? at : in.size;
}

/* Returns the photo's EXIF, a TIFF. */
static bytes find_exif(bytes in)
{
    jpeg_segment s;
    for (size_t at = JPEG_FIRST; jpeg_next_segment(in, &at, &s) && s.marker != JPEG_SOS;)
        if (s.marker == JPEG_APP1 && jpeg_skip_head(&s.data, "Exif\0", 6))
            return s.data;
    return (bytes){.size = 0};
}

/* Reads the numbers of Apple's map, whose XMP names its type. */
static gain_status read_apple(bytes in, bytes map, gain_map *gain, const char **why)
{
    jpeg_xmp x;
    xmp_space space = {.count = 0};
    bytes type = {.size = 0};
    jpeg_xmp_read(map, &x);
    xmp_bind(x.packet, "http://ns.apple.com/pixeldatainfo/1.0/", false, &space);
    xmp_value(x.packet, &space, "AuxiliaryImageType", &type);
    const gain_status found = xmp_equals(type, GAIN_APPLE_TYPE)
                                  ? gain_read_apple(x.packet, find_exif(in), gain, why)
                                  : GAIN_NONE;
    jpeg_xmp_free(&x);
    return found;
}

/* Finds the first JPEG behind the picture that has a map's numbers. */
static gain_status find_map(bytes in, gain_map *gain, bytes *map, const char **why)
{
    enum { JPEGS_MOST = 16 };
    size_t begin, at = find_end(in);
    gain_status found = GAIN_NONE;
    for (int i = 0; found == GAIN_NONE && i < JPEGS_MOST && jpeg_find(in, &at, &begin); i++) {
        *map = (bytes){.data = in.data + begin, .size = at - begin};
        found = gain_read_jpeg(*map, gain, why);
        if (found == GAIN_NONE)
            found = read_apple(in, *map, gain, why);
    }
    return found;
}

/* Refuses a size before memory for it is taken. */
static bool accept_shape(bytes map, const satb_image *shape, const satb_image *base, problem *p)
{
    picture_claim claim = {.width = shape->width, .height = shape->height, .memory = 0};
    jpeg_weigh(map, &claim);
    if (shape->width < 1 || shape->height < 1 || shape->width > base->width ||
        shape->height > base->height)
        return problem_set(p, "it has %d x %d pixels, more than the picture", shape->width,
                           shape->height);
    return picture_has_bytes(&claim, map, p);
}

gain_status jpeg_read_gain(bytes in, const satb_image *base, const decode_settings *settings,
                           gain_map *gain, problem *p)
{
    bytes map;
    const char *why = "";
    const decode_settings plain = {.choice =
                                       settings->choice == CODEC_PLAIN ? CODEC_PLAIN : CODEC_FAST};
    satb_image *const image = &gain->image;
    const gain_status found = find_map(in, gain, &map, &why);
    if (found == GAIN_UNFIT)
        problem_set(p, "%s", why);
    if (found != GAIN_READ)
        return found;
    if (!jpeg_probe(map, image, p) || !accept_shape(map, image, base, p))
        return GAIN_UNFIT;
    if (base->channels < 3 && (image->channels > 1 || !gain_map_is_plain(gain))) {
        problem_set(p, "it has colours, and the picture is gray");
        return GAIN_UNFIT;
    }
    p->text[0] = '\0';
    if (!jpeg_decode(map, image, &plain, p))
        return GAIN_UNFIT;
    image->stride = (ptrdiff_t)image->width * image->channels;
    return p->text[0] ? GAIN_UNFIT : GAIN_READ; /* it is damaged */
}
