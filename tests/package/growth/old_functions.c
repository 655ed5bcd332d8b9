/* All that the library needs for programs of 1.0 if satb_dof_params grows in 1.1: the functions for them, at the end of op_dof.c.
 * Their struct ends before the new member, which is 0 here. */
#include <string.h>

static satb_dof_params grown_from_1_0(const satb_dof_params *params)
{
    satb_dof_params all = {0};

    if (params)
        memcpy(&all, params, offsetof(satb_dof_params, grown));
    return all;
}

#define OLD(name)                                                                                  \
    __asm__(".symver " #name "_of_1_0, satb_" #name "@SATBLUR_1");                                 \
    SATB_API satb_status name##_of_1_0(satb_context *context, const satb_image *src,               \
                                       const satb_image *depth, const satb_image *dst,             \
                                       const satb_dof_params *params, satb_dof_report *report);    \
    satb_status name##_of_1_0(satb_context *context, const satb_image *src,                        \
                              const satb_image *depth, const satb_image *dst,                      \
                              const satb_dof_params *params, satb_dof_report *report)              \
    {                                                                                              \
        const satb_dof_params all = grown_from_1_0(params);                                        \
        return satb_##name(context, src, depth, dst, &all, report);                                \
    }
OLD(dof)
OLD(coc)
