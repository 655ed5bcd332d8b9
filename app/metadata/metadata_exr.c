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
    const size_t size = little_endian_32(b);
    if (size > left->size - 4)
        return false;
    a->value = (bytes){.data = b + 4, .size = size};
    *left = (bytes){.data = b + 4 + size, .size = left->size - 4 - size};
    const size_t length = size < sizeof a->text ? size : sizeof a->text - 1;
    memcpy(a->text, a->value.data, length);
    a->text[length] = '\0';
    return true;
}

/* Returns whether the name is one of those that say how a part is stored. */
static bool is_structure(const char *name)
{
    static const char *const names[] = {
        "channels",          "chunkCount", "compression", "dataWindow", "displayWindow",
        "lineOrder",         "name",       "tiles",       "type",       "screenWindowCenter",
        "screenWindowWidth", "version",    "view"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

/* Returns whether the number is a shape of pixels that all programs allow, and not that of a square. */
static bool is_aspect(const exr_attribute *a)
{
    float aspect;
    if (strcmp(a->type, "float") != 0 || a->value.size != sizeof aspect)
        return false;
    memcpy(&aspect, a->value.data, sizeof aspect);
    return aspect > 0.001F && aspect < 1000 && aspect != 1;
}

/* Returns whether the attribute is of a kind that is carried. */
static bool is_carried(const exr_attribute *a)
{
    static const struct {
        const char *type;
        size_t size;
    } kinds[] = {{"float", 4}, {"chromaticities", 32}, {"rational", 8}, {"timecode", 8}};
    if (is_structure(a->name))
        return false;
    if (strcmp(a->name, "pixelAspectRatio") == 0)
        return is_aspect(a);
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
        const size_t size = (size_t)(left.data - from);
        if (!is_carried(&a) || size > METADATA_MOST - m->own.size)
            continue;
        if (strcmp(a.type, "string") == 0 && !metadata_admit_text(m, a.name, a.value))
            continue;
        if (!blob_add(&m->own, from, size))
            m->out_of_memory = true;
        words_add(&m->own_words, a.name);
    }
}

/* Adds an attribute whose value is floats. */
static void add_floats(metadata *m, const char *name, const char *type, const float *values,
                       uint32_t count)
{
    blob_add(&m->own, name, strlen(name) + 1);
    blob_add(&m->own, type, strlen(type) + 1);
    blob_add_little_endian_32(&m->own, count * sizeof *values);
    for (uint32_t i = 0, bits; i < count; i++) {
        memcpy(&bits, &values[i], sizeof bits);
        blob_add_little_endian_32(&m->own, bits);
    }
    words_add(&m->own_words, name);
}

bool metadata_add_light(metadata *m, const float chromaticities[8], float white)
{
    m->from = METADATA_EXR;
    add_floats(m, "chromaticities", "chromaticities", chromaticities, 8);
    if (white > 0)
        add_floats(m, "whiteLuminance", "float", &white, 1);
    return !m->own.failed;
}
