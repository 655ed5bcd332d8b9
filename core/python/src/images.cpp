#include "python/src/images.h"

#include <climits>
#include <cmath>
#include <string>

static void refuse(const std::string &text)
{
    throw nb::value_error(text.c_str());
}

// --- Shapes -------------------------------------------------------------------------------------

static satb_image first_image(const array_view &v, size_t skip, const char *name)
{
    satb_image image = {};
    const size_t sides = v.shape.size() - skip;
    const size_t height = v.shape[skip], width = v.shape[skip + 1];
    const size_t channels = sides == 3 ? v.shape[skip + 2] : 1;
    if (height > INT_MAX || width > INT_MAX || channels > 4)
        refuse(std::string(name) + " has shape " + v.shape_text() +
               "; give (height, width) or (height, width, channels) of 1 to 4 channels" +
               (std::string(name) == "image" ? ", or say layout='CHW'" : ""));
    image.height = static_cast<int>(height);
    image.width = static_cast<int>(width);
    image.channels = static_cast<int>(channels);
    image.stride = v.stride[skip];
    image.data = v.data;
    image.bits = v.type == sample::u8 ? 8 : 16;
    image.half = v.type == sample::f16;
    image.on_device = v.cuda >= 0;
    return image;
}

// Throws unless the samples of a row are one after the other. A single row has no stride of its own.
static void need_rows(const array_view &v, size_t skip, satb_image *image, const char *name)
{
    const auto size = static_cast<ptrdiff_t>(v.bytes());
    const bool has_channels = v.shape.size() - skip == 3;
    const ptrdiff_t row = image->width * image->channels * size;
    const bool dense = (image->width == 1 || v.stride[skip + 1] == image->channels * size) &&
                       (!has_channels || image->channels == 1 || v.stride[skip + 2] == size);
    if (image->height == 1)
        image->stride = row;
    if (!dense || image->stride < row)
        refuse(std::string(name) + " has rows that are not contiguous (a transposed, mirrored or "
                                   "stepped view); give a contiguous copy");
}

static void need_type(const array_view &v, const char *name)
{
    if (v.type == sample::u32 || v.type == sample::u64 || v.type == sample::f64)
        throw nb::type_error((std::string(name) + " has samples of 32-bit or 64-bit integers or "
                                                  "float64; convert it to uint8, uint16, float16 "
                                                  "or float32")
                                 .c_str());
    if (v.type == sample::f32 && v.cuda >= 0)
        throw nb::type_error((std::string(name) + " is float32 on a GPU, of no framework that can "
                                                  "convert it; give uint8, uint16 or float16")
                                 .c_str());
}

static void use_codes(images &all)
{
    const satb_image first = all.list[0];
    const size_t row = static_cast<size_t>(first.width) * static_cast<size_t>(first.channels);
    const size_t samples = row * static_cast<size_t>(first.height);
    all.codes.reset(new uint16_t[samples * all.list.size()]);
    for (size_t i = 0; i < all.list.size(); i++) {
        all.list[i].data = all.codes.get() + i * samples;
        all.list[i].stride = static_cast<ptrdiff_t>(2 * row);
    }
}

static images list_of(nb::handle array, const char *name, bool written, bool planes)
{
    images all;
    all.name = name;
    all.view = view_of(array, name, written);
    const size_t sides = all.view.shape.size();
    const bool batch = sides == 4 || (planes && sides == 3);
    all.skip = batch;
    if (sides < 2 || sides > 4)
        refuse(std::string(name) + " has shape " + all.view.shape_text() +
               "; give (height, width), (height, width, channels), or a batch of these, "
               "(number, height, width, channels)");
    need_type(all.view, name);
    satb_image image = first_image(all.view, batch, name);
    need_rows(all.view, batch, &image, name);
    for (size_t i = 0; i < (batch ? all.view.shape[0] : 1); i++) {
        all.list.push_back(image);
        if (batch)
            image.data = static_cast<uint8_t *>(image.data) + all.view.stride[0];
    }
    if (all.view.type == sample::f32)
        use_codes(all);
    return all;
}

images pictures_of(nb::handle array, const char *name, bool written)
{
    return list_of(array, name, written, false);
}

images planes_of(nb::handle array, const char *name, bool batch)
{
    return list_of(array, name, false, batch);
}

// --- Floats -------------------------------------------------------------------------------------

static uint16_t code_of(float value)
{
    return value >= 1 ? UINT16_MAX : value > 0 ? static_cast<uint16_t>(value * 65535.0f + 0.5f) : 0;
}

