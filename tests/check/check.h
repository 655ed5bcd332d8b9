/* The harness of all check_X.c.
 *
 * A primitive's checks are groups ("box.edges") of cases. A case states its parameters, runs, and
 * compares whole blocks of memory, guards and row paddings included, first the oracle with the CPU,
 * then the CPU with CUDA. Every comparison is counted for its back end; a primitive without
 * comparisons cannot pass. */
#ifndef SATB_CHECK_H
#define SATB_CHECK_H

#include "check/oracle.h"
#include "support/sample.h"
#include "common/tone.h"

/* A kernel's view of a picture as the oracle's. */
static inline oracle_plane oracle_view(const satk_plane *p)
{
    return (oracle_plane){p->data, p->pitch, p->width, p->height, p->channels, p->bits};
}

typedef enum backend { ON_CPU, ON_CUDA, BACKENDS } backend;

typedef struct check {
    uint64_t seed;
    const char *filter;  /* only groups whose name contains it; NULL: all */
    const char *without; /* no group whose name contains it; NULL: all */
    long part, parts;    /* only every parts-th group, from this one on */
    long groups;         /* that came up so far */
    int quick; /* a few cases of every group, for tools that slow the program down 100 times */
    int large; /* only the tables beyond 2^32 bytes and 2^32 words */
    int list;  /* print the groups' names, run nothing */
    int cuda;  /* 1: a device is there */

    const char *group;
    uint64_t random; /* begins anew with every group, so a filter does not change a group's cases */
    char parameters[400];
    long compared[BACKENDS], failed, skipped; /* of this primitive */
} check;

/* Returns 1 if the group is to be run. Begins its random numbers. */
int check_group(check *c, const char *name);
int check_large_group(check *c, const char *name); /* the same for groups that only --large runs */
void check_run(check *c, const char *name, void (*group)(check *c)); /* runs it then */

/* Returns a count: all, or a few in quick mode. */
int check_count(const check *c, int all, int quick);

/* Sets the parameters of the case that begins, which are printed if it fails. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void check_case(check *c, const char *format, ...);

/* Returns 1 if too many comparisons have failed to go on, or the device is broken. */
int check_hopeless(const check *c);

/* The layout that names a byte of a block: pixels of `pixel` bytes, `row` bytes of them, rows
 * `pitch` bytes apart. */
typedef struct layout {
    size_t pitch, row, pixel, element;
} layout;

layout layout_of(const satk_plane *plane);

/* Compares whole blocks, a back end's result with the right one, and counts it. Returns 1 if they
 * are the same. */
int check_same(check *c, backend on, const block *want, const block *got, const layout *l);

/* Counts one comparison that was made elsewhere. */
#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
int check_that(check *c, backend on, int holds, const char *format, ...);

/* Skips a case for which this machine has too little memory. It is printed, and is a failure where
 * a device is required. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void check_skip(check *c, const char *format, ...);

/* --- The device's copy of a block ------------------------------------------------------------- */

typedef struct mirror {
    uint8_t *device;
    size_t size;
} mirror;

/* Returns device memory of the block's size, guards included, with its contents. A failure is
 * counted, and then device is NULL. */
mirror mirror_up(check *c, const block *host);
mirror mirror_empty(check *c, size_t bytes); /* uninitialised, exactly as large */
/* Returns the place on the device of a pointer into the block. */
void *mirror_at(const mirror *m, const block *host, const void *pointer);
satk_plane mirror_plane(const mirror *m, const picture *p);
/* Copies the device's contents into a block of the same size. Returns 1 when done. */
int mirror_down(check *c, const mirror *m, block *into);
void mirror_free(mirror *m);

/* The device's memory of one launch. It begins with .c alone. */
typedef struct mirrors {
    check *c;
    mirror all[14];
    block *results[14]; /* where they come down to; NULL: nowhere */
    int count, failed;
    int guarded; /* the scratch memory's number, from 1 on; 0: there is none */
} mirrors;

