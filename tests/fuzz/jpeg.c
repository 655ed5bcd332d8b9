/* Compares the two decoders on JPEGs that our encoders write of any pixels. They round differently, but the
 * difference is bounded: either may be 1 off the exact inverse transform (ISO/IEC 10918-2, IEEE 1180), so they are 2
 * apart in brightness and in colours; blue is brightness and 1.772 of a colour, rounded by each: 2 + 2 * 1.772 + 1 is
 * below 7. */
#include "codec/codec.h"
#include "fuzz/fuzz.h"

enum {
    APART = 6,
    NARROW =
        4 /* pixels; up to that width libjpeg-turbo repeats the colours of 4:2:0, and stb interpolates them */
};

static satb_image choose_image(feed *f)
{
    satb_image image = {.width = 1 + (int)choose(f, 64),
                        .height = 1 + (int)choose(f, 64),
                        .channels = choose(f, 8) ? 3 : 1,
                        .bits = 8};
    image.stride = (ptrdiff_t)image.width * image.channels;
    uint8_t *data = malloc(picture_bytes(&image));
    CHECK(data);
    const uint32_t kind = choose(f, 4);
    uint32_t state = take(f, 4);
    for (size_t i = 0; i < picture_bytes(&image); i++) {
        state = state * 1664525u + 1013904223u;
        data[i] = (uint8_t)(kind == 0   ? state >> 24
                            : kind == 1 ? (state >> 31) * 255
                            : kind == 2 ? (i % 3 + 1) * (i / 3 % (size_t)image.width)
                                        : take(f, 1));
    }
    image.data = data;
    return image;
}

static picture read_by(const blob *in, codec_choice choice)
{
    picture pic;
    problem p;
    CHECK(picture_decode(&pic, in->data, in->size, "a.jpg", &(decode_settings){.choice = choice},
                         &p));
    return pic;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    feed f = {data, size};
    problem p;
    blob out = {0};
    sink to = {.write = blob_write, .user = &out};
    const encode_settings settings = {.quality = 1 + (int)choose(&f, 100),
                                      .choice = (codec_choice)choose(&f, 2)};
    satb_image image = choose_image(&f);
    CHECK(codec_encode(codec_for_output("a.jpg", &p), &image, &settings, &to, &p) && !to.failed);
    picture fast = read_by(&out, CODEC_FAST), plain = read_by(&out, CODEC_PLAIN);
    for (size_t i = 0; i < picture_bytes(&image) && image.width > NARROW; i++)
        CHECK(abs(((uint8_t *)fast.image.data)[i] - ((uint8_t *)plain.image.data)[i]) <= APART);
    picture_free(&fast);
    picture_free(&plain);
    blob_free(&out);
    free(image.data);
    return 0;
}
