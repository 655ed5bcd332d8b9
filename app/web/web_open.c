/* Opens a photo and its map, by the program's own readers. */
#include "cli/args.h"
#include "embedded/embedded.h"
#include "image/orientation.h"
#include "job/embedded_read.h"
#include "job/picture_job.h"
#include "web/web.h"

#include <float.h>
#include <string.h>

enum { SCREEN_PIXELS = 1500000 };
enum { WEB_SIDE = 32767 };              /* browsers show no longer ones */
#define WEB_PIXELS ((uint64_t)64000000) /* more would not fit the memory of a tab */

void scene_close(scene *s)
{
    for (int i = 0; i < SCENE_SIZES; i++) {
        picture_free(&s->photo[i]);
        picture_free(&s->map[i]);
    }
    metadata_free(&s->meta);
    *s = (scene){.width = 0};
}

bool scene_has_map(const scene *s)
{
    for (int i = 0; i < SCENE_SIZES; i++)
        if (s->map[i].image.data || s->map[i].values.data)
            return true;
    return false;
}

bool scene_quicken(scene *s, double quick, problem *p)
{
    picture_free(&s->photo[SCENE_QUICK]);
    picture_free(&s->map[SCENE_QUICK]);
    return (shrink_picture(&s->photo[SCENE_SCREEN], quick, false, &s->photo[SCENE_QUICK]) &&
            shrink_picture(&s->map[SCENE_SCREEN], quick, true, &s->map[SCENE_QUICK])) ||
           problem_set(p, "not enough memory for a smaller picture; close other pages");
}

/* Finds the options of a photo with its map. */
static bool parse(const char *photo, const char *map, options *o, problem *p)
{
    char depth[] = "--depth";
    char *argv[] = {"satblur", (char *)photo, "out.png", depth, (char *)map, NULL};
    return args_parse(5, argv, o, p) == ARGS_RUN;
}

/* Returns whether the photo's file has a map, readable or not. */
static bool carries_map(const picture_job *j, const decode_settings *settings)
{
    embedded_map map;
    problem unread;
    const embedded_status status =
        embedded_find(blob_view(&j->input.file), EMBEDDED_DEPTH, settings, &map, &unread);
    if (status == EMBEDDED_FOUND)
        embedded_free(&map);
    return status != EMBEDDED_NONE;
}

/* Reads the map within the photo's file, if there is one. */
static bool load_own(scene *s, picture_job *j, const decode_settings *settings, problem *p)
{
    s->has_own = carries_map(j, settings);
    return !s->has_own || embedded_read(j, settings, p);
}

static bool fits_page(const picture *photo, const char *name, problem *p)
{
    const satb_image *const i = &photo->image;
    return (i->width <= WEB_SIDE && i->height <= WEB_SIDE) ||
           problem_set(p,
                       "%s: a side of %d x %d pixels is longer than %d; use a smaller picture, "
                       "or the program itself",
                       name, i->width, i->height, WEB_SIDE);
}

static bool load(scene *s, const options *o, picture_job *j, problem *p)
{
    const bool within = source_is_embedded(o, SOURCE_MAP);
    decode_settings settings = source_settings(o, SOURCE_INPUT);
    settings.max_pixels = WEB_PIXELS;
    settings.keep_file = within;
    if (!picture_load(&j->input, o->input, &settings, p) || !fits_page(&j->input, o->input, p))
        return false;
    if (j->input.note[0])
        message_note(false, "%s: %s", o->input, j->input.note);
    if (within)
        return load_own(s, j, &settings, p);
    settings = source_settings(o, SOURCE_MAP);
    settings.max_pixels = WEB_PIXELS;
    return picture_load(&j->map, o->map, &settings, p);
}

/* Moves or shrinks the pictures into the sizes that are kept. */
static bool keep(scene *s, picture_job *j, bool full, double quick)
{
    const double most[] = {quick, SCREEN_PIXELS, DBL_MAX};
    for (int i = full ? SCENE_FULL : SCENE_QUICK; i <= (full ? SCENE_FULL : SCENE_SCREEN); i++)
        if (!shrink_picture(&j->input, most[i], false, &s->photo[i]) ||
            !shrink_picture(&j->map, most[i], true, &s->map[i]))
            return false;
    return true;
}

static void measure(scene *s, const picture *photo)
{
    const bool swapped = orientation_swaps(photo->orientation);
    s->width = swapped ? photo->image.height : photo->image.width;
    s->height = swapped ? photo->image.width : photo->image.height;
}

bool scene_open(scene *s, const char *photo, const char *map, bool full, double quick, problem *p)
{
    options o;
    picture_job j;
    picture_job_begin(&j, &o, NULL);
    scene_close(s);
    bool done = parse(photo, map, &o, p) && load(s, &o, &j, p);
    if (done) {
        measure(s, &j.input);
        s->own = j.own_meaning;
        s->meta = j.input.meta;
        j.input.meta = (metadata){0};
        done = keep(s, &j, full, quick) ||
               problem_set(p, "%s: not enough memory for %d x %d pixels; use a smaller picture",
                           photo, s->width, s->height);
    }
    picture_job_free(&j);
    if (!done)
        scene_close(s);
    return done;
}
