#include "image/values.h"

#include "image/pixels.h"

bool values_allocate(values *v, int width, int height, problem *p)
{
    v->data = pixels_allocate((size_t)width * (size_t)height * sizeof *v->data);
    v->width = width;
    v->height = height;
    return v->data || problem_set(p, "not enough memory for %d x %d numbers", width, height);
}
