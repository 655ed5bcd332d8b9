#include "base/json.h"

#include "base/utf8.h"

void json_string(FILE *to, const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    fputc('"', to);
    while (*s) {
        const int length = utf8_length((const char *)s);
        const uint32_t control = utf8_control((const char *)s);
        if (length == 0)
            fputs("\\ufffd", to); /* a file name may be any bytes, a JSON text may not */
        else if (control)
            fprintf(to, "\\u%04x", (unsigned)control);
        else
            fprintf(to, "%s%.*s", *s == '"' || *s == '\\' ? "\\" : "", length, (const char *)s);
        s += length ? length : 1;
    }
    fputc('"', to);
}
