#include "format/heif/heif_graph.h"

#include "format/heif/heif_coded.h"

#include <stdlib.h>

enum {
    LEVELS = 4,      /* of pictures that are derived from each other; a turn of a grid has 2 */
    OVERLAID = 256,  /* pictures of one overlay */
    DECODES = 4096,  /* of coded pictures for one picture */
    LEAST = 1 << 14, /* pixels that a decoding costs at least */
    TIMES_ONE = 2,   /* of the claimed pixels: in one part, which may overhang it */
    MORE_ONE = 1 << 20,
    TIMES_ALL = 8, /* in all parts: tiles, alpha, a few overlaid pictures */
    MORE_ALL = 1 << 22,
    CODING = 1 << 16 /* bytes of a decoder's configuration */
};

typedef enum state { NEW, OPEN, DONE } state;

typedef struct graph {
    const heif_items *items;
    state state[HEIF_ITEMS];
    int levels[HEIF_ITEMS];       /* of those that are DONE */
    heif_coded coded[HEIF_ITEMS]; /* pictures 0: not read yet */
    /* Of the picture that is asked for */
    uint64_t one_most, all_most; /* pixels allowed */
    uint64_t all;                /* found so far */
    int decodes;
} graph;

static bool damaged(problem *p, const char *what)
{
    return problem_set(p, "its pictures are damaged (%s); get a whole copy, or convert it to PNG",
                       what);
}

static bool too_deep(problem *p)
{
    return problem_set(p,
                       "its pictures are made of each other through more than %d levels; convert "
                       "it to PNG",
                       LEVELS);
}

/* --- Derived pictures ------------------------------------------------------------------------- */

static bool is_derived(const heif_entry *e)
{
    return e->kind == HEIF_KIND('g', 'r', 'i', 'd') || e->kind == HEIF_KIND('i', 'o', 'v', 'l') ||
           e->kind == HEIF_KIND('i', 'd', 'e', 'n');
}

static bool is_coded(const heif_entry *e)
{
    return e->kind == HEIF_KIND('h', 'v', 'c', '1') || e->kind == HEIF_KIND('a', 'v', '0', '1');
}

/* Sets an item's levels by those of its parts and its alpha. Recursive, but never deeper than LEVELS allow. */
static bool find_levels(graph *g, int at, int depth, problem *p)
{
    const heif_entry *const e = &g->items->entry[at];
    const int children = e->parts + (e->alpha != HEIF_NO_ITEM);
    int most = -1;
    if (g->state[at] == OPEN)
        return damaged(p, "one is made of itself");
    if (g->state[at] == DONE)
        return true;
    if (depth > LEVELS)
        return too_deep(p);
    g->state[at] = OPEN;
    for (int i = 0; i < children; i++) {
        const int to = i < e->parts ? g->items->part[e->first_part + i] : e->alpha;
        if (!find_levels(g, to, depth + 1, p))
            return false;
        most = g->levels[to] > most ? g->levels[to] : most;
    }
    g->state[at] = DONE;
    g->levels[at] = most + 1;
    return most < LEVELS || too_deep(p);
}

static bool check_items(graph *g, problem *p)
{
    for (int i = 0; i < g->items->count; i++) {
        if (g->items->entry[i].coding.size > CODING)
            return damaged(p, "a header is too long");
        if (!find_levels(g, i, 0, p))
            return false;
    }
    return true;
}

/* --- What is decoded -------------------------------------------------------------------------- */

/* Adds a picture that is held in one piece. more: pixels that would take as much time as its data. */
static bool add_pixels(graph *g, uint64_t width, uint64_t height, uint64_t more, int times,
                       problem *p)
{
    const uint64_t pixels = width * height, counted = pixels < LEAST ? LEAST : pixels;
    if (width > UINT32_MAX || height > UINT32_MAX || pixels > g->one_most)
        return problem_set(
            p, "a part has %llu x %llu pixels, far more than it claims; the file is damaged",
            (unsigned long long)width, (unsigned long long)height);
    g->all += counted * (uint64_t)times + more;
    return g->all <= g->all_most ||
           problem_set(p, "its parts have far more pixels than it claims; convert it to PNG");
}

