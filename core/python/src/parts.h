// Work on the CPU that threads share.
#pragma once

#include <satblur.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>

// Calls work(first, last) for parts of 0 .. count - 1, by up to as many threads as there are processors, and by at most `most`.
// Waits for the threads that have a part, not for those that begin when none is left. Work throws nothing.
template <typename function> void in_parts(size_t count, size_t most, function work)
{
    struct state {
        std::atomic<size_t> next{0};
        std::mutex door;
        std::condition_variable ended;
        size_t done = 0;
    };
    const size_t threads = std::min(most, static_cast<size_t>(satb_processors()));
    const size_t parts = std::min(count, threads > 1 ? 4 * threads : 1);
    const auto all = std::make_shared<state>();
    const auto run = [all, count, parts, &work] {
        for (size_t i; (i = all->next++) < parts;) {
            work(i * count / parts, (i + 1) * count / parts);
            const std::lock_guard<std::mutex> lock(all->door);
            if (++all->done == parts)
                all->ended.notify_one();
        }
    };
    try {
        for (size_t i = 1; i < threads; i++)
            std::thread(run).detach();
    } catch (const std::system_error &) { // fewer threads do it
    }
    run();
    std::unique_lock<std::mutex> lock(all->door);
    all->ended.wait(lock, [&] { return all->done == parts; });
}
