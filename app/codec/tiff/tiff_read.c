/* TIFF pictures by libtiff: the samples of strips or tiles become codes of 8 or 16 bits. */
#include "codec/tiff/tiff_layout.h"
#include "image/half.h"
#include "image/pixels.h"
#include "image/shape.h"

#include <stdio.h>
#include <string.h>

static bool check_picture(const tiff_layout *l, problem *p)
{
    if (tiff_has_codes(l) || tiff_has_light(l))
        return true;
    if (l->format == SAMPLEFORMAT_IEEEFP)
        return problem_set(p,
                           "a TIFF with float samples of this kind (%u bits, colours of kind "
                           "%u) is not read here; save it as RGB of 32 bits",
                           l->bits, l->photometric);
    return problem_set(p,
                       "a TIFF with %s samples of %u bits is read only as a depth map; save it "
                       "with 16 bits a sample",
                       l->format == SAMPLEFORMAT_UINT ? "unsigned" : "signed or complex", l->bits);
}

bool tiff_is(bytes in, const char *path)
{
    (void)path;
    return tiff_begins(in);
}

bool tiff_probe(bytes in, satb_image *shape, problem *p)
{
    tiff_file f;
    tiff_layout l;
    if (!tiff_open_layout(&f, &l, in, 0, p))
        return false;
    tiff_close(&f);
    *shape = (satb_image){.width = (int)l.width,
                          .height = (int)l.height,
                          .channels = l.channels,
                          .bits = l.deep,
                          .half = tiff_has_light(&l)};
    return check_picture(&l, p);
}

/* Refuses a directory that cannot be there. Where it ends is not looked at, as further pages may follow. */
bool tiff_claim(bytes first, satb_image *shape, problem *p)
{
    enum { BIG = '+', HEADER = 8, BIG_HEADER = 16 };
    const uint8_t *const b = first.data;
    const bool is_little = b[0] == 'I', is_big = b[2] == BIG || b[3] == BIG;
    const int from = is_big ? 8 : 4, count = is_big ? 8 : 4;
    uint64_t at = 0;
    *shape = (satb_image){.width = 0};
    for (int i = 0; i < count && first.size >= BIG_HEADER; i++)
        at = at << 8 | b[from + (is_little ? count - 1 - i : i)];
    return at >= (is_big ? BIG_HEADER : HEADER) ||
           problem_set(p, "the TIFF is damaged (it has no directory); get a whole copy");
}

void tiff_weigh(bytes in, picture_claim *claim)
{
    enum { RASTER = 4 }; /* bytes of a pixel that libtiff itself converts */
    problem ignored;
    tiff_file f;
    tiff_layout l;
    if (!tiff_open_layout(&f, &l, in, 0, &ignored))
        return;
    tiff_close(&f);
    const uint64_t pixels = (uint64_t)l.width * l.height;
    *claim = tiff_claim_of(&l, claim->memory + (l.by_library ? RASTER * pixels : 0));
}

unsigned tiff_white(bytes in)
{
    problem ignored;
    tiff_file f;
    tiff_layout l;
    if (!tiff_open_layout(&f, &l, in, 0, &ignored))
        return UINT8_MAX;
    tiff_close(&f);
    return l.is_palette || l.by_library ? UINT8_MAX : l.bits > 16 ? UINT16_MAX : (1u << l.bits) - 1;
}

/* --- Samples ---------------------------------------------------------------------------------- */

/* Returns the sample of a row whose samples of any bits, 1 to 16, follow each other from the high bit on. */
static unsigned packed_sample(const uint8_t *row, size_t at, unsigned bits)
{
    unsigned value = 0;
    for (size_t bit = at * bits, end = bit + bits; bit < end;) {
        const unsigned used = bit % 8, left = 8 - used;
        const unsigned count = end - bit < left ? (unsigned)(end - bit) : left;
        value = value << count | (row[bit / 8] >> (left - count) & ((1u << count) - 1));
        bit += count;
    }
    return value;
}

typedef struct samples { /* of a row; steps count samples */
    const uint8_t *from;
    size_t first, step, count;
    uint8_t *to;
    size_t to_step;
} samples;

static void copy_narrow(const samples *s)
{
    for (size_t i = 0; i < s->count; i++)
        s->to[i * s->to_step] = s->from[s->first + i * s->step];
}

static void copy_wide(const samples *s)
{
    const uint16_t *const from = (const void *)s->from;
    uint16_t *const to = (void *)s->to;
    for (size_t i = 0; i < s->count; i++)
        to[i * s->to_step] = from[s->first + i * s->step];
}

