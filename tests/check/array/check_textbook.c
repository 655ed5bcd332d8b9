/* The published figures, the models that they are counted with, and the library's kernels against
 * the models. */
#include "check/check.h"

#include "textbook/textbook.h"
#include "textbook/textbook_library.h"

#include <inttypes.h>
#include <string.h>

static const textbook_op ops[] = {textbook_add, textbook_max};
static const char *const op_names[] = {"add", "max"};

static void random_array(check *c, uint64_t *in, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        in[i] = random_next(&c->random) >> 32;
}

/* --- Figures ---------------------------------------------------------------------------------- */

static void check_rows(check *c)
{
    for (int i = 0; i < textbook_rows_count; i++) {
        const textbook_row *const row = &textbook_rows[i];
        char text[TEXTBOOK_TEXT];
        row->count(row, text);
        check_case(c, "%s", row->what);
        check_that(c, ON_CPU, strcmp(text, textbook_expected(row)) == 0, "%s wanted, %s counted",
                   textbook_expected(row), text);
        check_that(c, ON_CPU,
                   !row->published || !row->right || strcmp(row->published, row->right) != 0,
                   "%s is called wrong, and is right", row->published);
    }
}

/* --- Formulas: the models' counts for every size, where the books have them for one ------------- */

static uint64_t log2_of(uint32_t n)
{
    uint64_t log = 0;

    while (n >>= 1)
        log++;
    return log;
}

static void check_tree_formula(check *c, textbook_tree tree, uint32_t n)
{
    const uint64_t warps = n / 64 ? n / 64 : 1, drop_out = 2 * warps - 1; /* warps + warps/2 .. 1 */
    const uint64_t issues = tree == TEXTBOOK_INTERLEAVED
                                ? (n >= 64 ? 5 * warps + drop_out : log2_of(n))
                                : (n >= 64 ? drop_out + 5 : log2_of(n));
    uint64_t in[TEXTBOOK_MOST] = {0};
    textbook_counts k = {0};

    textbook_reduce(&(textbook_reduction){tree, textbook_add, 4, 1, in, n}, &k);
    check_case(c, "tree %d of %" PRIu32, tree, n);
    check_that(c, ON_CPU, k.steps == log2_of(n), "%" PRIu64 " steps", k.steps);
    check_that(c, ON_CPU, k.active == n - 1 && k.operations == n - 1,
               "%" PRIu64 " active, %" PRIu64 " operations", k.active, k.operations);
    check_that(c, ON_CPU, k.issued == 32 * issues, "%" PRIu64 " slots, not %" PRIu64, k.issued,
               32 * issues);
    check_that(c, ON_CPU, k.load.instructions == 2 * issues && k.store.instructions == issues,
               "%" PRIu64 " loads, %" PRIu64 " stores", k.load.instructions, k.store.instructions);
    check_that(c, ON_CPU, k.result_load.sectors == 1 && k.result_store.sectors == 1,
               "the result is handed over by %" PRIu64 " loads, %" PRIu64 " stores",
               k.result_load.instructions, k.result_store.instructions);
    check_that(c, ON_CPU, k.store.sectors >= k.store.lines && k.store.lines >= issues,
               "%" PRIu64 " sectors, %" PRIu64 " lines", k.store.sectors, k.store.lines);
}

static void check_scan_formula(check *c, textbook_network network, uint32_t n)
{
    const uint64_t log = log2_of(n);
    const uint64_t additions[] = {n * log - (n - 1), 2 * n - 2 - log, 2 * (n - 1)};
    const uint64_t steps[] = {log, 2 * log - 1, 2 * log};
    const uint64_t halves = network == TEXTBOOK_HILLIS_STEELE ? 1 : 2; /* a thread's moves */
    const uint64_t lines = n / 32 > halves ? n / 32 : halves;
    uint64_t in[TEXTBOOK_MOST] = {0}, out[TEXTBOOK_MOST];
    const textbook_scan_job job = {network, textbook_add, 4, in, n, out, NULL};
    textbook_counts k = {0};

    textbook_scan(&job, &k, &k);
    check_case(c, "network %d of %" PRIu32, network, n);
    check_that(c, ON_CPU, k.operations == additions[network] && k.active == k.operations,
               "%" PRIu64 " additions, not %" PRIu64, k.operations, additions[network]);
    check_that(c, ON_CPU, k.steps == steps[network], "%" PRIu64 " steps, not %" PRIu64, k.steps,
               steps[network]);
    check_that(c, ON_CPU, k.load.lines == lines && k.store.lines == lines,
               "%" PRIu64 " lines in, %" PRIu64 " out", k.load.lines, k.store.lines);
}

static void check_formulas(check *c)
{
    for (uint32_t n = 2; n <= TEXTBOOK_MOST; n *= 2) {
        check_tree_formula(c, TEXTBOOK_INTERLEAVED, n);
        check_tree_formula(c, TEXTBOOK_CONVERGENT, n);
        for (int network = 0; network < TEXTBOOK_NETWORKS; network++)
            check_scan_formula(c, (textbook_network)network, n);
    }
}

/* --- Results ---------------------------------------------------------------------------------- */

static void check_reductions(check *c, const uint64_t *in, uint32_t n, int op)
{
    uint64_t want = 0;

    for (uint32_t i = 0; i < n; i++)
        want = ops[op](want, in[i]);
    for (int tree = 0; tree < TEXTBOOK_TREES; tree++)
        for (uint32_t coarse = 1; coarse <= (tree == TEXTBOOK_SHARED ? n / 2 : 1); coarse *= 2) {
            textbook_counts k = {0};
            const uint64_t got = textbook_reduce(
                &(textbook_reduction){(textbook_tree)tree, ops[op], 4, coarse, in, n}, &k);
            check_case(c, "tree %d, %s of %" PRIu32 ", coarsened %" PRIu32, tree, op_names[op], n,
                       coarse);
            check_that(c, ON_CPU, got == want && k.operations == n - 1,
                       "%" PRIu64 " wanted, %" PRIu64 " found", want, got);
        }
}

