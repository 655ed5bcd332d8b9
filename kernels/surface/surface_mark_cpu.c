#include "surface/surface_mark_row.h"

size_t satk_ramp_room(const satk_plane *map)
{
    const size_t columns = SATK_RAMP_RING * satk_ramp_pitch(map->width);

    return (2 * columns + satk_ramp_pitch(map->width)) * (size_t)map->bits / 8;
}

void satk_ramp(const satk_ramps *job, int first, int last, void *work)
{
    static satk_ramp_function *const levels[] = {
        satk_ramp_plain,
#ifdef SATK_HAVE_LEVELS
        satk_ramp_avx2,
        satk_ramp_avx512,
#endif
    };

    levels[satk_level_here()](job, first, last, work);
}
