/* OpenMP for one thread: the compiler ignores the pragmas of a build without -fopenmp, and these answer the rest. */
#ifndef SATBLUR_WEB_OMP_H
#define SATBLUR_WEB_OMP_H

static inline int omp_get_thread_num(void)
{
    return 0;
}

static inline int omp_get_num_threads(void)
{
    return 1;
}

static inline int omp_get_max_threads(void)
{
    return 1;
}

static inline int omp_get_num_procs(void)
{
    return 1;
}

#endif
