/* The transfer curves: core's tables against the oracle's long double, and the properties that the
 * kernels rely on. The other checks take core's tables from here. */
#include "check/check.h"

#include "base/tone_tables.h"
#include "support/device.h"

#include <stdio.h>
#include <stdlib.h>

enum { CODES_8 = 256, CODES_16 = 65536, HALVES = 65536, SAMPLES_8 = 1 << 14, SAMPLES_16 = 1 << 20 };

/* The tables of one width, on one back end. */
typedef struct tables {
    uint32_t *decode;
    uint16_t *encode;
} tables;

static uint32_t decode_8[CODES_8], decode_16[CODES_16], decode_half[HALVES];
static uint16_t encode_8[SAMPLES_8], encode_16[SAMPLES_16];

static tables made[BACKENDS][3] = {
    [ON_CPU] = {{decode_8, encode_8}, {decode_16, encode_16}, {decode_half, NULL}},
};

static void *uploaded(const void *from, size_t bytes)
{
    void *const memory = device_alloc(bytes);

    if (!memory || device_upload(memory, from, bytes)) {
        fprintf(stderr, "check: transfer curves to the device: %s\n", device_error());
        exit(1);
    }
    return memory;
}

void tones_start(check *c)
{
    satb_fill_decode(8, decode_8);
    satb_fill_decode(16, decode_16);
    satb_fill_decode_half(decode_half);
    satb_fill_encode(8, encode_8);
    satb_fill_encode(16, encode_16);
    if (c->cuda) {
        made[ON_CUDA][0].decode = uploaded(decode_8, sizeof decode_8);
        made[ON_CUDA][1].decode = uploaded(decode_16, sizeof decode_16);
        made[ON_CUDA][2].decode = uploaded(decode_half, sizeof decode_half);
        made[ON_CUDA][0].encode = uploaded(encode_8, sizeof encode_8);
        made[ON_CUDA][1].encode = uploaded(encode_16, sizeof encode_16);
    }
}

satk_tone tones_get(int bits, const oracle_look *look, backend on)
{
    const int is_half = look->linear == ORACLE_HALF;
    const tables *const t = &made[on][is_half ? 2 : bits == 16];

    return (satk_tone){.decode = look->linear ? t->decode : NULL,
                       .encode = look->linear ? t->encode : NULL,
                       .weighted = look->weighted,
                       .half = is_half};
}

const char *check_look_name(const oracle_look *look)
{
    return look->linear == ORACLE_HALF ? "half" : look->linear ? "linear" : "codes";
}

/* --- Checks ----------------------------------------------------------------------------------- */

static void check_decode(check *c, int bits)
{
    const uint32_t *const decode = made[ON_CPU][bits == 16].decode, max = oracle_code_max(bits);
    uint32_t wrong = 0, close = 0;

    for (uint32_t code = 0; code <= max; code++) {
        wrong += decode[code] != oracle_decode(bits, code);
        close += code > 0 && decode[code] <= decode[code - 1];
    }
    check_that(c, ON_CPU, wrong == 0, "%u decoded samples differ from the oracle's", wrong);
    check_that(c, ON_CPU, close == 0, "%u codes have the sample of their neighbour", close);
    check_that(c, ON_CPU, decode[0] == 0 && decode[max] == satb_linear_max(bits),
               "black or white is not the end of the scale");
}

static void check_encode(check *c, int bits)
{
    const uint16_t *const encode = made[ON_CPU][bits == 16].encode;
    uint32_t wrong = 0, falls = 0;

    for (uint32_t sample = 0; sample <= satb_linear_max(bits); sample++) {
        wrong += encode[sample] != oracle_encode(bits, sample);
        falls += sample > 0 && encode[sample] < encode[sample - 1];
    }
    check_that(c, ON_CPU, wrong == 0, "%u encoded codes differ from the oracle's", wrong);
    check_that(c, ON_CPU, falls == 0, "%u samples have a smaller code than their neighbour", falls);
}

static void check_there_and_back(check *c, int bits)
{
    const tables *const t = &made[ON_CPU][bits == 16];
    uint32_t wrong = 0;

    for (uint32_t code = 0; code <= oracle_code_max(bits); code++)
        wrong += t->encode[t->decode[code]] != code || oracle_encode(bits, t->decode[code]) != code;
    check_that(c, ON_CPU, wrong == 0, "%u codes do not survive decoding and encoding", wrong);
}

/* Which samples half floats have, and which one a sample becomes: all of those up to 2^17, and all ends and middles between
 * two half floats. */
static void check_halves(check *c)
{
    enum { EXACT = 0x1400, LARGEST = 0x6c00 }; /* 2^-10 and 4096 */
    uint32_t decoded = 0, lost = 0, encoded = 0;

    for (uint32_t half = 0; half < HALVES; half++) {
        const uint32_t sample = decode_half[half];
        decoded += sample != oracle_decode_half(half);
        lost += half >= EXACT && half <= LARGEST && satk_half_float(sample) != half;
        const uint32_t next = half + 1 < HALVES && decode_half[half + 1] > sample
                                  ? (decode_half[half + 1] - sample) / 2
                                  : 0;
        for (uint64_t s = (uint64_t)sample + next - (next > 0); s <= (uint64_t)sample + next; s++)
            encoded += satk_half_float(s) != oracle_encode_half((uint32_t)s);
    }
    for (uint32_t s = 0; s < 1 << 17; s++)
        encoded += satk_half_float(s) != oracle_encode_half(s);
    check_that(c, ON_CPU, decoded == 0, "%u samples of half floats differ from the oracle's",
               decoded);
    check_that(c, ON_CPU, encoded == 0, "%u half floats differ from the oracle's", encoded);
    check_that(c, ON_CPU, lost == 0, "%u half floats do not survive decoding and encoding", lost);
}

/* Codes that half floats are shown by: as the oracle finds them, rising, and back to a half float that has the code. */
static void check_shown(check *c)
{
    static uint16_t shown[HALVES], unshown[CODES_16];
    uint32_t wrong = 0, falls = 0, lost = 0;

    satb_fill_shown(shown);
    satb_fill_unshown(unshown);
    for (uint32_t half = 0; half < HALVES; half++) {
        wrong += shown[half] != oracle_shown(half);
        falls += half > 0 && half <= 0x7c00 && shown[half] < shown[half - 1];
    }
    for (uint32_t half = 0; half < 0x6c00; half++) { /* as near as another of the same code */
        const uint32_t back = unshown[shown[half]];
        lost += shown[back] != shown[half];
    }
    check_that(c, ON_CPU, wrong == 0, "%u shown codes differ from the oracle's", wrong);
    check_that(c, ON_CPU, falls == 0, "%u half floats have a smaller code than their neighbour",
               falls);
    check_that(c, ON_CPU, lost == 0, "%u codes do not survive the way back", lost);
}

void check_tone(check *c)
{
    const oracle_look linear = {.linear = 1};

    if (!check_group(c, "tone.tables"))
        return;
    for (int bits = 8; bits <= 16; bits += 8) {
        check_case(c, "%d bits", bits);
        check_that(c, ON_CPU, satb_linear_max(bits) == oracle_sample_max(bits, &linear),
                   "the largest linear sample is %u", satb_linear_max(bits));
        check_decode(c, bits);
        check_encode(c, bits);
        check_there_and_back(c, bits);
    }
    check_case(c, "half floats");
    check_halves(c);
    check_shown(c);
}
