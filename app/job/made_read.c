#include "job/made_read.h"

#include "base/paths.h"
#include "image/orientation.h"

#include <stdlib.h>

/* --- Turning ---------------------------------------------------------------------------------- */

/* Turns numbers like the pixels of an image of the same bytes. */
static bool turn_values(values *v, int orientation)
{
    satb_image image = {.data = v->data, .width = v->width, .height = v->height, .channels = 2};
    image.bits = 16;
    image.stride = (ptrdiff_t)sizeof *v->data * v->width;
    if (!orientation_apply(&image, orientation))
        return false;
    v->data = image.data;
    v->width = image.width;
    v->height = image.height;
    return true;
}

static bool turn(picture *pic, int orientation)
{
    return orientation == 1 || (pic->values.data ? turn_values(&pic->values, orientation)
                                                 : orientation_apply(&pic->image, orientation));
}

/* Turns an upright picture like the stored pixels of the job's. */
static bool turn_back(const picture_job *j, picture *pic, problem *p)
{
    const bool done =
        turn(pic, pic->orientation) && turn(pic, orientation_inverse(j->input.orientation));
    pic->orientation = j->input.orientation;
    return done || problem_set(p, "not enough memory to rotate it");
}

/* --- Taking ----------------------------------------------------------------------------------- */

/* Takes the meaning of the numbers as the rows of --depth-from have it, which any other option overrides. Metres are those of
 * numbers, and millimetres those of codes. */
static void take_meaning(options *o, made_type type)
{
    static const char *const rows[MADE_TYPES] = {NULL, "midas", "marigold", "iphone"};
    if (o->given[OPT_DEPTH_FROM] || !rows[type])
        return;
    o->given[OPT_DEPTH_FROM] = true;
    o->depth_from = rows[type];
}

/* Decodes a file of the program's into the job's picture of that role. */
static bool take(picture_job *j, source_role role, const made *m, const blob *file, problem *p)
{
    const decode_settings settings = source_settings(&j->own, role);
    picture *const pic = &j->pictures[role];
    problem inner;
    char *const name = text_new("%s's %s by %s", j->own.input, source_noun(role), m->by);
    free(j->own_names[role]); /* of one that was damaged */
    j->own.source[role] = j->own_names[role] = name;
    j->own.given[role == SOURCE_MAP ? OPT_DEPTH : OPT_MATTE] = true;
    if (!name)
        return problem_set(p, "%s: not enough memory", j->own.input);
    return picture_decode(pic, file->data, file->size, name, &settings, p) &&
           (turn_back(j, pic, &inner) || problem_at(p, name, &inner));
}

/* Says which program the picture is by, and what was passed over in it. */
static void tell_made(const picture_job *j, source_role role, const made *m)
{
    const bool is_implied = role == SOURCE_MAP && j->own.depth_implied;
    message_note(is_implied ? j->own.given[OPT_QUIET] : !j->own.given[OPT_VERBOSE],
                 m->is_cached ? "%s: the %s by %s, from the cache, is used"
                              : "%s: the %s that %s made is used",
                 j->own.input, source_noun(role), m->by);
    if (j->pictures[role].note[0])
        message_note(j->own.given[OPT_QUIET], "%s: %s", j->own.source[role],
                     j->pictures[role].note);
}

/* --- Making ----------------------------------------------------------------------------------- */

static bool is_lacking(const picture_job *j, source_role role)
{
    return source_may_be_made(j->o, role) && !j->pictures[role].format;
}

/* Has one of the two made, from pixels that may be a GPU's. */
static bool make(picture_job *j, const program_wish *wish, made *out, problem *p)
{
    satb_image *const image = &j->input.image, copy = *image;
    problem inner;
    if (image->on_device && !pixels_fetch(image, &copy, &inner))
        return problem_at(p, j->own.input, &inner);
    const bool done = program_make(wish, &copy, j->input.orientation, out, &inner);
    if (image->on_device)
        pixels_drop(&copy);
    return done || problem_at(p, j->own.input, &inner);
}

/* Takes what is wanted of it. */
static bool take_made(picture_job *j, const program_wish *wish, const made *m, problem *p)
{
    if (wish->role == SOURCE_MAP) {
        take_meaning(&j->own, m->type);
        j->made_by = m->by;
    }
    if (!take(j, wish->role, m, &m->map, p) ||
        (wish->with_matte && m->matte.size > 0 && !take(j, SOURCE_MATTE, m, &m->matte, p)))
        return false;
    tell_made(j, wish->role, m);
    return true;
}

/* Takes back what take_made() has done to a job with these options. */
static void leave_made(picture_job *j, const program_wish *wish, const options *before)
{
    j->own = *before;
    for (source_role r = SOURCE_MAP; r <= SOURCE_MATTE; r++)
        if (r == wish->role || wish->with_matte) {
            picture_free(&j->pictures[r]);
            j->pictures[r].format = NULL;
        }
}

/* Has one of the two made, and takes it. What an earlier run has made, and cannot be decoded, is made anew. */
static bool make_one(picture_job *j, program_wish wish, problem *p)
{
    const options before = j->own;
    made m;
    if (!make(j, &wish, &m, p))
        return false;
    const bool done = take_made(j, &wish, &m, p);
    wish.anew = !done && m.is_cached && p->kind != PROBLEM_MEMORY;
    if (done)
        program_keep(&m);
    made_free(&m);
    if (!wish.anew)
        return done;
    leave_made(j, &wish, &before);
    return make_one(j, wish, p);
}

/* Returns whether no other matte is named, be it that of a program of mattes. */
static bool wants_matte_of_map(const picture_job *j)
{
    return !j->own.matte ||
           (is_lacking(j, SOURCE_MATTE) && !source_program_of(&j->own, SOURCE_MATTE));
}

/* The step of a picture that two programs may get. */
typedef struct one_step {
    const program_step *step;
    bool is_passed;
} one_step;

static void pass_once(void *user)
{
    one_step *const s = user;
    if (!s->is_passed && s->step->passed)
        s->step->passed(s->step->user);
    s->is_passed = true;
}

static bool make_lacking(picture_job *j, const program_step *step, problem *p)
{
    const bool map = is_lacking(j, SOURCE_MAP);
    if (!map && !is_lacking(j, SOURCE_MATTE))
        return true;
    if (j->o != &j->own) {
        j->own = *j->o;
        j->o = &j->own;
    }
    if (map && program_has(SOURCE_MAP) &&
        !make_one(
            j,
            (program_wish){.role = SOURCE_MAP, .with_matte = wants_matte_of_map(j), .step = step},
            p))
        return false;
    if (map && !program_has(SOURCE_MAP)) { /* a program of mattes alone */
        j->own.map = NULL;
        j->own.given[OPT_DEPTH] = false;
    }
    return !is_lacking(j, SOURCE_MATTE) ||
           make_one(j, (program_wish){.role = SOURCE_MATTE, .step = step}, p);
}

bool made_read(picture_job *j, const program_step *step, problem *p)
{
    one_step one = {.step = step};
    if (!make_lacking(j, &(program_step){.passed = pass_once, .user = &one}, p))
        return false;
    pass_once(&one); /* unless a program has the picture */
    return true;
}
