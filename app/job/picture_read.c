/* The files of one picture, to a request. */
#include "job/picture_read.h"

#include "depth/colour_scale.h"
#include "image/orientation.h"
#include "job/embedded_read.h"
#include "job/focus_plane.h"
#include "job/map_check.h"
#include "job/map_colours.h"
#include "job/map_numbers.h"
#include "job/map_view.h"
#include "job/tilt_shift.h"

#include <omp.h>
#include <stdio.h>
#include <string.h>

/* --- Pictures that stay on a GPU -------------------------------------------------------------- */

/* Returns whether the options let the picture stay: a JPEG is made of it on the GPU, --gpu-memory does not bound the memory
 * there, the CPU does not verify the work, and no channels are put together, which only the host does. */
static bool may_stay(const picture_job *j)
{
    const options *o = j->o;
    return j->gpu != NO_GPU && o->codec == CODEC_GPU && j->format &&
           codec_metadata(j->format) == METADATA_JPEG && o->engine.gpu_memory == 0 &&
           !o->given[OPT_VERIFY] && o->fringe == 0;
}

/* Decides whether the picture stays: nvJPEG encodes RGB alone. A map or a matte, of whatever size and channels, is taken
 * where it is then, on either side. If the picture does not stay, it may get an engine of another GPU, so all come to the
 * host. */
static bool choose_memory(picture_job *j, problem *p)
{
    const satb_image *const src = &j->request.src;
    j->stays = src->on_device && src->channels == 3;
    return j->stays || engine_bring(&j->request, p);
}

/* --- Reading ---------------------------------------------------------------------------------- */

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

/* Loads the picture, its map and its matte at the same time, each in a task that may start more. If several fail, p is of
 * the first. */
static bool load_pictures(picture_job *j, const char *map, problem *p)
{
    const options *o = j->o;
    enum { MOST = 4 };
    const decode_settings settings = {.choice = o->codec,
                                      .max_pixels = o->max_pixels,
                                      .stays = may_stay(j),
                                      .gpu = j->gpu,
                                      .keep_file = embedded_is_wanted(o),
                                      .channel = o->depth_channel,
                                      .accept = accept_shape,
                                      .user = j};
    decode_settings of_map = settings;
    of_map.accept = NULL;
    of_map.keep_file = false;
    of_map.codes_only = true;
    const decode_settings of_matte = of_map;
    of_map.as_map = o->depth != NULL;
    of_map.key = o->depth_key;
    const char *const matte = options_is_embedded(o->matte) ? NULL : o->matte;
    map = options_is_embedded(map) ? NULL : map;
    const int all = o->engine.threads > 0 ? o->engine.threads : omp_get_max_threads();
    bool loaded = false, map_loaded = true, matte_loaded = true, protect_loaded = true;
    problem map_problem, matte_problem, protect_problem;
#pragma omp parallel num_threads(all < MOST ? all : MOST)
#pragma omp single
    {
#pragma omp task shared(map_loaded, map_problem) if (map)
        map_loaded = !map || picture_load(&j->map, map, &of_map, &map_problem);
#pragma omp task shared(matte_loaded, matte_problem) if (matte)
        matte_loaded = !matte || picture_load(&j->matte, matte, &of_matte, &matte_problem);
#pragma omp task shared(protect_loaded, protect_problem) if (o->protect)
        protect_loaded =
            !o->protect || picture_load(&j->protect, o->protect, &of_matte, &protect_problem);
        loaded = picture_load(&j->input, o->input, &settings, p);
    }
    if (loaded && !map_loaded)
        *p = map_problem;
    else if (loaded && !matte_loaded)
        *p = matte_problem;
    else if (loaded && !protect_loaded)
        *p = protect_problem;
    if (!loaded || !map_loaded || !matte_loaded || !protect_loaded)
        return false;
    tell_damage(j, &j->input, o->input);
    tell_damage(j, &j->map, map);
    tell_damage(j, &j->matte, matte);
    tell_damage(j, &j->protect, o->protect);
    return embedded_read(j, &settings, p);
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

/* Aligns the map with the picture as displayed, as most programs that make maps see the upright picture. If the two are of
 * one kind, portrait or landscape, only as stored, the map is taken as aligned with the stored pixels. own: the map's
 * orientation. A map that is rotated comes to the host. */
static bool align_map(const picture_job *j, satb_image *map, int own, const char *name, problem *p)
{
    const int input = j->input.orientation;
    problem inner;
    const bool swapped = orientation_swaps(own) != orientation_swaps(input);
    const satb_image *const src = &j->request.src;
    if (own == input)
        return true;
    if (!lie_alike(src, map, swapped) && lie_alike(src, map, false)) {
        message_note(!j->o->given[OPT_VERBOSE], "%s: aligned with the unrotated pixels of %s (%s)",
                     name, j->o->input, picture_read_turn(&j->input).text);
        return true;
    }
    if (!pixels_bring(map, &inner))
        return problem_at(p, name, &inner);
    if (!orientation_apply(map, own) || !orientation_apply(map, orientation_inverse(input)))
        return problem_set(p, "%s: not enough memory to rotate it", name);
    message_note(!j->o->given[OPT_VERBOSE],
                 "%s: aligned with %s as displayed (%s), and rotated with it", name, j->o->input,
                 picture_read_turn(&j->input).text);
    return true;
}

/* Converts radii and the focus point from the picture as displayed to the stored one, which the work is on. */
static bool orient_options(picture_job *j, problem *p)
{
    const int orientation = j->input.orientation;
    satb_dof_params *dof = &j->request.dof;
    dof->orientation = orientation;
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
                           "--focus-%s %d,%d: outside the picture, which is displayed as %d x %d",
                           j->o->given[OPT_FOCUS_TRACK] ? "track" : "at", dof->focus_x,
                           dof->focus_y, width, height);
    }
    orientation_point_to_stored(orientation, width, height, &dof->focus_x, &dof->focus_y);
    return true;
}

