/* MD5 (RFC 1321), by which XMP names the second packet of a JPEG. It protects nothing. */
#ifndef SATBLUR_APP_MD5_H
#define SATBLUR_APP_MD5_H

#include "base/blob.h"

/* Fills in 32 hexadecimal digits in capitals, and a 0. */
void md5_name(bytes in, char name[33]);

#endif
