// What the parts of the emulated device's own test share.
#ifndef SATB_EMULATE_SELFTEST_H
#define SATB_EMULATE_SELFTEST_H

#include <cuda_runtime.h>

#include <vector>

// Counts a comparison, and says which ones fail.
void expect(bool holds, const char *what);

uint64_t random64();

// What a group of threads that runs f() needs no kernel of its own for.
template <typename F> static __global__ void each_thread(F f)
{
    f();
}

void check_arithmetic();
void check_atomics();
void check_barriers();
void check_warps();

#endif
