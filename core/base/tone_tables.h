/* Look-up tables of the sRGB transfer curve (curves.h), and of half floats. The host makes them once, so no float
 * reaches a kernel.
 *
 * Linear samples have 14 bits for 8-bit codes and 20 bits for 16-bit codes. At the curve's dark end, of slope 1 / 12.92,
 * 12 and 20 bits are the least that keep neighbouring codes apart; 8-bit codes get two more for rounding. Half floats become
 * multiples of 2^-20. */
#ifndef SATB_TONE_TABLES_H
#define SATB_TONE_TABLES_H

#include <stdint.h>

#define SATB_LINEAR_MAX_8  ((1u << 14) - 1)
#define SATB_LINEAR_MAX_16 ((1u << 20) - 1)

enum { SATB_HALVES = 1 << 16 };

/* Returns the largest linear sample for codes of 8 or 16 bits. */
uint32_t satb_linear_max(int bits);

/* Fills decode, of 2^bits entries, from code to sample. */
void satb_fill_decode(int bits, uint32_t *decode);

/* Fills encode, of satb_linear_max(bits) + 1 entries, from sample to nearest code: encode[decode[code]] == code. */
void satb_fill_encode(int bits, uint16_t *encode);

/* Fills decode, of SATB_HALVES entries: 0 of negative ones and NaN, UINT32_MAX from 4096 on. */
void satb_fill_decode_half(uint32_t *decode);

/* Returns the code of 8 bits that a half float has in sRGB: 0 for negative ones and NaN, 255 from 1 on. */
int satb_code_of_half(uint16_t half);

/* Fills codes, of SATB_HALVES entries, from a half float v to the code of 16 bits that v / (1 + v) has in sRGB (Reinhard et
 * al. 2002). */
void satb_fill_shown(uint16_t *codes);

/* Fills halves, of 2^16 entries, from that code to the nearest half float. */
void satb_fill_unshown(uint16_t *halves);

#endif
