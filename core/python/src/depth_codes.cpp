#include "python/src/depth_codes.h"

#include "python/src/errors.h"
#include "python/src/samples.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

// --- Numbers ------------------------------------------------------------------------------------

static float read(const uint8_t *at, sample type)
{
    uint16_t half;
    float single;
    double wide;
    switch (type) {
    case sample::f16:
        std::memcpy(&half, at, sizeof half);
        halves_to_floats(&half, &single, 1);
        return single;
    case sample::f64: std::memcpy(&wide, at, sizeof wide); return static_cast<float>(wide);
    default: std::memcpy(&single, at, sizeof single); return single;
    }
}

static std::vector<float> numbers_of(const uint8_t *data, const ptrdiff_t stride[2], int width,
                                     int height, sample type)
{
    std::vector<float> numbers(static_cast<size_t>(width) * static_cast<size_t>(height));
    float *to = numbers.data();
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            *to++ = read(data + y * stride[0] + x * stride[1], type);
    return numbers;
}

// --- Codes --------------------------------------------------------------------------------------

// Throws the reason why there are no codes.
[[noreturn]] static void refuse(satb_status status, const depth_request &r,
                                const satb_codes_report &report)
{
    char text[200];
    switch (report.fault) {
    case SATB_FAULT_UNKNOWN:
        throw argument_error("no number in depth is known; check the array, or depth_type");
    case SATB_FAULT_INFINITE:
        throw argument_error("every depth is infinite; check the array, or depth_type");
    case SATB_FAULT_APART:
        std::snprintf(
            text, sizeof text,
            "depth is %.4g to %.4g, and depth_range is (%g, %g); give a range that meets it",
            report.least, report.most, r.ends[0], r.ends[1]);
        throw argument_error(text);
    case SATB_FAULT_NOT_POSITIVE:
        std::snprintf(text, sizeof text, "depth_range begins at %g m; give metres above 0",
                      r.ends[0]);
        throw argument_error(text);
    case SATB_FAULT_ENDLESS:
        throw argument_error("depth_range ends at inf, which only metres have; give a number");
    default: throw_status(status, "");
    }
}

depth_map make_codes(const uint8_t *data, const ptrdiff_t stride[2], int width, int height,
                     sample type, const depth_request &request)
{
    const std::vector<float> numbers = numbers_of(data, stride, width, height, type);
    satb_codes_params params = {};
    params.unit = request.kind == depth_kind::metres ? 1 : 0;
    params.ends_by = !request.has_ends    ? SATB_ENDS_EXTREMES
                     : request.is_percent ? SATB_ENDS_PERCENTILES
                                          : SATB_ENDS_GIVEN;
    std::copy_n(request.ends, 2, params.ends);
    depth_map out;
    out.codes.reset(new uint16_t[numbers.size()]);
    const satb_status status =
        satb_depth_codes(numbers.data(), numbers.size(), &params, out.codes.get(), &out.report);
    if (status != SATB_OK)
        refuse(status, request, out.report);
    out.image.data = out.codes.get();
    out.image.stride = 2 * static_cast<ptrdiff_t>(width);
    out.image.width = width;
    out.image.height = height;
    out.image.channels = 1;
    out.image.bits = 16;
    return out;
}

void set_meaning(satb_dof_params &params, const depth_map &map, depth_kind kind, bool has_distance)
{
    const bool holes = map.report.unknown > 0;
    params.depth_type = kind == depth_kind::relative ? SATB_DEPTH_LINEAR : SATB_DEPTH_DISPARITY;
    params.range_low = holes ? 1.0 / UINT16_MAX : 0;
    params.range_high = holes ? 1 : 0;
    if (!holes)
        params.holes = SATB_HOLES_NONE;
    else if (params.holes == SATB_HOLES_DEFAULT)
        params.holes = SATB_HOLES_FILL;
    if (kind == depth_kind::metres) {
        params.near_black = 0;
        params.distance_near = map.report.least;
        params.distance_far = map.report.reaches_infinity ? INFINITY : map.report.most;
    } else if (!has_distance) {
        params.distance_near = params.distance_far = 0;
    }
}
