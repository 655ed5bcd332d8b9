// The stacks of the emulated device's threads, and how one goes on.
#ifndef SATB_EMULATE_FIBER_H
#define SATB_EMULATE_FIBER_H

#include <memory>
#include <stdint.h>
#ifndef __x86_64__
#include <ucontext.h>
#endif

// A stack, and where on it to go on. It runs thread after thread of a block; only a thread that has
// to wait keeps it.
struct fiber {
#ifdef __x86_64__
    void *frame, *place, *top; // RBP, RIP, RSP
#else
    ucontext_t context;
#endif
    std::unique_ptr<char[]> stack; // none: that of the host's thread
};

#ifdef __x86_64__

// Gives the fiber a stack, on which it begins as run(), which does not return.
static inline void begin_fiber(fiber *f, size_t bytes, void (*run)())
{
    f->stack.reset(new char[bytes]);
    // A function begins where a call has put its return address, 8 below a multiple of 16; here there is none.
    const uintptr_t end = (uintptr_t(f->stack.get()) + bytes) & ~uintptr_t(15);
    void **const top = reinterpret_cast<void **>(end) - 1;
    *top = nullptr;
    f->frame = nullptr;
    f->place = reinterpret_cast<void *>(run);
    f->top = top;
}

// Goes on at `to`, and returns when another fiber goes on at `from`. It is for a function that is not inlined, so that vector
// registers need not be kept. It jumps and does not call: all lanes of a warp wait at the same place of a kernel, and
// the processor foresees where they return to as long as each call has its return.
static inline __attribute__((always_inline)) void change_fiber(fiber *from, fiber *to)
{
    asm volatile("leaq 1f(%%rip), %%rdx\n\t"
                 "movq %%rbp, (%0)\n\t"
                 "movq %%rdx, 8(%0)\n\t"
                 "movq %%rsp, 16(%0)\n\t"
                 "movq (%1), %%rbp\n\t"
                 "movq 16(%1), %%rsp\n\t"
                 "jmp *8(%1)\n"
                 "1:\tendbr64"
                 : "+a"(from), "+c"(to)
                 :
                 : "rbx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15",
                   "cc", "memory");
}

// Brings what a fiber goes on with to the processor's cache.
static inline void fetch_fiber(const fiber *f)
{
    for (int line = -1; line < 4; line++)
        __builtin_prefetch(static_cast<const char *>(f->top) + 64 * line, 1);
}

#else

static inline void begin_fiber(fiber *f, size_t bytes, void (*run)())
{
    f->stack.reset(new char[bytes]);
    getcontext(&f->context);
    f->context.uc_stack.ss_sp = f->stack.get();
    f->context.uc_stack.ss_size = bytes;
    makecontext(&f->context, run, 0);
}

static inline void change_fiber(fiber *from, fiber *to)
{
    swapcontext(&from->context, &to->context);
}

static inline void fetch_fiber(const fiber *)
{
}

#endif
#endif
