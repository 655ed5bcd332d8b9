/* histogram_figure.h for builds without cairo. */
#include "figure/histogram_figure.h"

bool histogram_figure_check(problem *p)
{
    return problem_set(p, "--histogram: this build has no cairo to draw with; install cairo's "
                          "development files and build again");
}

bool histogram_figure_write(const engine_request *q, problem *p)
{
    (void)q;
    return histogram_figure_check(p);
}
