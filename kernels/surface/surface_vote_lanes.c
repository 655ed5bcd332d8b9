/* The votes of surface_vote_cpu.h, a lane to each point. Compiled several times, see cpu_level.h. */
#include "common/lanes.h"
#include "surface/surface_vote_cpu.h"

typedef int32_t signed_lanes __attribute__((vector_size(4 * LANES)));
typedef uint16_t short_lanes __attribute__((vector_size(4 * LANES)));

enum { BINS = 8 };

/* Returns all bits for points that voter k votes for. */
SATK_FN lanes is_voter(lanes voters, int k)
{
    return -(voters >> k & 1);
}

/* Returns the lesser ones of numbers below 2^31. */
SATK_FN lanes lesser(lanes a, lanes b)
{
#ifdef __AVX512BW__
    return (lanes)_mm512_min_epi32((__m512i)a, (__m512i)b);
#elif defined(__AVX2__)
    return (lanes)_mm256_min_epi32((__m256i)a, (__m256i)b);
#else
    const lanes less = (lanes)((signed_lanes)a < (signed_lanes)b);

    return (a & less) | (b & ~less);
#endif
}

/* Returns sum + v for lanes where a is b, otherwise sum. */
SATK_FN lanes add_where(lanes sum, lanes a, uint32_t b, lanes v)
{
#ifdef __AVX512BW__
    const __mmask16 equal = _mm512_cmpeq_epi32_mask((__m512i)a, _mm512_set1_epi32((int)b));
    return (lanes)_mm512_mask_add_epi32((__m512i)sum, equal, (__m512i)sum, (__m512i)v);
#else
    return sum + ((lanes)(a == b) & v);
#endif
}

/* Returns a table's numbers at these indices. */
SATK_FN lanes looked_up(const uint32_t *table, const uint32_t *at)
{
#if defined(__AVX2__) && !defined(__AVX512BW__)
    return (lanes)_mm256_i32gather_epi32((const int *)table, (__m256i)lanes_at(at), 4);
#else
    uint32_t v[LANES];
    for (int i = 0; i < LANES; i++)
        v[i] = table[at[i]];
    return lanes_at(v);
#endif
}

/* Returns a row's numbers at these places. */
SATK_FN lanes at_places(const uint32_t *row, const uint32_t *places)
{
#ifdef __AVX512BW__
    return (lanes)_mm512_permutexvar_epi32((__m512i)lanes_at(places), (__m512i)lanes_at(row));
#elif defined(__AVX2__)
    const __m256i at = (__m256i)lanes_at(places);
    const __m256 low = (__m256)_mm256_permutevar8x32_epi32((__m256i)lanes_at(row), at);
    const __m256 high = (__m256)_mm256_permutevar8x32_epi32((__m256i)lanes_at(row + LANES), at);
    return (lanes)_mm256_blendv_ps(low, high, (__m256)_mm256_slli_epi32(at, 28));
#else
    return looked_up(row, places);
#endif
}

SATK_FN lanes halves_squared(lanes a, lanes b)
{
    const short_lanes off = (short_lanes)a - (short_lanes)b; /* modulo 2^16: its square fits */

    return (lanes)(off * off);
}

SATK_FN lanes likeness_at(const satk_likeness *likeness, lanes away)
{
#ifdef __AVX512BW__
    const __m512i *const coarse = (const void *)likeness->coarse, *const fine =
                                                                      (const void *)likeness->fine;
    const wide_lanes a = (wide_lanes)_mm512_permutex2var_epi32(
        _mm512_loadu_si512(coarse), (__m512i)(away >> 5), _mm512_loadu_si512(coarse + 1));
    const wide_lanes b = (wide_lanes)_mm512_permutex2var_epi32(
        _mm512_loadu_si512(fine), (__m512i)away, _mm512_loadu_si512(fine + 1)); /* modulo 32 */
    const wide_lanes half = (wide_lanes){0} + ((uint64_t)1 << 45);
    const wide_lanes even = (products(a, b) + half) >> 46;
    const wide_lanes odd = (products(a >> 32, b >> 32) + half) >> 46;

    return (lanes)(even | odd << 32) + 1;
#else
    uint32_t at[LANES];
    memcpy(at, &away, sizeof at);
    return looked_up(likeness->at, at);
#endif
}

SATK_FN lanes alike(const satk_likeness *likeness, lanes a, lanes b)
{
    const lanes red_blue = halves_squared(a & 0xff00ff, b & 0xff00ff);
    const lanes green = halves_squared(a >> 8 & 0xff, b >> 8 & 0xff);
    const lanes away = ((red_blue & 0xffff) + (red_blue >> 16) + green) >> 4;

    return likeness_at(likeness, lesser(away, lanes_of(SATK_LIKENESSES - 1)));
}

/* Sets the closeness to each of the five columns, or rows, of voters. */
SATK_FN void come_close(const int32_t *away, lanes *close)
{
    const lanes off = lanes_at((const uint32_t *)away);
    const lanes sign = (lanes)((signed_lanes)off >> 31);

    close[0] = SATK_STEP - off;
    close[1] = 2 * SATK_STEP - off;
    close[2] = 3 * SATK_STEP - ((off ^ sign) - sign);
    close[3] = 2 * SATK_STEP + off;
    close[4] = SATK_STEP + off;
}

