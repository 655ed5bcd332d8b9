/* Files with the ending of a picture that hold several frames. */
#ifndef SATBLUR_APP_MOVES_H
#define SATBLUR_APP_MOVES_H

typedef enum picture_moves { MOVES_NOT, MOVES_AS_PNG, MOVES_AS_WEBP } picture_moves;

/* Returns how the file of that name moves, by its first 64 KiB. MOVES_NOT, too: it is no file, or cannot be read. */
picture_moves moves_as(const char *path);

#endif
