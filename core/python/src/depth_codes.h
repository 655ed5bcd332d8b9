// Numbers of a depth map become 16-bit codes, as the program makes them of the same numbers in a file.
#pragma once

#include "python/src/array_view.h"

#include <satblur.h>

#include <memory>

enum class depth_kind { disparity, relative, metres };

struct depth_request {
    depth_kind kind = depth_kind::disparity;
    bool has_ends = false, is_percent = false;
    double ends[2] = {0, 0};
};

struct depth_map {
    std::unique_ptr<uint16_t[]> codes; // dense
    satb_image image = {};
    satb_codes_report report = {};
};

// Makes codes of one map of floats in the host's memory. NaN is unknown; infinities are, too, but in metres +infinity and
// numbers from 10^9 on are infinitely far, and 0 and negative numbers are unknown. Metres become disparity. Throws ValueError
// if no number is a depth, or if the ends do not meet them. Needs no GIL.
depth_map make_codes(const uint8_t *data, const ptrdiff_t stride[2], int width, int height,
                     sample type, const depth_request &request);

// Sets what the codes mean to the library. holes as they are in params, if there are unknown samples.
void set_meaning(satb_dof_params &params, const depth_map &map, depth_kind kind, bool has_distance);
