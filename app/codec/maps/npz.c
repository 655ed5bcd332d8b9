/* NPZ: a ZIP archive of NPY arrays, stored or deflated. One of them is a photo's map. */
#include "codec/codec.h"
#include "codec/maps/npy.h"
#include "codec/maps/npz_archive.h"
#include "image/pixels.h"

#include <libdeflate.h>
#include <stdio.h>
#include <string.h>

/* Refuses before anything is allocated: a few bytes may claim any size. */
static bool within_limits(const npz_archive *z, const npz_member *m)
{
    enum { EACH = 8, BESIDE = 1 << 16 };
    const uint64_t limit = z->settings->max_pixels;
    const uint64_t pixels = limit ? limit : PICTURE_PIXELS;
    const uint64_t most = pixels < PICTURE_PIXELS_MOST ? pixels : PICTURE_PIXELS_MOST;
    if (m->size > most * EACH + BESIDE)
        return problem_set(z->p,
                           "the array %s claims %llu bytes, more than %llu pixels need; raise "
                           "--max-pixels if you trust the file",
                           m->name, (unsigned long long)m->size, (unsigned long long)most);
    return npz_has_room(m, z->p);
}

/* Unpacks the bytes to memory for pixels_free(). */
static bool inflate(const npz_archive *z, const npz_member *m, bytes packed, bytes *array)
{
    uint8_t *const to = pixels_allocate((size_t)m->size + 1);
    struct libdeflate_decompressor *const d = libdeflate_alloc_decompressor();
    const bool has_memory = to && d;
    const bool done =
        has_memory && libdeflate_deflate_decompress(d, packed.data, packed.size, to,
                                                    (size_t)m->size, NULL) == LIBDEFLATE_SUCCESS;
    libdeflate_free_decompressor(d);
    *array = (bytes){.data = to, .size = (size_t)m->size};
    if (done)
        return true;
    pixels_free(to);
    return has_memory ? npz_damaged(z->p)
                      : problem_set(z->p, "not enough memory for the array %s", m->name);
}

/* Finds the member's NPY file: unpacked, in *owned for pixels_free(), or in the archive. */
static bool open_member(const npz_archive *z, const npz_member *m, bytes *array, void **owned)
{
    uint64_t at;
    *owned = NULL;
    if (!npz_find_packed(z, m, &at) || !within_limits(z, m))
        return false;
    *array = (bytes){.data = z->in.data + at, .size = (size_t)m->packed};
    if (m->method == NPZ_DEFLATED) {
        if (!inflate(z, m, *array, array))
            return false;
        *owned = (void *)(uintptr_t)array->data;
    }
    if (libdeflate_crc32(0, array->data, array->size) == m->sum)
        return true;
    pixels_free(*owned);
    *owned = NULL;
    return problem_set(z->p, "the array %s is damaged (wrong checksum); save it again", m->name);
}

/* Refuses an array whose own header speaks of fewer bytes than the archive, or of more memory than they are worth. A header
 * that cannot be read is refused with the whole array. */
static bool header_agrees(const npz_archive *z, const npz_member *m)
{
    problem unused;
    npy_header h;
    npz_archive quiet = *z;
    quiet.p = &unused;
    if (!npz_read_header(&quiet, m, &h) || h.maps > 1)
        return true;
    const uint64_t pixels = (uint64_t)h.width * (uint64_t)h.height;
    const picture_claim claim = {
        .width = h.width, .height = h.height, .memory = m->size + pixels * MAP_PIXEL};
    return (m->size - h.at <= npy_map_bytes(&h) || npz_damaged(z->p)) &&
           picture_has_bytes(&claim, z->in, z->p);
}

static bool is_map(const npy_header *h)
{
    return h->maps == 1 && h->width > 1 && h->height > 1;
}

values_status npz_values(bytes in, const decode_settings *settings, values *v, problem *p)
{
    npz_archive z = {.in = in, .fd = -1, .settings = settings, .p = p};
    npz_member m;
    bytes array;
    void *owned;
    if (!npz_open(&z) || !npz_choose(&z, is_map, &m) || !header_agrees(&z, &m) ||
        !open_member(&z, &m, &array, &owned))
        return VALUES_FAILED;
    const values_status status = npy_numbers(array, settings, v, p);
    pixels_free(owned);
    v->is_metres = v->is_assumed = status == VALUES_READ && npz_is_distance(&z, &m);
    snprintf(v->from, sizeof v->from, "%.*s", (int)sizeof v->from - 1, m.name);
    return status;
}
