/* Base64 (RFC 4648, 4). */
#include "embedded/photo.h"

#include <string.h>

/* Returns the six bits of a letter; 64: white space; 65: the end; 66: any other. */
static unsigned sextet(uint8_t c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26u;
    if (c >= '0' && c <= '9')
        return c - '0' + 52u;
    return c == '+'                                          ? 62
           : c == '/'                                        ? 63
           : c == ' ' || c == '\n' || c == '\r' || c == '\t' ? 64
           : c == '='                                        ? 65
                                                             : 66;
}

bool base64_decode(bytes text, blob *out)
{
    uint8_t some[3 * 256];
    size_t filled = 0;
    uint32_t bits = 0;
    int count = 0; /* of bits */
    bool ended = false;
    for (size_t i = 0; i < text.size; i++) {
        const unsigned six = sextet(text.data[i]);
        if (six == 64)
            continue;
        if (six == 66 || (ended && six != 65))
            return false;
        ended = ended || six == 65;
        bits = ended ? bits : bits << 6 | six;
        count += ended ? 0 : 6;
        if (!ended && count >= 8) {
            count -= 8;
            some[filled++] = (uint8_t)(bits >> count);
        }
        if (filled == sizeof some) {
            if (!blob_add(out, some, filled))
                return false;
            filled = 0;
        }
    }
    return count < 6 && blob_add(out, some, filled);
}

void base64_encode(bytes from, blob *out)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < from.size && !out->failed; i += 3) {
        const size_t count = from.size - i < 3 ? from.size - i : 3;
        uint8_t three[3] = {0};
        memcpy(three, from.data + i, count);
        const uint32_t bits = (uint32_t)three[0] << 16 | big_endian_16(three + 1);
        const char four[] = {letters[bits >> 18], letters[bits >> 12 & 63],
                             count > 1 ? letters[bits >> 6 & 63] : '=',
                             count > 2 ? letters[bits & 63] : '='};
        blob_add(out, four, sizeof four);
    }
}
