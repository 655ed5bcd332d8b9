/* Tests that pictures that are read side by side share the threads of --threads. */
#include "image/half.h"
#include "job/picture_job.h"
#include "unit/app/args_case.h"
#include "unit/codec/codec_case.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "unit/unit.h"

static atomic_int started;

int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*body)(void *user), void *user);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*body)(void *user), void *user);

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*body)(void *user), void *user)
{
    started++;
    return __real_pthread_create(thread, attributes, body, user);
}

/* Writes an EXR of several blocks, which threads can read side by side, or a PNG. */
static void write_picture(const char *name, int channels, bool half)
{
    satb_image image = case_noise(700, 700, channels, half ? 16 : 8);
    image.half = half;
    for (size_t i = 0; half && i < picture_bytes(&image) / 2; i++)
        ((uint16_t *)image.data)[i] &= HALF_ONE - 1; /* of finite light */
    const memory file = case_encoded(name, &image);
    FILE *const to = fopen(name, "wb");
    assert_non_null(to);
    assert_int_equal(fwrite(file.data, 1, file.size, to), file.size);
    assert_int_equal(fclose(to), 0);
}

static int started_by(const char *line, int threads)
{
    options o = accepted(line);
    problem p = {.text = ""};
    picture_job j;
    o.engine.threads = threads;
    picture_job_begin(&j, &o, NULL);
    started = 0;
    if (!picture_job_read(&j, &p))
        fail_msg("%s: %s", line, p.text);
    picture_job_free(&j);
    return started;
}

static void test_share(void **state)
{
    static const char *const lines[] = {
        "a.exr o.png --radius 3 --quiet", "a.exr o.png --depth b.exr --quiet",
        "a.exr o.png --depth b.exr --matte c.png --protect c.png --quiet"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        for (int threads = 1; threads <= 8; threads++)
            if (started_by(lines[i], threads) > threads - 1)
                fail_msg("%s: %d threads beside the first, of %d in all", lines[i], started,
                         threads);
    assert_true(started_by(lines[0], 2) > 0);
}

int main(void)
{
    char folder[] = "/tmp/unit_read_threads.XXXXXX";
    const struct CMUnitTest tests[] = {UNIT(test_share)};
    if (!mkdtemp(folder) || chdir(folder) != 0)
        return 1;
    write_picture("a.exr", 3, true);
    write_picture("b.exr", 1, true);
    write_picture("c.png", 1, false);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink("a.exr");
    unlink("b.exr");
    unlink("c.png");
    rmdir(folder);
    return failed;
}
