#include "format/heif/heif_property.h"

#include <string.h>

/* --- Turns ------------------------------------------------------------------------------------ */

/* A mirroring after a turn is one before the opposite turn. imir's axis 1 mirrors left and right. */
static void mirror(heif_entry *e, bool is_left_right)
{
    e->is_mirrored = !e->is_mirrored;
    e->quarters = (4 - e->quarters + (is_left_right ? 0 : 2)) % 4;
}

static void set_orientation(heif_entry *e)
{
    static const int numbers[2][4] = {{1, 8, 3, 6}, {2, 5, 4, 7}};
    e->properties.orientation = numbers[e->is_mirrored][e->quarters];
}

/* --- Sizes and codings ------------------------------------------------------------------------ */

static bool take_size(heif_entry *e, bytes ispe)
{
    const bool is_first = e->width == 0 && e->height == 0;
    e->width = (uint32_t)heif_number(ispe, 4, 4);
    e->height = (uint32_t)heif_number(ispe, 8, 4);
    return is_first;
}

static bool take_coding(heif_entry *e, bytes coding, bool is_gray)
{
    const bool is_first = !e->coding.data;
    e->coding = coding;
    e->properties.is_gray = is_gray;
    return is_first;
}

/* --- What it is ------------------------------------------------------------------------------- */

static bool is_alpha_type(bytes auxc)
{
    static const char *const types[] = {"urn:mpeg:avc:2015:auxid:1", "urn:mpeg:hevc:2015:auxid:1",
                                        "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha"};
    const bytes type = heif_behind(auxc, 4);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        const size_t size = strlen(types[i]);
        if (type.size >= size && memcmp(type.data, types[i], size) == 0 &&
            (type.size == size || type.data[size] == '\0'))
            return true;
    }
    return false;
}

static void take_auxiliary(heif_entry *e, bytes auxc)
{
    e->auxiliary = heif_behind(auxc, 4);
    e->is_alpha = is_alpha_type(auxc);
}

static void take_colours(heif_entry *e, bytes colr)
{
    enum { TRANSFER = 6, FLAGS = 10 };
    if (colr.size > FLAGS && memcmp(colr.data, "nclx", 4) == 0)
        e->properties.range = colr.data[FLAGS] & 0x80 ? HEIF_RANGE_FULL : HEIF_RANGE_LIMITED;
    if (colr.size > FLAGS && memcmp(colr.data, "nclx", 4) == 0)
        e->properties.transfer = (int)heif_number(colr, TRANSFER, 2);
    e->properties.has_profile |=
        colr.size > 4 && (memcmp(colr.data, "prof", 4) == 0 || memcmp(colr.data, "rICC", 4) == 0);
}

bool heif_property_take(heif_entry *e, const heif_box *b)
{
    const bytes d = b->data;
    const unsigned first = (unsigned)heif_number(d, 0, 1);
    switch (b->kind) {
    case HEIF_KIND('i', 's', 'p', 'e'): return take_size(e, d);
    case HEIF_KIND('h', 'v', 'c', 'C'):
        return e->kind != HEIF_KIND('h', 'v', 'c', '1') ||
               take_coding(e, d, d.size > 16 && (d.data[16] & 3) == 0);
    case HEIF_KIND('a', 'v', '1', 'C'):
        return e->kind != HEIF_KIND('a', 'v', '0', '1') ||
               take_coding(e, d, d.size > 2 && (d.data[2] & 0x10) != 0);
    case HEIF_KIND('c', 'o', 'l', 'r'): take_colours(e, d); break;
    case HEIF_KIND('a', 'u', 'x', 'C'): take_auxiliary(e, d); break;
    case HEIF_KIND('c', 'l', 'a', 'p'): e->properties.is_cropped = true; break;
    case HEIF_KIND('i', 'r', 'o', 't'): e->quarters = (e->quarters + first) % 4; break;
    case HEIF_KIND('i', 'm', 'i', 'r'): mirror(e, first & 1); break;
    default: break;
    }
    set_orientation(e);
    return true;
}
