// The functions on images. A call looks at its arrays, lets go of the GIL, and works through the batch.
#include "python/src/context_pool.h"
#include "python/src/depth_codes.h"
#include "python/src/errors.h"
#include "python/src/images.h"
#include "python/src/judge.h"
#include "python/src/module.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>

enum { DEVICE_BY_ARRAYS = -3 };

// Where a call runs: a device or DEVICE_BY_ARRAYS, and the caller's CUDA stream; none: the context's own. light: floats of
// pictures are light, not codes.
struct place {
    int device = DEVICE_BY_ARRAYS;
    std::optional<intptr_t> stream;
    bool light = false;
};

// --- Devices ------------------------------------------------------------------------------------

static int device_of(int asked, std::initializer_list<const images *> all)
{
    int device = asked;
    for (const images *each : all) {
        if (!each || each->view.cuda < 0)
            continue;
        if (device >= 0 && device != each->view.cuda)
            throw nb::value_error((std::string(each->name) +
                                   " is on cuda:" + std::to_string(each->view.cuda) +
                                   " and the call is on cuda:" + std::to_string(device) +
                                   "; bring all arrays to one device")
                                      .c_str());
        if (device == DEVICE_CPU)
            throw nb::value_error((std::string(each->name) +
                                   " is on cuda:" + std::to_string(each->view.cuda) +
                                   " and device is 'cpu'; copy it to the host")
                                      .c_str());
        device = each->view.cuda;
    }
    return device == DEVICE_BY_ARRAYS ? DEVICE_AUTO : device;
}

// Returns the context, with the stream set. Needs no GIL.
static satb_context *open_at(int device, const place &where)
{
    satb_context *const context = pool_context(device);
    if (satb_is_cuda(context)) {
        void *const stream =
            where.stream ? reinterpret_cast<void *>(*where.stream) : SATB_OWN_STREAM;
        pool_check(context, satb_set_stream(context, stream));
    }
    return context;
}

// --- Blurs --------------------------------------------------------------------------------------

// Lets Python warn. The line of the caller's that is named is outside the package.
static void tell(const notes &doubts)
{
    for (const std::string &line : doubts.lines)
        nb::module_::import_("satblur._call").attr("warn")(line);
}

// Calls work(context, index) for every image of src. src and dst become codes before, and dst floats afterwards. Doubts are
// told in the end.
template <typename function>
static void run(images &src, images *dst, int device, const place &where, notes &doubts,
                function work)
{
    {
        const gil_rest rest;
        satb_context *const context = open_at(device, where);
        src.load(doubts);
        for (size_t i = 0; i < src.list.size(); i++)
            pool_check(context, work(context, i));
        if (dst)
            dst->store(src);
    }
    tell(doubts);
}

static images result_of(const images &src, nb::handle out)
{
    images dst = pictures_of(out, "out", true, src.is_light());
    need_same(src, dst);
    refuse_overlap(src, dst);
    return dst;
}

static void box(nb::handle image, nb::handle out, double rx, double ry, int gamma, int edge,
                place where)
{
    images src = pictures_of(image, "image", false, where.light), dst = result_of(src, out);
    const satb_box_params params = {rx, ry, {gamma, static_cast<satb_edge>(edge)}};
    notes doubts;
    run(src, &dst, device_of(where.device, {&src, &dst}), where, doubts,
        [&](satb_context *context, size_t i) {
            return satb_box(context, &src.list[i], &dst.list[i], &params);
        });
}

// Throws unless the maps are one, or one for each image.
static void need_number(const images &src, const images &map)
{
    if (map.list.size() != 1 && map.list.size() != src.list.size())
        throw nb::value_error((std::string(map.name) + " has " + std::to_string(map.list.size()) +
                               " planes and image " + std::to_string(src.list.size()) +
                               "; give one, or as many")
                                  .c_str());
}

static const satb_image *plane(const images &maps, size_t i)
{
    return &maps.list[maps.list.size() == 1 ? 0 : i];
}

