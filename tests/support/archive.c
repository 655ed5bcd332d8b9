#include "support/archive.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Offsets of a header's fields: https://pubs.opengroup.org/onlinepubs/9699919799/utilities/pax.html */
enum { BLOCK = 512, NAME_SIZE = 100, SIZE = 124, CHECKSUM = 148, KIND = 156, MAGIC = 257 };

/* Returns a number of octal digits, which another character ends. */
static size_t octal(const uint8_t *digits)
{
    size_t number = 0;
    while (*digits >= '0' && *digits <= '7')
        number = number << 3 | (size_t)(*digits++ - '0');
    return number;
}

/* Returns the sum of a header's bytes, those of its checksum as spaces. */
static size_t checksum(const uint8_t *header)
{
    size_t sum = 0;
    for (size_t i = 0; i < BLOCK; i++)
        sum += i >= CHECKSUM && i < CHECKSUM + 8 ? ' ' : header[i];
    return sum;
}

archive_status archive_next(FILE *archive, archive_file *file)
{
    static const uint8_t zeros[BLOCK];
    uint8_t header[BLOCK], rest[BLOCK];
    if (fread(header, BLOCK, 1, archive) != 1)
        return ARCHIVE_DAMAGED;
    if (memcmp(header, zeros, BLOCK) == 0)
        return fread(rest, BLOCK, 1, archive) == 1 && memcmp(rest, zeros, BLOCK) == 0
                   ? ARCHIVE_END
                   : ARCHIVE_DAMAGED;
    if (memcmp(header + MAGIC, "ustar", 5) != 0 || header[KIND] != '0' ||
        octal(header + CHECKSUM) != checksum(header))
        return ARCHIVE_DAMAGED;
    memcpy(file->name, header, NAME_SIZE);
    file->name[NAME_SIZE] = '\0';
    file->size = octal(header + SIZE);
    file->data = malloc(file->size);
    const size_t padding = (BLOCK - file->size % BLOCK) % BLOCK;
    if (file->data && fread(file->data, 1, file->size, archive) == file->size &&
        fread(rest, 1, padding, archive) == padding)
        return ARCHIVE_FILE;
    free(file->data);
    return ARCHIVE_DAMAGED;
}
