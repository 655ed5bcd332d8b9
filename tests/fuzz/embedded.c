/* Reads any bytes as a photo, and the maps, mattes and original photos that lie within its file. */
#include "codec/codec.h"
#include "embedded/embedded.h"
#include "fuzz/fuzz.h"

enum { MOST = 1 << 16 }; /* pixels of each image: small files that claim much make a fuzzer slow */

/* The name serves formats without a signature: TGA. */
#define NAME "a.tga"

static bool is_within(bytes part, bytes whole)
{
    return part.data >= whole.data && part.size <= whole.size &&
           (size_t)(part.data - whole.data) <= whole.size - part.size;
}

static bool is_small(const picture *pic)
{
    return (uint64_t)pic->image.width * (uint64_t)pic->image.height <= MOST &&
           (uint64_t)pic->values.width * (uint64_t)pic->values.height <= MOST;
}

/* Decodes the photo before the phone blurred it, as a job does. It must lie in memory that lives on. */
static void read_original(const embedded_map *map, bytes file, const decode_settings *settings)
{
    picture sharp;
    problem p;
    if (map->original.size == 0)
        return;
    CHECK(is_within(map->original, file) ||
          is_within(map->original, blob_view(&map->original_memory)));
    if (picture_decode(&sharp, map->original.data, map->original.size, NAME, settings, &p)) {
        CHECK(sharp.image.data && is_small(&sharp));
        picture_free(&sharp);
    }
}

/* A depth map's meaning is whole: both distances are known and in order, or neither is. */
static void check_found(const embedded_map *map, embedded_kind kind)
{
    CHECK(map->source && map->picture.format[0] && map->picture.library);
    CHECK((map->picture.image.data != NULL) != (map->picture.values.data != NULL));
    CHECK(is_small(&map->picture));
    CHECK(map->picture.orientation >= 1 && map->picture.orientation <= 8);
    if (kind == EMBEDDED_DEPTH && (map->means.distance_near != 0 || map->means.distance_far != 0))
        CHECK(map->means.distance_near > 0 && map->means.distance_near < map->means.distance_far);
}

/* What is not found leaves nothing, and what cannot be read has one line. */
static embedded_status read_kind(bytes file, embedded_kind kind, codec_choice choice)
{
    const decode_settings settings = {.choice = choice, .max_pixels = MOST};
    embedded_map map;
    problem p = {.text = ""};
    const embedded_status status = embedded_find(file, kind, &settings, &map, &p);
    if (status == EMBEDDED_FOUND) {
        check_found(&map, kind);
        read_original(&map, file, &settings);
    } else {
        CHECK(!map.picture.image.data && !map.picture.values.data && !map.original_memory.data);
        CHECK((status == EMBEDDED_FAILED) == (p.text[0] != '\0') && !strchr(p.text, '\n'));
    }
    embedded_free(&map);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const bytes file = {.data = data, .size = size};
    const decode_settings settings = {.max_pixels = MOST};
    picture photo;
    problem p;
    if (!picture_decode(&photo, data, size, NAME, &settings, &p))
        return 0;
    picture_free(&photo);
    for (int kind = EMBEDDED_DEPTH; kind <= EMBEDDED_MATTE; kind++) {
        const embedded_status fast = read_kind(file, (embedded_kind)kind, CODEC_FAST);
        const embedded_status plain = read_kind(file, (embedded_kind)kind, CODEC_PLAIN);
        CHECK(plain != EMBEDDED_FOUND || fast == EMBEDDED_FOUND); /* stb knows fewer markers */
        CHECK((fast == EMBEDDED_NONE) == (plain == EMBEDDED_NONE));
    }
    return 0;
}
