#include "nvjpeg/jpeg_entropy.h"

#include <string.h>

enum { END_OF_BLOCK = 128, BLOCK = 64, LEAP = 16 };

/* --- Tables ----------------------------------------------------------------------------------- */

/* The entry of one code: of DC, its symbol counts the bits that follow; of AC, it has a run of zeros, too (T.81,
 * F.1.2). */
static unsigned step_of(const jpeg_huffman *h, uint8_t symbol, unsigned length)
{
    const unsigned bits = h->is_ac ? symbol & 15u : symbol;
    const unsigned run = h->is_ac ? (unsigned)(symbol >> 4) + 1 : 1;
    return 32 * (h->is_ac && symbol == 0 ? END_OF_BLOCK : run) + length + bits;
}

/* Returns the codes that are whole within the next bits, or one whose own bits reach beyond
 * them. */
static uint16_t leap_of(const jpeg_huffman *h, unsigned next)
{
    unsigned bits = 0, run = 0;
    while (run < LEAP) {
        const unsigned step = h->steps[next << bits & ((1u << JPEG_LOOK) - 1)];
        const unsigned more = step >> 5;
        if (step == 0 || (step & 31) > JPEG_LOOK - bits ||
            (more != END_OF_BLOCK && run + more > LEAP))
            break;
        bits += step & 31;
        run += more;
    }
    return bits > 0 ? (uint16_t)(32 * run + bits) : h->steps[next];
}

void jpeg_huffman_make(jpeg_huffman *h, const uint8_t *table, bool is_ac)
{
    uint32_t code = 0, symbol = 0;
    h->symbols = table + 16;
    h->is_ac = is_ac;
    memset(h->steps, 0, sizeof h->steps);
    for (unsigned length = 1; length <= 16; length++) {
        code *= 2;
        h->firsts[length] = symbol - code;
        for (unsigned i = 0; i < table[length - 1]; i++, code++, symbol++) {
            const unsigned step = step_of(h, h->symbols[symbol], length);
            const unsigned spare = length < JPEG_LOOK ? JPEG_LOOK - length : 0;
            for (unsigned k = 0; k < 1u << spare && length <= JPEG_LOOK; k++)
                h->steps[(code << spare) + k] = (uint16_t)step;
        }
        h->ends[length] = code;
    }
    for (unsigned next = 0; next < 1u << JPEG_LOOK && is_ac; next++)
        h->leaps[next] = leap_of(h, next);
}

/* --- Walking ---------------------------------------------------------------------------------- */

typedef struct reader {
    const uint8_t *data;
    uint64_t bit; /* that is next */
} reader;

static inline uint64_t next_bits(const reader *r)
{
    const uint8_t *const b = r->data + (r->bit >> 3);
    return ((uint64_t)big_endian_32(b) << 32 | big_endian_32(b + 4)) << (r->bit & 7);
}

/* Returns the entry of a code that is longer than the tables look; 0: there is none. */
static unsigned find_long_step(const jpeg_huffman *h, uint64_t next)
{
    for (unsigned length = JPEG_LOOK + 1; length <= 16; length++) {
        const uint32_t code = (uint32_t)(next >> (64 - length));
        if (code < h->ends[length])
            return step_of(h, h->symbols[code + h->firsts[length]], length);
    }
    return 0;
}

/* Moves on by an entry of the table, steps or leaps of h; returns by how many coefficients, 0 where no code stands. */
static inline unsigned take_step(reader *r, const jpeg_huffman *h, const uint16_t *table)
{
    const uint64_t next = next_bits(r);
    unsigned step = table[next >> (64 - JPEG_LOOK)];
    if (step == 0)
        step = find_long_step(h, next);
    r->bit += step & 31;
    return step >> 5;
}

/* Walks over a block. A leap must not pass its end, where the next block's DC code stands. */
static bool walk_block(reader *r, const jpeg_huffman *dc, const jpeg_huffman *ac)
{
    unsigned at = take_step(r, dc, dc->steps);
    if (at == 0)
        return false;
    while (at < BLOCK) {
        const unsigned run = take_step(r, ac, at <= BLOCK - LEAP ? ac->leaps : ac->steps);
        if (run == 0)
            return false;
        at += run;
    }
    return at == BLOCK || at > END_OF_BLOCK;
}

bool jpeg_entropy_is_whole(const jpeg_unit *unit, bytes data, size_t units)
{
    const uint64_t end = 8 * (uint64_t)data.size;
    reader r = {.data = data.data};
    for (size_t i = 0; i < units; i++)
        for (int b = 0; b < unit->blocks; b++)
            if (!walk_block(&r, unit->dc[b], unit->ac[b]) || r.bit > end)
                return false;
    return end - r.bit < 8;
}
