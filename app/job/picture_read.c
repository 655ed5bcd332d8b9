/* The files of one picture, to a request. */
#include "job/picture_read.h"

#include "base/threads.h"
#include "depth/colour_scale.h"
#include "image/orientation.h"
#include "job/embedded_read.h"
#include "job/focus_plane.h"
#include "job/gain_step.h"
#include "job/keep_step.h"
#include "job/made_read.h"
#include "job/map_check.h"
#include "job/map_colours.h"
#include "job/map_numbers.h"
#include "job/map_view.h"
#include "job/stay.h"
#include "job/tilt_shift.h"
#include "metadata/panorama.h"
#include "metadata/subject_area.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static void tell_damage(const picture_job *j, const picture *pic, const char *name)
{
    if (pic->note[0])
        message_note(j->o->given[OPT_QUIET], "%s: %s", name, pic->note);
}

/* Returns whether the output's format can hold the picture. */
static bool accept_shape(void *user, const satb_image *shape, problem *p)
{
    const picture_job *const j = user;
    satb_image fit;
    char note[128];
    problem inner;
    return !j->format || codec_fit(j->format, shape, j->o->codec, &fit, note, &inner) ||
           problem_at(p, j->o->output, &inner);
}

typedef struct loads {
    picture_job *job;
    decode_settings settings[SOURCES];
    bool loaded[SOURCES];
    problem problems[SOURCES];
    atomic_int next;
} loads;

/* Borrows the role's picture from all jobs' or loads it, if there is one. */
static bool load(picture_job *j, source_role role, const decode_settings *settings, problem *p)
{
    const char *const name = source_file(j->o, role);
    j->lent[role] = shared_lend(j->shared, role, &j->pictures[role]);
    return !name || j->lent[role] || picture_load(&j->pictures[role], name, settings, p);
}

/* Loads pictures until there are none. */
static void load_some(void *user)
{
    loads *const all = user;
    for (int r; (r = atomic_fetch_add(&all->next, 1)) < SOURCES;)
        all->loaded[r] = load(all->job, r, &all->settings[r], &all->problems[r]);
}

/* Loads all pictures at the same time, each by its share of the threads. If several fail, p is of the first. */
static bool load_pictures(picture_job *j, problem *p)
{
    const options *const o = j->o;
    const bool stays = stay_is_possible(j);
    const int all = o->engine.threads > 0 ? o->engine.threads : satb_processors();
    loads files = {.job = j};
    int count = 0;
    for (source_role r = 0; r < SOURCES; r++)
        count += source_file(o, r) != NULL;
    const int loaders = count < all ? count : all;
    for (source_role r = 0; r < SOURCES; r++) {
        files.settings[r] = source_settings(o, r);
        files.settings[r].threads = loaders > 0 ? all / loaders : 1;
        files.settings[r].stays = stays;
        files.settings[r].gpu = j->gpu;
    }
    files.settings[SOURCE_INPUT].keep_file = embedded_is_wanted(o);
    files.settings[SOURCE_INPUT].gain = gain_step_use(j);
    files.settings[SOURCE_INPUT].accept = accept_shape;
    files.settings[SOURCE_INPUT].user = j;
    threads_together(loaders, load_some, &files);
    for (source_role r = 0; r < SOURCES; r++)
        if (!files.loaded[r]) {
            *p = files.problems[r];
            return false;
        }
    for (source_role r = 0; r < SOURCES; r++)
        tell_damage(j, &j->pictures[r], o->source[r]);
    return embedded_read(j, &files.settings[SOURCE_INPUT], p) &&
           made_read(j, &(program_step){0}, p);
}

turn_words picture_read_turn(const picture *pic)
{
    static const char *const turns[9] = {
        [3] = "180 degrees", [6] = "90 degrees right", [8] = "90 degrees left"};
    const int orientation = pic->orientation;
    const bool is_video = pic->format && strcmp(pic->format, "video") == 0;
    const char *const turn = turns[orientation] ? turns[orientation] : "mirrored";
    turn_words words;
    if (is_video)
        snprintf(words.text, sizeof words.text, "rotation of the video: %s", turn);
    else
        snprintf(words.text, sizeof words.text, "EXIF orientation %d", orientation);
    return words;
}

/* Returns whether both are portraits or both are landscapes; a square is either. */
static bool lie_alike(const satb_image *a, const satb_image *b, bool swapped)
{
    const int width = swapped ? b->height : b->width, height = swapped ? b->width : b->height;
    return a->width == a->height || width == height || (a->width > a->height) == (width > height);
}

