/* Messages. A function that can fail takes a `problem`, fills in one line and returns false; its caller decides whether
 * the line is printed, counted or followed by another attempt. */
#ifndef SATBLUR_APP_MESSAGE_H
#define SATBLUR_APP_MESSAGE_H

#include <stdbool.h>

#if defined(__GNUC__)
#define MESSAGE_FORMAT(at) __attribute__((format(printf, at, (at) + 1)))
#else
#define MESSAGE_FORMAT(at)
#endif

typedef struct problem {
    char text[4096 + 512];     /* one line, no newline: the longest path and a sentence */
    bool out_of_device_memory; /* of a GPU: a retry can succeed when other pictures have finished */
    bool out_of_memory;        /* while a JPEG or a PNG was read: the file may be good */
} problem;

/* Formats the message. Returns false always, for `return problem_set(...)`. */
bool problem_set(problem *p, const char *format, ...) MESSAGE_FORMAT(2);

/* problem_set(), for a JPEG or a PNG that was not read as memory ran out. */
bool problem_set_starved(problem *p, const char *format, ...) MESSAGE_FORMAT(2);

/* problem_set(), with the reason. */
bool problem_set_oom(problem *p, bool out_of_device_memory, const char *format, ...)
    MESSAGE_FORMAT(3);

/* Sets "name: " and the inner problem, with its reason. Returns false always. */
bool problem_at(problem *p, const char *name, const problem *inner);

/* Prints the line "satblur: text" on stderr, as utf8_show() shows text. */
void message_error(const problem *p);

/* Prints a note: an assumption or a conversion. quiet: prints nothing. */
void message_note(bool quiet, const char *format, ...) MESSAGE_FORMAT(2);

/* Prints a note that is for the reader of a terminal alone: it is not collected. quiet: prints nothing. */
void message_say(bool quiet, const char *format, ...) MESSAGE_FORMAT(2);

/* Shows a line on the terminal that stderr is, cut off at its width, until the next line of any kind. NULL: takes it away.
 * Does nothing if stderr is no terminal. Several threads may call this and the functions above. */
void message_show(const char *text);

/* Returns the characters that fit into a line of the terminal, as a longer one would wrap. INT_MAX: it does not say. */
int message_width(void);

/* Collects this thread's notes in *notes, joined by "; ", instead of printing them. NULL: prints them again. */
void message_collect(problem *notes);

/* Drops the notes that this thread has collected. */
void message_forget(void);

#endif