static bool add_coded(graph *g, int at, problem *p)
{
    enum { BYTES_A_PIXEL = 4 };
    const heif_entry *const e = &g->items->entry[at];
    heif_coded *const c = &g->coded[at];
    uint64_t bytes_read = 0;
    if (++g->decodes > DECODES)
        return problem_set(p, "it is made of more than %d parts; convert it to PNG", DECODES);
    if (c->pictures == 0 && !heif_coded_read(g->items, e, c, p))
        return false;
    for (int i = 0; i < e->extents; i++)
        bytes_read += g->items->extent[e->first_extent + i].size;
    return add_pixels(g, c->width > e->width ? c->width : e->width,
                      c->height > e->height ? c->height : e->height, bytes_read / BYTES_A_PIXEL,
                      c->pictures, p);
}

/* Returns whether no overlaid picture begins left of the canvas or above it, where libheif copies more than there is. */
static bool are_within(heif_cursor c, int size, int count)
{
    uint64_t signs = 0;
    for (int i = 0; i < 2 * count; i++)
        signs |= heif_take(&c, size) >> (8 * size - 1);
    return signs == 0;
}

/* Reads what a grid or an overlay says about itself. count: of the parts that it names. */
static bool read_canvas(bytes data, bool is_grid, uint64_t *width, uint64_t *height, int *count)
{
    heif_cursor c = {.rest = data};
    heif_take(&c, 1);
    const int size = heif_take(&c, 1) & 1 ? 4 : 2;
    const int rows = is_grid ? (int)heif_take(&c, 1) + 1 : 0;
    const int columns = is_grid ? (int)heif_take(&c, 1) + 1 : 0;
    if (!is_grid)
        heif_take(&c, 8); /* the background */
    *width = heif_take(&c, size);
    *height = heif_take(&c, size);
    *count = is_grid ? rows * columns : (int)(c.rest.size / (2 * (size_t)size));
    return !c.is_short && *width > 0 && *height > 0 && (is_grid || are_within(c, size, *count));
}

static bool add_canvas(graph *g, const heif_entry *e, problem *p)
{
    const bool is_grid = e->kind == HEIF_KIND('g', 'r', 'i', 'd');
    uint64_t width = 0, height = 0;
    int count = 0;
    bytes data;
    void *gathered = NULL;
    if (!heif_items_data(g->items, e, &data, &gathered, p))
        return false;
    const bool is_sound = read_canvas(data, is_grid, &width, &height, &count);
    free(gathered);
    if (!is_sound || (is_grid ? e->parts != count : e->parts > count))
        return is_grid
                   ? damaged(p, "a grid lacks tiles")
                   : problem_set(p, "an overlay lacks places, or begins beyond its canvas, which "
                                    "is not read here; convert it to PNG");
    if (!is_grid && e->parts > OVERLAID)
        return problem_set(p, "an overlay has more than %d pictures; convert it to PNG", OVERLAID);
    return add_pixels(g, width, height, 0, 1, p);
}

static bool add_derived(graph *g, const heif_entry *e, problem *p)
{
    if (e->kind != HEIF_KIND('i', 'd', 'e', 'n'))
        return add_canvas(g, e, p);
    return e->parts == 1 || damaged(p, "a turned picture is not one");
}

static bool refuse_kind(uint32_t kind, problem *p)
{
    char text[5] = "";
    for (int i = 0; i < 4; i++) {
        const char letter = (char)(kind >> (24 - 8 * i) & 0x7f);
        text[i] = letter > ' ' && letter < 0x7f ? letter : '?';
    }
    return problem_set(p, "it has a part of the kind %s, which is not read here; convert it to PNG",
                       text);
}

/* Adds what decoding an item costs. Its levels have been found, so this ends. has_alpha: it may have alpha. Where libheif
 * puts a part into a larger picture, it reads beyond the end of alpha that is smaller than the part. */
