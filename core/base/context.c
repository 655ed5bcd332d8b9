#include "base/context.h"

#include <stdarg.h>
#include <stdio.h>
#include <time.h>

double satb_now_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

satb_status satb_fail(satb_context *context, satb_status status, const char *format, ...)
{
    va_list args;

    if (!context)
        return status;
    va_start(args, format);
    vsnprintf(context->message, sizeof context->message, format, args);
    va_end(args);
    return status;
}
