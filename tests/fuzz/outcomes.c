/* What readers make of the fuzzers' files stays the same: outcomes FOLDER [write]. FOLDER/outcomes has two numbers for each file
 * of FOLDER's archives: of its bytes as metadata, and of the picture, the map and the metadata that they give. Samples that
 * another version of a library may round otherwise do not count. The second number is 0, and not compared, where this build has
 * no codec of the format, or the codec's library refuses the file. */
#include "codec/codec.h"
#include "embedded/embedded.h"
#include "format/icc.h"
#include "format/xmp_clean.h"
#include "metadata/subject_area.h"
#include "support/archive.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 1 << 16 /* pixels */, ENOUGH = 8 /* files that are named */ };

/* The name serves formats without a signature: TGA. */
#define NAME "a.tga"

static uint64_t sum; /* FNV-1a of what a file gives */

static void note(const void *data, size_t size)
{
    for (size_t i = 0; i < size; i++)
        sum = (sum ^ ((const uint8_t *)data)[i]) * 0x100000001b3;
}

static void note_numbers(const double *numbers, size_t count)
{
    note(numbers, count * sizeof *numbers);
}

static void note_blob(const blob *b)
{
    note_numbers(&(double){(double)b->size}, 1);
    note(b->data, b->size);
}

/* --- Pictures --------------------------------------------------------------------------------- */

static void note_gain(const gain_map *g)
{
    blob packet = {0};
    gain_write_xmp(g, &packet);
    note_blob(&packet);
    blob_free(&packet);
}

/* Fits the metadata to a format, in turn. */
static void note_metadata(metadata *m, const satb_image *image, int orientation)
{
    static const metadata_format formats[] = {METADATA_PNG,  METADATA_JPEG, METADATA_TIFF,
                                              METADATA_WEBP, METADATA_HEIF, METADATA_EXR};
    const subject_area area = subject_area_find(m, image->width, image->height, orientation);
    note_numbers((const double[]){area.left, area.top, area.width, area.height}, 4);
    for (int i = 0; i < 2; i++) {
        const blob *const blobs[] = {&m->icc, &m->exif, &m->xmp, &m->own};
        for (int k = 0; k < 4; k++)
            note_blob(blobs[k]);
        note(m->lost.text, strlen(m->lost.text));
        note_numbers((const double[]){m->density.x, m->density.y, m->density.unit, m->turned,
                                      m->gamma, m->standard},
                     6);
        if (i == 0)
            metadata_fit(m, formats[m->xmp.size % 6], image->channels);
    }
}

static void note_picture(picture *pic)
{
    static const char lossy[] = "JPEG WebP HEIC AVIF JPEG XL";
    const satb_image *const image = &pic->image;
    const values *const v = &pic->values;
    note_numbers((const double[]){image->width, image->height, image->channels, image->bits,
                                  image->half, pic->white, pic->orientation, v->width, v->height,
                                  v->is_metres, v->is_assumed},
                 11);
    note(v->from, strlen(v->from));
    if (image->data && !strstr(lossy, pic->format))
        note(image->data, picture_bytes(image));
    if (v->data)
        note(v->data, sizeof(float) * (size_t)v->width * (size_t)v->height);
    if (pic->gain.image.data)
        note_gain(&pic->gain);
    note_metadata(&pic->meta, image, pic->orientation);
}

static bool read_picture(bytes in, decode_settings settings)
{
    picture pic;
    problem p;
    settings.max_pixels = MOST;
    const bool done = picture_decode(&pic, in.data, in.size, NAME, &settings, &p);
    note(&done, sizeof done);
    if (done)
        note_picture(&pic);
    picture_free(&pic);
    return done;
}

