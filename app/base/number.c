#include "base/number.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

bool number_until(const char **at, const char *stops, double low, double high, double *out)
{
    const char *text = *at;
    const size_t length = strcspn(text, stops);
    const size_t plain = strspn(text, "0123456789.eE+-");
    if (length == 0 || plain < length || !strchr("0123456789.", text[0]))
        return false;
    char *end;
    const double value = strtod(text, &end);
    if (end != text + length || !(value >= low && value <= high))
        return false;
    *at = end;
    *out = value;
    return true;
}

bool number_whole_until(const char **at, const char *stops, int low, int high, int *out)
{
    const size_t length = strcspn(*at, stops);
    double value;
    if (strspn(*at, "0123456789") < length || !number_until(at, stops, low, high, &value))
        return false;
    *out = (int)value;
    return true;
}

double number_of_text(bytes text, double none)
{
    char copy[64] = {0};
    double value;
    if (text.size == 0 || text.size >= sizeof copy)
        return none;
    memcpy(copy, text.data, text.size);
    const char *at = copy + (copy[0] == '-' || copy[0] == '+');
    if (!number_until(&at, "", 0, DBL_MAX, &value) || at != copy + text.size)
        return none;
    return copy[0] == '-' ? -value : value;
}
