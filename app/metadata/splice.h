/* A sink that inserts metadata into the encoded file that passes through, so that all encoders carry the same. */
#ifndef SATBLUR_APP_SPLICE_H
#define SATBLUR_APP_SPLICE_H

#include "base/sink.h"
#include "metadata/metadata.h"

typedef struct splice {
    sink in; /* for the encoder; fails when `to` does */
    sink *to;
    metadata_format format;
    blob block;        /* the bytes that are inserted */
    uint8_t head[33];  /* the first bytes of the file */
    size_t have, want; /* bytes of the head */
} splice;

/* Begins to insert m. False: memory ran out. After true, splice_end() must follow. */
bool splice_begin(splice *s, const metadata *m, metadata_format format, sink *to);

void splice_end(splice *s);

#endif
