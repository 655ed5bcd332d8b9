#include "codec/tiff/tiff_layout.h"

#include <string.h>

enum {
    SIDE_BYTES = 64 << 20
}; /* that libtiff may take for tables, or for a block of a small picture */

bool tiff_has_light(const tiff_layout *l)
{
    return l->format == SAMPLEFORMAT_IEEEFP && (l->bits == 16 || l->bits == 32 || l->bits == 64) &&
           !l->is_palette && !l->is_inverted && !l->by_library &&
           l->photometric != PHOTOMETRIC_YCBCR;
}

bool tiff_has_codes(const tiff_layout *l)
{
    return l->format == SAMPLEFORMAT_UINT && l->bits <= 16;
}

/* --- What picture it is ----------------------------------------------------------------------- */

static const char *kind_words(unsigned photometric)
{
    switch (photometric) {
    case PHOTOMETRIC_MASK: return " (a mask)";
    case PHOTOMETRIC_ITULAB: return " (ITU Lab)";
    case PHOTOMETRIC_LOGL: return " (LogL)";
    case PHOTOMETRIC_LOGLUV: return " (LogLuv)";
    default: return "";
    }
}

bool tiff_refuse_kind(const tiff_layout *l, problem *p)
{
    const char *const colours = l->photometric == PHOTOMETRIC_YCBCR       ? "YCbCr"
                                : l->is_lab                               ? "Lab"
                                : l->photometric == PHOTOMETRIC_SEPARATED ? "CMYK"
                                                                          : "other";
    return problem_set(
        p, "a TIFF with %s colours of this kind (%u bits%s%s) is not read here; save it as RGB",
        colours, l->bits, l->is_planar ? " in planes" : "",
        l->compression == COMPRESSION_JPEG ? " packed as JPEG" : "");
}

