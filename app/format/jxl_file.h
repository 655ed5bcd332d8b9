/* The head of a JPEG XL file (ISO/IEC 18181), by libjxl: its shape and its colours. */
#ifndef SATBLUR_APP_JXL_FILE_H
#define SATBLUR_APP_JXL_FILE_H

#include "base/blob.h"

#include <jxl/decode.h>
#include <stdbool.h>

/* JxlDecoderGetICCProfileSize() and others have lost an argument that they never used. */
#if JPEGXL_MAJOR_VERSION == 0 && JPEGXL_MINOR_VERSION < 9
#define JXL_UNUSED_FORMAT NULL,
#else
#define JXL_UNUSED_FORMAT
#endif

typedef struct jxl_file {
    JxlDecoder *decoder;
    JxlBasicInfo info; /* of the upright picture; xsize 0: not read yet */
    JxlColorEncoding
        colours; /* of the samples that are decoded; color_space UNKNOWN: only a profile tells them */
} jxl_file;

/* Opens a file, whose bytes must stay, for those events. False: memory ran out. jxl_close() follows in either case. */
bool jxl_open(jxl_file *f, bytes in, int events);

void jxl_close(jxl_file *f);

/* Goes on to the next event, and fills in info and colours on the way. */
JxlDecoderStatus jxl_next(jxl_file *f);

/* Returns whether the samples stand for light: linear, PQ or HLG. */
bool jxl_is_light(const jxl_file *f);

/* Returns whether the colours are sRGB's. */
bool jxl_is_srgb(const jxl_file *f);

#endif
