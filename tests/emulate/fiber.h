// The stacks of the emulated device's threads, and how one goes on.
#ifndef SATB_EMULATE_FIBER_H
#define SATB_EMULATE_FIBER_H

#include <memory>

// A stack, and where on it to go on. It runs thread after thread of a block; only a thread that has
// to wait keeps it.
struct fiber {
    void *at[5];
    std::unique_ptr<char[]> stack;
};

// Goes on where the fiber has called setjmp(). By a jump and no call: all lanes of a warp wait at the same place of a
// kernel, and the processor foresees where they return to as long as each call has its return.
#ifdef __x86_64__
[[noreturn]] static inline __attribute__((always_inline)) void go_on(fiber *f)
{
    asm volatile("movq (%0), %%rbp\n\tmovq 16(%0), %%rsp\n\tjmp *8(%0)" ::"a"(f->at) : "memory");
    __builtin_unreachable();
}
#else
[[noreturn]] static __attribute__((noinline)) void go_on(fiber *f)
{
    __builtin_longjmp(f->at, 1);
}
#endif

#endif
