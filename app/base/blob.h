/* Bytes: a view of some, memory that grows with them, and numbers in either order of their bytes. */
#ifndef SATBLUR_APP_BLOB_H
#define SATBLUR_APP_BLOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct bytes { /* a view: somebody else owns the memory */
    const uint8_t *data;
    size_t size;
} bytes;

typedef struct blob { /* owns its memory; all zero: empty */
    uint8_t *data;
    size_t size, capacity;
    bool failed; /* memory ran out: nothing more is added */
} blob;

/* Appends the bytes. False: this call or an earlier one has run out of memory. */
bool blob_add(blob *b, const void *data, size_t size);

/* Appends the bytes, as a sink's function: user is the blob. */
bool blob_write(void *user, const void *data, size_t size);

/* Appends the text without its 0. */
bool blob_add_text(blob *b, const char *text);

/* Appends a number of `size` bytes, 1 to 4, the high one first. */
void blob_add_number(blob *b, uint32_t value, int size);

/* Appends a number of four bytes, the low one first. */
void blob_add_little_endian_32(blob *b, uint32_t value);

void blob_free(blob *b);

static inline bytes blob_view(const blob *b)
{
    return (bytes){.data = b->data, .size = b->size};
}

/* Returns whether both have the same bytes. */
bool bytes_equal(bytes a, bytes b);

static inline uint32_t big_endian_16(const uint8_t *b)
{
    return (uint32_t)b[0] << 8 | b[1];
}

static inline uint32_t big_endian_32(const uint8_t *b)
{
    return big_endian_16(b) << 16 | big_endian_16(b + 2);
}

static inline void put_big_endian_32(uint8_t *b, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        b[i] = (uint8_t)(value >> (24 - 8 * i));
}

static inline uint32_t little_endian_16(const uint8_t *b)
{
    return (uint32_t)b[1] << 8 | b[0];
}

static inline uint32_t little_endian_32(const uint8_t *b)
{
    return little_endian_16(b + 2) << 16 | little_endian_16(b);
}

#endif
