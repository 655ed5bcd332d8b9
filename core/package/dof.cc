// Blurs a checkerboard by a depth map, whose right half is near: dof.c in C++17.
//     c++ -std=c++17 dof.cc $(pkg-config --cflags --libs satblur) -o dof
#include <satblur.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <memory>
#include <stdexcept>
#include <vector>

static_assert(SATB_VERSION >= SATB_VERSION_NUMBER(0, 3, 0), "satblur 0.3 is needed");

namespace
{

struct close_context {
    void operator()(satb_context *context) const
    {
        satb_close(&context);
    }
};
using context_ptr = std::unique_ptr<satb_context, close_context>;

context_ptr open_context() // a GPU where there is one, otherwise the CPU
{
    satb_context *context = nullptr;
    if (satb_open(&context, nullptr) != SATB_OK)
        throw std::runtime_error(satb_open_message());
    return context_ptr(context);
}

void check(satb_status status, const satb_context *context)
{
    if (status != SATB_OK)
        throw std::runtime_error(satb_last_message(context));
}

// Returns an image of 8 bits in the samples, which live as long as it is used.
satb_image view_of(std::vector<std::uint8_t> &samples, int width, int height, int channels)
{
    satb_image image = {};
    image.data = samples.data();
    image.stride = std::ptrdiff_t{width} * channels;
    image.width = width, image.height = height;
    image.channels = channels, image.bits = 8;
    return image;
}

void blur()
{
    constexpr std::size_t width = 640, height = 480, pixels = width * height;
    std::vector<std::uint8_t> photo(3 * pixels), map(pixels), result(3 * pixels);
    for (std::size_t i = 0; i < pixels; i++) {
        const bool white = (i / width / 8 + i % width / 8) % 2 != 0;
        photo[3 * i] = photo[3 * i + 1] = photo[3 * i + 2] = white ? 230 : 30;
        map[i] = i % width < width / 2 ? 40 : 220;
    }
    const satb_image src = view_of(photo, width, height, 3);
    const satb_image depth = view_of(map, width, height, 1);
    const satb_image dst = view_of(result, width, height, 3);

    const context_ptr context = open_context();
    satb_dof_params params = {}; // zeros are the defaults
    params.strength = SATB_STRENGTH_RADIUS;
    params.max_radius = 20;
    satb_dof_report report;
    check(satb_dof(context.get(), &src, &depth, &dst, &params, &report), context.get());
    std::printf("%s: focus %.2f, radii up to %.1f px\n", satb_describe(context.get()), report.focus,
                report.largest_radius);
}

} // namespace

int main()
{
    try {
        blur();
    } catch (const std::exception &error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
    return 0;
}
