#include "program/pool.h"

#include "base/clock.h"
#include "base/guard.h"
#include "base/hash.h"
#include "program/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    GIVEN_UP = 4,   /* failures in a row, after which a program is not started again */
    LEAVING = 2000, /* milliseconds that it has to end after its last picture */
    CLOSING = 500   /* the same, after it has closed its output */
};

/* --- Opening ---------------------------------------------------------------------------------- */

/* Returns the hash with the state of a file, if the word names one. */
static uint64_t add_state(uint64_t h, const char *word)
{
    struct stat about;
    if (stat(word, &about) != 0 || !S_ISREG(about.st_mode))
        return h;
    const long long state[] = {about.st_size, about.st_mtim.tv_sec, about.st_mtim.tv_nsec};
    return hash_add(h, state, sizeof state);
}

/* Adds the state of the file that a word names, whole or behind "=". */
static uint64_t add_word(uint64_t h, const char *word)
{
    const char *const equals = strchr(word, '=');
    h = add_state(h, word);
    return equals ? add_state(h, equals + 1) : h;
}

/* Adds the state of the file that a command without a slash runs. */
static uint64_t add_program(uint64_t h, const char *word)
{
    const char *folder = getenv("PATH");
    while (folder && !strchr(word, '/')) {
        const int length = (int)strcspn(folder, ":");
        char *const path = text_new("%.*s/%s", length, folder, word);
        const bool is_it = path && access(path, X_OK) == 0;
        h = is_it ? add_state(h, path) : h;
        free(path);
        if (is_it || !folder[length])
            break;
        folder += length + 1;
    }
    return h;
}

static bool has_both(const paths *words)
{
    bool in = false, out = false;
    for (size_t i = 0; i < words->count; i++) {
        in |= strstr(words->at[i], "{in}") != NULL;
        out |= strstr(words->at[i], "{out}") != NULL;
    }
    return in && out;
}

bool pool_open(pool *g, const char *command, bool stays, const options *o, problem *p)
{
    if (!words_split(&g->words, command, p))
        return false;
    if (!stays && !has_both(&g->words))
        return problem_set(p, "{in} and {out} stand for the files; expected them in the command");
    g->stays = stays;
    g->patience = 1000 * o->depth_timeout;
    g->count = o->depth_jobs;
    g->seats = calloc((size_t)g->count, sizeof *g->seats);
    if (!g->seats)
        return problem_set_kind(p, PROBLEM_MEMORY, "not enough memory");
    g->key = hash_add(HASH_START, command, strlen(command) + 1);
    g->key = add_program(g->key, g->words.at[0]);
    for (size_t i = 0; i < g->words.count; i++)
        g->key = add_word(g->key, g->words.at[i]);
    pthread_mutex_init(&g->lock, NULL);
    pthread_cond_init(&g->freed, NULL);
    return true;
}

void pool_close(pool *g)
{
    const double end = clock_ms() + LEAVING;
    int status;
    for (int i = 0; i < g->count && g->seats; i++)
        process_leave(&g->seats[i].process);
    for (int i = 0; i < g->count && g->seats; i++)
        process_end(&g->seats[i].process, end - clock_ms(), &status);
    if (g->seats) {
        pthread_mutex_destroy(&g->lock);
        pthread_cond_destroy(&g->freed);
    }
    free(g->seats);
    paths_free(&g->words);
    *g = (pool){.count = 0};
}

/* --- Seats ------------------------------------------------------------------------------------ */

/* Returns a free seat, one whose process runs if there is one. NULL: there is none. */
static seat *find_free(pool *g)
{
    seat *found = NULL;
    for (int i = 0; i < g->count; i++) {
        seat *const s = &g->seats[i];
        if (!s->is_taken && (!found || (s->process.pid && !found->process.pid)))
            found = s;
    }
    return found;
}

static seat *take_seat(pool *g)
{
    seat *s;
    pthread_mutex_lock(&g->lock);
    while (!(s = find_free(g)))
        pthread_cond_wait(&g->freed, &g->lock);
    s->is_taken = true;
    pthread_mutex_unlock(&g->lock);
    return s;
}

