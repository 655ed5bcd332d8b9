#include "metadata/gain_numbers.h"

#include "base/number.h"
#include "format/jpeg_segment.h"
#include "format/jpeg_xmp.h"
#include "format/xmp.h"
#include "format/xmp_add.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define HDRGM "http://ns.adobe.com/hdr-gain-map/1.0/"

static const char damaged[] = "its numbers are damaged";
static const char inverse[] = "the picture itself is the one of high dynamic range";

/* --- XMP -------------------------------------------------------------------------------------- */

/* Reads a property: a number, or a list of three. Returns how many there are. */
static int read_numbers(bytes xmp, const xmp_space *space, const char *local, double to[3])
{
    xmp_reader r = {.xmp = xmp};
    xmp_token t;
    bool is_inside = false;
    int count = 0;
    while (space->count > 0 && xmp_next(&r, &t) != XMP_END) {
        const bool is_it = xmp_is(&t, space, local);
        const bool has_value = t.value.data && (is_it || (is_inside && xmp_equals(t.local, "li")));
        if (has_value && t.kind != XMP_OPEN && count < 3)
            to[count++] = number_of_text(t.value, NAN);
        if (is_it && t.kind != XMP_OPEN)
            return count;
        is_inside |= is_it;
    }
    return count;
}

/* Sets one number of three channels. False: it has another count than 0, 1 or 3. */
static bool take_numbers(bytes xmp, const xmp_space *space, const char *local, double preset,
                         double to[3])
{
    to[0] = preset;
    const int count = read_numbers(xmp, space, local, to);
    if (count < 2)
        to[1] = to[2] = to[0];
    return count != 2;
}

gain_status gain_read_xmp(bytes packet, gain_map *g, const char **why)
{
    xmp_space space = {.count = 0};
    double least[3], most[3], gamma[3], base[3], light[3], dark[3], bright[3];
    bytes is_hdr = {.size = 0};
    xmp_bind(packet, HDRGM, false, &space);
    if (read_numbers(packet, &space, "GainMapMax", most) == 0)
        return GAIN_NONE;
    const bool is_whole = take_numbers(packet, &space, "GainMapMin", 0, least) &&
                          take_numbers(packet, &space, "GainMapMax", NAN, most) &&
                          take_numbers(packet, &space, "Gamma", 1, gamma) &&
                          take_numbers(packet, &space, "OffsetSDR", 1.0 / 64, base) &&
                          take_numbers(packet, &space, "OffsetHDR", 1.0 / 64, light) &&
                          take_numbers(packet, &space, "HDRCapacityMin", 0, dark) &&
                          take_numbers(packet, &space, "HDRCapacityMax", NAN, bright);
    g->dark = is_whole ? dark[0] : 0;
    g->bright = is_whole ? bright[0] : 0;
    for (int c = 0; c < 3 && is_whole; c++)
        g->of[c] = (gain_channel){least[c], most[c], gamma[c], base[c], light[c]};
    xmp_value(packet, &space, "BaseRenditionIsHDR", &is_hdr);
    const bool is_inverse = xmp_equals(is_hdr, "True");
    *why = is_inverse ? inverse : damaged;
    return !is_inverse && is_whole && gain_map_is_sound(g) ? GAIN_READ : GAIN_UNFIT;
}

/* Writes a property: one number if all three channels have the same, else a list. */
static void write_numbers(blob *to, const char *name, const double numbers[3])
{
    char text[200];
    if (numbers[0] == numbers[1] && numbers[0] == numbers[2])
        snprintf(text, sizeof text, "<hdrgm:%s>%.8f</hdrgm:%s>\n", name, numbers[0], name);
    else
        snprintf(text, sizeof text,
                 "<hdrgm:%s><rdf:Seq><rdf:li>%.8f</rdf:li><rdf:li>%.8f</rdf:li>"
                 "<rdf:li>%.8f</rdf:li></rdf:Seq></hdrgm:%s>\n",
                 name, numbers[0], numbers[1], numbers[2], name);
    blob_add(to, text, strlen(text));
}

void gain_write_xmp(const gain_map *g, blob *packet)
{
    static const struct {
        const char *name;
        size_t at; /* in gain_channel */
    } rows[] = {{"GainMapMin", offsetof(gain_channel, least)},
                {"GainMapMax", offsetof(gain_channel, most)},
                {"Gamma", offsetof(gain_channel, gamma)},
                {"OffsetSDR", offsetof(gain_channel, base_offset)},
                {"OffsetHDR", offsetof(gain_channel, light_offset)}};
    blob text = {0};
    blob_add_text(&text, " xmlns:hdrgm=\"" HDRGM "\">\n<hdrgm:Version>1.0</hdrgm:Version>\n");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double numbers[3];
        for (int c = 0; c < 3; c++)
            memcpy(&numbers[c], (const char *)&g->of[c] + rows[i].at, sizeof *numbers);
        write_numbers(&text, rows[i].name, numbers);
    }
    write_numbers(&text, "HDRCapacityMin", (double[3]){g->dark, g->dark, g->dark});
    write_numbers(&text, "HDRCapacityMax", (double[3]){g->bright, g->bright, g->bright});
    blob_add_text(
        &text, "<hdrgm:BaseRenditionIsHDR>False</hdrgm:BaseRenditionIsHDR>\n</rdf:Description>\n");
    xmp_add(packet, blob_view(&text));
    packet->failed |= text.failed;
    blob_free(&text);
}

