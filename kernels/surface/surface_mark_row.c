/* Marks edges a row at a time. Compiled several times, see cpu_level.h. */
#include "surface/surface_mark_cpu.h"

#include <string.h>

enum { AROUND = SATK_MARK_AROUND, SEGMENT = SATK_MARK_SEGMENT, WIDE = SATK_MARK_WIDE };

/* Returns the sample closest to i whose 9 x 9 lie within the map. */
static int inside(int i, int n)
{
    return i < AROUND ? AROUND : i < n - AROUND ? i : n - AROUND - 1;
}

/* Returns a bit for each byte that is 1. The product gathers those of eight bytes in its highest
 * byte. */
SATK_FN uint64_t bits_of(const uint8_t *bytes)
{
    uint64_t bits = 0;

    for (int i = 0; i < SEGMENT; i += 8) {
        uint64_t eight = 0;
        for (int k = 0; k < 8; k++)
            eight |= (uint64_t)bytes[i + k] << 8 * k;
        bits |= (eight * 0x0102040810204080) >> 56 << i;
    }
    return bits;
}

#define CODE     uint8_t
#define OF(name) name##8
#include "surface/surface_mark_codes.h"
#undef CODE
#undef OF

#define CODE     uint16_t
#define OF(name) name##16
#include "surface/surface_mark_codes.h"

void SATK_LEVELED(satk_mark)(const satk_marking *job, int first, int last, void *work)
{
    (job->map.bits == 8 ? mark_rows8 : mark_rows16)(job, first, last, work);
}
