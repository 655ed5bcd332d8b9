/* Published figures, and what the models count instead of believing them. */
#include "textbook/textbook.h"
#include "textbook/textbook_library.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *textbook_expected(const textbook_row *row)
{
    return row->right ? row->right : row->published;
}

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static void
put_text(char *text, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, TEXTBOOK_TEXT, format, arguments);
    va_end(arguments);
}

static void say_array(char *text, const uint64_t *array, uint32_t count)
{
    size_t at = 0;

    for (uint32_t i = 0; i < count && at < TEXTBOOK_TEXT; i++)
        at += (size_t)snprintf(text + at, TEXTBOOK_TEXT - at, "%s%" PRIu64, i ? " " : "", array[i]);
}

/* --- Reduction -------------------------------------------------------------------------------- */

void textbook_values(uint32_t *values, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        values[i] = i * 2654435761u; /* no two are the same */
}

/* A model that computes something else counts nothing. */
static textbook_counts reduce(textbook_tree tree, uint32_t count, uint32_t coarse)
{
    uint32_t values[TEXTBOOK_MOST];
    uint64_t in[TEXTBOOK_MOST], largest = 0;
    textbook_counts c = {0};

    textbook_values(values, count);
    for (uint32_t i = 0; i < count; i++)
        largest = textbook_max(largest, in[i] = values[i]);
    const uint64_t found = textbook_reduce(
        &(textbook_reduction){tree, textbook_max, sizeof *values, coarse, in, count}, &c);
    return found == largest ? c : (textbook_counts){0};
}

static void efficiency(const textbook_row *row, char *text)
{
    const textbook_counts c = reduce((textbook_tree)row->kernel, row->elements, 1);

    put_text(text, "%" PRIu64 "/%" PRIu64 " = %.0f %%", c.active, c.issued,
             100. * (double)c.active / (double)c.issued);
}

/* Where the tree is in global memory, the books leave out how its result gets elsewhere. */
static void requests(const textbook_row *row, char *text)
{
    const textbook_counts c = reduce((textbook_tree)row->kernel, row->elements, 1);
    const uint64_t result = row->kernel == TEXTBOOK_SHARED ? c.result_store.lines : 0;

    put_text(text, "%" PRIu64, c.load.lines + c.store.lines + result);
}

static void divergence(const textbook_row *row, char *text)
{
    enum { FIFTH = 4 };
    const textbook_counts c = reduce((textbook_tree)row->kernel, row->elements, 1);

    put_text(text, "%" PRIu64 " of %" PRIu32, c.divergent[FIFTH],
             row->elements / 2 / TEXTBOOK_WARP);
}

/* Two blocks one after the other, or one that does the work of both with as many threads. */
static void coarsening(const textbook_row *row, char *text)
{
    const textbook_counts half = reduce(TEXTBOOK_SHARED, row->elements / 2, 1);

    put_text(text, "%" PRIu64 " / %" PRIu64, 2 * half.steps,
             reduce(TEXTBOOK_SHARED, row->elements, 2).steps);
}

const textbook_launch textbook_launches[] = {
    {"reduce_interleaved", TEXTBOOK_INTERLEAVED, 256},
    {"reduce_interleaved", TEXTBOOK_INTERLEAVED, 2048},
    {"reduce_convergent", TEXTBOOK_CONVERGENT, 256},
    {"reduce_convergent", TEXTBOOK_CONVERGENT, 2048},
};
const int textbook_launches_count = sizeof textbook_launches / sizeof *textbook_launches;

static void add_traffic(textbook_traffic *sum, const textbook_traffic *t)
{
    sum->instructions += t->instructions;
    sum->lines += t->lines;
    sum->sectors += t->sectors;
}

textbook_counts textbook_count_launch(const textbook_launch *launch)
{
    textbook_counts c = reduce(launch->tree, launch->count, 1);

    add_traffic(&c.load, &c.result_load);
    add_traffic(&c.store, &c.result_store);
    return c;
}

