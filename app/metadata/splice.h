/* A sink that puts metadata into the encoded file that passes through it, so that all encoders carry
 * alike. */
#ifndef SATBLUR_APP_SPLICE_H
#define SATBLUR_APP_SPLICE_H

#include "base/sink.h"
#include "metadata/metadata.h"

typedef struct splice {
    sink in; /* for the encoder; it fails as `to` does */
    sink *to;
    metadata_format format;
    blob block;        /* what is put in */
    uint8_t head[33];  /* how the file begins */
    size_t have, want; /* bytes of it */
} splice;

/* False: not enough memory. After true comes splice_end(). */
bool splice_begin(splice *s, const metadata *m, metadata_format format, sink *to);

void splice_end(splice *s);

#endif
