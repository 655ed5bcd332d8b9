#include "support/sample.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Random ----------------------------------------------------------------------------------- */

/* Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014. */
uint64_t random_next(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

int random_below(uint64_t *state, int n)
{
    return (int)(random_next(state) % (uint64_t)n);
}

void random_bytes(uint64_t *state, void *bytes, size_t size)
{
    const size_t piece = 1 << 16, pieces = (size + piece - 1) / piece;
    const uint64_t seed = random_next(state);

#pragma omp parallel for if (pieces > 64)
    for (size_t p = 0; p < pieces; p++) {
        const size_t end = p + 1 < pieces ? (p + 1) * piece : size;
        uint64_t own = seed ^ (p * 0xd1342543de82ef95u);
        for (size_t i = p * piece; i < end; i += 8) {
            const uint64_t word = random_next(&own);
            memcpy((uint8_t *)bytes + i, &word, end - i < 8 ? end - i : 8);
        }
    }
}

enum { PATTERN = 256 }; /* bytes of a guard before it begins again */

/* --- Memory ----------------------------------------------------------------------------------- */

static uint8_t *allocate(size_t bytes)
{
    void *base = NULL;

    if (posix_memalign(&base, 64, bytes ? bytes : 1)) {
        fprintf(stderr, "tests: out of memory (%zu bytes)\n", bytes);
        exit(1);
    }
    return base;
}

block block_guarded(size_t bytes, size_t skew)
{
    const size_t size = BLOCK_GUARD + skew + bytes + BLOCK_GUARD;

    return (block){allocate(size), size, BLOCK_GUARD + skew, bytes};
}

block block_exact(size_t bytes, size_t skew)
{
    return (block){allocate(skew + bytes), skew + bytes, skew, bytes};
}

block block_like(const block *model)
{
    return (block){allocate(model->size), model->size, model->at, model->bytes};
}

void block_free(block *b)
{
    free(b->base);
    *b = (block){0};
}

/* Returns the pattern of guards, which begins again after 256 bytes. */
static const uint8_t *poison(void)
{
    static uint8_t bytes[PATTERN];

#pragma omp critical(poison)
    if (bytes[0] == 0)
        for (size_t i = 0; i < PATTERN; i++)
            bytes[i] = (uint8_t)(0xa5 + i * 37);
    return bytes;
}

void block_poison(block *b)
{
    const uint8_t *const bytes = poison();

#pragma omp parallel for if (b->size > 1 << 22)
    for (size_t i = 0; i < b->size; i += PATTERN)
        memcpy(b->base + i, bytes, b->size - i < PATTERN ? b->size - i : PATTERN);
}

static int intact(const block *b, size_t from, size_t to)
{
    const uint8_t *const bytes = poison();

    while (from < to) {
        const size_t left = PATTERN - from % PATTERN, n = to - from < left ? to - from : left;
        if (memcmp(b->base + from, bytes + from % PATTERN, n) != 0)
            return 0;
        from += n;
    }
    return 1;
}

int block_intact(const block *b)
{
    return intact(b, 0, b->at) && intact(b, b->at + b->bytes, b->size);
}

void *block_data(const block *b)
{
    return b->base + b->at;
}

/* --- Pictures --------------------------------------------------------------------------------- */

const char *fill_name(fill f)
{
    static const char *const names[] = {"random", "max",    "constant", "steps",
                                        "holes",  "bright", "specks",   "stairs"};

    return names[f];
}

size_t shape_row(const shape *s)
{
    return (size_t)s->width * (size_t)s->channels * (size_t)(s->bits / 8);
}

size_t shape_bytes(const shape *s)
{
    return (size_t)(s->height - 1) * (shape_row(s) + (size_t)s->pad) + shape_row(s);
}

static picture with_plane(const shape *s, block memory)
{
    const ptrdiff_t pitch = (ptrdiff_t)shape_row(s) + s->pad;

    return (picture){memory,
                     {block_data(&memory), pitch, s->width, s->height, s->channels, s->bits}};
}

void picture_put(const satk_plane *plane, int x, int y, int channel, uint32_t code)
{
    const size_t bytes = (size_t)plane->bits / 8;
    uint8_t *const at = (uint8_t *)plane->data + (ptrdiff_t)y * plane->pitch +
                        ((size_t)x * (size_t)plane->channels + (size_t)channel) * bytes;
    const uint16_t wide = (uint16_t)code;

    if (bytes == 1)
        *at = (uint8_t)code;
    else
        memcpy(at, &wide, sizeof wide);
}

void picture_make_opaque(const satk_plane *plane)
{
    for (int y = 0; y < plane->height; y++)
        for (int x = 0; x < plane->width; x++)
            picture_put(plane, x, y, plane->channels - 1, (1u << plane->bits) - 1);
}

static uint32_t half_of(uint32_t code, fill f)
{
    enum { LARGEST = 0x6c00, TOP = 0x6800, INFINITE = 0x7c00 };

    if (f == FILL_BRIGHT)
        return TOP + code % (LARGEST - TOP);
    return code == UINT16_MAX ? INFINITE : code;
}

void picture_make_halves(const satk_plane *plane, fill f)
{
    for (int y = 0; y < plane->height; y++) {
        const uint8_t *const row = (const uint8_t *)plane->data + y * plane->pitch;
        for (int i = 0; i < plane->width * plane->channels; i++)
            picture_put(plane, i / plane->channels, y, i % plane->channels,
                        half_of(satk_code(row, (size_t)i, 16), f));
    }
}

/* Returns one code of a picture that is made from `key`. */
static uint32_t pattern(const satk_plane *p, fill f, const uint64_t *key, int x, int y, int channel)
{
    const uint32_t max = p->bits == 8 ? 255 : 65535;
    uint64_t place =
        key[1] + ((uint64_t)y * (uint64_t)p->width + (uint64_t)x) * 4 + (uint64_t)channel;
    /* patches of 5 x 3 pixels, shifted from channel to channel */
    uint64_t patch = key[1] + (uint64_t)((x + channel) / 5) * 7919 + (uint64_t)(y / 3) * 104729;

    switch (f) {
    case FILL_MAX: return max;
    case FILL_CONSTANT: return (uint32_t)(key[0] >> (16 * channel)) & max;
    case FILL_STAIRS:
        return satk_has_alpha(p->channels) && channel == p->channels - 1
                   ? max
                   : (uint32_t)(x / STAIR) % 256 * (max / 255);
    case FILL_BRIGHT: return max - (uint32_t)(random_next(&place) % (max / 8 + 1));
    default: return random_next(&patch) & 1 ? max : 0;
    }
}

static void draw(const satk_plane *p, fill f, uint64_t *random)
{
    const uint64_t key[2] = {random_next(random), random_next(random)};

#pragma omp parallel for if ((size_t)p->width * (size_t)p->height > 1 << 20)
    for (int y = 0; y < p->height; y++)
        for (int x = 0; x < p->width; x++)
            for (int c = 0; c < p->channels; c++)
                picture_put(p, x, y, c, pattern(p, f, key, x, y, c));
}

/* Sets all alpha to one code, except for one pixel in `but_one_in`. */
static void set_alpha(const satk_plane *p, uint32_t code, int but_one_in, uint64_t *random)
{
    if (!satk_has_alpha(p->channels))
        return;
    for (int y = 0; y < p->height; y++)
        for (int x = 0; x < p->width; x++)
            if (random_below(random, but_one_in) != 0)
                picture_put(p, x, y, p->channels - 1, code);
}

picture picture_input(const shape *s, fill f, uint64_t *random)
{
    const picture p = with_plane(s, block_exact(shape_bytes(s), (size_t)s->skew));

    random_bytes(random, p.memory.base, p.memory.size); /* the paddings too */
    if (f == FILL_HOLES)
        set_alpha(&p.plane, 0, 64, random);
    else if (f == FILL_SPECKS)
        set_alpha(&p.plane, s->bits == 8 ? 255 : 65535, 2000, random);
    else if (f != FILL_RANDOM)
        draw(&p.plane, f, random);
    return p;
}

picture picture_output(const shape *s)
{
    picture p = with_plane(s, block_guarded(shape_bytes(s), (size_t)s->skew));

    block_poison(&p.memory);
    return p;
}

void picture_copy(picture *to, const picture *from)
{
    const size_t row =
        (size_t)from->plane.width * (size_t)from->plane.channels * (size_t)(from->plane.bits / 8);

    for (int y = 0; y < from->plane.height; y++)
        memcpy((uint8_t *)to->plane.data + y * to->plane.pitch,
               (const uint8_t *)from->plane.data + y * from->plane.pitch, row);
}

int picture_same(const picture *a, const picture *b)
{
    const size_t row =
        (size_t)a->plane.width * (size_t)a->plane.channels * (size_t)(a->plane.bits / 8);
    int same = 1;

    for (int y = 0; y < a->plane.height; y++)
        same &= memcmp((const uint8_t *)a->plane.data + y * a->plane.pitch,
                       (const uint8_t *)b->plane.data + y * b->plane.pitch, row) == 0;
    return same;
}

void picture_free(picture *p)
{
    block_free(&p->memory);
}
