/* Reads any bytes as a photo with a gain map, makes its light, and writes and reads it again. The bytes are also numbers of a map. */
#include "codec/codec.h"
#include "codec/gain_join.h"
#include "format/icc.h"
#include "fuzz/fuzz.h"

enum { MOST = 1 << 14 }; /* pixels */

/* Numbers that are read come back from both of their forms within a step, unless they are so near that the steps make them one. */
static void read_numbers(bytes in)
{
    gain_map g = {.dark = 0}, again = {.dark = 0};
    const char *why = NULL;
    double matrix[3][3];
    blob out = {0};
    (void)icc_to_srgb(in, matrix);
    if (gain_read_xmp(in, &g, &why) == GAIN_READ) {
        CHECK(gain_map_is_sound(&g));
        gain_write_xmp(&g, &out);
        CHECK(gain_read_xmp(blob_view(&out), &again, &why) != GAIN_NONE);
        out.size = 0;
    }
    if (gain_read_iso(in, &g, &why) == GAIN_READ) {
        CHECK(gain_map_is_sound(&g));
        gain_write_iso(&g, &out);
        CHECK(gain_read_iso(blob_view(&out), &again, &why) != GAIN_NONE);
    }
    blob_free(&out);
}

/* Writes the picture with a map of its own light, and reads it. */
static void write_again(picture *pic)
{
    const encode_settings settings = {.quality = 95, .threads = 1, .meta = NULL};
    const decode_settings keep = {.max_pixels = MOST, .gain = GAIN_KEEP};
    satb_image light;
    gain_map made;
    picture again;
    blob out = {0};
    problem p = {.text = ""};
    sink to = {.write = blob_write, .user = &out};
    CHECK(gain_map_light(&pic->gain, &pic->image, NULL, 1, &light, &p));
    const gain_pictures same = {&pic->image, &light, &pic->image, &light};
    CHECK(gain_map_measure(&same, &pic->gain, &made, &p));
    CHECK(gain_map_is_sound(&made) && made.image.width == pic->gain.image.width);
    CHECK(gain_join(codec_for_output("a.jpg", &p), &pic->image, &made, &settings, &to, &p));
    CHECK(picture_decode(&again, out.data, out.size, "a.jpg", &keep, &p));
    CHECK(again.image.width == pic->image.width && again.image.height == pic->image.height);
    picture_free(&again);
    blob_free(&out);
    pixels_drop(&light);
    pixels_drop(&made.image);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const decode_settings keep = {.max_pixels = MOST, .gain = GAIN_KEEP},
                          light = {.max_pixels = MOST, .gain = GAIN_LIGHT, .threads = 1};
    picture pic, lit;
    problem p;
    read_numbers((bytes){.data = data, .size = size});
    const bool is_read = picture_decode(&pic, data, size, "a.tga", &keep, &p);
    CHECK(is_read == picture_decode(&lit, data, size, "a.tga", &light, &p));
    if (!is_read)
        return 0;
    const gain_map *const g = &pic.gain;
    CHECK(!g->image.data || (gain_map_is_sound(g) && g->image.width <= pic.image.width &&
                             g->image.height <= pic.image.height && lit.image.half));
    CHECK(!lit.gain.image.data);
    if (g->image.data)
        write_again(&pic);
    picture_free(&pic);
    picture_free(&lit);
    return 0;
}
