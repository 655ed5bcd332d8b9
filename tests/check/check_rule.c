/* The rounded division that all means end in: against one in 128 bits, at its corners and at
 * random. (On a device it is checked through the boxes.) */
#include "check/check.h"

#include "common/rule.h"

__extension__ typedef unsigned __int128 u128;

static int rounds(uint64_t num, uint64_t den)
{
    const uint64_t want = (uint64_t)((2 * (u128)num + den) / (2 * (u128)den));
    const satk_divisor by = satk_divide_by(den, 0);

    if (num <= UINT32_MAX && den <= UINT32_MAX) {
        const satk_divisor narrow = satk_divide_by(den, 1);
        if (satk_mean32((uint32_t)num, &narrow) != want)
            return 0;
    }
    return satk_mean64(num, &by) == want && satk_mean128(num, den) == want;
}

/* Returns a random number whose length in bits is random, too. */
static uint64_t any(check *c)
{
    const int bits = random_below(&c->random, 64) + 1;

    return random_next(&c->random) >> (64 - bits);
}

/* Returns a number around a multiple of a divisor and its next half, where the quotient changes. */
static void check_steps(check *c, uint64_t den, uint64_t quotient)
{
    const u128 multiple = (u128)den * quotient;
    int right = 1;

    for (int i = 0; i < 10 && right; i++) {
        const u128 num = multiple + (i < 5 ? 0 : den / 2) + (u128)(i % 5);
        if (num < 2 || num - 2 > UINT64_MAX)
            continue;
        right = rounds((uint64_t)(num - 2), den);
        check_case(c, "%llu / %llu", (unsigned long long)(num - 2), (unsigned long long)den);
    }
    check_that(c, ON_CPU, right, "not rounded half up");
}

void check_rule(check *c)
{
    static const uint64_t corners[] = {
        1,          2,           3,           5,          255,
        256,        257,         65535,       65537,      65536ull * 9,
        0xffffffff, 0x100000000, 0x100000001, 1ull << 63, UINT64_MAX};
    const int count = sizeof corners / sizeof *corners;

    if (!check_group(c, "rule.mean"))
        return;
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++) {
            check_steps(c, corners[i], corners[j]);
            check_steps(c, corners[i], UINT64_MAX / corners[j]);
            check_steps(c, corners[i], UINT64_MAX / corners[i]);
        }
    for (int i = 0; i < check_count(c, 20000, 200); i++)
        check_steps(c, any(c) | 1, any(c));
    for (int i = 0; i < check_count(c, 20000, 200);
         i++) /* quotients that are codes: what a box divides */
        check_steps(c, any(c) | 1, (uint64_t)random_below(&c->random, 65536));
}
