// Shared by the parts of the emulated device.
#ifndef SATB_EMULATE_EMULATE_H
#define SATB_EMULATE_EMULATE_H

#include "emulate/cuda_runtime.h"

#include <atomic>

enum { EMULATE_MOST_THREADS = 1024, EMULATE_PROCESSORS = 2, EMULATE_RESIDENT = 2 };
enum { EMULATE_STATIC_SHARED = 48 << 10 }; // what a block has without asking for more

struct emulate_launch {
    dim3 grid, block;
    size_t shared;
    const std::function<void()> *body;
    uint64_t blocks, random; // random: other orders and delays in every launch
    std::atomic<uint64_t> taken;
};

extern std::atomic<uint64_t> emulate_barriers; // that blocks have passed: they get on

static inline uint64_t emulate_mix(uint64_t v) // splitmix64's
{
    v = (v ^ v >> 30) * 0xbf58476d1ce4e5b9u;
    v = (v ^ v >> 27) * 0x94d049bb133111ebu;
    return v ^ v >> 31;
}

// emulate.cpp: runs one block of the launch on the calling host thread.
void emulate_block(const emulate_launch &launch, uint64_t number);

// runtime.cpp: returns an error if a device would not launch the kernel.
cudaError_t emulate_permits(const void *kernel, dim3 grid, dim3 block, size_t shared);
cudaError_t emulate_lives(void);               // an error if the device has gone
cudaError_t emulate_failed(cudaError_t error); // remembers it for cudaGetLastError()

extern std::atomic<size_t> emulate_sleeps; // how often somebody had to ask again

#endif
