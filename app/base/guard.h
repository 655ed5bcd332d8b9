/* Signals, and the temporary files that a process must not leave behind when one ends it. */
#ifndef SATBLUR_APP_GUARD_H
#define SATBLUR_APP_GUARD_H

/* From now on SIGINT, SIGTERM and SIGHUP remove all temporaries before the process dies of them,
 * and a file that is too large is an error instead of SIGXFSZ. Once, before the first output. */
void guard_start(void);

/* For work of many parts: the first signal only sets guard_signal(); the second ends the process as
 * above. */
void guard_soften(void);

/* The signal that was noted; 0: none. */
int guard_signal(void);

/* Dies of it, so that the parent sees what happened. */
void guard_die(int signal_number);

/* Threads that are started between the two get none of these signals. */
void guard_block(void);
void guard_unblock(void);

/* mkstemp(), and *guarded tells guard_remove() which file it is. -1: errno says why not. */
int guard_create(char *template, int *guarded);

/* Forgets the file; removes it, too, where there is a path (NULL: it has found its place). */
void guard_forget(int guarded, const char *path);

#endif
