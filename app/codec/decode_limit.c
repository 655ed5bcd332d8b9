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
void decode_limit(const satb_image *shape)
{
    enum {
        SECONDS = 10,
        PIXELS_A_SECOND = 500000, /* of a slow machine */
        BYTES_A_PIXEL = 64,       /* 16 bits, coded and converted, with alpha */
        BYTES_A_THREAD = 16 << 20,
        BYTES = 1 << 30
    };
    const uint64_t pixels = (uint64_t)shape->width * (uint64_t)shape->height;
    const long threads = processors();
    child_limit(SECONDS + pixels / PIXELS_A_SECOND,
                BYTES + BYTES_A_PIXEL * pixels +
                    BYTES_A_THREAD * (uint64_t)(threads > 0 ? threads : 1));
}