/* --- Scan ------------------------------------------------------------------------------------- */

typedef struct scanned {
    textbook_counts first, second;
    uint64_t out[TEXTBOOK_MOST], middle[TEXTBOOK_MOST];
} scanned;

static void scan(scanned *s, textbook_network network, const uint64_t *in, uint32_t count)
{
    const textbook_scan_job job = {network, textbook_add, sizeof(uint32_t), in,
                                   count,   s->out,       s->middle};

    s->first = s->second = (textbook_counts){0};
    textbook_scan(&job, &s->first, &s->second);
}

/* Without an array of its own, the row counts with one whose elements all differ. */
static void scan_row(scanned *s, const textbook_row *row)
{
    uint64_t in[TEXTBOOK_MOST];

    for (uint32_t i = 0; i < row->elements; i++)
        in[i] = row->in ? row->in[i] : i;
    scan(s, (textbook_network)row->kernel, in, row->elements);
}

static void additions(const textbook_row *row, char *text)
{
    scanned s;

    scan_row(&s, row);
    put_text(text, "%" PRIu64, s.first.operations + s.second.operations);
}

static void additions_by_tree(const textbook_row *row, char *text)
{
    scanned s;

    scan_row(&s, row);
    put_text(text, "%" PRIu64 " + %" PRIu64, s.first.operations, s.second.operations);
}

static void steps(const textbook_row *row, char *text)
{
    scanned s;

    scan_row(&s, row);
    put_text(text, "%" PRIu64, s.first.steps + s.second.steps);
}

static void result(const textbook_row *row, char *text)
{
    scanned s;

    scan_row(&s, row);
    say_array(text, s.out, row->elements);
}

static void first_tree(const textbook_row *row, char *text)
{
    scanned s;

    scan_row(&s, row);
    say_array(text, s.middle, row->elements);
}

/* --- Split ------------------------------------------------------------------------------------ */

enum { KEYS = 8 };

/* Harris, Sengupta, Owens 2007: e marks keys whose bit is 0, f is where such a key goes, t where the
 * others go, d where this one goes. */
typedef struct split_rows {
    uint64_t e[KEYS], f[KEYS], t[KEYS], d[KEYS], out[KEYS];
} split_rows;

static void split(split_rows *s, const uint64_t *keys, int bit)
{
    scanned sums;

    for (uint64_t i = 0; i < KEYS; i++)
        s->e[i] = !(keys[i] >> bit & 1);
    scan(&sums, TEXTBOOK_BLELLOCH, s->e, KEYS);
    const uint64_t total_falses = sums.out[KEYS - 1] + s->e[KEYS - 1];
    for (uint64_t i = 0; i < KEYS; i++) {
        s->f[i] = sums.out[i];
        s->t[i] = i - s->f[i] + total_falses;
        s->d[i] = s->e[i] ? s->f[i] : s->t[i];
        s->out[s->d[i]] = keys[i];
    }
}

typedef enum split_row { SPLIT_E, SPLIT_F, SPLIT_T, SPLIT_D, SPLIT_OUT } split_row;

static void split_shown(const textbook_row *row, char *text)
{
    split_rows s;

    split(&s, row->in, 0);
    const uint64_t *const shown[] = {s.e, s.f, s.t, s.d, s.out};
    say_array(text, shown[row->kernel], KEYS);
}

/* Sorted by all bits up to the row's. */
static void split_sorted(const textbook_row *row, char *text)
{
    split_rows s;

    memcpy(s.out, row->in, sizeof s.out);
    for (int bit = 0; bit <= row->kernel; bit++) {
        uint64_t keys[KEYS];
        memcpy(keys, s.out, sizeof keys);
        split(&s, keys, bit);
    }
    say_array(text, s.out, KEYS);
}

/* --- Table ------------------------------------------------------------------------------------ */

