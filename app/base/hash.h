/* A hash of 64 bits (FNV-1a), by which changes are noticed that nobody has made on purpose. */
#ifndef SATBLUR_APP_HASH_H
#define SATBLUR_APP_HASH_H

#include <stddef.h>
#include <stdint.h>

#define HASH_START 0xcbf29ce484222325u

/* Returns the hash of what h stands for, and the bytes behind it. */
uint64_t hash_add(uint64_t h, const void *data, size_t size);

#endif
