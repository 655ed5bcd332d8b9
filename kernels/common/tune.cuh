/* Limits and block sizes that several rooms share. A room's own are in its *_tune.cuh. */
#ifndef SATK_TUNE_CUH
#define SATK_TUNE_CUH

#define SATK_WARP 32

/* Threads that a multiprocessor holds (CUDA C++ Programming Guide, "Technical Specifications per
 * Compute Capability"): no kernel may ask for more blocks than these make. */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
#define SATK_MOST_THREADS 1024
#elif defined(__CUDA_ARCH__) &&                                                                    \
    ((__CUDA_ARCH__ > 800 && __CUDA_ARCH__ < 900) || __CUDA_ARCH__ >= 1100)
#define SATK_MOST_THREADS 1536
#else
#define SATK_MOST_THREADS 2048
#endif
/* The wanted blocks of a multiprocessor, or fewer where it has not the threads for them. */
#define SATK_BLOCKS(wanted, threads)                                                               \
    ((wanted) * (threads) > SATK_MOST_THREADS ? SATK_MOST_THREADS / (threads) : (wanted))

/* Threads of a block whose threads have a word each and share nothing. */
#define SATK_ARRAY_THREADS 256

/* Nanoseconds between two looks at a tile that has not published yet. */
#define SATK_LOOK_BACK_NAP 50

/* The largest count whose places are words of 32 bits. A build with a smaller one tests the words of
 * 64 bits without 2^32 elements. */
#ifndef SATK_NARROW_COUNT
#define SATK_NARROW_COUNT 0xffffffffull
#endif

#endif
