/* cmocka and the headers it wants before it, and memory that nobody frees. */
#ifndef SATB_TESTS_UNIT_H
#define SATB_TESTS_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Every test gets a state, which most leave alone. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

/* A test of a list. */
#define UNIT(test) cmocka_unit_test_teardown(test, unit_free)

/* main(), which runs a list of tests; with what is called before all of them, and behind. */
#define UNIT_MAIN_WITHIN(set_up, tear_down, ...)                                                   \
    int main(void)                                                                                 \
    {                                                                                              \
        const struct CMUnitTest tests[] = {__VA_ARGS__};                                           \
        return cmocka_run_group_tests(tests, set_up, tear_down);                                   \
    }
#define UNIT_MAIN(...) UNIT_MAIN_WITHIN(NULL, NULL, __VA_ARGS__)

/* Return memory of the test that runs: as it comes, zeros, 64-byte aligned, or with
 * these bytes. Sanitizers see the first byte behind it. */
void *unit_memory(size_t size);
void *unit_zeros(size_t size);
void *unit_aligned(size_t size);
void *unit_copy(const void *data, size_t size);

/* Returns memory of malloc(), which the test owns from then on. */
void *unit_keep(void *memory);

/* Frees the memory when a test has ended. */
int unit_free(void **state);

#endif