/* Replaces pixels or numbers that are lent by a copy, as they are to change. False: p has the line. */
static bool own_pixels(picture_job *j, source_role role, problem *p)
{
    satb_image *const image = &j->request.images[role];
    values *const numbers = &j->pictures[role].values;
    const satb_image from = *image;
    const float *const old = numbers->data;
    const size_t count = (size_t)numbers->width * (size_t)numbers->height;
    problem inner;
    if (!j->lent[role])
        return true;
    j->lent[role] = false;
    numbers->data = NULL;
    image->data = from.data ? pixels_allocate(picture_bytes(&from)) : NULL;
    if ((from.data && !image->data) ||
        (old && !values_allocate(numbers, numbers->width, numbers->height, &inner)))
        return problem_set(p, "%s: not enough memory for a copy", j->o->source[role]);
    if (from.data)
        memcpy(image->data, from.data, picture_bytes(&from));
    if (old)
        memcpy(numbers->data, old, count * sizeof *old);
    return true;
}

/* Aligns the map with the picture as displayed, as most programs that make maps see the upright picture. If the two are of
 * one kind, portrait or landscape, only as stored, the map is taken as aligned with the stored pixels. own: the map's
 * orientation. A map that is rotated comes to the host. */
static bool align_map(picture_job *j, source_role role, problem *p)
{
    satb_image *const map = &j->request.images[role];
    const char *const name = j->o->source[role];
    const int input = j->input.orientation, own = j->pictures[role].orientation;
    problem inner;
    const bool swapped = orientation_swaps(own) != orientation_swaps(input);
    const satb_image *const src = &j->request.src;
    if (own == input)
        return true;
    if (!lie_alike(src, map, swapped) && lie_alike(src, map, false)) {
        j->request.map_is_unturned |= map == &j->request.map;
        message_note(!j->o->given[OPT_VERBOSE],
                     "%s: is aligned with the unrotated pixels of %s (%s)", name, j->o->input,
                     picture_read_turn(&j->input).text);
        return true;
    }
    if (!own_pixels(j, role, p))
        return false;
    if (!pixels_bring(map, &inner))
        return problem_at(p, name, &inner);
    if (!orientation_apply(map, own) || !orientation_apply(map, orientation_inverse(input)))
        return problem_set(p, "%s: not enough memory to rotate it", name);
    message_note(!j->o->given[OPT_VERBOSE],
                 "%s: is aligned with %s as displayed (%s), and is rotated with it", name,
                 j->o->input, picture_read_turn(&j->input).text);
    return true;
}

/* Makes the automatic focus look where the photo's metadata says that its subject is, unless a mask names it. */
static void find_area(picture_job *j)
{
    engine_request *const q = &j->request;
    const bool has_mask = q->matte.data || q->protect.data;
    if (q->dof.focus_mode != SATB_FOCUS_AUTO || !j->o->map || has_mask)
        return;
    const subject_area a =
        subject_area_find(&j->input.meta, q->src.width, q->src.height, j->input.orientation);
    const int area[4] = {a.left, a.top, a.width, a.height};
    q->area_name = a.name;
    if (a.name)
        memcpy(q->dof.focus_area, area, sizeof area);
}

/* Converts radii and the focus point from the picture as displayed to the stored one, which the work is on. Finds the area of
 * an automatic focus. */
static bool orient_options(picture_job *j, problem *p)
{
    const int orientation = j->input.orientation;
    satb_dof_params *dof = &j->request.dof;
    dof->orientation = orientation;
    find_area(j);
    int width = j->input.image.width, height = j->input.image.height;
    if (orientation_swaps(orientation)) {
        const satb_box_params given = j->request.box;
        j->request.box.radius_x = given.radius_y;
        j->request.box.radius_y = given.radius_x;
        width = j->input.image.height;
        height = j->input.image.width;
    }
    if (orientation == 1 || dof->focus_mode != SATB_FOCUS_POINT)
        return true;
    if (dof->focus_x >= width || dof->focus_y >= height) {
        return problem_set(p,
                           "--focus-%s %d,%d is outside the picture, which is displayed as %d x %d",
                           j->o->given[OPT_FOCUS_TRACK] ? "track" : "at", dof->focus_x,
                           dof->focus_y, width, height);
    }
    orientation_point_to_stored(orientation, width, height, &dof->focus_x, &dof->focus_y);
    return true;
}

/* Joins the sides of a panorama, unless --edge says what lies beyond them. */
static bool join_sides(picture_job *j, problem *p)
{
    const options *const o = j->o;
    satb_look *const look = &j->request.dof.look;
    const satb_image *const src = &j->request.src;
    if (!options_have_depth(o) || !options_are_layered(o))
        return true;
    if (!o->given[OPT_EDGE] && o->dof.vignette == 0 &&
        panorama_is_whole(&j->input.meta, src->width, src->height)) {
        look->edge = SATB_EDGE_WRAP;
        message_note(!o->given[OPT_VERBOSE],
                     "%s: is a panorama of all directions, so its left and right sides meet; "
                     "--edge shrink keeps them apart",
                     o->input);
    }
    return look->edge != SATB_EDGE_WRAP || !orientation_swaps(j->input.orientation) ||
           problem_set(p,
                       "%s: is stored rotated, so --edge wrap would join its top and bottom; "
                       "rotate the picture upright first",
                       o->input);
}

