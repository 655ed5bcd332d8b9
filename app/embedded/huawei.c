/* Huawei's wide aperture: behind the photo lie the photo as it was taken, and a block with the map. Numbers have the low byte
 * first. */
#include "embedded/photo.h"

#include <string.h>

enum {
    TAIL = 4 + 8,  /* the block's size, and "DepthEn" */
    HEAD = 64,     /* of the block; the codes follow */
    BEFORE = 4 + 8 /* the size of the photo as it was taken, "edof" and 0 */
};

/* Finds the photo as it was taken, before the block at that place. */
static bytes find_original(bytes file, size_t block)
{
    const uint8_t *const before = block < BEFORE ? NULL : file.data + block - BEFORE;
    if (!before || memcmp(before + 4, "edof\0\0\0", 8) != 0)
        return (bytes){.size = 0};
    const uint32_t size = little_endian_32(before);
    return size > block - BEFORE ? (bytes){.size = 0}
                                 : (bytes){.data = before - size, .size = size};
}

embedded_status huawei_find(const photo *ph, embedded_kind kind, embedded_found *f, problem *p)
{
    const bytes file = ph->file;
    if (kind != EMBEDDED_DEPTH || file.size < TAIL ||
        memcmp(file.data + file.size - 8, "DepthEn", 8) != 0)
        return EMBEDDED_NONE;
    const uint32_t size = little_endian_32(file.data + file.size - TAIL);
    if (size < HEAD || size > file.size - TAIL)
        return embedded_fail(p,
                             "Huawei's depth map is cut off; get the photo as the phone wrote it");
    const size_t block = file.size - TAIL - size;
    f->width = (int)little_endian_16(file.data + block + 12);
    f->height = (int)little_endian_16(file.data + block + 14);
    const uint64_t codes = (uint64_t)f->width * (uint64_t)f->height;
    if (codes > size - HEAD)
        return embedded_fail(p,
                             "Huawei's depth map is cut off; get the photo as the phone wrote it");
    f->coded = (bytes){.data = file.data + block + HEAD, .size = (size_t)codes};
    f->map->source = "Huawei's depth map";
    f->map->means.type = SATB_DEPTH_DISPARITY;
    f->map->means.near_is_assumed = true;
    f->map->original = find_original(file, block);
    return EMBEDDED_FOUND;
}
