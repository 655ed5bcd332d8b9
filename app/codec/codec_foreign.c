/* The formats that are named and not read, with what to do instead. */
#include "codec/codec_table.h"

#include <satb_config.h>

#define DEVELOP "develop it and save a TIFF or PNG"
#define CLIP    "give it the ending of a clip, and OUTPUT one, too; for a pipe, give --format y4m"
#define EXPORT  "export it as a PNG or TIFF of 16 bits"

/* Of several that fit, the first counts. */
const foreign_format foreign_formats[] = {
#if !SATB_HAVE_WEBP
    {.name = "WebP", .magic = "WEBP", .size = 4, .at = 8, .is_optional = true},
#endif
#if !SATB_HAVE_TIFF
    {.name = "TIFF", .magic = "II*\0", .size = 4, .is_optional = true},
    {.name = "TIFF", .magic = "MM\0*", .size = 4, .is_optional = true},
#endif
    {.name = "a camera's raw file (CR3)",
     .magic = "ftypcrx ",
     .size = 8,
     .at = 4,
     .remedy = DEVELOP},
    {.name = "a clip (MP4)", .magic = "ftypiso", .size = 7, .at = 4, .remedy = CLIP},
    {.name = "a clip (MP4)", .magic = "ftypmp4", .size = 7, .at = 4, .remedy = CLIP},
    {.name = "a clip (MOV)", .magic = "ftypqt  ", .size = 8, .at = 4, .remedy = CLIP},
#if SATB_HAVE_HEIF
    {.name = "this kind of HEIF, AVIF or MP4", .magic = "ftyp", .size = 4, .at = 4},
#else
    {.name = "HEIF or AVIF", .magic = "ftyp", .size = 4, .at = 4, .is_optional = true},
#endif
#if !SATB_HAVE_OPENEXR
    {.name = "OpenEXR", .magic = "v/1\x01", .size = 4, .is_optional = true},
#endif
    {.name = "PSD", .magic = "8BPS", .size = 4},
    {.name = "Radiance HDR", .magic = "#?", .size = 2},
#if !SATB_HAVE_JXL
    {.name = "JPEG XL", .magic = "\xff\x0a", .size = 2, .is_optional = true},
    {.name = "JPEG XL", .magic = "JXL ", .size = 4, .at = 4, .is_optional = true},
#endif
    {.name = "PDF", .magic = "%PDF", .size = 4},
    {.name = "JPEG 2000", .magic = "jP  ", .size = 4, .at = 4},
    {.name = "JPEG 2000", .magic = "\xff\x4f\xff\x51", .size = 4},
    {.name = "a camera's raw file (RAF)", .magic = "FUJIFILM", .size = 8, .remedy = DEVELOP},
    {.name = "a camera's raw file (ORF)", .magic = "IIRO", .size = 4, .remedy = DEVELOP},
    {.name = "a camera's raw file (ORF)", .magic = "IIRS", .size = 4, .remedy = DEVELOP},
    {.name = "a camera's raw file (ORF)", .magic = "MMOR", .size = 4, .remedy = DEVELOP},
    {.name = "a camera's raw file (RW2)", .magic = "IIU\0", .size = 4, .remedy = DEVELOP},
    {.name = "a camera's raw file (CRW)",
     .magic = "HEAPCCDR",
     .size = 8,
     .at = 6,
     .remedy = DEVELOP},
    {.name = "a camera's raw file (MRW)", .magic = "\0MRM", .size = 4, .remedy = DEVELOP},
    {.name = "a camera's raw file (X3F)", .magic = "FOVb", .size = 4, .remedy = DEVELOP},
    {.name = "QOI", .magic = "qoif", .size = 4},
    {.name = "DICOM", .magic = "DICM", .size = 4, .at = 128, .remedy = EXPORT},
    {.name = "FITS", .magic = "SIMPLE  =", .size = 9, .remedy = EXPORT},
    {.name = "DPX", .magic = "SDPX", .size = 4, .remedy = "convert it to EXR"},
    {.name = "DPX", .magic = "XPDS", .size = 4, .remedy = "convert it to EXR"},
    {.name = "Cineon", .magic = "\x80\x2a\x5f\xd7", .size = 4, .remedy = "convert it to EXR"},
    {.name = "SVG", .magic = "<svg", .size = 4, .remedy = "draw it as a PNG"},
    {.name = "XML (SVG?)", .magic = "<?xml", .size = 5, .remedy = "draw it as a PNG"},
    {.name = "XCF", .magic = "gimp xcf", .size = 8, .remedy = "export it as PNG"},
    {.name = "DDS", .magic = "DDS ", .size = 4},
    {.name = "an icon (ICO)", .magic = "\0\0\1\0", .size = 4},
    {.name = "Matroska or WebM", .magic = "\x1a\x45\xdf\xa3", .size = 4, .remedy = CLIP},
};
const int foreign_count = sizeof foreign_formats / sizeof *foreign_formats;
