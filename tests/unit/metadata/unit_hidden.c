/* Texts that may be pictures in base64 or hex, and texts that only look strange; encodings of XMP */
#include "unit/metadata/metadata_case.h"

#include "format/hidden.h"
#include "format/photoshop.h"
#include "format/xmp_clean.h"

#include <satb_config.h>

#include <stdio.h>
#include <string.h>

#include "unit/unit.h"

/* Returns the text that many times, for blob_free(). */
static blob repeated(const char *text, int times)
{
    blob b = {0};
    for (int i = 0; i < times; i++)
        blob_add(&b, text, strlen(text));
    return b;
}

static void test_texts_that_stay(void **state)
{
    static const char *const texts[] = {
        "a photo of a cat, (masterpiece:1.2), Steps: 20, Sampler: Euler, Seed: 1234567890, ",
        "------------------------------------------------------------------------\n",
        "/home/somebody/pictures/2020/2020-05-01/holiday-in-the-north/IMG_0001.jpg\n",
        "{\"lora_strength_of_the_model\":1,\"lora_strength_of_the_text_encoder\":0.5}",
        "xmp.did:0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0, ",
        "uuid:faf5bdd5-ba3d-11da-ad31-d33d75182f1b 0A1B2C3D4E5F60718293A4B5C6D7E8F9\n",
        "pneumonoultramicroscopicsilicovolcanoconiosis_and_other_words_of_the_language ",
        "http://www.example.com/a/long/path/of/some/page/without/any/number/in/it?x=1 ",
        "0, 0, 32, 22, 64, 56, 128, 128, 192, 196, 255, 255; ",
        "faf5bdd5-ba3d-11da-ad31-d33d75182f1b, ",
        "{FAF5BDD5-BA3D-11DA-AD31-D33D75182F1B} 0a1b2c3d4e5f60718293a4b5c6d7e8f9,",
        "#0fa3c7 #e4b1d2 ",
        "Nikon Z8 w/ NIKKOR Z 24-120mm f/4 S @ 1/250s, ISO 64; XF16-55mmF2.8 R LM WR ",
        "{\"class_type\":\"KSampler\",\"seed\":882137649,\"pos\":[413.5,-389]},",
        "https://www.example.com/photos/somebody/53126671923/in/album-72177720310/ ",
        "M10.53,-20.1L3.75,4c-7,9.25,1,2,3.5,4 "};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        blob b = repeated(texts[i], 200);
        if (hidden_picture(blob_view(&b)) || !hidden_is_text(blob_view(&b)))
            fail_msg("taken for a picture: %s", texts[i]);
        blob_free(&b);
    }
    blob few = repeated("da39a3ee5e6b4b0d3255bfef95601890afd80709 ", 12); /* SHA-1 */
    assert_false(hidden_picture(blob_view(&few)));
    blob_free(&few);
}

static void test_texts_that_go(void **state)
{
    static const char *const texts[] = {
        "Q0gfWm5vaXNlIG9mIHJhbmRvbSBieXRlcyAxMjM0NTY3ODkwIGFuZCBtb3JlIG9mIHRoYXQg\n",
        "Q0gfWm5vaXNlIG9mIHJhbmRvbSBieXRlcyAxMjM0NTY3ODkwIGFuZCBtb3JlIG9mIHRoYXQg&#xA;",
        "ffd8ffe000104a46494600010101004800480000ffdb0043000a07070807060a08080b0a",
        "16Vt PPz5 pE3H Fmka zauh uKkS ZGVD xpd6 WkOs J1PP EBcx IgcR E70S BTar zmZm maWM "
        "CRr/ 6mqH FEr/ cerM UkRy /Viy 4cPG mRAP 7EjQ OFf0 NIVu 3GOJ swI5 XHqs 1EaT Z53H ",
        "ff d8 ff e0 00 10 4a 46 49 46 00 01 01 01 00 48 00 48 00 00 ff db 00 43 00 0a 07 07 ",
        "0x0A, 0xBE, 0x33, 0x2C, 0xCB, 0xDC, 0xAD, 0xD3, 0x0E, 0xD4, 0x2E, 0x1B, "
        "0xE0, 0x0D, 0x00, 0x43, 0x4B, 0xF2, 0xE2, 0x36, 0xCE, 0xC8, 0x65, 0xF1, ",
        "DATA:image/Jpeg,",
        "\"/9j/4AAQ",
        " iVBORw0KGgo",
        "UklGRhIAAABXRUJQ",
        "AAAAGGZ0eXBoZWlj"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        blob b = repeated(texts[i], 12), wide = {0};
        if (!hidden_picture(blob_view(&b)))
            fail_msg("not found: %s", texts[i]);
        for (size_t k = 0; k < b.size; k++) {
            blob_add_number(&wide, b.data[k], 1);
            blob_add_number(&wide, 0, i & 1 ? 1 : 3);
        }
        if (i < 3)
            assert_true(hidden_picture(blob_view(&wide)));
        blob_free(&wide);
        blob_free(&b);
    }
}

