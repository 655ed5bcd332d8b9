#include "fill/fill_parts.h"

#include <string.h>

static uint32_t root_of(uint32_t *of, uint32_t i)
{
    while (of[i] != i)
        i = of[i] = of[of[i]];
    return i;
}

/* Makes two parts one. The first of its samples is its root. */
static void join(uint32_t *of, uint32_t a, uint32_t b)
{
    const uint32_t i = root_of(of, a), j = root_of(of, b);

    of[i > j ? i : j] = i > j ? j : i;
}

/* Returns which of 64 samples are known; none beside the map. */
static uint64_t known_of(const satk_fill_votes *f, int y, size_t word)
{
    const int rest = f->map.width - (int)word * 64;

    if (y < 0 || y >= f->map.height || word >= f->mute.words - 2)
        return 0;
    return ~satk_bit_row(&f->mute, y)[word] & (rest < 64 ? ((uint64_t)1 << rest) - 1 : UINT64_MAX);
}

/* Returns which of 64 samples are beside, above or below known ones. */
static uint64_t beside_known(const satk_fill_votes *f, int y, size_t word)
{
    const uint64_t here = known_of(f, y, word), before = word > 0 ? known_of(f, y, word - 1) : 0;

    return here << 1 | before >> 63 | here >> 1 | known_of(f, y, word + 1) << 63 |
           known_of(f, y - 1, word) | known_of(f, y + 1, word);
}

/* Lists the unknown samples, row by row, and joins those side by side. Returns how many they are. */
static size_t list_samples(uint32_t *of, const satk_fill_votes *f, uint32_t *list)
{
    const uint32_t width = (uint32_t)f->map.width;
    size_t count = 0;

    for (int y = 0; y < f->map.height; y++)
        for (size_t i = 0; i < f->mute.words - 2; i++) {
            uint64_t bits = satk_bit_row(&f->mute, y)[i];
            const uint64_t rims = bits ? beside_known(f, y, i) : 0;
            for (; bits; bits &= bits - 1) {
                const int bit = __builtin_ctzll(bits), x = (int)i * 64 + bit;
                const uint32_t at = (uint32_t)y * width + (uint32_t)x;
                of[at] = at;
                if (x > 0 && !satk_is_known(f, x - 1, y))
                    join(of, at, at - 1);
                if (y > 0 && !satk_is_known(f, x, y - 1))
                    join(of, at, at - width);
                list[count++] = at | (rims >> bit & 1 ? SATK_RIM : 0);
            }
        }
    return count;
}

/* Numbers the parts, as their roots come first, and sorts the list by part. */
static void sort_parts(satk_fill_parts *p, const uint32_t *list, size_t unknown)
{
    p->count = 0;
    for (size_t i = 0; i < unknown; i++) {
        const uint32_t at = list[i] & ~SATK_RIM, before = p->of[at];
        p->of[at] = before == at ? p->count++ : p->of[before];
    }
    memset(p->first, 0, ((size_t)p->count + 2) * sizeof *p->first);
    for (size_t i = 0; i < unknown; i++)
        p->first[p->of[list[i] & ~SATK_RIM] + 2]++;
    for (size_t i = 2; i < (size_t)p->count + 2; i++)
        p->first[i] += p->first[i - 1];
    for (size_t i = 0; i < unknown; i++)
        p->sorted[p->first[p->of[list[i] & ~SATK_RIM] + 1]++] = list[i];
}

void satk_fill_find_parts(satk_fill_parts *p, const satk_fill_votes *f, uint32_t *list)
{
    sort_parts(p, list, list_samples(p->of, f, list));
}
