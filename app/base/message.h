/* Messages. A function that can fail takes a `problem`, fills in one line and returns false;
 * whoever started it decides whether the line is printed, counted or tried around. Nothing below
 * main prints errors by itself. */
#ifndef SATBLUR_APP_MESSAGE_H
#define SATBLUR_APP_MESSAGE_H

#include <stdbool.h>

#if defined(__GNUC__)
#define MESSAGE_FORMAT(at) __attribute__((format(printf, at, (at) + 1)))
#else
#define MESSAGE_FORMAT(at)
#endif

typedef struct problem {
    char text[4096 + 512]; /* one line, no newline: the longest path and a sentence */
    bool
        out_of_device_memory; /* of a GPU's memory: when others have given theirs back, it may go well */
} problem;

/* Formats the message. Always false, so that a caller may `return problem_set(...)`. */
bool problem_set(problem *p, const char *format, ...) MESSAGE_FORMAT(2);

/* The same, for want of a GPU's memory if so. */
bool problem_set_oom(problem *p, bool out_of_device_memory, const char *format, ...)
    MESSAGE_FORMAT(3);

/* "name: " and what was met there. */
bool problem_at(problem *p, const char *name, const problem *inner);

/* One line "satblur: text" on stderr. Control characters (a file name may hold a newline) are shown
 * as '?'. */
void message_error(const problem *p);

/* The same for a note: what was assumed or converted. Nothing at all when quiet. */
void message_note(bool quiet, const char *format, ...) MESSAGE_FORMAT(2);

/* Until NULL, this thread's notes are added to *notes, one after the other, and printed nowhere. */
void message_collect(problem *notes);

/* Drops those so far. */
void message_forget(void);

#endif