bool gain_add_directory(blob *packet, size_t map_size)
{
    char entry[1024];
    snprintf(entry, sizeof entry,
             " xmlns:hdrgm=\"" HDRGM "\" hdrgm:Version=\"1.0\"\n"
             " xmlns:Container=\"http://ns.google.com/photos/1.0/container/\"\n"
             " xmlns:Item=\"http://ns.google.com/photos/1.0/container/item/\">\n"
             "<Container:Directory><rdf:Seq>\n"
             "<rdf:li rdf:parseType=\"Resource\"><Container:Item Item:Semantic=\"Primary\" "
             "Item:Mime=\"image/jpeg\"/></rdf:li>\n"
             "<rdf:li rdf:parseType=\"Resource\"><Container:Item Item:Semantic=\"GainMap\" "
             "Item:Mime=\"image/jpeg\" Item:Length=\"%zu\"/></rdf:li>\n"
             "</rdf:Seq></Container:Directory></rdf:Description>\n",
             map_size);
    return xmp_add(packet, (bytes){.data = (const uint8_t *)entry, .size = strlen(entry)});
}

/* --- ISO 21496-1 ------------------------------------------------------------------------------ */

enum {
    HAS_CHANNELS = 0x80, /* numbers of each */
    IN_BASE_COLOURS = 0x40,
    HAS_COMMON = 8, /* one denominator for all, as older writers have it */
    IS_INVERSE = 4,
    ISO_VERSION = 4 /* bytes: the lowest version that reads it, and the writer's */
};

typedef struct iso_reader {
    bytes left;
    uint32_t common; /* denominator; 0: each number has its own */
    bool is_cut;
} iso_reader;

static uint32_t take_32(iso_reader *r)
{
    if (r->left.size < 4) {
        r->is_cut = true;
        return 0;
    }
    const uint32_t value = big_endian_32(r->left.data);
    r->left.data += 4;
    r->left.size -= 4;
    return value;
}

static double take_fraction(iso_reader *r, bool is_signed)
{
    const uint32_t above = take_32(r), below = r->common ? r->common : take_32(r);
    const double number = is_signed ? (double)(int32_t)above : (double)above;
    return below ? number / below : NAN;
}

gain_status gain_read_iso(bytes numbers, gain_map *g, const char **why)
{
    iso_reader r = {.left = numbers};
    *why = damaged;
    if (numbers.size <= ISO_VERSION)
        return GAIN_NONE;
    const bool is_later = big_endian_16(numbers.data) > 0;
    const int flags = numbers.data[ISO_VERSION];
    r.left.data += ISO_VERSION + 1;
    r.left.size -= ISO_VERSION + 1;
    if (flags & HAS_COMMON)
        r.common = take_32(&r);
    g->dark = take_fraction(&r, false);
    g->bright = take_fraction(&r, false);
    for (int c = 0; c < 3; c++) {
        gain_channel *const v = &g->of[c];
        *v = g->of[0];
        if (c > 0 && !(flags & HAS_CHANNELS))
            continue;
        v->least = take_fraction(&r, true);
        v->most = take_fraction(&r, true);
        v->gamma = take_fraction(&r, false);
        v->base_offset = take_fraction(&r, true);
        v->light_offset = take_fraction(&r, true);
    }
    const bool is_inverse = (flags & IS_INVERSE) || g->dark > g->bright;
    *why = is_later                     ? "its numbers are of a later version"
           : is_inverse                 ? inverse
           : !(flags & IN_BASE_COLOURS) ? "it is for other colours than the picture's"
                                        : damaged;
    return !is_later && !is_inverse && (flags & IN_BASE_COLOURS) && !r.is_cut &&
                   gain_map_is_sound(g)
               ? GAIN_READ
               : GAIN_UNFIT;
}

static void put_fraction(blob *to, double number)
{
    enum { BELOW = 1 << 20 };
    blob_add_number(to, (uint32_t)(int32_t)lrint(number * BELOW), 4);
    blob_add_number(to, BELOW, 4);
}

void gain_write_iso(const gain_map *g, blob *numbers)
{
    const bool is_plain = gain_map_is_plain(g);
    blob_add_number(numbers, 0, ISO_VERSION);
    blob_add_number(numbers, IN_BASE_COLOURS | (is_plain ? 0 : HAS_CHANNELS), 1);
    put_fraction(numbers, g->dark);
    put_fraction(numbers, g->bright);
    for (int c = 0; c < (is_plain ? 1 : 3); c++) {
        const gain_channel *const v = &g->of[c];
        put_fraction(numbers, v->least);
        put_fraction(numbers, v->most);
        put_fraction(numbers, v->gamma);
        put_fraction(numbers, v->base_offset);
        put_fraction(numbers, v->light_offset);
    }
}

/* --- JPEG ------------------------------------------------------------------------------------- */

gain_status gain_read_jpeg(bytes jpeg, gain_map *g, const char **why)
{
    jpeg_segment s;
    gain_status found = GAIN_NONE;
    for (size_t at = JPEG_FIRST;
         found != GAIN_READ && jpeg_next_segment(jpeg, &at, &s) && s.marker != JPEG_SOS;) {
        const char *reason;
        gain_map numbers = *g;
        const bool is_iso =
            s.marker == JPEG_APP2 && jpeg_skip_head(&s.data, GAIN_ISO_HEAD, sizeof GAIN_ISO_HEAD);
        const bool is_xmp =
            s.marker == JPEG_APP1 && jpeg_skip_head(&s.data, JPEG_XMP_HEAD, sizeof JPEG_XMP_HEAD);
        const gain_status status = is_iso   ? gain_read_iso(s.data, &numbers, &reason)
                                   : is_xmp ? gain_read_xmp(s.data, &numbers, &reason)
                                            : GAIN_NONE;
        if (status == GAIN_NONE)
            continue;
        found = status;
        if (status == GAIN_READ)
            *g = numbers;
        else
            *why = reason;
    }
    return found;
}
