#include "check/box/sat_case.h"

#include "common/cpu_level.h"
#include "support/device.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A way to build a table with CUDA. */
typedef struct builder {
    satk_sat_variant variant;
    satk_sat_tiles tiles;
    const char *name;
    int pictures; /* that the source is cut into */
} builder;

static size_t table_words(const shape *s)
{
    return (size_t)s->width * (size_t)s->height * (size_t)s->channels;
}

static block table_block(const sat_case *k)
{
    block b = block_guarded(table_words(&k->form) * (size_t)(k->word / 8), 0);

    block_poison(&b);
    return b;
}

static layout table_layout(const sat_case *k)
{
    const size_t word = (size_t)k->word / 8, pixel = word * (size_t)k->form.channels;
    const size_t row = pixel * (size_t)k->form.width;

    return (layout){row, row, pixel, word};
}

void sat_case_describe(check *c, const sat_case *k, const char *how)
{
    const shape *const s = &k->form;

    check_case(c, "%d x %d, %d channels, %d bits -> %d, %s%s, pad %d, skew %d, %s, %s", s->width,
               s->height, s->channels, s->bits, k->word, check_look_name(&k->look),
               k->look.weighted ? " weighted" : "", s->pad, s->skew, fill_name(k->content), how);
}

static void describe_threads(check *c, const sat_case *k, int threads)
{
    char how[32];

    snprintf(how, sizeof how, "%d threads", threads);
    sat_case_describe(c, k, how);
}

/* --- The oracle ------------------------------------------------------------------------------- */

static void put_word(void *words, size_t at, int word, uint64_t value)
{
    if (word == 32)
        ((uint32_t *)words)[at] = (uint32_t)value;
    else
        ((uint64_t *)words)[at] = value;
}

static uint64_t get_word(const void *words, size_t at, int word)
{
    return word == 32 ? ((const uint32_t *)words)[at] : ((const uint64_t *)words)[at];
}

/* Finds the table row by row: each word is the one above it and the sum of its row so far. */
static block expected_by_rows(const sat_case *k, const oracle_plane *src)
{
    const size_t row = (size_t)src->width * (size_t)src->channels;
    uint64_t *const prefix = calloc(row, sizeof *prefix), *const sums = calloc(row, sizeof *sums);
    block want = table_block(k);

    for (int y = 0; y < src->height && prefix && sums; y++) {
        oracle_row_prefix(src, &k->look, y, prefix);
        for (size_t i = 0; i < row; i++)
            put_word(block_data(&want), (size_t)y * row + i, k->word, sums[i] += prefix[i]);
    }
    free(prefix);
    free(sums);
    return want;
}

/* Finds the table word by word, each by its definition. */
static block expected_by_definition(const sat_case *k, const oracle_plane *src)
{
    block want = table_block(k);
    size_t at = 0;

    for (int y = 0; y < src->height; y++)
        for (int x = 0; x < src->width; x++)
            for (int i = 0; i < src->channels; i++)
                put_word(block_data(&want), at++, k->word,
                         oracle_table_word(src, &k->look, x, y, i));
    return want;
}

static block expected(const sat_case *k, const oracle_plane *src)
{
    enum { SMALL = 1100 }; /* pixels: 33 x 33 still is */

    return (size_t)src->width * (size_t)src->height <= SMALL ? expected_by_definition(k, src)
                                                             : expected_by_rows(k, src);
}

/* --- Back ends -------------------------------------------------------------------------------- */

static satk_sat job_of(const sat_case *k, const picture *src, backend on)
{
    return (satk_sat){
        .src = src->plane, .tone = tones_get(k->form.bits, &k->look, on), .word = k->word};
}

/* Builds the table by the CPU, into `table`. The scratch has guards, too: its stated size must
 * do. */
static void on_cpu(check *c, const sat_case *k, const picture *src, int threads, block *table)
{
    satk_sat job = job_of(k, src, ON_CPU);
    block scratch = block_guarded(satk_sat_scratch_cpu(&job, threads), 0);

    block_poison(&scratch);
    job.table = block_data(table);
    job.scratch = block_data(&scratch);
    satk_sat_cpu(&job, threads);
    check_that(c, ON_CPU, block_intact(&scratch), "written outside the scratch of %zu bytes",
               scratch.bytes);
    block_free(&scratch);
}

/* Builds the table by CUDA and leaves it on the device. Returns 1 when done. In quick mode the
 * scratch stays uninitialised, so that a tool can see words of it that are read before they are
 * written. */
static int on_cuda(check *c, const sat_case *k, const picture *src, const builder *how,
                   const mirror *table, const block *model)
{
    satk_sat job = job_of(k, src, ON_CUDA);
    job.pictures = how->pictures;
    job.src.height /= satk_sat_pictures(&job);
    job.src_step = (size_t)job.src.height * (size_t)job.src.pitch;
    job.variant = how->variant;
    job.tiles = how->tiles;
    block scratch = block_guarded(device_sat_scratch(&job), 0);
    mirror m_src = mirror_up(c, &src->memory), m_scratch;
    int done = 0;

    block_poison(&scratch);
    m_scratch = c->quick ? mirror_empty(c, scratch.bytes) : mirror_up(c, &scratch);
    if (m_src.device && m_scratch.device) {
        job.src = mirror_plane(&m_src, src);
        job.src.height /= satk_sat_pictures(&job);
        job.table = mirror_at(table, model, block_data(model));
        job.scratch = m_scratch.device + (c->quick ? 0 : scratch.at);
        done = check_launch(c, device_sat(&job));
    }
    if (done && !c->quick && mirror_down(c, &m_scratch, &scratch))
        done = check_that(c, ON_CUDA, block_intact(&scratch),
                          "written outside the scratch of %zu bytes", scratch.bytes);
    mirror_free(&m_src);
    mirror_free(&m_scratch);
    block_free(&scratch);
    return done;
}