/* By the library's own code: the models have no second dimension. */
static void table(const textbook_row *row, char *text)
{
    enum { SIDE = 3 };
    uint8_t codes[SIDE * SIDE];
    uint32_t words[SIDE * SIDE];

    for (int i = 0; i < SIDE * SIDE; i++)
        codes[i] = (uint8_t)row->in[i];
    put_text(text, "%s", "no result");
    if (library_table(LIBRARY_CPU, codes, SIDE, SIDE, words))
        put_text(text, "%u %u %u / %u %u %u / %u %u %u", words[0], words[1], words[2], words[3],
                 words[4], words[5], words[6], words[7], words[8]);
}

static const uint64_t worked[8] = {3, 1, 7, 0, 4, 1, 6, 3};
static const uint64_t numbers[9] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
static const uint64_t from_one[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
static const uint64_t keys_2007[KEYS] = {4, 7, 2, 6, 3, 5, 1, 0};
static const uint64_t keys_1990[KEYS] = {5, 7, 3, 1, 4, 2, 7, 2};

#define INTERLEAVED(n)   .kernel = TEXTBOOK_INTERLEAVED, .elements = n
#define CONVERGENT(n)    .kernel = TEXTBOOK_CONVERGENT, .elements = n
#define SHARED(n)        .kernel = TEXTBOOK_SHARED, .elements = n
#define HILLIS_STEELE(n) .kernel = TEXTBOOK_HILLIS_STEELE, .elements = n
#define BRENT_KUNG(n)    .kernel = TEXTBOOK_BRENT_KUNG, .elements = n
#define BLELLOCH(n)      .kernel = TEXTBOOK_BLELLOCH, .elements = n

const textbook_row textbook_rows[] = {
    {"reduce 256, interleaved: active / issued thread slots", "255/736 = 35 %", "255/864 = 30 %",
     "PMPP 10.4. Published (5*4+2+1)*32 leaves out stride 32, where one thread of each of the 4 "
     "warps is active; the next row's 141 does count it",
     efficiency, INTERLEAVED(256)},
    {"reduce 256, interleaved: requests", "141", NULL,
     "PMPP 10.5: (4*5*2+4+2+1)*3. A request is a 128-byte line of a warp's access; without the 2 "
     "that move the result",
     requests, INTERLEAVED(256)},
    {"reduce 256, convergent: active / issued thread slots", "255/384 = 66 %", NULL, "PMPP 10.4",
     efficiency, CONVERGENT(256)},
    {"reduce 256, convergent: requests", "36", NULL, "PMPP 10.5, without the 2 of the result",
     requests, CONVERGENT(256)},
    {"reduce 256, shared: requests", "9", NULL, "PMPP 10.6: 8 loads, and the store of the result",
     requests, SHARED(256)},
    {"reduce 2048, interleaved: requests", "1149", NULL, "PMPP 10.5, without the 2 of the result",
     requests, INTERLEAVED(2048)},
    {"reduce 2048, convergent: requests", "204", NULL, "PMPP 10.5, without the 2 of the result",
     requests, CONVERGENT(2048)},
    {"reduce 1024, interleaved: divergent warps in step 5", NULL, "16 of 16",
     "PMPP 10, exercise 1, printed without the answer", divergence, INTERLEAVED(1024)},
    {"reduce 1024, convergent: divergent warps in step 5", NULL, "0 of 16",
     "PMPP 10, exercise 2, printed without the answer", divergence, CONVERGENT(1024)},
    {"reduce 32, blocks of 8: steps of two blocks / of one, coarsened", "8 / 6", NULL, "PMPP 10.8",
     coarsening, SHARED(32)},
    {"scan 1024, Hillis-Steele: additions", "9217", NULL,
     "PMPP 11.3 (Kogge-Stone): N log2 N - (N - 1)", additions, HILLIS_STEELE(1024)},
    {"scan 1024, Hillis-Steele: additions", "10240", "9217",
     "widely copied: N log2 N. It counts the threads that have no left partner, too", additions,
     HILLIS_STEELE(1024)},
    {"scan 1024, Hillis-Steele: steps", "10", NULL, "PMPP 11.3: log2 N", steps,
     HILLIS_STEELE(1024)},
    {"scan 1024, Brent-Kung: additions", "2036", NULL, "PMPP 11.4: 2 N - 2 - log2 N", additions,
     BRENT_KUNG(1024)},
    {"scan 1024, Brent-Kung: steps", "19", NULL, "PMPP 11.4: 2 log2 N - 1", steps,
     BRENT_KUNG(1024)},
    {"scan 1024, Blelloch: additions up + down", "1023 + 1023", NULL,
     "Blelloch 1990; Gems 39: 2 (N - 1)", additions_by_tree, BLELLOCH(1024)},
    {"scan 1024, Blelloch: steps", "20", NULL, "Blelloch 1990: 2 log2 N", steps, BLELLOCH(1024)},
    {"3 1 7 0 4 1 6 3, inclusive, Hillis-Steele", "3 4 11 11 15 16 22 25", NULL, "PMPP 11.1",
     result, HILLIS_STEELE(8), worked},
    {"3 1 7 0 4 1 6 3, inclusive, Brent-Kung", "3 4 11 11 15 16 22 25", NULL, "PMPP 11.1", result,
     BRENT_KUNG(8), worked},
    {"3 1 7 0 4 1 6 3, after Blelloch's up-sweep", "3 4 7 11 4 5 6 25", NULL, "Blelloch 1990",
     first_tree, BLELLOCH(8), worked},
    {"3 1 7 0 4 1 6 3, exclusive, Blelloch", "0 3 4 11 11 15 16 22", NULL, "Blelloch 1990", result,
     BLELLOCH(8), worked},
    {"0 1 2 3 4 5 6 7, after the up-sweep", "0 1 2 6 4 9 6 28", NULL, "lecture notes", first_tree,
     BLELLOCH(8), numbers},
    {"0 1 2 3 4 5 6 7, after the down-sweep", "0 0 1 3 6 10 15 21", NULL, "lecture notes", result,
     BLELLOCH(8), numbers},
    {"split 4 7 2 6 3 5 1 0 by bit 0: e", "1 0 1 1 0 0 0 1", NULL, "Gems 39: the bit is 0",
     split_shown, .kernel = SPLIT_E, .in = keys_2007},
    {"f", "0 1 1 2 3 3 3 3", NULL, "Gems 39: exclusive scan of e; totalFalses = 3 + 1", split_shown,
     .kernel = SPLIT_F, .in = keys_2007},
    {"t", "4 4 5 5 5 6 7 8", NULL, "Gems 39: i - f + totalFalses", split_shown, .kernel = SPLIT_T,
     .in = keys_2007},
    {"d", "0 4 1 2 5 6 7 3", NULL, "Gems 39: f or t, by the bit", split_shown, .kernel = SPLIT_D,
     .in = keys_2007},
    {"result", "4 2 6 0 7 3 5 1", NULL, "Gems 39: key i at d", split_shown, .kernel = SPLIT_OUT,
     .in = keys_2007},
    {"5 7 3 1 4 2 7 2 split by bit 0", "4 2 2 5 7 3 1 7", NULL, "Blelloch 1990: radix sort",
     split_sorted, .kernel = 0, .in = keys_1990},
    {"and by bit 1", "4 5 1 2 2 7 3 7", NULL, "Blelloch 1990", split_sorted, .kernel = 1,
     .in = keys_1990},
    {"and by bit 2", "1 2 2 3 4 5 7 7", NULL, "Blelloch 1990", split_sorted, .kernel = 2,
     .in = keys_1990},
    {"summed-area table of 1 2 3 / 4 5 6 / 7 8 9", "1 3 6 / 5 12 21 / 12 27 45", NULL,
     "defined by Crow 1984; by satk_sat_cpu", table, .in = from_one},
};
const int textbook_rows_count = sizeof textbook_rows / sizeof *textbook_rows;
