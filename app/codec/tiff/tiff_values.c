/* TIFF depth maps with float samples, or with whole numbers that are no codes: signed ones, and those of 32 or 64 bits. */
#include "codec/tiff/tiff_layout.h"
#include "image/half.h"
#include "image/pixels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

float tiff_number(const uint8_t *at, int format, int bits)
{
    union {
        uint16_t half;
        float single;
        double twofold;
        int8_t i8;
        int16_t i16;
        int32_t i32;
        int64_t i64;
        uint32_t u32;
        uint64_t u64;
    } n = {.u64 = 0};
    memcpy(&n, at, (size_t)bits / 8);
    switch (format << 8 | bits) {
    case SAMPLEFORMAT_IEEEFP << 8 | 16: return half_to_float(n.half);
    case SAMPLEFORMAT_IEEEFP << 8 | 32: return n.single;
    case SAMPLEFORMAT_IEEEFP << 8 | 64: return (float)n.twofold;
    case SAMPLEFORMAT_INT << 8 | 8: return n.i8;
    case SAMPLEFORMAT_INT << 8 | 16: return n.i16;
    case SAMPLEFORMAT_INT << 8 | 32: return (float)n.i32;
    case SAMPLEFORMAT_INT << 8 | 64: return (float)n.i64;
    case SAMPLEFORMAT_UINT << 8 | 32: return (float)n.u32;
    default: return (float)n.u64;
    }
}

static bool check_map(const tiff_layout *l, bytes in, const decode_settings *settings, problem *p)
{
    const satb_image shape = {.width = (int)l->width, .height = (int)l->height};
    const bool is_float = l->format == SAMPLEFORMAT_IEEEFP;
    const int bits = l->bits;
    if (l->format > SAMPLEFORMAT_IEEEFP || (bits != 8 && bits != 16 && bits != 32 && bits != 64) ||
        (is_float && bits == 8))
        return problem_set(p,
                           "a TIFF with %s samples of %u bits is not read here; save it as "
                           "32-bit float",
                           is_float ? "float" : "complex or odd", l->bits);
    if (l->colours != 1 || l->is_palette)
        return problem_set(
            p, "the TIFF has %d colours, but a depth map has one channel; save only the depth",
            l->is_palette ? 3 : l->colours);
    const picture_claim claim = tiff_claim_of(l, (uint64_t)l->width * l->height * MAP_PIXEL);
    return picture_has_bytes(&claim, in, p) && picture_allows(&shape, settings->max_pixels, p);
}

/* Takes the first sample of a block's pixels, cut off at the picture's right and lower side. */
static void take_block(const tiff_layout *l, const uint8_t *block, uint32_t x, uint32_t y,
                       float *to)
{
    const uint32_t left = x * l->block_width, top = y * l->block_height;
    const uint32_t columns = l->width - left < l->block_width ? l->width - left : l->block_width;
    const uint32_t rows = l->height - top < l->block_height ? l->height - top : l->block_height;
    const size_t step = (size_t)(l->is_planar ? 1 : l->samples) * l->bits / 8;
    for (uint32_t row = 0; row < rows; row++)
        for (uint32_t i = 0; i < columns; i++)
            to[(size_t)(top + row) * l->width + left + i] =
                tiff_number(block + row * l->row_bytes + i * step, l->format, l->bits);
}

static bool read_blocks(const tiff_file *f, const tiff_layout *l, float *to, problem *p)
{
    uint8_t *const block = pixels_allocate(tiff_block_bytes(l, 0));
    bool done = block || problem_set(p, "not enough memory for this TIFF");
    for (uint32_t y = 0; y < l->down && done; y++)
        for (uint32_t x = 0; x < l->across && done; x++) {
            done = tiff_read_block(f, l, 0, x, y, block) || tiff_explain(f, p);
            if (done)
                take_block(l, block, x, y, to);
        }
    pixels_free(block);
    return done;
}

/* Numbers that GDAL's tag declares as no data become NaN. */
static void drop_missing(const tiff_file *f, const tiff_layout *l, float *data)
{
    enum { NO_DATA = 42113 };
    const char *text = NULL;
    char *end;
    uint32_t count = 0;
    char number[32] = "";
    if (!TIFFGetField(f->tiff, NO_DATA, &count, &text) || !text || count == 0)
        return;
    strncpy(number, text, count < sizeof number - 1 ? count : sizeof number - 1);
    const float missing = strtof(number, &end);
    for (size_t i = 0; i < (size_t)l->width * l->height && end != number; i++)
        if (data[i] == missing)
            data[i] = NAN;
}

static values_status read_values(const tiff_file *f, const tiff_layout *l, values *v, problem *p)
{
    float *const data = pixels_allocate((size_t)l->width * l->height * sizeof *data);
    if (!data) {
        problem_set(p, "not enough memory for %u x %u pixels", l->width, l->height);
        return VALUES_FAILED;
    }
    if (!read_blocks(f, l, data, p)) {
        pixels_free(data);
        return VALUES_FAILED;
    }
    drop_missing(f, l, data);
    *v = (values){.data = data, .width = (int)l->width, .height = (int)l->height};
    return VALUES_READ;
}

values_status tiff_decode_values(bytes in, const decode_settings *settings, values *v, problem *p)
{
    tiff_file f;
    tiff_layout l;
    if (!tiff_open_layout(&f, &l, in, settings->max_pixels, p))
        return VALUES_FAILED;
    const values_status status = tiff_has_codes(&l)                ? VALUES_NONE
                                 : !check_map(&l, in, settings, p) ? VALUES_FAILED
                                                                   : read_values(&f, &l, v, p);
    tiff_close(&f);
    return status;
}
