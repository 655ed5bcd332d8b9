#include "codec/jxl/jxl_runner.h"

#include "base/threads.h"

#include <stdatomic.h>

typedef struct share {
    void *library;
    JxlParallelRunFunction work;
    uint32_t end;
    atomic_uint next, threads;
} share;

static void take(void *user)
{
    share *const s = user;
    const size_t thread = atomic_fetch_add(&s->threads, 1);
    for (uint32_t i; (i = atomic_fetch_add(&s->next, 1)) < s->end;)
        s->work(s->library, i, thread);
}

JxlParallelRetCode jxl_run(void *threads, void *library, JxlParallelRunInit init,
                           JxlParallelRunFunction work, uint32_t begin, uint32_t end)
{
    const int *const most = threads;
    const uint32_t steps = end - begin;
    const uint32_t used = steps < (uint32_t)*most ? steps : (uint32_t)*most;
    share s = {.library = library, .work = work, .end = end, .next = begin};
    if (steps == 0)
        return 0;
    const JxlParallelRetCode code = init(library, used);
    if (code == 0)
        threads_together((int)used, take, &s);
    return code;
}
