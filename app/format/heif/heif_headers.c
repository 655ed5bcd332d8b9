#include "format/heif/heif_headers.h"

/* Bits, the high one first. */
typedef struct bits {
    bytes data;
    size_t at;
    bool is_short; /* there were too few, which count as 0 */
} bits;

/* Returns a number of up to 32 bits. */
static uint32_t take(bits *b, int count)
{
    uint32_t value = 0;
    for (int i = 0; i < count; i++, b->at++) {
        const size_t byte = b->at / 8;
        b->is_short = b->is_short || byte >= b->data.size;
        value = value << 1 | (b->is_short ? 0 : b->data.data[byte] >> (7 - b->at % 8) & 1u);
    }
    return value;
}

static void skip(bits *b, int count)
{
    b->at += (size_t)count;
}

/* Returns a number in Exp-Golomb code, which is HEVC's ue and AV1's uvlc. */
static uint32_t take_golomb(bits *b)
{
    int zeros = 0;
    while (zeros < 32 && !b->is_short && take(b, 1) == 0)
        zeros++;
    return zeros == 32 ? UINT32_MAX : (1u << zeros) - 1 + take(b, zeros);
}

/* --- HEVC (ITU-T H.265, 7.3.2.2) -------------------------------------------------------------- */

enum { HEVC_HEAD = 256 }; /* bytes, in which the size stands */

/* Copies the first bytes without the 3 that stands behind two zeros. Returns their number. */
static size_t unescape(bytes unit, uint8_t to[HEVC_HEAD])
{
    size_t count = 0;
    int zeros = 0;
    for (size_t i = 0; i < unit.size && count < HEVC_HEAD; i++) {
        const uint8_t byte = unit.data[i];
        const bool is_escape = zeros >= 2 && byte == 3;
        zeros = byte == 0 ? zeros + 1 : 0;
        if (!is_escape)
            to[count++] = byte;
    }
    return count;
}

static void skip_profiles(bits *b, int more_layers)
{
    enum { PROFILE = 88, LEVEL = 8, MOST = 8 };
    bool has_profile[MOST] = {false}, has_level[MOST] = {false};
    skip(b, PROFILE + LEVEL);
    for (int i = 0; i < more_layers; i++) {
        has_profile[i] = take(b, 1);
        has_level[i] = take(b, 1);
    }
    if (more_layers > 0)
        skip(b, 2 * (MOST - more_layers));
    for (int i = 0; i < more_layers; i++)
        skip(b, (has_profile[i] ? PROFILE : 0) + (has_level[i] ? LEVEL : 0));
}

bool heif_header_hevc(bytes unit, heif_header *out)
{
    enum { FULL_COLOURS = 3 };
    uint8_t plain[HEVC_HEAD];
    bits b = {.data = {.data = plain, .size = unescape(unit, plain)}};
    skip(&b, 4);
    const int more_layers = (int)take(&b, 3);
    skip(&b, 1);
    skip_profiles(&b, more_layers);
    take_golomb(&b); /* its number */
    if (take_golomb(&b) == FULL_COLOURS)
        skip(&b, 1);
    *out = (heif_header){.width = take_golomb(&b)};
    out->height = take_golomb(&b);
    return !b.is_short;
}

/* --- AV1 (AV1 Bitstream & Decoding Process Specification, 5.5) --------------------------------- */

/* Goes behind the times of a film. Returns the bits of a delay; 0: there is no model of the decoder. */
static int skip_timing(bits *b)
{
    if (!take(b, 1))
        return 0;
    skip(b, 64);
    if (take(b, 1))
        take_golomb(b);
    if (!take(b, 1))
        return 0;
    const int delay_bits = (int)take(b, 5) + 1;
    skip(b, 32 + 5 + 5);
    return delay_bits;
}

static void skip_operating_points(bits *b, int delay_bits)
{
    const bool has_display_delay = take(b, 1);
    for (int left = (int)take(b, 5); left >= 0; left--) {
        skip(b, 12);
        if (take(b, 5) > 7)
            skip(b, 1);
        if (delay_bits > 0 && take(b, 1))
            skip(b, 2 * delay_bits + 1);
        if (has_display_delay && take(b, 1))
            skip(b, 4);
    }
}

/* Goes behind the tools that a film may use. */
static void skip_tools(bits *b)
{
    skip(b, 4);
    const bool has_order = take(b, 1);
    if (has_order)
        skip(b, 2);
    const bool may_force = take(b, 1) || take(b, 1);
    if (may_force && !take(b, 1))
        skip(b, 1);
    if (has_order)
        skip(b, 3);
}

static bool is_full_range(bits *b, uint32_t profile)
{
    const uint32_t srgb = 1 << 16 | 13 << 8 | 0; /* primaries, curve, matrix of RGB */
    const bool is_deep = take(b, 1);
    if (profile == 2 && is_deep)
        skip(b, 1);
    const bool is_gray = profile != 1 && take(b, 1);
    const uint32_t colours = take(b, 1) ? take(b, 24) : 0;
    return (!is_gray && colours == srgb) || take(b, 1);
}

bool heif_header_av1(bytes unit, heif_header *out)
{
    bits b = {.data = unit};
    const uint32_t profile = take(&b, 3);
    skip(&b, 1);
    const bool is_reduced = take(&b, 1);
    if (is_reduced)
        skip(&b, 5);
    else
        skip_operating_points(&b, skip_timing(&b));
    const int width_bits = (int)take(&b, 4) + 1, height_bits = (int)take(&b, 4) + 1;
    *out = (heif_header){.width = take(&b, width_bits) + 1};
    out->height = take(&b, height_bits) + 1;
    if (!is_reduced && take(&b, 1))
        skip(&b, 4 + 3);
    skip(&b, 3);
    if (!is_reduced)
        skip_tools(&b);
    skip(&b, 3);
    out->is_full = is_full_range(&b, profile);
    return !b.is_short;
}
