/* The codes that occur in a map, as a set of bits: slabs, the reach of windows and discs, and tables that the host
 * makes are for these alone. */
#ifndef SATB_CODE_SET_H
#define SATB_CODE_SET_H

#include "stats/codes.h"

typedef struct satb_code_set {
    uint32_t words[65536 / 32]; /* as of satk_codes; a map of 8 bits uses the first eight */
} satb_code_set;

static inline int satb_has_code(const satb_code_set *set, uint32_t code)
{
    return satk_has_code(set->words, code);
}

/* Returns the first code of at least `from` that occurs, or `codes`, their number. */
static inline uint32_t satb_next_code(const satb_code_set *set, uint32_t from, uint32_t codes)
{
    while (from < codes) {
        const uint32_t rest = set->words[from / 32] >> from % 32;
        if (rest)
            return from + (uint32_t)__builtin_ctz(rest);
        from = (from / 32 + 1) * 32;
    }
    return codes;
}

/* Returns the last code below `codes` that occurs, or 0. */
static inline uint32_t satb_last_code(const satb_code_set *set, uint32_t codes)
{
    for (uint32_t word = codes / 32; word-- > 0;)
        if (set->words[word])
            return 32 * word + 31 - (uint32_t)__builtin_clz(set->words[word]);
    return 0;
}

static inline int satb_is_empty(const satb_code_set *set)
{
    return satb_next_code(set, 0, 65536) == 65536;
}

/* Adds the codes from first to last. */
static inline void satb_add_codes(satb_code_set *set, uint32_t first, uint32_t last)
{
    for (uint32_t code = first; code <= last; code++)
        if (code % 32 == 0 && last - code >= 31) {
            set->words[code / 32] = UINT32_MAX;
            code += 31;
        } else
            set->words[code / 32] |= (uint32_t)1 << code % 32;
}

static inline void satb_add_code_set(satb_code_set *set, const satb_code_set *more)
{
    for (size_t i = 0; i < sizeof set->words / sizeof *set->words; i++)
        set->words[i] |= more->words[i];
}

#endif
