#include "check/check.h"

#include "support/device.h"
#include "sat/sat_tune.cuh"

#include <stdio.h>
#include <stdlib.h>

int size_wanted(const check *c, const size *s)
{
    return c->quick ? s->quick > 0 : s->quick >= 0 || c->cuda;
}

#define SECTION SATK_ROW_SECTION
#define STRIP   SATK_COLUMN_STRIP

const size sizes[] = {
    {1, 1, 1, "the smallest"},
    {1, 2, 0, "one column, two rows: fewer rows than threads"},
    {2, 1, 0, "one row, two columns"},
    {1, 37, 1, "one column"},
    {37, 1, 1, "one row"},
    {31, 33, 1, "a warp's width - 1, + 1"},
    {32, 32, 0, "a warp's width"},
    {33, 31, 1, "a warp's width + 1, - 1"},
    {16, 16, 0, "multiples of 16: wide loads and no remainder"},
    {64, 48, 1, "multiples of 16"},
    {17, 15, 0, "multiples of 16, + 1, - 1: wide loads and a remainder"},
    {61, 67, 0, "primes"},
    {127, 131, 0, "primes around a power of two"},
    {257, 263, 0, "primes around the most threads of a block's row"},
    {SECTION - 1, 3, 0, "a row section - 1"},
    {SECTION, 3, 0, "a row section"},
    {SECTION + 1, 3, 1, "a row section + 1: section sums exist"},
    {2 * SECTION - 1, 2, 0, "two row sections - 1"},
    {2 * SECTION, 2, 0, "two row sections"},
    {3 * SECTION + 7, 5, 0, "four row sections, the last one short"},
    {3, STRIP - 1, 0, "a column strip - 1"},
    {3, STRIP, 0, "a column strip"},
    {3, STRIP + 1, 1, "a column strip + 1: strip sums exist"},
    {2, 2 * STRIP, 0, "two column strips"},
    {5, 3 * STRIP + 7, 0, "four column strips, the last one short"},
    {SECTION + 1, STRIP + 1, 0, "sections and strips at once"},
    {5, STRIP *STRIP, 0, "as many strips as one strip of sums holds"},
    {5, STRIP *STRIP + 1, 0, "strip sums need a second level"},
    {2, STRIP *STRIP *STRIP + 1, -1, "strip sums need a third level"},
    {SECTION * SECTION, 1, -1, "as many sections as one section of sums holds"},
    {SECTION * SECTION + 1, 1, -1, "section sums need a second level"},
    {SECTION * SECTION + SECTION + 1, 2, -1, "a second level in two rows"},
    {65536, 3, 0, "wider than a 16-bit index and than a grid's y"},
    {65537, 2, 0, "wider than a 16-bit index"},
    {3, 65536, 0, "higher than a 16-bit index and than a grid's y"},
    {2, 65537, 0, "higher than a 16-bit index"},
    {70001, 5, 0, "wide, prime"},
    {5, 70001, 0, "high, prime"},
    {1000, 700, 0, "a picture"},
};
const int sizes_count = sizeof sizes / sizeof *sizes;

/* --- Pixels ----------------------------------------------------------------------------------- */

oracle_pixel *check_pixels(check *c, const shape *s, size_t count)
{
    const int w = s->width, h = s->height, all = count == (size_t)w * (size_t)h;
    oracle_pixel *const pixels = malloc(count * sizeof *pixels);

    for (size_t i = 0; i < count && pixels; i++)
        if (all)
            pixels[i] = (oracle_pixel){(int)(i % (size_t)w), (int)(i / (size_t)w)};
        else if (i < 4)
            pixels[i] = (oracle_pixel){i % 2 ? w - 1 : 0, i / 2 ? h - 1 : 0};
        else
            pixels[i] = (oracle_pixel){random_below(&c->random, w), random_below(&c->random, h)};
    return pixels;
}

/* --- Beyond 32 bits --------------------------------------------------------------------------- */

const shape large_bytes = {46349, 23171, 1,
                           8,     0,     0}; /* 1.07e9 words: 2^32 bytes of u32, and some */
const shape large_words = {46349, 30893, 3,
                           8,     0,     0}; /* 4.3e9 words, and as many bytes of picture */

/* Returns the bytes that the system could give; 0: it does not tell. */
static size_t host_memory(void)
{
    char line[128];
    size_t kilobytes = 0;
    FILE *const file = fopen("/proc/meminfo", "r");

    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "MemAvailable: %zu", &kilobytes) == 1)
            break;
    if (file)
        fclose(file);
    return kilobytes << 10;
}

int large_fits(check *c, int host, int device)
{
    const size_t on_host = host_memory() >> 30,
                 on_device = c->cuda ? device_free_memory() >> 30 : 0;

    if (on_host < (size_t)host)
        check_skip(c, "%d GiB of memory are needed, %zu are free", host, on_host);
    else if (c->cuda && on_device < (size_t)device)
        check_skip(c, "%d GiB of device memory are needed, %zu are free", device, on_device);
    else
        return 1;
    return 0;
}
