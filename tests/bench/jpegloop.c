/* The limit that its codec sets: reads and decodes the JPEGs of a folder, and those of the same names of another one
 * as gray maps, by libjpeg-turbo, and encodes and writes the former, by threads that do nothing else.
 *
 * usage: jpegloop PHOTOS DEPTHS OUT THREADS    prints images a second; quality 92, as satblur has it by default */
#include <dirent.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <turbojpeg.h>

enum { QUALITY = 92, THREADS_MOST = 256 };

static struct {
    const char *photos, *depths, *out;
    char **names;
    int count;
    atomic_int next; /* that no thread has taken */
    atomic_int failed;
} all;

typedef struct file {
    unsigned char *data;
    unsigned long size;
} file;

static FILE *open_in(const char *folder, const char *name, const char *mode)
{
    char path[4096];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    return fopen(path, mode);
}

/* Reads a file. data is NULL if it cannot be read. */
static file read_whole(const char *folder, const char *name)
{
    FILE *const from = open_in(folder, name, "rb");
    file f = {0};
    long size = -1;

    if (from && fseek(from, 0, SEEK_END) == 0)
        size = ftell(from);
    if (size > 0 && fseek(from, 0, SEEK_SET) == 0)
        f.data = malloc((size_t)size);
    f.size = f.data ? fread(f.data, 1, (size_t)size, from) : 0;
    if (from)
        fclose(from);
    return f;
}

/* Returns the pixels, or NULL if the file cannot be decoded. */
static unsigned char *decode(tjhandle by, const char *folder, const char *name, int format,
                             int *width, int *height)
{
    const file f = read_whole(folder, name);
    int sampling, colours;
    unsigned char *pixels = NULL;

    if (f.data && tjDecompressHeader3(by, f.data, f.size, width, height, &sampling, &colours) == 0)
        pixels = malloc((size_t)*width * (size_t)*height * (size_t)tjPixelSize[format]);
    if (pixels && tjDecompress2(by, f.data, f.size, pixels, *width, 0, *height, format, 0) != 0) {
        free(pixels);
        pixels = NULL;
    }
    free(f.data);
    return pixels;
}

static int write_whole(const char *name, const file *f)
{
    FILE *const to = open_in(all.out, name, "wb");
    const int whole = to && fwrite(f->data, 1, f->size, to) == f->size;

    return to && fclose(to) == 0 && whole;
}

/* Returns 1 if the picture is done. */
static int work_on(tjhandle decoder, tjhandle encoder, const char *name, file *made)
{
    int width, height;
    unsigned char *const map = decode(decoder, all.depths, name, TJPF_GRAY, &width, &height);
    unsigned char *const photo = decode(decoder, all.photos, name, TJPF_RGB, &width, &height);
    const int done = map && photo &&
                     tjCompress2(encoder, photo, width, 0, height, TJPF_RGB, &made->data,
                                 &made->size, TJSAMP_444, QUALITY, 0) == 0 &&
                     write_whole(name, made);

    free(map);
    free(photo);
    return done;
}

static void *work(void *unused)
{
    const tjhandle decoder = tjInitDecompress(), encoder = tjInitCompress();
    file made = {0};
    int i;

    while (decoder && encoder && (i = atomic_fetch_add(&all.next, 1)) < all.count)
        if (!work_on(decoder, encoder, all.names[i], &made))
            all.failed++;
    tjFree(made.data);
    tjDestroy(decoder);
    tjDestroy(encoder);
    return unused;
}

static int list(void)
{
    DIR *const folder = opendir(all.photos);
    int capacity = 0;

    for (struct dirent *e; folder && (e = readdir(folder));) {
        if (e->d_name[0] == '.')
            continue;
        if (all.count == capacity) {
            capacity = 2 * capacity + 64;
            all.names = realloc(all.names, (size_t)capacity * sizeof *all.names);
        }
        if (!all.names || !(all.names[all.count++] = strdup(e->d_name)))
            return 0;
    }
    if (folder)
        closedir(folder);
    return all.count > 0;
}

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv)
{
    const int wanted = argc == 5 ? atoi(argv[4]) : 0;
    pthread_t threads[THREADS_MOST];
    int started = 0;

    if (wanted < 1 || wanted > THREADS_MOST) {
        fprintf(stderr, "usage: jpegloop PHOTOS DEPTHS OUT THREADS\n");
        return 2;
    }
    all.photos = argv[1], all.depths = argv[2], all.out = argv[3];
    if (!list()) {
        fprintf(stderr, "jpegloop: no pictures in %s\n", all.photos);
        return 1;
    }
    const double began = now();
    while (started < wanted && pthread_create(&threads[started], NULL, work, NULL) == 0)
        started++;
    for (int i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    const double seconds = now() - began;
    if (all.failed || all.next < all.count) {
        fprintf(stderr, "jpegloop: %d of %d pictures failed\n", all.failed, all.count);
        return 1;
    }
    printf("%.2f\n", all.count / seconds);
    return 0;
}