static void leave_seat(pool *g, seat *s)
{
    pthread_mutex_lock(&g->lock);
    s->is_taken = false;
    pthread_cond_signal(&g->freed);
    pthread_mutex_unlock(&g->lock);
}

/* --- Failures --------------------------------------------------------------------------------- */

/* Ends a process that has not answered, and says why. when: "before ...". Returns false always. */
static bool explain(const pool *g, process *c, process_state state, const char *when, problem *p)
{
    int status;
    const bool ended = process_end(c, state == PROCESS_CLOSED ? CLOSING : 0, &status);
    switch (state) {
    case PROCESS_LATE:
        if (guard_signal())
            return problem_set(p, "it was ended, as a signal stops this run");
        return problem_set(p, "it took more than %g s; raise --depth-timeout", g->patience / 1000);
    case PROCESS_LONG:
        return problem_set(p, "it printed a line of more than %d bytes", PROCESS_LINE);
    case PROCESS_LARGE:
        return problem_set(p, "it wrote a file of more than %d MiB", PROCESS_FILE >> 20);
    default: break;
    }
    if (!ended)
        return problem_set(p, "it closed its standard input or output %s", when);
    return WIFSIGNALED(status)
               ? problem_set(p, "it was ended by a signal (%s) %s", strsignal(WTERMSIG(status)),
                             when)
               : problem_set(p, "it ended with status %d %s", WEXITSTATUS(status), when);
}

/* Counts failures in a row. */
static void count(pool *g, bool done, const problem *p)
{
    pthread_mutex_lock(&g->lock);
    g->failures = done ? 0 : g->failures + 1;
    if (g->failures >= GIVEN_UP && !g->is_given_up) {
        g->is_given_up = true;
        g->last = *p;
    }
    pthread_mutex_unlock(&g->lock);
}

/* Refuses work after too many failures. */
static bool is_of_use(pool *g, problem *p)
{
    pthread_mutex_lock(&g->lock);
    const bool is_given_up = g->is_given_up;
    if (is_given_up)
        problem_set(p, "it failed %d times in a row, and is not started again; the last time %s",
                    GIVEN_UP, g->last.text);
    pthread_mutex_unlock(&g->lock);
    return !is_given_up;
}

/* --- Starting --------------------------------------------------------------------------------- */

static void free_words(char **words, size_t count)
{
    for (size_t i = 0; words && i < count; i++)
        free(words[i]);
    free(words);
}

/* Starts the command with the names of two files. */
static bool start(const pool *g, process *c, const char *in, const char *out, problem *p)
{
    char **const words = calloc(g->words.count + 1, sizeof *words);
    bool filled = words != NULL;
    for (size_t i = 0; i < g->words.count && filled; i++)
        filled = (words[i] = words_fill(g->words.at[i], in, out)) != NULL;
    const bool started = filled ? process_start(c, words, g->stays, p)
                                : problem_set_kind(p, PROBLEM_MEMORY, "not enough memory");
    free_words(words, g->words.count);
    return started;
}

/* --- A program that stays --------------------------------------------------------------------- */

/* Starts the seat's process unless it runs, and waits for its greeting. */
static bool begin(pool *g, seat *s, problem *p)
{
    process *const c = &s->process;
    const process_watch watch = {.deadline = clock_ms() + g->patience};
    char *line;
    const char *name;
    if (c->pid)
        return true;
    s->asked = 0;
    if (!start(g, c, "{in}", "{out}", p))
        return false;
    const process_state state = process_read(c, &watch, &line);
    if (state != PROCESS_READ)
        return explain(g, c, state, "before its first line", p);
    if (!protocol_greeting(line, &name, p))
        return false;
    pthread_mutex_lock(&g->lock);
    if (!g->name[0])
        snprintf(g->name, sizeof g->name, "%s", name[0] ? name : path_base(g->words.at[0]));
    pthread_mutex_unlock(&g->lock);
    return true;
}

