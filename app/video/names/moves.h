/* Files with the ending of a picture that hold several frames. */
#ifndef SATBLUR_APP_MOVES_H
#define SATBLUR_APP_MOVES_H

#include <stdbool.h>
#include <stdint.h>

typedef enum picture_moves {
    MOVES_NOT,
    MOVES_NOT_PNG, /* a PNG of one picture */
    MOVES_AS_PNG,
    MOVES_AS_WEBP
} picture_moves;

/* Returns how the file of that name moves, by its first 64 KiB. MOVES_NOT, too: it is no file, or cannot be read. *frames: the
 * number of an animated PNG's frames, as its header says it; 0 for all others. frames may be NULL. */
picture_moves moves_as(const char *path, uint64_t *frames);

/* Returns whether the file is a video by the ending of its name. A .apng that is a plain PNG is none: FFmpeg writes one frame
 * like that, and does not read it. */
bool moves_by_name(const char *path);

#endif
