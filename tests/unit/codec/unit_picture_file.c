/* Files that are read, and files that are refused by their first bytes or their size, before memory
 * is taken. */
#include "unit/codec/codec_case.h"

#include "codec/codec_format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit/unit.h"

#include <satb_config.h>

enum { WIDTH = 31, HEIGHT = 19 };
static char path[] = "/tmp/unit_picture_file_XXXXXX";

/* Sanitizers keep memory that was given back. */
#if defined(__SANITIZE_ADDRESS__) || defined(__clang__)
enum { KEEPS_MEMORY = 1 };
#else
enum { KEEPS_MEMORY = 0 };
#endif

static long peak_kilobytes(void)
{
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return used.ru_maxrss;
}

/* Writes the file that begins with the bytes and goes on with zeros, which need no space on most
 * disks. */
static void make_file(const void *data, size_t size, off_t whole)
{
    FILE *const f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(data, 1, size, f), size);
    assert_int_equal(fclose(f), 0);
    assert_int_equal(truncate(path, whole), 0);
}

static memory png(void)
{
    satb_image image = case_noise(WIDTH, HEIGHT, 3, 8);
    const memory m = case_encoded("a.png", &image);
    return m;
}

/* The refusal takes less memory than the file has. */
static void refuse(const char *name, const char *says)
{
    enum { MOST = 64 << 10 };
    picture pic;
    problem p;
    const long before = peak_kilobytes();
    assert_false(picture_load(&pic, name, NULL, &p));
    if (!strstr(p.text, says))
        fail_msg("%s says '%s'", name, p.text);
    if (peak_kilobytes() - before > MOST)
        fail_msg("%s takes %ld KB", name, peak_kilobytes() - before);
}

static void accept(const char *name)
{
    picture pic;
    problem p;
    if (!picture_load(&pic, name, NULL, &p))
        fail_msg("%s", p.text);
    assert_int_equal(pic.image.width, WIDTH);
    assert_int_equal(pic.image.height, HEIGHT);
    picture_free(&pic);
}

static void test_large_files(void **state)
{
    const off_t gigabyte = (off_t)1 << 30;
    memory m = png();
    make_file("", 0, gigabyte);
    refuse(path, "not a picture");
    make_file(m.data, m.size, gigabyte);
    refuse(path, "too many for its pixels");
    make_file("P6 3 3 255\n", 11, gigabyte);
    refuse(path, "too many for its pixels");
    make_file("\xff\xd8\xff\xe0", 4, 4 * gigabyte);
    refuse(path, "too many for its pixels");
}

static void test_endless(void **state)
{
    refuse("/dev/zero", "not a picture");
}

/* Starts a process that writes the bytes, and then at most that many zeros, until its reader closes
 * the pipe. Returns the name of the pipe's end. */
static pid_t start_pipe(const memory *m, size_t zeros, char name[32], int *end)
{
    static const uint8_t none[1 << 16];
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        close(ends[0]);
        bool more = write(ends[1], m->data, m->size) == (ssize_t)m->size;
        for (size_t done = 0; more && done < zeros; done += sizeof none)
            more = write(ends[1], none, sizeof none) > 0;
        _exit(0);
    }
    close(ends[1]);
    *end = ends[0];
    snprintf(name, 32, "/dev/fd/%d", ends[0]);
    return child;
}

/* A pipe has no size, so the needs of the picture bound the bytes that are read. */
static void test_pipes(void **state)
{
    char name[32];
    int end;
    picture pic;
    problem p;
    memory m = png();
    const long before = peak_kilobytes();
    pid_t child = start_pipe(&m, 0, name, &end);
    accept(name);
    close(end);
    waitpid(child, NULL, 0);
    child = start_pipe(&m, (size_t)1 << 30, name, &end);
    assert_false(picture_load(&pic, name, NULL, &p));
    assert_non_null(strstr(p.text, "too many for its pixels"));
    if (!KEEPS_MEMORY && peak_kilobytes() - before > (256 + 64) << 10)
        fail_msg("an endless pipe takes %ld KB", peak_kilobytes());
    close(end);
    waitpid(child, NULL, 0);
}

