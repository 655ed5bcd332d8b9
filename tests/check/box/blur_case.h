/* Whole operations of the library with random parameters. */
#ifndef SATB_BLUR_CASE_H
#define SATB_BLUR_CASE_H

#include "support/sample.h"

#include <satblur.h>

typedef enum operation { BOX, MAP, DOF, EQUALIZE, OPERATIONS } operation;

extern const char *const operation_names[OPERATIONS];

typedef struct task {
    operation operation;
    picture src, map;
    picture matte; /* of depth of field, in host memory; plane.data NULL: none */
    int is_alone;  /* the matte, without the map */
    int protects;  /* the matte is a mask that protects: instead, or if it is alone, as well */
    int half;      /* src has half floats */
    satb_box_params box;
    satb_map_params by_map;
    satb_dof_params dof;
} task;

/* Makes a task of at most that many pixels, with radii below largest_radius. */
task random_task(uint64_t *random, int largest_width, int largest_height, double largest_radius);
void task_free(task *t);

satb_image image_of(const picture *p);

/* The task with its pictures, wherever they are; src and dst have half floats if the task says so. */
satb_status run_images(satb_context *context, const task *t, const satb_image *src,
                       const satb_image *map, const satb_image *dst);

/* Runs the task. out has the size and the kind of the task's src, and may be that. */
satb_status run_task(satb_context *context, const task *t, const picture *out);

#endif
