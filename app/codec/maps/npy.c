/* NPY, versions 1 to 3: a magic, the length of a header in Python's words, the header, the samples. Arrays of unsigned bytes
 * and of unsigned 16-bit words are codes, as in a picture; all others are numbers. */
#include "codec/maps/npy.h"

#include "image/half.h"
#include "image/pixels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PREAMBLE = 10, MOST_HEADER = 1 << 16, MOST_SIDES = 8 };

/* --- The header ------------------------------------------------------------------------------- */

static const char *refusal(problem *p)
{
    problem_set(p, "the NPY header is damaged; save the array again");
    return NULL;
}

/* Copies the header's words, with a NUL, and finds the samples. NULL: it is none. */
static char *copy_words(bytes in, size_t *samples)
{
    if (in.size < PREAMBLE + 2 || memcmp(in.data, NPY_MAGIC, 6) != 0 || in.data[6] < 1 ||
        in.data[6] > 3)
        return NULL;
    const bool is_long = in.data[6] > 1;
    size_t size = in.data[8] | (size_t)in.data[9] << 8, at = PREAMBLE;
    if (is_long) {
        size |= (size_t)in.data[10] << 16 | (size_t)in.data[11] << 24;
        at += 2;
    }
    if (size > MOST_HEADER || size > in.size - at)
        return NULL;
    char *const words = malloc(size + 1);
    if (!words)
        return NULL;
    memcpy(words, in.data + at, size);
    words[size] = '\0';
    *samples = at + size;
    return words;
}

/* Returns what follows 'key': in the words, without blanks; NULL: there is no such key. */
static const char *value_of(const char *words, const char *key)
{
    for (const char *at = strstr(words, key); at; at = strstr(at + 1, key)) {
        const char *end = at + strlen(key);
        if (at == words || (at[-1] != '\'' && at[-1] != '"') || *end != at[-1])
            continue;
        end++;
        end += strspn(end, " ");
        if (*end == ':')
            return end + 1 + strspn(end + 1, " ");
    }
    return NULL;
}

/* Reads '<f4' and its like. */
static bool read_type(const char *text, npy_header *h, problem *p)
{
    static const char known[] = "f2 f4 f8 i1 i2 i4 i8 u1 u2 u4 u8 b1 ";
    char name[4] = "";
    if (!text || (*text != '\'' && *text != '"'))
        return refusal(p) != NULL;
    const char *const end = strchr(text + 1, *text);
    if (!end)
        return refusal(p) != NULL;
    if (end - text == 4 && strchr("<>|=", text[1]))
        snprintf(name, sizeof name, "%.2s ", text + 2);
    if (!name[0] || !strstr(known, name))
        return problem_set(p, "an array of type %.*s is not a depth map; save it as float32",
                           (int)(end - text < 24 ? end - text + 1 : 24), text);
    h->kind = name[0];
    h->size = name[1] - '0';
    h->is_big = text[1] == '>';
    return true;
}

/* Drops sides of 1, the first ones first, until two sides are left or none is 1. Returns how many are left. */
static int drop_ones(long long *sides, int count)
{
    for (int i = 0; i < count && count > 2;) {
        if (sides[i] != 1) {
            i++;
            continue;
        }
        memmove(sides + i, sides + i + 1, (size_t)(count - i - 1) * sizeof *sides);
        count--;
    }
    return count;
}

/* Reads (H, W) or (MAPS, H, W), with further sides of 1. */
static bool read_shape(const char *text, npy_header *h, problem *p)
{
    long long sides[MOST_SIDES];
    int count = 0;
    char *end = NULL;
    if (!text || *text != '(')
        return refusal(p) != NULL;
    for (text += 1 + strspn(text + 1, " "); *text != ')'; text = end + strspn(end, " ,L")) {
        const long long side = strtoll(text, &end, 10);
        if (end == text || side < 0 || count == MOST_SIDES)
            return refusal(p) != NULL;
        sides[count++] = side;
    }
    count = drop_ones(sides, count);
    if (count > 3)
        return problem_set(p,
                           "the array has %d dimensions with more than one element, but a depth "
                           "map has two, and a clip of maps three; save only those",
                           count);
    const long long height = count >= 2 ? sides[count - 2] : 1;
    const long long width = count > 0 ? sides[count - 1] : 1, maps = count == 3 ? sides[0] : 1;
    if (maps > 1 && height > 1 && (width == 3 || width == 4))
        return problem_set(p,
                           "the array is a picture of %lld x %lld pixels in %lld channels, and a "
                           "depth map has one; save one of them, or a picture as PNG",
                           height, maps, width);
    if (maps < 1 || maps > NPY_MAPS_MOST)
        return problem_set(p, "an array of %lld depth maps is not a clip; save 1 to %d maps", maps,
                           NPY_MAPS_MOST);
    h->maps = (uint64_t)maps;
    if (height < 1 || width < 1 || height > PICTURE_SIDE || width > PICTURE_SIDE)
        return problem_set(p, "%lld x %lld samples are not a depth map; save 1 to %d a side", width,
                           height, PICTURE_SIDE);
    h->width = (int)width;
    h->height = (int)height;
    return true;
}

static bool read_words(const char *words, npy_header *h, problem *p)
{
    const char *const order = value_of(words, "fortran_order");
    if (!order || (strncmp(order, "True", 4) != 0 && strncmp(order, "False", 5) != 0))
        return refusal(p) != NULL;
    h->is_column = *order == 'T';
    return read_type(value_of(words, "descr"), h, p) && read_shape(value_of(words, "shape"), h, p);
}

bool npy_parse_header(bytes in, npy_header *h, problem *p)
{
    *h = (npy_header){.at = 0};
    char *const words = copy_words(in, &h->at);
    if (!words)
        return refusal(p) != NULL;
    const bool done = read_words(words, h, p);
    free(words);
    return done;
}

