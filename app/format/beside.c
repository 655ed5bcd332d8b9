#include "format/beside.h"

#include <string.h>

/* Depth comes before mattes: Apple's depth maps name their own namespace, mattes do not. */
static const struct {
    const char *type, *name;
} types[] = {
    {"urn:com:apple:photo:2020:aux:hdrgainmap", BESIDE_GAIN_MAP},
    {"urn:iso:std:iso:ts:21496:-1", BESIDE_GAIN_MAP},
    {"http://ns.adobe.com/hdr-gain-map/1.0/", BESIDE_GAIN_MAP},
    {"http://ns.apple.com/HDRGainMap/1.0/", BESIDE_GAIN_MAP},
    {"urn:mpeg:hevc:2015:auxid:2", BESIDE_DEPTH_MAP},
    {"urn:mpeg:mpegB:cicp:systems:auxiliary:depth", BESIDE_DEPTH_MAP},
    {"http://ns.apple.com/depthData/1.0/", BESIDE_DEPTH_MAP},
    {"urn:com:apple:photo:2018:aux:portraiteffectsmatte", "matte"},
    {"urn:com:apple:photo:2019:aux:semantic", "mattes of parts"},
    {"urn:com:apple:photo:2020:aux:semantic", "mattes of parts"},
};
enum { TYPES = sizeof types / sizeof *types };

void beside_add(beside_names *names, const char *name)
{
    enum { MOST = sizeof names->at / sizeof *names->at };
    for (int i = 0; name && i < names->count; i++)
        if (strcmp(names->at[i], name) == 0)
            return;
    if (name && names->count < MOST)
        names->at[names->count++] = name;
}

const char *beside_of_type(bytes type)
{
    for (int i = 0; i < TYPES; i++) {
        const size_t size = strlen(types[i].type);
        if (type.size >= size && memcmp(type.data, types[i].type, size) == 0)
            return types[i].name;
    }
    return NULL;
}

void beside_search(bytes in, beside_names *names)
{
    const uint8_t *const end = in.data + in.size;
    for (const uint8_t *at = in.data; at && at < end; at++) {
        /* All types begin with "urn:" or "http". */
        while (at < end && *at != 'u' && *at != 'h')
            at++;
        if (at < end)
            beside_add(names, beside_of_type((bytes){.data = at, .size = (size_t)(end - at)}));
    }
}

/* A video begins with its size and "ftyp". */
bool beside_has_video(bytes in)
{
    enum { LEAST = 16, MOST = 256, HEAD = 8 };
    for (size_t at = 0; in.size >= HEAD && at <= in.size - HEAD; at++) {
        const uint8_t *const f = memchr(in.data + at + 4, 'f', in.size - at - 4 - 3);
        if (!f)
            return false;
        at = (size_t)(f - in.data) - 4;
        const uint32_t size = big_endian_32(in.data + at);
        if (memcmp(f, "ftyp", 4) == 0 && size >= LEAST && size <= MOST && size % 4 == 0)
            return true;
    }
    return false;
}
