// The threads of one block, as coroutines of one host thread.
#include "emulate/emulate.h"
#include "emulate/fiber.h"

#include <sched.h>
#include <time.h>
#include <vector>

__thread uint3 threadIdx, blockIdx;
__thread dim3 blockDim, gridDim;
__thread unsigned emulate_thread;
std::atomic<uint64_t> emulate_barriers{0};

namespace
{

enum { STACK = 64 << 10, WARP = 32, GUARD = 1024 };
enum : unsigned char { FRESH = 0xa5, GUARDED = 0x5c }; // what shared memory is filled with

// A thread that waits does so until (*word & mask) == want.
struct thread {
    uint3 index;
    unsigned number;
    fiber *on; // nullptr: not begun yet, or over
    const unsigned *word;
    unsigned mask, want;
};

struct warp {
    uint64_t given[WARP], name[WARP]; // what a lane gave, and to what: kind and mask
    uint64_t value[WARP];             // what those had given that have met
    unsigned given_votes, votes;
    unsigned arrived, met; // lanes that have given; lanes that have met and not gone on yet
};

struct processor {
    const emulate_launch *launch;
    std::vector<thread> threads; // in the order in which they run
    std::vector<warp> warps;
    std::vector<std::unique_ptr<fiber>> fibers;
    std::vector<fiber *> idle;
    fiber scheduler, *running;
    unsigned begun, alive, turn; // turn: of which thread it is
    uint64_t rounds, random;

    unsigned waiting, votes, phase = 0; // __syncthreads(): phase alternates
    unsigned passed, passed_votes;      // the same, of the last one

    std::unique_ptr<char[]> memory;
    char *shared = nullptr;
    size_t shared_bytes;

