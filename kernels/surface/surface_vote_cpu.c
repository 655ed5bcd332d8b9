#include "surface/surface_vote_cpu.h"

void satk_vote_cpu(satk_poll *poll, int count, const satk_likeness *alike)
{
    static satk_vote_function *const levels[] = {
        satk_vote_plain,
#ifdef SATK_HAVE_LEVELS
        satk_vote_avx2,
        satk_vote_avx512,
#endif
    };

    levels[satk_level_here()](poll, count, alike);
}
