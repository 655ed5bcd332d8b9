#include "unit/app/args_case.h"

#include <stdio.h>
#include <string.h>

#include "unit/unit.h"

args_result parse(const char *line, options *o, problem *p)
{
    static char words[512];
    char *argv[32] = {"satblur"};
    int argc = 1;
    snprintf(words, sizeof words, "%s", line);
    for (char *word = strtok(words, " "); word; word = strtok(NULL, " "))
        argv[argc++] = strcmp(word, "''") == 0 ? "" : word;
    p->text[0] = '\0';
    return args_parse(argc, argv, o, p);
}

options accepted(const char *line)
{
    options o;
    problem p;
    if (parse(line, &o, &p) != ARGS_RUN)
        fail_msg("'%s' was refused: %s", line, p.text);
    return o;
}

void refused(const char *line, const char *message)
{
    options o;
    problem p;
    if (parse(line, &o, &p) != ARGS_WRONG)
        fail_msg("'%s' was accepted", line);
    if (!strstr(p.text, message))
        fail_msg("'%s' said '%s', without '%s'", line, p.text, message);
    assert_null(strchr(p.text, '\n'));
}
