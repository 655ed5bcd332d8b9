/* The rows of satk_sat_cpu(), compiled for several sets of the CPU's instructions (cpu_level.h). */
#ifndef SATK_SAT_ROW_H
#define SATK_SAT_ROW_H

#include "sat/sat.h"

typedef struct satk_sat_rows {
    void (*add)(const satk_sat *job, int y, int first, int last, void *totals);
    void (*build)(const satk_sat *job, int y, const void *above, void *row);
} satk_sat_rows;

/* Return the functions for the job's kind of picture and table. */
satk_sat_rows satk_sat_rows_plain(const satk_sat *job);
satk_sat_rows satk_sat_rows_avx2(const satk_sat *job);
satk_sat_rows satk_sat_rows_avx512(const satk_sat *job);

#endif
