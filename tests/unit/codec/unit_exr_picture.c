/* Pictures from EXR: samples, windows, tiles, the choice of the channels, the channel of depth beside them, attributes that
 * are carried, and what is refused. */
#include "codec/codec.h"
#include "embedded/embedded.h"
#include "image/half.h"
#include "metadata/metadata.h"
#include "unit/codec/codec_case.h"
#include "unit/codec/exr_case.h"

#include <string.h>

#include "unit/unit.h"

/* Checks that the channels of those numbers are the picture, in that order. at: which, -1 behind the last. */
static void reads(const exr_case *e, const int at[4], const char *note)
{
    picture pic;
    problem p;
    blob file = exr_case_file(e);
    const int width = e->shown_width ? e->shown_width : e->width;
    const int height = e->shown_height ? e->shown_height : e->height;
    if (!picture_decode(&pic, file.data, file.size, "a.exr", NULL, &p))
        fail_msg("%s", p.text);
    assert_int_equal(pic.image.width, width);
    assert_int_equal(pic.image.height, height);
    assert_int_equal(pic.image.half, 1);
    assert_string_equal(pic.note, note);
    const uint16_t *got = pic.image.data;
    for (int i = 0; i < width * height; i++)
        for (int c = 0; c < pic.image.channels; c++, got++) {
            const int x = i % width - e->left, y = i / width - e->top;
            const bool has = x >= 0 && x < e->width && y >= 0 && y < e->height;
            assert_true(at[c] >= 0);
            assert_int_equal(*got, has ? half_of(exr_case_number(e, at[c], x, y)) : 0);
        }
    assert_true(pic.image.channels == 4 || at[pic.image.channels] < 0);
    picture_free(&pic);
    blob_free(&file);
}

static void refuses_bytes(blob file, const char *text)
{
    picture pic;
    problem p;
    if (picture_decode(&pic, file.data, file.size, "a.exr", NULL, &p))
        fail_msg("is read: %s", text);
    if (strncmp(p.text, "a.exr: ", 7) != 0 || !strstr(p.text, text))
        fail_msg("%s", p.text);
}

static void refuses(const exr_case *e, const char *text)
{
    blob file = exr_case_file(e);
    refuses_bytes(file, text);
    blob_free(&file);
}

static void test_samples(void **state)
{
    static const int rgba[] = {3, 2, 1, 0};
    for (int type = EXR_CASE_UINT; type <= EXR_CASE_FLOAT; type++)
        for (int tile = 0; tile <= 4; tile += 4) {
            const exr_case e = {.width = 7,
                                .height = 5,
                                .names = {"A", "B", "G", "R"},
                                .type = type,
                                .differ = true,
                                .tile = tile};
            reads(&e, rgba, "");
        }
}

static void test_windows(void **state)
{
    static const int gray[4] = {0, -1}, gray_alpha[4] = {1, 0, -1};
    const exr_case inside = {.width = 3,
                             .height = 2,
                             .left = 2,
                             .top = 1,
                             .shown_width = 6,
                             .shown_height = 5,
                             .names = {"A", "Y"},
                             .differ = true,
                             .type = EXR_CASE_FLOAT};
    const exr_case over = {.width = 7,
                           .height = 6,
                           .left = -2,
                           .top = -3,
                           .shown_width = 3,
                           .shown_height = 2,
                           .names = {"Y"},
                           .tile = 4,
                           .type = EXR_CASE_HALF};
    reads(&inside, gray_alpha, "");
    reads(&over, gray, "");
}

