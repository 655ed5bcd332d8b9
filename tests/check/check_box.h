/* Cases of check_box.c and check_box_fused.c by lot. */
#ifndef SATB_CHECK_BOX_H
#define SATB_CHECK_BOX_H

#include "check/box_case.h"

/* The kinds of pixels: channels 1..4, bits 8 and 16, and the ways to take a sample. 0: this kind does not exist
 * (weights without alpha). */
enum { BOX_KINDS = 4 * 2 * 4 };
int check_box_kind(int kind, box_case *k);

/* By lot: the kind; and everything but the size, the kind and the radius. */
void check_box_any_kind(check *c, box_case *k);
void check_box_any_rest(check *c, box_case *k);

#endif