/* Makes the request, which takes the pixels. */
static void make_request(picture_job *j)
{
    const options *o = j->o;
    j->request = (engine_request){.o = o, .dof = o->dof, .box = o->box, .map_white = j->map.white};
    for (source_role r = 0; r < SOURCES; r++) {
        j->request.images[r] = j->pictures[r].image;
        j->pictures[r].image.data = NULL;
    }
    const int longer =
        j->input.image.width > j->input.image.height ? j->input.image.width : j->input.image.height;
    if (o->radius_in_percent)
        j->request.dof.max_radius = o->dof.max_radius / 100 * longer;
    if (o->box_in_percent) {
        j->request.box.radius_x *= longer / 100.0;
        j->request.box.radius_y *= longer / 100.0;
    }
    if (j->input.image.half && o->by_preset[OPT_HIGHLIGHTS])
        j->request.dof.highlights = 0;
    j->times.decoder = j->input.library;
    j->times.map_decoder = j->map.library;
}

/* Makes codes of disparity or distance of the map: of the part of its file that is the map, of its colours, of its numbers.
 * *colours gets the shares of colours that are left. */
static bool read_depth(picture_job *j, satb_colours *colours, problem *p)
{
    engine_request *const q = &j->request;
    const bool has_numbers = j->map.values.data != NULL;
    const bool may_be_beside =
        !has_numbers && j->o->colormap != COLORMAP_NONE && j->map.orientation == 1;
    return own_pixels(j, SOURCE_MAP, p) &&
           (!may_be_beside || map_cut_view(q, j->input.orientation, p)) &&
           map_read_colours(q, colours, p) && map_numbers_settle(j, p);
}

/* Refuses what can be asked of integers alone. */
static bool accept_light(const picture_job *j, problem *p)
{
    static const int codes_only[] = {OPT_EQUALIZE, OPT_STATS, OPT_HISTOGRAM};
    static const char *const names[] = {"equalize", "stats", "histogram"};
    const options *const o = j->o;
    if (!j->request.src.half)
        return true;
    for (int i = 0; i < 3; i++)
        if (o->given[codes_only[i]])
            return problem_set(p,
                               "%s: --%s takes integers, and this picture has floats; convert "
                               "it to PNG, or give --no-hdr if it is a photo with a gain map",
                               o->input, names[i]);
    if (o->given[OPT_GAMMA])
        return problem_set(
            p, "%s: --gamma is for codes, and this picture has linear light; leave out --gamma",
            o->input);
    return o->dof.highlights == 0 || o->by_preset[OPT_HIGHLIGHTS] ||
           problem_set(p,
                       "%s: --highlights is for 8 and 16 bits, and this picture already has the "
                       "true brightness of highlights; leave out --highlights",
                       o->input);
}

/* Notes that gray pictures get no fringes. */
static void tell_gray(const picture_job *j)
{
    const options *const o = j->o;
    if (o->dof.fringe > 0 && j->request.src.channels < 3)
        message_note(o->given[OPT_QUIET],
                     "%s: --fringe has no effect, because the picture is gray; convert it to RGB",
                     o->input);
}

/* Aligns all pictures with the first. */
static bool align(picture_job *j, problem *p)
{
    for (source_role r = SOURCE_INPUT + 1; r < SOURCES; r++)
        if (j->o->source[r] && !align_map(j, r, p))
            return false;
    return true;
}

static bool accept_masks(const picture_job *j, problem *p)
{
    for (source_role r = SOURCE_MAP + 1; r < SOURCES; r++)
        if (j->o->source[r] && !mask_accept(&j->request, r, p))
            return false;
    return true;
}

bool picture_read_loaded(picture_job *j, problem *p)
{
    engine_request *const q = &j->request;
    const options *const o = j->o; /* the photo's own map has its meaning in it */
    const bool depth = o->given[OPT_DEPTH];
    satb_colours colours;
    make_request(j);
    tell_gray(j);
    if (!accept_light(j, p) || !stay_settle(j, p) || (depth && !read_depth(j, &colours, p)) ||
        !align(j, p) || !orient_options(j, p) || !join_sides(j, p) ||
        (o->given[OPT_TILT_SHIFT] && !tilt_shift_make(j, p)) ||
        (o->map && !map_accept(q, depth ? &colours : NULL, p)))
        return false;
    map_doubt_near(q);
    return accept_masks(j, p) && keep_step_take(j, p) &&
           (!o->given[OPT_FOCUS_PLANE] || focus_plane_apply(j, p));
}

bool picture_read(picture_job *j, problem *p)
{
    return load_pictures(j, p) && picture_read_loaded(j, p);
}
