/* The parameters of an aperture. What makes it takes these and no satb_dof_params, so that a parameter that is not compared
 * cannot be used. */
#ifndef SATB_SHAPE_H
#define SATB_SHAPE_H

#include <dof_table.h>

#define SATB_SHAPE_MEMBER(name, type, ...) type name;

typedef struct satb_shape {
    satb_bokeh bokeh;
    SATB_DOF_SHAPE_NUMBERS(SATB_SHAPE_MEMBER)
} satb_shape;

#undef SATB_SHAPE_MEMBER

#endif
