#ifndef SATBLUR_APP_WRITE_ALL_H
#define SATBLUR_APP_WRITE_ALL_H

#include <stdbool.h>
#include <stddef.h>

/* Writes all size bytes, in one call where the system takes them so. False: errno says why the rest cannot be written. */
bool write_all(int fd, const void *data, size_t size);

#endif
