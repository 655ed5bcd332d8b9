/* Between the two processes of isolate.h: the program starts itself under another name, sends a request and the file, and
 * gets answers. Both are one program, so structs travel as they are; their pointers do not count. */
#ifndef SATBLUR_APP_ISOLATE_MESSAGE_H
#define SATBLUR_APP_ISOLATE_MESSAGE_H

#include "codec/codec.h"
#include "codec/heif/heif_aux.h"

#define ISOLATE_NAME "satblur-reader"

typedef enum wanted { WANTED_PICTURE, WANTED_DEPTH, WANTED_MATTE } wanted;

typedef struct request {
    wanted what;
    decode_settings settings;
    size_t path, file; /* bytes that follow */
} request;

typedef enum answer_kind {
    ANSWER_CLAIM, /* the shape, before the pixels are decoded: a byte from the other side lets the child go on */
    ANSWER_READ,
    ANSWER_NONE,
    ANSWER_FAILED
} answer_kind;

typedef struct answer {
    answer_kind kind;
    satb_image shape; /* of the claim, or of the pixels that follow */
    problem p;
    bool names_file; /* p does */
    picture picture; /* the blobs of its metadata follow the pixels, then its gain map's pixels */
    heif_aux_image aux;
} answer;

enum { BLOBS = 4 };

static inline void list_blobs(metadata *m, blob *list[BLOBS])
{
    list[0] = &m->icc;
    list[1] = &m->exif;
    list[2] = &m->xmp;
    list[3] = &m->own;
}

/* Makes the answer a failure for want of memory. */
static inline void starve(answer *a)
{
    a->kind = ANSWER_FAILED;
    a->names_file = false;
    problem_set_kind(&a->p, PROBLEM_MEMORY, "not enough memory to read it");
}

#endif
