/* The library, played without a GPU. Each test sets the answers. */
#ifndef SATB_TESTS_ENGINE_STAGE_H
#define SATB_TESTS_ENGINE_STAGE_H

#include <satblur.h>

#include <stdbool.h>

enum { GPUS = 3 };

extern struct stage {
    bool has_gpu;          /* there are GPUS */
    satb_status gpu_blurs; /* answer of a blur on the GPU */
    satb_status gpu_measures;
    int gpu_error_at;        /* this byte of the GPU's output is off by one; -1: none */
    int gpu_coc_error_at;    /* the same of the radii */
    int gpu_report_error_at; /* this byte of the GPU's report has another bit; -1: none */
    bool gpu_counts_wrong, gpu_lumas_wrong;
    int opened, closed, trimmed, most_bands, blurred, equalized, measured, lumas;
} stage;

/* Clears the stage; no byte is wrong then. For cmocka's setup. */
int stage_clear(void **state);

#endif
