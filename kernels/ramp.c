#include "ramp.h"

size_t satk_ramp_room(int width)
{
    const size_t words = ((size_t)width + SATK_RAMP_SEGMENT - 1) / SATK_RAMP_SEGMENT;

    return 4 * words * SATK_RAMP_SEGMENT * sizeof(uint16_t);
}

satk_ramp_function *satk_ramp_here(void)
{
    switch (satk_level_here()) {
#ifdef SATK_HAVE_LEVELS
    case SATK_AVX512: return satk_ramp_row_avx512;
    case SATK_AVX2: return satk_ramp_row_avx2;
#endif
    default: return satk_ramp_row_plain;
    }
}
