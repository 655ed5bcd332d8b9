#include "jpeg_samples.h"

#include <string.h>

enum { END_OF_BLOCK = 128, BLOCK = 64, LEAP = 16 };

/* --- Tables ----------------------------------------------------------------------------------- */

/* How far a symbol moves on in its block, and how many bits follow its code (T.81, F.1.2). */
static unsigned step_of(const jpeg_codes *codes, uint8_t symbol, unsigned length)
{
    const unsigned bits = codes->is_ac ? symbol & 15u : symbol;
    const unsigned run = codes->is_ac ? (unsigned)(symbol >> 4) + 1 : 1;
    return 32 * (codes->is_ac && symbol == 0 ? END_OF_BLOCK : run) + length + bits;
}

/* The codes that are whole within the next bits; or one whose own bits reach beyond them. */
static uint16_t leap_of(const jpeg_codes *codes, unsigned next)
{
    unsigned bits = 0, run = 0;
    while (run < LEAP) {
        const unsigned step = codes->steps[next << bits & ((1u << JPEG_LOOK) - 1)];
        const unsigned more = step >> 5;
        if (step == 0 || (step & 31) > JPEG_LOOK - bits ||
            (more != END_OF_BLOCK && run + more > LEAP))
            break;
        bits += step & 31;
        run += more;
    }
    return bits > 0 ? (uint16_t)(32 * run + bits) : codes->steps[next];
}

void jpeg_codes_make(jpeg_codes *codes, const uint8_t *table, bool is_ac)
{
    uint32_t code = 0, symbol = 0;
    codes->symbols = table + 16;
    codes->is_ac = is_ac;
    memset(codes->steps, 0, sizeof codes->steps);
    for (unsigned length = 1; length <= 16; length++) {
        code *= 2;
        codes->firsts[length] = symbol - code;
        for (unsigned i = 0; i < table[length - 1]; i++, code++, symbol++) {
            const unsigned step = step_of(codes, codes->symbols[symbol], length);
            const unsigned spare = length < JPEG_LOOK ? JPEG_LOOK - length : 0;
            for (unsigned k = 0; k < 1u << spare && length <= JPEG_LOOK; k++)
                codes->steps[(code << spare) + k] = (uint16_t)step;
        }
        codes->ends[length] = code;
    }
    for (unsigned next = 0; next < 1u << JPEG_LOOK && is_ac; next++)
        codes->leaps[next] = leap_of(codes, next);
}

/* --- Bits ------------------------------------------------------------------------------------- */

typedef struct reader {
    const uint8_t *at, *end;
    uint64_t buffer; /* the next bit is the highest */
    int bits;        /* in it; below 0: more were taken than there are */
} reader;

static inline uint64_t big_endian_64(const uint8_t *b)
{
    return (uint64_t)big_endian_32(b) << 32 | big_endian_32(b + 4);
}

static inline bool has_ff(uint64_t word)
{
    const uint64_t low = 0x0101010101010101u;
    return ((~word - low) & word & (low << 7)) != 0;
}

/* Byte by byte, where one may be FF or the end is near. */
static void refill_slowly(reader *r)
{
    for (; r->bits <= 56 && r->at < r->end; r->bits += 8) {
        r->buffer |= (uint64_t)*r->at << (56 - r->bits);
        r->at += *r->at == 0xff ? 2 : 1;
    }
}

/* At least 56 bits, unless the end is nearer: enough for two codes and what follows them. */
static inline void refill(reader *r)
{
    const uint64_t word = r->end - r->at < 8 ? UINT64_MAX : big_endian_64(r->at);
    if (has_ff(word)) {
        refill_slowly(r);
    } else {
        r->buffer |= word >> r->bits;
        r->at += (63 - r->bits) >> 3;
        r->bits |= 56;
    }
}

/* The step of a code that is longer than the table looks; 0: there is none such. */
static unsigned long_step(const jpeg_codes *codes, uint64_t buffer)
{
    for (unsigned length = JPEG_LOOK + 1; length <= 16; length++) {
        const uint32_t code = (uint32_t)(buffer >> (64 - length));
        if (code < codes->ends[length])
            return step_of(codes, codes->symbols[code + codes->firsts[length]], length);
    }
    return 0;
}

/* One code and the bits that follow it: how far it moves on; 0: it is no code. */
static inline unsigned take(reader *r, const jpeg_codes *codes, const uint16_t *steps)
{
    unsigned step = steps[r->buffer >> (64 - JPEG_LOOK)];
    if (step == 0)
        step = long_step(codes, r->buffer);
    const int bits = (int)(step & 31);
    r->buffer <<= bits;
    r->bits -= bits;
    return step >> 5;
}

/* No leap may end beyond the block, where the next begins. */
static inline bool move(reader *r, const jpeg_codes *ac, unsigned *at)
{
    const unsigned step = take(r, ac, *at < BLOCK - LEAP ? ac->leaps : ac->steps);
    *at += step;
    return step > 0;
}

/* Two codes for a refill, as asking before each whether it is due takes longer: 1.12 times in all. Lost: blocks'
 * beginnings by a table of DC with AC behind it (no gain), and walking without a branch that depends on the codes
 * (1.4 times as long, as then each waits for the one before it). */
static bool walk_block(reader *r, const jpeg_codes *dc, const jpeg_codes *ac)
{
    unsigned at = 1;
    refill(r);
    if (take(r, dc, dc->steps) == 0 || !move(r, ac, &at))
        return false;
    while (at < BLOCK) {
        refill(r);
        if (!move(r, ac, &at) || (at < BLOCK && !move(r, ac, &at)))
            return false;
    }
    return r->bits >= 0 && (at == BLOCK || at > END_OF_BLOCK);
}

bool jpeg_samples_in_order(const jpeg_unit *unit, bytes packed, size_t units)
{
    reader r = {.at = packed.data, .end = packed.data + packed.size};
    for (size_t i = 0; i < units; i++)
        for (int b = 0; b < unit->blocks; b++)
            if (!walk_block(&r, unit->dc[b], unit->ac[b]))
                return false;
    return r.at == r.end && r.bits < 8;
}
