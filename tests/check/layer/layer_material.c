#include "check/layer/layer_material.h"
#include "check/layer/layer_rim.h"
#include "layer/radii_rule.h"

static int larger(int a, int b)
{
    return a > b ? a : b;
}

/* --- Depth ------------------------------------------------------------------------------------ */

/* Draws codes that rise along a direction, with one code for several pixels. */
static void draw_slope(check *c, const satk_plane *map)
{
    const uint64_t max = oracle_code_max(map->bits);
    const uint64_t across = (uint64_t)random_below(&c->random, 4);
    const uint64_t down = (uint64_t)random_below(&c->random, 4) + (across == 0);
    const uint64_t far = across * (uint64_t)map->width + down * (uint64_t)map->height;

    for (int y = 0; y < map->height; y++)
        for (int x = 0; x < map->width; x++)
            picture_put(map, x, y, 0,
                        (uint32_t)((across * (uint64_t)x + down * (uint64_t)y) * max / far));
}

/* Returns a place next to a multiple of the tiles' 32 pixels, or at an end. */
static int corner_of(check *c, int length)
{
    const int at = 32 * random_below(&c->random, length / 32 + 2) - random_below(&c->random, 2);

    return at < 0 ? 0 : at < length ? at : length - 1;
}

/* Draws pixels of other codes than 0: single ones, and those of a rectangle. */
static void draw_spots(check *c, const satk_plane *map)
{
    const int left = corner_of(c, map->width), right = corner_of(c, map->width);
    const int top = corner_of(c, map->height), bottom = corner_of(c, map->height);

    for (int y = 0; y < map->height; y++)
        for (int x = 0; x < map->width; x++)
            picture_put(map, x, y, 0, left <= x && x < right && top <= y && y < bottom);
    for (int i = random_below(&c->random, 4); i > 0; i--)
        picture_put(map, corner_of(c, map->width), corner_of(c, map->height), 0,
                    1 + (uint32_t)random_below(&c->random, 9));
}

/* Draws code 0 on one side and 1 on the other. */
static void draw_sides(check *c, const satk_plane *map)
{
    const int edge = random_below(&c->random, map->width), left = random_below(&c->random, 2);

    for (int y = 0; y < map->height; y++)
        for (int x = 0; x < map->width; x++)
            picture_put(map, x, y, 0, (x < edge) == left);
}

static int random_position(check *c, const layer_case *k, size_t code, size_t codes)
{
    const int last = SATK_SLAB * (k->count - 1);
    const int triple = SATK_SLAB * 3 * random_below(&c->random, larger((k->count + 1) / 3, 1));

    switch (k->depth) {
    case DEPTHS_SMOOTH: return (int)(code * (size_t)last / (codes - 1));
    case DEPTHS_SIDES: return code > 0 ? 0 : last - SATK_SLAB * k->before;
    case DEPTHS_GAPS: /* of three slabs, one is empty */
        return k->count < 2 ? 0 : triple + random_below(&c->random, SATK_SLAB + 1);
    default: return random_below(&c->random, last + 1);
    }
}

static void make_depth(check *c, const layer_case *k, layer_material *m)
{
    const shape form = {k->form.width, k->form.height,   k->map_channels,
                        k->map_bits,   k->form.pad & ~1, k->form.skew & ~1};
    const size_t codes = (size_t)1 << k->map_bits;
    const int one = SATK_SLAB * random_below(&c->random, k->count);
    const int beyond =
        one + SATK_SLAB < SATK_SLAB * k->count ? random_below(&c->random, SATK_SLAB + 1) : 0;

    m->map = picture_input(&form, k->depth == DEPTHS_STEPS ? FILL_STEPS : FILL_RANDOM, &c->random);
    if (k->depth == DEPTHS_SMOOTH)
        draw_slope(c, &m->map.plane);
    if (k->depth == DEPTHS_SPOTS)
        draw_spots(c, &m->map.plane);
    if (k->depth == DEPTHS_SIDES)
        draw_sides(c, &m->map.plane);
    m->position = block_exact(codes * sizeof(uint16_t), 0);
    uint16_t *const position = block_data(&m->position);
    for (size_t i = 0; i < codes; i++)
        position[i] = (uint16_t)(k->depth == DEPTHS_ONE ? one + random_below(&c->random, beyond + 1)
                                                        : random_position(c, k, i, codes));
    if (k->depth == DEPTHS_SPOTS && random_below(&c->random, 4))
        position[0] = (uint16_t)(SATK_SLAB * (k->count - 1));
}

/* --- Slabs ------------------------------------------------------------------------------------ */

static satk_stack round_stack(int r, int square)
{
    if (square)
        return (satk_stack){r, r, 0, r};
    return (satk_stack){r, r * 5 / 8, r * 5 / 8, r};
}

