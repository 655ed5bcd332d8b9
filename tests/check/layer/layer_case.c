#include "check/layer/layer_case.h"
#include "check/layer/layer_material.h"
#include "check/layer/layer_rim.h"

#include "common/cpu_level.h"
#include "layer/layer_rule.h"
#include "support/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef unsigned __int128 u128;

/* --- Cases that the contract allows ----------------------------------------------------------- */

static u128 smaller(u128 a, u128 b)
{
    return a < b ? a : b;
}

/* Returns the most pixels of a form's boxes that are inside the picture, times their weights, of the side that has more. */
static u128 form_area(const satk_slab *slab, int radius, const layer_case *k,
                      const layer_material *m)
{
    const u128 w = (u128)k->form.width, h = (u128)k->form.height,
               cell = slab->coarse ? SATK_CELL : 1;
    u128 area[2] = {0, 0};

    for (int i = 0; i < 2 * m->forms.count; i++) {
        const satk_form_box *const box = &m->whole[i % 2].box[i / 2];
        const satk_range across = satk_form_columns(box, radius, 0);
        const satk_range down = satk_form_rows(box, radius, 0);
        if (across.lo < across.hi && down.lo < down.hi && box->weight > 0)
            area[i % 2] += smaller((u128)(across.hi - across.lo) * cell, w) *
                           smaller((u128)(down.hi - down.lo) * cell, h) * (u128)box->weight;
    }
    return area[0] > area[1] ? area[0] : area[1];
}

/* Returns the pixels that a number of a stack stands for. */
static u128 across(int side, const satk_slab *slab)
{
    return (2 * (u128)side + 1) * (slab->coarse ? SATK_CELL : 1);
}

/* Returns the most pixels of a slab's window, or of a form's boxes, that are inside the picture. */
static u128 window_area(const satk_slab *slab, int window, const layer_case *k,
                        const layer_material *m)
{
    const satk_stack *const s = &slab->window[window];
    const u128 w = (u128)k->form.width, h = (u128)k->form.height;
    const u128 middle = across(s->middle, slab), outer = across(s->outer, slab);
    const u128 rows = across(s->rows, slab), middle_rows = across(s->middle_rows, slab);

    if (m->forms.count > 0)
        return form_area(slab, s->middle_rows, k, m);
    return smaller(middle_rows, h) * smaller(middle, w) +
           (smaller(rows, h) - smaller(middle_rows, h)) * smaller(outer, w);
}

/* Where this is with 64 bits, too, the words are those whose sums come closest to their end. */
static int word_fits(const layer_case *k, const layer_material *m, int word)
{
    u128 area = 0;

    for (int i = 0; i < k->count * SATK_WINDOWS; i++) {
        const satk_slab *const slab = &m->slabs[i / SATK_WINDOWS];
        const int window = i % SATK_WINDOWS;
        const u128 a = window < slab->windows ? window_area(slab, window, k, m) : 0;
        area = slab->used && a > area ? a : area;
    }
    const u128 alpha = k->look.weighted ? oracle_code_max(k->form.bits) : 1;
    const u128 sum = SATK_SLAB * area * alpha * oracle_sample_max(k->form.bits, &k->look);
    return word == 32 ? sum < (u128)1 << 32 : sum << 8 < (u128)1 << 64;
}

/* --- Results ---------------------------------------------------------------------------------- */

typedef struct result {
    picture dst, left; /* left: the planes of all marks below each other */
} result;

static result make_result(const layer_case *k)
{
    const shape left = {k->form.width, SATK_MARKS * k->form.height, 1, 8, k->form.pad,
                        k->form.skew};

    return (result){picture_output(&k->form), picture_output(&left)};
}

static void free_result(result *r)
{
    picture_free(&r->dst);
    picture_free(&r->left);
}

static int compare(check *c, backend on, const result *want, const result *got)
{
    const layout pixels = layout_of(&want->dst.plane), left = layout_of(&want->left.plane);
    const int is_same = check_same(c, on, &want->dst.memory, &got->dst.memory, &pixels);

    return check_same(c, on, &want->left.memory, &got->left.memory, &left) && is_same;
}

/* Asks for `left` of no slab or some, from the nearest that may be marks to the farthest. */
static void choose_marks(const layer_case *k, satk_layer *job)
{
    const satk_groups g = satk_group_slabs(job);
    const int nearest = g.last - 1;
    int farthest = g.first > 0 ? g.first - 1 : 0;

    while (farthest < nearest && !job->slabs[farthest].used)
        farthest++;
    const int most = satk_smaller(nearest - farthest + 1, SATK_MARKS);

    job->marks = g.first < g.last ? satk_smaller(k->radius % (SATK_MARKS + 1), most) : 0;
    for (int i = 0; i < job->marks; i++)
        job->mark[i] = nearest - i * (nearest - farthest) / satk_larger(job->marks - 1, 1);
}

