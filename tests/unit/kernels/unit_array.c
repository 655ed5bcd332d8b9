/* The array functions of satblur.h: worked examples, empty arrays, and bad input. */
#include "unit/core/unit_context.h"

#include <string.h>

static const uint32_t values[] = {3, 1, 7, 0, 4, 1, 6, 3}; /* the course books' example */
enum { COUNT = sizeof values / sizeof *values };

static void reduces(void **state)
{
    static const uint64_t wanted[] = {25, 0, 0, 7, 3, 2};
    static const uint64_t of_nothing[] = {0, 1, UINT32_MAX, 0, UINT64_MAX, UINT64_MAX};
    uint64_t result;

    for (int op = SATB_REDUCE_SUM; op <= SATB_REDUCE_ARGMAX; op++) {
        assert_int_equal(satb_reduce(cpu, values, COUNT, (satb_reduce_op)op, &result), 0);
        assert_true(result == wanted[op]);
        assert_int_equal(satb_reduce(cpu, NULL, 0, (satb_reduce_op)op, &result), 0);
        assert_true(result == of_nothing[op]);
    }
}

/* Of equal values the first one counts, though threads take parts of the array in any order. */
static void first_of_equals(void **state)
{
    enum { MANY = 5 << 16, APART = 1 << 16 };
    static uint32_t many[MANY];

    for (int op = SATB_REDUCE_ARGMIN; op <= SATB_REDUCE_ARGMAX; op++) {
        uint64_t result = 0;
        for (int i = 0; i < MANY; i++)
            many[i] = i % APART == 7 ? (op == SATB_REDUCE_ARGMIN ? 1 : 9) : 5;
        assert_int_equal(satb_reduce(cpu, many, MANY, (satb_reduce_op)op, &result), 0);
        assert_int_equal(result, 7);
    }
}

static void scans(void **state)
{
    static const uint32_t inclusive[] = {3, 4, 11, 11, 15, 16, 22, 25};
    static const uint32_t exclusive[] = {0, 3, 4, 11, 11, 15, 16, 22};
    static const uint32_t maxima[] = {3, 3, 7, 7, 7, 7, 7, 7};
    uint32_t out[COUNT];
    uint64_t wide[] = {UINT64_MAX, 2, UINT64_MAX};

    assert_int_equal(satb_scan(cpu, values, out, COUNT, NULL), 0);
    assert_memory_equal(out, inclusive, sizeof out);
    assert_int_equal(satb_scan(cpu, values, out, COUNT, &(satb_scan_params){.exclusive = 1}), 0);
    assert_memory_equal(out, exclusive, sizeof out);
    memcpy(out, values, sizeof out); /* in place */
    assert_int_equal(satb_scan(cpu, out, out, COUNT, &(satb_scan_params){.max = 1}), 0);
    assert_memory_equal(out, maxima, sizeof out);
    assert_int_equal(satb_scan(cpu, wide, wide, 3, &(satb_scan_params){.word_bits = 64}), 0);
    assert_true(wide[1] == 1 && wide[2] == 0);
    assert_int_equal(satb_scan(cpu, NULL, NULL, 0, NULL), 0);
}

static void compacts(void **state)
{
    static const uint32_t wanted[] = {3, 4, 6, 3};
    static const uint64_t places[] = {0, 4, 6, 7};
    uint32_t out[COUNT];
    uint64_t indices[COUNT];
    size_t kept = 77;

    assert_int_equal(satb_compact(cpu, values, COUNT, 2, 6, out, indices, &kept), 0);
    assert_int_equal(kept, 4);
    assert_memory_equal(out, wanted, sizeof wanted);
    assert_memory_equal(indices, places, sizeof places);
    assert_int_equal(satb_compact(cpu, values, COUNT, 6, 2, out, NULL, &kept), 0);
    assert_int_equal(kept, 0);
    assert_int_equal(satb_compact(cpu, NULL, 0, 0, 9, NULL, NULL, &kept), 0);
    assert_int_equal(kept, 0);
}

