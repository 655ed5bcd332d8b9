/* A program of the user's that runs for this one, in a group of processes of its own: Ctrl-C does not reach it, and it ends
 * with all that it has started. One thread at a time uses a process. */
#ifndef SATBLUR_APP_PROCESS_H
#define SATBLUR_APP_PROCESS_H

#include "base/message.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum {
    PROCESS_LINE = 4096,    /* bytes of a line that is read, at most */
    PROCESS_LAST = 400,     /* bytes of a last line that are kept */
    PROCESS_FILE = 1 << 28, /* bytes of a file that it writes, at most */
    PROCESS_STOPPING = 5000 /* milliseconds that it has after the first signal of guard_signal() */
};

typedef struct process { /* begins as zeros */
    pid_t pid;           /* of the first one of the group; 0: none runs */
    int to, from;        /* its standard input, or -1, and what is read of it */
    size_t taken, used;  /* bytes of text: of the line that was read last, and all */
    char text[PROCESS_LINE + 1];
} process;

/* How long a process is waited for, and the files that it writes meanwhile, which may not grow too large; NULL: none. */
typedef struct process_watch {
    double deadline; /* of clock_ms() */
    const char *file, *beside;
} process_watch;

typedef enum process_state {
    PROCESS_READ,
    PROCESS_CLOSED, /* it has closed what is read of it, or ended */
    PROCESS_LATE,
    PROCESS_LONG, /* a line has no end */
    PROCESS_LARGE /* the file is too large */
} process_state;

/* Starts a program by its words, which end with NULL; the first is looked up in PATH. talks: its standard input and output are
 * pipes, and errors go where this program's go. Otherwise only its errors are read. False: p has a sentence. */
bool process_start(process *c, char *const words[], bool talks, problem *p);

/* Writes a line. False: it reads none any more. */
bool process_send(const process *c, const char *line);

/* Sets *line to the next line, without its newline; it is valid until the next call. A line that holds a NUL ends there. */
process_state process_read(process *c, const process_watch *w, char **line);

/* Reads until the end, and keeps the last line that says something. Returns PROCESS_CLOSED, or why it stopped before. */
process_state process_drain(process *c, const process_watch *w, char last[PROCESS_LAST + 1]);

/* Closes its standard input, after which it ends by itself. */
void process_leave(process *c);

/* Waits for its end, so many milliseconds at most, and ends it and what it has started. Sets *status as waitpid() does. False:
 * it had to be killed. If no process runs, nothing is done. */
bool process_end(process *c, double patience, int *status);

/* Kills all processes that run, and one that a thread is about to start. A handler of signals may call this. */
void process_kill_all(void);

#endif
