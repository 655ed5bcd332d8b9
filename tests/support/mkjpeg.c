/* JPEGs of kinds that the program does not write, and how far two pictures are apart.
 *
 *   mkjpeg KIND PICTURE WIDTH HEIGHT FILE    WIDTH x HEIGHT pixels around the middle of PICTURE (8-bit RGB,
 *       which begins again behind its borders), as KIND: gray 444 422 420 440 411 progressive restart cmyk;
 *       quality 90
 *   mkjpeg differ A B                        prints the largest difference of two samples, and the PSNR */
#include "codec/codec.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <turbojpeg.h>

static void die(const char *what)
{
    fprintf(stderr, "mkjpeg: %s\n", what);
    exit(3);
}

static picture load(const char *path)
{
    problem p;
    picture pic;
    if (!picture_load(&pic, path, NULL, &p))
        die(p.text);
    return pic;
}

/* Returns the place of pixel x of `count` around the middle. */
static ptrdiff_t around(int x, int count, int size)
{
    const int at = (x + (size - count) / 2) % size;
    return at < 0 ? at + size : at;
}

/* Returns the cut picture, with room for the fourth sample of CMYK. */
static uint8_t *crop(const satb_image *from, int width, int height)
{
    uint8_t *const out = malloc((size_t)width * (size_t)height * 4);
    if (!out || width < 1 || height < 1 || from->channels != 3 || from->bits != 8)
        die("no such size, or PICTURE is not 8-bit RGB");
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            memcpy(out + ((size_t)y * (size_t)width + (size_t)x) * 3,
                   (const uint8_t *)from->data + around(y, height, from->height) * from->stride +
                       around(x, width, from->width) * 3,
                   3);
    memset(out + (size_t)width * (size_t)height * 3, 128, (size_t)width * (size_t)height);
    return out;
}

static void save(const uint8_t *pixels, int width, int height, int format, int sampling, int flags,
                 const char *path)
{
    unsigned char *packed = NULL;
    unsigned long size = 0;
    tjhandle tj = tjInitCompress();
    if (!tj || tjCompress2(tj, pixels, width, 0, height, format, &packed, &size, sampling, 90,
                           flags | TJFLAG_ACCURATEDCT) != 0)
        die("cannot be packed");
    FILE *to = fopen(path, "wb");
    if (!to || fwrite(packed, 1, size, to) != size || fclose(to) != 0)
        die("cannot be written");
    tjFree(packed);
    tjDestroy(tj);
}

static int make(const char *kind, const satb_image *from, int width, int height, const char *path)
{
    static const struct {
        const char *name;
        int sampling, flags;
    } kinds[] = {{"gray", TJSAMP_GRAY, 0},   {"444", TJSAMP_444, 0},
                 {"422", TJSAMP_422, 0},     {"420", TJSAMP_420, 0},
                 {"440", TJSAMP_440, 0},     {"411", TJSAMP_411, 0},
                 {"restart", TJSAMP_420, 0}, {"progressive", TJSAMP_420, TJFLAG_PROGRESSIVE},
                 {"cmyk", TJSAMP_444, 0}};
    const bool is_cmyk = strcmp(kind, "cmyk") == 0;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(kind, kinds[i].name) != 0)
            continue;
        if (strcmp(kind, "restart") == 0)
            setenv("TJ_RESTART", "3b", 1); /* after three units */
        uint8_t *const pixels = crop(from, width, height);
        save(pixels, width, height, is_cmyk ? TJPF_CMYK : TJPF_RGB, kinds[i].sampling,
             kinds[i].flags, path);
        free(pixels);
        return 0;
    }
    die("no such kind");
    return 3;
}

static int differ(const satb_image *a, const satb_image *b)
{
    if (a->width != b->width || a->height != b->height || a->channels != b->channels ||
        a->bits != 8 || b->bits != 8)
        die("the pictures have different shapes");
    double sum = 0;
    int largest = 0;
    const size_t count = picture_bytes(a);
    for (size_t i = 0; i < count; i++) {
        const int d = abs(((const uint8_t *)a->data)[i] - ((const uint8_t *)b->data)[i]);
        largest = d > largest ? d : largest;
        sum += (double)d * d;
    }
    printf("%d %.2f\n", largest, sum > 0 ? 10 * log10(255.0 * 255 * (double)count / sum) : 99.0);
    return 0;
}

int main(int argc, char **argv)
{
    const bool differs = argc == 4 && strcmp(argv[1], "differ") == 0;
    int status = 0;
    if (!differs && argc != 6)
        die("see the head of mkjpeg.c");
    picture first = load(argv[2]);
    if (differs) {
        picture second = load(argv[3]);
        status = differ(&first.image, &second.image);
        picture_free(&second);
    } else {
        status = make(argv[1], &first.image, atoi(argv[3]), atoi(argv[4]), argv[5]);
    }
    picture_free(&first);
    return status;
}
