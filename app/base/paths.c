#include "base/paths.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char path_stdin[] = "standard input", path_stdout[] = "standard output";

static bool grow(paths *list)
{
    const size_t capacity = list->capacity ? 2 * list->capacity : 64;
    char **at = realloc(list->at, capacity * sizeof *at);
    if (!at)
        return false;
    list->at = at;
    list->capacity = capacity;
    return true;
}

bool paths_add(paths *list, const char *text, size_t length)
{
    if (list->count == list->capacity && !grow(list))
        return false;
    char *copy = strndup(text, length);
    if (copy)
        list->at[list->count++] = copy;
    return copy != NULL;
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

void paths_sort(paths *list)
{
    size_t kept = 0;
    if (list->count > 1)
        qsort(list->at, list->count, sizeof *list->at, compare);
    for (size_t i = 0; i < list->count; i++)
        if (kept > 0 && strcmp(list->at[kept - 1], list->at[i]) == 0)
            free(list->at[i]);
        else
            list->at[kept++] = list->at[i];
    list->count = kept;
}

size_t paths_from(const paths *list, const char *text)
{
    size_t low = 0, high = list->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (strcmp(list->at[middle], text) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void paths_free(paths *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->at[i]);
    free(list->at);
    *list = (paths){0};
}

char *text_new(const char *format, ...)
{
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    const int length = vsnprintf(NULL, 0, format, list);
    char *text = length < 0 ? NULL : malloc((size_t)length + 1);
    if (text)
        vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    va_end(list);
    return text;
}

bool path_is_folder(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

bool path_is_file(int folder, const char *path)
{
    struct stat about;
    return fstatat(folder, path, &about, 0) == 0 && S_ISREG(about.st_mode);
}

bool path_is_star(const char *path)
{
    return strchr(path_base(path), '*') && access(path, F_OK) != 0;
}

const char *path_base(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

size_t path_stem(const char *path)
{
    const char *base = path_base(path), *dot = strrchr(base, '.');
    return dot && dot != base ? (size_t)(dot - path) : strlen(path);
}
