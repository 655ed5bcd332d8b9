// A CUDA device made of a few host threads, each of which takes block after block of a grid. What it
// proves: every line of the kernels, of their launchers and of the CUDA back end computes the right
// bits, whichever thread comes first and however blocks overtake each other. What it cannot: races
// within a warp's instruction, missing fences (the host's memory is stricter than a device's),
// timing, and whatever a real driver does.
#include "emulate/emulate.h"

#include <condition_variable>
#include <mutex>
#include <thread>

namespace
{

enum { HOSTS = EMULATE_PROCESSORS * EMULATE_RESIDENT }; // the thread that launches is one of them

struct device {
    std::mutex launching, mutex;
    std::condition_variable work, idle;
    emulate_launch *launch = nullptr;
    int busy = 0; // host threads at the launch, besides the one that made it
    uint64_t launches = 0;
    std::atomic<uint64_t> blocks{0}; // that are over, of all launches
    std::atomic<bool> running{false};
};

// Runs the launch's blocks, one after the other. Half of the launches begin with the last block,
// since CUDA promises no order.
void take_blocks(device &d, emulate_launch &launch)
{
    for (uint64_t i; (i = launch.taken.fetch_add(1)) < launch.blocks; d.blocks++)
        emulate_block(launch, launch.random & 2 ? launch.blocks - 1 - i : i);
}

[[noreturn]] void serve(device &d)
{
    std::unique_lock<std::mutex> lock(d.mutex);
    for (;;) {
        d.work.wait(lock, [&] { return d.launch && d.launch->taken < d.launch->blocks; });
        emulate_launch &launch = *d.launch;
        d.busy++;
        lock.unlock();
        take_blocks(d, launch);
        lock.lock();
        if (--d.busy == 0)
            d.idle.notify_one();
    }
}

// Ends the program if no block ends or passes a barrier: they wait for something that no block will
// do.
[[noreturn]] void watch(device &d)
{
    const char *const text = getenv("EMULATE_PATIENCE");
    const int patience = text ? atoi(text) : 60;
    uint64_t before = 0;
    for (int seconds = 0; seconds < patience; seconds++) {
        std::this_thread::sleep_for(std::chrono::seconds(1));
        const uint64_t steps = d.blocks + emulate_barriers;
        if (!d.running || steps != before)
            seconds = 0;
        before = steps;
    }
    fprintf(stderr, "emulate: no block has got on for %d s: they wait for what nobody does\n",
            patience);
    abort();
}

// Returns the device, which lives as long as the process: its threads never end.
device &the_device()
{
    static device *const d = [] {
        device *const made = new device();
        for (int i = 1; i < HOSTS; i++)
            std::thread([=] { serve(*made); }).detach();
        std::thread([=] { watch(*made); }).detach();
        return made;
    }();
    return *d;
}

// Runs a launch. A single block stays on the calling thread: waking others takes longer than most
// blocks.
void run(device &d, emulate_launch &launch)
{
    d.running = true;
    if (launch.blocks > 1) {
        const std::lock_guard<std::mutex> lock(d.mutex);
        d.launch = &launch;
        d.work.notify_all();
    }
    take_blocks(d, launch);
    if (launch.blocks > 1) {
        std::unique_lock<std::mutex> lock(d.mutex);
        d.launch = nullptr;
        d.idle.wait(lock, [&] { return d.busy == 0; });
    }
    d.running = false;
}

} // namespace

bool emulate_runs_together(dim3 grid)
{
    return uint64_t(grid.x) * grid.y * grid.z <= HOSTS;
}

cudaError_t emulate_resident(int *blocks, int threads)
{
    *blocks = threads > 0 && threads <= EMULATE_MOST_THREADS ? EMULATE_RESIDENT : 0;
    return cudaSuccess;
}

void emulate_grid(const void *kernel, dim3 grid, dim3 block, size_t shared,
                  const std::function<void()> &body)
{
    if (emulate_lives() != cudaSuccess ||
        emulate_failed(emulate_permits(kernel, grid, block, shared)) != cudaSuccess)
        return;
    device &d = the_device();
    const std::lock_guard<std::mutex> lock(d.launching);
    emulate_launch launch = {
        grid, block, shared, &body, uint64_t(grid.x) * grid.y * grid.z, emulate_mix(++d.launches),
        {0}};
    emulate_enter();
    run(d, launch);
    emulate_leave();
}
