// Contestants that take turns in one process: neighbours on a shared machine then disturb all alike.
#ifndef SATBLUR_TESTS_PEERS_H
#define SATBLUR_TESTS_PEERS_H

#include <satblur.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

enum { WIDTH = 3840, HEIGHT = 2160 };

using pixels = std::vector<unsigned char>;

// Pseudo-random bytes, the same each time.
class noise_source
{
  public:
    unsigned char next()
    {
        state = state * 1664525u + 1013904223u;
        return (unsigned char)(state >> 24);
    }

  private:
    unsigned state = 1;
};

inline satb_image view(pixels &p, int channels)
{
    return {p.data(), WIDTH * channels, WIDTH, HEIGHT, channels, 8, 0};
}

inline void demand(satb_status status)
{
    if (status != SATB_OK)
        exit(1);
}

struct contestant {
    std::string name;
    std::function<void()> run;
    std::vector<double> ms;
};

inline double now_ms()
{
    using namespace std::chrono;
    return duration<double, std::milli>(steady_clock::now().time_since_epoch()).count();
}

// Prints a line of a Markdown table for each; the first one is the yardstick.
inline void compete(const char *title, int rounds, std::vector<contestant> all)
{
    for (int round = -3; round < rounds; round++) // the first ones warm up
        for (contestant &c : all) {
            const double began = now_ms();
            c.run();
            if (round >= 0)
                c.ms.push_back(now_ms() - began);
        }
    for (contestant &c : all)
        std::sort(c.ms.begin(), c.ms.end());
    for (contestant &c : all)
        printf("| %s | %s | %.2f | %.2f | %.2f |\n", title, c.name.c_str(), c.ms[c.ms.size() / 2],
               c.ms[0], c.ms[c.ms.size() / 2] / all[0].ms[all[0].ms.size() / 2]);
}

inline void compete_head(int threads, int rounds)
{
    printf("%d x %d, 8 bits, %d threads, %d rounds\n\n"
           "| case | what | median ms | least ms | x satblur |\n|---|---|---|---|---|\n",
           WIDTH, HEIGHT, threads, rounds);
}

#endif
