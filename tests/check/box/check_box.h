/* Random cases for check_box.c and check_box_fused.c. */
#ifndef SATB_CHECK_BOX_H
#define SATB_CHECK_BOX_H

#include "check/box/box_case.h"

/* Sets a kind of pixels: channels 1..4, bits 8 and 16, and the ways to take a sample. Returns 0 if
 * the kind does not exist (weights without alpha). */
enum { BOX_KINDS = 4 * 2 * 5 };
int check_box_kind(int kind, box_case *k);

/* Choose at random: the kind; and everything but the size, the kind and the radius. */
void check_box_any_kind(check *c, box_case *k);
void check_box_any_rest(check *c, box_case *k);

#endif