uint64_t npy_map_bytes(const npy_header *h)
{
    return (uint64_t)h->width * (uint64_t)h->height * (uint64_t)h->size;
}

static bool refuse_maps(const npy_header *h, problem *p)
{
    return problem_set(p,
                       "the array has 3 dimensions, %llu x %d x %d, for the maps of a clip, but a "
                       "picture takes one map; save one, like maps[0]",
                       (unsigned long long)h->maps, h->height, h->width);
}

bool npy_parse(bytes in, npy_header *h, problem *p)
{
    if (!npy_parse_header(in, h, p))
        return false;
    if (h->maps > 1)
        return refuse_maps(h, p);
    const uint64_t needed = npy_map_bytes(h);
    return needed <= in.size - h->at ||
           problem_set(p, "the file is cut off: %d x %d samples need %llu bytes and %zu are there",
                       h->width, h->height, (unsigned long long)needed, in.size - h->at);
}

void npy_header_alone(const npy_header *h, uint8_t to[NPY_ALONE])
{
    enum { WORDS = NPY_ALONE - PREAMBLE };
    char words[WORDS + 1];
    const int used = snprintf(words, sizeof words,
                              "{'descr': '%c%c%d', 'fortran_order': False, 'shape': (%d, %d), }",
                              h->is_big ? '>' : '<', h->kind, h->size, h->height, h->width);
    memset(to, ' ', NPY_ALONE);
    memcpy(to, NPY_MAGIC "\1\0", 8);
    to[8] = WORDS;
    to[9] = 0;
    memcpy(to + PREAMBLE, words, (size_t)used);
    to[NPY_ALONE - 1] = '\n';
}

/* --- Samples ---------------------------------------------------------------------------------- */

/* Returns the sample's bits, in an integer. */
static uint64_t bits_of(const npy_header *h, const uint8_t *at)
{
    uint64_t bits = 0;
    for (int i = 0; i < h->size; i++)
        bits |= (uint64_t)at[i] << 8 * (h->is_big ? h->size - 1 - i : i);
    return bits;
}

static float number_of(const npy_header *h, const uint8_t *at)
{
    const uint64_t bits = bits_of(h, at);
    const uint32_t narrow = (uint32_t)bits;
    float single;
    double wide;
    if (h->kind == 'i') {
        const int unused = 64 - 8 * h->size;
        return (float)((int64_t)(bits << unused) >> unused);
    }
    if (h->kind != 'f')
        return (float)bits;
    memcpy(&single, &narrow, sizeof single);
    memcpy(&wide, &bits, sizeof wide);
    return h->size == 2 ? half_to_float((uint16_t)bits) : h->size == 4 ? single : (float)wide;
}

/* Returns the place of the sample at x, y. */
static const uint8_t *sample_at(const npy_header *h, bytes in, int x, int y)
{
    const size_t i = h->is_column ? (size_t)x * (size_t)h->height + (size_t)y
                                  : (size_t)y * (size_t)h->width + (size_t)x;
    return in.data + h->at + i * (size_t)h->size;
}

static bool allows(const npy_header *h, const decode_settings *settings, problem *p)
{
    const satb_image shape = {.width = h->width, .height = h->height};
    return picture_allows(&shape, settings->max_pixels, p);
}

values_status npy_numbers(bytes in, const decode_settings *settings, values *v, problem *p)
{
    npy_header h;
    if (!npy_parse(in, &h, p) || !allows(&h, settings, p))
        return VALUES_FAILED;
    if (!values_allocate(v, h.width, h.height, p))
        return VALUES_FAILED;
    for (int y = 0; y < h.height; y++)
        for (int x = 0; x < h.width; x++)
            v->data[(size_t)y * (size_t)h.width + (size_t)x] =
                number_of(&h, sample_at(&h, in, x, y));
    return VALUES_READ;
}

/* --- A file ----------------------------------------------------------------------------------- */

static bool has_codes(const npy_header *h)
{
    return h->kind == 'u' && h->size <= 2;
}

values_status npy_values(bytes in, const decode_settings *settings, values *v, problem *p)
{
    npy_header h;
    if (!npy_parse(in, &h, p))
        return VALUES_FAILED;
    return has_codes(&h) ? VALUES_NONE : npy_numbers(in, settings, v, p);
}

/* The header may be longer than the first bytes. */
bool npy_claim(bytes first, satb_image *shape, problem *p)
{
    npy_header h;
    *shape = (satb_image){.width = 0};
    if (npy_parse_header(first, &h, &(problem){.text = ""}))
        *shape = (satb_image){.width = h.width, .height = h.height};
    return h.maps < 2 || refuse_maps(&h, p);
}

bool npy_probe(bytes in, satb_image *shape, problem *p)
{
    npy_header h;
    if (!npy_parse(in, &h, p))
        return false;
    *shape = (satb_image){
        .width = h.width, .height = h.height, .channels = 1, .bits = h.size == 1 ? 8 : 16};
    return true;
}

const char *npy_decode(bytes in, satb_image *image, const decode_settings *settings, problem *p)
{
    npy_header h;
    (void)settings;
    if (!npy_parse(in, &h, p) || !pixels_make(image, p))
        return NULL;
    for (int y = 0; y < h.height; y++)
        for (int x = 0; x < h.width; x++) {
            const size_t i = (size_t)y * (size_t)h.width + (size_t)x;
            const uint64_t code = bits_of(&h, sample_at(&h, in, x, y));
            if (image->bits == 8)
                ((uint8_t *)image->data)[i] = (uint8_t)code;
            else
                ((uint16_t *)image->data)[i] = (uint16_t)code;
        }
    return "satblur";
}
