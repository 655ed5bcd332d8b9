/* Makes and looks at pictures for the command line tests. Pictures are written by code of its own (PNG with stored blocks,
 * BMP, TGA, PNM), so that the program does not read its own work; they are read by the program's codecs.
 *
 *   mkimage FORMAT WIDTH HEIGHT CHANNELS BITS PATTERN FILE
 *                                FORMAT: png bmp tga pnm. PATTERN: const:V, alpha:V:A (colour V, alpha A), step (left half
 *                                0, right half largest), ramp, lights (single pixels of the largest code), noise:SEED
 *   mkimage claim WIDTH HEIGHT FILE
 *                                a PNG whose header claims that size, and nothing else
 *   mkimage flip FILE BYTE       flips one bit of that byte
 *   mkimage same A B             status 0 if shape and samples are equal
 *   mkimage shape FILE           prints "WIDTH HEIGHT CHANNELS BITS"
 *   mkimage row FILE Y           prints the first channel of a row, one sample a line
 *   mkimage chunk TYPE FILE      puts standard input into a PNG, as a chunk behind the head
 *   mkimage segment MARKER FILE  puts standard input into a JPEG, as a segment with that marker (hexadecimal) */
#include "codec/codec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void die(const char *what)
{
    fprintf(stderr, "mkimage: %s\n", what);
    exit(3);
}

/* --- Patterns --------------------------------------------------------------------------------- */

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 16;
}

static void set_sample(satb_image *image, size_t at, unsigned value)
{
    if (image->bits == 16)
        ((uint16_t *)image->data)[at] = (uint16_t)value;
    else
        ((uint8_t *)image->data)[at] = (uint8_t)value;
}

static unsigned get_sample(const satb_image *image, size_t at)
{
    return image->bits == 16 ? ((const uint16_t *)image->data)[at]
                             : ((const uint8_t *)image->data)[at];
}

static void fill(satb_image *image, const char *pattern)
{
    unsigned value = 0, alpha = 0, seed = 1;
    const unsigned largest = image->bits == 16 ? 65535 : 255;
    const bool constant = sscanf(pattern, "const:%u", &value) == 1;
    const bool veiled = sscanf(pattern, "alpha:%u:%u", &value, &alpha) == 2;
    const bool noise = sscanf(pattern, "noise:%u", &seed) == 1;
    const bool step = strcmp(pattern, "step") == 0;
    const bool lights = strcmp(pattern, "lights") == 0;
    if (!constant && !veiled && !noise && !step && !lights && strcmp(pattern, "ramp") != 0)
        die("no such pattern");
    const size_t width = (size_t)image->width, channels = (size_t)image->channels;
    for (size_t at = 0; at < width * (size_t)image->height * channels; at++) {
        const size_t x = at / channels % width, y = at / channels / width, c = at % channels;
        const bool is_alpha = channels % 2 == 0 && c == channels - 1;
        const unsigned v = noise                ? next_random(&seed) & largest
                           : is_alpha && veiled ? alpha
                           : constant || veiled ? value
                           : step               ? (x >= width / 2 ? largest : 0)
                           : lights ? (x % 29 == 13 && y % 23 == 11 ? largest : largest / 20)
                                    : (unsigned)((x * 3 + y * 5 + c * 70) % (largest + 1u));
        set_sample(image, at, v);
    }
}

/* --- Writing ---------------------------------------------------------------------------------- */

static void put_be(FILE *to, unsigned long value, int size)
{
    while (size-- > 0)
        fputc((int)(value >> (8 * size) & 255), to);
}

static void put_le(FILE *to, unsigned long value, int size)
{
    for (int i = 0; i < size; i++)
        fputc((int)(value >> (8 * i) & 255), to);
}

