/* What this project uses of OpenMP's functions. With one thread the compiler ignores the pragmas, and these answer the rest;
 * openmp.c has them for several. */
#ifndef SATBLUR_WEB_OMP_H
#define SATBLUR_WEB_OMP_H

#ifdef _OPENMP

int omp_get_thread_num(void);
int omp_get_num_threads(void);
int omp_get_max_threads(void);
int omp_get_num_procs(void);

#else

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
#endif
