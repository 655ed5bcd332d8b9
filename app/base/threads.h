/* Threads: stacks that the kernels' frames fit in, and how many can be had. OpenMP ends the program where one of its
 * threads cannot be started, so both are settled before its first parallel region. */
#ifndef SATBLUR_APP_THREADS_H
#define SATBLUR_APP_THREADS_H

#include "base/message.h"

#include <stdbool.h>
#include <stddef.h>

enum { THREADS_STACK = 4 << 20 }; /* bytes; the kernels' frames take up to 1/8 of it */

/* Gives all threads that are started from now on stacks of THREADS_STACK bytes, and returns body(user); from a thread of
 * its own where the stack of this one is smaller. -1: that thread cannot be started. */
int threads_run(int (*body)(void *user), void *user);

/* Lets OpenMP's threads sleep while they wait, and have stacks of at least that size whatever OMP_STACKSIZE says. Starts
 * the program again where OpenMP has read something else from the environment already. False: it cannot. */
bool threads_start(char **argv, problem *p);

/* Returns how many of the wanted threads can be started beside the present ones: all, or half of those that the system
 * allows now, as others may want some, too. */
int threads_available(int wanted);

/* Takes threads of a library that starts its own and cannot do without them: `wanted` and `more` beside these. Waits for
 * others that have taken some while too few are left. Returns how many of the wanted ones it may have, for
 * threads_give_back(); 0: not even one. */
int threads_take(int wanted, int more);
void threads_give_back(int taken, int more);

/* Returns whether the process may map that many bytes more. */
bool threads_have_memory(size_t size);

#endif