/* --- The oracle ------------------------------------------------------------------------------- */

/* Steps of the oracle for one case. If all pixels took more, random ones are chosen. */
enum { BUDGET = 2000000 };

static size_t pixels_of(const check *c, const layer_case *k, const layer_material *m)
{
    const uint64_t all = (uint64_t)k->form.width * (uint64_t)k->form.height;
    const uint64_t budget = (uint64_t)check_count(c, BUDGET, BUDGET / 8);
    uint64_t cost = 1;

    for (int i = 0; i < k->count; i++) /* mostly the first window is enough */
        cost += (uint64_t)window_area(&m->slabs[i], m->slabs[i].windows / 2, k, m) *
                (m->slabs[i].coarse ? 4 : 1); /* cells around a pixel */
    return (size_t)smaller(all, budget / cost + 16);
}

static oracle_slab *oracle_slabs(const layer_case *k, const layer_material *m)
{
    oracle_slab *const slabs = malloc((size_t)k->count * sizeof *slabs);

    for (int i = 0; i < k->count && slabs; i++) {
        slabs[i].used = m->slabs[i].used;
        slabs[i].coarse = m->slabs[i].coarse;
        slabs[i].windows = m->slabs[i].windows;
        slabs[i].before = m->slabs[i].is_before;
        for (int j = 0; j < slabs[i].windows; j++) {
            const satk_stack *const s = &m->slabs[i].window[j];
            slabs[i].window[j] = (oracle_stack){s->middle, s->middle_rows, s->outer, s->rows};
        }
    }
    return slabs;
}

/* Returns thresholds without order, of which no two rows or columns are alike. */
static satk_pattern pattern_of(const layer_case *k)
{
    satk_pattern p = {{{0}}};

    for (int i = 0; i < SATK_PATTERN_SIDE * SATK_PATTERN_SIDE && k->dither; i++)
        p.threshold[i / SATK_PATTERN_SIDE][i % SATK_PATTERN_SIDE] =
            (uint8_t)(1 + (i * k->dither * 37 & 127));
    return p;
}

/* Overwrites the chosen pixels of `want` with the oracle's. Returns 1 when done. */
static int ask_oracle(check *c, const layer_case *k, const layer_material *m, size_t count,
                      result *want)
{
    satk_layer job = {.slabs = m->slabs, .count = k->count};
    const satk_pattern pattern = pattern_of(k);
    oracle_slab *const slabs = oracle_slabs(k, m);
    const size_t some = m->boxes.bytes / sizeof(satk_form_box);
    const satk_form_box *const b = block_data(&m->boxes);
    const satk_form_patches *const patches = &m->forms.pixels, *const cells = &m->forms.cells;
    oracle_form_box *const boxes = malloc(some * sizeof *boxes);
    for (size_t i = 0; i + 1 < some && boxes; i++) /* the last is none */
        boxes[i] = (oracle_form_box){b[i].left, b[i].right, b[i].top, b[i].bottom, b[i].weight};
    oracle_layer layer = {
        .src = oracle_view(&m->src.plane),
        .look = k->look,
        .map = oracle_view(&m->map.plane),
        .cover = k->covered ? oracle_view(&m->cover.plane) : (oracle_plane){.data = NULL},
        .position = block_data(&m->position),
        .slabs = slabs,
        .count = k->count,
        .soft = k->soft,
        .thresholds = k->dither && k->form.bits == 8 ? pattern.threshold : NULL,
        .forms = {boxes, m->forms.count, 1 << patches->shift, k->form.width, k->form.height},
        .cell_forms = {boxes + (cells->box - patches->box), m->forms.count, 1 << cells->shift,
                       oracle_cells(k->form.width), oracle_cells(k->form.height)}};
    oracle_pixel *const pixels = check_pixels(c, &k->form, count);
    oracle_codes *const codes = malloc(count * sizeof *codes);
    uint8_t(*const left)[ORACLE_MARKS] = malloc(count * sizeof *left);
    const int done = slabs && pixels && codes && left && boxes;

    choose_marks(k, &job);
    layer.marks = job.marks;
    memcpy(layer.mark, job.mark, sizeof job.mark);
    if (done)
        oracle_layers(&layer, pixels, count, codes, left);
    for (size_t i = 0; i < count && done; i++) {
        for (int j = 0; j < k->form.channels; j++)
            picture_put(&want->dst.plane, pixels[i].x, pixels[i].y, j, codes[i].c[j]);
        for (int j = 0; j < job.marks; j++)
            picture_put(&want->left.plane, pixels[i].x, pixels[i].y + j * k->form.height, 0,
                        left[i][j]);
    }
    free(left);
    free(boxes);
    free(slabs);
    free(pixels);
    free(codes);
    return done;
}

