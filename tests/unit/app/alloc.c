/* Memory runs out: every job below is done again and again, and each time another allocation fails, of
 * the program or of a library under it, until none is left to fail. Each time the program must end
 * well: either all is right, or there is an error, a line that says so, no output and no temporary.
 * With the address sanitizer, nothing may leak, either.
 *
 *   alloc CORPUS [--quick] [JOB...]    CORPUS: fuzz/corpus; --quick: not every allocation */
#define _GNU_SOURCE
#include "batch/batch_manifest.h"
#include "codec/codec.h"
#include "figure/histogram_figure.h"
#include "unit/app/alloc_inputs.h"

#include <satb_config.h>

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "main.c"

/* --- An allocator that fails ------------------------------------------------------------------ */

/* The memory that parent and child share. */
static struct trial {
    atomic_long count; /* allocations so far */
    long fail;         /* the one that fails; 0: none */
    atomic_bool fired;
    atomic_bool armed;
} * trial;

/* Libraries that end the process when there is no memory, or (cairo and its text libraries) leak.
 * The program cannot mend that. ld.so: memory of threads. */
static bool is_exempt(void *caller)
{
    static const char *const names[] = {"libcairo",  "libpixman", "libfontconfig", "libfreetype",
                                        "libexpat",  "ld-linux",  "libasan",       "libpng",
                                        "libgcc_s",  "libubsan",  "libbrotli",     "libjxl",
                                        "libstdc++", "liblcms2"};
    Dl_info about;
    if (!dladdr(caller, &about) || !about.dli_fname)
        return true;
    const char *slash = strrchr(about.dli_fname, '/'), *name = slash ? slash + 1 : about.dli_fname;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(name, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

#define PLAIN __attribute__((no_sanitize("address", "undefined")))

PLAIN static bool is_refused(void *caller)
{
    if (!trial || !trial->armed || is_exempt(caller) || ++trial->count != trial->fail)
        return false;
    trial->fired = true;
    errno = ENOMEM;
    return true;
}

#define REAL(name, ...)                                                                            \
    static __typeof__(&name) real;                                                                 \
    if (is_refused(__builtin_return_address(0)))                                                   \
        return NULL;                                                                               \
    if (!real)                                                                                     \
        *(void **)&real = dlsym(RTLD_NEXT, #name);                                                 \
    return real(__VA_ARGS__)

PLAIN void *malloc(size_t size)
{
    REAL(malloc, size);
}

PLAIN void *calloc(size_t count, size_t size)
{
    REAL(calloc, count, size);
}

PLAIN void *realloc(void *old, size_t size)
{
    REAL(realloc, old, size);
}

PLAIN void *aligned_alloc(size_t alignment, size_t size)
{
    REAL(aligned_alloc, alignment, size);
}

PLAIN int posix_memalign(void **out, size_t alignment, size_t size)
{
    if (is_refused(__builtin_return_address(0)))
        return ENOMEM;
    static __typeof__(&posix_memalign) real;
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "posix_memalign");
    return real(out, alignment, size);
}

/* --- Jobs ------------------------------------------------------------------------------------- */

static const char *const jobs[] = {
    "photo.png o/a.png --radius 3",
    "photo.png o/a.png --radius 3 --codec stb",
    "photo.png o/a.png --radius 3 --compression 6",
    "deep.png o/a.png --radius 2.5,7 --edge mirror",
    "deep.png o/a.png --radius 200 --gamma --codec stb",
    "photo.jpg o/a.jpg --radius 2",
    "photo.jpg o/a.jpg --radius 2 --codec stb",
    "progressive.jpg o/a.png --radius 2 --codec stb",
    "gain.jpg o/a.jpg --radius 2",
    "gains.jpg o/a.jpg --radius 2 --codec stb",
    "gains.jpg o/a.pfm --radius 2",
    "photo.bmp o/a.bmp --radius 1",
    "photo.tga o/a.tga --radius 1",
    "photo.ppm o/a.ppm --radius 1",
    "deep.png o/a.jpg --radius 1",
    "palette.png o/a.png --radius 1",
    "photo.png o/a.png --radius-map gray.pgm --max-radius 9",
    "photo.png o/a.png --depth gray.pgm",
    "photo.png o/a.png --depth small.pgm --bokeh square",
    "photo.png o/a.png --depth gray.pgm --bokeh smooth --highlights 2",
    "gdepth.jpg o/a.png --depth embedded",
    "extended.jpg o/a.png --depth embedded",
    "extended.jpg o/a.jpg --keep-depth",
    "exif.jpg o/a.jpg --depth gray.pgm --keep-depth",
    "dynamic.jpg o/a.png --depth embedded --codec stb",
    "apple.jpg o/a.png --depth embedded",
    "matte.jpg o/a.png --matte embedded",
    "samsung.jpg o/a.png --depth embedded",
    "huawei.jpg o/a.png --depth embedded",
    "photo.png o/a.png --depth gray.pgm --method gather --dump-coc o/c.png",
    "photo.png --depth gray.pgm --focus 0.5 --focus-view o/v.png",
    "photo.png o/a.png --depth small.pgm --focus-plane 1,2,30,4,5,20",
    "photo.png o/a.png --tilt-shift 20,0.5,0.2 --max-radius 5",
    "photo.png o/a.png --depth gray.pgm --method spread",
    "photo.png o/a.png --depth gray.pgm --highlights 4",
    "photo.png o/a.png --depth mask.pgm --focus 1",
    "photo.png o/a.png --depth small_mask.pgm --near black --focus 1",
    "photo.png o/a.png --matte small_mask.pgm",
    "deep.png o/a.png --depth deep.pgm --matte mask.pgm --focus 1",
    "photo.png o/a.png --depth soft.pgm --focus 0 --max-radius 60",
    "deep.png o/a.png --depth deep.pgm --depth-type linear --near black --max-radius 7",
    "photo.png o/a.png --depth-command sh\t-c\t'cp\tgray.pgm\t{out}\t#{in}'",
    "photo.png o/a.png --equalize --stats",
    "photo.png --stats=json",
    "photo.png --histogram o/h.svg",
    "notes.png o/a.png --radius 1",
    "notes.png o/a.jpg --radius 1",
    "exif.jpg o/a.png --radius 1",
    "exif.jpg o/a.jpg --radius 1 --codec stb",
    "icc.jpg o/a.png --radius 1",
#if SATB_HAVE_TIFF
    "photo.tif o/a.tif --radius 1",
    "deep.tif o/a.tif --radius 1 --compression 0",
    "notes.tif o/a.tif --radius 1",
    "exif.jpg o/a.tif --radius 1",
#endif
#if SATB_HAVE_WEBP
    "photo.webp o/a.webp --radius 1",
    "notes.webp o/a.webp --radius 1",
#endif
#if SATB_HAVE_JXL
    "photo.jxl o/a.jxl --radius 1",
    "photo.pfm o/a.jxl --radius 0",
    "exif.jpg o/a.jxl --radius 1",
#endif
    "photo.pfm o/a.hdr --radius 0",
    "photo.hdr o/a.pfm --radius 0",
    "photo.hdr o/a.png --radius 0",
#if SATB_HAVE_OPENEXR
    "photo.exr o/a.exr --radius 0",
    "photo.exr o/a.jpg --radius 0",
    "photo.png o/a.exr --radius 0",
#endif
    "photo.png - --radius 1",
    "in o --radius 2 --jobs 1 --recursive --resume",
    "in o --depth-dir maps --jobs 1 --format jpg --suffix _x",
    "o --files-from list --radius 1 --jobs 1 --report report",
    "clip/%d.png o/%d.png --depth maps.npy --depth-sync frame --focus-track 9,9 --jobs 1",
};

/* --- One run ---------------------------------------------------------------------------------- */

static bool same_files(const char *a, const char *b)
{
    static char of_a[1 << 20], of_b[1 << 20];
    FILE *x = fopen(a, "rb"), *y = fopen(b, "rb");
    const size_t n = x ? fread(of_a, 1, sizeof of_a, x) : 0;
    const size_t m = y ? fread(of_b, 1, sizeof of_b, y) : 0;
    if (x)
        fclose(x);
    if (y)
        fclose(y);
    return x && y && n == m && memcmp(of_a, of_b, n) == 0;
}

/* Counts the files of o/ that are as in right/, and those that are not. All are removed, or (keep)
 * moved to right/. Names that begin with a dot are the list of finished items, or temporaries. */
static void look(const char *part, bool keep, int *good, int *bad)
{
    char folder[256];
    snprintf(folder, sizeof folder, "o%s", part);
    DIR *files = opendir(folder);
    for (struct dirent *entry; files && (entry = readdir(files));) {
        char path[1024], right[1024], inner[512];
        struct stat about;
        snprintf(inner, sizeof inner, "%s/%s", part, entry->d_name);
        snprintf(path, sizeof path, "o%s", inner);
        snprintf(right, sizeof right, "right%s", inner);
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        if (stat(path, &about) == 0 && S_ISDIR(about.st_mode)) {
            mkdir(right, 0777);
            look(inner, keep, good, bad);
            rmdir(path);
        } else if (manifest_is_list(entry->d_name)) {
            unlink(path);
        } else if (keep) {
            *good += rename(path, right) == 0;
        } else {
            *(same_files(path, right) ? good : bad) += 1;
            unlink(path);
        }
    }
    if (files)
        closedir(files);
}

/* Splits a line into the words after the program's name, and adds those of every job. */
static int split(char *line, char **argv)
{
    int argc = 1;
    argv[0] = NULL;
    for (char *word = strtok(line, " "); word; word = strtok(NULL, " "))
        argv[argc++] = word;
    return argc;
}

static void run_child(const char *task)
{
    char line[512], *argv[64];
    snprintf(line, sizeof line, "%s --quiet --device cpu --threads 1", task);
    char name[] = "satblur";
    const int argc = split(line, argv);
    argv[0] = name;
    argv[argc] = NULL;
    const int err = open("err", O_WRONLY | O_CREAT | O_TRUNC, 0666),
              out = open("/dev/null", O_WRONLY);
    dup2(err, 2);
    dup2(out, 1);
    trial->armed = true;
    const int status = satb_host_main(argc, argv);
    trial->armed = false;
    exit(status);
}

/* Returns the number of lines that the child has written to stderr, or -1 if one is not the
 * program's own. */
static int count_lines(void)
{
    char line[8192];
    int count = 0;
    FILE *from = fopen("err", "r");
    while (from && fgets(line, sizeof line, from))
        count = count >= 0 && strncmp(line, "satblur: ", 9) == 0 && strchr(line + 10, '\n')
                    ? count + 1
                    : -1;
    if (from)
        fclose(from);
    return count;
}

static void tell(const char *task, const char *what)
{
    char text[4096] = "";
    FILE *from = fopen("err", "r");
    const size_t size = from ? fread(text, 1, sizeof text - 1, from) : 0;
    text[size] = '\0';
    if (from)
        fclose(from);
    printf("FAIL  %s: allocation %ld: %s\n%s", task, trial->fail, what, text);
}

/* Returns the fault in the end of the run; NULL: there is none. several: there are several outputs,
 * and each must be whole; outputs: of the right run. */
static const char *judge(int status, bool several, int outputs)
{
    int good = 0, bad = 0;
    look("", false, &good, &bad);
    if (WIFSIGNALED(status))
        return "it crashed";
    if (WEXITSTATUS(status) > 1)
        return "neither status 0 nor 1";
    if (bad > 0)
        return "a wrong output or a temporary was left";
    if (WEXITSTATUS(status) == 0)
        return good == outputs ? NULL : "status 0, but outputs are missing";
    if (!trial->fired)
        return "it failed though nothing was wrong";
    if (!several && good > 0)
        return "an error, and an output";
    const int lines = count_lines();
    return lines == 1 || (several && lines > 0) ? NULL : "not one line that says what is wrong";
}

static int start(const char *task, long fail)
{
    int status = 0;
    *trial = (struct trial){.fail = fail};
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0)
        run_child(task);
    if (child < 0 || waitpid(child, &status, 0) != child)
        die("fork");
    return status;
}

/* Makes the right outputs, then lets each allocation fail. Returns the number of failures. */
static long run_job(const char *task, bool quick, int *failures)
{
    const bool several = strncmp(task, "in ", 3) == 0 || strchr(task, '%') ||
                         strstr(task, "--files-from") || strstr(task, "--dump-coc");
    int outputs = 0, none = 0;
    long k = 1, runs = 0;
    const int status = start(task, 0);
    look("", true, &outputs, &none);
    if (status != 0) {
        tell(task, "it does not work at all");
        ++*failures;
        return 0;
    }
    for (;; k += quick ? 1 + k / 8 : 1, runs++) {
        const char *wrong = judge(start(task, k), several, outputs);
        if (wrong) {
            tell(task, wrong);
            ++*failures;
        }
        if (!trial->fired)
            return runs;
    }
}

static bool is_wanted(const char *task, int argc, char **argv)
{
    for (int i = 0; i < argc; i++)
        if (strstr(task, argv[i]))
            return true;
    return argc == 0;
}

int main(int argc, char **argv)
{
    const bool quick = argc > 2 && strcmp(argv[2], "--quick") == 0;
    const int first = quick ? 3 : 2;
    char corpus[4096], folder[64] = "/dev/shm/alloc.XXXXXX", away[128];
    int failures = 0;
    long runs = 0;
    if (isolate_is_child(argc, argv)) /* the program starts itself for some formats */
        return isolate_serve();
    if (argc < 2 || !realpath(argv[1], corpus))
        die("alloc CORPUS [--quick] [JOB...]");
    if (!mkdtemp(folder) && !mkdtemp(strcpy(folder, "/tmp/alloc.XXXXXX")))
        die(folder);
    void *memory =
        mmap(NULL, sizeof *trial, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED || chdir(folder) != 0)
        die(folder);
    trial = memory;
    make_inputs(corpus);
    for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++) {
        problem why;
        if (!is_wanted(jobs[i], argc - first, argv + first))
            continue;
        if (strstr(jobs[i], "--histogram") && !histogram_figure_check(&why)) {
            printf("SKIP  %s: %s\n", jobs[i], why.text);
            continue;
        }
        const long done = run_job(jobs[i], quick, &failures);
        printf("%5ld allocations failed: %s\n", done, jobs[i]);
        runs += done;
    }
    printf("%ld runs, %d failures\n", runs, failures);
    snprintf(away, sizeof away, "rm -rf %s", folder);
    return system(away) == 0 && failures == 0 && runs > 0 ? 0 : 1;
}
