/* A second process of the program, which works for this one: a library that crashes there, hangs or eats memory ends that
 * process alone. Both talk through a socket, which is the standard input of the second. One thread uses a child. */
#ifndef SATBLUR_APP_CHILD_H
#define SATBLUR_APP_CHILD_H

#include "base/message.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct child {
    pid_t pid;
    int fd;
    bool is_idle; /* it was given up, as it neither worked nor answered */
} child;

/* --- For the process that starts it ----------------------------------------------------------- */

/* Sets the program that child_start() starts: not this one, in a process of another. Returns false, and sets none, if the path
 * is too long. Before the first child. */
bool child_run_as(const char *path);

/* Starts the program with that name as its only argument, nothing but the socket open, and no variables but those of libraries.
 * Ctrl-C does not reach it. False: errno says why not. */
bool child_start(child *c, const char *name);

/* Sends the bytes. False: the child has ended. */
bool child_send(const child *c, const void *data, size_t size);

/* Waits for as many bytes. False: the child has ended, or has used no processor time for some 20 s. */
bool child_receive(child *c, void *data, size_t size);

/* Ends the child, and sets a sentence about how it ended, for a child that has not answered: "the library that reads it
 * crashed (Segmentation fault)". p NULL: nobody asks. */
void child_end(child *c, problem *p);

/* --- For the child ---------------------------------------------------------------------------- */

/* Makes the child end with the process that started it. To be called first. */
void child_begin(void);

/* Receive from, and send to, the process that started it. The child ends where that process has left. */
void child_get(void *data, size_t size);
void child_put(const void *data, size_t size);

typedef struct child_limits {
    uint64_t seconds; /* of processor time, of all that the child uses: the system ends it beyond */
    uint64_t bytes;   /* of memory: the system gives it no more */
} child_limits;

/* Limits the child. It can raise its limits to the lowest `most` of all calls, and not beyond. Does nothing in a process that
 * has not begun as a child. */
void child_limit(const child_limits *to, const child_limits *most);

/* Leaves the child its memory, its threads and the socket, as confine_process() says. Does nothing in a process that has not
 * begun as a child, nor in one with sanitizers. */
void child_confine(void);

/* Names what does so on this system: "Landlock, seccomp". */
const char *child_confined_by(void);

#endif