/* --- Back ends -------------------------------------------------------------------------------- */

static int is_opaque(const layer_case *k)
{
    return k->opaque && !k->look.weighted && !k->faint && k->form.channels % 2 == 0 &&
           k->look.linear != ORACLE_HALF;
}

static satk_tone tone_of(const layer_case *k, backend on)
{
    satk_tone tone = tones_get(k->form.bits, &k->look, on);

    tone.opaque = is_opaque(k);
    return tone;
}

static satk_layer job_of(const layer_case *k, const layer_material *m, backend on)
{
    satk_layer job = {.src = m->src.plane,
                      .tone = tone_of(k, on),
                      .map = m->map.plane,
                      .cover = k->covered ? m->cover.plane : (satk_plane){.data = NULL},
                      .position = block_data(&m->position),
                      .slabs = m->slabs,
                      .count = k->count,
                      .soft = k->soft,
                      .forms = m->forms,
                      .word = m->word,
                      .pattern = pattern_of(k),
                      .channel = k->channel,
                      .most = k->most};

    choose_marks(k, &job);
    return job;
}

/* Returns the first plane of `left`. */
static satk_plane first_of(const layer_case *k, satk_plane left)
{
    left.height = k->form.height;
    return left;
}

static result on_cpu(check *c, const layer_case *k, const layer_material *m, int threads)
{
    const result r = make_result(k);
    satk_layer job = job_of(k, m, ON_CPU);

    job.dst = r.dst.plane;
    job.left = first_of(k, r.left.plane);
    block scratch = block_guarded(satk_layer_scratch_cpu(&job, threads), 0);
    block_poison(&scratch);
    job.scratch = block_data(&scratch);
    satk_layer_cpu(&job, threads);
    check_that(c, ON_CPU, block_intact(&scratch), "written beyond the scratch memory");
    block_free(&scratch);
    return r;
}

/* Blurs by older instructions of the CPU. */
static void compare_level(check *c, const layer_case *k, const layer_material *m, const result *cpu,
                          satk_level level)
{
    satk_level_limit = level;
    result r = on_cpu(c, k, m, 1);
    satk_level_limit = SATK_AVX512;
    if (!compare(c, ON_CPU, cpu, &r))
        printf("  level %d\n", (int)level);
    free_result(&r);
}

/* Asks for one channel. The others may have any codes. */
static void compare_channel(check *c, const layer_case *k, const layer_material *m,
                            const result *cpu)
{
    layer_case one = *k;
    one.channel = 1 + random_below(&c->random, k->form.channels < 3 ? 1 : 3);
    result r = on_cpu(c, &one, m, 2);
    const satk_plane *const all = &cpu->dst.plane;

    for (int y = 0; y < k->form.height; y++)
        for (int i = 0; i < k->form.width * k->form.channels; i++)
            if (i % k->form.channels != one.channel - 1)
                picture_put(&r.dst.plane, i / k->form.channels, y, i % k->form.channels,
                            satk_code((const uint8_t *)all->data + y * all->pitch, (size_t)i,
                                      k->form.bits));
    if (!compare(c, ON_CPU, cpu, &r))
        printf("  channel %d\n", one.channel - 1);
    free_result(&r);
}

static void compare_cuda(check *c, const layer_case *k, const layer_material *m, const result *cpu)
{
    result r = make_result(k);
    satk_layer job = job_of(k, m, ON_CUDA);
    mirrors on = {.c = c};
    const uint8_t *const boxes = mirrors_in(&on, &m->boxes), *const host = block_data(&m->boxes);

    job.src = mirrors_in_plane(&on, &m->src);
    job.map = mirrors_in_plane(&on, &m->map);
    job.position = mirrors_in(&on, &m->position);
    job.forms.pixels.box = (const void *)(boxes + ((const uint8_t *)m->forms.pixels.box - host));
    job.forms.cells.box = (const void *)(boxes + ((const uint8_t *)m->forms.cells.box - host));
    job.dst = mirrors_out_plane(&on, &r.dst);
    job.left = first_of(k, mirrors_out_plane(&on, &r.left));
    if (k->covered)
        job.cover = mirrors_in_plane(&on, &m->cover);
    job.scratch = mirrors_scratch(&on, device_layer_scratch(&job));
    if (mirrors_end(&on, on.failed || device_layer(&job)))
        compare(c, ON_CUDA, cpu, &r);
    free_result(&r);
}