    processor() : threads(EMULATE_MOST_THREADS), warps(EMULATE_MOST_THREADS / WARP)
    {
    }
};

thread_local std::unique_ptr<processor> own_processor;
__thread processor *own; // the same

// --- Coroutines ----------------------------------------------------------------------------------

// A block does not end, and nobody can go on: says who waits for what.
[[noreturn]] void report_deadlock(const processor &p)
{
    fprintf(stderr,
            "emulate: the threads of block %u,%u,%u wait for each other for ever: %u of %u are at "
            "a __syncthreads()\n",
            blockIdx.x, blockIdx.y, blockIdx.z, p.waiting, p.alive);
    for (const thread &t : p.threads) {
        const warp &w = p.warps[t.number / WARP];
        const unsigned lane = t.number % WARP;
        if (t.on && t.word == &w.met && w.arrived >> lane & 1) {
            fprintf(stderr,
                    "emulate: lane %u of warp %u waits for lanes %08x, where %08x are there\n",
                    lane, t.number / WARP, unsigned(w.name[lane]), w.arrived);
            break;
        }
    }
    abort();
}

void pause(long microseconds)
{
    const timespec t = {0, microseconds * 1000};
    nanosleep(&t, nullptr);
}

// Ends a round: every thread had its turn. A thread that polls lets other blocks run. Some blocks
// are slow, so that others see half of their work.
void round_over(processor &p)
{
    p.rounds++;
    if (p.launch->blocks == 1)
        return;
    if (p.rounds % 64 == 0)
        sched_yield();
    if (p.random % 4 == 0 && p.rounds < 64) {
        const uint64_t random = emulate_mix(p.random + p.rounds);
        if (random % 16 == 0)
            pause(long(random >> 8) & 63);
    }
}

void live();

// Brings the next threads to the cache: they probably go on next.
void fetch(const processor &p, unsigned turn)
{
    const size_t count = p.threads.size();
    if (turn + 4 < count)
        __builtin_prefetch(p.threads[turn + 4].on, 1);
    if (turn + 1 < count && p.threads[turn + 1].on)
        fetch_fiber(p.threads[turn + 1].on);
}

// Returns the fiber to go on with: one for a thread that has not begun, or the next thread that
// need not wait.
fiber *next(processor &p)
{
    const unsigned count = unsigned(p.threads.size());
    if (p.begun < count) {
        if (p.idle.empty()) {
            p.fibers.emplace_back(new fiber());
            p.idle.push_back(p.fibers.back().get());
        }
        fiber *const f = p.idle.back();
        p.idle.pop_back();
        return f;
    }
    if (p.alive == 0)
        return &p.scheduler;
    for (unsigned i = 0; i < count; i++) {
        if (++p.turn >= count) {
            p.turn = 0;
            round_over(p);
        }
        const thread &t = p.threads[p.turn];
        if (t.on && (*t.word & t.mask) == t.want) {
            fetch(p, p.turn);
            return t.on;
        }
    }
    report_deadlock(p);
}

// Goes on at `to`, and returns when another fiber goes on here.
__attribute__((noinline)) void change(fiber *from, fiber *to)
{
    own->running = to;
    if (!to->stack && to != &own->scheduler)
        begin_fiber(to, STACK, live);
    change_fiber(from, to);
}

void become(const thread &t)
{
    threadIdx = t.index;
    emulate_thread = t.number;
}

void give_way(const unsigned *word, unsigned mask, unsigned want)
{
    processor &p = *own;
    thread &t = p.threads[p.turn];
    t.word = word;
    t.mask = mask;
    t.want = want;
    fiber *const to = next(p);
    if (to != t.on)
        change(t.on, to);
    become(t);
}

void wait(const unsigned *word, unsigned mask, unsigned want)
{
    if ((*word & mask) != want)
        give_way(word, mask, want);
}

void open_barrier(processor &p)
{
    p.passed = p.waiting;
    p.passed_votes = p.votes;
    p.waiting = p.votes = 0;
    p.phase ^= 1;
    emulate_barriers.fetch_add(1, std::memory_order_relaxed);
}

// Runs thread after thread, as long as some have not begun.
void live()
{
    processor &p = *own;
    fiber *const self = p.running;
    for (;;) {
        while (p.begun < p.threads.size()) {
            p.turn = p.begun++;
            p.threads[p.turn].on = self;
            become(p.threads[p.turn]);
            (*p.launch->body)();
            p.threads[p.turn].on = nullptr;
            p.alive--;
            if (p.waiting > 0 && p.waiting == p.alive)
                open_barrier(p);
        }
        p.idle.push_back(self);
        change(self, next(p));
    }
}

// --- Blocks --------------------------------------------------------------------------------------

// Every other block runs its threads backwards: a missing barrier shows in one of the two.
void number_threads(processor &p, bool backwards)
{
    const unsigned count = blockDim.x * blockDim.y * blockDim.z;
    p.threads.resize(count);
    for (unsigned i = 0; i < count; i++) {
        thread &t = p.threads[backwards ? count - 1 - i : i];
        t.number = i;
        t.on = nullptr;
        t.index = {i % blockDim.x, i / blockDim.x % blockDim.y, i / blockDim.x / blockDim.y};
    }
    for (unsigned w = 0; w < (count + WARP - 1) / WARP; w++)
        p.warps[w].arrived = p.warps[w].met = 0;
    p.begun = p.waiting = p.votes = 0;
    p.alive = count;
}

// Aligns dynamic shared memory to 16 bytes and to no more.
void prepare_shared(processor &p, size_t bytes)
{
    const size_t alignment = 1024;
    if (p.shared && p.shared_bytes == bytes)
        return;
    p.shared_bytes = bytes;
    p.memory.reset(new char[bytes + 2 * GUARD + 2 * alignment]);
    const uintptr_t at = (uintptr_t(p.memory.get()) + GUARD + alignment) / alignment * alignment;
    p.shared = reinterpret_cast<char *>(at) + 16;
}

void fill_shared(processor &p)
{
    memset(p.shared - GUARD / 2, GUARDED, GUARD / 2);
    memset(p.shared, FRESH, p.launch->shared);
    memset(p.shared + p.launch->shared, GUARDED, GUARD);
}

void check_shared(const processor &p)
{
    for (int i = -GUARD / 2; i < GUARD; i++) {
        const char *const at = i < 0 ? p.shared + i : p.shared + p.launch->shared + i;
        if ((unsigned char)*at == GUARDED)
            continue;
        fprintf(stderr,
                "emulate: block %u,%u,%u wrote beyond its %zu bytes of dynamic shared memory\n",
                blockIdx.x, blockIdx.y, blockIdx.z, p.launch->shared);
        abort();
    }
}

} // namespace

