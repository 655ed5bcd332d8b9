#include "base/md5.h"

#include <exact_math.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BLOCK = 64 };

static uint32_t mix(unsigned round, uint32_t b, uint32_t c, uint32_t d)
{
    return round == 0   ? (b & c) | (~b & d)
           : round == 1 ? (b & d) | (c & ~d)
           : round == 2 ? b ^ c ^ d
                        : c ^ (b | ~d);
}

/* Adds a block to the state (RFC 1321, 3.4). */
static void add_block(uint32_t state[4], const uint8_t *block, const uint32_t sines[64])
{
    static const uint8_t turns[4][4] = {
        {7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
    static const uint8_t first[4] = {0, 1, 5, 0}, step[4] = {1, 5, 3, 7};
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    for (unsigned i = 0; i < 64; i++) {
        const unsigned round = i / 16, word = (first[round] + step[round] * i) % 16;
        const int turn = turns[round][i % 4];
        const uint32_t sum =
            a + mix(round, b, c, d) + sines[i] + little_endian_32(block + 4 * word);
        a = d, d = c, c = b;
        b += sum << turn | sum >> (32 - turn);
    }
    state[0] += a, state[1] += b, state[2] += c, state[3] += d;
}

void md5_name(bytes in, char name[33])
{
    uint32_t state[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476}, sines[64];
    uint8_t last[2 * BLOCK] = {0}; /* what is left, a bit, zeros, and the count of bits */
    const size_t rest = in.size % BLOCK, blocks = rest < BLOCK - 8 ? 1 : 2;
    for (int i = 0; i < 64; i++)
        sines[i] = (uint32_t)(fabs(satb_sin(i + 1)) * 0x1p32);
    for (size_t at = 0; at + BLOCK <= in.size; at += BLOCK)
        add_block(state, in.data + at, sines);
    if (rest > 0)
        memcpy(last, in.data + in.size - rest, rest);
    last[rest] = 0x80;
    for (size_t i = 0; i < 8; i++)
        last[blocks * BLOCK - 8 + i] = (uint8_t)((uint64_t)in.size * 8 >> 8 * i);
    for (size_t i = 0; i < blocks; i++)
        add_block(state, last + i * BLOCK, sines);
    for (size_t i = 0; i < 16; i++)
        snprintf(name + 2 * i, 3, "%02X", state[i / 4] >> 8 * (i % 4) & 255);
}
