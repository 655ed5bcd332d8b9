#include <curves.h>

#include <exact_math.h>
#include <math.h>
#include <stddef.h>

/* Returns the nearest number of 0 to most; 0 for NaN. */
static double within(double v, double most)
{
    return v > 0 ? fmin(v, most) : 0;
}

/* --- sRGB ------------------------------------------------------------------------------------- */

static double srgb_to_light(double code)
{
    const double v = within(code, 1);

    return v <= 0.04045 ? v / 12.92 : satb_pow((v + 0.055) / 1.055, 2.4);
}

static double srgb_of_light(double light)
{
    const double v = within(light, 1);

    return v <= 0.0031308 ? v * 12.92 : 1.055 * satb_pow(v, 1 / 2.4) - 0.055;
}

/* --- PQ: ITU-R BT.2100-2, table 4 -------------------------------------------------------------- */

static const double PQ_M1 = 2610 / 16384.0, PQ_M2 = 2523 / 4096.0 * 128;
static const double PQ_C1 = 3424 / 4096.0, PQ_C2 = 2413 / 4096.0 * 32, PQ_C3 = 2392 / 4096.0 * 32;
enum { PQ_WHITE = 100 }; /* cd/m2 */
static const double PQ_MOST = 10000.0 / PQ_WHITE;

/* The exponents m2 and 1 / m2 are beyond those of satb_pow(): a fourth or four times as much is not. */
static double power_m2(double x)
{
    const double root = satb_pow(x, PQ_M2 / 4), square = root * root;

    return square * square;
}

static double root_m2(double x)
{
    return sqrt(sqrt(satb_pow(x, 4 / PQ_M2)));
}

static double pq_to_light(double code)
{
    const double e = root_m2(within(code, 1));

    return PQ_MOST * satb_pow(fmax(e - PQ_C1, 0) / (PQ_C2 - PQ_C3 * e), 1 / PQ_M1);
}

static double pq_of_light(double light)
{
    const double y = satb_pow(within(light / PQ_MOST, 1), PQ_M1);

    return power_m2((PQ_C1 + PQ_C2 * y) / (1 + PQ_C3 * y));
}

/* --- HLG: ITU-R BT.2100-2, table 5 ------------------------------------------------------------- */

static const double HLG_A = 0.17883277, HLG_B = 0.28466892, HLG_C = 0.55991073;
static const double HLG_WHITE = 0.26496255978640015; /* light of the code 0.75 */
static const double LN2 = 0x1.62e42fefa39efp-1;

static double hlg_to_light(double code)
{
    const double v = within(code, 1);
    const double e = v <= 0.5 ? v * v / 3 : (satb_exp((v - HLG_C) / HLG_A) + HLG_B) / 12;

    return e / HLG_WHITE;
}

static double hlg_of_light(double light)
{
    const double e = within(light * HLG_WHITE, 1);

    return e <= 1 / 12.0 ? sqrt(3 * e) : within(HLG_A * LN2 * satb_log2(12 * e - HLG_B) + HLG_C, 1);
}

/* --- The table -------------------------------------------------------------------------------- */

const satb_curve satb_srgb = {13, 0, "sRGB", 0, srgb_to_light, srgb_of_light};

const satb_curve *satb_curve_of(int code)
{
    static const satb_curve rows[] = {{5, 0, "gamma 2.8", 0, NULL, NULL},
                                      {8, 0, "linear light", 0, NULL, NULL},
                                      {9, 0, "logarithmic", 0, NULL, NULL},
                                      {10, 0, "logarithmic", 0, NULL, NULL},
                                      {16, 1, "PQ", PQ_WHITE, pq_to_light, pq_of_light},
                                      {17, 0, "gamma 2.6", 0, NULL, NULL},
                                      {18, 1, "HLG", 0, hlg_to_light, hlg_of_light}};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].code == code)
            return &rows[i];
    return code == satb_srgb.code ? &satb_srgb : NULL;
}
