#include "base/json.h"

#include "base/utf8.h"

#include <inttypes.h>
#include <string.h>

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

void json_problem(FILE *to, const problem *p)
{
    static const char *const kinds[] = {[PROBLEM_PLAIN] = "plain",
                                        [PROBLEM_STOPPED] = "stopped",
                                        [PROBLEM_DEVICE_MEMORY] = "device-memory",
                                        [PROBLEM_MEMORY] = "memory",
                                        [PROBLEM_TOO_LARGE] = "too-large",
                                        [PROBLEM_NOT_BUILT_IN] = "not-built-in"};
    char where[sizeof p->text];
    snprintf(where, sizeof where, "%.*s", (int)p->sentence, p->text);
    fprintf(to, "{\"kind\": \"%s\", \"where\": ", kinds[p->kind]);
    json_string(to, where);
    fputs(", \"text\": ", to);
    json_string(to, p->text + strlen(where));
    if (p->kind == PROBLEM_TOO_LARGE)
        fprintf(to, ", \"width\": %d, \"height\": %d, \"most\": %" PRIu64, p->width, p->height,
                p->most);
    if (p->kind == PROBLEM_NOT_BUILT_IN) {
        fputs(", \"format\": ", to);
        json_string(to, p->format);
    }
    fputs("}", to);
}
