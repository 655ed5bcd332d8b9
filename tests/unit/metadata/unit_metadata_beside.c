/* What files hold beside their picture: it is named, and nothing in the output says that it is there. */
#include "unit/metadata/metadata_case.h"

#include <string.h>

#include "unit/unit.h"

#define OPEN      "<x:xmpmeta xmlns:x='adobe:ns:meta/'><d a='kept' "
#define CAMERA    "xmlns:GCamera='http://ns.google.com/photos/1.0/camera/' "
#define CONTAINER "xmlns:Item='http://ns.google.com/photos/1.0/container/item/' "
#define CLOSE     "/></x:xmpmeta>"

static bool has(bytes in, const char *word)
{
    const size_t size = strlen(word);
    for (size_t i = 0; i + size <= in.size; i++)
        if (memcmp(in.data + i, word, size) == 0)
            return true;
    return false;
}

/* Checks what a JPEG with those segments and bytes behind its end loses, and that no output's XMP says that it is there. */
static void expect_promise(const char *xmp, const char *index, size_t index_size,
                           const char *behind, size_t behind_size, const char *lost)
{
    static const char *const promises[] = {"Motion", "MicroVideo", ":Version", "GainMap",
                                           "Semantic"};
    blob extra = {0};
    if (xmp)
        case_segment(&extra, 0xe1, XMP_JPEG, sizeof XMP_JPEG, xmp, strlen(xmp));
    if (index)
        case_segment(&extra, 0xe2, "MPF", 4, index, index_size);
    blob file = case_file("a.jpg", 3, &extra, false);
    blob_add(&file, behind, behind_size);
    picture pic = case_decoded("a.jpg", blob_view(&file), CODEC_FAST);
    assert_string_equal(pic.meta.lost.text, lost);
    const bytes kept = blob_view(&pic.meta.xmp);
    assert_true(!xmp || (has(kept, "a='kept'")));
    for (size_t i = 0; i < sizeof promises / sizeof *promises; i++)
        assert_false(has(kept, promises[i]));
    picture_free(&pic);
    blob_free(&file);
    blob_free(&extra);
}

/* Returns an index of MPF with two pictures, the second of that type. */
static void put_index(uint32_t type, uint8_t out[58])
{
    static const uint8_t head[] = {'M', 'M', 0, 42, 0, 0, 0, 8,  0, 1, 0xb0, 2, 0, 7,
                                   0,   0,   0, 32, 0, 0, 0, 26, 0, 0, 0,    0, 0, 3};
    memset(out, 0, 58);
    memcpy(out, head, sizeof head);
    out[43] = (uint8_t)(type >> 16);
    out[44] = (uint8_t)(type >> 8);
    out[45] = (uint8_t)type;
}

/* Each thing behind a picture that goes is named as what it is. */
static void test_promises(void **state)
{
    static const char video[] = "\0\0\0\x18"
                                "ftypmp42\0\0\0\0isommp42";
    static const char apple[] = "\xff\xd8 urn:com:apple:photo:2020:aux:hdrgainmap \xff\xd9";
    static const char depth[] = "\xff\xd8 http://ns.apple.com/depthData/1.0/ \xff\xd9";
    uint8_t other[58], stereo[58];
    put_index(0, other);
    put_index(0x020002, stereo);
    expect_promise(OPEN
                   "xmlns:hdrgm='http://ns.adobe.com/hdr-gain-map/1.0/' hdrgm:Version='1.0'" CLOSE,
                   (const char *)other, sizeof other, "", 0, "gain map");
    expect_promise(OPEN CONTAINER "Item:Semantic='GainMap'" CLOSE, NULL, 0, "", 0, "gain map");
    expect_promise(OPEN CONTAINER "Item:Semantic='Primary'" CLOSE, NULL, 0, "", 0, "");
    expect_promise(OPEN CONTAINER "Item:Semantic='MotionPhoto'" CLOSE, NULL, 0, video,
                   sizeof video - 1, "motion video");
    expect_promise(OPEN CAMERA "GCamera:MotionPhoto='1' GCamera:MotionPhotoVersion='1'" CLOSE, NULL,
                   0, "", 0, "motion video");
    expect_promise(OPEN CAMERA "GCamera:MicroVideo='1' GCamera:MicroVideoOffset='99'" CLOSE, NULL,
                   0, "", 0, "motion video");
    expect_promise(OPEN CONTAINER "Item:Semantic='Depth'" CLOSE, NULL, 0, "", 0, "XMP's depth map");
    expect_promise(NULL, NULL, 0, video, sizeof video - 1, "motion video");
    expect_promise(NULL, (const char *)other, sizeof other, "", 0, "further pictures (MPF)");
    expect_promise(NULL, (const char *)stereo, sizeof stereo, "", 0, "stereo pair");
    expect_promise(NULL, (const char *)other, sizeof other, apple, sizeof apple - 1, "gain map");
    expect_promise(NULL, (const char *)other, sizeof other, depth, sizeof depth - 1, "depth map");
}

UNIT_MAIN(UNIT(test_promises))