/* Scales the largest code to that of 8 or 16 bits, rounded. */
static void copy_packed(const samples *s, unsigned bits)
{
    const unsigned most = (1u << bits) - 1, full = bits > 8 ? UINT16_MAX : UINT8_MAX;
    uint16_t *const wide = (void *)s->to;
    for (size_t i = 0; i < s->count; i++) {
        const unsigned code = packed_sample(s->from, s->first + i * s->step, bits);
        const unsigned value = (code * full + most / 2) / most;
        if (bits > 8)
            wide[i * s->to_step] = (uint16_t)value;
        else
            s->to[i * s->to_step] = (uint8_t)value;
    }
}

static void copy_palette(const samples *s, const tiff_layout *l)
{
    for (size_t i = 0; i < s->count; i++) {
        const unsigned code = packed_sample(s->from, s->first + i * s->step, l->bits);
        for (int c = 0; c < 3; c++)
            s->to[i * s->to_step + (size_t)c] = (uint8_t)(l->map[c][code] >> l->shift);
    }
}

static void copy_light(const samples *s, const tiff_layout *l)
{
    const size_t size = l->bits / 8;
    uint16_t *const to = (void *)s->to;
    for (size_t i = 0; i < s->count; i++)
        to[i * s->to_step] =
            half_of(tiff_number(s->from + (s->first + i * s->step) * size, l->format, l->bits));
}

/* --- Colours ---------------------------------------------------------------------------------- */

static unsigned divided(unsigned value, unsigned alpha, unsigned full)
{
    const unsigned out = alpha == 0 ? 0 : (unsigned)(((uint64_t)value * full + alpha / 2) / alpha);
    return out < full ? out : full;
}

/* Divides the colours by the alpha that they were multiplied by. */
static void divide_narrow(uint8_t *row, size_t pixels, int channels)
{
    for (size_t i = 0; i < pixels; i++, row += channels)
        for (int c = 0; c < channels - 1; c++)
            row[c] = (uint8_t)divided(row[c], row[channels - 1], UINT8_MAX);
}

static void divide_wide(uint16_t *row, size_t pixels, int channels)
{
    for (size_t i = 0; i < pixels; i++, row += channels)
        for (int c = 0; c < channels - 1; c++)
            row[c] = (uint16_t)divided(row[c], row[channels - 1], UINT16_MAX);
}

/* Inverts gray, of which 0 is white. */
static void invert(uint8_t *row, size_t pixels, int channels, int bits)
{
    uint16_t *const wide = (void *)row;
    for (size_t i = 0; i < pixels * (size_t)channels; i += (size_t)channels)
        if (bits == 16)
            wide[i] = (uint16_t)(UINT16_MAX - wide[i]);
        else
            row[i] = (uint8_t)(UINT8_MAX - row[i]);
}

static void finish_rows(const tiff_layout *l, const satb_image *image, uint8_t *rows, size_t count)
{
    const size_t pixels = count * l->width;
    if (image->half && l->alpha == TIFF_STRAIGHT)
        half_multiply_alpha((void *)rows, pixels, image->channels);
    else if (image->half)
        return;
    else if (l->alpha == TIFF_ASSOCIATED && image->bits == 8)
        divide_narrow(rows, pixels, image->channels);
    else if (l->alpha == TIFF_ASSOCIATED)
        divide_wide((void *)rows, pixels, image->channels);
    if (l->is_inverted)
        invert(rows, pixels, image->channels, image->bits);
    if (l->is_lab)
        tiff_lab_to_rgb(l, rows, pixels, image->channels);
}

/* --- Blocks ----------------------------------------------------------------------------------- */

typedef struct reading {
    const tiff_layout *l;
    const satb_image *image;
    size_t stride;
    bool is_direct; /* a strip has the picture's own bytes */
} reading;

static bool can_be_direct(const tiff_layout *l)
{
    return !l->is_tiled && !l->is_planar && !l->is_palette && (l->bits == 8 || l->bits == 16) &&
           l->channels == l->samples;
}

/* Returns the picture's channel that a file's sample becomes; -1: none. */
static int channel_of(const tiff_layout *l, int sample)
{
    if (sample < l->colours)
        return sample;
    return sample == l->colours && l->alpha != TIFF_OPAQUE ? l->channels - 1 : -1;
}

static void take_sample(const reading *r, const samples *s, int channel)
{
    if (r->l->is_palette && channel == 0)
        copy_palette(s, r->l);
    else if (r->image->half && r->l->bits != 16)
        copy_light(s, r->l);
    else if (r->l->bits == 8)
        copy_narrow(s);
    else if (r->l->bits == 16)
        copy_wide(s);
    else
        copy_packed(s, r->l->bits);
}

