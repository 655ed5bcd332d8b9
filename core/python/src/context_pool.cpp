#include "python/src/context_pool.h"

#include "python/src/errors.h"
#include "python/src/spares.h"

#include <atomic>
#include <map>
#include <new>
#include <pthread.h>
#include <stdexcept>
#include <thread>
#include <unistd.h>

// --- Forks --------------------------------------------------------------------------------------

// A forked child has no usable CUDA, so it opens no CUDA contexts.
static std::atomic<bool> used_cuda, lost_cuda;
static std::atomic<unsigned> generation;

static void after_fork()
{
    lost_cuda = lost_cuda || used_cuda;
    generation++;
}

static const int watching = pthread_atfork(nullptr, nullptr, after_fork);

// --- The calling thread's contexts --------------------------------------------------------------

namespace
{
struct pool {
    std::map<int, satb_context *> open;
    unsigned born = generation;

    ~pool()
    {
        clear();
    }

    // Contexts of a parent are left alone: those of a GPU cannot be closed.
    void clear()
    {
        for (auto &entry : open)
            if (born == generation)
                satb_close(&entry.second);
        open.clear();
        born = generation;
    }
};
} // namespace

static pool &own()
{
    static thread_local pool contexts;
    if (contexts.born != generation)
        contexts.clear();
    return contexts;
}

static satb_config config_of(int device)
{
    satb_config config = {};
    const bool cpu = device == DEVICE_CPU || (device == DEVICE_AUTO && lost_cuda);
    if (device >= 0 && lost_cuda)
        throw std::runtime_error("CUDA does not survive a fork; start worker processes by 'spawn' "
                                 "(multiprocessing.get_context('spawn')), or use device='cpu'");
    config.device = cpu ? SATB_DEVICE_CPU : device >= 0 ? SATB_DEVICE_CUDA : SATB_DEVICE_AUTO;
    config.cuda_index = device >= 0 ? device : 0;
    return config;
}

satb_context *pool_context(int device)
{
    (void)watching;
    pool &contexts = own();
    const auto found = contexts.open.find(device);
    if (found != contexts.open.end())
        return found->second;
    const satb_config config = config_of(device);
    satb_context *context = nullptr;
    const satb_status status = satb_open(&context, &config);
    if (status != SATB_OK)
        throw_status(status, satb_open_message());
    used_cuda = used_cuda || satb_is_cuda(context);
    contexts.open[device] = context;
    return context;
}

void pool_trim()
{
    for (auto &entry : own().open)
        satb_trim(entry.second);
    spares_trim();
}

void pool_check(satb_context *context, satb_status status)
{
    if (status != SATB_OK)
        throw_status(status, satb_last_message(context));
}

// --- The end of Python --------------------------------------------------------------------------

static std::thread::id closer;
static std::atomic<bool> is_ending;
static std::atomic<int> returning; // threads that take the GIL back

gil_rest::~gil_rest()
{
    returning++;
    if (is_ending && std::this_thread::get_id() != closer) {
        returning--;
        for (;;)
            pause();
    }
    PyEval_RestoreThread(state);
    returning--;
}

void pool_close()
{
    closer = std::this_thread::get_id();
    is_ending = true;
    PyThreadState *const state = PyEval_SaveThread();
    for (int i = 0; returning > 0 && i < 1000; i++) // a fork may have lost them
        usleep(100);
    PyEval_RestoreThread(state);
    own().clear();
}