/* Makes a stack that reaches no farther than `reach` and has at most `rows`. */
static satk_stack any_stack(check *c, const layer_case *k, int reach, int rows)
{
    satk_stack s = {.middle = random_below(&c->random, reach + 1),
                    .outer = random_below(&c->random, reach + 1),
                    .rows = random_below(&c->random, rows + 1)};

    s.middle_rows = random_below(&c->random, s.rows + 1);
    if (k->aperture == APERTURES_EVEN)
        s.middle = s.rows;
    return s;
}

/* Draws the sides of a box along an axis, often an eighth of the radius apart: then some are on the centres of squares. */
static void draw_sides_of_box(check *c, int *from, int *to)
{
    const int step = random_below(&c->random, 2) ? 8192 : 1, far = 80000 / step;

    *from = step * (random_below(&c->random, 2 * far) - far);
    *to = *from + step * (1 + random_below(&c->random, far));
    *to = *to > 80000 ? 80000 : *to;
}

static int between(check *c, int low, int high)
{
    return low + (high > low ? random_below(&c->random, high - low + 1) : 0);
}

/* Returns a part of a box, which may be empty, or else has the centre if it is asked for. */
static satk_form_box part_of(check *c, const satk_form_box *box, int with_centre)
{
    satk_form_box part = *box;

    if (random_below(&c->random, 8) == 0 && !with_centre)
        return (satk_form_box){0, 0, 0, 0, box->weight};
    part.left = between(c, box->left, with_centre ? 0 : box->right);
    part.right = between(c, with_centre ? 1 : part.left, box->right);
    part.top = between(c, box->top, with_centre ? 0 : box->bottom);
    part.bottom = between(c, with_centre ? 1 : part.top, box->bottom);
    return part;
}

/* Draws boxes anywhere, of which the first has the centre. The last may be a part of the first that is taken away. Fixed ones
 * are squares. */
static satk_form make_form(check *c, const layer_case *k)
{
    satk_form form = {.count = k->boxes};

    for (int i = 0; i < form.count; i++) {
        satk_form_box *const b = &form.box[i];
        draw_sides_of_box(c, &b->left, &b->right);
        draw_sides_of_box(c, &b->top, &b->bottom);
        if (i == 0 && (b->left > 0 || b->right <= 0 || b->top > 0 || b->bottom <= 0))
            *b = (satk_form_box){-b->right * (b->right > 0), 65536, -40000, 20000, 1};
        b->weight = i == 0 ? 1 + random_below(&c->random, 3) : random_below(&c->random, 3);
        if (k->fixed)
            *b = (satk_form_box){-65536, 65536, -65536, 65536, 1};
    }
    if (!k->fixed && form.count > 1 && form.box[0].weight > 1) {
        form.box[form.count - 1] = part_of(c, &form.box[0], 0);
        form.box[form.count - 1].weight = -1;
    }
    return form;
}

/* Draws a form for each patch, within the whole one. */
static void draw_forms(check *c, const satk_form_patches *p, int count, const layer_material *m,
                       satk_form_box *box)
{
    const int each = p->across * p->down * count;

    for (int i = 0; i < 2 * each; i++) {
        const int at = i % count, of = i - at;
        const satk_form_box *const whole = &m->whole[i / each].box[at];
        const satk_form_box *const within = whole->weight < 0 ? &box[of] : whole;
        box[i] = p->shift < 30 ? part_of(c, within, at == 0) : *whole;
        box[i].weight = whole->weight;
    }
}

static size_t boxes_of(const satk_form_patches *p, int count)
{
    return 2 * (size_t)p->across * (size_t)p->down * (size_t)count;
}

/* Draws the forms of pixels, and those of cells. */
void layer_make_forms(check *c, const layer_case *k, layer_material *m)
{
    const int is_cut = (random_below(&c->random, 2) || k->cut) && !k->fixed;
    const int shift = is_cut ? 4 + random_below(&c->random, 3) : 30;
    const int columns = oracle_cells(k->form.width);
    const int rows = oracle_cells(k->form.height);
    satk_form_patches pixels = satk_make_patches(k->form.width, k->form.height, shift);
    satk_form_patches cells = satk_make_patches(columns, rows, is_cut ? 4 : shift);
    const size_t before = boxes_of(&pixels, k->boxes);

    m->boxes = block_exact((before + boxes_of(&cells, k->boxes) + 1) * sizeof(satk_form_box), 0);
    satk_form_box *const box = block_data(&m->boxes);
    draw_forms(c, &pixels, k->boxes, m, box);
    draw_forms(c, &cells, k->boxes, m, box + before);
    pixels.box = box, cells.box = box + before;
    m->forms = (satk_forms){.whole = {m->whole[0].box, m->whole[1].box},
                            .count = k->boxes,
                            .pixels = pixels,
                            .cells = cells};
}

