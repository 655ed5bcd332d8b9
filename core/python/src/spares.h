// Blocks of memory of a picture's size, which a thread keeps for its next calls: new pages take longer than the work on them.
#pragma once

#include <cstddef>
#include <utility>

// A block, or none. It goes back to the thread's spare blocks in the end.
class spare
{
    void *block = nullptr;

  public:
    spare() = default;
    explicit spare(size_t bytes);
    spare(spare &&from) noexcept : block(std::exchange(from.block, nullptr))
    {
    }
    spare &operator=(spare &&from) noexcept
    {
        std::swap(block, from.block);
        return *this;
    }
    ~spare();

    void *data() const
    {
        return block;
    }
    explicit operator bool() const
    {
        return block;
    }
};

// Frees the calling thread's spare blocks.
void spares_trim();
