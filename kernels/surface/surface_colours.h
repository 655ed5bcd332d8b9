/* Colours of a picture's pixels by 8 bits a channel, where they lie. For the CPU. */
#ifndef SATK_SURFACE_COLOURS_H
#define SATK_SURFACE_COLOURS_H

#include "common/plane.h"

/* Red, green and blue: of 16 bits the higher byte, of gray three equal ones. */
typedef struct satk_colours {
    const uint8_t *data;
    ptrdiff_t pitch;
    size_t pixel;  /* bytes from one to the next */
    size_t rgb[3]; /* bytes from a pixel's first to those that count */
    int beyond; /* 0, 1: four bytes from red on are red, green, blue and one of this pixel, or the next; -1: they are not */
} satk_colours;

static inline satk_colours satk_colours_of(const satk_plane *picture)
{
    const uint16_t one = 1;
    const size_t sample = (size_t)picture->bits / 8;
    const int little = *(const uint8_t *)&one == 1;
    const size_t high = sample == 2 && little; /* its more significant byte */
    const size_t next = picture->channels > 2 ? sample : 0;
    const satk_colours c = {.data = (const uint8_t *)picture->data,
                            .pitch = picture->pitch,
                            .pixel = (size_t)picture->channels * sample,
                            .rgb = {high, high + next, high + 2 * next},
                            .beyond = little && sample == 1 && next ? picture->channels == 3 : -1};
    return c;
}

/* Returns a pixel's colour, red in the lowest byte. */
static inline uint32_t satk_colour_of(const satk_colours *colours, int x, int y)
{
    const uint8_t *const p = colours->data + y * colours->pitch + (size_t)x * colours->pixel;

    return p[colours->rgb[0]] | (uint32_t)p[colours->rgb[1]] << 8 |
           (uint32_t)p[colours->rgb[2]] << 16;
}

#endif
