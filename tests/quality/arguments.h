// What the renderers' command lines share.
#ifndef QUALITY_ARGUMENTS_H
#define QUALITY_ARGUMENTS_H

#include <stdlib.h>

// Returns a number from 1 to 2^20. usage, which does not return, is called for anything else.
static inline int argument_number(const char *text, void (*usage)(void))
{
    char *end;
    const long value = text ? strtol(text, &end, 10) : 0;
    if (value < 1 || value > 1 << 20 || *end)
        usage();
    return (int)value;
}

#endif
