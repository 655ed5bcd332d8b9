/* JPEG: what is checked before any library sees it, who reads and writes it, and its orientation. */
#include "codec.h"

#include <string.h>

/* Whether the Huffman tables of a DHT segment are whole and have at most 256 codes each: stb writes
 * as many into its arrays as the file says. */
static bool sound_tables(const uint8_t *data, size_t size)
{
    while (size > 0) {
        size_t codes = 0;
        for (size_t i = 1; i <= 16 && size >= 17; i++)
            codes += data[i];
        if (size < 17 || codes > 256 || codes > size - 17)
            return false;
        data += 17 + codes;
        size -= 17 + codes;
    }
    return true;
}

/* The marker at or after *at, which moves behind it; 0 at the end of the file. What is passed over
 * are packed samples: there, FF is followed by 0 or a restart mark (ITU-T T.81, B.1.1). */
static int next_marker(bytes in, size_t *at)
{
    for (; in.size - *at >= 2; ++*at) {
        const uint8_t *b = in.data + *at;
        if (b[0] == 0xff && b[1] != 0 && b[1] != 0xff && (b[1] < 0xd0 || b[1] > 0xd7)) {
            *at += 2;
            return b[1];
        }
    }
    return 0;
}

/* Walks a JPEG from marker to marker to its end, before stb sees it. */
static bool sound_jpeg(bytes in, problem *p)
{
    enum { DHT = 0xc4, EOI = 0xd9 };
    size_t at = 2;
    for (int marker = next_marker(in, &at); marker != EOI; marker = next_marker(in, &at)) {
        const size_t left = in.size - at;
        const size_t length = left < 2 ? 0 : (size_t)in.data[at] << 8 | in.data[at + 1];
        if (marker == 0 || length > left)
            return problem_set(p, "the file is cut off; get a whole copy");
        if (length < 2 || (marker == DHT && !sound_tables(in.data + at + 2, length - 2)))
            return problem_set(p, "the JPEG is damaged; get a whole copy");
        at += length;
    }
    return true;
}

/* A number of 2 or 4 bytes in the byte order of a TIFF; 0 beyond the end. */
static uint32_t tiff_number(bytes tiff, size_t at, int size)
{
    uint32_t value = 0;
    for (int i = 0; i < size && at + (size_t)size <= tiff.size; i++) {
        const size_t from = tiff.data[0] == 'M' ? (size_t)i : (size_t)(size - 1 - i);
        value = value << 8 | tiff.data[at + from];
    }
    return value;
}

/* The orientation tag of an APP1 segment, 0 where it has none (EXIF 2.3, 4.6). */
static int exif_orientation(bytes segment)
{
    enum { ORIENTATION = 0x112 };
    if (segment.size < 14 || memcmp(segment.data, "Exif\0", 6) != 0)
        return 0;
    const bytes tiff = {.data = segment.data + 6, .size = segment.size - 6};
    const size_t directory = tiff_number(tiff, 4, 4);
    const uint32_t entries = tiff_number(tiff, directory, 2);
    for (uint32_t i = 0; i < entries; i++) {
        const size_t entry = directory + 2 + 12 * (size_t)i;
        if (tiff_number(tiff, entry, 2) == ORIENTATION)
            return (int)tiff_number(tiff, entry + 8, 2);
    }
    return 0;
}

int jpeg_orientation(bytes in)
{
    enum { APP1 = 0xe1, SOS = 0xda };
    size_t at = 2;
    for (int marker; (marker = next_marker(in, &at)) != 0 && marker != SOS;) {
        const size_t left = in.size - at;
        const size_t length = left < 2 ? 0 : (size_t)in.data[at] << 8 | in.data[at + 1];
        if (length < 2 || length > left)
            break;
        const bytes segment = {.data = in.data + at + 2, .size = length - 2};
        const int orientation = marker == APP1 ? exif_orientation(segment) : 0;
        if (orientation >= 1 && orientation <= 8)
            return orientation;
        at += length;
    }
    return 1;
}

bool jpeg_probe(bytes in, satb_image *shape, problem *p)
{
    return sound_jpeg(in, p) && stb_probe(in, shape, p);
}

const char *jpeg_decode(bytes in, satb_image *image, codec_choice choice, problem *p)
{
    if (choice == CODEC_FAST && turbo_decode(in, image))
        return turbo_name();
    return stb_decode(in, image, choice, p);
}

const char *jpeg_encode(const satb_image *image, const encode_settings *settings, sink *to,
                        problem *p)
{
    if (settings->choice == CODEC_FAST && turbo_name())
        return turbo_encode(image, settings, to, p) ? turbo_name() : NULL;
    return stb_encode_jpeg(image, settings, to, p);
}
