#include "codec/channel.h"

#include "image/pixels.h"
#include "image/shape.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Returns the channel of that name or first letter; -1: there is none. */
static int find_channel(int channels, const char *name)
{
    for (int c = 0; c < channels; c++) {
        const char *const full = picture_channel_name(channels, c);
        const bool is_gray = strcmp(full, "gray") == 0;
        if (strcasecmp(name, full) == 0 || (is_gray && strcasecmp(name, "Y") == 0) ||
            (name[1] == '\0' && (name[0] & ~32) == (full[0] & ~32)))
            return c;
    }
    return -1;
}

bool picture_take_channel(satb_image *image, const char *name, problem *p)
{
    const int channel = find_channel(image->channels, name);
    static const char *const names[] = {"Y", "Y or A", "R, G or B", "R, G, B or A"};
    if (channel < 0)
        return problem_set(p, "has no channel %s: it is %s; give --depth-channel %s", name,
                           picture_channel_words(image->channels), names[image->channels - 1]);
    if (!pixels_bring(image, p))
        return false;
    const size_t size = (size_t)image->bits / 8, step = size * (size_t)image->channels;
    const size_t pixels = (size_t)image->width * (size_t)image->height;
    uint8_t *const data = image->data;
    for (size_t i = 0; i < pixels; i++)
        memmove(data + i * size, data + i * step + (size_t)channel * size, size);
    image->channels = 1;
    image->stride = (ptrdiff_t)image->width * (ptrdiff_t)size;
    return true;
}
