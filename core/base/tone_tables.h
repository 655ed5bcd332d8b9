/* Look-up tables of the sRGB transfer curve (IEC 61966-2-1), made once on the host: no float
 * reaches a kernel.
 *
 * Linear samples have 14 bits for 8-bit codes and 20 for 16-bit ones: the smallest numbers of bits,
 * plus two for 8-bit codes' rounding, at which the curve's dark end (slope 1 / 12.92) keeps
 * neighbouring codes apart. */
#ifndef SATB_TONE_TABLES_H
#define SATB_TONE_TABLES_H

#include <stdint.h>

#define SATB_LINEAR_MAX_8  ((1u << 14) - 1)
#define SATB_LINEAR_MAX_16 ((1u << 20) - 1)

/* The largest linear sample for 8 or 16 bits. */
uint32_t satb_linear_max(int bits);

/* decode: 2^bits entries, code -> sample. */
void satb_fill_decode(int bits, uint32_t *decode);

/* encode: satb_linear_max(bits) + 1 entries, sample -> nearest code; encode[decode[code]] == code.
 */
void satb_fill_encode(int bits, uint16_t *encode);

#endif