static void test_layers(void **state)
{
    static const struct {
        const char *names[8];
        int at[5];
        const char *note;
    } cases[] = {
        {{"B", "G", "R", "Z"}, {2, 1, 0, -1}, "1 other channel (Z) is not copied to the output"},
        {{"B", "G", "L.B", "L.G", "L.R", "R"},
         {5, 1, 0, -1},
         "3 other channels (L.B, L.G, L.R) are not copied to the output"},
        {{"L.A", "L.B", "L.G", "L.R"}, {3, 2, 1, 0}, ""},
        {{"A.B", "A.G", "A.R", "V.Combined.B", "V.Combined.G", "V.Combined.R"},
         {5, 4, 3, -1},
         "3 other channels (A.B, A.G, A.R) are not copied to the output"},
        {{"Combined.B", "Combined.G", "Combined.R", "L.B", "L.G", "L.R"},
         {2, 1, 0, -1},
         "3 other channels (L.B, L.G, L.R) are not copied to the output"},
        {{"Y", "Z"}, {0, -1}, "1 other channel (Z) is not copied to the output"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        exr_case e = {.width = 2, .height = 2, .type = EXR_CASE_HALF, .differ = true};
        memcpy(e.names, cases[i].names, sizeof cases[i].names);
        reads(&e, cases[i].at, cases[i].note);
    }
}

static void test_refused(void **state)
{
    static const struct {
        const char *names[8], *text;
    } cases[] = {
        {{"A.B", "A.G", "A.R", "C.B", "C.G", "C.R"}, "2 layers have R, G and B; save only one"},
        {{"BY", "RY", "Y"}, "luminance with chroma (RY, BY) is not read here; save it as RGB"},
        {{"Z"}, "no channels R, G and B, or Y, but Z; if that is depth, give it to --depth"},
        {{"X", "Y", "Z"}, "no channels R, G and B, or Y, but X, Y, Z"},
        {{"G", "R"}, "no channels R, G and B, or Y, but G, R"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        exr_case e = {.width = 2, .height = 2, .type = EXR_CASE_HALF};
        memcpy(e.names, cases[i].names, sizeof cases[i].names);
        refuses(&e, cases[i].text);
    }
    exr_case e = {.width = 4, .height = 4, .names = {"B", "G", "R"}, .sampling = 2};
    refuses(&e, "subsampled channels");
    e.sampling = 0;
    e.packing = 8;
    refuses(&e, "DWAA compression");
}

/* A few pixels within a display of usual size are a picture; within 30001 x 30001 they are none. */
static void test_display(void **state)
{
    exr_case e = {.width = 10,
                  .height = 10,
                  .left = 2000,
                  .top = 1000,
                  .shown_width = 4096,
                  .shown_height = 2160,
                  .names = {"B", "G", "R"},
                  .type = EXR_CASE_HALF};
    reads(&e, (const int[4]){2, 1, 0, -1}, "");
    e.shown_width = e.shown_height = 30001;
    refuses(&e, "claims 30001 x 30001 pixels in");
}

/* --- Depth beside the picture ----------------------------------------------------------------- */

static void test_own_depth(void **state)
{
    static const struct {
        const char *names[8], *given, *found;
    } cases[] = {
        {{"B", "G", "R", "Z"}, NULL, "Z"},
        {{"V.Combined.R", "V.Depth.Z", "V.N.X", "V.N.Z"}, NULL, "V.Depth.Z"},
        {{"B", "G", "R", "depth"}, NULL, "depth"},
        {{"B", "G", "R", "far"}, "far", "far"},
        {{"B", "G", "R", "far"}, NULL, NULL},
        {{"B", "G", "R"}, NULL, NULL},
        {{"Y"}, NULL, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        exr_case e = {.width = 2, .height = 2, .type = EXR_CASE_HALF};
        memcpy(e.names, cases[i].names, sizeof cases[i].names);
        const decode_settings settings = {.channel = cases[i].given};
        blob file = exr_case_file(&e);
        embedded_map map;
        problem p;
        const embedded_status status =
            embedded_find(blob_view(&file), EMBEDDED_DEPTH, &settings, &map, &p);
        assert_int_equal(status, cases[i].found ? EMBEDDED_FOUND : EMBEDDED_NONE);
        if (cases[i].found)
            assert_string_equal(map.picture.values.from, cases[i].found);
        embedded_free(&map);
        assert_int_equal(embedded_find(blob_view(&file), EMBEDDED_MATTE, &settings, &map, &p),
                         EMBEDDED_NONE);
        embedded_free(&map);
        blob_free(&file);
    }
}

/* --- Damage ----------------------------------------------------------------------------------- */

static void test_damage(void **state)
{
    const exr_case e = {
        .width = 5, .height = 4, .names = {"B", "G", "R", "Z"}, .type = EXR_CASE_HALF, .tile = 3};
    blob file = exr_case_file(&e);
    for (size_t size = 4; size < file.size; size++) {
        uint8_t *const copy = unit_copy(file.data, size);
        refuses_bytes((blob){.data = copy, .size = size}, "; ");
    }
    const decode_settings few = {.max_pixels = 1 << 16};
    for (size_t at = 4; at < file.size; at++)
        for (int bit = 0; bit < 8; bit++) {
            picture pic;
            problem p = {.text = ""};
            file.data[at] ^= (uint8_t)(1 << bit);
            if (picture_decode(&pic, file.data, file.size, "a.exr", &few, &p))
                picture_free(&pic);
            else
                assert_true(p.text[0] && !strchr(p.text, '\n'));
            file.data[at] ^= (uint8_t)(1 << bit);
        }
    blob_free(&file);
}

/* --- Attributes ------------------------------------------------------------------------------- */

static void put(blob *to, const char *name, const char *type, const void *value, size_t size)
{
    const uint8_t length[4] = {(uint8_t)size, (uint8_t)(size >> 8), 0, 0};
    blob_add(to, name, strlen(name) + 1);
    blob_add(to, type, strlen(type) + 1);
    blob_add(to, length, 4);
    blob_add(to, value, size);
}

/* Returns a file with the attributes, which are all that is read of it here. */
static blob header_of(void)
{
    static const float two = 2, chroma[8] = {0.7F, 0.3F, 0.2F, 0.8F, 0.1F, 0, 0.3F, 0.3F};
    static const uint8_t zeros[8] = {0}, window[16] = {0};
    blob b = {0};
    blob_add(&b, "v/1\1\2\0\0\0", 8);
    put(&b, "chromaticities", "chromaticities", chroma, sizeof chroma);
    put(&b, "dataWindow", "box2i", window, sizeof window);
    put(&b, "framesPerSecond", "rational", zeros, 8);
    put(&b, "name", "string", "part", 4);
    put(&b, "odd", "float", zeros, 8);
    put(&b, "owner", "string", "me", 2);
    put(&b, "pixelAspectRatio", "float", &two, 4);
    put(&b, "screenWindowWidth", "float", &two, 4);
    put(&b, "tiles", "float", &two, 4);
    put(&b, "with zero", "string", "a\0b", 3);
    blob_add(&b, "", 1);
    return b;
}

static void test_attributes(void **state)
{
    metadata m = {0}, again = {0};
    blob file = header_of();
    metadata_read(&m, METADATA_EXR, blob_view(&file));
    assert_string_equal(m.own_words.text,
                        "chromaticities, framesPerSecond, owner, pixelAspectRatio");
    uint16_t black[3] = {0};
    const satb_image image = {
        .data = black, .stride = 6, .width = 1, .height = 1, .channels = 3, .bits = 16, .half = 1};
    encode_settings with = case_settings;
    with.meta = &m;
    memory out = case_encoded_by("a.exr", &image, &with);
    metadata_read(&again, METADATA_EXR, (bytes){.data = out.data, .size = out.size});
    assert_string_equal(again.own_words.text,
                        "pixelAspectRatio, chromaticities, framesPerSecond, owner");
    assert_int_equal(again.own.size, m.own.size);
    const uint8_t *at = again.own.data; /* the first attribute: two texts, a size and a float */
    at += strlen("pixelAspectRatio") + 1 + strlen("float") + 1 + 4;
    assert_memory_equal(at, "\0\0\0\x40", 4);
    at += 4;
    assert_memory_equal(at, m.own.data, (size_t)(again.own.data + again.own.size - at));
    metadata_fit(&again, METADATA_PNG, 3);
    assert_true(words_have(&again.lost, "chromaticities"));
    assert_null(again.own.data);
    metadata_free(&again);
    metadata_free(&m);
    blob_free(&file);
}

UNIT_MAIN(UNIT(test_samples), UNIT(test_windows), UNIT(test_layers), UNIT(test_refused),
          UNIT(test_display), UNIT(test_own_depth), UNIT(test_damage), UNIT(test_attributes))
