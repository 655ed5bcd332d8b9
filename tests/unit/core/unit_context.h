/* A CPU context for a group of tests of the library. */
#ifndef SATB_TESTS_UNIT_CONTEXT_H
#define SATB_TESTS_UNIT_CONTEXT_H

#include "unit/unit.h"

#include <satblur.h>

static satb_context *cpu;

static inline int set_up(void **state)
{
    const satb_config config = {.device = SATB_DEVICE_CPU, .threads = 2};

    return satb_open(&cpu, &config);
}

static inline int tear_down(void **state)
{
    satb_close(&cpu);
    return cpu != NULL;
}

#endif
