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

bool program_make(const program_wish *wish, const satb_image *image, int orientation, made *out,
                  problem *p)
{
    (void)wish, (void)image, (void)orientation;
    *out = (made){.type = MADE_UNKNOWN};
    return problem_set(p, "this build runs no programs; give --depth MAP");
}
