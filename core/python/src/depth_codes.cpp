#include "python/src/depth_codes.h"

#include "python/src/errors.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

static const double farthest = 1e9; // numbers from here on are renderers' "nothing there"

// --- One number ---------------------------------------------------------------------------------

static float half_to_float(uint16_t half)
{
    const int exponent = half >> 10 & 31, fraction = half & 1023;
    const float size = exponent == 31 ? (fraction ? NAN : INFINITY)
                       : exponent == 0
                           ? std::ldexp(static_cast<float>(fraction), -24)
                           : std::ldexp(static_cast<float>(fraction + 1024), exponent - 25);
    return half >> 15 ? -size : size;
}

static float read(const uint8_t *at, sample type)
{
    uint16_t half;
    float single;
    double wide;
    switch (type) {
    case sample::f16: std::memcpy(&half, at, sizeof half); return half_to_float(half);
    case sample::f64: std::memcpy(&wide, at, sizeof wide); return static_cast<float>(wide);
    default: std::memcpy(&single, at, sizeof single); return single;
    }
}

// Returns the number; NaN: unknown.
static double known(float value, depth_kind kind)
{
    const double number = value;
    if (kind != depth_kind::metres)
        return std::isfinite(number) ? number : NAN;
    if (!(number > 0))
        return NAN;
    return number >= farthest ? INFINITY : number;
}

static double linear(depth_kind kind, double number)
{
    return kind == depth_kind::metres ? 1 / number : number;
}

// --- Ends ---------------------------------------------------------------------------------------

namespace
{
struct extent {
    double least = INFINITY, most = -INFINITY; // of the finite numbers
    uint64_t unknown = 0, infinite = 0;
};
} // namespace

static extent extent_of(const std::vector<float> &numbers, depth_kind kind)
{
    extent e;
    for (float value : numbers) {
        const double number = known(value, kind);
        e.unknown += std::isnan(number);
        e.infinite += std::isinf(number);
        if (!std::isfinite(number))
            continue;
        e.least = std::min(e.least, number);
        e.most = std::max(e.most, number);
    }
    return e;
}

static void find_percentiles(const std::vector<float> &numbers, const depth_request &r,
                             double ends[2])
{
    std::vector<float> sorted;
    for (float value : numbers)
        if (std::isfinite(known(value, r.kind)))
            sorted.push_back(value);
    for (int i = 0; i < 2; i++) {
        const auto at =
            static_cast<size_t>(r.ends[i] / 100 * static_cast<double>(sorted.size() - 1) + 0.5);
        std::nth_element(sorted.begin(), sorted.begin() + static_cast<ptrdiff_t>(at), sorted.end());
        ends[i] = sorted[at];
    }
}

static void refuse(const char *format, double a, double b, double c, double d)
{
    char text[200];
    std::snprintf(text, sizeof text, format, a, b, c, d);
    throw argument_error(text);
}

static void find_ends(const std::vector<float> &numbers, const depth_request &r, const extent &e,
                      depth_map &out)
{
    double ends[2] = {e.least, e.most};
    if (r.has_ends && r.is_percent)
        find_percentiles(numbers, r, ends);
    if (r.has_ends && !r.is_percent) {
        ends[0] = r.ends[0];
        ends[1] = r.ends[1];
        if (e.least > ends[1] || e.most < ends[0])
            refuse("depth is %.4g to %.4g, and depth_range is (%g, %g); give a range that meets it",
                   e.least, e.most, ends[0], ends[1]);
    }
    const bool metres = r.kind == depth_kind::metres;
    if (metres && r.has_ends && ends[0] <= 0)
        refuse("depth_range begins at %g m; give metres above 0", ends[0], 0, 0, 0);
    if (!metres && std::isinf(ends[1]))
        throw argument_error("depth_range ends at inf, which only metres have; give a number");
    out.least = ends[0];
    out.most = ends[1];
    out.reaches_infinity = std::isinf(ends[1]) || (!r.has_ends && e.infinite > 0) ||
                           (metres && 1 / ends[0] <= 1 / ends[1]); // a scale needs two ends
}

// --- Codes --------------------------------------------------------------------------------------

static void fill(const std::vector<float> &numbers, depth_kind kind, const depth_map &m,
                 uint16_t *to)
{
    const bool metres = kind == depth_kind::metres;
    const double first = m.unknown > 0 ? 1 : 0;
    const double far = m.reaches_infinity ? 0 : linear(kind, m.most);
    const double low = metres ? far : m.least;
    const double high = metres ? linear(kind, m.least) : m.most;
    for (float value : numbers) {
        const double number = known(value, kind);
        double z = high > low ? (linear(kind, number) - low) / (high - low) : 1;
        z = z < 0 ? 0 : z > 1 ? 1 : z;
        *to++ =
            std::isnan(number) ? 0 : static_cast<uint16_t>(first + z * (UINT16_MAX - first) + 0.5);
    }
}

static std::vector<float> numbers_of(const uint8_t *data, const ptrdiff_t stride[2], int width,
                                     int height, sample type)
{
    std::vector<float> numbers;
    numbers.reserve(static_cast<size_t>(width) * static_cast<size_t>(height));
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            numbers.push_back(read(data + y * stride[0] + x * stride[1], type));
    return numbers;
}

depth_map make_codes(const uint8_t *data, const ptrdiff_t stride[2], int width, int height,
                     sample type, const depth_request &request)
{
    const std::vector<float> numbers = numbers_of(data, stride, width, height, type);
    const extent e = extent_of(numbers, request.kind);
    depth_map out;
    out.unknown = e.unknown;
    if (e.unknown == numbers.size())
        throw argument_error("no number in depth is known; check the array, or depth_type");
    if (e.unknown + e.infinite == numbers.size())
        throw argument_error("every depth is infinite; check the array, or depth_type");
    find_ends(numbers, request, e, out);
    out.codes.reset(new uint16_t[numbers.size()]);
    out.image = {};
    out.image.data = out.codes.get();
    out.image.stride = 2 * static_cast<ptrdiff_t>(width);
    out.image.width = width;
    out.image.height = height;
    out.image.channels = 1;
    out.image.bits = 16;
    fill(numbers, request.kind, out, out.codes.get());
    return out;
}

void set_meaning(satb_dof_params &params, const depth_map &map, depth_kind kind, bool has_distance)
{
    const bool holes = map.unknown > 0;
    params.depth_type = kind == depth_kind::relative ? SATB_DEPTH_LINEAR : SATB_DEPTH_DISPARITY;
    params.range_low = holes ? 1.0 / UINT16_MAX : 0;
    params.range_high = holes ? 1 : 0;
    if (!holes)
        params.holes = SATB_HOLES_NONE;
    else if (params.holes == SATB_HOLES_DEFAULT)
        params.holes = SATB_HOLES_FILL;
    if (kind == depth_kind::metres) {
        params.near_black = 0;
        params.distance_near = map.least;
        params.distance_far = map.reaches_infinity ? INFINITY : map.most;
    } else if (!has_distance) {
        params.distance_near = params.distance_far = 0;
    }
}
