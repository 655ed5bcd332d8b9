#include "base/message.h"

#include "base/utf8.h"

#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static void fill(problem *p, problem_kind kind, const char *format, va_list list)
{
    vsnprintf(p->text, sizeof p->text, format, list);
    p->kind = kind;
    p->sentence = 0;
}

bool problem_set(problem *p, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    fill(p, PROBLEM_PLAIN, format, list);
    va_end(list);
    return false;
}

bool problem_set_kind(problem *p, problem_kind kind, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    fill(p, kind, format, list);
    va_end(list);
    return false;
}

bool problem_stop(problem *p)
{
    return problem_set_kind(p, PROBLEM_STOPPED, "stopped, because other work failed");
}

bool problem_at(problem *p, const char *name, const problem *inner)
{
    *p = *inner;
    problem_set_kind(p, inner->kind, "%s: %s", name, inner->text);
    p->sentence = strlen(name) + 2 + inner->sentence;
    return false;
}

/* --- Lines ------------------------------------------------------------------------------------ */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of stderr, and of: */
static bool is_shown;                                    /* a line that the next one wipes */

int message_width(void)
{
    struct winsize size;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return INT_MAX;
    return size.ws_col - 1;
}

static void wipe(void)
{
    if (is_shown)
        fputs("\r\033[K", stderr);
    is_shown = false;
}

void message_show(const char *text)
{
    if (!isatty(STDERR_FILENO))
        return;
    pthread_mutex_lock(&lock);
    if (text)
        fprintf(stderr, "\r%.*s\033[K", message_width(), text);
    else
        wipe();
    is_shown = text != NULL;
    pthread_mutex_unlock(&lock);
}

/* Prints by one fputs(), as stderr is unbuffered. */
static void put_line(const char *text)
{
    static const char name[] = "satblur: ";
    char line[sizeof(problem) + 16];
    size_t used = sizeof name - 1;
    memcpy(line, name, used);
    used += utf8_show(text, line + used, sizeof line - 1 - used);
    line[used] = '\n';
    line[used + 1] = '\0';
    pthread_mutex_lock(&lock);
    wipe();
    fputs(line, stderr);
    pthread_mutex_unlock(&lock);
}

void message_error(const problem *p)
{
    put_line(p->text);
}

static _Thread_local problem *collected;
static _Thread_local message_notes *listed; /* NULL: notes are only joined */

void message_forget(void)
{
    if (collected)
        collected->text[0] = '\0';
    if (listed)
        listed->used = listed->warnings = 0;
}

void message_collect(problem *notes)
{
    collected = notes;
    listed = NULL;
    message_forget();
}

void message_list(message_notes *notes)
{
    collected = &notes->all;
    listed = notes;
    message_forget();
}

static void collect(const char *text)
{
    const size_t used = strlen(collected->text);
    snprintf(collected->text + used, sizeof collected->text - used, "%s%s", used ? "; " : "", text);
}

/* Keeps a line for the caller to print. */
static void list_line(const char *text)
{
    const size_t size = strlen(text) + 1;
    if (size > sizeof listed->lines - listed->used) {
        put_line(text);
        return;
    }
    memcpy(listed->lines + listed->used, text, size);
    listed->used += size;
}

void message_note(bool quiet, const char *format, ...)
{
    if (quiet && !collected)
        return;
    problem note;
    va_list list;
    va_start(list, format);
    vsnprintf(note.text, sizeof note.text, format, list);
    va_end(list);
    if (collected)
        collect(note.text);
    else
        put_line(note.text);
    if (listed && (!quiet || listed->is_verbose))
        list_line(note.text);
    if (listed)
        listed->warnings += !quiet;
}

void message_say(bool quiet, const char *format, ...)
{
    problem note;
    va_list list;
    const bool is_listed = listed && listed->is_alone;
    if (quiet || (collected && !is_listed))
        return;
    va_start(list, format);
    vsnprintf(note.text, sizeof note.text, format, list);
    va_end(list);
    if (is_listed)
        list_line(note.text);
    else
        put_line(note.text);
}
