#include "check/oracle.h"

#include <math.h>
#include <string.h>

/* --- sRGB, IEC 61966-2-1 ---------------------------------------------------------------------- */

enum { LINEAR_MAX_8 = (1 << 14) - 1, LINEAR_MAX_16 = (1 << 20) - 1 };

static uint32_t decode_8[256], decode_16[65536];
static uint16_t encode_8[LINEAR_MAX_8 + 1], encode_16[LINEAR_MAX_16 + 1];

static long double light_of(long double v)
{
    return v <= 0.04045L ? v / 12.92L : powl((v + 0.055L) / 1.055L, 2.4L);
}

static long double srgb_of(long double v)
{
    return v <= 0.0031308L ? v * 12.92L : 1.055L * powl(v, 1.0L / 2.4L) - 0.055L;
}

static void make_tables(uint32_t *decode, uint16_t *encode, uint32_t code_max, uint32_t sample_max)
{
    for (uint32_t i = 0; i <= code_max; i++)
        decode[i] =
            (uint32_t)lroundl((long double)sample_max * light_of((long double)i / code_max));
#pragma omp parallel for
    for (uint32_t i = 0; i <= sample_max; i++)
        encode[i] = (uint16_t)lroundl((long double)code_max * srgb_of((long double)i / sample_max));
}

uint32_t oracle_code_max(int bits)
{
    return bits == 8 ? 255 : 65535;
}

uint32_t oracle_sample_max(int bits, const oracle_look *look)
{
    if (!look->linear)
        return oracle_code_max(bits);
    if (look->linear == ORACLE_HALF)
        return UINT32_MAX;
    return bits == 8 ? LINEAR_MAX_8 : LINEAR_MAX_16;
}

uint32_t oracle_decode(int bits, uint32_t code)
{
    return bits == 8 ? decode_8[code] : decode_16[code];
}

uint32_t oracle_encode(int bits, uint32_t sample)
{
    return bits == 8 ? encode_8[sample] : encode_16[sample];
}

/* --- Half floats, IEEE 754 ---------------------------------------------------------------------- */

enum { HALVES = 32768 }; /* codes without a sign */

static long double half_number[HALVES]; /* what they stand for */
static uint32_t half_sample[HALVES];

static long double number_of(uint32_t code)
{
    const uint32_t exponent = code / 1024;
    const long double digits = code % 1024;

    if (exponent == 0)
        return digits * powl(2, -24);
    return (1 + digits / 1024) * powl(2, (long double)exponent - 15);
}

static void make_halves(void)
{
    for (uint32_t code = 0; code < HALVES; code++) {
        const int is_nan = code > 31744;
        half_number[code] = number_of(code);
        const long double sample = floorl(half_number[code] * 1048576 + 0.5L);
        half_sample[code] = is_nan ? 0 : sample > UINT32_MAX ? UINT32_MAX : (uint32_t)sample;
    }
}

uint32_t oracle_decode_half(uint32_t code)
{
    return code < HALVES ? half_sample[code] : 0; /* negative numbers are none */
}

uint32_t oracle_shown(uint32_t code)
{
    const int is_none = code >= 32768 || code > 31744;
    const long double v = is_none ? 0 : half_number[code], part = code == 31744 ? 1 : v / (1 + v);

    return (uint32_t)lroundl(65535 * srgb_of(part));
}

uint32_t oracle_encode_half(uint32_t sample)
{
    const long double number = sample / 1048576.0L;
    uint32_t low = 0, high = 31743;

    while (low < high) { /* the last one at or below the number */
        const uint32_t middle = (low + high + 1) / 2;
        if (half_number[middle] <= number)
            low = middle;
        else
            high = middle - 1;
    }
    return half_number[low] + half_number[low + 1] <= 2 * number ? low + 1 : low;
}

/* --- Codes and samples -------------------------------------------------------------------------- */

void oracle_start(void)
{
    make_tables(decode_8, encode_8, 255, LINEAR_MAX_8);
    make_tables(decode_16, encode_16, 65535, LINEAR_MAX_16);
    make_halves();
}

uint32_t oracle_sample(const oracle_look *look, int bits, int is_alpha, uint32_t code)
{
    if (look->linear == ORACLE_HALF)
        return oracle_decode_half(code);
    return look->linear && !is_alpha ? oracle_decode(bits, code) : code;
}

uint32_t oracle_code_of(const oracle_look *look, int bits, int is_alpha, uint32_t sample,
                        uint32_t own)
{
    if (look->linear == ORACLE_HALF)
        return oracle_decode_half(own) == sample ? own : oracle_encode_half(sample);
    return look->linear && !is_alpha ? oracle_encode(bits, sample) : sample;
}

int oracle_alpha(int channels)
{
    return channels == 2 ? 1 : channels == 4 ? 3 : -1;
}

uint32_t oracle_code(const oracle_plane *plane, int x, int y, int channel)
{
    const size_t bytes = plane->bits == 8 ? 1 : 2;
    const uint8_t *const at = (const uint8_t *)plane->data + (ptrdiff_t)y * plane->pitch +
                              ((size_t)x * (size_t)plane->channels + (size_t)channel) * bytes;
    uint16_t code = 0;

    if (bytes == 1)
        return *at;
    memcpy(&code, at, sizeof code);
    return code;
}

void oracle_samples(const oracle_plane *src, const oracle_look *look, int x, int y, uint64_t *out)
{
    const int alpha = oracle_alpha(src->channels);

    for (int c = 0; c < src->channels; c++) {
        out[c] = oracle_sample(look, src->bits, c == alpha, oracle_code(src, x, y, c));
        if (look->weighted && alpha >= 0 && c != alpha)
            out[c] *= oracle_code(src, x, y, alpha);
    }
}
