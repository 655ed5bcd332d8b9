/* What is asked of a JPEG before a decoder sees it that may neither say what is damaged nor bear it. */
#ifndef SATBLUR_APP_JPEG_ORDER_H
#define SATBLUR_APP_JPEG_ORDER_H

#include "base/blob.h"

#include <satblur.h>

/* Whether the file is baseline, of that shape, gray or YCbCr with colours at full or half resolution, in
 * one scan, and whether all up to its end mark is whole and right: every segment, directly behind the one
 * before it, and every code of the packed samples. *size: the bytes up to that end; what may follow is no
 * part of the picture. *starved: there was no memory to find it out. */
bool jpeg_in_order(bytes in, const satb_image *shape, size_t *size, bool *starved);

/* Where the tables and samples begin: behind the start mark, APP segments and comments; 0 where that is
 * not found. */
size_t jpeg_head_size(bytes in);

#endif