/* In UTF-16 and UTF-32, with and without a mark; halves of a surrogate pair and cut units are refused. */
static void test_encodings(void **state)
{
    static const struct {
        const char *in;
        size_t size;
        const char *out; /* NULL: refused */
    } cases[] = {{"<a/>", 4, "<a/>"},
                 {"\xef\xbb\xbf<a/>", 7, "<a/>"},
                 {"<\0a\0", 4, "<a"},
                 {"\xfe\xff\0<\xd8\x3d\xdc\xf7", 8, "<\xf0\x9f\x93\xb7"},
                 {"\xff\xfe<\0\xac\x20", 6, "<\xe2\x82\xac"},
                 {"\0\0\xfe\xff\0\0\0<", 8, "<"},
                 {"\xff\xfe\0\0<\0\0\0\0\1\0\0", 12, "<\xc4\x80"},
                 {"\xfe\xff\0<\xd8\x3d", 6, NULL},
                 {"\xfe\xff\0<\xdc\xf7\0<", 8, NULL},
                 {"\xfe\xff\0<\0", 5, NULL},
                 {"\0\0\xfe\xff\0\x11\0\0", 8, NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        blob out = {0};
        const bytes in = {.data = (const uint8_t *)cases[i].in, .size = cases[i].size};
        assert_int_equal(hidden_to_utf8(in, &out), cases[i].out != NULL);
        if (cases[i].out) {
            assert_int_equal(out.size, strlen(cases[i].out));
            assert_memory_equal(out.data, cases[i].out, out.size);
        }
        blob_free(&out);
    }
}

static void test_xmp_that_is_not_understood(void **state)
{
    static const struct {
        const char *text;
        bool is_sound;
    } cases[] = {
        {"<a/>", true},
        {" <?xpacket begin='' id=''?><a b='&amp; &'>t &#1; <!-- c --></a>\n<?xpacket end='w'?>",
         true},
        {"<a xmlns:b='u:u&#47;'/>", false},
        {"<a>", false},
        {"</a><a>", false},
        {"<a b=c/>", false},
        {"<a/><!-- ", false},
        {"<!DOCTYPE a><a/>", false},
        {"<a>\x01</a>", false},
        {"text", false},
        {"", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const bytes in = {.data = (const uint8_t *)cases[i].text, .size = strlen(cases[i].text)};
        if (xmp_find(in) != (cases[i].is_sound ? 0 : HIDDEN_UNCLEAR))
            fail_msg("%s", cases[i].text);
    }
}

#if SATB_HAVE_OPENEXR
/* A text of an EXR is carried, but not one that is a picture. */
static void test_texts_of_exr(void **state)
{
    for (int hides = 0; hides <= 1; hides++) {
        blob file = {0};
        metadata m = {0};
        blob text = repeated(hides ? "/9j/4AAQSkZJRgABAQAAAQAB" : "a text of words. ", 40);
        blob_add(&file, "v/1\1\2\0\0\0preview\0string", 8 + 8 + 7);
        blob_add_number(&file, (text.size & 255) << 24 | (uint32_t)(text.size >> 8) << 16, 4);
        blob_add(&file, text.data, text.size);
        metadata_read(&m, METADATA_EXR, blob_view(&file));
        assert_string_equal(m.lost.text, hides ? "preview (may hold a picture)" : "");
        assert_string_equal(m.own_words.text, hides ? "" : "preview");
        metadata_free(&m);
        blob_free(&text);
        blob_free(&file);
    }
}
#endif

/* --- Photoshop's blocks ----------------------------------------------------------------------- */

/* Records of IPTC: previews and objects go. A size of the size that ends beyond the block is not understood. */
static void test_iptc(void **state)
{
    for (int record = 0; record <= 4; record++)
        for (int set = 0; set <= 255; set++) {
            const uint8_t one[] = {IPTC_MARK, (uint8_t)record, (uint8_t)set, 0, 1, 'x'};
            const bool stays =
                record == 1 || (record == 2 && set != 125 && (set < 200 || set > 202));
            assert_int_equal(iptc_find((bytes){one, sizeof one}), stays ? 0 : HIDDEN_BLOCKS);
        }
    const uint8_t wide[] = {IPTC_MARK, 2, 5, 0x80, 4, 0, 0, 0, 1, 'x'};
    for (size_t size = 1; size < sizeof wide; size++)
        assert_int_equal(iptc_find((bytes){wide, size}), HIDDEN_UNCLEAR);
    assert_int_equal(iptc_find((bytes){wide, sizeof wide}), 0);
}

/* Resources that hold no numbers, names, texts or paths go. */
static void test_resources(void **state)
{
    static const int gone[] = {1004, 1014, 1019, 1029, 1033, 1036, 1038, 1039, 1046,
                               1047, 1048, 1055, 1056, 1058, 1059, 1063, 1068, 1081};
    for (int number = 980; number < 10010; number += number == 1100 ? 890 : 1) {
        uint8_t block[14] = {'8', 'B', 'I', 'M', (uint8_t)(number >> 8), (uint8_t)number};
        bool stays = (number >= 1000 && number <= 1088) || (number >= 2000 && number <= 3000) ||
                     number == 10000;
        for (size_t i = 0; i < sizeof gone / sizeof *gone; i++)
            stays = stays && number != gone[i];
        block[11] = 2;
        const int found = photoshop_find((bytes){block, sizeof block});
        const int lost = number == 1033 || number == 1036 ? HIDDEN_THUMBNAIL : HIDDEN_BLOCKS;
        if (number != 1028 && number != 1060 && found != (stays ? 0 : lost)) /* IPTC, XMP */
            fail_msg("%d: %d", number, found);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT(test_texts_that_stay),
        UNIT(test_texts_that_go),
        UNIT(test_encodings),
        UNIT(test_xmp_that_is_not_understood),
        UNIT(test_iptc),
        UNIT(test_resources),
#if SATB_HAVE_OPENEXR
        UNIT(test_texts_of_exr),
#endif
    };
    return cmocka_run_group_tests_name("hidden", tests, NULL, NULL);
}
