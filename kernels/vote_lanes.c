/* The votes of vote.h, a lane to each point. Compiled several times, see cpu_level.h. */
#include "lanes.h"
#include "vote.h"

typedef int32_t signed_lanes __attribute__((vector_size(4 * LANES)));
typedef uint16_t half_lanes __attribute__((vector_size(4 * LANES)));

enum { BINS = 8 };

typedef struct range {
    lanes low, high;
} range;

/* All bits where voter k votes. */
SATK_FN lanes is_voter(lanes voters, int k)
{
    return -(voters >> k & 1);
}

/* Of numbers below 2^31. */
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

/* sum + v where a is b. */
SATK_FN lanes add_where(lanes sum, lanes a, uint32_t b, lanes v)
{
#ifdef __AVX512BW__
    const __mmask16 equal = _mm512_cmpeq_epi32_mask((__m512i)a, _mm512_set1_epi32((int)b));
    return (lanes)_mm512_mask_add_epi32((__m512i)sum, equal, (__m512i)sum, (__m512i)v);
#else
    return sum + ((lanes)(a == b) & v);
#endif
}

SATK_FN range range_of(const satk_poll *p, int at, lanes voters)
{
    range r = {lanes_of(UINT16_MAX), {0}};

    for (int k = 0; k < SATK_VOTERS; k++) {
        const lanes code = lanes_at(p->code[k] + at), votes = is_voter(voters, k);
        r.low = lesser(r.low, code | (~votes & UINT16_MAX));
        r.high = UINT16_MAX - lesser(UINT16_MAX - r.high, UINT16_MAX - (code & votes));
    }
    return r;
}

/* Eight bins for a range, in 1/65536 of a code: at most 2^19 / (range + 1), whose floor a float finds as
 * it has 24 bits. */
SATK_FN lanes bins_of(range r)
{
    typedef float float_lanes __attribute__((vector_size(4 * LANES)));
    const signed_lanes codes = (signed_lanes)(r.high - r.low + 1);
    const float_lanes bins = (BINS << 16) / __builtin_convertvector(codes, float_lanes);

    return (lanes)__builtin_convertvector(bins, signed_lanes);
}

SATK_FN lanes looked_up(const uint32_t *table, lanes at)
{
#ifdef __AVX512BW__
    return (lanes)_mm512_i32gather_epi32((__m512i)at, table, 4);
#elif defined(__AVX2__)
    return (lanes)_mm256_i32gather_epi32((const int *)table, (__m256i)at, 4);
#else
    lanes v;
    for (int i = 0; i < LANES; i++)
        v[i] = table[at[i]];
    return v;
#endif
}

SATK_FN lanes halves_squared(lanes a, lanes b)
{
    const half_lanes off = (half_lanes)a - (half_lanes)b; /* modulo 2^16: its square fits */

    return (lanes)(off * off);
}

SATK_FN lanes alike(const satk_likeness *likeness, lanes a, lanes b)
{
    const lanes red_blue = halves_squared(a & 0xff00ff, b & 0xff00ff);
    const lanes green = halves_squared(a >> 8 & 0xff, b >> 8 & 0xff);
    const lanes away = ((red_blue & 0xffff) + (red_blue >> 16) + green) >> 4;

    return looked_up(likeness->at, lesser(away, lanes_of(SATK_LIKENESSES - 1)));
}

/* To each of the five columns, or rows, of voters. */
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

typedef struct count {
    lanes bin[SATK_VOTERS], votes[SATK_VOTERS], of_bin[BINS];
} count;

SATK_FN void count_votes(const satk_poll *p, int at, const satk_likeness *likeness, count *c)
{
    const lanes voters = lanes_at(p->voters + at), own = lanes_at(p->own + at);
    const range r = range_of(p, at, voters);
    const lanes bins = bins_of(r);
    lanes x[SATK_SIDE], y[SATK_SIDE], of_bin[BINS] = {{0}};

    come_close(p->x + at, x);
    come_close(p->y + at, y);
    for (int k = 0; k < SATK_VOTERS; k++) {
        const lanes close = x[k % SATK_SIDE] * y[k / SATK_SIDE] >> 8;
        const lanes colour = lanes_at(p->colour[k] + at), code = lanes_at(p->code[k] + at);
        c->votes[k] = close * alike(likeness, colour, own) & is_voter(voters, k);
        c->bin[k] = (code - r.low) * bins >> 16;
        for (uint32_t b = 0; b < BINS; b++)
            of_bin[b] = add_where(of_bin[b], c->bin[k], b, c->votes[k]);
    }
    memcpy(c->of_bin, of_bin, sizeof of_bin);
}

/* The lower of the two bins that have most. */
SATK_FN lanes best_of(const count *c, lanes *most)
{
    lanes best = {0};

    *most = c->of_bin[0] + c->of_bin[1];
    for (uint32_t b = 1; b < BINS - 1; b++) {
        const lanes both = c->of_bin[b] + c->of_bin[b + 1];
        const lanes less = (lanes)((signed_lanes)both < (signed_lanes)*most);
        best = (best & less) | (b & ~less);
        *most = (*most & less) | (both & ~less);
    }
    return best;
}

/* sum / votes, rounded half up. The sum is below 2^48, so that a double's quotient is below the next
 * whole number if the true one is. */
SATK_FN wide_lanes mean_of(wide_lanes sum, wide_lanes votes)
{
    const double_lanes mean = to_doubles(sum + votes / 2) / to_doubles(votes);

    return __builtin_convertvector(mean, wide_lanes);
}

SATK_FN void vote(satk_poll *p, int at, const satk_likeness *likeness)
{
    const wide_lanes low = (wide_lanes){0} + UINT32_MAX;
    wide_lanes even = {0}, odd = {0};
    count c;
    lanes most;

    count_votes(p, at, likeness, &c);
    const lanes best = best_of(&c, &most);
    memcpy(p->support + at, &most, sizeof most);
    for (int k = 0; k < SATK_VOTERS; k++) {
        const wide_lanes code = (wide_lanes)lanes_at(p->code[k] + at);
        const wide_lanes votes = (wide_lanes)(c.votes[k] & (lanes)(c.bin[k] - best < 2));
        even += products(votes, code);
        odd += products(votes >> 32, code >> 32);
    }
    most |= (lanes)(most == 0) & 1; /* where there is no point */
    even = mean_of(even, (wide_lanes)most & low);
    odd = mean_of(odd, (wide_lanes)most >> 32);
    const lanes decided = (lanes)(even | odd << 32);
    memcpy(p->decided + at, &decided, sizeof decided);
}

void SATK_LEVELED(satk_vote)(satk_poll *poll, int points, const satk_likeness *likeness)
{
    for (int at = 0; at < points; at += LANES)
        vote(poll, at, likeness);
}
