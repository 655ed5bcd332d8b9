/* In place of program.c and its files, where no other programs run. */
#include "program/program.h"

bool program_open(const options *o, problem *p)
{
    (void)o;
    return problem_set(p, "this build runs no programs; give --depth MAP");
}

void program_close(void)
{
}

bool program_has(source_role role)
{
    (void)role;
    return false;
}

void program_keep(const made *m)
{
    (void)m;
}

bool program_make(source_role role, const satb_image *image, int orientation,
                  const program_step *step, made *out, problem *p)
{
    (void)role, (void)image, (void)orientation, (void)step;
    *out = (made){.type = MADE_UNKNOWN};
    return problem_set(p, "this build runs no programs; give --depth MAP");
}
