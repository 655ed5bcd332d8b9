// Times satb_measure() against what libvips and OpenCV offer, on the same pixels.
// tests/bench/peers_library.sh compiles it with SATB_VIPS and SATB_OPENCV where these are installed.
#include "bench/peers.h"

#ifdef SATB_VIPS
#include <vips/vips.h>
#endif
#ifdef SATB_OPENCV
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>
#endif

namespace
{

enum { CHANNELS = 3, ROUNDS = 61 };

pixels make(int kind)
{
    pixels p(size_t(WIDTH) * HEIGHT * CHANNELS);
    noise_source source;
    for (size_t i = 0; i < p.size(); i++) {
        const unsigned noise = source.next(), x = i / CHANNELS % WIDTH, y = i / CHANNELS / WIDTH;
        p[i] = kind == 0 ? noise : kind == 1 ? (x / 20 + y / 15 + noise / 32) & 255 : 117;
    }
    return p;
}

#ifdef SATB_VIPS
void vips_run(pixels &p, int (*operation)(VipsImage *, VipsImage **, ...))
{
    VipsImage *in =
        vips_image_new_from_memory(p.data(), p.size(), WIDTH, HEIGHT, CHANNELS, VIPS_FORMAT_UCHAR);
    VipsImage *out = nullptr;
    if (!in || operation(in, &out, nullptr))
        vips_error_exit("no result");
    g_object_unref(out);
    g_object_unref(in);
}
#endif

#ifdef SATB_OPENCV
// Per channel, as satb_measure() does it. minMaxLoc() takes one channel only, the others take the
// picture as it is.
void opencv_run(pixels &p)
{
    const cv::Mat image(HEIGHT, WIDTH, CV_8UC3, p.data());
    const int size = 256;
    const float range[] = {0, 256};
    const float *ranges[] = {range};
    cv::Mat plane, counts, mean, deviation;
    double low, high;
    for (int channel = 0; channel < CHANNELS; channel++) {
        cv::calcHist(&image, 1, &channel, cv::Mat(), counts, 1, &size, ranges);
        cv::extractChannel(image, plane, channel);
        cv::minMaxLoc(plane, &low, &high);
    }
    cv::meanStdDev(image, mean, deviation);
}
#endif

} // namespace

int main(int argc, char **argv)
{
    const int threads = argc > 1 ? atoi(argv[1]) : 2;
    const satb_config config = {SATB_DEVICE_CPU, 0, threads};
    satb_context *context = nullptr;
    std::vector<contestant> all;
    pixels p;

    demand(satb_open(&context, &config));
    all.push_back({"satb_measure: all statistics",
                   [&] {
                       const satb_image image = view(p, CHANNELS);
                       satb_channel_stats stats[CHANNELS];
                       demand(satb_measure(context, &image, stats));
                   },
                   {}});
#ifdef SATB_VIPS
    if (VIPS_INIT(argv[0]))
        return 1;
    vips_concurrency_set(threads);
    vips_cache_set_max(0); // otherwise the second run finds the first one's result
    all.push_back({"libvips hist_find", [&] { vips_run(p, vips_hist_find); }, {}});
    all.push_back({"libvips stats", [&] { vips_run(p, vips_stats); }, {}});
#endif
#ifdef SATB_OPENCV
    cv::setNumThreads(threads);
    all.push_back({"OpenCV calcHist, meanStdDev, minMaxLoc", [&] { opencv_run(p); }, {}});
#endif
    compete_head(threads, ROUNDS);
    static const char *const titles[] = {"random", "smooth", "constant"};
    for (int kind = 0; kind < 3; kind++) {
        p = make(kind);
        compete(titles[kind], ROUNDS, all);
    }
    satb_close(&context);
    return 0;
}
