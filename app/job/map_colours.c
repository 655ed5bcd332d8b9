#include "job/map_colours.h"

#include "depth/colour_codes.h"
#include "depth/depth_preset.h"
#include "image/pixels.h"
#include "image/shape.h"
#include "job/view.h"

#include <stdio.h>
#include <string.h>

bool colours_find(const satb_image *map, satb_colours *found, const char *name, problem *p)
{
    satb_image rows = *map, view;
    *found = (satb_colours){0};
    if (map->channels < 3)
        return true;
    rows.height = (map->height + 3) / 4;
    rows.stride *= 4;
    if (!view_open(&rows, &view, name, p))
        return false;
    (void)satb_map_colours(&view, found);
    view_close(&rows, &view);
    return true;
}

/* --- Words ------------------------------------------------------------------------------------ */

scale_words map_scale_words(void)
{
    scale_words words = {""};
    for (int s = 0; s < COLOUR_SCALES; s++) {
        const size_t used = strlen(words.text);
        const char *const before = s == 0 ? "" : s + 1 < COLOUR_SCALES ? ", " : " or ";
        snprintf(words.text + used, sizeof words.text - used, "%s%s", before,
                 colour_scale_name((colour_scale)s));
    }
    return words;
}

/* Returns the end of a scale that is taken as white. */
static const char *white_end(colour_scale scale)
{
    return scale <= COLOURS_VIRIDIS ? "bright" : "red";
}

/* Returns the end of the scale's name, as matplotlib has it. */
static const char *suffix(bool reversed)
{
    return reversed ? "_r" : "";
}

static const char *near_words(const engine_request *q)
{
    return q->dof.near_black ? "far" : q->o->given[OPT_NEAR] ? "near" : "near (assumed)";
}

/* --- Codes ------------------------------------------------------------------------------------ */

/* Gives the request a gray map of that many bits instead, which takes the codes. Returns true. */
static bool replace_map(engine_request *q, void *codes, int bits)
{
    satb_image gray = {.data = codes, .width = q->map.width, .height = q->map.height};
    gray.channels = 1;
    gray.bits = bits;
    gray.stride = (ptrdiff_t)gray.width * (bits / 8);
    q->map = gray;
    q->map_white = bits == 16 ? UINT16_MAX : UINT8_MAX;
    q->map_had_colours = true;
    return true;
}

static bool refuse_memory(const engine_request *q, problem *p)
{
    return problem_set(p, "%s: not enough memory to read its colours", q->o->map);
}

static bool refuse_foreign(const engine_request *q, const colour_match *m, double share, problem *p)
{
    return problem_set(p,
                       "%s: has colours of %s, but %.1f%% of its pixels do not, perhaps a border "
                       "or a legend; cut those off, or give a gray map",
                       q->o->map, colour_scale_name(m->scale), 100 * share);
}

/* Refuses a map of whose pixels more than one in 50 are foreign to the scale. */
static bool take_codes(engine_request *q, const satb_image *view, const colour_match *m,
                       bool reversed, problem *p)
{
    const size_t count = (size_t)view->width * (size_t)view->height;
    uint8_t *const codes = pixels_allocate(count);
    size_t foreign = 0;
    if (!codes || !colour_read(view, m, codes, &foreign) || 50 * foreign > count) {
        pixels_free(codes);
        return foreign > 0 ? refuse_foreign(q, m, (double)foreign / (double)count, p)
                           : refuse_memory(q, p);
    }
    for (size_t i = 0; reversed && i < count; i++)
        codes[i] = (uint8_t)(UINT8_MAX - codes[i]);
    return replace_map(q, codes, 8);
}

/* Returns --depth-colormap, or what the program that made the map says. */
static int colormap_of(const options *o)
{
    const depth_preset *const from = depth_preset_of(o->depth_from);
    return o->colormap == COLORMAP_AUTO && from && from->is_packed ? COLORMAP_PACKED_LOW
                                                                   : o->colormap;
}

