#include "check/stats/check_stats.h"

#include "support/device.h"

static void expect(const oracle_plane *src, int channel, void *out)
{
    (void)channel;
    oracle_code_set(src, out);
}

static void on_cpu(const satk_plane *src, void *out, int threads, int adds)
{
    (void)adds;
    satk_codes job = {*src, out, NULL};
    block scratch = block_exact(satk_codes_scratch_cpu(&job, threads), 0);

    block_poison(&scratch);
    job.scratch = block_data(&scratch);
    satk_codes_cpu(&job, threads);
    block_free(&scratch);
}

static int on_cuda(const satk_plane *src, void *out, int adds)
{
    (void)adds;
    return device_codes(&(satk_codes){*src, out, NULL});
}

/* Every code in turn is the only one of its picture: it has a bit of its own. */
static void check_single(check *c)
{
    const shape form = {3, 2, 1, 16, 2, 0};
    picture src = picture_input(&form, FILL_CONSTANT, &c->random);
    uint32_t got[2048];
    uint8_t scratch[1 << 16];
    int right = 1;

    for (uint32_t code = 0; code < 65536; code += (uint32_t)check_count(c, 1, 257)) {
        satk_codes job = {src.plane, got, scratch};
        for (int i = 0; i < 6; i++)
            picture_put(&src.plane, i % 3, i / 3, 0, code);
        satk_codes_cpu(&job, 1);
        for (uint32_t word = 0; word < 2048; word++)
            right &= got[word] == (word == code >> 5 ? UINT32_C(1) << (code & 31) : 0);
        right &= satk_has_code(got, code) && !satk_has_code(got, code ^ 1);
    }
    check_case(c, "3 x 2, 16 bits, each code alone");
    check_that(c, ON_CPU, right, "a code has the bit of another one");
    picture_free(&src);
}

/* Planes whose rows all begin at multiples of 16 bytes, and end within 16 bytes or with them; the first four are several
 * steps of the emulated device's blocks, of which those of 5 or 3 segments a row are no whole rows. */
static const shape shapes[] = {
    {2048, 150, 1, 8, 16, 0}, {1203, 150, 1, 16, 10, 0}, {1203, 300, 1, 8, 13, 0},
    {1280, 110, 1, 16, 0, 0}, {64, 48, 4, 16, 0, 0},
};

void check_codes(check *c)
{
    static const stats s = {.channel_bytes = {256 / 8, 65536 / 8},
                            .word_bytes = sizeof(uint32_t),
                            .single = 1,
                            .expect = expect,
                            .cpu = on_cpu,
                            .cuda = on_cuda,
                            .group_sizes = "codes.sizes",
                            .group_alignment = "codes.alignment",
                            .group_fills = "codes.fills",
                            .group_places = "codes.places",
                            .group_threads = "codes.threads",
                            .group_large = "codes.large",
                            .group_shapes = "codes.aligned",
                            .shapes = shapes,
                            .shapes_count = sizeof shapes / sizeof *shapes};

    check_stats(c, &s);
    check_run(c, "codes.single", check_single);
}
