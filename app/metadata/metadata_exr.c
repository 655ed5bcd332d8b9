/* Metadata of EXR: attributes of the first part's header. */
#include "metadata/exr_attribute.h"
#include "metadata/metadata.h"

#include <string.h>

enum { HEAD = 8, NAME = 255 };

/* Takes a text of 1 to 255 characters and the zero behind it. */
static const char *take_word(bytes *left)
{
    const uint8_t *const end = memchr(left->data, 0, left->size < NAME ? left->size : NAME + 1);
    const char *const word = (const char *)left->data;
    if (!end || end == left->data)
        return NULL;
    left->size -= (size_t)(end + 1 - left->data);
    left->data = end + 1;
    return word;
}

bool exr_attribute_next(bytes *left, exr_attribute *a)
{
    a->name = left->size > 0 ? take_word(left) : NULL;
    a->type = a->name && left->size > 0 ? take_word(left) : NULL;
    if (!a->type || left->size < 4)
        return false;
    const uint8_t *const b = left->data;
    const size_t size = (size_t)b[3] << 24 | (size_t)b[2] << 16 | (size_t)b[1] << 8 | (size_t)b[0];
    if (size > left->size - 4)
        return false;
    a->value = (bytes){.data = b + 4, .size = size};
    *left = (bytes){.data = b + 4 + size, .size = left->size - 4 - size};
    const size_t length = size < sizeof a->text ? size : sizeof a->text - 1;
    memcpy(a->text, a->value.data, length);
    a->text[length] = '\0';
    return true;
}

/* Returns whether the attribute is one of the picture, of a kind that is carried. A part's own names are not. */
static bool is_carried(const exr_attribute *a)
{
    static const struct {
        const char *type;
        size_t size;
    } kinds[] = {{"float", 4}, {"chromaticities", 32}, {"rational", 8}, {"timecode", 8}};
    static const char *const own[] = {"name", "type", "view", "screenWindowWidth"};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (strcmp(a->name, own[i]) == 0)
            return false;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(a->type, kinds[i].type) == 0)
            return a->value.size == kinds[i].size;
    return strcmp(a->type, "string") == 0 && a->value.size < sizeof a->text &&
           (a->value.size == 0 || !memchr(a->value.data, 0, a->value.size));
}

void metadata_read_exr(metadata *m, bytes file)
{
    exr_attribute a;
    if (file.size < HEAD)
        return;
    bytes left = {.data = file.data + HEAD, .size = file.size - HEAD};
    for (const uint8_t *from = left.data; exr_attribute_next(&left, &a); from = left.data) {
        static const uint8_t square[4] = {0, 0, 0x80, 0x3f};
        const bool says_nothing = strcmp(a.name, "pixelAspectRatio") == 0 && a.value.size == 4 &&
                                  memcmp(a.value.data, square, 4) == 0;
        const size_t size = (size_t)(left.data - from);
        if (!is_carried(&a) || says_nothing || size > METADATA_MOST - m->own.size)
            continue;
        if (!blob_add(&m->own, from, size))
            m->out_of_memory = true;
        words_add(&m->own_words, a.name);
    }
}
