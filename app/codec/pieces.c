#include "codec/pieces.h"

#include "base/threads.h"

#include <libdeflate.h>
#include <satblur.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

typedef struct packing {
    const pieces_source *source;
    piece *all;
    atomic_int next;
    atomic_bool failed;
} packing;

/* Packs a piece through `room`. False: memory ran out. */
static bool pack_one(const packing *k, struct libdeflate_compressor *packer, uint8_t *room,
                     int number)
{
    const pieces_source *const s = k->source;
    const size_t size = s->fill(s->user, number, room);
    const size_t bound = libdeflate_zlib_compress_bound(packer, size);
    uint8_t *const packed = malloc(bound);
    if (!packed)
        return false;
    size_t used = libdeflate_zlib_compress(packer, room, size, packed, bound);
    if (s->stay && used >= size)
        memcpy(packed, room + size, used = size);
    uint8_t *const less = realloc(packed, used > 0 ? used : 1);
    k->all[number] = (piece){less ? less : packed, used};
    return used > 0;
}

/* Packs pieces until there are none. */
static void pack_some(void *user)
{
    packing *const k = user;
    const pieces_source *const s = k->source;
    struct libdeflate_compressor *const packer = libdeflate_alloc_compressor(s->level);
    uint8_t *const room = malloc(2 * s->most);
    bool good = packer && room;
    for (int i; good && (i = atomic_fetch_add(&k->next, 1)) < s->count;)
        good = pack_one(k, packer, room, i);
    if (!good)
        atomic_store(&k->failed, true);
    free(room);
    libdeflate_free_compressor(packer);
}

piece *pieces_pack(const pieces_source *s, int threads)
{
    packing k = {.source = s, .all = calloc((size_t)s->count, sizeof *k.all)};
    const int most = threads > 0 ? threads : satb_processors();
    if (!k.all)
        return NULL;
    threads_together(most < s->count ? most : s->count, pack_some, &k);
    if (!k.failed)
        return k.all;
    pieces_free(k.all, s->count);
    return NULL;
}

void pieces_free(piece *all, int count)
{
    for (int i = 0; i < count && all; i++)
        free(all[i].data);
    free(all);
}
