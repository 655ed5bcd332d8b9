#include "common/cpu_level.h"

satk_level satk_level_limit = SATK_AVX512;

satk_level satk_level_here(void)
{
    satk_level level = SATK_PLAIN;

#ifdef SATK_HAVE_LEVELS
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2"))
        level = SATK_AVX2;
    if (level == SATK_AVX2 && __builtin_cpu_supports("avx512f") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl"))
        level = SATK_AVX512;
#endif
    return level < satk_level_limit ? level : satk_level_limit;
}
