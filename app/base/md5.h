/* MD5 (RFC 1321), by which XMP names the second packet of a JPEG. It protects nothing. */
#ifndef SATBLUR_APP_MD5_H
#define SATBLUR_APP_MD5_H

#include "base/blob.h"

typedef struct md5_name {
    char text[33]; /* 32 hexadecimal digits in capitals */
} md5_name;

md5_name md5_of(bytes in);

#endif