/* --- Votes ------------------------------------------------------------------------------------ */

typedef struct group { /* of points */
    const uint32_t *places;
    lanes voters;
    uint32_t any; /* bits: the voters of any of the points */
    lanes low, high, code[SATK_VOTERS];
    lanes bin[SATK_VOTERS], votes[SATK_VOTERS], of_bin[BINS];
} group;

/* Takes the next voter out of the set, and returns it. */
SATK_FN int next_of(uint32_t *voters)
{
    const int k = __builtin_ctz(*voters);

    *voters &= *voters - 1;
    return k;
}

SATK_FN void find_codes(const satk_poll *p, int at, group *g)
{
    lanes low = lanes_of(UINT16_MAX), less = low; /* 65535 less the largest */

    g->places = p->place + at;
    g->voters = at_places(p->voters, g->places);
    g->any = 0;
    for (int i = 0; i < LANES; i++)
        g->any |= g->voters[i];
    for (uint32_t any = g->any; any;) {
        const int k = next_of(&any);
        const lanes code = at_places(p->code[k], g->places), votes = is_voter(g->voters, k);
        low = lesser(low, code | (~votes & UINT16_MAX));
        less = lesser(less, UINT16_MAX - (code & votes));
        g->code[k] = code;
    }
    g->low = low;
    g->high = UINT16_MAX - less;
}

/* Returns eight bins for a range, in 1/65536 of a code: at most 2^19 / (range + 1). A float has 24
 * bits, so it finds the floor of that. */
SATK_FN lanes bins_of(const group *g)
{
    typedef float float_lanes __attribute__((vector_size(4 * LANES)));
    const signed_lanes codes = (signed_lanes)(g->high - g->low + 1);
    const float_lanes bins = (BINS << 16) / __builtin_convertvector(codes, float_lanes);

    return (lanes) __builtin_convertvector(bins, signed_lanes);
}

SATK_FN void count_votes(const satk_poll *p, int at, const satk_likeness *likeness, group *g)
{
    const lanes own = lanes_at(p->own + at), bins = bins_of(g);
    lanes x[SATK_SIDE], y[SATK_SIDE], of_bin[BINS] = {{0}};

    come_close(p->x + at, x);
    come_close(p->y + at, y);
    for (uint32_t any = g->any; any;) {
        const int k = next_of(&any);
        const lanes close = x[k % SATK_SIDE] * y[k / SATK_SIDE] >> 8;
        const lanes colour = at_places(p->colour[k], g->places);
        const lanes votes = close * alike(likeness, colour, own) & is_voter(g->voters, k);
        const lanes bin = (g->code[k] - g->low) * bins >> 16;
        for (uint32_t b = 0; b < BINS; b++)
            of_bin[b] = add_where(of_bin[b], bin, b, votes);
        g->votes[k] = votes;
        g->bin[k] = bin;
    }
    memcpy(g->of_bin, of_bin, sizeof of_bin);
}

/* Returns the lower of the two neighbouring bins with most votes. */
SATK_FN lanes best_of(const group *g, lanes *most)
{
    lanes best = {0};

    *most = g->of_bin[0] + g->of_bin[1];
    for (uint32_t b = 1; b < BINS - 1; b++) {
        const lanes both = g->of_bin[b] + g->of_bin[b + 1];
        const lanes less = (lanes)((signed_lanes)both < (signed_lanes)*most);
        best = (best & less) | (b & ~less);
        *most = (*most & less) | (both & ~less);
    }
    return best;
}

/* Returns sum / votes, rounded half up. The sum is below 2^48, so the double's quotient is below
 * the next whole number wherever the true one is. */
SATK_FN wide_lanes mean_of(wide_lanes sum, wide_lanes votes)
{
    const double_lanes mean = to_doubles(sum + votes / 2) / to_doubles(votes);

    return __builtin_convertvector(mean, wide_lanes);
}

SATK_FN lanes mean_code(const group *g, lanes best, lanes most)
{
    const wide_lanes low = (wide_lanes){0} + UINT32_MAX;
    wide_lanes even = {0}, odd = {0};

    for (uint32_t any = g->any; any;) {
        const int k = next_of(&any);
        const wide_lanes votes = (wide_lanes)(g->votes[k] & (lanes)(g->bin[k] - best < 2));
        even += products(votes, (wide_lanes)g->code[k]);
        odd += products(votes >> 32, (wide_lanes)g->code[k] >> 32);
    }
    most |= (lanes)(most == 0) & 1; /* where there is no point */
    even = mean_of(even, (wide_lanes)most & low);
    odd = mean_of(odd, (wide_lanes)most >> 32);
    return (lanes)(even | odd << 32);
}

void SATK_LEVELED(satk_vote)(satk_poll *poll, int points, const satk_likeness *likeness)
{
    for (int at = 0; at < points; at += LANES) {
        group g;
        lanes most;
        find_codes(poll, at, &g);
        count_votes(poll, at, likeness, &g);
        const lanes best = best_of(&g, &most), decided = mean_code(&g, best, most);
        memcpy(poll->support + at, &most, sizeof most);
        memcpy(poll->decided + at, &decided, sizeof decided);
    }
}