/* --- Runs ------------------------------------------------------------------------------------- */

static void describe(check *c, const layer_case *k, int word, int threads)
{
    static const char *const depth_names[] = {"random", "smooth", "steps", "one",
                                              "spots",  "gaps",   "sides", "rim"};
    static const char *const aperture_names[] = {"squares", "discs", "even", "any"};
    const shape *const s = &k->form;

    check_case(c,
               "%d x %d, %d channels, %d bits, table %d, %s%s, %s, %d slabs, depths %s%s, %d %s to "
               "radius %d, soft %d, coarse %d behind %d before, map %d bits %d channels, pad %d, "
               "skew %d%s, tables "
               "of %zu bytes, %d threads",
               s->width, s->height, s->channels, s->bits, word, check_look_name(&k->look),
               k->look.weighted ? " weighted" : "", fill_name(k->content), k->count,
               depth_names[k->depth], k->covered ? " covered in part" : "", k->boxes,
               k->boxes ? "boxes" : aperture_names[k->aperture], k->radius, k->soft, k->behind,
               k->before, k->map_bits, k->map_channels, s->pad, s->skew,
               is_opaque(k) ? ", opaque" : "", k->most, threads);
}

/* Returns 1 if all slabs in use have a first window of one pixel. */
static int is_sharp(const layer_case *k)
{
    return k->depth == DEPTHS_ONE && k->radius == 0 && k->aperture < APERTURES_EVEN &&
           k->behind + k->before == 0;
}

static void run_word(check *c, const layer_case *k, const layer_material *m, result *want,
                     int asked)
{
    static const int threads[] = {1, 3, 2, 7};

    for (int i = 0; i < check_count(c, 4, 2); i++) {
        describe(c, k, m->word, threads[i]);
        result cpu = on_cpu(c, k, m, threads[i]);
        if (!asked && i == 0) { /* pixels that the oracle was not asked for */
            picture_copy(&want->dst, &cpu.dst);
            picture_copy(&want->left, &cpu.left);
            check_that(c, ON_CPU, ask_oracle(c, k, m, pixels_of(c, k, m), want), "out of memory");
        }
        compare(c, ON_CPU, want, &cpu);
        if (i == 0 && satk_level_here() > SATK_PLAIN)
            compare_level(c, k, m, &cpu,
                          (satk_level)random_below(&c->random, (int)satk_level_here()));
        if (i == 0)
            compare_channel(c, k, m, &cpu);
        if (i == 0 && c->cuda)
            compare_cuda(c, k, m, &cpu);
        free_result(&cpu);
    }
}

/* Where a mean alpha is so small that its rounding shows. */
static void make_faint(check *c, const satk_plane *p)
{
    for (int y = 0; y < p->height; y++)
        for (int x = 0; x < p->width; x++)
            picture_put(p, x, y, p->channels - 1,
                        random_below(&c->random, 40) ? 0 : (uint32_t)random_below(&c->random, 4));
}

void layer_case_run(check *c, const layer_case *k)
{
    layer_material m = {.src = picture_input(&k->form, k->content, &c->random)};
    result want = make_result(k);
    int asked = 0;

    if (k->look.linear == ORACLE_HALF)
        picture_make_halves(&m.src.plane, k->content);
    if (k->faint)
        make_faint(c, &m.src.plane);
    if (is_opaque(k))
        picture_make_opaque(&m.src.plane);
    layer_material_make(c, k, &m);
    for (m.word = 32; m.word <= 64; m.word += 32)
        if (word_fits(k, &m, m.word))
            run_word(c, k, &m, &want, asked++);
    if (asked && k->content == FILL_CONSTANT)
        check_that(c, ON_CPU, picture_same(&want.dst, &m.src), "a constant picture has changed");
    if (asked && k->depth == DEPTHS_RIM)
        layer_rim_check(c, k, &m, &want.dst);
    if (asked && is_sharp(k))
        check_that(c, ON_CPU, picture_same(&want.dst, &m.src), "a sharp picture has changed");
    free_result(&want);
    picture_free(&m.src);
    picture_free(&m.map);
    picture_free(&m.cover);
    block_free(&m.position);
    block_free(&m.boxes);
}
