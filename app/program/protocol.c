#include "program/protocol.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const made_words[MADE_TYPES] = {"", "disparity", "depth", "metres"};

bool protocol_greeting(char *line, const char **name, problem *p)
{
    const char *const word = strsep(&line, "\t");
    const char *const version = line ? strsep(&line, "\t") : NULL;
    if (strcmp(word, "satblur-map") != 0 || !version)
        return problem_set(p,
                           "its first line is '%.60s', and not satblur-map, version and name; "
                           "see what the command runs",
                           word);
    if (strcmp(version, "1") != 0)
        return problem_set(p,
                           "it speaks version %.20s of the protocol, and this satblur version 1; "
                           "get another version of one of them",
                           version);
    *name = line ? strsep(&line, "\t") : "";
    return true;
}

static bool find_type(const char *word, made_type *type)
{
    for (made_type t = MADE_UNKNOWN + 1; t < MADE_TYPES; t++)
        if (strcmp(word, made_words[t]) == 0) {
            *type = t;
            return true;
        }
    return false;
}

/* Reads what follows "ok". */
static bool read_fields(char *rest, made_answer *answer, problem *p)
{
    static const char type[] = "type=";
    while (rest) {
        const char *const field = strsep(&rest, "\t");
        if (strncmp(field, type, strlen(type)) == 0 &&
            !find_type(field + strlen(type), &answer->type))
            return problem_set(p, "it answered '%.40s'; a type is disparity, depth or metres",
                               field);
        answer->has_matte |= strcmp(field, "matte=1") == 0;
    }
    return true;
}

bool protocol_answer(char *line, unsigned long long number, made_answer *answer, problem *p)
{
    char wanted[24];
    *answer = (made_answer){.type = MADE_UNKNOWN};
    snprintf(wanted, sizeof wanted, "%llu", number);
    const char *const got = strsep(&line, "\t");
    const char *const word = line ? strsep(&line, "\t") : NULL;
    if (!word || got[strspn(got, "0123456789")] != '\0')
        return problem_set(p,
                           "it printed '%.60s' instead of an answer; its standard output is for "
                           "answers alone",
                           got);
    if (strcmp(got, wanted) != 0)
        return problem_set(p, "it answered for picture %.20s instead of %s", got, wanted);
    if (strcmp(word, "ok") == 0)
        return read_fields(line, answer, p);
    answer->is_error = strcmp(word, "error") == 0;
    if (answer->is_error)
        return problem_set(p, "%.400s", line && line[0] ? line : "it gives no reason");
    return problem_set(p, "it answered '%.60s' instead of ok or error", word);
}
