/* Units behind or before numbers, as people type them: 40px, f/1.8, 80%. They are taken off before the option's reader sees
 * the value, so every reader and --resume see a plain number. */
#include "cli/args.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A row's units name these. A name may have several rows. */
static const struct unit {
    const char *name, *before, *behind;
    double per; /* the plain number is the typed one divided by this */
} units[] = {
    {"pixels", "", "px", 1},      {"share", "", "%", 100},  {"percent", "", "%", 1},
    {"factor", "", "x", 1},       {"factor", "", "%", 100}, {"fstop", "f/", "", 1},
    {"fstop", "F/", "", 1},       {"fstop", "f", "", 1},    {"fstop", "F", "", 1},
    {"millimetres", "", "mm", 1}, {"metres", "", "m", 1},   {"degrees", "", "deg", 1},
    {"degrees", "", "\u00b0", 1}, {"rate", "", "fps", 1},
};

/* Writes a part of a value, of some length, as a plain number if it has the unit. Returns the length; 0: it has not. */
static size_t take_off(const struct unit *unit, const char *text, size_t length, char *out,
                       size_t size)
{
    char number[32], *end;
    const size_t before = strlen(unit->before), behind = strlen(unit->behind);
    if (length <= before + behind || length - before - behind >= sizeof number ||
        strncmp(text, unit->before, before) != 0 ||
        strncmp(text + length - behind, unit->behind, behind) != 0)
        return 0;
    snprintf(number, sizeof number, "%.*s", (int)(length - before - behind), text + before);
    if (strspn(number, "0123456789.-") < strlen(number))
        return 0;
    const double value = strtod(number, &end);
    if (end == number || *end)
        return 0;
    const int used = unit->per == 1 ? snprintf(out, size, "%s", number)
                                    : snprintf(out, size, "%.15g", value / unit->per);
    return (size_t)used < size ? (size_t)used : 0;
}

/* Writes a part without the unit of that name, or as it is. Returns the length, or size if there is no room. */
static size_t put_part(const char *name, size_t name_length, const char *text, size_t length,
                       char *out, size_t size)
{
    const char *const colon = memchr(text, ':', length); /* T:R */
    const size_t skipped = colon ? (size_t)(colon - text) + 1 : 0;
    if (length >= size)
        return size;
    memcpy(out, text, length);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        const bool is_it =
            strlen(units[i].name) == name_length && strncmp(units[i].name, name, name_length) == 0;
        const size_t used = is_it ? take_off(&units[i], text + skipped, length - skipped,
                                             out + skipped, size - skipped)
                                  : 0;
        if (used > 0)
            return skipped + used;
    }
    return length;
}

const char *args_without_units(int option, const char *value)
{
    static char plain[OPT_COUNT][256]; /* the values that had units, until the next command line */
    const char *unit = args_rows[option].units;
    char *const out = plain[option];
    size_t used = 0;
    if (!unit || !value)
        return value;
    for (const char *part = value;; part++) {
        const size_t length = strcspn(part, ","), name_length = strcspn(unit, ",");
        used += put_part(unit, name_length, part, length, out + used, sizeof plain[0] - used);
        if (used >= sizeof plain[0] - 1)
            return value; /* too long to hold units */
        part += length;
        if (!*part)
            break;
        out[used++] = ',';
        unit += unit[name_length] ? name_length + 1 : 0;
    }
    out[used] = '\0';
    return strcmp(out, value) == 0 ? value : out;
}
