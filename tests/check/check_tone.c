/* The transfer curves: core's tables against the oracle's long double, and the properties that the
 * kernels rely on. The other checks take core's tables from here. */
#include "check/check.h"

#include "base/tone_tables.h"
#include "support/device.h"

#include <stdio.h>
#include <stdlib.h>

enum { CODES_8 = 256, CODES_16 = 65536, SAMPLES_8 = 1 << 14, SAMPLES_16 = 1 << 20 };

/* The tables of one width, on one back end. */
typedef struct tables {
    uint32_t *decode;
    uint16_t *encode;
} tables;

static uint32_t decode_8[CODES_8], decode_16[CODES_16];
static uint16_t encode_8[SAMPLES_8], encode_16[SAMPLES_16];

static tables made[BACKENDS][2] = {
    [ON_CPU] = {{decode_8, encode_8}, {decode_16, encode_16}},
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
    satb_fill_encode(8, encode_8);
    satb_fill_encode(16, encode_16);
    if (c->cuda) {
        made[ON_CUDA][0].decode = uploaded(decode_8, sizeof decode_8);
        made[ON_CUDA][1].decode = uploaded(decode_16, sizeof decode_16);
        made[ON_CUDA][0].encode = uploaded(encode_8, sizeof encode_8);
        made[ON_CUDA][1].encode = uploaded(encode_16, sizeof encode_16);
    }
}

satk_tone tones_get(int bits, const oracle_look *look, backend on)
{
    const tables *const t = &made[on][bits == 16];

    return (satk_tone){.decode = look->linear ? t->decode : NULL,
                       .encode = look->linear ? t->encode : NULL,
                       .weighted = look->weighted};
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
}
