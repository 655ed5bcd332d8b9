/* Base64 (RFC 4648, 4). */
#include "embedded/photo.h"

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

void base64_encode(bytes in, blob *text)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t at = 0; at < in.size; at += 3) {
        const size_t left = in.size - at;
        const uint32_t bits = (uint32_t)in.data[at] << 16 |
                              (left > 1 ? (uint32_t)in.data[at + 1] << 8 : 0) |
                              (left > 2 ? in.data[at + 2] : 0);
        char four[4];
        for (size_t i = 0; i < 4; i++)
            four[i] = i > left ? '=' : letters[bits >> (18 - 6 * i) & 63];
        blob_add(text, four, 4);
    }
}
