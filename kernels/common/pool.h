/* Threads that share a loop. The process has one pool of them, for all callers: a loop starts those that it lacks, and
 * they sleep between loops. */
#ifndef SATK_POOL_H
#define SATK_POOL_H

#include <stdatomic.h>
#include <stdint.h>

/* Does item i of a job; items are in no order and share nothing but what is atomic. */
typedef void satk_item(const void *job, int i);

/* Does the items 0 .. count - 1 by the calling thread and up to threads - 1 others, and returns when all are done. Each
 * takes `grain` neighbours at a time; 0: equal shares, one for each thread. Where threads cannot be started there are
 * fewer. While a loop has more than one thread, its items call no other loop, and so no kernel: that one's threads would
 * have the numbers, and the scratch memory, of these. */
void satk_for(int threads, int count, int grain, satk_item *item, const void *job);

/* Does the same with items that return a number each, and returns the sum of these. */
typedef uint64_t satk_summand(const void *job, int i);
uint64_t satk_sum(int threads, int count, int grain, satk_summand *item, const void *job);

/* Returns the number of the calling thread among those of its loop: 0 .. threads - 1. */
int satk_thread(void);

/* Returns how many processors the process may use: 1 .. SATK_MOST_THREADS. */
enum { SATK_MOST_THREADS = 1024 };
int satk_processors(void);

/* Between these calls, which may nest, threads are kept. After the last satk_pool_leave() none is left. */
void satk_pool_enter(void);
void satk_pool_leave(void);

#endif
