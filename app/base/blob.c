#include "base/blob.h"

#include <stdlib.h>
#include <string.h>

bool blob_add(blob *b, const void *data, size_t size)
{
    if (size > b->capacity - b->size && !b->failed) {
        const size_t capacity = size < SIZE_MAX / 4 ? (b->size + size) + b->size / 2 : 0;
        uint8_t *more = capacity ? realloc(b->data, capacity) : NULL;
        b->failed = !more;
        if (more) {
            b->data = more;
            b->capacity = capacity;
        }
    }
    if (b->failed)
        return false;
    if (size > 0)
        memcpy(b->data + b->size, data, size);
    b->size += size;
    return true;
}

bool blob_write(void *user, const void *data, size_t size)
{
    return blob_add(user, data, size);
}

bool blob_add_text(blob *b, const char *text)
{
    return blob_add(b, text, strlen(text));
}

void blob_add_number(blob *b, uint32_t value, int size)
{
    uint8_t out[4];
    for (int i = 0; i < size; i++)
        out[i] = (uint8_t)(value >> 8 * (size - 1 - i));
    blob_add(b, out, (size_t)size);
}

void blob_add_little_endian_32(blob *b, uint32_t value)
{
    const uint8_t out[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16),
                            (uint8_t)(value >> 24)};
    blob_add(b, out, sizeof out);
}

bool bytes_equal(bytes a, bytes b)
{
    return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

void blob_free(blob *b)
{
    free(b->data);
    *b = (blob){0};
}
