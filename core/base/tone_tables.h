/* Look-up tables of the sRGB transfer curve (IEC 61966-2-1). The host makes them once, so no float reaches a kernel.
 *
 * Linear samples have 14 bits for 8-bit codes and 20 bits for 16-bit codes. At the curve's dark end, of slope 1 / 12.92,
 * 12 and 20 bits are the least that keep neighbouring codes apart; 8-bit codes get two more for rounding. */
#ifndef SATB_TONE_TABLES_H
#define SATB_TONE_TABLES_H

#include <stdint.h>

#define SATB_LINEAR_MAX_8  ((1u << 14) - 1)
#define SATB_LINEAR_MAX_16 ((1u << 20) - 1)

/* Returns the largest linear sample for codes of 8 or 16 bits. */
uint32_t satb_linear_max(int bits);

/* Fills decode, of 2^bits entries, from code to sample. */
void satb_fill_decode(int bits, uint32_t *decode);

/* Fills encode, of satb_linear_max(bits) + 1 entries, from sample to nearest code: encode[decode[code]] == code. */
void satb_fill_encode(int bits, uint16_t *encode);

#endif
