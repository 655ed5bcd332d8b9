/* The rows: what each format can hold, and the functions that read and write it. A format of an optional library has its
 * row only where the library is built in. */
#include "codec/codec_table.h"

#include "codec/maps/npy.h"
#include "format/heif/heif_box.h"
#include "format/png_chunk.h"

#include <satb_config.h>

#include <string.h>

#define HEIF_PIXELS_PER_BYTE 65536 /* a plain picture of any size has some hundred bytes */
#define STB_BYTES            ((uint64_t)INT32_MAX) /* stb counts bytes in int */

/* Returns whether a file is a TGA. It has no signature: its name or the footer of version 2
 * tells. */
static bool is_tga(bytes in, const char *path)
{
    static const char footer[] = "TRUEVISION-XFILE.";
    return codec_has_ending(path, "tga") ||
           (in.size > sizeof footer &&
            memcmp(in.data + in.size - sizeof footer, footer, sizeof footer) == 0);
}

#if SATB_HAVE_HEIF
static bool is_heic(bytes in, const char *path)
{
    (void)path;
    return heif_kind_of(in) == HEIF_HEIC;
}

static bool is_avif(bytes in, const char *path)
{
    (void)path;
    return heif_kind_of(in) == HEIF_AVIF;
}
#endif

/* In the order in which files are matched: a format that is told by names comes last. */
const codec codecs[] = {
    {
        .name = "PNG",
        .endings = {"png"},
        .reads = "all kinds",
        .magic = {PNG_SIGNATURE_TEXT},
        .claim = png_claim,
        .probe = png_probe,
        .decode = png_decode,
        .weigh = png_weigh,
        .largest_bytes = UINT64_MAX,
        .encode = png_encode,
        .largest_side = PICTURE_SIDE,
        .deepest = 16,
        .channels = GRAY | GRAY_ALPHA | RGB | RGBA,
        .meta = METADATA_PNG,
        .settings = SETTING_COMPRESSION,
        .fast = isal_name,
        .library = "libspng, stb with libdeflate",
    },
    {
        .name = "JPEG",
        .endings = {"jpg", "jpeg", "jpe", "jfif", "mpo", "insp"},
        .reads = "baseline, progressive, gray, CMYK",
        .magic = {"\xff\xd8\xff"},
        .claim = jpeg_claim,
        .probe = jpeg_probe,
        .decode = jpeg_decode,
        .weigh = jpeg_weigh,
        .read_gain = jpeg_read_gain,
        .largest_bytes = STB_BYTES,
        .encode = jpeg_encode,
        .largest_side = 65500, /* libjpeg-turbo's */
        .deepest = 8,
        .channels = GRAY | RGB,
        .meta = METADATA_JPEG,
        .settings = SETTING_QUALITY,
        .fast = turbo_name,
        .library = "stb",
    },
    {
        .name = "BMP",
        .endings = {"bmp", "dib"},
        .reads = "all kinds",
        .magic = {"BM"},
        .claim = bmp_probe,
        .probe = bmp_probe,
        .decode = bmp_decode,
        .weigh = bmp_weigh,
        .largest_bytes = STB_BYTES,
        .encode = stb_encode_bmp,
        .largest_side = PICTURE_SIDE,
        .deepest = 8,
        .channels = RGB | RGBA,
        .library = "satblur, stb",
    },
    {
        .name = "PNM",
        .endings = {"pnm"},
        .reads = "PGM and PPM, binary or digits",
        .magic = {"P5", "P6", "P2", "P3"},
        .claim = pnm_claim,
        .probe = pnm_probe,
        .decode = pnm_decode,
        .white = pnm_white,
        .pixels_per_byte = 1,
        .largest_bytes = UINT64_MAX,
        .encode = pnm_encode,
        .largest_side = PICTURE_SIDE,
        .deepest = 16,
        .channels = GRAY | RGB,
        .library = "satblur",
    },
    {
        .name = "PGM",
        .endings = {"pgm"},
        .largest_bytes = UINT64_MAX,
        .encode = pnm_encode,
        .largest_side = PICTURE_SIDE,
        .deepest = 16,
        .channels = GRAY,
    },
    {
        .name = "PPM",
        .endings = {"ppm"},
        .largest_bytes = UINT64_MAX,
        .encode = pnm_encode,
        .largest_side = PICTURE_SIDE,
        .deepest = 16,
        .channels = RGB,
    },
    {
        .name = "PBM",
        .endings = {"pbm"},
        .reads = "bits, binary or digits",
        .magic = {"P4", "P1"},
        .claim = pnm_claim,
        .probe = pnm_probe,
        .decode = pnm_decode,
        .white = pnm_white,
        .pixels_per_byte = 8,
        .largest_bytes = UINT64_MAX,
        .library = "satblur",
    },
    {
        .name = "PAM",
        .endings = {"pam"},
        .reads = "gray, RGB, alpha",
        .magic = {"P7"},
        .claim = pnm_claim,
        .probe = pnm_probe,
        .decode = pnm_decode,
        .white = pnm_white,
        .pixels_per_byte = 1,
        .largest_bytes = UINT64_MAX,
        .library = "satblur",
    },
#if SATB_HAVE_TIFF
    {
        .name = "TIFF",
        .endings = {"tif", "tiff"},
        .reads = "palettes, CMYK, tiles, BigTIFF, floats",
        .is_other = tiff_is, /* its first bytes have a NUL */
        .claim = tiff_claim,
        .probe = tiff_probe,
        .decode = tiff_decode,
        .decode_values = tiff_decode_values,
        .white = tiff_white,
        .weigh = tiff_weigh,
        .largest_bytes = UINT64_MAX,
        .encode = tiff_encode,
        .largest_side = PICTURE_SIDE,
        .halves = HALVES_TOO,
        .deepest = 16,
        .channels = GRAY | GRAY_ALPHA | RGB | RGBA,
        .meta = METADATA_TIFF,
        .settings = SETTING_COMPRESSION,
        .library = "libtiff",
    },
#endif
#if SATB_HAVE_WEBP
    {
        .name = "WebP",
        .endings = {"webp"},
        .reads = "lossy, lossless, the first frame",
        .is_other = webp_is,
        .claim = webp_claim,
        .probe = webp_probe,
        .decode = webp_decode,
        .weigh = webp_weigh,
        .largest_bytes = UINT64_MAX,
        .encode = webp_encode,
        .largest_side = 16383,
        .deepest = 8,
        .channels = RGB | RGBA,
        .meta = METADATA_WEBP,
        .settings = SETTING_QUALITY,
        .library = "libwebp",
    },
#endif
#if SATB_HAVE_HEIF
    {
        .name = "HEIC",
        .endings = {"heic", "heif", "hif"},
        .reads = "the primary picture",
        .is_other = is_heic,
        .probe = heif_probe,
        .decode = heif_decode,
        .read_gain = heif_read_gain,
        .is_isolated = true,
        .white = heif_white,
        .pixels_per_byte = HEIF_PIXELS_PER_BYTE,
        .largest_bytes = UINT64_MAX,
        .encode = heic_encode,
        .largest_side = 16384,
        .deepest = HEIC_DEEPEST,
        .channels = GRAY | GRAY_ALPHA | RGB | RGBA,
        .meta = METADATA_HEIF,
        .settings = SETTING_QUALITY,
        .writes = heic_writes,
        .fast = heif_name,
        .library = "libde265, x265",
    },
    {
        .name = "AVIF",
        .endings = {"avif"},
        .reads = "the primary picture",
        .is_other = is_avif,
        .probe = heif_probe,
        .decode = heif_decode,
        .read_gain = heif_read_gain,
        .is_isolated = true,
        .white = heif_white,
        .pixels_per_byte = HEIF_PIXELS_PER_BYTE,
        .largest_bytes = UINT64_MAX,
        .encode = avif_encode,
        .largest_side = 16384,
        .deepest = AVIF_DEEPEST,
        .channels = GRAY | GRAY_ALPHA | RGB | RGBA,
        .meta = METADATA_HEIF,
        .settings = SETTING_QUALITY,
        .writes = avif_writes,
        .fast = heif_name,
        .library = "dav1d or aom",
    },
#endif
#if SATB_HAVE_JXL
    {
        .name = "JPEG XL",
        .endings = {"jxl"},
        .reads = "lossy, lossless, floats, the first frame",
        .is_other = jxl_is,
        .probe = jxl_probe,
        .decode = jxl_decode,
        .is_isolated = true,
        .halves = HALVES_TOO,
        .has_codes = true,
        .white = jxl_white,
        .weigh = jxl_weigh,
        .largest_bytes = UINT64_MAX,
        .encode = jxl_encode,
        .largest_side = 1 << 18, /* of level 5, which all decoders read */
        .deepest = 16,
        .channels = GRAY | GRAY_ALPHA | RGB | RGBA,
        .meta = METADATA_JXL,
        .settings = SETTING_QUALITY,
        .library = "libjxl",
    },
#endif
#if SATB_HAVE_OPENEXR
    {
        .name = "EXR",
        .endings = {"exr"},
        .reads = "layers, tiles, parts",
        .magic = {"v/1\x01"},
        .claim = exr_claim,
        .probe = exr_probe,
        .decode = exr_decode,
        .decode_values = exr_values,
        .halves = HALVES_ONLY,
        .weigh = exr_weigh,
        .largest_bytes = UINT64_MAX,
        .encode = exr_encode,
        .largest_side = PICTURE_SIDE,
        .deepest = 16,
        .channels = GRAY | GRAY_ALPHA | RGB | RGBA,
        .meta = METADATA_EXR,
        .library = "OpenEXRCore",
    },
#endif
    {
        .name = "HDR",
        .endings = {"hdr", "pic"},
        .reads = "RGB",
        .magic = {"#?RADIANCE", "#?RGBE"},
        .claim = hdr_claim,
        .probe = hdr_probe,
        .decode = hdr_decode,
        .halves = HALVES_ONLY,
        .pixels_per_byte = 64, /* a run has 127 bytes of one of 4 channels in 2 */
        .largest_bytes = UINT64_MAX,
        .encode = hdr_encode,
        .largest_side = PICTURE_SIDE,
        .deepest = 16,
        .channels = RGB,
        .library = "satblur",
    },
    {
        .name = "PFM",
        .endings = {"pfm"},
        .reads = "gray, RGB",
        .magic = {"PF", "Pf"},
        .claim = pfm_claim,
        .probe = pfm_probe,
        .decode = pfm_decode,
        .decode_values = pfm_values,
        .halves = HALVES_ONLY,
        .pixels_per_byte = 1,
        .largest_bytes = UINT64_MAX,
        .encode = pfm_encode,
        .largest_side = PICTURE_SIDE,
        .deepest = 16,
        .channels = GRAY | RGB,
        .library = "satblur",
    },
    {
        .name = "NPY",
        .endings = {"npy"},
        .reads = "an array",
        .magic = {NPY_MAGIC},
        .is_map = true,
        .claim = npy_claim,
        .probe = npy_probe,
        .decode = npy_decode,
        .decode_values = npy_values,
        .pixels_per_byte = 1,
        .largest_bytes = UINT64_MAX,
        .library = "satblur",
    },
    {
        .name = "DPT",
        .endings = {"dpt"},
        .reads = "floats",
        .magic = {"PIEH"},
        .is_map = true,
        .claim = dpt_claim,
        .decode_values = dpt_values,
        .pixels_per_byte = 1,
        .largest_bytes = UINT64_MAX,
        .library = "satblur",
    },
    {
        .name = "COLMAP",
        .endings = {"bin"},
        .reads = "floats",
        .is_other = colmap_is,
        .is_map = true,
        .claim = colmap_claim,
        .decode_values = colmap_values,
        .pixels_per_byte = 1,
        .largest_bytes = UINT64_MAX,
        .library = "satblur",
    },
    {
        .name = "NPZ",
        .endings = {"npz"},
        .reads = "an array, packed or not",
        .magic = {"PK\3\4"},
        .is_map = true,
        .decode_values = npz_values,
        .largest_bytes = UINT64_MAX,
        .library = "satblur with libdeflate and zlib",
    },
    {
        .name = "GIF",
        .endings = {"gif"},
        .reads = "the first frame",
        .magic = {"GIF87a", "GIF89a"},
        .may_move = true,
        .claim = gif_claim,
        .probe = gif_probe,
        .decode = gif_decode,
        .pixels_per_byte = 4096, /* a code of 12 bits stands for a string of as many */
        .largest_bytes = UINT64_MAX,
        .library = "satblur",
    },
    {
        .name = "TGA",
        .endings = {"tga"},
        .reads = "all kinds",
        .is_other = is_tga,
        .may_start = tga_may_start,
        .claim = tga_probe,
        .probe = tga_probe,
        .decode = tga_decode,
        .pixels_per_byte = 64, /* a packet of runs has 128 pixels in 2 bytes */
        .largest_bytes = STB_BYTES,
        .encode = stb_encode_tga,
        .largest_side = 65535,
        .deepest = 8,
        .channels = GRAY | GRAY_ALPHA | RGB | RGBA,
        .library = "satblur, stb",
    },
};
const int codec_count = sizeof codecs / sizeof *codecs;
