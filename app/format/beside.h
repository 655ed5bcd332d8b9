/* What files hold beside their picture, by the marks that say so. */
#ifndef SATBLUR_APP_BESIDE_H
#define SATBLUR_APP_BESIDE_H

#include "base/blob.h"

#define BESIDE_GAIN_MAP   "gain map"
#define BESIDE_DEPTH_MAP  "depth map"
#define BESIDE_XMP_DEPTH  "XMP's depth map"
#define BESIDE_VIDEO      "motion video"
#define BESIDE_FURTHER    "further pictures"
#define BESIDE_BEHIND_END "what follows its end"

typedef struct beside_names { /* each once; static memory */
    const char *at[16];
    int count;
    int pictures; /* that are shown as the picture is, not counting it */
} beside_names;

/* Adds a name unless it is there. NULL: adds nothing. */
void beside_add(beside_names *names, const char *name);

/* Returns the name of an auxiliary picture by its type, a URN or URI that may have more behind it. NULL: it is unknown. */
const char *beside_of_type(bytes type);

/* Adds the names of pictures whose types stand anywhere in the bytes: the XMP of pictures that follow each other. */
void beside_search(bytes in, beside_names *names);

/* Returns whether a video's first box stands anywhere in the bytes. */
bool beside_has_video(bytes in);

#endif
