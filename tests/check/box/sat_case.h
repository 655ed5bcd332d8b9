/* One case of check_sat.c: its parameters, and how it is run and compared. */
#ifndef SATB_SAT_CASE_H
#define SATB_SAT_CASE_H

#include "check/check.h"

typedef struct sat_case {
    shape form;
    oracle_look look;
    fill content;
    int word;
} sat_case;

/* Names the case, for messages. how: its threads, or its way on CUDA. */
void sat_case_describe(check *c, const sat_case *k, const char *how);

/* Runs the case on several numbers of threads and levels of the CPU, and in every way on CUDA. */
void sat_case_run(check *c, const sat_case *k);

/* Runs the case on CUDA alone, its picture cut into `pictures` of equal height for one launch. */
void sat_case_pictures(check *c, const sat_case *k, int pictures);

/* Checks a table beyond 2^32 bytes or words, without a second one: by induction over the rows. */
void sat_case_large(check *c, const shape *form);

#endif
