#include "python/src/spares.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <malloc.h>
#include <new>

enum { KEPT = 6 }; // a picture, its result, and maps

namespace
{
struct blocks {
    void *list[KEPT] = {}; // the one that was given last is the last

    ~blocks()
    {
        for (void *each : list)
            std::free(each);
    }
};
} // namespace

static thread_local blocks spares;

spare::spare(size_t bytes)
{
    for (void *&each : spares.list) {
        const size_t size = each ? malloc_usable_size(each) : 0;
        if (size >= bytes && size / 2 <= bytes) {
            std::swap(block, each);
            return;
        }
    }
    block = std::malloc(bytes);
    if (!block)
        throw std::bad_alloc();
}

spare::~spare()
{
    if (!block)
        return;
    std::free(spares.list[0]);
    std::copy(spares.list + 1, std::end(spares.list), spares.list);
    spares.list[KEPT - 1] = block;
}

void spares_trim()
{
    for (void *&each : spares.list)
        std::free(std::exchange(each, nullptr));
}
