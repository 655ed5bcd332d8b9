#include "base/utf8.h"

#include <stdbool.h>
#include <string.h>

int utf8_length(const char *text)
{
    const unsigned char *const s = (const unsigned char *)text;
    const int length = s[0] < 0x80   ? 1
                       : s[0] < 0xc2 ? 0
                       : s[0] < 0xe0 ? 2
                       : s[0] < 0xf0 ? 3
                       : s[0] < 0xf5 ? 4
                                     : 0;
    for (int i = 1; i < length; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
        (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))
        return 0;
    return length;
}

static uint32_t code_point(const unsigned char *s, int length)
{
    uint32_t code = length == 1 ? s[0] : s[0] & (0x7fu >> length);
    for (int i = 1; i < length; i++)
        code = code << 6 | (s[i] & 0x3f);
    return code;
}

uint32_t utf8_control(const char *s)
{
    static const struct {
        uint32_t first, last;
    } ranges[] = {{0x01, 0x1f},     {0x7f, 0x9f},     {0x61c, 0x61c},
                  {0x200e, 0x200f}, {0x2028, 0x202e}, {0x2066, 0x2069}};
    const int length = utf8_length(s);
    const uint32_t code = length ? code_point((const unsigned char *)s, length) : 0;
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (code >= ranges[i].first && code <= ranges[i].last)
            return code;
    return 0;
}

size_t utf8_show(const char *text, char *out, size_t size)
{
    size_t used = 0;
    while (*text) {
        const int length = utf8_length(text), step = length ? length : 1;
        const bool is_shown = length > 0 && utf8_control(text) == 0;
        const size_t more = is_shown ? (size_t)length : 1;
        if (used + more >= size)
            break;
        memcpy(out + used, is_shown ? text : "?", more);
        used += more;
        text += step;
    }
    out[used] = '\0';
    return used;
}
