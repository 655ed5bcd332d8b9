/* Transfer curves, between the codes of pictures and light. The header is not installed.
 *
 * Codes are 0 to 1. Light is 0 to 1 for sRGB, and has no limit for the curves of ITU-R BT.2100-2:
 *   PQ   counts in 100 cd/m2 of the display, so its largest code, of 10,000 cd/m2, is 100. Half floats keep all codes of 12 bits
 *        apart then, and multiples of 2^-20 all of 10 bits in the limited range.
 *   HLG  is light of the scene, without the display's gamma (OOTF). 1 is diffuse white, the code 0.75 (ITU-R BT.2408), so its
 *        largest code is 3.77.
 * The functions give the same bits on every machine. Codes and light beyond their ends are clipped, and NaN is 0. */
#ifndef SATB_CURVES_H
#define SATB_CURVES_H

typedef struct satb_curve {
    int code; /* transfer_characteristics of ITU-T H.273, as clips, HEIF and PNG store it */
    int is_hdr;
    const char *name;
    double white; /* cd/m2 of light 1; 0: that depends on the display */
    double (*to_light)(double code),
        (*of_light)(double light); /* NULL: it is known by name alone */
} satb_curve;

/* The curve of IEC 61966-2-1. */
extern const satb_curve satb_srgb;

/* Returns the curve with that code. NULL: it is unknown, or one of cameras (BT.709, BT.601, BT.2020), whose pictures are shown as
 * sRGB's are. */
const satb_curve *satb_curve_of(int code);

#endif
