/* Metadata in PNG (third edition): a table has a rule for each chunk. Other chunks are left out. */
#include "metadata/metadata_fields.h"

#include "format/png_chunk.h"
#include "metadata/png_text.h"

#include <stdlib.h>
#include <string.h>

enum { NO_LETTER = '?' };

typedef struct chunk {
    char type[5];      /* NO_LETTER for bytes that are no letters */
    bytes data, whole; /* whole: with length, type and checksum */
    int depth;         /* of the picture, bits of a sample or of an index */
} chunk;

/* --- Reading ---------------------------------------------------------------------------------- */

static void lose_damaged(metadata *m, const chunk *c)
{
    metadata_lose(m, c->type, "damaged");
}

static void keep_chunk(metadata *m, const chunk *c)
{
    if (c->whole.size > METADATA_MOST - m->own.size)
        metadata_lose(m, c->type, "too large");
    else if (!blob_add(&m->own, c->whole.data, c->whole.size))
        m->out_of_memory = true;
}

static void take_own(metadata *m, const chunk *c)
{
    keep_chunk(m, c);
    words_add(&m->own_words, c->type);
}

/* Takes a chunk that holds a few numbers. */
static void take_small(metadata *m, const chunk *c)
{
    enum { MOST = 64 };
    if (c->data.size > MOST)
        lose_damaged(m, c);
    else
        take_own(m, c);
}

static void take_curve(metadata *m, const chunk *c)
{
    if (c->type[0] == 'g' && (m->gamma = big_endian_32(c->data.data)) == 0) {
        lose_damaged(m, c);
        return;
    }
    keep_chunk(m, c);
    words_add(&m->curve, c->type);
}

static void take_standard(metadata *m, const chunk *c)
{
    keep_chunk(m, c);
    m->standard = true;
}

/* iCCP: a name, the method (0), a zlib stream. */
static void take_profile(metadata *m, const chunk *c)
{
    bytes rest = c->data;
    const int length = png_take_word(&rest, 79);
    const bool good = length >= 1 && rest.size >= 1 && rest.data[0] == 0;
    size_t size;
    uint8_t *profile =
        good ? png_unpack(m, (bytes){.data = rest.data + 1, .size = rest.size - 1}, &size) : NULL;
    if (profile)
        metadata_take_icc(m, (bytes){.data = profile, .size = size}, (const char *)c->data.data);
    else
        metadata_lose(m, "colour profile", "damaged or too large");
    free(profile);
}

static void take_exif(metadata *m, const chunk *c)
{
    png_take_exif(m, c->data);
}

static void take_density(metadata *m, const chunk *c)
{
    const uint8_t *d = c->data.data;
    m->density = (density){.x = big_endian_32(d),
                           .y = big_endian_32(d + 4),
                           .unit = d[8] == 1 ? DENSITY_METRE : DENSITY_RATIO};
    if (m->density.x == 0 || m->density.y == 0 || m->density.x > INT32_MAX ||
        m->density.y > INT32_MAX || d[8] > 1) {
        const bool says_nothing = m->density.x == 0 && d[8] == 0; /* ffmpeg: 0:1 */
        m->density = (density){0};
        if (!says_nothing)
            lose_damaged(m, c);
    }
}

static void take_text(metadata *m, const chunk *c)
{
    if (!png_take_text(m, c->type[0], c->data))
        return;
    keep_chunk(m, c);
    words_add(&m->own_words, "text");
}

static void take_frame(metadata *m, const chunk *c)
{
    (void)c;
    words_add(&m->lost, "further frames of the animation");
}

/* bKGD: samples of 16 bits on the scale of the pixels are carried; an index, and samples on a scale of few bits, have lost
 * their meaning. */
static void take_background(metadata *m, const chunk *c)
{
    const bool kept = c->data.size >= 2 && c->depth >= 8;
    if (kept)
        keep_chunk(m, c);
    words_add(kept ? &m->own_words : &m->lost, "background colour");
}

/* Drops a chunk that describes only the pixels as they were stored. */
static void drop_chunk(metadata *m, const chunk *c)
{
    (void)m;
    (void)c;
}

typedef struct rule {
    const char *type;
    void (*take)(metadata *m, const chunk *c);
    size_t size; /* bytes of data that it must have; 0: any */
    bool early;  /* stands once, and before the pixels */
} rule;

enum { RULES = 27 };
static const rule rules[RULES];

/* Chunks without a rule are no numbers or texts that are known, and may be a picture of the old pixels. The letters of the
 * type say whether a picture can do without the chunk. */
static void take_other(metadata *m, const chunk *c)
{
    enum { SMALL = 0x20 };
    if (c->type[0] & SMALL)
        words_add(&m->lost, c->type);
}