/* Returns a window that the forms of both sides fit. */
static satk_stack form_window(const satk_form *form, int radius)
{
    satk_stack s = {.middle_rows = radius};

    for (int i = 0; i < 2 * form->count; i++) {
        const satk_form_box *const box = &form[i % 2].box[i / 2];
        const satk_range across = satk_form_columns(box, radius, 0);
        const satk_range down = satk_form_rows(box, radius, 0);
        s.middle = larger(s.middle, larger(-across.lo, across.hi));
        s.rows = larger(s.rows, larger(-down.lo, down.hi));
    }
    return s;
}

static satk_slab make_form_slab(check *c, const layer_case *k, const satk_form *form, int radius)
{
    satk_slab slab = {.windows = 1 + random_below(&c->random, SATK_WINDOWS)};
    const int part = random_below(&c->random, 2) * random_below(&c->random, 256);

    for (int i = 0; i < slab.windows; i++) {
        slab.window[i] = form_window(form, 256 * radius + (k->fixed || radius == 0 ? 0 : part));
        radius += random_below(&c->random, 4);
    }
    return slab;
}

static satk_slab make_slab(check *c, const layer_case *k, const satk_form *form, int radius)
{
    satk_slab slab = {.windows = 1 + random_below(&c->random, SATK_WINDOWS)};

    if (form->count > 0)
        return make_form_slab(c, k, form, radius);
    for (int i = 0; i < slab.windows; i++) {
        slab.window[i] = round_stack(radius, k->aperture == APERTURES_SQUARE);
        radius += random_below(&c->random, 4);
    }
    if (k->aperture < APERTURES_EVEN)
        return slab;
    satk_stack *const w = slab.window, *const widest = &w[slab.windows - 1];
    *widest = any_stack(c, k, radius, radius);
    const int reach = larger(widest->rows, larger(widest->middle, widest->outer));
    for (int i = slab.windows - 2; i >= 0; i--)
        w[i] = any_stack(c, k, reach, w[i + 1].rows);
    return slab;
}

void layer_mark_used(layer_material *m)
{
    const oracle_plane map = oracle_view(&m->map.plane);
    const uint16_t *const position = block_data(&m->position);

    for (int y = 0; y < map.height; y++)
        for (int x = 0; x < map.width; x++)
            satk_use_position(m->slabs, position[oracle_code(&map, x, y, 0)]);
}

static void make_slabs(check *c, const layer_case *k, layer_material *m)
{
    m->whole[0] = make_form(c, k);
    m->whole[1] = make_form(c, k);
    layer_make_forms(c, k, m);
    for (int i = 0; i < k->count; i++) {
        const int small = random_below(&c->random, 3) == 0 && !k->fixed;
        const int most = small && k->radius > 3 ? 3 : k->radius;
        const int wide =
            k->depth == DEPTHS_SPOTS && i == k->count - 1; /* so that others are seen */
        m->slabs[i] =
            make_slab(c, k, m->whole, k->fixed ? most << wide : random_below(&c->random, most + 1));
    }
    layer_mark_used(m);
    for (int i = 0; i < k->count && k->depth == DEPTHS_GAPS; i++)
        if (!m->slabs[i].used)
            m->slabs[i] = make_slab(c, k, m->whole, 3 * k->radius + 100);
    for (int i = 0; i < k->count; i++)
        m->slabs[i].coarse = !m->slabs[i].used && k->behind + k->before > 0
                                 ? random_below(&c->random, 2)
                                 : i < k->behind || i >= k->count - k->before;
    for (int i = 0; i < k->count; i++)
        m->slabs[i].is_before = random_below(&c->random, 2);
}

/* Draws coverages of which most are whole, as at the rims of things. */
void layer_make_cover(check *c, const layer_case *k, layer_material *m)
{
    const shape form = {k->form.width, k->form.height, 1, 8, k->form.pad, k->form.skew};

    m->cover = picture_input(&form, FILL_RANDOM, &c->random);
    for (int y = 0; y < form.height; y++)
        for (int x = 0; x < form.width; x++)
            if (random_below(&c->random, 40) > (x + y) % 40)
                picture_put(&m->cover.plane, x, y, 0, 255);
}

void layer_material_make(check *c, const layer_case *k, layer_material *m)
{
    if (k->depth == DEPTHS_RIM) {
        layer_rim_make(c, k, m);
        return;
    }
    make_depth(c, k, m);
    layer_make_cover(c, k, m);
    make_slabs(c, k, m);
}