static bool take_packed(engine_request *q, const satb_image *view, problem *p)
{
    const bool red_is_low = colormap_of(q->o) == COLORMAP_PACKED_LOW;

    uint16_t *const codes = pixels_allocate((size_t)view->width * (size_t)view->height * 2);
    if (!codes)
        return refuse_memory(q, p);
    colour_unpack(view, red_is_low, codes);
    message_note(!q->o->given[OPT_VERBOSE],
                 "%s: red, green and blue are read as one value of 24 bits, red the %s byte",
                 q->o->map, red_is_low ? "lowest" : "highest");
    return replace_map(q, codes, 16);
}

/* Takes the scale that the option names; its first colour is black. */
static bool take_named(engine_request *q, const satb_image *view, problem *p)
{
    const int named = q->o->colormap - COLORMAP_NAMED;
    const bool reversed = named % 2 != 0;
    const colour_match m = colour_compare(view, (colour_scale)(named / 2));
    const char *const name = colour_scale_name(m.scale);
    if (m.share < 0.5) {
        return problem_set(p,
                           "%s: only %.0f%% of its pixels have colours of %s; give another "
                           "--depth-colormap, or none",
                           q->o->map, 100 * m.share, name);
    }
    if (!take_codes(q, view, &m, reversed, p))
        return false;
    message_note(!q->o->given[OPT_VERBOSE],
                 "%s: false colours of %s%s are read back; %.0f%% of the pixels fit", q->o->map,
                 name, suffix(reversed), 100 * m.share);
    return true;
}

/* Takes the scale that fits best, so that the end that is usually near is white. */
static bool take_best(engine_request *q, const satb_image *view, problem *p)
{
    colour_match found[2];
    const colour_verdict verdict = colour_find(view, found);
    const char *const name = colour_scale_name(found[0].scale);
    const char *const other = colour_scale_name(found[1].scale);
    if (verdict == COLOURS_UNKNOWN)
        return true;
    if (verdict == COLOURS_AMBIGUOUS) {
        return problem_set(p,
                           "%s: its colours may be those of %s or %s; give --depth-colormap %s or "
                           "--depth-colormap %s",
                           q->o->map, name, other, name, other);
    }
    const bool reversed = colour_scale_is_near_first(found[0].scale);
    if (!take_codes(q, view, &found[0], reversed, p))
        return false;
    message_note(q->o->given[OPT_QUIET], "%s: false colours of %s%s are read back, %s end %s",
                 q->o->map, name, suffix(reversed), white_end(found[0].scale), near_words(q));
    return true;
}

static bool take_colours(engine_request *q, const satb_image *view, problem *p)
{
    const int colormap = colormap_of(q->o);
    return colormap == COLORMAP_AUTO   ? take_best(q, view, p)
           : colormap < COLORMAP_NAMED ? take_packed(q, view, p)
                                       : take_named(q, view, p);
}

/* Returns whether the map's channels differ in more than a few pixels. */
static bool is_tinted(const satb_image *map, const satb_colours *colours)
{
    satb_judgement j;
    return satb_judge_map(NULL, map, &(satb_judge_params){.colours = colours}, &j) == SATB_OK &&
           j.signs & SATB_SIGN_TINTED;
}

bool map_read_colours(engine_request *q, satb_colours *found, problem *p)
{
    const bool automatic = colormap_of(q->o) == COLORMAP_AUTO;
    const bool is_chosen = q->o->colormap != COLORMAP_AUTO;
    satb_image coloured = q->map, view;
    *found = (satb_colours){0};
    if (q->o->colormap == COLORMAP_NONE)
        return true;
    if (coloured.channels < 3) {
        return !is_chosen ||
               problem_set(p,
                           "%s: is gray, so it has no colours to read; leave out --depth-colormap",
                           q->o->map);
    }
    if (automatic && !colours_find(&coloured, found, q->o->map, p))
        return false;
    if (automatic && !is_tinted(&coloured, found))
        return true;
    if (!view_open(&coloured, &view, q->o->map, p))
        return false;
    const bool done = take_colours(q, &view, p);
    view_close(&coloured, &view);
    if (q->map.data != coloured.data) {
        pixels_drop(&coloured);
        *found = (satb_colours){0};
    }
    return done;
}
