/* The words of a command, without a shell. */
#include "program/words.h"

#include "base/blob.h"

#include <stdlib.h>
#include <string.h>

typedef struct splitter {
    blob word;
    bool is_begun; /* the word may be empty, as '' is */
    char quote;    /* that is open; 0: none */
} splitter;

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static void add(splitter *s, const char *text, size_t size)
{
    s->is_begun = true;
    blob_add(&s->word, text, size);
}

/* Takes a character or two, and returns the last one. */
static const char *take(splitter *s, const char *c)
{
    const char *const home = getenv("HOME");
    if (s->quote && *c == s->quote) {
        s->quote = 0;
    } else if (!s->quote && (*c == '\'' || *c == '"')) {
        s->quote = *c;
        s->is_begun = true;
    } else if (*c == '\\' && c[1] && (!s->quote || (s->quote == '"' && strchr("\"\\$`", c[1])))) {
        add(s, ++c, 1);
    } else if (*c == '~' && c[1] == '/' && !s->is_begun && home) {
        add(s, home, strlen(home));
    } else {
        add(s, c, 1);
    }
    return c;
}

/* Ends a word if one has begun. */
static bool end(splitter *s, paths *words)
{
    const bool done =
        !s->is_begun || (!s->word.failed &&
                         paths_add(words, s->word.data ? (char *)s->word.data : "", s->word.size));
    s->word.size = 0;
    s->is_begun = false;
    return done;
}

bool words_split(paths *words, const char *text, problem *p)
{
    splitter s = {.quote = 0};
    bool done = true;
    *words = (paths){0};
    for (const char *c = text; *c && done; c++)
        if (!s.quote && is_blank(*c))
            done = end(&s, words);
        else
            c = take(&s, c);
    done = done && end(&s, words);
    blob_free(&s.word);
    if (s.quote)
        return problem_set(p, "a quote (%c) is not closed", s.quote);
    if (done && words->count == 0)
        return problem_set(p, "the command is empty");
    return done || problem_set_kind(p, PROBLEM_MEMORY, "not enough memory");
}

char *words_fill(const char *word, const char *in, const char *out)
{
    blob b = {0};
    while (*word) {
        const char *const put = strncmp(word, "{in}", 4) == 0    ? in
                                : strncmp(word, "{out}", 5) == 0 ? out
                                                                 : NULL;
        blob_add(&b, put ? put : word, put ? strlen(put) : 1);
        word += !put ? 1 : put == in ? 4 : 5;
    }
    if (blob_add(&b, "", 1))
        return (char *)b.data;
    blob_free(&b);
    return NULL;
}