/* Takes a block's rows, cut off at the picture's right and lower side. */
static void take_block(const reading *r, const uint8_t *block, int plane, uint32_t x, uint32_t y)
{
    const tiff_layout *const l = r->l;
    const uint32_t left = x * l->block_width, top = y * l->block_height;
    const uint32_t columns = l->width - left < l->block_width ? l->width - left : l->block_width;
    const uint32_t rows = l->height - top < l->block_height ? l->height - top : l->block_height;
    const int each = l->is_planar ? 1 : l->samples, wide = r->image->bits / 8;
    for (uint32_t row = 0; row < rows; row++)
        for (int i = 0; i < each; i++) {
            const int channel = channel_of(l, l->is_planar ? plane : i);
            uint8_t *const to = (uint8_t *)r->image->data + (top + row) * r->stride;
            const size_t at = ((size_t)left * (size_t)l->channels + (size_t)channel) * (size_t)wide;
            const samples s = {
                block + row * l->row_bytes,  (size_t)i,          (size_t)each, columns,
                to + (channel < 0 ? 0 : at), (size_t)l->channels};
            if (channel >= 0)
                take_sample(r, &s, channel);
        }
}

/* Reads all blocks of a block row, of every plane that the picture takes. */
static bool read_block_row(const reading *r, const tiff_file *f, uint8_t *block, uint32_t y)
{
    const tiff_layout *const l = r->l;
    const uint32_t top = y * l->block_height;
    const uint32_t rows = l->height - top < l->block_height ? l->height - top : l->block_height;
    uint8_t *const to = (uint8_t *)r->image->data + top * r->stride;
    if (r->is_direct && !tiff_read_block(f, l, 0, 0, y, to))
        return false;
    for (int plane = 0; plane < (l->is_planar ? l->samples : 1) && !r->is_direct; plane++) {
        if (channel_of(l, plane) < 0)
            continue;
        for (uint32_t x = 0; x < l->across; x++) {
            if (!tiff_read_block(f, l, plane, x, y, block))
                return false;
            take_block(r, block, plane, x, y);
        }
    }
    finish_rows(l, r->image, to, rows);
    return true;
}

static bool read_blocks(tiff_file *f, const tiff_layout *l, satb_image *image, problem *p)
{
    const reading r = {l, image, picture_bytes(image) / (size_t)image->height, can_be_direct(l)};
    uint8_t *const block = r.is_direct ? NULL : pixels_allocate(tiff_block_bytes(l, 0));
    bool good = r.is_direct || block;
    if (!good)
        snprintf(f->error, sizeof f->error, "out of memory");
    for (uint32_t y = 0; y < l->down && good; y++)
        good = read_block_row(&r, f, block, y);
    pixels_free(block);
    return good || tiff_explain(f, p);
}

/* --- The picture ------------------------------------------------------------------------------ */

/* Says what of the file is not in the picture, or may be wrong. */
static void tell_rest(const tiff_file *f, const tiff_layout *l, problem *p)
{
    const int extra = l->samples - l->colours - (l->alpha != TIFF_OPAQUE);
    char text[3][220] = {"", "", ""};
    if (f->warning[0]) /* before pages are counted, of which libtiff may warn, too */
        snprintf(text[0], sizeof text[0], "the TIFF is damaged (%s); some pixels may be wrong",
                 f->warning);
    const int pages = (int)TIFFNumberOfDirectories(f->tiff) - 1;
    if (l->photometric == PHOTOMETRIC_SEPARATED)
        snprintf(text[1], sizeof text[1], "CMYK was converted to RGB without its colour profile");
    else if (extra > 0)
        snprintf(text[1], sizeof text[1], "%d further channel%s %s not read", extra,
                 extra == 1 ? "" : "s", extra == 1 ? "is" : "are");
    if (pages > 0)
        snprintf(text[2], sizeof text[2], "%d further page%s %s not read", pages,
                 pages == 1 ? "" : "s", pages == 1 ? "is" : "are");
    problem_set(p, "%s%s%s%s%s", text[0], text[0][0] && text[1][0] ? "; " : "", text[1],
                (text[0][0] || text[1][0]) && text[2][0] ? "; " : "", text[2]);
}

const char *tiff_decode(bytes in, satb_image *image, const decode_settings *settings, problem *p)
{
    tiff_file f;
    tiff_layout l;
    if (!tiff_open_layout(&f, &l, in, settings->max_pixels, p))
        return NULL;
    f.warning[0] = '\0';
    const bool done =
        pixels_make(image, p) && (l.by_library ? tiff_convert : read_blocks)(&f, &l, image, p);
    if (done)
        tell_rest(&f, &l, p);
    tiff_close(&f);
    return done ? "libtiff" : NULL;
}
