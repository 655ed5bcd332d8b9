#include "codec/decode_limit.h"

#include "base/child.h"

#include <stdatomic.h>
#include <stdint.h>
#include <unistd.h>

/* Returns the number of processors. It is asked once, as a process of isolate.h cannot open the system's files later. */
static long processors(void)
{
    static atomic_long known;
    if (known == 0)
        known = sysconf(_SC_NPROCESSORS_ONLN);
    return known;
}

/* A library may start a thread for each processor, whose stack counts. */
static child_limits limits_of(uint64_t pixels)
{
    enum {
        SECONDS = 10,
        PIXELS_A_SECOND = 500000, /* of a slow machine */
        BYTES_A_PIXEL = 64,       /* 16 bits, coded and converted, with alpha */
        BYTES_A_THREAD = 16 << 20,
        BYTES = 1 << 30
    };
    const long threads = processors();
    return (child_limits){SECONDS + pixels / PIXELS_A_SECOND,
                          BYTES + BYTES_A_PIXEL * pixels +
                              BYTES_A_THREAD * (uint64_t)(threads > 0 ? threads : 1)};
}

void decode_limit_begin(uint64_t max_pixels)
{
    const child_limits none = limits_of(0), most = limits_of(max_pixels);
    child_limit(&none, &most);
}

void decode_limit(const satb_image *shape)
{
    const child_limits to = limits_of((uint64_t)shape->width * (uint64_t)shape->height);
    child_limit(&to, &(child_limits){UINT32_MAX, UINT64_MAX});
}