/* Applies the rule of a chunk. seen: a bit for each rule that was met. */
static void take_chunk(metadata *m, const chunk *c, bool late, uint32_t *seen)
{
    int i = 0;
    while (i < RULES && strcmp(rules[i].type, c->type) != 0)
        i++;
    const rule *r = &rules[i];
    if (i == RULES)
        take_other(m, c);
    else if (r->size && c->data.size != r->size)
        lose_damaged(m, c);
    else if (r->early && late)
        metadata_lose(m, c->type, "behind the pixels");
    else if (r->early && *seen & 1u << i)
        metadata_lose(m, c->type, "a second one");
    else
        r->take(m, c);
    *seen |= i < RULES ? 1u << i : 0;
}

static void copy_type(char type[5], const uint8_t *from)
{
    for (int i = 0; i < 4; i++) {
        const uint8_t letter = from[i] & 0xdf;
        type[i] = letter >= 'A' && letter <= 'Z' ? (char)from[i] : NO_LETTER;
    }
    type[4] = '\0';
}

void metadata_read_png(metadata *m, bytes file)
{
    enum { DEPTH = PNG_SIGNATURE + PNG_BEFORE + 8 };
    const int depth = file.size > DEPTH ? file.data[DEPTH] : 0;
    bool late = false;
    uint32_t seen = 0;
    size_t at = PNG_SIGNATURE;
    png_chunk c;
    while (png_next_chunk(file, &at, &c) && !png_chunk_is(&c, "IEND")) {
        chunk found = {.data = c.data, .whole = c.whole, .depth = depth};
        copy_type(found.type, c.type);
        late = late || png_chunk_is(&c, "IDAT");
        take_chunk(m, &found, late, &seen);
    }
}

static const rule rules[RULES] = {
    {"gAMA", take_curve, 4, true},
    {"cHRM", take_curve, 32, true},
    {"sRGB", take_standard, 1, true},
    {"iCCP", take_profile, 0, true},
    {"cICP", take_own, 4, true},
    {"oFFs", take_small, 0, true},
    {"vpAg", take_small, 0, true}, /* ImageMagick's: the canvas, also in caNv */
    {"caNv", take_small, 0, true},
    {"gIFg", take_small, 0, true},
    {"mDCV", take_own, 24, true},
    {"cLLI", take_own, 8, true},
    {"pHYs", take_density, 9, true},
    {"eXIf", take_exif, 0, false},
    {"tEXt", take_text, 0, false},
    {"zTXt", take_text, 0, false},
    {"iTXt", take_text, 0, false},
    {"bKGD", take_background, 0, true},
    {"acTL", take_frame, 0, false},
    {"fcTL", take_frame, 0, false},
    {"fdAT", take_frame, 0, false},
    {"tIME", drop_chunk, 0, false},
    {"sBIT", drop_chunk, 0, false},
    {"hIST", drop_chunk, 0, false},
    {"tRNS", drop_chunk, 0, false},
    {"iDOT", drop_chunk, 0, false} /* Apple's: the offsets of rows */,
    {"sPLT", drop_chunk, 0, false},
    {"CgBI", drop_chunk, 0, false},
};

/* --- Writing ---------------------------------------------------------------------------------- */

/* Begins a chunk in out, and returns its offset for end_chunk(). */
static size_t begin_chunk(blob *out)
{
    static const uint8_t before[PNG_BEFORE];
    const size_t at = out->size;
    blob_add(out, before, PNG_BEFORE);
    return at;
}

static void end_chunk(blob *out, size_t at, const char *type)
{
    const size_t size = out->size - at - PNG_BEFORE;
    blob_add_number(out, 0, PNG_BEHIND);
    if (!out->failed)
        png_frame_chunk(out->data + at, type, size);
}

static void write_profile(const metadata *m, blob *out)
{
    const size_t at = begin_chunk(out);
    blob_add(out, m->icc_name, strlen(m->icc_name) + 1);
    blob_add_number(out, 0, 1);
    png_pack(&m->icc, out);
    end_chunk(out, at, "iCCP");
}

static void write_density(const density *d, blob *out)
{
    const size_t at = begin_chunk(out);
    blob_add_number(out, d->x, 4);
    blob_add_number(out, d->y, 4);
    blob_add_number(out, d->unit == DENSITY_METRE, 1);
    end_chunk(out, at, "pHYs");
}

void metadata_write_png(const metadata *m, blob *out)
{
    blob_add(out, m->own.data, m->own.size);
    if (m->icc.data)
        write_profile(m, out);
    if (m->density.unit != DENSITY_NONE)
        write_density(&m->density, out);
    if (m->exif.data) {
        const size_t at = begin_chunk(out);
        blob_add(out, m->exif.data, m->exif.size);
        end_chunk(out, at, "eXIf");
    }
    if (m->xmp.data) {
        const size_t at = begin_chunk(out);
        blob_add(out, PNG_XMP_KEYWORD "\0\0\0\0",
                 sizeof PNG_XMP_KEYWORD + 4); /* not packed, no language */
        blob_add(out, m->xmp.data, m->xmp.size);
        end_chunk(out, at, "iTXt");
    }
}
