#include "python/src/array_view.h"

static const char *text_of(nb::dlpack::dtype_code code)
{
    return code == nb::dlpack::dtype_code::Int      ? "int"
           : code == nb::dlpack::dtype_code::UInt   ? "uint"
           : code == nb::dlpack::dtype_code::Float  ? "float"
           : code == nb::dlpack::dtype_code::Bfloat ? "bfloat"
           : code == nb::dlpack::dtype_code::Bool   ? "bool"
                                                    : "complex";
}

static sample sample_of(nb::dlpack::dtype type, const char *name, const char *types)
{
    const auto code = static_cast<nb::dlpack::dtype_code>(type.code);
    if (type.lanes == 1 && code == nb::dlpack::dtype_code::UInt)
        switch (type.bits) {
        case 8: return sample::u8;
        case 16: return sample::u16;
        case 32: return sample::u32;
        case 64: return sample::u64;
        }
    if (type.lanes == 1 && code == nb::dlpack::dtype_code::Float)
        switch (type.bits) {
        case 16: return sample::f16;
        case 32: return sample::f32;
        case 64: return sample::f64;
        }
    const std::string bits = code == nb::dlpack::dtype_code::Bool ? "" : std::to_string(type.bits);
    throw nb::type_error((std::string(name) + " has samples of type " + text_of(code) + bits +
                          "; convert it to " + types)
                             .c_str());
}

size_t array_view::bytes() const
{
    static const size_t sizes[] = {1, 2, 4, 8, 2, 4, 8};
    return sizes[static_cast<int>(type)];
}

size_t array_view::count() const
{
    size_t n = 1;
    for (size_t side : shape)
        n *= side;
    return n;
}

bool array_view::is_dense() const
{
    ptrdiff_t step = static_cast<ptrdiff_t>(bytes());
    for (size_t i = shape.size(); i-- > 0;) {
        if (shape[i] > 1 && stride[i] != step)
            return false;
        step *= static_cast<ptrdiff_t>(shape[i]);
    }
    return true;
}

std::string array_view::shape_text() const
{
    std::string text = "(";
    for (size_t i = 0; i < shape.size(); i++)
        text += (i ? ", " : "") + std::to_string(shape[i]);
    return text + (shape.size() == 1 ? ",)" : ")");
}

// Takes the array as memory that will be written, or only read. Throws ValueError with a remedy.
static nb::ndarray<nb::ro> take(nb::handle array, const char *name, bool written)
{
    nb::ndarray<> open;
    nb::ndarray<nb::ro> closed;
    if (written && nb::try_cast(array, open, false))
        return nb::ndarray<nb::ro>(open);
    if (!nb::try_cast(array, closed, false))
        throw nb::type_error((std::string(name) + " is no array that can be read in place: " +
                              nb::str(array.type().attr("__name__")).c_str() +
                              "; give an array of numpy, PyTorch, CuPy or JAX")
                                 .c_str());
    if (written)
        throw nb::value_error(
            (std::string(name) + " is read-only; give an array that can be written, or a copy")
                .c_str());
    return closed;
}

array_view view_of(nb::handle array, const char *name, bool written, const char *types)
{
    const nb::ndarray<nb::ro> a = take(array, name, written);
    array_view v;
    v.keeper = nb::borrow(array);
    v.data = static_cast<uint8_t *>(const_cast<void *>(a.data()));
    v.type = sample_of(a.dtype(), name, types);
    for (size_t i = 0; i < a.ndim(); i++) {
        v.shape.push_back(a.shape(i));
        v.stride.push_back(static_cast<ptrdiff_t>(a.stride(i)) * static_cast<ptrdiff_t>(v.bytes()));
    }
    const int kind = a.device_type();
    const bool host = kind == nb::device::cpu::value || kind == nb::device::cuda_host::value;
    if (!host && kind != nb::device::cuda::value && kind != nb::device::cuda_managed::value)
        throw nb::value_error((std::string(name) + " is on a device that is neither the CPU nor "
                                                   "CUDA; copy it to one of these")
                                  .c_str());
    v.cuda = host ? -1 : a.device_id();
    if (v.count() == 0)
        throw nb::value_error((std::string(name) + " is empty, of shape " + v.shape_text() +
                               "; give at least a pixel")
                                  .c_str());
    if (!v.data)
        throw nb::value_error(
            (std::string(name) + " has no memory; its storage was freed").c_str());
    return v;
}

void need_dense_host(const array_view &view, const char *name)
{
    if (view.cuda >= 0)
        throw nb::value_error(
            (std::string(name) + " is on a GPU; arrays are in the host's memory: copy it").c_str());
    if (!view.is_dense())
        throw nb::value_error(
            (std::string(name) + " is not contiguous; give numpy.ascontiguousarray() of it")
                .c_str());
}