static void blur_map(nb::handle image, nb::handle map, nb::handle out, double max_radius, int gamma,
                     int edge, place where)
{
    images src = pictures_of(image, "image", false, where.light), dst = result_of(src, out);
    images radii = planes_of(map, "map", src.view.shape.size() == 4);
    need_number(src, radii);
    const satb_map_params params = {max_radius, {gamma, static_cast<satb_edge>(edge)}};
    const int device = device_of(where.device, {&src, &dst, &radii});
    notes doubts;
    radii.load(doubts);
    run(src, &dst, device, where, doubts, [&](satb_context *context, size_t i) {
        judge_map(src.list[i], *plane(radii, i), "map", map_use::radius, true, doubts);
        return satb_blur_map(context, &src.list[i], plane(radii, i), &dst.list[i], &params);
    });
}

static void equalize(nb::handle image, nb::handle out, place where)
{
    images src = pictures_of(image, "image", false), dst = result_of(src, out);
    notes doubts;
    run(src, &dst, device_of(where.device, {&src, &dst}), where, doubts,
        [&](satb_context *context, size_t i) {
            return satb_equalize(context, &src.list[i], &dst.list[i]);
        });
}

// --- Depth of field -----------------------------------------------------------------------------

// The maps of a call: images of codes, or numbers that become codes one image at a time.
struct depths {
    std::optional<images> codes;
    std::optional<array_view> numbers; // H x W or N x H x W
    depth_request request;
    bool has_distance = false, has_range = false, has_near = false;

    size_t count() const
    {
        return codes                                   ? codes->list.size()
               : numbers && numbers->shape.size() == 3 ? numbers->shape[0]
                                                       : 1;
    }
};

static bool is_number(sample type)
{
    return type == sample::f16 || type == sample::f32 || type == sample::f64;
}

static array_view numbers_of(array_view v, bool batch)
{
    if (v.cuda >= 0)
        throw nb::value_error("depth has numbers on a GPU; copy it to the host");
    if (v.shape.size() == (batch ? 4u : 3u) && v.shape.back() == 1) {
        v.shape.pop_back();
        v.stride.pop_back();
    }
    if (v.shape.size() != 2 && !(batch && v.shape.size() == 3))
        throw nb::value_error(("depth has shape " + v.shape_text() +
                               "; give (height, width), or (number, height, width) for a batch")
                                  .c_str());
    if (v.shape.back() > INT32_MAX || v.shape[v.shape.size() - 2] > INT32_MAX)
        throw nb::value_error(
            ("depth has shape " + v.shape_text() + ", which is too large").c_str());
    return v;
}

static depths depths_of(nb::handle array, bool batch)
{
    depths d;
    if (array.is_none())
        return d;
    array_view v = view_of(array, "depth", false);
    if (is_number(v.type))
        d.numbers = numbers_of(v, batch);
    else
        d.codes = planes_of(array, "depth", batch);
    return d;
}

// Makes codes of the numbers of image i, and says to params what they mean.
static depth_map codes_at(const depths &d, size_t i, satb_dof_params &params)
{
    const array_view &v = *d.numbers;
    const size_t at = v.shape.size() - 2;
    const uint8_t *const data = v.data + (at ? static_cast<ptrdiff_t>(i) * v.stride[0] : 0);
    depth_map map = make_codes(data, &v.stride[at], static_cast<int>(v.shape[at + 1]),
                               static_cast<int>(v.shape[at]), v.type, d.request);
    set_meaning(params, map, d.request.kind, d.has_distance);
    return map;
}

using dof_function = decltype(&satb_dof);

