/* What phones put behind a photo. cbmc: --unwind 21 */
#include "proofs/proof.h"

#include "embedded/samsung.c"

#define TAIL HUAWEI_TAIL
#define HEAD HUAWEI_HEAD
#include "embedded/huawei.c"
#undef TAIL
#undef HEAD

bool problem_set(problem *p, const char *format, ...)
{
    return false;
}

embedded_status embedded_fail(problem *p, const char *text)
{
    return EMBEDDED_FAILED;
}

void prove_samsung_directory_lies_within(void)
{
    trailer t;
    const bytes file = any_bytes(ANY_SIZE);
    if (find_trailer(file, &t))
        HOLDS(t.directory + HEAD + (uint64_t)t.count * ENTRY + TAIL <= file.size);
}

/* Each entry is read alike, so one stands for all. */
void prove_samsung_block_lies_within(void)
{
    trailer t = {.file = any_bytes(ANY_SIZE), .count = 1};
    uint32_t type;
    GIVEN(t.file.size >= HEAD + ENTRY && t.directory <= t.file.size - HEAD - ENTRY);
    HOLDS(lies_in(find_block(&t, type, "DualShot_1"), t.file));
}

void prove_samsung_size_is_read_within(void)
{
    int width, height;
    if (read_size(any_bytes(ANY_SIZE), &width, &height))
        HOLDS(width >= 0 && height >= 0 && width <= PICTURE_SIDE && height <= PICTURE_SIDE);
}

void prove_huawei_lies_within(void)
{
    embedded_map map;
    embedded_found f = {.map = &map};
    const photo ph = {.file = any_bytes(ANY_SIZE)};
    if (huawei_find(&ph, EMBEDDED_DEPTH, &f, NULL) != EMBEDDED_FOUND)
        return;
    HOLDS(lies_in(f.coded, ph.file) && lies_in(map.original, ph.file));
}