static bool add_item(graph *g, int at, bool has_alpha, problem *p)
{
    const heif_entry *const e = &g->items->entry[at];
    const bool is_turn = e->kind == HEIF_KIND('i', 'd', 'e', 'n');
    if (!has_alpha && e->alpha != HEIF_NO_ITEM)
        return problem_set(p, "a part has alpha of its own, which is not read here; convert it to "
                              "PNG");
    if (!is_coded(e) && !is_derived(e))
        return refuse_kind(e->kind, p);
    if (is_coded(e) ? !add_coded(g, at, p) : !add_derived(g, e, p))
        return false;
    for (int i = 0; is_derived(e) && i < e->parts; i++)
        if (!add_item(g, g->items->part[e->first_part + i], has_alpha && is_turn, p))
            return false;
    return e->alpha == HEIF_NO_ITEM || add_item(g, e->alpha, false, p);
}

uint64_t heif_graph_pixels(uint64_t width, uint64_t height)
{
    return width * height * TIMES_ALL + MORE_ALL;
}

static bool check_picture(graph *g, int root, problem *p)
{
    const heif_entry *const e = &g->items->entry[root];
    const uint64_t claim = (uint64_t)e->width * e->height;
    if (claim > UINT32_MAX)
        return problem_set(p, "%u x %u pixels are too many; convert it to PNG", e->width,
                           e->height);
    g->one_most = claim * TIMES_ONE + MORE_ONE;
    g->all_most = heif_graph_pixels(e->width, e->height);
    return add_item(g, root, true, p);
}

/* --- Colours ---------------------------------------------------------------------------------- */

/* Returns the entry of the coded picture of an item, the first one of several, or of an overlay, which has colours of its
 * own. The range is that of the innermost item that names one. */
static int find_coded(const heif_items *items, int at, heif_range *range)
{
    for (;; at = items->part[items->entry[at].first_part]) {
        const heif_entry *const e = &items->entry[at];
        *range = e->properties.range == HEIF_RANGE_UNKNOWN ? *range : e->properties.range;
        if (!is_derived(e) || e->parts == 0 || e->kind == HEIF_KIND('i', 'o', 'v', 'l'))
            return at;
    }
}

static heif_colours find_colours(const graph *g, int root)
{
    const heif_entry *const entry = g->items->entry;
    heif_colours found = {.is_gray = false};
    const int coded = find_coded(g->items, root, &found.range);
    const int alpha = entry[root].alpha == HEIF_NO_ITEM ? entry[coded].alpha : entry[root].alpha;
    found.is_gray = entry[coded].properties.is_gray;
    if (found.range == HEIF_RANGE_UNKNOWN)
        found.range = g->coded[coded].range;
    if (alpha == HEIF_NO_ITEM)
        return found;
    const int coded_alpha = find_coded(g->items, alpha, &found.alpha);
    if (found.alpha == HEIF_RANGE_UNKNOWN)
        found.alpha = g->coded[coded_alpha].range;
    return found;
}

/* --- All of it -------------------------------------------------------------------------------- */

static bool check(graph *g, const uint32_t *root, heif_colours *colours, problem *p)
{
    const int at = root ? heif_items_find(g->items, *root) : g->items->primary;
    if (at == HEIF_NO_ITEM)
        return damaged(p, "one is missing");
    if (!check_items(g, p) || !check_picture(g, at, p))
        return false;
    if (colours)
        *colours = find_colours(g, at);
    return true;
}

bool heif_graph_allows(bytes file, const uint32_t *root, heif_colours *colours, problem *p)
{
    heif_items *const items = heif_items_read(file, p);
    graph *const g = items ? calloc(1, sizeof *g) : NULL;
    if (g)
        g->items = items;
    const bool done = g && check(g, root, colours, p);
    if (items && !g)
        problem_set(p, "not enough memory to read it");
    free(g);
    free(items);
    return done;
}
