// Shared by the parts of the emulated device's own test.
#ifndef SATB_EMULATE_SELFTEST_H
#define SATB_EMULATE_SELFTEST_H

#include <cuda_runtime.h>

#include <vector>

// Counts a comparison, and prints its text if it fails.
void expect(bool holds, const char *what);

uint64_t random64();

// Runs f() in each thread of a group, in place of a kernel for each test.
template <typename F> static __global__ void each_thread(F f)
{
    f();
}

void check_arithmetic();
void check_atomics();
void check_barriers();
void check_warps();

#endif
