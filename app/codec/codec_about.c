#include "codec/codec_about.h"

#include "codec/codec_table.h"

#include <stdio.h>

static void name_endings(const codec *c, char *out, size_t size)
{
    size_t used = 0;
    for (int i = 0; i < CODEC_ENDINGS && c->endings[i]; i++)
        used += (size_t)snprintf(out + used, size - used, "%s.%s", i ? ", " : "", c->endings[i]);
}

static void name_bits(const codec *c, char *out, size_t size)
{
    if (c->halves == HALVES_ONLY)
        snprintf(out, size, "floats");
    else if (c->deepest > 8)
        snprintf(out, size, "8, %d bits%s", c->deepest, c->halves == HALVES_TOO ? ", floats" : "");
    else
        snprintf(out, size, "8 bits");
}

static void name_channels(const codec *c, char *out, size_t size)
{
    const bool gray = c->channels & GRAY, rgb = c->channels & RGB;
    snprintf(out, size, "%s%s%s%s", gray ? "gray" : "", gray && rgb ? ", " : "", rgb ? "RGB" : "",
             c->channels & (GRAY_ALPHA | RGBA) ? ", alpha" : "");
}

static const char *name_map(const codec *c)
{
    const bool has_codes = c->decode && c->halves != HALVES_ONLY;
    return has_codes && c->decode_values ? "codes, numbers"
           : has_codes                   ? "codes"
           : c->decode_values            ? "numbers"
                                         : "";
}

codec_facts codec_about(const codec *c)
{
    codec_facts f = {.reads = c->reads ? c->reads : "",
                     .has_alpha = (c->channels & (GRAY_ALPHA | RGBA)) != 0,
                     .map = name_map(c),
                     .keeps = metadata_words(c->meta)};
    name_endings(c, f.endings, sizeof f.endings);
    if (c->encode) {
        name_bits(c, f.bits, sizeof f.bits);
        name_channels(c, f.writes, sizeof f.writes);
    }
    return f;
}