static void pass(const program_step *step)
{
    if (step->passed)
        step->passed(step->user);
}

static bool ask(pool *g, seat *s, const pool_order *o, made_answer *answer, problem *p)
{
    const process_watch watch = {
        .deadline = clock_ms() + g->patience, .file = o->out, .beside = o->matte};
    const unsigned long long number = ++s->asked;
    char *line, *const request = text_new("%llu\t%s\t%s\t%s\n", number,
                                          o->role == SOURCE_MAP ? "depth" : "matte", o->in, o->out);
    if (!request)
        return problem_set_kind(p, PROBLEM_MEMORY, "not enough memory");
    const bool sent = process_send(&s->process, request);
    free(request);
    pass(o->step);
    const process_state state = sent ? process_read(&s->process, &watch, &line) : PROCESS_CLOSED;
    if (state != PROCESS_READ)
        return explain(g, &s->process, state, "before it answered", p);
    return protocol_answer(line, number, answer, p);
}

/* Has the picture made by a process that runs, or that is started. One that has lost the thread is ended. */
static bool make_staying(pool *g, const pool_order *o, made_answer *answer, problem *p)
{
    seat *const s = take_seat(g);
    int status;
    bool done = is_of_use(g, p);
    const bool tries = done;
    done = done && begin(g, s, p) && ask(g, s, o, answer, p);
    const bool goes_on = done || answer->is_error;
    if (!goes_on)
        process_end(&s->process, 0, &status);
    if (tries)
        count(g, goes_on, p);
    leave_seat(g, s);
    return done;
}

const char *pool_known_name(pool *g)
{
    pthread_mutex_lock(&g->lock);
    const bool is_known = g->name[0] != '\0';
    pthread_mutex_unlock(&g->lock);
    return is_known ? g->name : "";
}

const char *pool_name(pool *g, problem *p)
{
    int status;
    if (!g->stays)
        return path_base(g->words.at[0]);
    if (pool_known_name(g)[0])
        return g->name;
    seat *const s = take_seat(g);
    const bool is_new = is_of_use(g, p), done = is_new && begin(g, s, p);
    if (!done)
        process_end(&s->process, 0, &status);
    if (is_new)
        count(g, done, p);
    leave_seat(g, s);
    return done ? g->name : NULL;
}

/* --- A program that is run for each picture --------------------------------------------------- */

/* Starts the command, unless that has failed too often. What it does then is its own. */
static bool start_once(pool *g, process *c, const pool_order *o, problem *p)
{
    if (!is_of_use(g, p))
        return false;
    const bool started = start(g, c, o->in, o->out, p);
    count(g, started, p);
    return started;
}

/* Runs the command. Its last line of errors is the reason of a failure. */
static bool run(pool *g, process *c, const pool_order *o, problem *p)
{
    const process_watch watch = {.deadline = clock_ms() + g->patience, .file = o->out};
    char last[PROCESS_LAST + 1];
    int status;
    if (!start_once(g, c, o, p))
        return false;
    pass(o->step);
    const process_state state = process_drain(c, &watch, last);
    if (state != PROCESS_CLOSED)
        return explain(g, c, state, "", p);
    if (!process_end(c, watch.deadline - clock_ms(), &status))
        return explain(g, c, PROCESS_LATE, "", p);
    if (status == 0)
        return true;
    if (last[0])
        return problem_set(p, "%s", last);
    return WIFSIGNALED(status)
               ? problem_set(p, "it was ended by a signal (%s)", strsignal(WTERMSIG(status)))
               : problem_set(p, "it ended with status %d", WEXITSTATUS(status));
}

bool pool_make(pool *g, const pool_order *o, made_answer *answer, problem *p)
{
    *answer = (made_answer){.type = MADE_UNKNOWN};
    if (g->stays)
        return make_staying(g, o, answer, p);
    seat *const s = take_seat(g);
    const bool done = run(g, &s->process, o, p);
    leave_seat(g, s);
    return done;
}
