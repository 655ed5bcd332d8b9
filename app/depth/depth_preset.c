#include "depth/depth_preset.h"

#include <stddef.h>
#include <string.h>

#define DISPARITY                                                                                  \
    {                                                                                              \
        DEPTH_DISPARITY, 0                                                                         \
    }
#define RELATIVE                                                                                   \
    {                                                                                              \
        DEPTH_RELATIVE, 0                                                                          \
    }
#define METRES(n)                                                                                  \
    {                                                                                              \
        DEPTH_METRES, n                                                                            \
    }

#define PRESET(name, words, numbers, codes, zero_is_unknown)                                       \
    {name, words, numbers, codes, zero_is_unknown},
const depth_preset depth_presets[] = {DEPTH_PRESETS(PRESET){0}};

const depth_preset *depth_preset_of(const char *name)
{
    for (const depth_preset *p = depth_presets; name && p->name; p++)
        if (strcmp(p->name, name) == 0)
            return p;
    return NULL;
}

const char *depth_kind_word(depth_kind kind)
{
    return kind == DEPTH_METRES     ? "metres"
           : kind == DEPTH_RELATIVE ? "relative distance"
                                    : "disparity";
}
