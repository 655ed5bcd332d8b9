// Contexts of the library, kept for the next call: one for each thread and device.
#pragma once

#include <Python.h>
#include <satblur.h>

enum { DEVICE_CPU = -1, DEVICE_AUTO = -2 }; // others are numbers of CUDA devices

// Returns the calling thread's context of the device. It stays open until the thread ends. Throws RuntimeError if the device
// is not usable, also for CUDA in a process that was forked after CUDA was used.
satb_context *pool_context(int device);

// Lets other threads have the GIL while it lives. At its end, Python ends each thread that takes the GIL back, and C++ aborts; so
// such a thread waits for the end of the process.
class gil_rest
{
    PyThreadState *const state = PyEval_SaveThread();

  public:
    ~gil_rest();
};

// Closes the calling thread's contexts, and stops the calls of all others: Python ends.
void pool_close();

// Frees the memory that the calling thread's contexts keep for their next calls.
void pool_trim();

// Throws the exception of a failed call with the context's message.
void pool_check(satb_context *context, satb_status status);
