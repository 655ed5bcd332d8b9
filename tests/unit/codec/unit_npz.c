/* Depth maps from NPZ: archives that are put together here, sound and hostile. */
#include "codec/codec.h"

#include <libdeflate.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit/unit.h"

/* --- An archive ------------------------------------------------------------------------------- */

static void put(blob *to, uint64_t value, int size)
{
    for (int i = 0; i < size; i++) {
        const uint8_t byte = (uint8_t)(i < 8 ? value >> 8 * i : 0);
        blob_add(to, &byte, 1);
    }
}

/* What is wrong with an archive, or odd. */
typedef struct oddity {
    bool is_packed, is_wide, is_encrypted;
    uint64_t size;    /* claimed; 0: the true one */
    uint32_t sum;     /* turns bits of the checksum */
    uint64_t at;      /* added to the place of the member */
    int method;       /* 0: as is_packed says */
    const char *name; /* in the member's own header; NULL: the same */
} oddity;

typedef struct zip {
    blob file, directory;
    int count;
} zip;

/* Adds what both headers of a member have, from the flags to the length of the name. */
static void put_facts(blob *to, const oddity *o, bytes array, size_t packed, size_t name)
{
    put(to, o->is_encrypted, 2);
    put(to, (uint64_t)(o->method ? o->method : o->is_packed ? 8 : 0), 2);
    put(to, 0, 4);
    put(to, libdeflate_crc32(0, array.data, array.size) ^ o->sum, 4);
    put(to, o->is_wide ? UINT32_MAX : packed, 4);
    put(to, o->is_wide ? UINT32_MAX : o->size ? o->size : array.size, 4);
    put(to, name, 2);
}

static void put_wide(blob *to, const oddity *o, bytes array, size_t packed)
{
    put(to, 1, 2);
    put(to, 16, 2);
    put(to, o->size ? o->size : array.size, 8);
    put(to, packed, 8);
}

static void add_member(zip *z, const char *name, bytes array, const oddity *o)
{
    uint8_t room[4096];
    const uint8_t *data = array.data;
    size_t packed = array.size;
    const char *const own = o->name ? o->name : name;
    const uint64_t at = z->file.size + o->at;
    if (o->is_packed) {
        struct libdeflate_compressor *const c = libdeflate_alloc_compressor(6);
        packed = libdeflate_deflate_compress(c, array.data, array.size, room, sizeof room);
        libdeflate_free_compressor(c);
        data = room;
    }
    put(&z->file, 0x04034b50, 4);
    put(&z->file, 20, 2);
    put_facts(&z->file, o, array, packed, strlen(own));
    put(&z->file, o->is_wide ? 20 : 0, 2);
    blob_add(&z->file, own, strlen(own));
    if (o->is_wide)
        put_wide(&z->file, o, array, packed);
    blob_add(&z->file, data, packed);
    put(&z->directory, 0x02014b50, 4);
    put(&z->directory, 20 | 20 << 16, 4);
    put_facts(&z->directory, o, array, packed, strlen(name));
    put(&z->directory, o->is_wide ? 20 : 0, 2);
    put(&z->directory, 0, 2 + 2 + 2 + 4);
    put(&z->directory, at, 4);
    blob_add(&z->directory, name, strlen(name));
    if (o->is_wide)
        put_wide(&z->directory, o, array, packed);
    z->count++;
}

static blob finished(zip *z)
{
    const size_t at = z->file.size;
    blob_add(&z->file, z->directory.data, z->directory.size);
    put(&z->file, 0x06054b50, 4);
    put(&z->file, 0, 4);
    put(&z->file, (uint64_t)z->count, 2);
    put(&z->file, (uint64_t)z->count, 2);
    put(&z->file, z->directory.size, 4);
    put(&z->file, at, 4);
    put(&z->file, 0, 2);
    blob_free(&z->directory);
    return z->file;
}

/* Returns an array of 3 x 2 numbers 0, 1, ...; type: '<f4' or '|u1'. */
static blob array_of(const char *type, const char *shape)
{
    blob npy = {0};
    char words[118];
    snprintf(words, sizeof words, "{'descr': '%s', 'fortran_order': False, 'shape': %s, }", type,
             shape);
    memset(words + strlen(words), ' ', sizeof words - strlen(words));
    blob_add(&npy, "\x93NUMPY\1\0\x76\0", 10);
    blob_add(&npy, words, sizeof words);
    for (int i = 0; i < 6; i++) {
        const float number = (float)i;
        const uint8_t code = (uint8_t)i;
        if (strcmp(type, "<f4") == 0)
            blob_add(&npy, &number, sizeof number);
        else
            blob_add(&npy, &code, 1);
    }
    return npy;
}