// Counts what is no code in a row. Most rows have nothing of it.
static void count_odd(odd_floats &odd, const float *row, size_t samples)
{
    bool fine = true;
    for (size_t i = 0; i < samples; i++)
        fine &= row[i] >= 0 && row[i] <= 1;
    odd.samples += samples;
    for (size_t i = 0; !fine && i < samples; i++) {
        const auto number = static_cast<double>(row[i]);
        odd.unknown += std::isnan(number);
        odd.below += number < 0;
        odd.beyond += number > 1;
        odd.least = std::fmin(odd.least, number);
        odd.most = std::fmax(odd.most, number);
    }
}

// Calls each(row of floats, row of codes, samples) for all rows.
template <typename function> static void for_rows(const images &all, function each)
{
    const size_t skip = all.skip;
    for (size_t i = 0; i < all.list.size(); i++) {
        const satb_image &image = all.list[i];
        uint8_t *const from =
            all.view.data + (skip ? static_cast<ptrdiff_t>(i) * all.view.stride[0] : 0);
        for (int y = 0; y < image.height; y++)
            each(
                reinterpret_cast<float *>(from + y * all.view.stride[skip]),
                reinterpret_cast<uint16_t *>(static_cast<uint8_t *>(image.data) + y * image.stride),
                static_cast<size_t>(image.width) * static_cast<size_t>(image.channels));
    }
}

// Notes half floats that are no light, or too much.
static void judge_halves(const images &all, notes &doubts)
{
    enum { NEGATIVE = 0x8000, MOST = 0x6c00 }; // -0; 4096
    size_t odd = 0;
    for (const satb_image &image : all.list)
        for (int y = 0; y < image.height; y++) {
            const auto *const row = reinterpret_cast<const uint16_t *>(
                static_cast<const uint8_t *>(image.data) + y * image.stride);
            unsigned in_row = 0;
            for (int i = 0; i < image.width * image.channels; i++)
                in_row += row[i] > MOST && row[i] != NEGATIVE;
            odd += in_row;
        }
    if (odd > 0)
        doubts.add(std::string(all.name) + " has " + std::to_string(odd) +
                   " half floats that are negative or NaN, which blur as 0, or above 4096, which "
                   "blur as 4096");
}

void images::load(notes &doubts)
{
    odd_floats odd;
    if (view.type == sample::f16 && view.cuda < 0)
        judge_halves(*this, doubts);
    if (!codes)
        return;
    for_rows(*this, [&odd](const float *from, uint16_t *to, size_t samples) {
        count_odd(odd, from, samples);
        for (size_t i = 0; i < samples; i++)
            to[i] = code_of(from[i]);
    });
    judge_floats(name, odd, doubts);
}

void images::store() const
{
    if (codes)
        for_rows(
            *this,
            [](float *to, const uint16_t *from, size_t count) {
                for (size_t i = 0; i < count; i++)
                    to[i] = static_cast<float>(from[i]) / 65535.0f;
            });
}

// --- Pairs --------------------------------------------------------------------------------------

void need_same(const images &src, const images &dst)
{
    if (src.view.shape != dst.view.shape)
        refuse(std::string(dst.name) + " has shape " + dst.view.shape_text() + " and " + src.name +
               " has " + src.view.shape_text() + "; give the same shape");
    if (src.view.type != dst.view.type)
        refuse(std::string(dst.name) + " has another type of samples than " + src.name +
               "; give the same dtype");
}

static size_t reach(const array_view &v)
{
    size_t bytes = v.bytes();
    for (size_t i = 0; i < v.shape.size(); i++)
        bytes += (v.shape[i] - 1) * static_cast<size_t>(v.stride[i]);
    return bytes;
}

// Returns whether the rows of both, of one stride, stand side by side.
static bool are_side_by_side(const images &a, const images &b)
{
    const satb_image &x = a.list[0], &y = b.list[0];
    if (x.stride != y.stride || a.codes || b.codes)
        return false;
    const auto width = [](const satb_image &i) { return i.width * i.channels * (i.bits / 8); };
    const ptrdiff_t gap = static_cast<uint8_t *>(y.data) - static_cast<uint8_t *>(x.data);
    const ptrdiff_t at = (gap % x.stride + x.stride) % x.stride;
    return at >= width(x) && at + width(y) <= x.stride;
}

void refuse_overlap(const images &src, const images &dst)
{
    const array_view &a = src.view, &b = dst.view;
    if (a.data == b.data && a.stride == b.stride)
        return;
    const bool apart = a.data + reach(a) <= b.data || b.data + reach(b) <= a.data;
    if (!apart && !are_side_by_side(src, dst))
        refuse(std::string(dst.name) + " overlaps " + src.name +
               "; give the same array, or one with memory of its own");
}