static void check_scans(check *c, const uint64_t *in, uint32_t n, int op)
{
    uint64_t inclusive[TEXTBOOK_MOST], exclusive[TEXTBOOK_MOST], got[TEXTBOOK_MOST], sum = 0;

    for (uint32_t i = 0; i < n; i++) {
        exclusive[i] = sum;
        inclusive[i] = sum = ops[op](sum, in[i]);
    }
    for (int network = 0; network < TEXTBOOK_NETWORKS; network++) {
        const textbook_scan_job job = {(textbook_network)network, ops[op], 4, in, n, got, NULL};
        const uint64_t *const want = network == TEXTBOOK_BLELLOCH ? exclusive : inclusive;
        textbook_counts k = {0};
        textbook_scan(&job, &k, &k);
        check_case(c, "network %d, %s of %" PRIu32, network, op_names[op], n);
        check_that(c, ON_CPU, memcmp(want, got, n * sizeof *got) == 0, "a wrong prefix");
    }
}

static void check_models(check *c)
{
    uint64_t in[TEXTBOOK_MOST];

    for (uint32_t n = 2; n <= TEXTBOOK_MOST; n *= 2)
        for (int op = 0; op < 2; op++) {
            random_array(c, in, n);
            check_reductions(c, in, n, op);
            check_scans(c, in, n, op);
        }
}

/* --- The library ------------------------------------------------------------------------------ */

static void check_library(check *c, backend on)
{
    int compared = 0;
    const int different = library_differs(on == ON_CPU ? LIBRARY_CPU : LIBRARY_CUDA, &compared);

    check_case(c, "the books' arrays");
    check_that(c, on, compared > 0 && different == 0, "%d of %d results are different", different,
               compared);
}

/* Compares the models with the library's kernels, on 32-bit values and their sums. */
static void compare_reductions(check *c, backend on, const uint32_t *values, const uint64_t *in,
                               uint32_t n, int op)
{
    static const satk_reduce_op library_ops[] = {SATK_REDUCE_SUM, SATK_REDUCE_MAX};

    for (int tree = 0; tree < TEXTBOOK_TREES; tree++) {
        const satk_reduce_variant variant = library_tree((textbook_tree)tree);
        textbook_counts k = {0};
        const uint64_t want =
            textbook_reduce(&(textbook_reduction){(textbook_tree)tree, ops[op], 4, 1, in, n}, &k);
        uint64_t got = ~want;
        const int done = library_reduce(on == ON_CPU ? LIBRARY_CPU : LIBRARY_CUDA, variant,
                                        library_ops[op], values, n, &got);
        check_case(c, "reduce, %s, %s of %" PRIu32, satk_reduce_variant_names[variant],
                   op_names[op], n);
        check_that(c, on, done && want == got, "%" PRIu64 " wanted, %" PRIu64 " found", want, got);
    }
}

static void compare_scans(check *c, backend on, const uint32_t *values, const uint64_t *in,
                          uint32_t n, int op)
{
    static const satk_scan_op library_ops[] = {SATK_SCAN_ADD, SATK_SCAN_MAX};
    uint64_t want[TEXTBOOK_MOST];
    uint32_t got[TEXTBOOK_MOST] = {0};

    for (int network = 0; network < TEXTBOOK_NETWORKS; network++) {
        const satk_scan_variant variant = library_network((textbook_network)network);
        const textbook_scan_job job = {(textbook_network)network, ops[op], 4, in, n, want, NULL};
        textbook_counts k = {0};
        textbook_scan(&job, &k, &k);
        int same = library_scan(on == ON_CPU ? LIBRARY_CPU : LIBRARY_CUDA, variant, library_ops[op],
                                network == TEXTBOOK_BLELLOCH, values, n, got);
        for (uint32_t i = 0; i < n; i++)
            same &= got[i] == (uint32_t)want[i];
        check_case(c, "scan, %s, %s of %" PRIu32, satk_scan_variant_names[variant], op_names[op],
                   n);
        check_that(c, on, same, "a prefix is not the model's");
    }
}

static void check_kernels(check *c, backend on)
{
    uint32_t values[TEXTBOOK_MOST];
    uint64_t in[TEXTBOOK_MOST];

    for (uint32_t n = 2; n <= TEXTBOOK_MOST && !check_hopeless(c);
         n *= (uint32_t)check_count(c, 2, 8))
        for (int op = 0; op < 2; op++) {
            random_array(c, in, n);
            for (uint32_t i = 0; i < n; i++)
                values[i] = (uint32_t)in[i];
            compare_reductions(c, on, values, in, n, op);
            compare_scans(c, on, values, in, n, op);
        }
}

void check_textbook(check *c)
{
    check_run(c, "textbook.figures", check_rows);
    check_run(c, "textbook.formulas", check_formulas);
    check_run(c, "textbook.models", check_models);
}

void check_textbook_kernels(check *c)
{
    if (check_group(c, "textbook.library")) {
        check_library(c, ON_CPU);
        if (c->cuda)
            check_library(c, ON_CUDA);
    }
    if (check_group(c, "textbook.kernels")) {
        check_kernels(c, ON_CPU);
        if (c->cuda)
            check_kernels(c, ON_CUDA);
    }
}
