/* Threads: stacks that libraries' frames fit in, work that threads share, and how many can be had. */
#ifndef SATBLUR_APP_THREADS_H
#define SATBLUR_APP_THREADS_H

#include "base/message.h"

#include <stdbool.h>
#include <stddef.h>

enum { THREADS_STACK = 4 << 20 }; /* bytes */

/* Gives all threads that are started from now on stacks of THREADS_STACK bytes, and returns body(user); from a thread of
 * its own where the stack of this one is smaller. -1: that thread cannot be started. */
int threads_run(int (*body)(void *user), void *user);

enum { THREADS_MOST = 1024 };

/* Calls body(user) in that many threads at a time, this one among them; the calls take shares of the work by a counter of
 * their own. Fewer where no more can be started. */
void threads_together(int threads, void (*body)(void *user), void *user);

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
