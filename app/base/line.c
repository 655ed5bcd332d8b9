#include "base/line.h"

#include <stdarg.h>
#include <stdio.h>

void line_add(line *l, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    const int length = vsnprintf(l->text + l->used, sizeof l->text - l->used, format, list);
    va_end(list);
    l->used += length > 0 ? (size_t)length : 0;
    l->used = l->used < sizeof l->text ? l->used : sizeof l->text - 1;
}

void line_add_part(line *l, const char *part)
{
    line_add(l, "%s%s", l->used ? ", " : "", part);
}
