#include "surface/surface_mark_cpu.h"

size_t satk_mark_scratch_cpu(const satk_plane *map)
{
    const size_t columns = SATK_MARK_RING * satk_mark_pitch(map->width);

    return (2 * columns + satk_mark_pitch(map->width)) * (size_t)map->bits / 8;
}

void satk_mark_cpu(const satk_marking *job, int first, int last, void *work)
{
    static satk_mark_function *const levels[] = {
        satk_mark_plain,
#ifdef SATK_HAVE_LEVELS
        satk_mark_avx2,
        satk_mark_avx512,
#endif
    };

    levels[satk_level_here()](job, first, last, work);
}
