/* Where metadata says that the subject is: regions of XMP and places of EXIF, of pictures that are stored in any orientation. */
#include "metadata/subject_area.h"

#include <stdio.h>
#include <string.h>

#include "unit/unit.h"

enum { WIDE = 400, HIGH = 200 }; /* as stored */

/* --- XMP -------------------------------------------------------------------------------------- */

#define LIST(size, ...)                                                                            \
    "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF "                                                \
    "xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><rdf:Description "                    \
    "xmlns:m='http://www.metadataworkinggroup.com/schemas/regions/' "                              \
    "xmlns:a='http://ns.adobe.com/xmp/sType/Area#' "                                               \
    "xmlns:d='http://ns.adobe.com/xap/1.0/sType/Dimensions#'>"                                     \
    "<m:Regions rdf:parseType='Resource'><m:AppliedToDimensions " size " d:unit='pixel'/>"         \
    "<m:RegionList><rdf:Bag>" __VA_ARGS__ "</rdf:Bag></m:RegionList></m:Regions>"                  \
    "</rdf:Description></rdf:RDF></x:xmpmeta>"
#define STORED "d:w='4000' d:h='2000'"
#define REGION(type, x, y, w, h)                                                                   \
    "<rdf:li><rdf:Description m:Type='" type "'><m:Area a:x='" x "' a:y='" y "' a:w='" w           \
    "' a:h='" h "' a:unit='normalized'/></rdf:Description></rdf:li>"
#define FACE REGION("Face", "0.75", "0.25", "0.1", "0.2")

static subject_area area_of(const char *xmp, int width, int height, int orientation, int turned)
{
    const metadata m = {.xmp = {.data = (uint8_t *)(uintptr_t)xmp, .size = strlen(xmp)},
                        .turned = turned};
    return subject_area_find(&m, width, height, orientation);
}

static void is_at(subject_area a, int left, int top, int width, int height)
{
    assert_non_null(a.name);
    assert_true(a.left == left && a.top == top && a.width == width && a.height == height);
}

