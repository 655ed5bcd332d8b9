#include "job/view.h"

#include "image/pixels.h"

bool view_open(const satb_image *image, satb_image *view, const char *name, problem *p)
{
    problem inner;
    *view = *image;
    return !image->on_device || pixels_fetch(image, view, &inner) || problem_at(p, name, &inner);
}

void view_close(const satb_image *image, satb_image *view)
{
    if (image->on_device)
        pixels_drop(view);
}
