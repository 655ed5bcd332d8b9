#include "python/src/images.h"

#include "python/src/parts.h"
#include "python/src/samples.h"

#include <algorithm>
#include <climits>
#include <cmath>
#include <mutex>
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
    all.codes = spare(samples * all.list.size() * sizeof(uint16_t));
    for (size_t i = 0; i < all.list.size(); i++) {
        all.list[i].data = static_cast<uint16_t *>(all.codes.data()) + i * samples;
        all.list[i].stride = static_cast<ptrdiff_t>(2 * row);
    }
}

static images list_of(nb::handle array, const char *name, bool written, bool planes, bool light)
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
    const bool is_float = all.view.type == sample::f16 || all.view.type == sample::f32;
    satb_image image = first_image(all.view, batch, name);
    image.half = light && is_float;
    need_rows(all.view, batch, &image, name);
    for (size_t i = 0; i < (batch ? all.view.shape[0] : 1); i++) {
        all.list.push_back(image);
        if (batch)
            image.data = static_cast<uint8_t *>(image.data) + all.view.stride[0];
    }
    if (all.view.type == sample::f32 || (is_float && !light))
        use_codes(all);
    return all;
}

images pictures_of(nb::handle array, const char *name, bool written, bool light)
{
    return list_of(array, name, written, false, light);
}

images planes_of(nb::handle array, const char *name, bool batch)
{
    return list_of(array, name, false, batch, false);
}

// --- Floats -------------------------------------------------------------------------------------

enum {
    PIECE = 4096,   // samples at a time, which stay in the first cache
    SHARE = 1 << 16 // samples that are worth a thread
};

// What a part of an array has that the blurs take for something else.
struct oddities {
    odd_floats floats;
    size_t halves = 0;
};

static void count_odd(odd_floats &odd, const float *from, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const auto number = static_cast<double>(from[i]);
        odd.unknown += std::isnan(number);
        odd.below += number < 0;
        odd.beyond += number > 1;
        odd.least = std::fmin(odd.least, number);
        odd.most = std::fmax(odd.most, number);
    }
}

static void add(oddities &all, const oddities &part)
{
    all.halves += part.halves;
    all.floats.samples += part.floats.samples;
    all.floats.unknown += part.floats.unknown;
    all.floats.below += part.floats.below;
    all.floats.beyond += part.floats.beyond;
    all.floats.least = std::fmin(all.floats.least, part.floats.least);
    all.floats.most = std::fmax(all.floats.most, part.floats.most);
}

// A piece of a row: in the array, and in the image.
struct piece {
    uint8_t *array;
    uint16_t *image;
    size_t count;
};

static size_t row_samples(const images &all)
{
    return static_cast<size_t>(all.list[0].width) * static_cast<size_t>(all.list[0].channels);
}

// Returns the piece from a sample on of a row, counted through all images.
static piece piece_at(const images &all, size_t row, size_t at)
{
    const auto height = static_cast<size_t>(all.list[0].height);
    const auto y = static_cast<ptrdiff_t>(row % height);
    const satb_image &image = all.list[row / height];
    uint8_t *const from =
        all.view.data + (all.skip ? static_cast<ptrdiff_t>(row / height) * all.view.stride[0] : 0) +
        y * all.view.stride[all.skip];
    auto *const to =
        reinterpret_cast<uint16_t *>(static_cast<uint8_t *>(image.data) + y * image.stride);
    return {from + at * all.view.bytes(), to + at, std::min<size_t>(PIECE, row_samples(all) - at)};
}

// Calls each(row, sample) for all pieces, by several threads.
template <typename function> static void for_pieces(const images &all, function each)
{
    const size_t rows = all.list.size() * static_cast<size_t>(all.list[0].height);
    in_parts(rows, 1 + rows * row_samples(all) / SHARE, [&](size_t first, size_t last) {
        for (size_t row = first; row < last; row++)
            for (size_t at = 0; at < row_samples(all); at += PIECE)
                each(row, at);
    });
}

static void load_piece(const images &all, const piece &p, oddities &odd)
{
    const auto *floats = reinterpret_cast<const float *>(p.array);
    float widened[PIECE];
    odd.floats.samples += p.count;
    if (all.is_light()) {
        if (all.codes)
            floats_to_halves(floats, p.image, p.count);
        odd.halves += odd_halves(p.image, p.count);
        return;
    }
    if (all.view.type == sample::f16) {
        halves_to_floats(reinterpret_cast<const uint16_t *>(p.array), widened, p.count);
        floats = widened;
    }
    if (!floats_to_codes(floats, p.image, p.count))
        count_odd(odd.floats, floats, p.count);
}

void images::load(notes &doubts)
{
    std::mutex door;
    oddities odd;
    if (view.cuda >= 0 || !(codes || is_light()))
        return;
    for_pieces(*this, [&](size_t row, size_t at) {
        oddities own;
        load_piece(*this, piece_at(*this, row, at), own);
        const std::lock_guard<std::mutex> lock(door);
        add(odd, own);
    });
    if (!is_light())
        judge_floats(name, odd.floats, doubts);
    else if (odd.halves > 0)
        doubts.add(std::string(name) + " has " + std::to_string(odd.halves) +
                   " half floats that are negative or NaN, which blur as 0, or above 4096, which "
                   "blur as 4096");
}

// before: the piece of the source.
static void store_piece(const images &all, const piece &p, const piece &before)
{
    auto *const floats = reinterpret_cast<float *>(p.array);
    float made[PIECE];
    if (all.is_light()) {
        const auto *const given = reinterpret_cast<const float *>(before.array);
        halves_to_floats(p.image, made, p.count);
        for (size_t i = 0; i < p.count; i++) {
            const float old = given[i];
            made[i] = p.image[i] == before.image[i] ? old : made[i];
        }
        std::copy(made, made + p.count, floats);
    } else if (all.view.type == sample::f16) {
        codes_to_floats(p.image, made, p.count);
        floats_to_halves(made, reinterpret_cast<uint16_t *>(p.array), p.count);
    } else {
        codes_to_floats(p.image, floats, p.count);
    }
}

void images::store(const images &src) const
{
    if (!codes)
        return;
    for_pieces(*this, [&](size_t row, size_t at) {
        store_piece(*this, piece_at(*this, row, at), piece_at(src, row, at));
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
