// Work on the CPU that threads share.
#pragma once

#include <satblur.h>

#include <algorithm>
#include <atomic>
#include <system_error>
#include <thread>
#include <vector>

// Calls work(first, last) for parts of 0 .. count - 1, by as many threads as there are processors, or parts: at most `most`. Work
// throws nothing.
template <typename function> void in_parts(size_t count, size_t most, function work)
{
    const size_t parts = std::min({count, most, static_cast<size_t>(satb_processors())});
    std::atomic<size_t> next{0};
    std::vector<std::thread> others;
    const auto run = [&] {
        for (size_t i; (i = next++) < parts;)
            work(i * count / parts, (i + 1) * count / parts);
    };
    try {
        while (others.size() + 1 < parts)
            others.emplace_back(run);
    } catch (const std::system_error &) { // fewer threads do it
    }
    run();
    for (std::thread &each : others)
        each.join();
}