/* Makes the request, which takes the pixels. */
static void make_request(picture_job *j)
{
    const options *o = j->o;
    j->request = (engine_request){.o = o,
                                  .dof = o->dof,
                                  .box = o->box,
                                  .src = j->input.image,
                                  .map = j->map.image,
                                  .matte = j->matte.image,
                                  .protect = j->protect.image,
                                  .map_white = j->map.white};
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
    j->input.image.data = j->map.image.data = j->matte.image.data = NULL;
    j->protect.image.data = NULL;
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
    return (!may_be_beside || map_cut_view(q, j->input.orientation, p)) &&
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
                               "it to PNG",
                               o->input, names[i]);
    if (o->given[OPT_GAMMA])
        return problem_set(p,
                           "%s: --gamma is for codes, and this picture has linear light; leave "
                           "it out",
                           o->input);
    return !o->given[OPT_HIGHLIGHTS] || o->by_preset[OPT_HIGHLIGHTS] ||
           problem_set(p,
                       "%s: --highlights is for pictures of 8 and 16 bits, and this one says "
                       "itself how bright lamps are; leave it out",
                       o->input);
}

/* Notes that gray pictures get no fringes. */
static void tell_gray(const picture_job *j)
{
    const options *const o = j->o;
    if (o->fringe > 0 && j->request.src.channels < 3)
        message_note(o->given[OPT_QUIET],
                     "%s: it is gray, so --fringe changes nothing; convert it to RGB for fringes",
                     o->input);
}

bool picture_read_loaded(picture_job *j, problem *p)
{
    engine_request *const q = &j->request;
    const options *const o = j->o; /* the photo's own map has its meaning in it */
    const char *const map = o->depth ? o->depth : o->radius_map;
    satb_colours colours;
    make_request(j);
    tell_gray(j);
    return accept_light(j, p) && choose_memory(j, p) && (!o->depth || read_depth(j, &colours, p)) &&
           (!map || align_map(j, &q->map, j->map.orientation, map, p)) &&
           (!o->matte || align_map(j, &q->matte, j->matte.orientation, o->matte, p)) &&
           (!o->protect || align_map(j, &q->protect, j->protect.orientation, o->protect, p)) &&
           orient_options(j, p) && (!o->given[OPT_TILT_SHIFT] || tilt_shift_make(j, p)) &&
           (!map || map_accept(q, o->depth ? &colours : NULL, p)) &&
           (!o->matte || matte_accept(q, &q->matte, o->matte, p)) &&
           (!o->protect || matte_accept(q, &q->protect, o->protect, p)) &&
           (!o->given[OPT_FOCUS_PLANE] || focus_plane_apply(j, p));
}

bool picture_read(picture_job *j, problem *p)
{
    return load_pictures(j, j->o->depth ? j->o->depth : j->o->radius_map, p) &&
           picture_read_loaded(j, p);
}
