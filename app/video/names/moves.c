#include "video/names/moves.h"

#include "codec/codec.h"
#include "codec/video_table.h"
#include "format/png_chunk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { HEAD = 1 << 16, WEBP_FLAGS = 20, WEBP_ANIMATION = 2 };

/* Returns how a PNG moves: chunk acTL, whose first number is that of the frames, stands before the pixels. These may be cut
 * off by the head's end. */
static picture_moves moves_of_png(bytes file, uint64_t *frames)
{
    size_t at = PNG_SIGNATURE;
    png_chunk c;
    if (file.size < PNG_SIGNATURE || memcmp(file.data, PNG_SIGNATURE_TEXT, PNG_SIGNATURE) != 0)
        return MOVES_NOT;
    while (file.size - at >= PNG_BEFORE && memcmp(file.data + at + 4, "IDAT", 4) != 0) {
        if (!png_next_chunk(file, &at, &c))
            return MOVES_NOT;
        if (!png_chunk_is(&c, "acTL"))
            continue;
        *frames = c.data.size >= 4 ? big_endian_32(c.data.data) : 0;
        return MOVES_AS_PNG;
    }
    return file.size - at >= PNG_BEFORE ? MOVES_NOT_PNG : MOVES_NOT;
}

static bool is_animated_webp(bytes file)
{
    return file.size > WEBP_FLAGS && memcmp(file.data, "RIFF", 4) == 0 &&
           memcmp(file.data + 8, "WEBPVP8X", 8) == 0 && (file.data[WEBP_FLAGS] & WEBP_ANIMATION);
}

picture_moves moves_as(const char *path, uint64_t *frames)
{
    uint64_t count = 0;
    struct stat about;
    const bool is_file =
        stat(path, &about) == 0 && S_ISREG(about.st_mode); /* no pipe, which is read once */
    FILE *const from = is_file ? fopen(path, "rb") : NULL;
    uint8_t *const head = from ? malloc(HEAD) : NULL;
    picture_moves moves = MOVES_NOT;
    if (head) {
        const bytes file = {head, fread(head, 1, HEAD, from)};
        moves = is_animated_webp(file) ? MOVES_AS_WEBP : moves_of_png(file, &count);
    }
    free(head);
    if (from)
        fclose(from);
    if (frames)
        *frames = count;
    return moves;
}

bool moves_by_name(const char *path)
{
    return video_container_of(path) &&
           (!codec_has_ending(path, "apng") || moves_as(path, NULL) != MOVES_NOT_PNG);
}
