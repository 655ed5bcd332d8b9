#include "python/src/samples.h"

#include <cstring>

// Compiles a function for several sets of the CPU's instructions. GCC before 12 knows none of the levels.
#if defined __x86_64__ && defined __gnu_linux__ && __GNUC__ >= 12 && !defined __clang__
#define IN_VECTORS __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define IN_VECTORS
#endif

static inline uint32_t bits_of(float number)
{
    uint32_t bits;
    std::memcpy(&bits, &number, sizeof bits);
    return bits;
}

static inline float number_of(uint32_t bits)
{
    float number;
    std::memcpy(&number, &bits, sizeof number);
    return number;
}

IN_VECTORS bool floats_to_codes(const float *from, uint16_t *to, size_t count)
{
    int fine = 1;
    for (size_t i = 0; i < count; i++) {
        const float low = from[i] > 0 ? from[i] : 0, code = low < 1 ? low : 1;
        fine &= from[i] == code;
        to[i] = static_cast<uint16_t>(static_cast<int>(code * 65535.0f + 0.5f));
    }
    return fine;
}

IN_VECTORS void codes_to_floats(const uint16_t *from, float *to, size_t count)
{
    for (size_t i = 0; i < count; i++)
        to[i] = static_cast<float>(static_cast<int>(from[i])) / 65535.0f;
}

IN_VECTORS void floats_to_halves(const float *from, uint16_t *to, size_t count)
{
    enum : uint32_t { BIAS = (127 - 15) << 23, ENDLESS = 0x7c00, NAN_BITS = 0x7e00 };
    for (size_t i = 0; i < count; i++) {
        const uint32_t bits = bits_of(from[i]), size = bits & 0x7fffffff;
        const uint32_t usual = (size - BIAS + 0xfff + (size >> 13 & 1)) >> 13;
        // Below 2^-14 halves count in 2^-24: so does 0.5 plus the number in a float.
        const uint32_t small = bits_of(number_of(size) + 0.5f) - bits_of(0.5f);
        uint32_t half = size < BIAS + (1 << 23) ? small : usual;
        half = size >= 0x477ff000 ? ENDLESS : half; // 65520
        half = size > 0x7f800000 ? NAN_BITS : half;
        to[i] = static_cast<uint16_t>(half | (bits >> 16 & 0x8000));
    }
}

IN_VECTORS void halves_to_floats(const uint16_t *from, float *to, size_t count)
{
    enum : uint32_t { BIAS = (127 - 15) << 23, ENDLESS = 0x7c00 };
    for (size_t i = 0; i < count; i++) {
        const uint32_t size = from[i] & 0x7fff, sign = (from[i] & 0x8000u) << 16;
        const uint32_t usual = (size << 13) + (size < ENDLESS ? BIAS : 2 * BIAS);
        const uint32_t small = bits_of(static_cast<float>(static_cast<int>(size)) * 0x1p-24f);
        to[i] = number_of((size < 1024 ? small : usual) | sign);
    }
}

IN_VECTORS size_t odd_halves(const uint16_t *from, size_t count)
{
    enum { NEGATIVE = 0x8000, MOST = 0x6c00 }; // -0; 4096
    unsigned odd = 0;
    for (size_t i = 0; i < count; i++)
        odd += from[i] > MOST && from[i] != NEGATIVE;
    return odd;
}
