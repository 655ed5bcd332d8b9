/* How the samples of a TIFF lie, and what picture they make. Shared by its readers. */
#ifndef SATBLUR_APP_TIFF_LAYOUT_H
#define SATBLUR_APP_TIFF_LAYOUT_H

#include "codec/codec_format.h"
#include "format/tiff_file.h"

typedef enum tiff_alpha { TIFF_OPAQUE, TIFF_STRAIGHT, TIFF_ASSOCIATED } tiff_alpha;

typedef struct tiff_layout {
    uint32_t width, height;
    uint16_t bits, samples, format, photometric, compression;
    int colours;  /* samples of a pixel in the file but for extra ones: 1, 3 or 4 */
    int channels; /* of the picture */
    int deep;     /* bits of the picture's samples, 8 or 16 */
    tiff_alpha alpha;
    bool is_palette, is_inverted, is_lab;
    bool by_library; /* libtiff itself makes RGB of the colours: CMYK, YCbCr */
    const uint16_t *map[3];
    unsigned shift; /* of the palette's numbers to 8 bits */

    /* Strips or tiles. Each has `across` x `down` of a plane; planes follow each other. */
    bool is_tiled, is_planar;
    uint32_t block_width, block_height, across, down;
    size_t row_bytes; /* of a block */
} tiff_layout;

/* Opens the file, which has at most that many pixels (as in decode_settings), and reads the layout of the first picture.
 * False: the file is closed, and p has a sentence. */
bool tiff_open_layout(tiff_file *f, tiff_layout *l, bytes in, uint64_t max_pixels, problem *p);

/* Returns the kind of a camera's raw file, in words. NULL: the file is none, as far as its layout's first picture tells. */
const char *tiff_raw_kind(bytes in, const tiff_layout *l);

/* Always false: p says that colours of this kind are not read. */
bool tiff_refuse_kind(const tiff_layout *l, problem *p);

/* Returns what the file claims, for picture_has_bytes(); memory: of the picture or map that is made. */
picture_claim tiff_claim_of(const tiff_layout *l, uint64_t memory);

/* Reads a picture whose colours libtiff converts (by_library) into the image's memory. False: p has a sentence. */
bool tiff_convert(tiff_file *f, const tiff_layout *l, satb_image *image, problem *p);

/* Makes sRGB of pixels with Lab colours, of 8 or 16 bits, in place. */
void tiff_lab_to_rgb(const tiff_layout *l, void *rows, size_t pixels, int channels);

/* Returns the bytes of a whole block, or of one strip of the last rows. */
size_t tiff_block_bytes(const tiff_layout *l, uint32_t row);

/* Reads a block, whose place is x, y in blocks. False: f->error has the library's words. */
bool tiff_read_block(const tiff_file *f, const tiff_layout *l, int plane, uint32_t x, uint32_t y,
                     void *to);

/* Returns whether the samples are codes of 1 to 16 bits; if not, they are numbers for a depth map, or light. */
bool tiff_has_codes(const tiff_layout *l);

/* Returns whether the samples are floats of gray or RGB, which make a picture of half floats. */
bool tiff_has_light(const tiff_layout *l);

/* Returns a sample that is no code, which libtiff has brought to the processor's byte order. */
float tiff_number(const uint8_t *at, int format, int bits);

#endif
