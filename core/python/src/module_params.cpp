// Structs of the header, as classes of the same fields.
#include "python/src/module.h"

#include <dof_table.h>
#include <nanobind/stl/string.h>

#include <cstring>
#include <iterator>
#include <type_traits>

static void bind_dof(nb::module_ &m)
{
    using p = satb_dof_params;
#define CHOICE(name, type, last, text, ...)                                                        \
    bound.def_prop_rw(                                                                             \
        #name, [](p &s) { return int(s.name); }, [](p &s, int v) { s.name = type(v); });           \
    choices[#name] = nb::make_tuple(__VA_ARGS__);
#define NUMBER(name, type, low, high, zero, preset, ...)                                           \
    bound.def_rw(#name, &p::name);                                                                 \
    numbers[#name] = nb::make_tuple(std::is_same_v<type, int>, low, high, zero != 0, preset);
    nb::class_<p> bound(m, "DofParams");
    nb::dict numbers; // whether they are whole, low, high, whether 0 is also allowed, preset
    nb::dict choices; // the words of the values from 0 on
    bound.def("__init__", [](p *self) { new (self) p{}; });
    SATB_DOF_CHOICES(CHOICE)
    SATB_DOF_NUMBERS(NUMBER)
    choices["edge"] = nb::make_tuple(SATB_EDGE_WORDS);
    m.attr("NUMBERS") = numbers;
    m.attr("CHOICES") = choices;
    bound
        .def_prop_rw(
            "gamma", [](p &s) { return s.look.gamma; }, [](p &s, int v) { s.look.gamma = v; })
        .def_prop_rw(
            "edge", [](p &s) { return int(s.look.edge); },
            [](p &s, int v) { s.look.edge = satb_edge(v); })
        .def_rw("focus", &p::focus)
        .def_rw("focus_x", &p::focus_x)
        .def_rw("focus_y", &p::focus_y)
        .def_rw("scaled", &p::scaled)
        .def_rw("max_radius", &p::max_radius)
        .def_rw("fstop", &p::fstop)
        .def_rw("focal_mm", &p::focal_mm)
        .def_rw("sensor_mm", &p::sensor_mm)
        .def_rw("near_black", &p::near_black)
        .def_rw("range_low", &p::range_low)
        .def_rw("range_high", &p::range_high)
        .def_rw("distance_near", &p::distance_near)
        .def_rw("distance_far", &p::distance_far);
}

#define WORDS(name, type, last, text, ...)                                                         \
    static const char *const words_of_##name[] = {__VA_ARGS__};
SATB_DOF_CHOICES(WORDS)

// Returns "satblur.NAME(field=value, ...)", with every field that dir() has of it; but a histogram is as long as a page.
static std::string text_of(nb::handle self)
{
    const nb::handle type = self.type();
    std::string text = "satblur." + nb::cast<std::string>(type.attr("__name__")) + "(";
    const char *comma = "";
    for (const nb::handle name : type.attr("__dict__")) {
        const std::string field = nb::cast<std::string>(name);
        if (field[0] == '_' || field == "histogram")
            continue;
        text += comma + field + "=" + nb::cast<std::string>(nb::repr(self.attr(name)));
        comma = ", ";
    }
    return text + ")";
}

// Names the public module, gives a text, and lets results be pickled and copied: their bytes, for the same version of the library. accept says whether the enums are some.
template <typename type>
static void bind_state(nb::class_<type> &bound, bool (*accept)(const type &))
{
    bound.attr("__module__") = "satblur";
    bound.def("__repr__", text_of);
    bound.def("__getstate__", [](const type &s) {
        return nb::make_tuple(satb_version(), nb::bytes(&s, sizeof s));
    });
    bound.def("__setstate__", [accept](type &s, const nb::tuple &state) {
        type found = {};
        const bool fits = state.size() == 2 && nb::isinstance<nb::str>(state[0]) &&
                          nb::isinstance<nb::bytes>(state[1]) &&
                          std::strcmp(nb::cast<const char *>(state[0]), satb_version()) == 0 &&
                          nb::cast<nb::bytes>(state[1]).size() == sizeof found;
        if (fits)
            std::memcpy(&found, nb::cast<nb::bytes>(state[1]).data(), sizeof found);
        if (!fits || !accept(found))
            throw nb::value_error("this was pickled by another version of satblur");
        new (&s) type(found);
    });
}

static bool has_names(const satb_dof_report &s)
{
    return unsigned(s.method) < std::size(words_of_method) &&
           unsigned(s.holes) < std::size(words_of_holes) &&
           unsigned(s.bokeh) < std::size(words_of_bokeh);
}

static void bind_report(nb::module_ &m)
{
    using r = satb_dof_report;
    nb::class_<r> bound(m, "Report", "What satblur.dof() and satblur.coc() found and assumed.");
    bind_state<r>(bound, has_names);
    bound.def_ro("focus", &r::focus, "disparity in focus, 0 to 1")
        .def_ro("focus_x", &r::focus_x, "a pixel in focus; -1: none")
        .def_ro("focus_y", &r::focus_y)
        .def_ro("focus_distance", &r::focus_distance, "metres; 0: unknown")
        .def_ro("distance_near", &r::distance_near, "metres; 0: unknown")
        .def_ro("distance_far", &r::distance_far)
        .def_ro("max_radius", &r::max_radius, "pixels at a disparity difference of 1")
        .def_ro("full_radius", &r::full_radius, "the bound of all radii, pixels")
        .def_ro("largest_radius", &r::largest_radius, "pixels")
        .def_ro("unknown", &r::unknown, "samples of the map that were holes")
        .def_ro("snapped", &r::snapped, "pixels of the map that were changed at its edges")
        .def_ro("mixed", &r::mixed, "pixels of two surfaces that went to the nearer one")
        .def_ro("subject", &r::subject, "the part of the picture that the matte covers, 0 to 1")
        .def_ro("kept", &r::kept, "the part of the picture that protect covers, 0 to 1")
        .def_ro("lights", &r::lights, "points of light that became discs")
        .def_ro("least", &r::least, "the extreme codes of the map, 0 to 1")
        .def_ro("most", &r::most)
        .def_prop_ro(
            "single_value", [](const r &s) { return s.single_value != 0; },
            "every depth is the same")
        .def_prop_ro(
            "resampled", [](const r &s) { return s.resampled != 0; },
            "the map had another size than the picture")
        .def_prop_ro("holes", [](const r &s) { return words_of_holes[s.holes]; })
        .def_prop_ro("method", [](const r &s) { return words_of_method[s.method]; })
        .def_prop_ro("bokeh", [](const r &s) { return words_of_bokeh[s.bokeh]; });
}

static nb::tuple histogram_of(const satb_channel_stats &s)
{
    nb::list bins;
    for (uint64_t bin : s.histogram)
        bins.append(bin);
    return nb::tuple(bins);
}

static void bind_stats(nb::module_ &m)
{
    using s = satb_channel_stats;
    nb::class_<s> bound(m, "ChannelStats", "Statistics of the codes of a channel; all are exact.");
    bind_state<s>(bound, [](const s &) { return true; });
    bound.def_ro("min", &s::min)
        .def_ro("max", &s::max)
        .def_ro("count", &s::count, "pixels")
        .def_ro("sum", &s::sum)
        .def_ro("sum_squares", &s::sum_squares)
        .def_ro("mean", &s::mean)
        .def_ro("stddev", &s::stddev, "of the population")
        .def_ro("p1", &s::p1, "percentiles are codes that occur")
        .def_ro("p5", &s::p5)
        .def_ro("median", &s::median)
        .def_ro("p95", &s::p95)
        .def_ro("p99", &s::p99)
        .def_ro("entropy", &s::entropy, "bits per sample")
        .def_ro("clipped_low", &s::clipped_low, "share of the pixels at code 0")
        .def_ro("clipped_high", &s::clipped_high, "share of the pixels at the largest code")
        .def_prop_ro("histogram", histogram_of, "256 counts; of 16 bits, a bin is code // 256");
}

void bind_params(nb::module_ &m)
{
    bind_dof(m);
    bind_report(m);
    m.attr("REPORT_BYTES") = sizeof(satb_dof_report);
    bind_stats(m);
}