static uint32_t crc_of(uint32_t crc, const uint8_t *data, size_t size)
{
    crc = ~crc;
    for (size_t i = 0; i < size; i++) {
        crc ^= data[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
    return ~crc;
}

static void put_chunk(FILE *to, const char *type, const uint8_t *data, size_t size)
{
    const uint32_t crc = crc_of(crc_of(0, (const uint8_t *)type, 4), data, size);
    put_be(to, size, 4);
    fwrite(type, 1, 4, to);
    fwrite(data, 1, size, to);
    put_be(to, crc, 4);
}

static void put_png_header(FILE *to, unsigned width, unsigned height, int channels, int bits)
{
    static const uint8_t types[] = {0, 0, 4, 2, 6};
    const uint8_t header[13] = {
        (uint8_t)(width >> 24),  (uint8_t)(width >> 16),  (uint8_t)(width >> 8),  (uint8_t)width,
        (uint8_t)(height >> 24), (uint8_t)(height >> 16), (uint8_t)(height >> 8), (uint8_t)height,
        (uint8_t)bits,           types[channels]};
    fwrite("\x89PNG\r\n\x1a\n", 1, 8, to);
    put_chunk(to, "IHDR", header, sizeof header);
}

/* Writes the rows of a PNG: a filter byte (none) each, 16 bits big-endian. */
static uint8_t *png_rows(const satb_image *image, size_t *size)
{
    const size_t samples = (size_t)image->width * (size_t)image->channels,
                 bytes_each = (size_t)image->bits / 8;
    *size = (size_t)image->height * (1 + samples * bytes_each);
    uint8_t *rows = malloc(*size), *out = rows;
    for (size_t y = 0; rows && y < (size_t)image->height; y++) {
        *out++ = 0;
        for (size_t i = 0; i < samples; i++) {
            const unsigned v = get_sample(image, y * samples + i);
            if (bytes_each == 2)
                *out++ = (uint8_t)(v >> 8);
            *out++ = (uint8_t)v;
        }
    }
    return rows;
}

static void put_png(FILE *to, const satb_image *image)
{
    size_t size, used = 2;
    uint8_t *rows = png_rows(image, &size);
    uint8_t *stream = malloc(size + size / 65535 * 5 + 16);
    uint32_t a = 1, b = 0;
    if (!rows || !stream)
        die("out of memory");
    stream[0] = 0x78;
    stream[1] = 0x01;
    for (size_t at = 0; at < size;) {
        const size_t part = size - at < 65535 ? size - at : 65535;
        const uint8_t head[5] = {at + part == size, (uint8_t)part, (uint8_t)(part >> 8),
                                 (uint8_t)~part, (uint8_t)(~part >> 8)};
        memcpy(stream + used, head, 5);
        memcpy(stream + used + 5, rows + at, part);
        used += 5 + part;
        at += part;
    }
    for (size_t i = 0; i < size; i++) {
        a = (a + rows[i]) % 65521;
        b = (b + a) % 65521;
    }
    const uint8_t sum[4] = {(uint8_t)(b >> 8), (uint8_t)b, (uint8_t)(a >> 8), (uint8_t)a};
    memcpy(stream + used, sum, 4);
    put_png_header(to, (unsigned)image->width, (unsigned)image->height, image->channels,
                   image->bits);
    put_chunk(to, "IDAT", stream, used + 4);
    put_chunk(to, "IEND", stream, 0);
    free(rows);
    free(stream);
}

static void put_pnm(FILE *to, const satb_image *image)
{
    const size_t count = picture_bytes(image) / (size_t)(image->bits / 8);
    fprintf(to, "P%c\n# made for a test\n%d %d %d\n", image->channels == 3 ? '6' : '5',
            image->width, image->height, image->bits == 16 ? 65535 : 255);
    for (size_t i = 0; i < count; i++)
        put_be(to, get_sample(image, i), image->bits / 8);
}

/* Writes pixels with blue first, the last row first, as BMP and (uncompressed) TGA have them. Rows
 * are padded to pad bytes. */
static void put_bgr(FILE *to, const satb_image *image, int pad)
{
    const int channels = image->channels;
    for (int y = image->height - 1; y >= 0; y--) {
        for (int x = 0; x < image->width; x++) {
            const size_t at = ((size_t)y * (size_t)image->width + (size_t)x) * (size_t)channels;
            for (int c = 0; c < channels; c++) {
                const int from = channels >= 3 && c < 3 ? 2 - c : c;
                fputc((int)get_sample(image, at + (size_t)from), to);
            }
        }
        for (int used = image->width * channels; used % pad; used++)
            fputc(0, to);
    }
}

static void put_bmp(FILE *to, const satb_image *image)
{
    const unsigned long row =
        ((unsigned long)image->width * (unsigned long)image->channels + 3) / 4 * 4;
    fputs("BM", to);
    put_le(to, 54 + row * (unsigned long)image->height, 4);
    put_le(to, 0, 4);
    put_le(to, 54, 4);
    put_le(to, 40, 4);
    put_le(to, (unsigned long)image->width, 4);
    put_le(to, (unsigned long)image->height, 4);
    put_le(to, 1, 2);
    put_le(to, (unsigned long)image->channels * 8, 2);
    for (int i = 0; i < 6; i++)
        put_le(to, 0, 4);
    put_bgr(to, image, 4);
}

static void put_tga(FILE *to, const satb_image *image)
{
    put_le(to, image->channels < 3 ? 0x030000 : 0x020000, 3);
    put_le(to, 0, 5);
    put_le(to, 0, 4);
    put_le(to, (unsigned long)image->width, 2);
    put_le(to, (unsigned long)image->height, 2);
    put_le(to, (unsigned long)image->channels * 8, 1);
    put_le(to, image->channels % 2 ? 0 : 8, 1);
    put_bgr(to, image, 1);
}

static int make(char **argv)
{
    satb_image image = {.width = atoi(argv[2]),
                        .height = atoi(argv[3]),
                        .channels = atoi(argv[4]),
                        .bits = atoi(argv[5])};
    if (image.width < 1 || image.height < 1 || image.channels < 1 || image.channels > 4 ||
        (image.bits != 8 && image.bits != 16))
        die("no such shape");
    image.data = malloc(picture_bytes(&image));
    FILE *to = fopen(argv[7], "wb");
    if (!image.data || !to)
        die("cannot write");
    fill(&image, argv[6]);
    static const struct {
        const char *name;
        void (*put)(FILE *to, const satb_image *image);
    } formats[] = {{"png", put_png}, {"bmp", put_bmp}, {"tga", put_tga}, {"pnm", put_pnm}};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        if (strcmp(argv[1], formats[i].name) == 0) {
            formats[i].put(to, &image);
            free(image.data);
            return fclose(to) != 0;
        }
    }
    die("no such format");
    return 1;
}

/* --- Looking ---------------------------------------------------------------------------------- */

static picture load(const char *path)
{
    picture pic;
    problem p;
    if (!picture_load(&pic, path, NULL, &p))
        die(p.text);
    return pic;
}

static int same(const char *a, const char *b)
{
    picture first = load(a), second = load(b);
    const satb_image *x = &first.image, *y = &second.image;
    const bool equal = x->width == y->width && x->height == y->height &&
                       x->channels == y->channels && x->bits == y->bits &&
                       memcmp(x->data, y->data, picture_bytes(x)) == 0;
    picture_free(&first);
    picture_free(&second);
    return !equal;
}

static int shape(const char *path)
{
    picture pic = load(path);
    printf("%d %d %d %d\n", pic.image.width, pic.image.height, pic.image.channels, pic.image.bits);
    picture_free(&pic);
    return 0;
}

static int row(const char *path, int y)
{
    picture pic = load(path);
    const size_t channels = (size_t)pic.image.channels, width = (size_t)pic.image.width;
    for (size_t x = 0; x < width; x++)
        printf("%u\n", get_sample(&pic.image, ((size_t)y * width + x) * channels));
    picture_free(&pic);
    return 0;
}

static int claim(unsigned width, unsigned height, const char *path)
{
    FILE *to = fopen(path, "wb");
    if (!to)
        die("cannot write");
    put_png_header(to, width, height, 3, 8);
    put_chunk(to, "IDAT", (const uint8_t *)"\x78\x01\x03\0\0\0\0\x01", 8);
    put_chunk(to, "IEND", (const uint8_t *)"", 0);
    return fclose(to) != 0;
}

static int flip(const char *path, long at)
{
    FILE *file = fopen(path, "r+b");
    if (!file || fseek(file, at, SEEK_SET) != 0)
        die("cannot open");
    const int c = fgetc(file);
    if (c == EOF || fseek(file, at, SEEK_SET) != 0)
        die("no such byte");
    fputc(c ^ 4, file);
    return fclose(file) != 0;
}

/* --- Putting in ------------------------------------------------------------------------------- */

enum { MOST = 1 << 24 };

static size_t read_all(FILE *from, uint8_t *data)
{
    const size_t size = from ? fread(data, 1, MOST, from) : 0;
    if (!from || ferror(from) || size == MOST)
        die("cannot read");
    return size;
}

/* Inserts a chunk or a segment behind the first `head` bytes. kind: the chunk's type or the
 * segment's marker. */
static int put_in(const char *kind, const char *path, size_t head, bool png)
{
    uint8_t *data = malloc(MOST), *file = malloc(MOST);
    if (!data || !file)
        die("out of memory");
    const size_t size = read_all(stdin, data);
    FILE *f = fopen(path, "rb");
    const size_t file_size = read_all(f, file);
    fclose(f);
    if (file_size < head || !(f = fopen(path, "wb")))
        die("cannot write");
    fwrite(file, 1, head, f);
    if (png) {
        put_chunk(f, kind, data, size);
    } else {
        put_be(f, 0xff00 | strtoul(kind, NULL, 16), 2);
        put_be(f, size + 2, 2);
        fwrite(data, 1, size, f);
    }
    fwrite(file + head, 1, file_size - head, f);
    free(data);
    free(file);
    return fclose(f) != 0;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    if (argc == 8)
        return make(argv);
    if (argc == 5 && strcmp(what, "claim") == 0) {
        return claim((unsigned)strtoul(argv[2], NULL, 10), (unsigned)strtoul(argv[3], NULL, 10),
                     argv[4]);
    }
    if (argc == 4 && strcmp(what, "chunk") == 0)
        return put_in(argv[2], argv[3], 33, true);
    if (argc == 4 && strcmp(what, "segment") == 0)
        return put_in(argv[2], argv[3], 2, false);
    if (argc == 4 && strcmp(what, "flip") == 0)
        return flip(argv[2], atol(argv[3]));
    if (argc == 4 && strcmp(what, "same") == 0)
        return same(argv[2], argv[3]);
    if (argc == 3 && strcmp(what, "shape") == 0)
        return shape(argv[2]);
    if (argc == 4 && strcmp(what, "row") == 0)
        return row(argv[2], atoi(argv[3]));
    die("see the head of mkimage.c");
    return 3;
}
