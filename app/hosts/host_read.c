/* Reads files for hosts: pictures, maps, and photos with their own maps. */
#include "hosts/host.h"
#include "hosts/host_private.h"

#include "engine/source.h"
#include "image/orientation.h"
#include "job/embedded_read.h"
#include "job/map_colours.h"

/* --- Maps ------------------------------------------------------------------------------------- */

/* Says what the options that the file has set, or its numbers, mean. */
static void set_meaning(satb_host *h)
{
    const options *const o = h->job.o;
    line *const words = &h->meaning;
    if (h->job.map.values.is_metres || o->dof.depth_type == SATB_DEPTH_LINEAR)
        line_add(words, "--depth-type=linear\n");
    if (o->dof.near_black)
        line_add(words, "--near=black\n");
    if (o->given[OPT_DISTANCE])
        line_add(words, "--distance=%.17g,%.17g\n", o->dof.distance_near, o->dof.distance_far);
}

/* Makes codes of the map's colours. */
static bool read_colours(picture_job *j, problem *p)
{
    satb_colours colours;
    engine_request q = {.o = j->o, .dof = j->o->dof, .map = j->map.image};
    q.map_white = j->map.white;
    const bool done = j->map.values.data || map_read_colours(&q, &colours, p);
    if (!j->map.values.data)
        j->map.image = q.map;
    return done;
}

/* --- Photos with their own -------------------------------------------------------------------- */

/* Takes what lies within the photo's file. */
static bool read_within(satb_host *h, const decode_settings *settings, problem *p)
{
    picture_job *const j = &h->job;
    h->o.map = h->o.matte = source_auto; /* none is no failure */
    if (!embedded_read(j, settings, p))
        return false;
    return j->map.image.data || j->map.values.data || j->matte.image.data ||
           problem_set(p, "%s: carries neither a depth map nor a matte", h->o.input);
}

/* --- Any file --------------------------------------------------------------------------------- */

static bool load(satb_host *h, int role, problem *p)
{
    picture_job *const j = &h->job;
    const bool is_within = role == HOST_RESULT;
    const source_role from = is_within ? SOURCE_INPUT : (source_role)role;
    decode_settings settings = source_settings(&h->o, from);
    settings.keep_file = is_within;
    if (!picture_load(&j->pictures[from], h->o.source[from], &settings, p))
        return false;
    if (j->pictures[from].note[0])
        message_note(false, "%s: %s", h->o.source[from], j->pictures[from].note);
    return is_within ? read_within(h, &settings, p) : from != SOURCE_MAP || read_colours(j, p);
}

/* Turns all pictures upright. */
static bool make_upright(picture_job *j, problem *p)
{
    for (source_role r = 0; r < SOURCES; r++) {
        picture *const pic = &j->pictures[r];
        if (pic->image.data && !orientation_apply(&pic->image, pic->orientation))
            return problem_set_kind(p, PROBLEM_MEMORY, "not enough memory to rotate a picture");
    }
    return true;
}

satb_host *satb_host_read(const char *lines, int role)
{
    problem p = {.text = ""};
    satb_host *const h = host_new(lines, &p);
    if (!h)
        return host_fail(h, &p);
    message_list(&h->notes);
    const bool done = load(h, role, &p) && make_upright(&h->job, &p);
    message_collect(NULL);
    if (!done)
        return host_fail(h, &p);
    set_meaning(h);
    return h;
}
