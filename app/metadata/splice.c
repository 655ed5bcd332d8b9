#include "metadata/splice.h"

#include <string.h>

enum { PNG_HEAD = 8 + 25, JPEG_HEAD = 2 + 18 }; /* signature and IHDR; SOI and APP0 */

/* The block follows the head of a PNG, and replaces that of a JPEG. */
static bool put_head(splice *s)
{
    static const uint8_t app0[] = {0xff, 0xd8, 0xff, 0xe0, 0, 16};
    if (s->format == METADATA_PNG)
        sink_put(s->to, s->head, PNG_HEAD);
    sink_put(s->to, s->block.data, s->block.size);
    if (s->format == METADATA_JPEG && memcmp(s->head, app0, sizeof app0) != 0)
        sink_put(s->to, s->head + 2, JPEG_HEAD - 2);
    return !s->to->failed;
}

static bool write_spliced(void *user, const void *data, size_t size)
{
    splice *s = user;
    const uint8_t *from = data;
    if (s->have < s->want) {
        const size_t missing = s->want - s->have, count = size < missing ? size : missing;
        memcpy(s->head + s->have, from, count);
        s->have += count;
        from += count;
        size -= count;
        if (s->have == s->want && !put_head(s))
            return false;
    }
    return size == 0 || sink_put(s->to, from, size);
}

bool splice_begin(splice *s, const metadata *m, metadata_format format, sink *to)
{
    *s = (splice){.to = to, .format = format};
    s->in = (sink){.write = write_spliced, .user = s};
    s->want = format == METADATA_PNG ? PNG_HEAD : JPEG_HEAD;
    return metadata_write(m, format, &s->block);
}

void splice_end(splice *s)
{
    blob_free(&s->block);
}
