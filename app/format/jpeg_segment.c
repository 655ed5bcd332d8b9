#include "format/jpeg_segment.h"

#include <string.h>

/* Within entropy-coded data, FF is followed by 0 or by a restart mark; before a marker, FF may fill. */
static bool is_marker(uint8_t code)
{
    return code != 0 && code != 0xff && (code < JPEG_RST0 || code > JPEG_RST7);
}

/* Moves *at behind the next marker; returns its code, or 0 at the end of the file. */
static int find_marker(bytes in, size_t *at)
{
    while (in.size - *at >= 2) {
        const uint8_t *const b = memchr(in.data + *at, 0xff, in.size - 1 - *at);
        *at = b ? (size_t)(b - in.data) : in.size - 1;
        if (b && is_marker(b[1])) {
            *at += 2;
            return b[1];
        }
        *at += b != NULL;
    }
    return 0;
}

bool jpeg_next_segment(bytes in, size_t *at, jpeg_segment *s)
{
    *s = (jpeg_segment){.marker = *at < in.size ? find_marker(in, at) : 0};
    if (s->marker == 0)
        return false;
    s->begin = *at - 2;
    if (s->marker == JPEG_EOI)
        return true;
    const size_t left = in.size - *at, length = left < 2 ? 0 : big_endian_16(in.data + *at);
    if (left < 2 || length > left)
        s->marker = 0;
    if (length < 2 || length > left)
        return false;
    s->data = (bytes){.data = in.data + *at + 2, .size = length - 2};
    *at += length;
    return true;
}

bool jpeg_skip_head(bytes *data, const char *head, size_t size)
{
    if (data->size < size || memcmp(data->data, head, size) != 0)
        return false;
    data->data += size;
    data->size -= size;
    return true;
}

/* Returns whether a marker stands here, behind a few fill bytes at most. */
static bool has_marker(bytes in, size_t at)
{
    enum { FILL_MOST = 16 };
    for (size_t i = at; i + 1 < in.size && i <= at + FILL_MOST && in.data[i] == 0xff; i++)
        if (is_marker(in.data[i + 1]))
            return true;
    return false;
}

/* Returns where the JPEG ends that the bytes begin with, whatever the first of them is; 0: they do not. Where more segments
 * stand before the scan than any file has, the rest counts: this keeps the work of jpeg_find() linear. */
static size_t find_end(bytes in)
{
    enum { SEGMENTS_MOST = 64 };
    jpeg_segment s;
    size_t at = JPEG_FIRST;
    bool has_scan = false;
    for (int i = 0; (has_scan || has_marker(in, at)) && jpeg_next_segment(in, &at, &s); i++) {
        if (!has_scan && i == SEGMENTS_MOST)
            return in.size;
        if (s.marker == JPEG_EOI)
            return has_scan ? at : 0;
        has_scan = has_scan || s.marker == JPEG_SOS;
    }
    return has_scan ? in.size : 0;
}

/* The first byte is not looked at: some cameras change it in their notes. */
bool jpeg_find(bytes in, size_t *at, size_t *begin)
{
    for (size_t i = *at; i + 3 < in.size; i++) {
        const bytes rest = {.data = in.data + i, .size = in.size - i};
        const size_t end = memcmp(rest.data + 1, "\xd8\xff", 2) == 0 ? find_end(rest) : 0;
        if (end > 0) {
            *begin = i;
            *at = i + end;
            return true;
        }
    }
    return false;
}

bool jpeg_next_huffman(bytes *data, uint8_t *head, const uint8_t **table, size_t *symbols)
{
    enum { COUNTS = 16, HEAD = 1 + COUNTS };
    *symbols = 0;
    if (data->size < HEAD)
        return false;
    for (size_t i = 1; i <= COUNTS; i++)
        *symbols += data->data[i];
    if (*symbols > 256 || *symbols > data->size - HEAD)
        return false;
    *head = data->data[0];
    *table = data->data + 1;
    data->data += HEAD + *symbols;
    data->size -= HEAD + *symbols;
    return true;
}

int jpeg_adobe_transform(const jpeg_segment *s)
{
    enum { TRANSFORM = 11 };
    return s->marker == JPEG_APP14 && s->data.size > TRANSFORM &&
                   memcmp(s->data.data, "Adobe", 5) == 0
               ? s->data.data[TRANSFORM]
               : -1;
}
