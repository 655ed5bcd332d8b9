// Arrays of Python as memory: where it is, and what it holds.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace nb = nanobind;

enum class sample { u8, u16, u32, u64, f16, f32, f64 };

struct array_view {
    nb::object keeper; // keeps the memory alive
    uint8_t *data = nullptr;
    std::vector<size_t> shape;
    std::vector<ptrdiff_t> stride; // bytes
    sample type = sample::u8;
    int cuda = -1; // number of the CUDA device; -1: the host's memory

    size_t bytes() const; // of a sample
    size_t count() const; // samples
    bool is_dense() const;
    std::string shape_text() const;
};

// Returns the view of an array of any framework. name stands in messages. Throws ValueError for an array that is empty,
// freed, on another kind of device, of another type, or, if it will be written, read-only. types are the remedy's.
array_view view_of(nb::handle array, const char *name, bool written,
                   const char *types = "uint8, uint16, float16 or float32");

// Throws ValueError unless the array is dense and in the host's memory.
void need_dense_host(const array_view &view, const char *name);
