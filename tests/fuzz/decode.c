/* Reads any bytes as a picture file, by the fast codecs and by the plain ones, and as a depth map. The metadata is
 * carried into files of all formats that have places for it, which are read again. */
#include "codec/codec.h"
#include "codec/heif/heif_aux.h"
#include "embedded/embedded.h"
#include "format/exif.h"
#include "format/hidden.h"
#include "format/xmp_clean.h"
#include "fuzz/fuzz.h"
#include "metadata/subject_area.h"
#include "nvjpeg/jpeg_validate.h"
#include "image/orientation.h"

#include <satb_config.h>

#include <libdeflate.h>

enum { MOST = 1 << 18 }; /* pixels: small files that claim much make a fuzzer slow */

/* The name serves formats without a signature: TGA. */
#define NAME "a.tga"

static bool read_picture(picture *pic, bytes in, codec_choice choice, problem *p)
{
    const decode_settings settings = {.choice = choice, .max_pixels = MOST};
    const bool done = picture_decode(pic, in.data, in.size, NAME, &settings, p);
    if (done) {
        CHECK(pic->image.data && pic->library && pic->format[0]);
        CHECK((uint64_t)pic->image.width * (uint64_t)pic->image.height <= MOST);
        CHECK(pic->orientation >= 1 && pic->orientation <= 8);
    } else {
        CHECK(!pic->image.data && p->text[0] && strlen(p->text) < sizeof p->text);
    }
    return done;
}

/* Looks for a map within a photo. Returns whether anything is told of one. */
static bool has_map(bytes in)
{
    const decode_settings settings = {.choice = CODEC_FAST, .max_pixels = MOST};
    bool has = false;
    for (int kind = EMBEDDED_DEPTH; kind <= EMBEDDED_MATTE; kind++) {
        embedded_map map;
        problem p = {.text = ""};
        const embedded_status status = embedded_find(in, (embedded_kind)kind, &settings, &map, &p);
        CHECK((status == EMBEDDED_FAILED) == (p.text[0] != '\0') || status == EMBEDDED_FOUND);
        CHECK((status == EMBEDDED_FOUND) == (map.picture.image.data || map.picture.values.data));
        CHECK(status != EMBEDDED_FOUND || map.source);
        has = has || status != EMBEDDED_NONE;
        embedded_free(&map);
    }
    return has;
}

/* --- What is read is written and read again --------------------------------------------------- */

static bool same_shape(const satb_image *a, const satb_image *b)
{
    return a->width == b->width && a->height == b->height && a->channels == b->channels &&
           a->bits == b->bits && a->half == b->half;
}

static bool same_pixels(const satb_image *a, const satb_image *b)
{
    return same_shape(a, b) && memcmp(a->data, b->data, picture_bytes(a)) == 0;
}

/* Returns whether the format holds all pictures of the kind as they are. */
static bool keeps_pixels(const codec *c, const satb_image *image)
{
    const metadata_format m = codec_metadata(c);
    return m == METADATA_TIFF || m == (image->half ? METADATA_EXR : METADATA_PNG);
}

/* Takes the metadata, as an output does. */
static void write_again(picture *pic, const char *name, codec_choice choice)
{
    problem p;
    blob out = {0};
    satb_image fit;
    char note[128];
    sink to = {.write = blob_write, .user = &out};
    const codec *c = codec_for_output(name, &p);
    CHECK(codec_fit(c, &pic->image, choice, &fit, note, &p));
    const satb_image *const image = &pic->image;
    const subject_area area =
        subject_area_find(&pic->meta, image->width, image->height, pic->orientation);
    CHECK(!area.name ||
          (area.left >= 0 && area.top >= 0 && area.width > 0 && area.height > 0 &&
           area.width <= image->width - area.left && area.height <= image->height - area.top));
    const int turn = metadata_fit(&pic->meta, codec_metadata(c), fit.channels);
    const bytes xmp = blob_view(&pic->meta.xmp);
    CHECK(!hidden_picture(blob_view(&pic->meta.exif)) && !hidden_raw(xmp) &&
          !(xmp.size > 0 && xmp_find(xmp) & HIDDEN_PREVIEWS));
    CHECK(orientation_apply(&pic->image, turn));
    const encode_settings settings = {
        .quality = 90, .compression = 1, .choice = choice, .meta = &pic->meta};
    CHECK(codec_encode(c, &pic->image, &settings, &to, &p) && !to.failed);
    picture again;
    CHECK(picture_decode(&again, out.data, out.size, name, NULL, &p));
    CHECK(again.meta.lost.text[0] == '\0');
    CHECK(!has_map(blob_view(&out)));
    CHECK(again.image.width == pic->image.width && again.image.height == pic->image.height);
    CHECK(!keeps_pixels(c, &pic->image) || same_pixels(&again.image, &pic->image));
    CHECK(turn == 1 || again.orientation == 1);
    picture_free(&again);
    blob_free(&out);
}

