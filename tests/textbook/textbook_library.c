#include "textbook/textbook_library.h"

#include "support/device.h"

#include <stdlib.h>
#include <string.h>

/* --- Memory of either back end ---------------------------------------------------------------- */

static void *get(library_on on, size_t bytes)
{
    return on == LIBRARY_CUDA ? device_alloc(bytes) : aligned_alloc(64, bytes / 64 * 64 + 64);
}

static void put_back(library_on on, void *memory)
{
    if (on == LIBRARY_CPU)
        free(memory);
    else if (memory)
        device_free(memory);
}

static int copied_in(library_on on, void *to, const void *from, size_t bytes)
{
    if (on == LIBRARY_CPU)
        memcpy(to, from, bytes);
    return on == LIBRARY_CPU || device_upload(to, from, bytes) == 0;
}

static int copied_out(library_on on, void *to, const void *from, size_t bytes)
{
    if (on == LIBRARY_CPU)
        memcpy(to, from, bytes);
    return on == LIBRARY_CPU || (device_wait() == 0 && device_download(to, from, bytes) == 0);
}

/* --- Primitives ------------------------------------------------------------------------------- */

static int launched_table(library_on on, const satk_sat *job)
{
    if (on == LIBRARY_CPU)
        satk_sat_cpu(job, 1);
    return on == LIBRARY_CPU || device_sat(job) == 0;
}

int library_table(library_on on, const uint8_t *codes, int width, int height, uint32_t *table)
{
    const size_t pixels = (size_t)width * (size_t)height;
    satk_sat job = {
        .src = {.pitch = width, .width = width, .height = height, .channels = 1, .bits = 8},
        .word = 32};
    job.src.data = get(on, pixels);
    job.table = get(on, pixels * sizeof *table);
    job.scratch =
        get(on, on == LIBRARY_CPU ? satk_sat_scratch_cpu(&job, 1) : device_sat_scratch(&job));
    const int done = job.src.data && job.table && job.scratch &&
                     copied_in(on, job.src.data, codes, pixels) && launched_table(on, &job) &&
                     copied_out(on, table, job.table, pixels * sizeof *table);

    put_back(on, job.src.data);
    put_back(on, job.table);
    put_back(on, job.scratch);
    return done;
}

static int launched_reduce(library_on on, const satk_reduce *job)
{
    if (on == LIBRARY_CPU)
        satk_reduce_cpu(job, 1);
    return on == LIBRARY_CPU || device_reduce(job) == 0;
}

int library_reduce(library_on on, satk_reduce_variant variant, satk_reduce_op op,
                   const uint32_t *values, uint32_t count, uint64_t *result)
{
    const size_t bytes = count * sizeof *values;
    satk_reduce job = {.count = count, .op = op, .variant = variant};
    void *const in = get(on, bytes);

    job.values = in;
    job.out = get(on, sizeof *result);
    job.scratch = get(on, on == LIBRARY_CPU ? 0 : device_reduce_scratch(&job));
    const int done = in && job.out && job.scratch && copied_in(on, in, values, bytes) &&
                     launched_reduce(on, &job) && copied_out(on, result, job.out, sizeof *result);

    put_back(on, in);
    put_back(on, job.out);
    put_back(on, job.scratch);
    return done;
}

static int launched_scan(library_on on, const satk_scan *job)
{
    if (on == LIBRARY_CPU)
        satk_scan_cpu(job, 1);
    return on == LIBRARY_CPU || device_scan(job) == 0;
}

int library_scan(library_on on, satk_scan_variant variant, satk_scan_op op, int exclusive,
                 const uint32_t *in, uint32_t count, uint32_t *out)
{
    const size_t bytes = count * sizeof *in;
    satk_scan job = {
        .count = count, .word = 32, .op = op, .exclusive = exclusive, .variant = variant};
    void *const words = get(on, bytes);

    job.in = words;
    job.out = get(on, bytes);
    job.scratch =
        get(on, on == LIBRARY_CPU ? satk_scan_scratch_cpu(&job, 1) : device_scan_scratch(&job));
    const int done = words && job.out && job.scratch && copied_in(on, words, in, bytes) &&
                     launched_scan(on, &job) && copied_out(on, out, job.out, bytes);

    put_back(on, words);
    put_back(on, job.out);
    put_back(on, job.scratch);
    return done;
}

satk_reduce_variant library_tree(textbook_tree tree)
{
    static const satk_reduce_variant variants[TEXTBOOK_TREES] = {
        [TEXTBOOK_INTERLEAVED] = SATK_REDUCE_INTERLEAVED,
        [TEXTBOOK_CONVERGENT] = SATK_REDUCE_CONVERGENT,
        [TEXTBOOK_SHARED] = SATK_REDUCE_SHARED,
    };

    return variants[tree];
}

satk_scan_variant library_network(textbook_network network)
{
    static const satk_scan_variant variants[TEXTBOOK_NETWORKS] = {
        [TEXTBOOK_HILLIS_STEELE] = SATK_SCAN_HILLIS_STEELE,
        [TEXTBOOK_BRENT_KUNG] = SATK_SCAN_BRENT_KUNG,
        [TEXTBOOK_BLELLOCH] = SATK_SCAN_BLELLOCH,
    };

    return variants[network];
}

/* --- Against the models ----------------------------------------------------------------------- */

static int table_differs(library_on on, int *compared)
{
    static const uint8_t codes[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    static const uint32_t want[9] = {1, 3, 6, 5, 12, 21, 12, 27, 45};
    uint32_t got[9] = {0};

    ++*compared;
    return !library_table(on, codes, 3, 3, got) || memcmp(want, got, sizeof got) != 0;
}

/* tests/bench/profile.sh wants each launch exactly once. */
static int launch_differs(library_on on, const textbook_launch *launch, int *compared)
{
    uint32_t values[TEXTBOOK_MOST], largest = 0;
    uint64_t got = 0;

    textbook_values(values, launch->count);
    for (uint32_t i = 0; i < launch->count; i++)
        largest = values[i] > largest ? values[i] : largest;
    ++*compared;
    return !library_reduce(on, library_tree(launch->tree), SATK_REDUCE_MAX, values, launch->count,
                           &got) ||
           got != largest;
}

static int scan_differs(library_on on, int variant, int exclusive, int *compared)
{
    static const uint32_t in[8] = {3, 1, 7, 0, 4, 1, 6, 3};
    static const uint32_t want[2][8] = {{3, 4, 11, 11, 15, 16, 22, 25},
                                        {0, 3, 4, 11, 11, 15, 16, 22}};
    uint32_t got[8] = {0};

    ++*compared;
    return !library_scan(on, (satk_scan_variant)variant, SATK_SCAN_ADD, exclusive, in, 8, got) ||
           memcmp(want[exclusive], got, sizeof got) != 0;
}

int library_differs(library_on on, int *compared)
{
    int different = table_differs(on, compared);

    for (int i = 0; i < textbook_launches_count; i++)
        different += launch_differs(on, &textbook_launches[i], compared);
    for (int i = 0; i < 2 * SATK_SCAN_VARIANTS; i++)
        different += scan_differs(on, i / 2, i % 2, compared);
    return different;
}
