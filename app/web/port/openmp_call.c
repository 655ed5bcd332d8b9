/* WebAssembly calls a function by its exact type, so there is a call for each number of arguments. */
#include "web/port/openmp.h"

#include <stdlib.h>

/* The types and the values of the first N pointers of an array `a`. */
#define TYPES_1  void *
#define TYPES_2  TYPES_1, void *
#define TYPES_3  TYPES_2, void *
#define TYPES_4  TYPES_3, void *
#define TYPES_5  TYPES_4, void *
#define TYPES_6  TYPES_5, void *
#define TYPES_7  TYPES_6, void *
#define TYPES_8  TYPES_7, void *
#define TYPES_9  TYPES_8, void *
#define TYPES_10 TYPES_9, void *
#define TYPES_11 TYPES_10, void *
#define TYPES_12 TYPES_11, void *
#define TYPES_13 TYPES_12, void *
#define TYPES_14 TYPES_13, void *
#define TYPES_15 TYPES_14, void *
#define TYPES_16 TYPES_15, void *
#define FIRST_1  a[0]
#define FIRST_2  FIRST_1, a[1]
#define FIRST_3  FIRST_2, a[2]
#define FIRST_4  FIRST_3, a[3]
#define FIRST_5  FIRST_4, a[4]
#define FIRST_6  FIRST_5, a[5]
#define FIRST_7  FIRST_6, a[6]
#define FIRST_8  FIRST_7, a[7]
#define FIRST_9  FIRST_8, a[8]
#define FIRST_10 FIRST_9, a[9]
#define FIRST_11 FIRST_10, a[10]
#define FIRST_12 FIRST_11, a[11]
#define FIRST_13 FIRST_12, a[12]
#define FIRST_14 FIRST_13, a[13]
#define FIRST_15 FIRST_14, a[14]
#define FIRST_16 FIRST_15, a[15]

#define CALL(N)                                                                                    \
    case N: ((void (*)(int *, int *, TYPES_##N))code)(rank, rank, FIRST_##N); break

void openmp_call(microtask code, int count, void **a)
{
    int *const rank = &openmp_own.rank;
    switch (count) {
    case 0:
        ((void (*)(int *, int *))code)(rank, rank);
        break;
        CALL(1);
        CALL(2);
        CALL(3);
        CALL(4);
        CALL(5);
        CALL(6);
        CALL(7);
        CALL(8);
        CALL(9);
        CALL(10);
        CALL(11);
        CALL(12);
        CALL(13);
        CALL(14);
        CALL(15);
        CALL(16);
    default: abort(); /* a region has more arguments */
    }
}
