/* Arguments of plug-ins as rows, and those of depth of field, which are made from <dof_table.h>. */
#ifndef SATBLUR_APP_ARGUMENTS_H
#define SATBLUR_APP_ARGUMENTS_H

#include "base/message.h"

#include <satblur.h>

#include <stdbool.h>
#include <stddef.h>

typedef struct argument {
    const char *name;
    size_t place; /* of the value in a struct: ints or doubles; the number of a word is an int */
    int count;    /* of values */
    bool is_whole;
    double none;          /* the value where none is given; for the first word 0 */
    const char *words[6]; /* the choices, or none */
} argument;

/* The arguments of depth of field in satb_dof_params, of a box blur in satb_box_params, and of the device in satb_config, each up
 * to a row without a name. */
extern const argument dof_arguments[], box_arguments[], config_arguments[];

/* Sets the values in a struct to those of none given. */
void arguments_clear(const argument *rows, void *in);

/* Sets the i-th value of an argument without words. */
void argument_set(const argument *row, int i, double value, void *in);

/* Sets an argument to a word. False: it is unknown, and p names the others. */
bool argument_choose(const argument *row, const char *word, void *in, problem *p);

/* Completes arguments that were set: a number of the focus or of the strength chooses its mode, if none is chosen. */
void dof_arguments_imply(satb_dof_params *p);

/* The same of a box blur, whose radius is that of both directions if there is but one. */
void box_arguments_imply(satb_box_params *p);

/* Checks the parameters, without their pictures, by blank ones of a picture's size: satb_coc()'s status. */
satb_status dof_arguments_check(satb_context *context, const satb_dof_params *p, int width,
                                int height);

/* The same of a box blur. */
satb_status box_arguments_check(satb_context *context, const satb_box_params *p);

/* Returns whether a map or a mask has a picture's proportions. */
bool argument_fits(int width, int height, int map_width, int map_height);

#endif