static std::vector<satb_dof_report> blur_by_depth(dof_function function, images &src, images &dst,
                                                  depths &d, std::optional<images> &matte,
                                                  std::optional<images> &protect,
                                                  const satb_dof_params &given, const place &where)
{
    std::vector<satb_dof_report> reports(src.list.size());
    const int device =
        device_of(where.device, {&src, &dst, d.codes ? &*d.codes : nullptr,
                                 matte ? &*matte : nullptr, protect ? &*protect : nullptr});
    notes doubts;
    if (matte)
        matte->load(doubts);
    if (protect)
        protect->load(doubts);
    depth_map map;
    satb_dof_params settled = given;
    run(src, &dst, device, where, doubts, [&](satb_context *context, size_t i) {
        if (d.numbers && (i == 0 || d.count() > 1)) {
            settled = given;
            map = codes_at(d, i, settled);
        }
        satb_dof_params params = settled;
        params.matte = matte ? plane(*matte, i) : nullptr;
        params.protect = protect ? plane(*protect, i) : nullptr;
        const satb_image *const depth = d.numbers ? &map.image
                                        : d.codes ? plane(*d.codes, i)
                                                  : nullptr;
        const satb_image &image = src.list[i];
        if (depth)
            judge_map(image, *depth, "depth", map_use::depth, d.has_range, doubts);
        if (depth && !d.has_near)
            judge_near(*depth, params, doubts);
        if (params.matte)
            judge_map(image, *params.matte, "matte", map_use::mask, true, doubts);
        if (params.matte && !depth)
            judge_subject(*params.matte);
        if (params.protect)
            judge_map(image, *params.protect, "protect", map_use::mask, true, doubts);
        const satb_status status =
            function(context, &image, depth, &dst.list[i], &params, &reports[i]);
        if (status == SATB_OK)
            judge_report(reports[i], depth, params.matte, params.protect, doubts);
        return status;
    });
    return reports;
}

static std::vector<satb_dof_report> dof(nb::handle image, nb::handle depth, nb::handle matte,
                                        nb::handle protect, nb::handle out, bool coc,
                                        const satb_dof_params &params, int kind, bool has_near,
                                        bool has_distance, std::optional<std::vector<double>> ends,
                                        bool is_percent, place where)
{
    images src = pictures_of(image, "image", false, where.light);
    images dst = coc ? pictures_of(out, "out", true) : result_of(src, out);
    const bool batch = src.view.shape.size() == 4;
    depths d = depths_of(depth, batch);
    d.request.kind = static_cast<depth_kind>(kind);
    d.request.has_ends = ends.has_value();
    d.request.is_percent = is_percent;
    for (size_t i = 0; ends && i < 2; i++)
        d.request.ends[i] = (*ends)[i];
    d.has_near = has_near || (d.numbers && d.request.kind == depth_kind::metres);
    d.has_distance = has_distance;
    d.has_range = ends || params.range_high > 0;
    std::optional<images> mask, kept;
    if (!matte.is_none())
        mask = planes_of(matte, "matte", batch);
    if (!protect.is_none())
        kept = planes_of(protect, "protect", batch);
    if (d.codes)
        need_number(src, *d.codes);
    if (d.count() != 1 && d.count() != src.list.size())
        throw nb::value_error(
            "depth has another number of planes than image; give one, or as many");
    if (mask)
        need_number(src, *mask);
    if (kept)
        need_number(src, *kept);
    return blur_by_depth(coc ? satb_coc : satb_dof, src, dst, d, mask, kept, params, where);
}

// --- Tables and statistics ----------------------------------------------------------------------

static std::vector<satb_channel_stats> measure(nb::handle image, bool luminance, place where)
{
    images src = pictures_of(image, "image", false);
    const auto channels = static_cast<size_t>(luminance ? 1 : src.list[0].channels);
    std::vector<satb_channel_stats> stats(src.list.size() * channels);
    notes doubts;
    run(src, nullptr, device_of(where.device, {&src}), where, doubts,
        [&](satb_context *context, size_t i) {
            return (luminance ? satb_measure_luminance : satb_measure)(context, &src.list[i],
                                                                       &stats[i * channels]);
        });
    return stats;
}

