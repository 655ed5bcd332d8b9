#include "unit/app/alloc_inputs.h"

#include "base/output.h"
#include "codec/codec.h"
#include "image/shape.h"
#include "support/archive.h"

#include <satb_config.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

void die(const char *what)
{
    fprintf(stderr, "alloc: %s: %s\n", what, strerror(errno));
    exit(3);
}

static satb_image open_picture(int width, int height, int channels, int bits)
{
    satb_image image = {.width = width, .height = height, .channels = channels, .bits = bits};
    image.stride = (ptrdiff_t)width * channels * bits / 8;
    image.data = malloc(picture_bytes(&image));
    if (!image.data)
        die("the inputs");
    return image;
}

/* Writes a picture, and frees its memory. */
static void write_picture(const char *name, const satb_image *image)
{
    problem p;
    output out;
    const encode_settings settings = {.quality = 90, .compression = 1, .threads = 1};
    const codec *c = codec_for_output(name, &p);
    sink to = {.write = output_write, .user = &out};
    if (!c || !output_begin(&out, name, &p) || !codec_encode(c, image, &settings, &to, &p) ||
        !output_commit(&out, &p))
        die(name);
    free(image->data);
}

static void make_picture(const char *name, int width, int height, int channels, int bits)
{
    const satb_image image = open_picture(width, height, channels, bits);
    for (size_t i = 0; i < picture_bytes(&image); i++)
        ((uint8_t *)image.data)[i] = (uint8_t)(i * 2654435761u >> 21);
    write_picture(name, &image);
}

/* Makes a map of a white disc. soft: samples that its gray rim is wide. */
static void make_disc(const char *name, int width, int height, double soft)
{
    const satb_image image = open_picture(width, height, 1, 8);
    for (int i = 0; i < width * height; i++) {
        const double away = hypot(i % width - width / 2.0, i / width - height / 2.0);
        const double cover = (height / 3.0 - away) / soft + 0.5;
        ((uint8_t *)image.data)[i] = (uint8_t)(255 * fmin(fmax(cover, 0), 1));
    }
    write_picture(name, &image);
}

/* A file of a corpus, and the name that it gets here. */
typedef struct seed {
    const char *name, *to;
} seed;

static void write_seed(const char *to, const archive_file *file)
{
    FILE *out = fopen(to, "wb");
    if (!out || fwrite(file->data, 1, file->size, out) != file->size || fclose(out) != 0)
        die(to);
}

/* Takes the seeds, which end with a name of NULL, out of the corpus NAME. */
static void unpack(const char *corpora, const char *name, const seed *seeds)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.tar", corpora, name);
    FILE *from = fopen(path, "rb");
    if (!from)
        die(path);
    archive_file file;
    archive_status status;
    size_t missing = 0;
    for (const seed *s = seeds; s->name; s++)
        missing++;
    while ((status = archive_next(from, &file)) == ARCHIVE_FILE) {
        for (const seed *s = seeds; s->name; s++)
            if (strcmp(s->name, file.name) == 0) {
                write_seed(s->to, &file);
                missing--;
            }
        free(file.data);
    }
    fclose(from);
    if (status != ARCHIVE_END || missing > 0) {
        fprintf(stderr, "alloc: %s: damaged, or lacks files\n", path);
        exit(3);
    }
}

/* Makes an array of two depth maps, 40 x 30 floats each. */
static void make_array(const char *name)
{
    enum { HEADER = 128, COUNT = 2 * 30 * 40 };
    static char header[HEADER];
    static float numbers[COUNT];
    memset(header, ' ', HEADER);
    memcpy(header, "\x93NUMPY\1\0\x76\0", 10);
    static const char words[] = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 30, 40)}";
    memcpy(header + 10, words, sizeof words - 1);
    header[HEADER - 1] = '\n';
    for (int i = 0; i < COUNT; i++)
        numbers[i] = (float)(i % 40 + i / 400);
    FILE *const out = fopen(name, "wb");
    if (!out || fwrite(header, 1, HEADER, out) != HEADER ||
        fwrite(numbers, sizeof *numbers, COUNT, out) != COUNT || fclose(out) != 0)
        die(name);
}

static void make_pictures(void)
{
    static const char *const names[] = {"photo.png", "photo.jpg",    "photo.bmp",
                                        "photo.tga", "photo.ppm",    "in/a.png",
                                        "in/b.jpg",  "in/sub/a.png", "clip/1.png"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        make_picture(names[i], 40, 30, 3, 8);
    make_picture("deep.png", 40, 30, 4, 16);
#if SATB_HAVE_TIFF
    make_picture("photo.tif", 40, 30, 3, 8);
    make_picture("deep.tif", 40, 30, 4, 16);
#endif
#if SATB_HAVE_WEBP
    make_picture("photo.webp", 40, 30, 3, 8);
#endif
#if SATB_HAVE_JXL
    make_picture("photo.jxl", 40, 30, 3, 8);
#endif
#if SATB_HAVE_OPENEXR
    make_picture("photo.exr", 40, 30, 3, 8);
#endif
    make_picture("photo.hdr", 40, 30, 3, 8);
    make_picture("photo.pfm", 40, 30, 3, 8);
    make_picture("gray.pgm", 40, 30, 1, 8);
    make_picture("small.pgm", 20, 15, 1, 8);
    make_picture("deep.pgm", 40, 30, 1, 16);
    make_picture("maps/a.pgm", 40, 30, 1, 8);
    make_picture("maps/b_depth.png", 20, 15, 1, 16);
    make_disc("mask.pgm", 40, 30, 1);
    make_disc("small_mask.pgm", 30, 20, 1);
    make_disc("soft.pgm", 20, 15, 3);
}

/* Makes them in a process of its own, as started threads do not survive a fork. */
void make_inputs(const char *corpus)
{
    static const char *const folders[] = {"in", "in/sub", "maps", "clip", "o", "right"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (mkdir(folders[i], 0777) != 0)
            die(folders[i]);
    const pid_t child = fork();
    int status = 0;
    if (child == 0) {
        make_pictures();
        exit(0);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
        die("the inputs");
    unpack(corpus, "decode",
           (const seed[]){
               {"png_all_notes", "notes.png"},
               {"png_3_4_interlaced", "palette.png"},
               {"jpeg_exif", "exif.jpg"},
               {"jpeg_icc_parts", "icc.jpg"},
               {"tiff_notes", "notes.tif"},
               {"webp_6_100", "notes.webp"},
               {"jpeg_progressive", "progressive.jpg"},
               {NULL, NULL},
           });
    unpack(corpus, "embedded",
           (const seed[]){
               {"gdepth", "gdepth.jpg"},
               {"gdepth_extended", "extended.jpg"},
               {"dynamic_original", "dynamic.jpg"},
               {"apple", "apple.jpg"},
               {"apple_matte", "matte.jpg"},
               {"samsung_5", "samsung.jpg"},
               {"huawei_original", "huawei.jpg"},
               {NULL, NULL},
           });
    unpack(corpus, "gain",
           (const seed[]){
               {"both", "gain.jpg"},
               {"channels", "gains.jpg"},
               {NULL, NULL},
           });
    make_array("maps.npy");
    FILE *list = fopen("list", "w");
    if (!list || fputs("photo.png\nin/b.jpg\n", list) < 0 || fclose(list) != 0)
        die("list");
}
