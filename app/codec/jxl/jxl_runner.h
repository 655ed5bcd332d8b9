/* The threads of libjxl's work. */
#ifndef SATBLUR_APP_JXL_RUNNER_H
#define SATBLUR_APP_JXL_RUNNER_H

#include <jxl/parallel_runner.h>

/* A JxlParallelRunner: threads points to an int, the number of threads at most. Fewer work where no more can be started. */
JxlParallelRetCode jxl_run(void *threads, void *library, JxlParallelRunInit init,
                           JxlParallelRunFunction work, uint32_t begin, uint32_t end);

#endif
