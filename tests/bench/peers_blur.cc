// Times tables, boxes and variable windows against OpenCV, on the same pixels.
// tests/bench/peers_library.sh compiles it with SATB_OPENCV where that is installed.
#include "bench/peers.h"

#include <string>

#ifdef SATB_OPENCV
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>
#endif

namespace
{

enum { ROUNDS = 31, MAP_RADIUS = 32 };

pixels noise(int channels)
{
    pixels p(size_t(WIDTH) * HEIGHT * size_t(channels));
    noise_source source;
    for (unsigned char &sample : p)
        sample = source.next();
    return p;
}

// Draws depth as a scene has it: a slope with a few objects on it.
pixels smooth_map()
{
    pixels p(size_t(WIDTH) * HEIGHT);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            const int object = (x / 480 + y / 360) % 3 == 0 ? 90 : 0;
            p[size_t(y) * WIDTH + size_t(x)] = (unsigned char)(y * 160 / HEIGHT + object);
        }
    return p;
}

struct bench {
    satb_context *context = nullptr;
    pixels rgb = noise(3), rgba = noise(4), map = smooth_map(), out = pixels(rgba.size());
    std::vector<uint32_t> table = std::vector<uint32_t>(rgb.size());

    void box(pixels &src, int channels, double radius, int gamma)
    {
        const satb_image from = view(src, channels), to = view(out, channels);
        satb_box_params params = {};
        params.radius_x = params.radius_y = radius;
        params.look.gamma = gamma;
        demand(satb_box(context, &from, &to, &params));
    }

    void windows(int gamma)
    {
        const satb_image from = view(rgb, 3), radii = view(map, 1), to = view(out, 3);
        satb_map_params params = {};
        params.max_radius = MAP_RADIUS;
        params.look.gamma = gamma;
        demand(satb_blur_map(context, &from, &radii, &to, &params));
    }

    void sums()
    {
        const satb_image from = view(rgb, 3);
        demand(satb_table(context, &from, 32, table.data()));
    }
};

#ifdef SATB_OPENCV
// Blurs with a window per pixel by OpenCV's means: whole radii, clipped at the border.
void opencv_windows(const cv::Mat &src, const pixels &map, cv::Mat &sums, cv::Mat &dst)
{
    cv::integral(src, sums, CV_32S);
    cv::parallel_for_(cv::Range(0, HEIGHT), [&](const cv::Range &rows) {
        for (int y = rows.start; y < rows.end; y++)
            for (int x = 0; x < WIDTH; x++) {
                const int r = map[size_t(y) * WIDTH + size_t(x)] * MAP_RADIUS / 255;
                const int x0 = std::max(x - r, 0), x1 = std::min(x + r + 1, int(WIDTH));
                const int y0 = std::max(y - r, 0), y1 = std::min(y + r + 1, int(HEIGHT));
                const int area = (x1 - x0) * (y1 - y0);
                const int *top = sums.ptr<int>(y0), *bottom = sums.ptr<int>(y1);
                unsigned char *to = dst.ptr(y) + 3 * x;
                for (int c = 0; c < 3; c++)
                    to[c] = (unsigned char)((bottom[3 * x1 + c] - bottom[3 * x0 + c] -
                                             top[3 * x1 + c] + top[3 * x0 + c] + area / 2) /
                                            area);
            }
    });
}
#endif

} // namespace

int main(int argc, char **argv)
{
    const int threads = argc > 1 ? atoi(argv[1]) : 2;
    const satb_config config = {SATB_DEVICE_CPU, 0, threads};
    bench b;
    demand(satb_open(&b.context, &config));
#ifdef SATB_OPENCV
    cv::setNumThreads(threads);
    cv::Mat src(HEIGHT, WIDTH, CV_8UC3, b.rgb.data()), dst(HEIGHT, WIDTH, CV_8UC3), sums;
#endif
    compete_head(threads, ROUNDS);
    for (int radius : {8, 32, 512}) {
        std::vector<contestant> all;
        all.push_back({"satb_box", [&] { b.box(b.rgb, 3, radius, 1); }, {}});
#ifdef SATB_OPENCV
        const cv::Size size(2 * radius + 1, 2 * radius + 1);
        all.push_back({"cv::blur", [&] { cv::blur(src, dst, size); }, {}});
#endif
        compete(("RGB, box, radius " + std::to_string(radius)).c_str(), ROUNDS, all);
    }
    std::vector<contestant> windows{{"satb_blur_map", [&] { b.windows(1); }, {}}};
    std::vector<contestant> tables{{"satb_table", [&] { b.sums(); }, {}}};
#ifdef SATB_OPENCV
    windows.push_back({"cv::integral and a window by hand, whole radii",
                       [&] { opencv_windows(src, b.map, sums, dst); },
                       {}});
    tables.push_back({"cv::integral", [&] { cv::integral(src, sums, CV_32S); }, {}});
#endif
    compete("RGB, a radius per pixel, up to 32", ROUNDS, windows);
    compete("RGB, table of 32 bits, into memory in use", ROUNDS, tables);
    compete("colour and alpha, box, radius 32", ROUNDS,
            {{"satb_box, RGB, the codes as they are", [&] { b.box(b.rgb, 3, 32, 1); }, {}},
             {"the same in linear light", [&] { b.box(b.rgb, 3, 32, 0); }, {}},
             {"satb_box, RGBA, linear light, alpha", [&] { b.box(b.rgba, 4, 32, 0); }, {}}});
    satb_close(&b.context);
    return 0;
}