/* Returns an archive of arrays of those names. */
static blob archive_of(const char *const *names, const char *type, const char *shape,
                       const oddity *o)
{
    zip z = {.count = 0};
    blob npy = array_of(type, shape);
    for (; *names; names++)
        add_member(&z, *names, blob_view(&npy), o);
    blob_free(&npy);
    return finished(&z);
}

/* --- Checks ----------------------------------------------------------------------------------- */

static bool decode(picture *pic, blob file, const char *key, problem *p)
{
    const decode_settings settings = {.as_map = true, .key = key, .max_pixels = 1000};
    p->text[0] = '\0';
    return picture_decode(pic, file.data, file.size, "a.npz", &settings, p);
}

static void reads(blob file, const char *key, const char *from)
{
    picture pic;
    problem p;
    if (!decode(&pic, file, key, &p))
        fail_msg("%s", p.text);
    assert_string_equal(pic.format, "NPZ");
    assert_string_equal(pic.values.from, from);
    assert_int_equal(pic.values.width, 3);
    assert_int_equal(pic.values.height, 2);
    for (int i = 0; i < 6; i++)
        assert_true(pic.values.data[i] == (float)i);
    picture_free(&pic);
    blob_free(&file);
}

static void refuses(blob file, const char *key, const char *text)
{
    picture pic;
    problem p;
    if (decode(&pic, file, key, &p))
        fail_msg("is read: %s", text);
    if (strncmp(p.text, "a.npz: ", 7) != 0 || !strstr(p.text, text) || strchr(p.text, '\n'))
        fail_msg("%s", p.text);
    blob_free(&file);
}

static const char *const depth[] = {"depth.npy", NULL};

static blob one(const oddity *o)
{
    return archive_of(depth, "<f4", "(2, 3)", o);
}

static void test_kinds(void **state)
{
    reads(one(&(oddity){.is_packed = false}), NULL, "depth");
    reads(one(&(oddity){.is_packed = true}), NULL, "depth");
    reads(one(&(oddity){.is_packed = true, .is_wide = true}), NULL, "depth");
    reads(archive_of(depth, "|u1", "(2, 3)", &(oddity){.is_packed = true}), NULL, "depth");
    reads(archive_of(depth, "<f4", "(1, 2, 3, 1)", &(oddity){.is_packed = true}), NULL, "depth");
}

static void test_keys(void **state)
{
    static const char *const known[] = {"arr_0.npy", "disparity.npy", "conf.npy", NULL};
    static const char *const strange[] = {"a.txt", "a.npy", "b.npy", NULL};
    static const char *const alone[] = {"strange.npy", "notes.txt", NULL};
    static const char *const none[] = {"notes.txt", NULL};
    const oddity sound = {.is_packed = true};
    reads(archive_of(known, "<f4", "(2, 3)", &sound), NULL, "disparity");
    reads(archive_of(known, "<f4", "(2, 3)", &sound), "conf", "conf");
    reads(archive_of(alone, "<f4", "(2, 3)", &sound), NULL, "strange");
    refuses(archive_of(known, "<f4", "(2, 3)", &sound), "con",
            "has no array con; give one of: arr_0, disparity, conf");
    refuses(archive_of(strange, "<f4", "(2, 3)", &sound), NULL,
            "no array is clearly the depth; give --depth-key NAME: a, b");
    refuses(archive_of(none, "<f4", "(2, 3)", &sound), NULL, "has no NPY arrays");
}

/* Of two arrays only one has two dimensions. */
static void test_only_map(void **state)
{
    zip z = {.count = 0};
    blob flat = array_of("<f4", "(6,)"), map = array_of("<f4", "(2, 3)");
    add_member(&z, "k.npy", blob_view(&flat), &(oddity){.is_packed = true});
    add_member(&z, "m.npy", blob_view(&map), &(oddity){.is_packed = true});
    reads(finished(&z), NULL, "m");
    blob_free(&flat);
    blob_free(&map);
}

