/* Loops compiled for several sets of the CPU's instructions: all levels give the same bits. These sources
 * name their functions SATK_LEVELED(name), and CMake defines SATK_LEVEL for each copy. */
#ifndef SATK_CPU_LEVEL_H
#define SATK_CPU_LEVEL_H

#ifndef SATK_LEVEL
#define SATK_LEVEL plain
#endif

#define SATK_JOIN_LEVEL(name, level) name##_##level
#define SATK_NAME_LEVEL(name, level) SATK_JOIN_LEVEL(name, level)
#define SATK_LEVELED(name)           SATK_NAME_LEVEL(name, SATK_LEVEL)

/* satk_level_here() is the best level that the machine has, up to this limit. Tests lower the limit. */
typedef enum satk_level { SATK_PLAIN, SATK_AVX2, SATK_AVX512, SATK_LEVELS } satk_level;
extern satk_level satk_level_limit;
satk_level satk_level_here(void);

#endif
