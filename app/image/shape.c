#include "image/shape.h"

size_t picture_bytes(const satb_image *shape)
{
    return (size_t)shape->width * (size_t)shape->height *
           (size_t)(shape->channels * shape->bits / 8);
}

const char *picture_channel_words(int channels)
{
    static const char *const words[] = {"", "gray", "gray with alpha", "RGB", "RGBA"};
    return words[channels];
}

const char *picture_channel_name(int channels, int c)
{
    static const char *const names[5][4] = {{0},
                                            {"gray"},
                                            {"gray", "alpha"},
                                            {"red", "green", "blue"},
                                            {"red", "green", "blue", "alpha"}};
    return names[channels][c];
}