static void read_embedded(bytes in, embedded_kind kind)
{
    embedded_map map;
    problem p = {.text = ""};
    const decode_settings settings = {.max_pixels = MOST};
    const embedded_status status = embedded_find(in, kind, &settings, &map, &p);
    note(&status, sizeof status);
    if (status != EMBEDDED_FOUND)
        return;
    const embedded_meaning *const m = &map.means;
    note(map.source, strlen(map.source));
    note_numbers((const double[]){m->type, m->near_black, m->near_is_assumed, m->distance_near,
                                  m->distance_far, m->holes, m->range_low, m->range_high,
                                  m->is_turned, (double)map.original.size},
                 10);
    note_picture(&map.picture);
    embedded_free(&map);
}

/* --- Files ------------------------------------------------------------------------------------ */

/* Reads any bytes as numbers and texts of metadata. */
static void read_block(bytes in)
{
    gain_map xmp = {.dark = 0}, iso = {.dark = 0};
    double matrix[3][3] = {{0}};
    const char *why;
    note_numbers((const double[]){hidden_raw(in), (double)hidden_coded(in), hidden_picture(in),
                                  hidden_is_text(in), xmp_find(in), icc_to_srgb(in, matrix)},
                 6);
    note_numbers(matrix[0], 9);
    if (gain_read_xmp(in, &xmp, &why) == GAIN_READ)
        note_gain(&xmp);
    if (gain_read_iso(in, &iso, &why) == GAIN_READ)
        note_gain(&iso);
}

/* Returns the sum, which is not 0. */
static uint32_t number(void)
{
    return (uint32_t)(sum >> 32) | 1;
}

static void outcome(bytes in, uint32_t numbers[2])
{
    const codec *const c = codec_of(in, NAME);
    const bool is_own = c && strncmp(c->library, "satblur", 7) == 0;
    sum = 0xcbf29ce484222325;
    read_block(in);
    numbers[0] = number();
    const bool is_read = read_picture(in, (decode_settings){.gain = GAIN_KEEP});
    read_picture(in, (decode_settings){.choice = CODEC_PLAIN, .gain = GAIN_LIGHT});
    read_picture(in, (decode_settings){.as_map = true});
    read_embedded(in, EMBEDDED_DEPTH);
    read_embedded(in, EMBEDDED_MATTE);
    numbers[1] = is_read || is_own ? number() : 0;
}

/* Writes a file's numbers, or returns whether they are as they were. */
static bool is_as_before(bytes in, FILE *before, bool writes)
{
    uint32_t now[2], was;
    bool same = true;
    outcome(in, now);
    for (int i = 0; i < 2; i++)
        if (writes)
            fprintf(before, "%08x", now[i]);
        else
            same &= fscanf(before, "%8x", &was) == 1 && (!was || !now[i] || was == now[i]);
    return same;
}

/* Returns how many files of an archive give other results; -1: it is damaged. */
static int run_archive(const char *path, FILE *before, bool writes)
{
    archive_file file;
    archive_status status = ARCHIVE_DAMAGED;
    int wrong = 0;
    FILE *const from = fopen(path, "rb");
    while (from && wrong < ENOUGH && (status = archive_next(from, &file)) == ARCHIVE_FILE) {
        if (!is_as_before((bytes){file.data, file.size}, before, writes) && ++wrong)
            printf("%s: %s gives another result; if it is meant: outcomes FOLDER write\n", path,
                   file.name);
        free(file.data);
    }
    if (from)
        fclose(from);
    return status == ARCHIVE_DAMAGED ? -1 : wrong;
}

int main(int argc, char **argv)
{
    static const char *const archives[] = {"decode.tar", "embedded.tar", "gain.tar", "jpeg.tar"};
    const bool writes = argc == 3 && strcmp(argv[2], "write") == 0;
    FILE *numbers = NULL;
    int wrong = 0;
    if (argc != 2 + writes || chdir(argv[1]) != 0 ||
        !(numbers = fopen("outcomes", writes ? "w" : "r")))
        return fprintf(stderr, "outcomes FOLDER [write]\n"), 2;
    for (size_t i = 0; !wrong && i < sizeof archives / sizeof *archives; i++)
        wrong = run_archive(archives[i], numbers, writes);
    return fclose(numbers) != 0 || wrong != 0;
}