/* The two go into two formats, in turn. */
static void rewrite(picture *fast, picture *plain, size_t turn)
{
    static const char *const names[] = {
        "a.png",
        "a.jpg",
#if SATB_HAVE_TIFF
        "a.tif",
#endif
#if SATB_HAVE_WEBP
        "a.webp",
#endif
#if SATB_HAVE_JXL
        "a.jxl",
#endif
#if SATB_HAVE_OPENEXR
        "a.exr",
#endif
        "a.hdr",
        "a.pfm",
        "a.ppm",
        "a.bmp",
        "a.tga",
    };
    enum { NAMES = sizeof names / sizeof *names };
    write_again(fast, names[turn % NAMES], CODEC_FAST);
    write_again(plain, names[(turn + 1) % NAMES], CODEC_PLAIN);
}

/* Reads the file as a depth map, by that channel or NULL. Files without numbers give their codes. */
static void read_map(bytes in, const char *channel)
{
    const decode_settings settings = {.max_pixels = MOST, .as_map = true, .channel = channel};
    picture map;
    problem p;
    if (picture_decode(&map, in.data, in.size, NAME, &settings, &p)) {
        CHECK((map.image.data != NULL) != (map.values.data != NULL));
        if (map.values.data)
            CHECK(map.values.width > 0 && map.values.height > 0 &&
                  (uint64_t)map.values.width * (uint64_t)map.values.height <= MOST);
    }
    picture_free(&map);
}

/* --- Two readers ------------------------------------------------------------------------------ */

/* libjpeg-turbo must read a file that is fit for nvJPEG without a warning. */
static void check_order(bytes in, const picture *fast)
{
    size_t size;
    if (strcmp(fast->format, "JPEG") == 0 && turbo_name() &&
        jpeg_validate(in, &fast->image, &size) == JPEG_SOUND)
        CHECK(strcmp(fast->library, turbo_name()) == 0 && size <= in.size);
}

/* Returns whether both readers must find the same pixels. Of a damaged HEIC they depend on memory that libde265 does not
 * fill, and that the program zeroes by means of the C library, which sanitizers replace. */
static bool has_one_answer(const picture *pic)
{
    return strcmp(pic->format, "JPEG") != 0 && strcmp(pic->format, "HEIC") != 0;
}

/* Reads the pictures beside the primary one. */
static void read_beside(bytes in)
{
    const decode_settings settings = {.max_pixels = MOST};
    for (int kind = HEIF_AUX_DEPTH; kind <= HEIF_AUX_MATTE; kind++) {
        heif_aux_image out;
        problem p;
        if (heif_aux_read(in, (heif_aux)kind, &settings, &out, &p) == HEIF_AUX_READ) {
            CHECK(out.image.data && out.image.channels == 1);
            CHECK(out.distance_near == 0 || out.distance_near < out.distance_far);
            pixels_free(out.image.data);
        }
    }
}

/* Compares the readers. PNG has one right answer. The samples of a JPEG are compared in jpeg.c, on
 * undamaged files: no standard defines those of damaged coefficients. */
static void judge(bytes in)
{
    picture fast, plain;
    problem a, b;
    const bool first = read_picture(&fast, in, CODEC_FAST, &a);
    const bool second = read_picture(&plain, in, CODEC_PLAIN, &b);
    CHECK(first || !second);
    CHECK(first || strcmp(a.text, b.text) == 0);
    if (!second) {
        CHECK(!first || strcmp(fast.library, "libjpeg-turbo") == 0); /* stb knows fewer markers */
        picture_free(&fast);
        return;
    }
    CHECK(same_shape(&fast.image, &plain.image));
    check_order(in, &fast);
    CHECK(!has_one_answer(&fast) || same_pixels(&fast.image, &plain.image));
    if (fast.image.width * fast.image.height <= 1 << 12)
        rewrite(&fast, &plain, in.size);
    picture_free(&fast);
    picture_free(&plain);
}

/* Returns a copy of a PNG whose chunks have right checksums, so that readers go on behind them. */
static uint8_t *mended(bytes in)
{
    uint8_t *copy = malloc(in.size);
    CHECK(copy);
    memcpy(copy, in.data, in.size);
    for (size_t at = 8; in.size - at >= 12;) {
        const size_t length = big_endian_32(copy + at);
        if (length > in.size - at - 12)
            break;
        const uint32_t sum = libdeflate_crc32(0, copy + at + 4, length + 4);
        for (int i = 0; i < 4; i++)
            copy[at + 8 + length + (size_t)i] = (uint8_t)(sum >> 8 * (3 - i));
        at += 12 + length;
    }
    return copy;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const channels[] = {"Z", "alpha", "Y"};
    const bytes in = {.data = data, .size = size};
    judge(in);
    read_map(in, NULL);
    read_map(in, channels[size % 3]);
    read_beside(in);
    has_map(in);
    if (size >= 8 && memcmp(data, "\x89PNG\r\n\x1a\n", 8) == 0) {
        uint8_t *copy = mended(in);
        if (memcmp(copy, data, size) != 0)
            judge((bytes){.data = copy, .size = size});
        free(copy);
    }
    return 0;
}
