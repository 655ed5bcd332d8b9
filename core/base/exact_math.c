/* Arguments are reduced in pairs of doubles, so that nothing but the last rounding is lost; series do the rest. Sources:
 * T. J. Dekker, "A Floating-Point Technique for Extending the Available Precision", Numerische Mathematik 18, 1971; W. J. Cody,
 * W. Waite, "Software Manual for the Elementary Functions", 1980. */
#include <exact_math.h>

#include <float.h>
#include <math.h>
#include <stdbool.h>

_Static_assert(FLT_EVAL_METHOD == 0, "sums and products of doubles are doubles");

/* --- Pairs ------------------------------------------------------------------------------------ */

typedef struct pair {
    double high, low; /* the number is their sum; low is at most half a unit in high's last place */
} pair;

/* Returns a + b exactly. */
static pair sum(double a, double b)
{
    const double s = a + b, of_b = s - a;

    return (pair){s, (a - (s - of_b)) + (b - of_b)};
}

/* Returns the upper 26 bits of a number below 2^990. */
static double upper(double a)
{
    const double t = 134217729.0 * a; /* 2^27 + 1 */

    return t - (t - a);
}

/* Returns a * b exactly, if neither that nor its last bit is beyond a double's range. */
static pair product(double a, double b)
{
    const double p = a * b, ah = upper(a), al = a - ah, bh = upper(b), bl = b - bh;

    return (pair){p, ((ah * bh - p) + ah * bl + al * bh) + al * bl};
}

/* Returns c[0] + c[1] x + .. + c[count - 1] x^(count - 1). */
static double series(const double *c, int count, double x)
{
    double value = c[count - 1];

    for (int i = count - 2; i >= 0; i--)
        value = value * x + c[i];
    return value;
}

#define COUNT(c) ((int)(sizeof(c) / sizeof *(c)))

/* --- Logarithms and powers -------------------------------------------------------------------- */

/* ln 2 and 1 / ln 2. LN2_HIGH has 32 bits, so its products with exponents are exact. */
static const double LN2_HIGH = 0x1.62e42feep-1, LN2_LOW = 0x1.a39ef35793c76p-33;
static const double LOG2E_HIGH = 0x1.71547652b82fep+0, LOG2E_LOW = 0x1.777d0ffda0d24p-56;

/* Returns ln m of m = x / 2^*exponent, which is between the roots of 1/2 and of 2: 2 artanh q with q = (m - 1) / (m + 1). */
static pair log_of(double x, int *exponent)
{
    static const double c[] = {1 / 3.0,  1 / 5.0,  1 / 7.0,  1 / 9.0,  1 / 11.0,
                               1 / 13.0, 1 / 15.0, 1 / 17.0, 1 / 19.0, 1 / 21.0};
    double m = frexp(x, exponent);

    if (m < 0.7071067811865476) {
        m *= 2;
        --*exponent;
    }
    const pair below = sum(m, 1);
    const double q = (m - 1) / below.high;
    const pair back = product(q, below.high);
    const double rest = (((m - 1) - back.high) - back.low) - q * below.low;
    return sum(2 * q, 2 * (rest / below.high + q * q * q * series(c, COUNT(c), q * q)));
}

/* Returns e to the power of a pair. */
static double exp_of(pair x)
{
    static const double c[] = {1 / 2.0,      1 / 6.0,       1 / 24.0,       1 / 120.0,
                               1 / 720.0,    1 / 5040.0,    1 / 40320.0,    1 / 362880.0,
                               1 / 3628800., 1 / 39916800., 1 / 479001600., 1 / 6227020800.};
    const double k = floor(x.high * LOG2E_HIGH + 0.5);
    const pair z = sum(x.high - k * LN2_HIGH, x.low - k * LN2_LOW), one = sum(1, z.high);
    const double more = z.high * z.high * series(c, COUNT(c), z.high) + z.low * (1 + z.high);

    return ldexp(one.high + (one.low + more), (int)k);
}

double satb_exp(double x)
{
    if (isnan(x))
        return x;
    return exp_of((pair){fmax(-800, fmin(800, x)), 0});
}

/* Returns whether a number has a logarithm that is a number. */
static bool has_logarithm(double x)
{
    return x > 0 && x < INFINITY;
}

double satb_log2(double x)
{
    int exponent;

    if (!has_logarithm(x))
        return x == 0 ? -INFINITY : x > 0 ? x : NAN;
    const pair l = log_of(x, &exponent), p = product(l.high, LOG2E_HIGH), s = sum(exponent, p.high);

    return s.high + (s.low + (p.low + (l.high * LOG2E_LOW + l.low * LOG2E_HIGH)));
}

double satb_pow(double x, double exponent)
{
    int k;

    if (!has_logarithm(x))
        return x >= 0 ? x : NAN;
    const pair m = log_of(x, &k), l = sum(k * LN2_HIGH, m.high);
    const pair p = product(l.high, exponent);

    return exp_of(sum(p.high, p.low + (l.low + (m.low + k * LN2_LOW)) * exponent));
}

/* --- Angles ----------------------------------------------------------------------------------- */

/* A quarter turn. The first two parts have 33 bits, so their products with numbers of quarters are exact. */
static const double QUARTER_1 = 0x1.921fb544p+0, QUARTER_2 = 0x1.0b4611a6p-34,
                    QUARTER_3 = 0x1.3198a2e037073p-69;

/* Returns the angle from the nearest quarter, whose number is *quarter. */
static pair reduced(double angle, int *quarter)
{
    const double k = floor(angle / QUARTER_1 + 0.5);
    const pair r = sum(angle - k * QUARTER_1, -(k * QUARTER_2));

    *quarter = (int)k;
    return sum(r.high, r.low - k * QUARTER_3);
}

/* Both take angles of at most an eighth of a turn. */
static double small_sin(pair r)
{
    static const double c[] = {-1 / 6.0,          1 / 120.0,          -1 / 5040.0,
                               1 / 362880.0,      -1 / 39916800.0,    1 / 6227020800.0,
                               -1 / 1307674368e3, 1 / 355687428096e3, -1 / 121645100408832e3};
    const double square = r.high * r.high;

    return r.high + (r.high * square * series(c, COUNT(c), square) + r.low * (1 - square / 2));
}

static double small_cos(pair r)
{
    static const double c[] = {1 / 24.0,          -1 / 720.0,          1 / 40320.0,
                               -1 / 3628800.0,    1 / 479001600.0,     -1 / 87178291200.0,
                               1 / 20922789888e3, -1 / 6402373705728e3};
    const pair square = product(r.high, r.high), one = sum(1, -square.high / 2);

    return one.high + (one.low - square.low / 2 - r.high * r.low +
                       square.high * square.high * series(c, COUNT(c), square.high));
}

/* Returns the sine of an angle plus some quarters. */
static double sin_of(double angle, int quarters)
{
    int quarter;
    const pair r = reduced(angle, &quarter);
    const double value = (quarter + quarters) & 1 ? small_cos(r) : small_sin(r);

    return (quarter + quarters) & 2 ? -value : value;
}

double satb_sin(double angle)
{
    return sin_of(angle, 0);
}

double satb_cos(double angle)
{
    return sin_of(angle, 1);
}
