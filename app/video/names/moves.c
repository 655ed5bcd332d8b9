#include "video/names/moves.h"

#include "format/png_chunk.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { HEAD = 1 << 16, WEBP_FLAGS = 20, WEBP_ANIMATION = 2 };

/* Returns whether chunk acTL stands before the pixels. */
static bool is_animated_png(bytes file)
{
    size_t at = PNG_SIGNATURE;
    png_chunk c;
    if (file.size < PNG_SIGNATURE || memcmp(file.data, PNG_SIGNATURE_TEXT, PNG_SIGNATURE) != 0)
        return false;
    while (png_next_chunk(file, &at, &c) && !png_chunk_is(&c, "IDAT"))
        if (png_chunk_is(&c, "acTL"))
            return true;
    return false;
}

static bool is_animated_webp(bytes file)
{
    return file.size > WEBP_FLAGS && memcmp(file.data, "RIFF", 4) == 0 &&
           memcmp(file.data + 8, "WEBPVP8X", 8) == 0 && (file.data[WEBP_FLAGS] & WEBP_ANIMATION);
}

picture_moves moves_as(const char *path)
{
    struct stat about;
    const bool is_file =
        stat(path, &about) == 0 && S_ISREG(about.st_mode); /* no pipe, which is read once */
    FILE *const from = is_file ? fopen(path, "rb") : NULL;
    uint8_t *const head = from ? malloc(HEAD) : NULL;
    picture_moves moves = MOVES_NOT;
    if (head) {
        const bytes file = {head, fread(head, 1, HEAD, from)};
        moves = is_animated_png(file)    ? MOVES_AS_PNG
                : is_animated_webp(file) ? MOVES_AS_WEBP
                                         : MOVES_NOT;
    }
    free(head);
    if (from)
        fclose(from);
    return moves;
}
