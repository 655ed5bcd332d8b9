#include "format/png_chunk.h"

#include <libdeflate.h>
#include <string.h>

bool png_next_chunk(bytes file, size_t *at, png_chunk *c)
{
    enum { FRAME = PNG_BEFORE + PNG_BEHIND };
    const size_t left = *at < file.size ? file.size - *at : 0;
    const uint8_t *const b = file.data + *at;
    const size_t size = left < FRAME ? 0 : big_endian_32(b);
    if (left < FRAME || size > left - FRAME)
        return false;
    *c = (png_chunk){.data = {.data = b + PNG_BEFORE, .size = size},
                     .whole = {.data = b, .size = size + FRAME},
                     .type = b + 4};
    *at += size + FRAME;
    return true;
}

bool png_chunk_is(const png_chunk *c, const char *type)
{
    return memcmp(c->type, type, 4) == 0;
}

bool png_chunk_is_sound(const png_chunk *c)
{
    return libdeflate_crc32(0, c->type, c->data.size + 4) ==
           big_endian_32(c->data.data + c->data.size);
}

void png_frame_chunk(uint8_t *chunk, const char *type, size_t size)
{
    put_big_endian_32(chunk, (uint32_t)size);
    memcpy(chunk + 4, type, 4);
    put_big_endian_32(chunk + PNG_BEFORE + size, libdeflate_crc32(0, chunk + 4, size + 4));
}
