/* Reads archives of plain files, in the form that POSIX calls ustar. */
#ifndef SATB_TESTS_ARCHIVE_H
#define SATB_TESTS_ARCHIVE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct archive_file {
    char name[101];
    uint8_t *
        data; /* memory of exactly size bytes, so that the address sanitizer sees a read beyond them; to be freed */
    size_t size;
} archive_file;

typedef enum archive_status { ARCHIVE_FILE, ARCHIVE_END, ARCHIVE_DAMAGED } archive_status;

/* Reads the next file. The end is two blocks of zeros: an archive that is cut, or is none, is damaged. */
archive_status archive_next(FILE *archive, archive_file *file);

#endif
