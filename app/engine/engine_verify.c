#include "engine/engine_verify.h"

#include "image/shape.h"

#include <stddef.h>
#include <string.h>

/* Returns the offset of the first byte that differs; size: all are equal. */
static size_t first_difference(const unsigned char *a, const unsigned char *b, size_t size)
{
    size_t at = 0;
    if (memcmp(a, b, size) == 0)
        return size;
    while (a[at] == b[at])
        at++;
    return at;
}

/* Returns whether the images, dense ones of one shape, are equal; p says where they are not. */
static bool same_pixels(const satb_image *a, const satb_image *b, const char *what, problem *p)
{
    const size_t size = a->data ? picture_bytes(a) : 0, sample = (size_t)a->bits / 8;
    const size_t at = size ? first_difference(a->data, b->data, size) : 0;
    if (at == size)
        return true;
    const size_t pixel = at / sample / (size_t)a->channels;
    return problem_set(p,
                       "verify: cpu and gpu differ%s, first at pixel %zu,%zu, channel %zu; nothing "
                       "was written, please report it",
                       what, pixel % (size_t)a->width, pixel / (size_t)a->width,
                       at / sample % (size_t)a->channels);
}

/* The members of a report; the bytes between them are unspecified. */
#define MEMBER(name)                                                                               \
    {                                                                                              \
#name, offsetof(satb_dof_report, name), sizeof((satb_dof_report *)0)->name                 \
    }
static const struct {
    const char *name;
    size_t at, size;
} members[] = {
    MEMBER(focus),          MEMBER(focus_x),      MEMBER(focus_y),    MEMBER(focus_distance),
    MEMBER(distance_near),  MEMBER(distance_far), MEMBER(max_radius), MEMBER(full_radius),
    MEMBER(largest_radius), MEMBER(holes),        MEMBER(unknown),    MEMBER(snapped),
    MEMBER(mixed),          MEMBER(subject),      MEMBER(kept),       MEMBER(least),
    MEMBER(most),           MEMBER(single_value), MEMBER(resampled),  MEMBER(method),
    MEMBER(bokeh),          MEMBER(lights),
};

static bool same_report(const satb_dof_report *a, const satb_dof_report *b, problem *p)
{
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        if (memcmp((const char *)a + members[i].at, (const char *)b + members[i].at,
                   members[i].size) != 0)
            return problem_set(p,
                               "verify: the reports of cpu and gpu differ (%s); nothing was "
                               "written, please report it",
                               members[i].name);
    return true;
}

bool engine_same_results(const engine_request *cpu, const engine_request *gpu, problem *p)
{
    if (memcmp(cpu->stats, gpu->stats, sizeof cpu->stats) != 0 ||
        memcmp(cpu->map_stats, gpu->map_stats, sizeof cpu->map_stats) != 0 ||
        memcmp(&cpu->luminance, &gpu->luminance, sizeof cpu->luminance) != 0)
        return problem_set(p, "verify: the statistics of cpu and gpu differ; please report it");
    return same_report(&cpu->report, &gpu->report, p) && same_pixels(&cpu->dst, &gpu->dst, "", p) &&
           same_pixels(&cpu->coc, &gpu->coc, " in --dump-coc", p);
}

size_t engine_compared_bytes(const engine_request *q)
{
    const options *o = q->o;
    size_t channels = 0;
    if (o->stats || o->histogram)
        channels += (size_t)q->src.channels;
    if (o->histogram)
        channels++;
    if (engine_measures_depth(o))
        channels += (size_t)q->map.channels;
    return channels * sizeof(satb_channel_stats) + (q->dst.data ? picture_bytes(&q->dst) : 0) +
           (q->coc.data ? picture_bytes(&q->coc) : 0);
}