static void test_hostile(void **state)
{
    refuses(one(&(oddity){.sum = 1}), NULL, "wrong checksum");
    refuses(one(&(oddity){.is_packed = true, .size = 100}), NULL, "damaged");
    refuses(one(&(oddity){.is_packed = true, .size = 60000}), NULL, "damaged");
    refuses(one(&(oddity){.is_packed = true, .size = 1 << 17}), NULL, "claims 131072 bytes");
    refuses(one(&(oddity){.is_packed = true, .is_wide = true, .size = UINT64_MAX}), NULL,
            "claims 18446744073709551615 bytes");
    refuses(one(&(oddity){.size = 100}), NULL, "damaged");
    refuses(one(&(oddity){.at = 1}), NULL, "damaged");
    refuses(one(&(oddity){.at = 1 << 20}), NULL, "damaged");
    refuses(one(&(oddity){.name = "other.npy"}), NULL, "damaged");
    refuses(one(&(oddity){.is_encrypted = true}), NULL, "encrypted");
    refuses(one(&(oddity){.method = 12}), NULL, "packed by method 12");
    refuses(archive_of(depth, "<f4", "(2, 4)", &(oddity){.is_packed = true}), NULL, "are there");
    refuses(archive_of(depth, "<f4", "(99, 99)", &(oddity){.is_packed = true}), NULL, "are there");
}

/* Two names of the directory share one array, and an array has more bytes than its own header says. */
static void test_sizes(void **state)
{
    zip z = {.count = 0};
    blob npy = array_of("<f4", "(2, 3)");
    add_member(&z, "depth.npy", blob_view(&npy), &(oddity){.is_packed = true});
    blob again = {0};
    blob_add(&again, z.directory.data, z.directory.size);
    blob_add(&z.directory, again.data, again.size);
    z.count = 2;
    refuses(finished(&z), NULL, "damaged");
    blob_free(&again);
    blob_add(&npy, "more", 4);
    z = (zip){.count = 0};
    add_member(&z, "depth.npy", blob_view(&npy), &(oddity){.is_packed = true});
    refuses(finished(&z), NULL, "damaged");
    blob_free(&npy);
}

/* The headers tell which array is the map: one whose bytes are damaged counts, too. */
static void test_headers_alone(void **state)
{
    zip z = {.count = 0};
    blob map = array_of("<f4", "(2, 3)");
    add_member(&z, "k.npy", blob_view(&map), &(oddity){.is_packed = true, .sum = 1});
    add_member(&z, "m.npy", blob_view(&map), &(oddity){.is_packed = true});
    refuses(finished(&z), NULL, "no array is clearly the depth; give --depth-key NAME: k, m");
    blob_free(&map);
}

static void test_cut(void **state)
{
    blob file = one(&(oddity){.is_packed = true});
    for (size_t size = 4; size < file.size; size++) {
        uint8_t *const copy = malloc(size); /* no byte is behind it; refuses() frees it */
        assert_non_null(copy);
        memcpy(copy, file.data, size);
        refuses((blob){.data = copy, .size = size}, NULL, "damaged or cut off");
    }
    blob_free(&file);
}

/* A byte that is another is seen, or it changes no number. */
static void test_damage(void **state)
{
    blob file = one(&(oddity){.is_packed = true});
    for (size_t at = 4; at < file.size; at++)
        for (int bit = 0; bit < 8; bit++) {
            picture pic;
            problem p;
            file.data[at] ^= (uint8_t)(1 << bit);
            if (decode(&pic, file, NULL, &p)) {
                for (int i = 0; i < 6; i++)
                    assert_true(pic.values.data[i] == (float)i);
                picture_free(&pic);
            }
            file.data[at] ^= (uint8_t)(1 << bit);
        }
    blob_free(&file);
}

static void test_as_picture(void **state)
{
    picture pic;
    problem p;
    blob file = one(&(oddity){.is_packed = true});
    assert_false(picture_decode(&pic, file.data, file.size, "a.npz", NULL, &p));
    assert_non_null(strstr(p.text, "give it to --depth"));
    blob_free(&file);
}

UNIT_MAIN(UNIT(test_kinds), UNIT(test_keys), UNIT(test_only_map), UNIT(test_hostile),
          UNIT(test_sizes), UNIT(test_headers_alone), UNIT(test_cut), UNIT(test_damage),
          UNIT(test_as_picture))
