#include "check/stats/check_stats.h"

#include "support/device.h"

/* --- Counting luminances ---------------------------------------------------------------------- */

static void expect(const oracle_plane *src, int channel, void *out)
{
    (void)channel;
    oracle_luma_bins(src, out);
}

static void count_on_cpu(const satk_plane *src, void *out, int threads, int adds)
{
    satk_luma job = {*src, out, NULL, adds};
    block scratch = block_exact(satk_luma_scratch_cpu(&job, threads), 0);

    block_poison(&scratch);
    job.scratch = block_data(&scratch);
    satk_luma_cpu(&job, threads);
    block_free(&scratch);
}

static int count_on_cuda(const satk_plane *src, void *out, int adds)
{
    return device_luma(&(satk_luma){*src, out, NULL, adds});
}

/* --- The table of luminances ------------------------------------------------------------------ */

/* Makes sums of luminances that occur with gaps between them. kind 0: nothing occurs; 1: one luminance does; 2: as many pixels
 * as a picture can have, of two luminances. */
static void make_sums(check *c, int kind, int codes, uint64_t *sums)
{
    const int first = random_below(&c->random, codes), second = random_below(&c->random, codes);
    uint64_t sum = 0;

    for (int i = 0; i < codes; i++) {
        const int one = (i == first) + (i == second);
        sum += kind == 0   ? 0
               : kind == 1 ? (uint64_t)(i == first) * 77
               : kind == 2 ? (uint64_t)one << 30
               : i < first / 2 || random_below(&c->random, kind)
                   ? 0
                   : (uint64_t)random_below(&c->random, 1000);
        sums[i] = sum;
    }
}

/* Returns the least luminance that occurs; the largest of all where none does. */
static int least_of(const uint64_t *sums, int codes)
{
    int least = 0;

    while (least < codes - 1 && sums[least] == 0)
        least++;
    return least;
}

/* Returns twice the formula's numerator by twice its denominator, in steps of its own. */
static uint16_t level_of(const uint64_t *sums, int codes, int least, int luma)
{
    const uint64_t all = sums[codes - 1] - sums[least];
    if (all == 0)
        return (uint16_t)luma;
    const uint64_t above = luma < least ? 0 : sums[luma] - sums[least];
    return (uint16_t)((2 * above * (unsigned)(codes - 1) + all) / (2 * all));
}

static void table_on_cuda(check *c, const block *sums, const block *want, int bits)
{
    const layout l = {want->bytes, want->bytes, 2, 2};
    block got = block_guarded(want->bytes, 0);
    mirrors on = {.c = c};

    block_poison(&got);
    const satk_equal_lut job = {mirrors_in(&on, sums), mirrors_out(&on, &got), bits};
    if (mirrors_end(&on, on.failed || device_equal_lut(&job)))
        check_same(c, ON_CUDA, want, &got, &l);
    block_free(&got);
}

static void check_table(check *c)
{
    for (int i = 0; i < check_count(c, 40, 8) && !check_hopeless(c); i++) {
        const int bits = i % 2 ? 16 : 8, codes = 1 << bits, threads = 1 + i % 3;
        block sums = block_exact((size_t)codes * sizeof(uint64_t), 0);
        block want = block_guarded((size_t)codes * sizeof(uint16_t), 0),
              got = block_guarded((size_t)codes * sizeof(uint16_t), 0);
        const layout l = {want.bytes, want.bytes, 2, 2};

        check_case(c, "a table of %d bits, kind %d, %d threads", bits, i / 2, threads);
        block_poison(&want);
        block_poison(&got);
        make_sums(c, i / 2, codes, block_data(&sums));
        const int least = least_of(block_data(&sums), codes);
        for (int luma = 0; luma < codes; luma++)
            ((uint16_t *)block_data(&want))[luma] = level_of(block_data(&sums), codes, least, luma);
        satk_equal_lut_cpu(&(satk_equal_lut){block_data(&sums), block_data(&got), bits}, threads);
        check_same(c, ON_CPU, &want, &got, &l);
        if (c->cuda)
            table_on_cuda(c, &sums, &want, bits);
        block_free(&sums);
        block_free(&want);
        block_free(&got);
    }
}

/* --- Applying a table ------------------------------------------------------------------------- */

typedef struct apply_case {
    picture src, want;
    block lut;
    shape out_form;
} apply_case;

