#include "quality/arguments.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Noreturn void help(const char *program, const struct argument *all, int count)
{
    fprintf(stderr, "usage: %s [options]\n", program);
    for (int i = 0; i < count; ++i)
        fprintf(stderr, "  %-18s  %s\n", all[i].words, all[i].about);
    exit(2);
}

static int is_number(const char *text, int *number)
{
    char *end;
    const long value = strtol(text, &end, 10);
    *number = (int)value;
    return value >= 1 && value <= 1 << 20 && !*end;
}

static const struct argument *find(const struct argument *all, int count, const char *word)
{
    for (int i = 0; i < count; ++i) {
        const size_t length = strcspn(all[i].words, " ");
        if (strlen(word) == length && !memcmp(word, all[i].words, length))
            return &all[i];
    }
    return NULL;
}

void arguments_read(const char *program, const struct argument *all, int count, char **argv)
{
    for (char **arg = argv + 1; *arg; ++arg) {
        const struct argument *const a = find(all, count, *arg);
        if (a && a->flag)
            *a->flag = 1;
        else if (!a || !*++arg || (a->number && !is_number(*arg, a->number)))
            help(program, all, count);
        else if (a->text)
            *a->text = *arg;
    }
}

const char *argument_path(char *text, int size, const char *folder, const char *name,
                          const char *ending)
{
    const int n = snprintf(text, (size_t)size, "%s/%s%s", folder, name, ending);
    if (n < 0 || n >= size) {
        fprintf(stderr, "%s: the path is too long\n", folder);
        exit(2);
    }
    return text;
}
