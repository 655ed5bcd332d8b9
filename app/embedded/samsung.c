/* Samsung's Live Focus: a trailer with named blocks, found from the end of the file. All numbers have the low byte first. */
#include "embedded/photo.h"

#include <string.h>

enum {
    TAIL = 8,  /* the directory's size without these bytes, and "SEFT" */
    HEAD = 12, /* of the directory: "SEFH", a version, the number of entries */
    ENTRY =
        12 /* 0 and the type, 2 bytes each; how far before the directory the block begins; its size */
};

typedef struct trailer {
    bytes file;
    size_t directory; /* where it begins */
    uint32_t count;   /* of entries */
} trailer;

static bool find_trailer(bytes file, trailer *t)
{
    const bytes tail = file.size < TAIL
                           ? (bytes){.size = 0}
                           : (bytes){.data = file.data + file.size - TAIL, .size = TAIL};
    if (tail.size == 0 || memcmp(tail.data + 4, "SEFT", 4) != 0)
        return false;
    const uint32_t size = little_endian_32(tail.data);
    if (size < HEAD || size > file.size - TAIL)
        return false;
    t->file = file;
    t->directory = file.size - TAIL - size;
    const uint8_t *const d = file.data + t->directory;
    t->count = little_endian_32(d + 8);
    return memcmp(d, "SEFH", 4) == 0 && t->count <= (size - HEAD) / ENTRY;
}

/* Returns what a block holds. It begins with 0, its type and its name's length. size 0: there is none. */
static bytes find_block(const trailer *t, uint32_t type, const char *name)
{
    enum { BEFORE = 8 };
    const size_t length = strlen(name);
    for (uint32_t i = 0; i < t->count; i++) {
        const uint8_t *const e = t->file.data + t->directory + HEAD + (size_t)i * ENTRY;
        const uint32_t back = little_endian_32(e + 4), size = little_endian_32(e + 8);
        if (little_endian_16(e + 2) != type || back > t->directory || size > back ||
            size < BEFORE + length)
            continue;
        const uint8_t *const block = t->file.data + t->directory - back;
        if (little_endian_32(block + 4) == length && memcmp(block + BEFORE, name, length) == 0)
            return (bytes){.data = block + BEFORE + length, .size = size - BEFORE - length};
    }
    return (bytes){.size = 0};
}

/* Reads the map's size, whose place depends on the version. False: the version is unknown, or the block is short. */
static bool read_size(bytes info, int *width, int *height)
{
    static const struct {
        uint32_t version, width, height; /* the places are those of 32-bit numbers */
    } layouts[] = {{1, 9, 10}, {3, 12, 13}, {4, 17, 18}, {5, 20, 19}, {6, 22, 21}};
    for (size_t i = 0; info.size >= 2 && i < sizeof layouts / sizeof *layouts; i++) {
        const uint32_t last =
            layouts[i].width > layouts[i].height ? layouts[i].width : layouts[i].height;
        if (little_endian_16(info.data) != layouts[i].version || info.size < 4 * ((size_t)last + 1))
            continue;
        const uint32_t w = little_endian_32(info.data + 4 * layouts[i].width),
                       h = little_endian_32(info.data + 4 * layouts[i].height);
        *width = w <= PICTURE_SIDE ? (int)w : 0;
        *height = h <= PICTURE_SIDE ? (int)h : 0;
        return true;
    }
    return false;
}

embedded_status samsung_find(const photo *ph, embedded_kind kind, embedded_found *f, problem *p)
{
    trailer t;
    if (kind != EMBEDDED_DEPTH || !find_trailer(ph->file, &t))
        return EMBEDDED_NONE;
    f->coded = find_block(&t, 0x0ab1, "DualShot_DepthMap_1");
    if (f->coded.size == 0)
        return EMBEDDED_NONE;
    const bytes info = find_block(&t, 0x0ab3, "DualShot_Extra_Info");
    if (!read_size(info, &f->width, &f->height)) {
        problem_set(p,
                    "it has Samsung's depth map, but in an unknown version, %u; extract the map "
                    "and give it by --depth",
                    info.size >= 2 ? (unsigned)little_endian_16(info.data) : 0u);
        return EMBEDDED_FAILED;
    }
    f->map->source = "Samsung's depth map";
    f->map->means.type = SATB_DEPTH_DISPARITY;
    f->map->means.near_black = true;
    f->map->original = find_block(&t, 0x0001, "DualShot_1");
    return EMBEDDED_FOUND;
}
