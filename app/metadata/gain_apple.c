#include "metadata/gain_apple.h"

#include "base/number.h"
#include "format/exif.h"
#include "format/xmp.h"

#include <exact_math.h>
#include <math.h>
#include <string.h>

/* Returns a rational number of the notes, which are a directory behind a head of 14 bytes; their offsets count from the head.
 * NAN: there is none. */
static double read_note(bytes notes, uint32_t wanted)
{
    enum { HEAD = 14, ENTRY = 12, SRATIONAL = 10 };
    const size_t count = notes.size < HEAD + 2 ? 0 : big_endian_16(notes.data + HEAD);
    for (size_t i = 0; i < count && HEAD + 2 + (i + 1) * ENTRY <= notes.size; i++) {
        const uint8_t *const e = notes.data + HEAD + 2 + i * ENTRY;
        const size_t at = big_endian_32(e + 8);
        if (big_endian_16(e) != wanted || big_endian_16(e + 2) != SRATIONAL ||
            big_endian_32(e + 4) != 1 || at > notes.size || notes.size - at < 8)
            continue;
        const int32_t below = (int32_t)big_endian_32(notes.data + at + 4);
        return below ? (double)(int32_t)big_endian_32(notes.data + at) / below : (double)NAN;
    }
    return (double)NAN;
}

/* Returns log2 of the headroom, as Apple's documentation finds it by two numbers of the notes. NAN: they are missing. */
static double find_stops(bytes exif)
{
    enum { NOTES = 0x927c, HEADROOM = 33, GAIN = 48 };
    static const char head[] = "Apple iOS\0\0\1MM";
    exif_entry notes;
    if (!exif_find_own(exif, NOTES, &notes))
        return (double)NAN;
    const bytes in = {.data = exif.data + notes.values, .size = notes.size};
    if (in.size < sizeof head - 1 || memcmp(in.data, head, sizeof head - 1) != 0)
        return (double)NAN;
    const double headroom = read_note(in, HEADROOM), gain = read_note(in, GAIN);
    const double stops = headroom < 1   ? gain <= 0.01 ? 1.8 - 20 * gain : 1.601 - 0.101 * gain
                         : gain <= 0.01 ? 3 - 70 * gain
                                        : 2.303 - 0.303 * gain;
    return isnan(headroom) ? headroom : fmax(stops, isnan(stops) ? stops : 0);
}

gain_status gain_read_apple(bytes map_xmp, bytes exif, gain_map *g, const char **why)
{
    xmp_space space = {.count = 0};
    bytes value = {.size = 0};
    xmp_bind(map_xmp, "http://ns.apple.com/HDRGainMap/1.0/", false, &space);
    const double headroom = xmp_value(map_xmp, &space, "HDRGainMapHeadroom", &value)
                                ? number_of_text(value, NAN)
                                : (double)NAN;
    const double stops = headroom > 0 ? satb_log2(headroom) : find_stops(exif);
    if (isnan(stops))
        return GAIN_NONE;
    *g = (gain_map){.image = g->image, .is_apples = true, .bright = stops};
    for (int c = 0; c < 3; c++)
        g->of[c] = (gain_channel){.most = stops, .gamma = 1};
    *why = "its numbers are damaged, or it has no gain";
    return gain_map_is_sound(g) ? GAIN_READ : GAIN_UNFIT;
}
