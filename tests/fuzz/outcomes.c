/* What readers make of the fuzzers' files stays the same: outcomes FOLDER [write]. FOLDER/outcomes has a number for each file of
 * FOLDER's archives: of the picture, the maps and the metadata that it gives, without samples that another version of a library
 * may round otherwise. It is 0, and not compared, where the build has no codec of the format, or its library refuses the file. */
#include "codec/codec.h"
#include "embedded/embedded.h"
#include "format/hidden.h"
#include "format/icc.h"
#include "metadata/subject_area.h"
#include "support/archive.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 1 << 16 /* pixels */ };
#define NAME "a.tga" /* serves formats without a signature: TGA */

static uint64_t sum; /* FNV-1a of what a file gives */

static void note(const void *data, size_t size)
{
    for (size_t i = 0; i < size; i++)
        sum = (sum ^ ((const uint8_t *)data)[i]) * 0x100000001b3;
}

#define NOTE(...) note((const double[]){__VA_ARGS__}, sizeof(double[]){__VA_ARGS__})

/* Also as it is fitted to a format, in turn. */
static void note_metadata(metadata *m, int width, int height, int orientation)
{
    static const metadata_format formats[] = {METADATA_PNG,  METADATA_JPEG, METADATA_TIFF,
                                              METADATA_WEBP, METADATA_HEIF, METADATA_EXR};
    const subject_area area = subject_area_find(m, width, height, orientation);
    NOTE(area.left, area.top, area.width, area.height);
    for (int i = 0; i < 2; i++) {
        const blob *const blobs[] = {&m->icc, &m->exif, &m->xmp, &m->own};
        for (int k = 0; k < 4; k++)
            note(blobs[k]->data, blobs[k]->size);
        note(m->lost.text, strlen(m->lost.text));
        NOTE(m->density.x, m->density.y, m->density.unit, m->turned, m->gamma, m->standard);
        if (i == 0)
            metadata_fit(m, formats[m->xmp.size % 6], 3);
    }
}

static void note_picture(picture *pic)
{
    const satb_image *const image = &pic->image;
    const values *const v = &pic->values;
    blob gain = {0};
    NOTE(image->width, image->height, image->channels, image->bits, image->half, pic->white,
         pic->orientation, v->width, v->height, v->is_metres, v->is_assumed);
    note(v->from, strlen(v->from));
    if (image->data && !strstr("JPEG WebP HEIC AVIF JPEG XL", pic->format))
        note(image->data, picture_bytes(image));
    if (v->data)
        note(v->data, sizeof(float) * (size_t)v->width * (size_t)v->height);
    if (pic->gain.image.data)
        gain_write_xmp(&pic->gain, &gain);
    note(gain.data, gain.size);
    blob_free(&gain);
    note_metadata(&pic->meta, image->width, image->height, pic->orientation);
}

static bool read_picture(bytes in, decode_settings settings)
{
    picture pic;
    problem p;
    settings.max_pixels = MOST;
    const bool done = picture_decode(&pic, in.data, in.size, NAME, &settings, &p);
    NOTE(done);
    if (done)
        note_picture(&pic);
    picture_free(&pic);
    return done;
}

static void read_embedded(bytes in, embedded_kind kind)
{
    embedded_map map;
    problem p = {.text = ""};
    const embedded_status status =
        embedded_find(in, kind, &(decode_settings){.max_pixels = MOST}, &map, &p);
    NOTE(status);
    if (status != EMBEDDED_FOUND)
        return;
    const embedded_meaning *const m = &map.means;
    note(map.source, strlen(map.source));
    NOTE(m->type, m->near_black, m->near_is_assumed, m->distance_near, m->distance_far, m->holes,
         m->range_low, m->range_high, m->is_turned, (double)map.original.size);
    note_picture(&map.picture);
    embedded_free(&map);
}

/* Returns a file's number. */
static uint32_t outcome(bytes in)
{
    const codec *const c = codec_of(in, NAME);
    const bool is_own = c && strncmp(c->library, "satblur", 7) == 0;
    double matrix[9] = {0};
    sum = 0xcbf29ce484222325;
    NOTE(icc_to_srgb(in, (double(*)[3])matrix), hidden_raw(in), (double)hidden_coded(in));
    note(matrix, sizeof matrix);
    const bool is_read = read_picture(in, (decode_settings){.gain = GAIN_KEEP});
    read_picture(in, (decode_settings){.choice = CODEC_PLAIN, .gain = GAIN_LIGHT});
    read_picture(in, (decode_settings){.as_map = true});
    read_embedded(in, EMBEDDED_DEPTH);
    read_embedded(in, EMBEDDED_MATTE);
    return is_read || is_own ? (uint32_t)(sum >> 32) | 1 : 0;
}

/* Compares an archive's files with the numbers, or writes these. Returns whether all are as before. */
static bool run_archive(const char *path, FILE *numbers, bool writes)
{
    archive_file file;
    archive_status status = ARCHIVE_DAMAGED;
    bool same = true;
    FILE *const from = fopen(path, "rb");
    while (from && (status = archive_next(from, &file)) == ARCHIVE_FILE) {
        const uint32_t now = outcome((bytes){file.data, file.size});
        uint32_t before = 0;
        if (writes)
            fprintf(numbers, "%08x", now);
        else if (fscanf(numbers, "%8x", &before) != 1 || (before && now && before != now))
            same = printf("%s: %s gives another result; if it is meant: outcomes FOLDER write\n",
                          path, file.name) < 0;
        free(file.data);
    }
    if (from)
        fclose(from);
    return same && status == ARCHIVE_END;
}

int main(int argc, char **argv)
{
    static const char *const archives[] = {"decode.tar", "embedded.tar", "gain.tar", "jpeg.tar"};
    const bool writes = argc == 3 && strcmp(argv[2], "write") == 0;
    bool same = true;
    FILE *numbers = NULL;
    if (argc != 2 + writes || chdir(argv[1]) != 0 ||
        !(numbers = fopen("outcomes", writes ? "w" : "r")))
        return fprintf(stderr, "outcomes FOLDER [write]\n"), 2;
    for (int i = 0; i < 4; i++)
        same &= run_archive(archives[i], numbers, writes);
    return fclose(numbers) != 0 || !same;
}