/* Pipes without an end, of formats whose first bytes do not tell the size, or tell that there is none. */
static void test_endless_pipes(void **state)
{
    static const struct {
        const char *start;
        size_t size;
        const char *says;
    } cases[] = {
#if SATB_HAVE_TIFF
        {"II*\0", 4, "it has no directory"},
        {"II*\0\0\0\0\xf0", 8, "MB of the pipe; save it as a file first"},
#endif
        {"\xff\xd8\xff\xe0", 4, "MB of the pipe; save it as a file first"},
        {"#?RADIANCE\n", 11, "MB of the pipe; save it as a file first"},
        {"#?RADIANCE\n\n-Y 2 +X 2\n", 22, "too many for its pixels"},
        {"PF\n5 5\n-1\n", 10, "too many for its pixels"},
        {"PIEH\5\0\0\0\5\0\0", 12, "too many for its pixels"},
        {"PK\3\4", 4, "MB of the pipe; save it as a file first"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char name[32];
        int end;
        picture pic;
        problem p;
        memory m = {0};
        assert_true(memory_write(&m, cases[i].start, cases[i].size));
        const pid_t child = start_pipe(&m, SIZE_MAX / 2, name, &end);
        const decode_settings few = {.max_pixels = 1000};
        assert_false(picture_load(&pic, name, &few, &p));
        if (!strstr(p.text, cases[i].says))
            fail_msg("%zu: %s", i, p.text);
        close(end);
        waitpid(child, NULL, 0);
    }
}

/* An excess of pixels is reported before the size of the file. */
static void test_claims(void **state)
{
    picture pic;
    problem p;
    memory m = png();
    make_file(m.data, m.size, (off_t)1 << 30);
    assert_false(
        picture_load(&pic, path, &(decode_settings){.max_pixels = WIDTH * HEIGHT - 1}, &p));
    assert_non_null(strstr(p.text, "--max-pixels"));
}

/* Packed bits of a palette become 24 times as many bytes as other samples; white pictures of 8 bits stay. */
static void test_expanded_claims(void **state)
{
    static const struct {
        const char *says; /* NULL: it is read */
        size_t size;
        picture_claim claim;
    } cases[] = {
        {"which take 2574 MB", 120000, {30000, 30000, 3750ULL * 30000, 1032, 2700000000ULL}},
        {"cut off", 100000, {30000, 30000, 3750ULL * 30000, 1032, 2700000000ULL}},
        {NULL, 120000, {20000, 20000, 2500ULL * 20000, 1032, 1200000000ULL}},
        {NULL, 2700000, {30000, 30000, 2700000000ULL, 1032, 2700000000ULL}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        problem p = {.text = ""};
        const bool is_read = picture_has_bytes(&cases[i].claim, (bytes){.size = cases[i].size}, &p);
        if (is_read != !cases[i].says || (cases[i].says && !strstr(p.text, cases[i].says)))
            fail_msg("%zu: %s", i, p.text);
    }
}

/* The sizes lie around that of the first bytes, with zeros behind the end of the picture. */
static void test_sizes(void **state)
{
    memory m = png();
    for (off_t size = (16 << 10) - 2; size <= (16 << 10) + 2; size++) {
        make_file(m.data, m.size, size);
        accept(path);
    }
    make_file(m.data, m.size, 3 << 20);
    accept(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT(test_large_files),     UNIT(test_endless), UNIT(test_pipes),
        UNIT(test_claims),          UNIT(test_sizes),   UNIT(test_endless_pipes),
        UNIT(test_expanded_claims),
    };
    const int file = mkstemp(path);
    if (file < 0)
        return 1;
    close(file);
    const int failed = cmocka_run_group_tests_name("picture_file", tests, NULL, NULL);
    unlink(path);
    return failed;
}