static void test_regions(void **state)
{
    static const struct {
        const char *xmp, *name;
        int left; /* below 0: no region is found */
    } rows[] = {
        {LIST(STORED, FACE), "the face", 280},
        {LIST(STORED, REGION("Face", "0.1", "0.5", "0.05", "0.1") FACE), "the face", 280},
        {LIST(STORED, FACE REGION("Pet", "0.2", "0.5", "0.4", "0.9")), "the face", 280},
        {LIST(STORED, REGION("Focus", "0.2", "0.5", "0.1", "0.1") FACE), "the focus", 60},
        {LIST(STORED, REGION("BarCode", "0.2", "0.5", "0.1", "0.1")), NULL, -1},
        {LIST(STORED, REGION("Face", "1.2", "0.5", "0.1", "0.1")), NULL, -1},
        {LIST(STORED, REGION("Face", "", "0.5", "0.1", "0.1")), NULL, -1},
        {LIST(STORED, REGION("Face", "nan", "0.5", "0.1", "0.1")), NULL, -1},
        {LIST(STORED, ""), NULL, -1},
        {LIST("d:w='4000' d:h='3000'", FACE), NULL, -1}, /* cut since */
        {LIST("", FACE), "the face", 280},
        {LIST(STORED, "<rdf:li rdf:parseType='Resource'><m:Type>Face</m:Type><m:Area "
                      "rdf:parseType='Resource'><a:x>0.75</a:x><a:y>0.25</a:y><a:d>0.1</a:d>"
                      "</m:Area></rdf:li>"),
         "the face", 280},
        {LIST(STORED,
              "<rdf:li><rdf:Description m:Type='Focus' m:FocusUsage='EvaluatedNotUsed'>"
              "<m:Area a:x='0.2' a:y='0.5' a:w='0.1' a:h='0.1'/></rdf:Description></rdf:li>"),
         NULL, -1},
        {"<m:Regions a:x='0.5' a:y='0.5'/>", NULL, -1},
        {"", NULL, -1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const subject_area a = area_of(rows[i].xmp, WIDE, HIGH, 1, 0);
        if (rows[i].left < 0)
            assert_null(a.name);
        else
            assert_true(a.name && strcmp(a.name, rows[i].name) == 0 && a.left == rows[i].left);
    }
    is_at(area_of(LIST(STORED, FACE), WIDE, HIGH, 1, 0), 280, 30, 40, 40);
    is_at(area_of(LIST(STORED, REGION("Face", "0", "1", "0", "0")), WIDE, HIGH, 1, 0), 0, HIGH - 1,
          1, 1);
}

/* --- EXIF ------------------------------------------------------------------------------------- */

static void put_16(uint8_t *at, unsigned value)
{
    at[0] = (uint8_t)(value >> 8);
    at[1] = (uint8_t)value;
}

static void put_entry(uint8_t *at, unsigned tag, unsigned type, unsigned count, unsigned offset)
{
    put_16(at, tag), put_16(at + 2, type), put_16(at + 4, 0), put_16(at + 6, count);
    put_16(at + 8, offset >> 16), put_16(at + 10, offset);
}

/* Returns the area of EXIF with an entry of SHORTs, in a picture that was that wide and high when it was taken. */
static subject_area noted(unsigned tag, const unsigned *values, unsigned count, unsigned width,
                          unsigned height)
{
    enum { DIRECTORY = 26, VALUES = 70, SIZE = 80, SHORT = 3, LONG = 4 };
    uint8_t *const tiff = unit_zeros(SIZE); /* nothing behind it may be read */
    memcpy(tiff, "MM\0*\0\0\0\010\0\001", 10);
    put_entry(tiff + 10, 0x8769, LONG, 1, DIRECTORY);
    put_16(tiff + DIRECTORY, 3);
    put_entry(tiff + DIRECTORY + 2, tag, SHORT, count, VALUES);
    put_entry(tiff + DIRECTORY + 14, 0xA002, LONG, 1, width);
    put_entry(tiff + DIRECTORY + 26, 0xA003, LONG, 1, height);
    for (unsigned i = 0; i < count && i < 5; i++)
        put_16(count <= 2 ? tiff + DIRECTORY + 10 + 2 * i : tiff + VALUES + 2 * i, values[i]);
    const metadata m = {.exif = {.data = tiff, .size = SIZE}};
    const subject_area a = subject_area_find(&m, WIDE, HIGH, 1);
    return a;
}

static void test_places(void **state)
{
    enum { AREA = 0x9214, PLACE = 0xA214 };
    static const unsigned numbers[] = {3000, 500, 400, 200, 1};
    is_at(noted(PLACE, numbers, 2, 4000, 2000), 300, 50, 1, 1);
    is_at(noted(AREA, numbers, 2, 4000, 2000), 300, 50, 1, 1);
    is_at(noted(AREA, numbers, 3, 4000, 2000), 280, 30, 40, 40);
    is_at(noted(AREA, numbers, 4, 4000, 2000), 280, 40, 40, 20);
    assert_null(noted(AREA, numbers, 5, 4000, 2000).name);
    assert_null(noted(AREA, numbers, 1, 4000, 2000).name);
    assert_null(noted(PLACE, numbers, 3, 4000, 2000).name);
    assert_null(noted(AREA, numbers, 4, 4000, 3000).name); /* cut since */
    assert_null(noted(AREA, numbers, 4, 3000, 1500).name); /* outside */
    assert_null(noted(AREA, numbers, 4, 0, 0).name);       /* outside the picture itself */
    assert_null(noted(AREA, (const unsigned[]){0, 0, 0, 0}, 4, 4000, 2000).name);
}

/* --- Orientations ----------------------------------------------------------------------------- */

/* Regions are those of the stored picture, unless the size beside them is that of the upright one. Pixels may be turned. */
static void test_orientations(void **state)
{
    /* By orientation: where the face of 40 x 40 pixels at 280, 30 of the stored picture is in the upright one. */
    static const int places[9][2] = {{0},       {280, 30},  {80, 30},  {80, 130}, {280, 130},
                                     {30, 280}, {130, 280}, {130, 80}, {30, 80}};
    for (int o = 1; o <= 8; o++) {
        const int width = o >= 5 ? HIGH : WIDE, height = o >= 5 ? WIDE : HIGH;
        char x[16], y[16], upright[2000];
        is_at(area_of(LIST(STORED, FACE), WIDE, HIGH, o, 0), 280, 30, 40, 40);
        is_at(area_of(LIST(STORED, FACE), width, height, 1, o), places[o][0], places[o][1], 40, 40);
        if (o < 5)
            continue;
        snprintf(x, sizeof x, "%g", (places[o][0] + 20.0) / width);
        snprintf(y, sizeof y, "%g", (places[o][1] + 20.0) / height);
        snprintf(upright, sizeof upright,
                 LIST("d:w='2000' d:h='4000'", REGION("Face", "%s", "%s", "0.2", "0.1")), x, y);
        is_at(area_of(upright, WIDE, HIGH, o, 0), 280, 30, 40, 40);
        is_at(area_of(upright, width, height, 1, o), places[o][0], places[o][1], 40, 40);
    }
}

UNIT_MAIN(UNIT(test_regions), UNIT(test_places), UNIT(test_orientations))