/* Returns 1 if a build in this way would test nothing new. */
static int is_same(const sat_case *k, satk_sat_tiles tiles)
{
    /* minutes of copying, for no other indices than the size's own tiles have */
    return tiles != SATK_TILES_BY_SIZE && table_words(&k->form) >> 28;
}

/* Builds by CUDA and compares. pictures: parts of the source, one below the other; 0: it is one. */
static void compare_cuda(check *c, const sat_case *k, const picture *src, int pictures,
                         const block *cpu)
{
    static const builder builders[] = {
        {SATK_SAT_ONE_PASS, SATK_TILES_BY_SIZE, "one-pass", 0},
        {SATK_SAT_ONE_PASS, SATK_TILES_SMALL, "one-pass, small tiles", 0},
        {SATK_SAT_ONE_PASS, SATK_TILES_LARGE, "one-pass, large tiles", 0},
        {SATK_SAT_ROWS_COLUMNS, SATK_TILES_BY_SIZE, "rows-columns", 0},
    };
    const layout l = table_layout(k);
    block got = table_block(k);

    for (size_t i = 0; i < sizeof builders / sizeof *builders; i++) {
        builder how = builders[i];
        if (is_same(k, how.tiles))
            continue;
        how.pictures = pictures;
        sat_case_describe(c, k, how.name);
        block_poison(&got);
        mirror table = mirror_up(c, &got);
        if (table.device && on_cuda(c, k, src, &how, &table, &got) && mirror_down(c, &table, &got))
            check_same(c, ON_CUDA, cpu, &got, &l);
        mirror_free(&table);
    }
    block_free(&got);
}

void sat_case_run(check *c, const sat_case *k)
{
    const int height = k->form.height, threads[] = {1, 2, 3, height > 60 ? 7 : height + 3};
    const layout l = table_layout(k);
    picture src = picture_input(&k->form, k->content, &c->random);
    if (k->look.linear == ORACLE_HALF)
        picture_make_halves(&src.plane, k->content);
    const oracle_plane view = oracle_view(&src.plane);
    block want = expected(k, &view), got = table_block(k);

    const satk_level best = satk_level_here();

    for (int i = 0; i < check_count(c, 4, 2); i++)
        for (int level = i ? (int)best : SATK_PLAIN; level <= (int)best; level++) {
            describe_threads(c, k, threads[i]);
            block_poison(&got);
            satk_level_limit = (satk_level)level;
            on_cpu(c, k, &src, threads[i], &got);
            satk_level_limit = best;
            if (!check_same(c, ON_CPU, &want, &got, &l))
                printf("  level %d\n", level);
        }
    if (c->cuda)
        compare_cuda(c, k, &src, 0, &got);
    block_free(&want);
    block_free(&got);
    picture_free(&src);
}

void sat_case_pictures(check *c, const sat_case *k, int pictures)
{
    picture src = picture_input(&k->form, FILL_RANDOM, &c->random);
    block want = table_block(k);
    picture one = src;
    const size_t each = table_words(&k->form) * (size_t)(k->word / 8) / (size_t)pictures;

    one.plane.height /= pictures;
    for (int i = 0; i < pictures; i++) {
        satk_sat job = job_of(k, &one, ON_CPU);
        job.table = (uint8_t *)block_data(&want) + (size_t)i * each;
        satk_sat_cpu(&job, 1);
        one.plane.data = (uint8_t *)one.plane.data + one.plane.height * one.plane.pitch;
    }
    compare_cuda(c, k, &src, pictures, &want);
    block_free(&want);
    picture_free(&src);
}

/* --- Beyond 32 bits --------------------------------------------------------------------------- */

/* Returns the rows of a table that are not the row above plus the sums along the row. If there are
 * none, every word is right by induction. It needs no second table, and all processors share it. */
static long wrong_rows(const sat_case *k, const oracle_plane *src, const void *table)
{
    const size_t row = (size_t)src->width * (size_t)src->channels;
    long wrong = 0;

#pragma omp parallel reduction(+ : wrong)
    {
        uint64_t *const prefix = calloc(row, sizeof *prefix);
#pragma omp for
        for (int y = 0; y < src->height; y++) {
            int differs = prefix == NULL;
            if (prefix)
                oracle_row_prefix(src, &k->look, y, prefix);
            for (size_t i = 0, at = (size_t)y * row; i < row && !differs; i++, at++) {
                const uint64_t above = y > 0 ? get_word(table, at - row, k->word) : 0;
                const uint64_t want = above + prefix[i];
                differs = get_word(table, at, k->word) != (k->word == 32 ? (uint32_t)want : want);
            }
            wrong += differs;
        }
        free(prefix);
    }
    return wrong;
}

void sat_case_large(check *c, const shape *form)
{
    const sat_case k = {.form = *form, .word = 32};
    const int threads = omp_get_num_procs();
    picture src = picture_input(form, FILL_RANDOM, &c->random);
    block table = table_block(&k);

    describe_threads(c, &k, threads);
    on_cpu(c, &k, &src, threads, &table);
    const oracle_plane view = oracle_view(&src.plane);
    const long wrong = wrong_rows(&k, &view, block_data(&table));
    check_that(c, ON_CPU, wrong == 0 && block_intact(&table), "%ld rows are wrong, guards %s",
               wrong, block_intact(&table) ? "intact" : "overwritten");
    if (c->cuda)
        compare_cuda(c, &k, &src, 0, &table);
    block_free(&table);
    picture_free(&src);
}
