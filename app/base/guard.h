/* Signals, and the temporary files that a process must not leave behind when it ends early. */
#ifndef SATBLUR_APP_GUARD_H
#define SATBLUR_APP_GUARD_H

#include <signal.h>

/* From now on each signal that ends a process removes all temporaries before the process dies of it, and exit() does so,
 * too, with a line on stderr. A file that is too large is an error instead of SIGXFSZ. To be called once, before the
 * first output. */
void guard_start(void);

/* Ends the guard's work: exit() ends the program normally from now on. */
void guard_end(void);

/* function(user) is called where exit() ends the program early, after the temporaries are gone. NULL: none is. */
void guard_summarize(void (*function)(void *), void *user);

/* function() is called before the process dies of a signal, and where exit() ends it early: it may do only what a signal's
 * handler may. To be called before the other threads start. */
void guard_clean(void (*function)(void));

/* For work of many parts: the first signal only sets guard_signal(), and the second ends the process. A signal of an error
 * (SIGSEGV, SIGABRT and the like) always does. */
void guard_soften(void);

/* Returns the signal that was noted; 0: none. */
int guard_signal(void);

/* Dies of the signal, so that the parent sees what happened. */
void guard_die(int signal_number);

/* Threads that are started between the two calls get none of these signals, but for those of errors. */
void guard_block(void);
void guard_unblock(void);

/* Put a step between them that makes what guard_clean()'s function removes: a process that dies waits for its end. The step is
 * short, and signals wait meanwhile. guard_enter() does not return once the process dies. */
void guard_enter(sigset_t *old);
void guard_leave(const sigset_t *old);

/* mkstemp(); *guarded names the file to guard_forget(). -1: errno says why not. */
int guard_create(char *template, int *guarded);

/* Forgets the file, and removes it where path is given. path NULL: the file has its final name. */
void guard_forget(int guarded, const char *path);

#endif
