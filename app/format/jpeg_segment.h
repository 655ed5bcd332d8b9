/* Reads a JPEG segment by segment (ITU-T T.81, B.1). Every byte may be anything: nothing beyond the file is read. */
#ifndef SATBLUR_APP_JPEG_SEGMENT_H
#define SATBLUR_APP_JPEG_SEGMENT_H

#include "base/blob.h"

/* The second byte of a marker; the first is FF. */
enum {
    JPEG_SOF0 = 0xc0, /* baseline */
    JPEG_SOF1,        /* extended sequential */
    JPEG_SOF2,        /* progressive */
    JPEG_DHT = 0xc4,
    JPEG_RST0 = 0xd0,
    JPEG_RST7 = 0xd7,
    JPEG_SOI = 0xd8,
    JPEG_EOI,
    JPEG_SOS,
    JPEG_DQT,
    JPEG_DRI = 0xdd,
    JPEG_APP0 = 0xe0,
    JPEG_APP1,
    JPEG_APP2,
    JPEG_APP13 = 0xed,
    JPEG_APP14,
    JPEG_APP15,
    JPEG_SOF55 = 0xf7, /* JPEG-LS */
    JPEG_COM = 0xfe
};

/* Where the first segment stands: behind the start mark. */
enum { JPEG_FIRST = 2 };

typedef struct jpeg_segment {
    int marker;   /* 0: the file ends before a whole segment */
    size_t begin; /* where its marker stands, in bytes from the file's begin */
    bytes data;   /* behind the segment's length; empty for JPEG_EOI, which has no length */
} jpeg_segment;

/* Finds the first segment at or behind *at, and moves *at behind it. The bytes before that segment are skipped: they
 * are entropy-coded data with its restart marks, or fill bytes, or damage; s->begin tells. False at the end of the
 * file, with s->marker 0, and where the segment's length is impossible, with its marker. */
bool jpeg_next_segment(bytes in, size_t *at, jpeg_segment *s);

/* Takes a head like "Exif\0", of `size` bytes with its 0 at the end, from the front of a segment's data. False: the data begin
 * otherwise, and stay. */
bool jpeg_skip_head(bytes *data, const char *head, size_t size);

/* Finds the first JPEG at or behind *at within other data, such as a preview in a camera's notes: where it stands in
 * *begin, and *at moves behind it. Its segments follow each other up to its scan, with fill bytes at most between them. A
 * JPEG ends with the data if they cut it off within its scan, or if it has more segments before than any file. The first
 * byte of its start mark may be anything. False: there is none. */
bool jpeg_find(bytes in, size_t *at, size_t *begin);

/* Takes the next Huffman table from a DHT segment's data: its class (0: DC, 1: AC) and number in *head, 16 counts and
 * the symbols in *table, *symbols of them. False where the rest is no whole table of at most 256 symbols. */
bool jpeg_next_huffman(bytes *data, uint8_t *head, const uint8_t **table, size_t *symbols);

/* Returns the transform of the colours that an Adobe segment names: 0 (none), 1 (YCbCr) or 2 (YCCK); -1 for other
 * segments. */
int jpeg_adobe_transform(const jpeg_segment *s);

#endif
