/* Messages. A function that can fail takes a `problem`, fills in one line and returns false; its caller decides whether
 * the line is printed, counted or followed by another attempt. */
#ifndef SATBLUR_APP_MESSAGE_H
#define SATBLUR_APP_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define MESSAGE_FORMAT(at) __attribute__((format(printf, at, (at) + 1)))
#else
#define MESSAGE_FORMAT(at)
#endif

/* Reasons that a caller acts on, or has words of its own for. */
typedef enum problem_kind {
    PROBLEM_PLAIN,
    PROBLEM_STOPPED,       /* the work was ended by another's failure, which has the line */
    PROBLEM_DEVICE_MEMORY, /* of a GPU: a retry can succeed when other pictures have finished */
    PROBLEM_MEMORY,        /* of the host: the files may be good */
    PROBLEM_TOO_LARGE,     /* a picture has more pixels than --max-pixels: width, height, most */
    PROBLEM_NOT_BUILT_IN   /* other builds read the format of the file: format */
} problem_kind;

typedef struct problem {
    char text[4096 + 512]; /* one line, no newline: the longest path and a sentence */
    problem_kind kind;
    size_t sentence; /* place in text of the sentence, behind the names of problem_at() */
    int width, height;
    uint64_t most;
    const char *format; /* static memory */
} problem;

/* Formats the message. Returns false always, for `return problem_set(...)`. */
bool problem_set(problem *p, const char *format, ...) MESSAGE_FORMAT(2);

/* problem_set(), with the reason. The caller sets the numbers and the name of that kind. */
bool problem_set_kind(problem *p, problem_kind kind, const char *format, ...) MESSAGE_FORMAT(3);

/* Sets PROBLEM_STOPPED. Returns false always. */
bool problem_stop(problem *p);

/* Sets "name: " and the inner problem, with its reason. Returns false always. */
bool problem_at(problem *p, const char *name, const problem *inner);

/* Prints the line "satblur: text" on stderr, as utf8_show() shows text. */
void message_error(const problem *p);

/* Prints a note: an assumption or a conversion. quiet: prints nothing. */
void message_note(bool quiet, const char *format, ...) MESSAGE_FORMAT(2);

/* Prints a note that is for the reader of a terminal alone: of those that collect notes only message_list() takes it. quiet:
 * prints nothing. */
void message_say(bool quiet, const char *format, ...) MESSAGE_FORMAT(2);

/* Shows a line on the terminal that stderr is, cut off at its width, until the next line of any kind. NULL: takes it away.
 * Does nothing if stderr is no terminal. Several threads may call this and the functions above. */
void message_show(const char *text);

/* Returns the characters that fit into a line of the terminal, as a longer one would wrap. INT_MAX: it does not say. */
int message_width(void);

/* Collects this thread's notes in *notes, joined by "; ", instead of printing them. NULL: prints them again. */
void message_collect(problem *notes);

/* The notes that a thread would print, each for itself. */
typedef struct message_notes { /* begins as zeros */
    problem all;               /* as message_collect() has them */
    char lines
        [8192];  /* those to print, each with its NUL; one that does not fit is printed at once */
    size_t used; /* bytes of lines */
    size_t warnings; /* notes that are printed without --verbose */
    bool is_verbose; /* lines has the other notes, too */
    bool is_alone;   /* lines has those of message_say(), too */
} message_notes;

/* Collects this thread's notes until message_collect(NULL). */
void message_list(message_notes *notes);

/* Drops the notes that this thread has collected. */
void message_forget(void);

#endif
