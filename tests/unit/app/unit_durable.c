/* The order of what reaches the disk: a file's bytes before its name; its name and new folders before the program ends. The
 * tests watch the calls. */
#include "main.c"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "unit/unit.h"

/* --- The calls -------------------------------------------------------------------------------- */

enum { MOST = 64 };
typedef enum { SYNC, RENAME, MAKE } call;
static struct {
    call what;
    ino_t file, folder; /* the file that is synced or named, the folder that it is named in */
} calls[MOST];
static int count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void note(call what, ino_t file, const char *path)
{
    struct stat about = {0};
    char folder[4096] = ".";
    if (path && strrchr(path, '/'))
        snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(path, '/') - path), path);
    assert_int_equal(path ? stat(folder, &about) : 0, 0);
    pthread_mutex_lock(&lock);
    assert_true(count < MOST);
    calls[count].what = what;
    calls[count].file = file;
    calls[count++].folder = about.st_ino;
    pthread_mutex_unlock(&lock);
}

static ino_t inode_of(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 ? about.st_ino : 0;
}

/* These replace the C library's functions. */
int fsync(int fd)
{
    struct stat about;
    assert_int_equal(fstat(fd, &about), 0);
    note(SYNC, about.st_ino, NULL);
    return (int)syscall(SYS_fsync, fd);
}

int rename(const char *from, const char *to)
{
    note(RENAME, inode_of(from), to);
    return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int mkdir(const char *path, mode_t mode)
{
    const int result = (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
    if (result == 0)
        note(MAKE, inode_of(path), path);
    return result;
}

/* --- The tests -------------------------------------------------------------------------------- */

static bool synced(ino_t inode, int from, int to)
{
    for (int i = from; i < to; i++)
        if (calls[i].what == SYNC && calls[i].file == inode)
            return true;
    return false;
}

static void check(int names, int folders)
{
    for (int i = 0; i < count; i++) {
        names -= calls[i].what == RENAME;
        folders -= calls[i].what == MAKE;
        if (calls[i].what == RENAME)
            assert_true(synced(calls[i].file, 0, i));
        if (calls[i].what != SYNC)
            assert_true(synced(calls[i].folder, i + 1, count));
    }
    assert_int_equal(names, 0);
    assert_int_equal(folders, 0);
}

static void run_words(char **words)
{
    int words_count = 0;
    while (words[words_count])
        words_count++;
    options o;
    problem p = {.text = ""};
    assert_int_equal(args_parse(words_count, words, &o, &p), ARGS_RUN);
    count = 0;
    assert_int_equal(run_options(&o, &p), EXIT_DONE);
}

static void make_picture(const char *name)
{
    FILE *to = fopen(name, "wb");
    assert_non_null(to);
    fputs("P5 3 2 255\nabcdef", to);
    assert_int_equal(fclose(to), 0);
}

static void test_one(void **state)
{
    char *words[] = {"satblur", "a.pgm", "b.pgm", "--radius", "1", NULL};
    make_picture("a.pgm");
    run_words(words);
    check(1, 0);
    run_words(words); /* over an existing file */
    check(1, 0);
}

static void test_folder(void **state)
{
    char *words[] = {"satblur", "in", "new/out", "--radius", "1", "--recursive", "--quiet", NULL};
    assert_true(mkdir("in", 0777) == 0 && mkdir("in/sub", 0777) == 0 && mkdir("in/top", 0777) == 0);
    make_picture("in/a.pgm");
    make_picture("in/b.pgm");
    make_picture("in/sub/a.pgm");
    make_picture("in/top/a.pgm"); /* a folder's name of the same length */
    run_words(words);
    check(4, 4);
}

int main(void)
{
    char folder[] = "/tmp/durable.XXXXXX", command[64];
    if (!mkdtemp(folder) || chdir(folder) != 0)
        return 1;
    const struct CMUnitTest tests[] = {UNIT(test_one), UNIT(test_folder)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command) != 0 || failed;
}