static void table(nb::handle image, nb::handle out, place where)
{
    images src = pictures_of(image, "image", false);
    const array_view to = view_of(out, "out", true);
    need_dense_host(to, "out");
    if (to.shape != src.view.shape || (to.type != sample::u32 && to.type != sample::u64))
        throw nb::value_error("out has another shape than image, or is neither uint32 nor uint64");
    const size_t words = to.count() / src.list.size();
    notes doubts;
    run(src, nullptr, device_of(where.device, {&src}), where, doubts,
        [&](satb_context *context, size_t i) {
            return satb_table(context, &src.list[i], to.type == sample::u64 ? 64 : 32,
                              to.data + i * words * to.bytes());
        });
}

// Returns the codes of a map of numbers in out, uint16, and the numbers at the ends of the scale.
static nb::tuple depth_codes(nb::handle depth, nb::handle out, int kind)
{
    depths d = depths_of(depth, false);
    const array_view to = view_of(out, "out", true);
    if (!d.numbers || to.type != sample::u16 || !to.is_dense() || to.count() != d.numbers->count())
        throw nb::value_error("depth has no numbers, or out is not uint16 of its shape");
    satb_dof_params params = {};
    d.request.kind = static_cast<depth_kind>(kind);
    const depth_map map = codes_at(d, 0, params);
    std::copy(map.codes.get(), map.codes.get() + to.count(), reinterpret_cast<uint16_t *>(to.data));
    return nb::make_tuple(map.report.least, map.report.most, map.report.unknown);
}

// Judges floats on a GPU, of which the caller has counted what is odd.
static void check_floats(const char *name, size_t samples, size_t below, size_t beyond,
                         size_t unknown, double least, double most)
{
    notes doubts;
    judge_floats(name, {samples, below, beyond, unknown, least, most}, doubts);
    tell(doubts);
}

// Judges an image of half floats.
static void check_halves(nb::handle image)
{
    images src = pictures_of(image, "image", false, true);
    notes doubts;
    src.load(doubts);
    tell(doubts);
}

// --- The module ---------------------------------------------------------------------------------

static std::string describe(int device)
{
    const gil_rest rest;
    return satb_describe(pool_context(device));
}

static void bind_errors(nb::module_ &m)
{
    nb::exception<limit_error>(m, "LimitError", PyExc_ValueError).attr("__doc__") =
        "Sizes are legal one by one, but too large together.";
    nb::register_exception_translator([](const std::exception_ptr &p, void *) {
        try {
            std::rethrow_exception(p);
        } catch (const argument_error &e) {
            PyErr_SetString(PyExc_ValueError, e.what());
        } catch (const memory_error &e) {
            PyErr_SetString(PyExc_MemoryError, e.what());
        }
    });
}

NB_MODULE(_core, m)
{
    nb::set_leak_warnings(false); // a thread may still be in a call when Python ends
    m.attr("__version__") = satb_version();
    bind_errors(m);
    bind_params(m);
    bind_arrays(m);
    nb::class_<place>(m, "Place")
        .def(
            "__init__",
            [](place *self, int device, std::optional<intptr_t> stream, bool light) {
                new (self) place{device, stream, light};
            },
            nb::arg("device"), nb::arg("stream").none(), nb::arg("light") = false);
    m.def("box", box);
    m.def("blur_map", blur_map);
    m.def("equalize", equalize);
    m.def("dof", dof, nb::arg("image"), nb::arg("depth").none(), nb::arg("matte").none(),
          nb::arg("protect").none(), nb::arg("out"), nb::arg("coc"), nb::arg("params"),
          nb::arg("kind"), nb::arg("has_near"), nb::arg("has_distance"), nb::arg("ends").none(),
          nb::arg("is_percent"), nb::arg("place"));
    m.def("measure", measure);
    m.def("table", table);
    m.def("depth_codes", depth_codes);
    m.def("check_floats", check_floats);
    m.def("check_halves", check_halves);
    m.def("describe", describe);
    m.def("close", pool_close);
    m.def("trim", pool_trim);
}