static void sorts(void **state)
{
    static const uint32_t wanted[] = {0, 1, 1, 3, 3, 4, 6, 7}, order[] = {3, 1, 5, 0, 7, 4, 6, 2};
    uint32_t keys[COUNT], from[] = {0, 1, 2, 3, 4, 5, 6, 7};
    uint64_t wide[] = {(uint64_t)1 << 63, 5, (uint64_t)1 << 32};

    memcpy(keys, values, sizeof keys);
    assert_int_equal(satb_sort(cpu, keys, from, COUNT, 32), 0);
    assert_memory_equal(keys, wanted, sizeof keys);
    assert_memory_equal(from, order, sizeof from);
    assert_int_equal(satb_sort(cpu, wide, NULL, 3, 64), 0);
    assert_true(wide[0] == 5 && wide[2] == (uint64_t)1 << 63);
    assert_int_equal(satb_sort(cpu, NULL, NULL, 0, 32), 0);
}

/* Bad input gives a message of one line and writes nothing. */
static void refused(satb_status status, satb_status wanted, const char *says)
{
    assert_int_equal(status, wanted);
    if (!strstr(satb_last_message(cpu), says) || strchr(satb_last_message(cpu), '\n'))
        fail_msg("\"%s\" should say \"%s\"", satb_last_message(cpu), says);
}

static void bad_input(void **state)
{
    uint32_t out[COUNT] = {9};
    uint64_t result = 9;
    size_t kept = 9;

    refused(satb_reduce(cpu, NULL, 1, SATB_REDUCE_SUM, &result), SATB_ERR_ARG, "NULL");
    refused(satb_reduce(cpu, values, 1, SATB_REDUCE_SUM, NULL), SATB_ERR_ARG, "result is NULL");
    refused(satb_reduce(cpu, values, 1, (satb_reduce_op)6, &result), SATB_ERR_ARG, "operator");
    refused(satb_reduce(cpu, values, 1, (satb_reduce_op)-1, &result), SATB_ERR_ARG, "operator");
    refused(satb_reduce(cpu, values, SIZE_MAX / 2, SATB_REDUCE_SUM, &result), SATB_ERR_LIMIT,
            "words");
    refused(satb_scan(cpu, values, NULL, 1, NULL), SATB_ERR_ARG, "NULL");
    refused(satb_scan(cpu, NULL, out, 1, NULL), SATB_ERR_ARG, "NULL");
    refused(satb_scan(cpu, values, out, 1, &(satb_scan_params){.word_bits = 16}), SATB_ERR_ARG,
            "16");
    refused(satb_scan(cpu, values, out, SIZE_MAX, NULL), SATB_ERR_LIMIT, "words");
    refused(satb_compact(cpu, values, 1, 0, 9, NULL, NULL, &kept), SATB_ERR_ARG, "NULL");
    refused(satb_compact(cpu, values, 1, 0, 9, out, NULL, NULL), SATB_ERR_ARG, "kept is NULL");
    refused(satb_compact(cpu, out, 1, 0, 9, out, NULL, &kept), SATB_ERR_ARG, "out is in");
    refused(satb_compact(cpu, values, SIZE_MAX / 8, 0, 9, out, NULL, &kept), SATB_ERR_LIMIT,
            "words");
    refused(satb_sort(cpu, NULL, NULL, 1, 32), SATB_ERR_ARG, "NULL");
    refused(satb_sort(cpu, out, NULL, 1, 8), SATB_ERR_ARG, "8");
    refused(satb_sort(cpu, out, NULL, SIZE_MAX / 4, 64), SATB_ERR_LIMIT, "words");
    assert_int_equal(out[0], 9);
    assert_int_equal(result, 9);
    assert_int_equal(kept, 9);
}

UNIT_MAIN_WITHIN(set_up, tear_down, UNIT(reduces), UNIT(first_of_equals), UNIT(scans),
                 UNIT(compacts), UNIT(sorts), UNIT(bad_input))
