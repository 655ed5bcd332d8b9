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

#define Z_BUFFER                                                                                   \
    {                                                                                              \
        DEPTH_Z_BUFFER, 0                                                                          \
    }

#define PRESET(name, words, numbers, codes, zero_is_unknown, is_packed)                            \
    {name, words, numbers, codes, zero_is_unknown, is_packed},
const depth_preset depth_presets[] = {DEPTH_PRESETS(PRESET){0}};

const depth_preset *depth_preset_of(const char *name)
{
    for (const depth_preset *p = depth_presets; name && p->name; p++)
        if (strcmp(p->name, name) == 0)
            return p;
    return NULL;
}

bool depth_is_near_black(depth_kind kind)
{
    return kind == DEPTH_RELATIVE || kind == DEPTH_Z_BUFFER;
}

const char *depth_kind_word(depth_kind kind)
{
    return kind == DEPTH_METRES     ? "metres"
           : kind == DEPTH_RELATIVE ? "relative distance"
           : kind == DEPTH_Z_BUFFER ? "z-buffer"
                                    : "disparity";
}