void emulate_block(const emulate_launch &launch, uint64_t number)
{
    if (!own)
        own_processor.reset(own = new processor());
    processor &p = *own;
    const dim3 grid = launch.grid;
    gridDim = grid;
    blockDim = launch.block;
    blockIdx = {unsigned(number % grid.x), unsigned(number / grid.x % grid.y),
                unsigned(number / grid.x / grid.y)};
    p.launch = &launch;
    p.random = emulate_mix(launch.random + number);
    p.rounds = 0;
    number_threads(p, (number ^ launch.random) & 1);
    if (launch.shared > 0) {
        prepare_shared(p, launch.shared);
        fill_shared(p);
    }
    change(&p.scheduler, next(p));
    if (launch.shared > 0)
        check_shared(p);
}

void *emulate_dynamic_shared()
{
    return own->shared;
}

// --- Waiting -------------------------------------------------------------------------------------

int __syncthreads_count(int vote)
{
    processor &p = *own;
    p.waiting++;
    p.votes += vote != 0;
    if (p.waiting == p.alive)
        open_barrier(p);
    else
        wait(&p.phase, 1, p.phase ^ 1);
    return int(p.passed_votes);
}

int __syncthreads_and(int vote)
{
    return __syncthreads_count(vote) == int(own->passed);
}

int __syncthreads_or(int vote)
{
    return __syncthreads_count(vote) != 0;
}

void __syncthreads()
{
    __syncthreads_count(0);
}

void __nanosleep(unsigned)
{
    static const unsigned any = 0;
    give_way(&any, 0, 0);
    sched_yield();
}

namespace
{

// Returns the lanes outside the mask that met others of this mask and have not read their values
// yet.
unsigned unread(const warp &w, unsigned mask)
{
    unsigned lanes = 0;
    for (unsigned rest = w.met & ~mask; rest; rest &= rest - 1) {
        const unsigned lane = unsigned(__builtin_ctz(rest));
        lanes |= unsigned((w.name[lane] & mask) != 0) << lane;
    }
    return lanes;
}

bool all_here(const warp &w, unsigned mask, uint64_t name)
{
    if ((w.arrived & mask) != mask)
        return false;
    for (unsigned rest = mask; rest; rest &= rest - 1)
        if (w.name[__builtin_ctz(rest)] != name)
            return false;
    return true;
}

void meet(warp &w, unsigned mask)
{
    for (unsigned i = 0; i < WARP; i++)
        if (mask >> i & 1)
            w.value[i] = w.given[i];
    w.votes = (w.votes & ~mask) | (w.given_votes & mask);
    w.arrived &= ~mask;
    w.met |= mask;
}

} // namespace

const uint64_t *emulate_exchange(emulate_kind kind, unsigned mask, uint64_t value, unsigned *votes)
{
    warp &w = own->warps[emulate_thread / WARP];
    const unsigned lane = emulate_thread % WARP, bit = 1u << lane;
    const uint64_t name = uint64_t(kind) << 32 | mask;
    if (!(mask & bit)) {
        fprintf(stderr, "emulate: a lane is not in the mask that it names\n");
        abort();
    }
    while (const unsigned others = unread(w, mask))
        wait(&w.met, others, 0);
    w.given[lane] = value;
    w.name[lane] = name;
    w.given_votes = (w.given_votes & ~bit) | (value ? bit : 0);
    w.arrived |= bit;
    if (all_here(w, mask, name))
        meet(w, mask);
    wait(&w.met, bit, bit);
    w.met &= ~bit;
    if (votes)
        *votes = w.votes;
    return w.value;
}
