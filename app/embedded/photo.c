#include "embedded/photo.h"

#include <math.h>
#include <string.h>

embedded_status embedded_fail(problem *p, const char *what)
{
    problem_set(p, "%s", what);
    return EMBEDDED_FAILED;
}

bytes embedded_slice(bytes file, uint64_t at, uint64_t size)
{
    if (at > file.size || size > file.size - at)
        return (bytes){.size = 0};
    return (bytes){.data = file.data + at, .size = (size_t)size};
}

/* RangeInverse is (1/near - 1/d) / (1/near - 1/far), and RangeLinear is (d - near) / (far - near). */
bool embedded_set_google(embedded_map *map, bytes format, double near, double far, double metres)
{
    static const char inverse[] = "RangeInverse", linear[] = "RangeLinear";
    const bool is_inverse =
        format.size == sizeof inverse - 1 && memcmp(format.data, inverse, format.size) == 0;
    const bool is_linear =
        format.size == sizeof linear - 1 && memcmp(format.data, linear, format.size) == 0;
    map->means.type = is_linear ? SATB_DEPTH_LINEAR : SATB_DEPTH_DISPARITY;
    map->means.near_black = true;
    if (metres > 0 && near > 0 && near < far) {
        map->means.distance_near = near * metres;
        map->means.distance_far =
            is_inverse && far * metres >= GOOGLE_FARTHEST ? (double)INFINITY : far * metres;
    }
    return is_inverse || is_linear;
}