static bool read_colours(tiff_file *f, tiff_layout *l, problem *p)
{
    switch (l->photometric) {
    case PHOTOMETRIC_MINISWHITE:
    case PHOTOMETRIC_MINISBLACK: l->colours = 1; break;
    case PHOTOMETRIC_PALETTE: l->colours = 1; break;
    case PHOTOMETRIC_RGB: l->colours = 3; break;
    case PHOTOMETRIC_YCBCR:
        l->colours = 3;
        l->by_library = l->compression != COMPRESSION_JPEG || l->is_planar;
        break;
    case PHOTOMETRIC_CIELAB:
    case PHOTOMETRIC_ICCLAB:
        l->colours = 3;
        l->is_lab = true;
        break;
    case PHOTOMETRIC_SEPARATED:
        l->colours = 4;
        l->by_library = true;
        break;
    case PHOTOMETRIC_CFA:
    case 34892: /* LinearRaw, of DNG */
        return problem_set(p, "is a camera's raw file; develop it and save a TIFF or PNG");
    default:
        return problem_set(p, "a TIFF with colours of kind %u%s is not read here; save it as RGB",
                           l->photometric, kind_words(l->photometric));
    }
    if (l->is_lab && ((l->bits != 8 && l->bits != 16) || l->format == SAMPLEFORMAT_IEEEFP ||
                      l->compression == COMPRESSION_JPEG))
        return tiff_refuse_kind(l, p);
    if (l->is_lab) /* some programs call the differences signed numbers */
        l->format = SAMPLEFORMAT_UINT;
    l->is_palette = l->photometric == PHOTOMETRIC_PALETTE;
    l->is_inverted = l->photometric == PHOTOMETRIC_MINISWHITE;
    if (l->photometric == PHOTOMETRIC_YCBCR && !l->by_library)
        TIFFSetField(f->tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
    return true;
}

static bool read_palette(tiff_file *f, tiff_layout *l, problem *p)
{
    uint16_t *red, *green, *blue;
    if (!l->is_palette)
        return true;
    if (l->bits > 8 || !TIFFGetField(f->tiff, TIFFTAG_COLORMAP, &red, &green, &blue))
        return problem_set(p, "the TIFF's palette is missing or has more than 256 colours; save it "
                              "as RGB");
    l->map[0] = red;
    l->map[1] = green;
    l->map[2] = blue;
    uint16_t all = 0; /* some programs write numbers of 8 bits */
    for (int i = 0; i < 1 << l->bits; i++)
        all |= red[i] | green[i] | blue[i];
    l->shift = all > 255 ? 8 : 0;
    return true;
}

/* One extra sample without a meaning is taken as alpha that no colour was multiplied by. */
static void read_alpha(tiff_file *f, tiff_layout *l)
{
    uint16_t count = 0, *kinds = NULL;
    TIFFGetFieldDefaulted(f->tiff, TIFFTAG_EXTRASAMPLES, &count, &kinds);
    const int extra = l->samples - l->colours;
    const int kind = count > 0 && kinds ? kinds[0] : EXTRASAMPLE_UNSPECIFIED;
    l->alpha = extra < 1                        ? TIFF_OPAQUE
               : kind == EXTRASAMPLE_ASSOCALPHA ? l->is_lab ? TIFF_STRAIGHT : TIFF_ASSOCIATED
               : kind == EXTRASAMPLE_UNASSALPHA ? TIFF_STRAIGHT
               : extra == 1                     ? TIFF_STRAIGHT
                                                : TIFF_OPAQUE;
    if (l->by_library)
        l->alpha = TIFF_OPAQUE;
    l->channels = (l->colours == 1 && !l->is_palette ? 1 : 3) + (l->alpha != TIFF_OPAQUE);
}

static bool check_kind(tiff_file *f, const tiff_layout *l, problem *p)
{
    uint32_t kind = 0;
    const char *const raw = tiff_raw_kind(f->in, l);
    if (raw)
        return problem_set(p, "is a camera's raw file (%s); develop it and save a TIFF or PNG",
                           raw);
    TIFFGetFieldDefaulted(f->tiff, TIFFTAG_SUBFILETYPE, &kind);
    if (l->compression == COMPRESSION_OJPEG)
        return problem_set(p, "old-style JPEG in a TIFF (a camera's raw file?) is not read here; "
                              "save it as RGB");
    if (kind & FILETYPE_REDUCEDIMAGE)
        return problem_set(p, "begins with a preview, like a camera's raw file; develop it and "
                              "save a TIFF or PNG");
    if (!TIFFIsCODECConfigured(l->compression))
        return problem_set(p, "its compression (number %u) is unknown; save it with LZW",
                           l->compression);
    return true;
}

/* --- Blocks ----------------------------------------------------------------------------------- */

static void read_blocks(tiff_file *f, tiff_layout *l)
{
    l->is_tiled = TIFFIsTiled(f->tiff);
    l->block_width = l->width;
    if (l->is_tiled) {
        TIFFGetField(f->tiff, TIFFTAG_TILEWIDTH, &l->block_width);
        TIFFGetField(f->tiff, TIFFTAG_TILELENGTH, &l->block_height);
        l->row_bytes = (size_t)TIFFTileRowSize64(f->tiff);
    } else {
        TIFFGetFieldDefaulted(f->tiff, TIFFTAG_ROWSPERSTRIP, &l->block_height);
        l->block_height = l->block_height < l->height ? l->block_height : l->height;
        l->row_bytes = (size_t)TIFFScanlineSize64(f->tiff);
    }
}

/* A block larger than the picture costs memory that no limit of pixels bounds. */
static bool check_blocks(tiff_file *f, tiff_layout *l, problem *p)
{
    const uint64_t samples = l->is_planar ? 1 : l->samples;
    const uint64_t row = ((uint64_t)l->block_width * samples * l->bits + 7) / 8;
    const uint64_t whole = ((uint64_t)l->width * samples * l->bits + 7) / 8 * l->height;
    if (l->block_width == 0 || l->block_height == 0 || l->row_bytes == 0 ||
        (l->row_bytes != row && !l->by_library)) /* of YCbCr it may be less */
        return tiff_explain(f, p);
    if (l->row_bytes > (4 * whole + SIDE_BYTES) / l->block_height)
        return problem_set(p,
                           "the TIFF has tiles of %u x %u pixels for a picture of %u x %u; save it "
                           "with smaller tiles",
                           l->block_width, l->block_height, l->width, l->height);
    l->across = (l->width - 1) / l->block_width + 1;
    l->down = (l->height - 1) / l->block_height + 1;
    return true;
}

size_t tiff_block_bytes(const tiff_layout *l, uint32_t row)
{
    const uint32_t left = l->height - row * l->block_height;
    return l->row_bytes * (!l->is_tiled && left < l->block_height ? left : l->block_height);
}

bool tiff_read_block(const tiff_file *f, const tiff_layout *l, int plane, uint32_t x, uint32_t y,
                     void *to)
{
    const uint32_t number = (uint32_t)plane * l->across * l->down + y * l->across + x;
    const tmsize_t size = (tmsize_t)tiff_block_bytes(l, y);
    if (l->compression != COMPRESSION_NONE) /* the decoders of faxes leave out what is damaged */
        memset(to, 0, (size_t)size);
    return (l->is_tiled ? TIFFReadEncodedTile(f->tiff, number, to, size)
                        : TIFFReadEncodedStrip(f->tiff, number, to, size)) == size;
}

/* --- The file --------------------------------------------------------------------------------- */

static bool read_size(tiff_file *f, tiff_layout *l, problem *p)
{
    if (!TIFFGetField(f->tiff, TIFFTAG_IMAGEWIDTH, &l->width) ||
        !TIFFGetField(f->tiff, TIFFTAG_IMAGELENGTH, &l->height) || l->width == 0 || l->height == 0)
        return tiff_explain(f, p);
    if (l->width > INT32_MAX || l->height > INT32_MAX)
        return problem_set(p, "the TIFF claims an impossible size; the file is damaged");
    return true;
}

static bool read_samples(tiff_file *f, tiff_layout *l, problem *p)
{
    uint16_t planar = PLANARCONFIG_CONTIG;
    TIFFGetFieldDefaulted(f->tiff, TIFFTAG_BITSPERSAMPLE, &l->bits);
    TIFFGetFieldDefaulted(f->tiff, TIFFTAG_SAMPLESPERPIXEL, &l->samples);
    TIFFGetFieldDefaulted(f->tiff, TIFFTAG_SAMPLEFORMAT, &l->format);
    TIFFGetFieldDefaulted(f->tiff, TIFFTAG_COMPRESSION, &l->compression);
    TIFFGetFieldDefaulted(f->tiff, TIFFTAG_PLANARCONFIG, &planar);
    l->is_planar = planar == PLANARCONFIG_SEPARATE && l->samples > 1;
    if (!TIFFGetField(f->tiff, TIFFTAG_PHOTOMETRIC, &l->photometric))
        l->photometric = l->samples < 3 ? PHOTOMETRIC_MINISBLACK : PHOTOMETRIC_RGB;
    l->format = l->format == SAMPLEFORMAT_VOID ? SAMPLEFORMAT_UINT : l->format;
    l->deep = l->bits > 8 ? 16 : 8;
    return (l->bits > 0 && l->bits <= 64 && l->samples > 0) ||
           problem_set(p, "the TIFF has %u samples of %u bits; the file is damaged", l->samples,
                       l->bits);
}

static bool read_layout(tiff_file *f, tiff_layout *l, problem *p)
{
    if (!read_size(f, l, p) || !read_samples(f, l, p) || !check_kind(f, l, p) ||
        !read_colours(f, l, p) || !read_palette(f, l, p))
        return false;
    if (l->samples < l->colours)
        return problem_set(p, "the TIFF has %u samples for %d colours; save it as RGB", l->samples,
                           l->colours);
    read_alpha(f, l);
    read_blocks(f, l);
    if (l->by_library)
        l->deep = 8;
    return check_blocks(f, l, p);
}

/* Returns the bytes of samples that a byte stands for, at most. 0: a row of one colour has a few bits, or even less. */
static uint64_t reach_of(const tiff_layout *l)
{
    switch (l->compression) {
    case COMPRESSION_NONE: return 1;
    case COMPRESSION_PACKBITS: return 64;
    case COMPRESSION_LZW: return 1400; /* strings of 1 to 3837 bytes, in codes of 9 to 12 bits */
    case COMPRESSION_ADOBE_DEFLATE:
    case COMPRESSION_DEFLATE: return 1032;
    default: return 0;
    }
}

picture_claim tiff_claim_of(const tiff_layout *l, uint64_t memory)
{
    const uint64_t rows = l->is_tiled ? (uint64_t)l->down * l->block_height : l->height;
    return (picture_claim){.width = (int)l->width,
                           .height = (int)l->height,
                           .unpacked =
                               l->row_bytes * l->across * rows * (l->is_planar ? l->samples : 1),
                           .reach = reach_of(l),
                           .memory = memory};
}

/* libtiff's tables grow with the strips that the file claims. */
bool tiff_open_layout(tiff_file *f, tiff_layout *l, bytes in, uint64_t max_pixels, problem *p)
{
    const uint64_t pixels = max_pixels ? max_pixels : PICTURE_PIXELS_MOST;
    const uint64_t most = pixels < PICTURE_PIXELS_MOST ? pixels : PICTURE_PIXELS_MOST;
    *l = (tiff_layout){.width = 0};
    if (!tiff_open(f, in, most * 64 + SIDE_BYTES)) {
        tiff_explain(f, p);
        return false;
    }
    if (read_layout(f, l, p))
        return true;
    tiff_close(f);
    return false;
}
