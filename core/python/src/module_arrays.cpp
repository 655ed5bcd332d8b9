// The array primitives. Results are written into arrays that the caller made.
#include "python/src/context_pool.h"
#include "python/src/module.h"

#include <utility>

static array_view words_of(nb::handle array, const char *name, bool written, bool wide)
{
    array_view v = view_of(array, name, written, wide ? "uint32 or uint64" : "uint32");
    need_dense_host(v, name);
    if (v.shape.size() != 1)
        throw nb::value_error((std::string(name) + " has shape " + v.shape_text() +
                               "; give an array of one dimension")
                                  .c_str());
    if (v.type != sample::u32 && (!wide || v.type != sample::u64))
        throw nb::type_error(
            (std::string(name) +
             (wide ? " is neither uint32 nor uint64; convert it" : " is not uint32; convert it"))
                .c_str());
    return v;
}

static int bits_of(const array_view &v)
{
    return v.type == sample::u64 ? 64 : 32;
}

static void scan(nb::handle in, nb::handle out, bool max, bool exclusive, int device)
{
    const array_view from = words_of(in, "values", false, true),
                     to = words_of(out, "out", true, true);
    if (from.shape != to.shape || from.type != to.type)
        throw nb::value_error("out has another shape or type than values; give the same");
    const satb_scan_params params = {bits_of(from), max, exclusive};
    const gil_rest rest;
    satb_context *const context = pool_context(device);
    pool_check(context, satb_scan(context, from.data, to.data, from.count(), &params));
}

static uint64_t reduce(nb::handle values, int op, int device)
{
    const array_view v = words_of(values, "values", false, false);
    uint64_t result = 0;
    const gil_rest rest;
    satb_context *const context = pool_context(device);
    pool_check(context, satb_reduce(context, reinterpret_cast<uint32_t *>(v.data), v.count(),
                                    static_cast<satb_reduce_op>(op), &result));
    return result;
}

static size_t compact(nb::handle values, uint32_t low, uint32_t high, nb::handle out,
                      nb::handle indices, int device)
{
    const array_view v = words_of(values, "values", false, false),
                     to = words_of(out, "out", true, false);
    const array_view places = words_of(indices, "indices", true, true);
    size_t kept = 0;
    if (to.count() < v.count() || places.count() < v.count() || bits_of(places) != 64)
        throw nb::value_error("out or indices is smaller than values; give as many elements");
    const gil_rest rest;
    satb_context *const context = pool_context(device);
    pool_check(context, satb_compact(context, reinterpret_cast<uint32_t *>(v.data), v.count(), low,
                                     high, reinterpret_cast<uint32_t *>(to.data),
                                     reinterpret_cast<uint64_t *>(places.data), &kept));
    return kept;
}

static void sort(nb::handle keys, nb::object values, int device)
{
    const array_view k = words_of(keys, "keys", true, true);
    const array_view v = values.is_none() ? array_view() : words_of(values, "values", true, false);
    if (v.data && v.count() != k.count())
        throw nb::value_error("values has another number of elements than keys; give as many");
    const gil_rest rest;
    satb_context *const context = pool_context(device);
    pool_check(context, satb_sort(context, k.data, reinterpret_cast<uint32_t *>(v.data), k.count(),
                                  bits_of(k)));
}

void bind_arrays(nb::module_ &m)
{
    m.def("scan", scan, nb::arg("values"), nb::arg("out"), nb::arg("max"), nb::arg("exclusive"),
          nb::arg("device"));
    m.def("reduce", reduce, nb::arg("values"), nb::arg("op"), nb::arg("device"));
    m.def("compact", compact, nb::arg("values"), nb::arg("low"), nb::arg("high"), nb::arg("out"),
          nb::arg("indices"), nb::arg("device"));
    m.def("sort", sort, nb::arg("keys"), nb::arg("values").none(), nb::arg("device"));
}