static apply_case make_case(check *c, const shape *form, fill f)
{
    apply_case k = {.src = picture_input(form, f, &c->random),
                    .lut = block_exact(sizeof(uint16_t) << form->bits, 0),
                    .out_form = *form};
    const oracle_plane view = oracle_view(&k.src.plane);
    uint16_t *const lut = block_data(&k.lut);

    random_bytes(&c->random, lut, k.lut.bytes);
    for (int i = 0; i < 256 && form->bits == 8; i++)
        lut[i] &= 255;
    k.out_form.pad = 2 * random_below(&c->random, 4);
    k.want = picture_output(&k.out_form);
    for (int y = 0; y < form->height; y++)
        for (int x = 0; x < form->width; x++) {
            const oracle_codes codes = oracle_equalized(&view, lut, x, y);
            for (int channel = 0; channel < form->channels; channel++)
                picture_put(&k.want.plane, x, y, channel, codes.c[channel]);
        }
    return k;
}

static void free_case(apply_case *k)
{
    picture_free(&k->src);
    picture_free(&k->want);
    block_free(&k->lut);
}

static void apply_on_cpu(check *c, const apply_case *k, int threads)
{
    picture got = picture_output(&k->out_form);
    const layout l = layout_of(&got.plane);

    satk_equalize_cpu(&(satk_equalize){k->src.plane, got.plane, block_data(&k->lut)}, threads);
    check_same(c, ON_CPU, &k->want.memory, &got.memory, &l);
    picture_copy(&got, &k->src);
    satk_equalize_cpu(&(satk_equalize){got.plane, got.plane, block_data(&k->lut)}, threads);
    check_same(c, ON_CPU, &k->want.memory, &got.memory, &l); /* in place */
    picture_free(&got);
}

static void apply_on_cuda(check *c, const apply_case *k)
{
    picture got = picture_output(&k->out_form);
    const layout l = layout_of(&got.plane);
    mirrors on = {.c = c};
    const satk_equalize job = {mirrors_in_plane(&on, &k->src), mirrors_out_plane(&on, &got),
                               mirrors_in(&on, &k->lut)};

    if (mirrors_end(&on, on.failed || device_equalize(&job)))
        check_same(c, ON_CUDA, &k->want.memory, &got.memory, &l);
    picture_free(&got);
}

static void run_apply(check *c, const shape *form, fill f)
{
    const int threads = random_below(&c->random, 5) + 1;
    apply_case k = make_case(c, form, f);

    check_case(c, "applying, %d x %d, %d channels, %d bits, pad %d to %d, skew %d, %s, %d threads",
               form->width, form->height, form->channels, form->bits, form->pad, k.out_form.pad,
               form->skew, fill_name(f), threads);
    apply_on_cpu(c, &k, threads);
    if (c->cuda)
        apply_on_cuda(c, &k);
    free_case(&k);
}

static void check_apply(check *c)
{
    for (int i = 0; i < sizes_count; i++)
        for (int kind = 0; kind < 8; kind++) {
            const shape form = {sizes[i].width,
                                sizes[i].height,
                                kind % 4 + 1,
                                kind < 4 ? 8 : 16,
                                2 * random_below(&c->random, 3),
                                2 * random_below(&c->random, 3)};
            if (size_wanted(c, &sizes[i]) && (!c->quick || kind % 5 == i % 5) && !check_hopeless(c))
                run_apply(c, &form, (fill)((i + kind) % FILLS));
        }
}

/* Of several steps of the emulated device's blocks, which are no whole rows. */
static const shape shapes[] = {{1203, 60, 1, 16, 0, 0}, {1203, 60, 3, 16, 0, 0}};

void check_equalize(check *c)
{
    static const stats luma = {.channel_bytes = {256 * sizeof(uint64_t), 65536 * sizeof(uint64_t)},
                               .word_bytes = sizeof(uint64_t),
                               .single = 1,
                               .expect = expect,
                               .cpu = count_on_cpu,
                               .cuda = count_on_cuda,
                               .group_sizes = "equalize.luma.sizes",
                               .group_alignment = "equalize.luma.alignment",
                               .group_fills = "equalize.luma.fills",
                               .group_places = "equalize.luma.places",
                               .group_threads = "equalize.luma.threads",
                               .group_large = "equalize.luma.large",
                               .group_bands = "equalize.luma.bands",
                               .group_shapes = "equalize.luma.steps",
                               .shapes = shapes,
                               .shapes_count = sizeof shapes / sizeof *shapes};

    check_stats(c, &luma);
    check_run(c, "equalize.table", check_table);
    check_run(c, "equalize.apply", check_apply);
}