/* Copy a block or a picture to the device, and return its place there; those of `out` come down in the end. */
void *mirrors_in(mirrors *m, const block *host);
void *mirrors_out(mirrors *m, block *host);
satk_plane mirrors_in_plane(mirrors *m, const picture *p);
satk_plane mirrors_out_plane(mirrors *m, picture *p);
/* Returns scratch memory of the device with a guard behind it. */
void *mirrors_scratch(mirrors *m, size_t bytes);
/* Waits for the launch with this error code, brings the results down, counts whether the guard is as it was, and frees all.
 * Returns 1 if the results are there. Nothing is to be launched if m->failed. */
int mirrors_end(mirrors *m, int error);

/* Waits for a launch with this error code. Returns 1 if it succeeded; otherwise the case has
 * failed. */
int check_launch(check *c, int error);

/* --- Transfer curves -------------------------------------------------------------------------- */

/* Make core's tables, once, on the host and on the device; return those of one width. */
void tones_start(check *c);
satk_tone tones_get(int bits, const oracle_look *look, backend on);

/* Returns "codes", "linear" or "half". */
const char *check_look_name(const oracle_look *look);

/* --- Sizes ------------------------------------------------------------------------------------ */

typedef struct size {
    int width, height;
    int quick; /* 1: also in quick mode; -1: for a device's sections and strips, so only where there is one */
    const char *reason;
} size;

extern const size sizes[];
extern const int sizes_count;
int size_wanted(const check *c, const size *s);

/* Returns the pixels that the oracle computes: all of them, or the corners and random others. NULL:
 * out of memory. */
oracle_pixel *check_pixels(check *c, const shape *s, size_t count);

/* --large: a table beyond 2^32 bytes, and one beyond 2^32 words with a picture beyond 2^32 bytes. */
extern const shape large_bytes, large_words;

/* Returns 1 if this machine has these GiB of memory and of device memory. Otherwise the case is
 * skipped and printed. */
int large_fits(check *c, int host, int device);

/* --- The primitives' checks ------------------------------------------------------------------- */

/* The table of them, in the order in which they run: KERNEL(NAME) or HOST(NAME) is check_NAME(). HOST: of code that no device
 * runs, so nothing is required of one. */
/* clang-format off */
#define CHECKS(KERNEL, HOST) \
    HOST(rule) \
    HOST(tone) \
    KERNEL(sat) \
    KERNEL(box) \
    KERNEL(box_fused) \
    KERNEL(reduce) \
    KERNEL(scan) \
    KERNEL(compact) \
    KERNEL(sort) \
    KERNEL(histogram) \
    KERNEL(equalize) \
    KERNEL(codes) \
    KERNEL(layer) \
    KERNEL(spread) \
    KERNEL(highlight) \
    KERNEL(points) \
    KERNEL(fill) \
    KERNEL(surface) \
    KERNEL(cover) \
    KERNEL(rim_width) \
    KERNEL(radii) \
    KERNEL(coc) \
    KERNEL(patches) \
    KERNEL(resample) \
    KERNEL(matte_plane) \
    KERNEL(protect) \
    KERNEL(mix) \
    KERNEL(follow) \
    KERNEL(separate) \
    KERNEL(show) \
    HOST(textbook)            /* published figures, and the models that count them */ \
    KERNEL(textbook_kernels)  /* the kernels that are counted */ \
    KERNEL(blur)              /* whole operations */ \
    KERNEL(array)             /* whole operations on arrays */
/* clang-format on */

#define DECLARE(NAME) void check_##NAME(check *c);
CHECKS(DECLARE, DECLARE)
#undef DECLARE

/* Parts of check_blur(): whole operations */
void check_bands(check *c);       /* in bands of rows, where a device's memory is capped, */
void check_fallback(check *c);    /* by gather, because the windows are too large for layers, */
void check_on_device(check *c);   /* on images in a device's memory, */
void check_large_bands(check *c); /* and of a picture of more than 2^32 samples */

#endif
