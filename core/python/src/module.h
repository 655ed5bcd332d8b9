#pragma once

#include "python/src/array_view.h"

// Lets other threads have the GIL while it lives. At its end, Python ends each thread that takes the GIL back, and C++ aborts; so
// such a thread waits for the end of the process.
class gil_rest
{
    PyThreadState *const state = PyEval_SaveThread();

  public:
    ~gil_rest();
};

void bind_params(nb::module_ &m);
void bind_arrays(nb::module_ &m);
