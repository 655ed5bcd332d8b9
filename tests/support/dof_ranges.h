/* The numbers of satb_dof_params with their ranges, as data: to try them all. */
#ifndef TESTS_DOF_RANGES_H
#define TESTS_DOF_RANGES_H

#include <dof_table.h>

#include <stddef.h>
#include <string.h>

typedef struct dof_range {
    const char *name;
    size_t member; /* its offset */
    int is_whole;  /* 1: an int or an enum; 0: a double */
    double low, high;
    int zero; /* 1: 0 is allowed, too */
} dof_range;

#define DOF_NUMBER_RANGE(name, type, low, high, zero, ...)                                         \
    {#name, offsetof(satb_dof_params, name), (type)0.5 == 0, low, high, zero},
#define DOF_CHOICE_RANGE(name, type, last, ...)                                                    \
    {#name, offsetof(satb_dof_params, name), 1, 0, last, 0},

static inline void dof_range_set(const dof_range *r, double value, satb_dof_params *p)
{
    const int whole = r->is_whole ? (int)value : 0;

    memcpy((char *)p + r->member, r->is_whole ? (const void *)&whole : &value,
           r->is_whole ? sizeof whole : sizeof value);
}

#endif
