// Whether arrays are what they are given as: the library's judgement of maps, in the words of Python.
#pragma once

#include <satblur.h>

#include <string>
#include <vector>

// What a call doubts, each line once. Python warns of them.
struct notes {
    std::vector<std::string> lines;

    void add(const std::string &line);
};

enum class map_use { depth, radius, mask };

// Throws ValueError if map is certainly no map of image, and notes what a map rarely is. has_range: the caller has said which
// codes count.
void judge_map(const satb_image &image, const satb_image &map, const char *name, map_use use,
               bool has_range, notes &doubts);

// Notes a depth map that seems to have its near end at the other end of its codes than params say.
void judge_near(const satb_image &map, const satb_dof_params &params, notes &doubts);

// Throws ValueError if a matte that is used alone marks no subject.
void judge_subject(const satb_image &matte);

// Does the same of a matte whose pixels are on a GPU, after the work, and notes what had no effect.
void judge_report(const satb_dof_report &report, const satb_image *depth, const satb_image *matte,
                  const satb_image *protect, notes &doubts);

// Counts of floats that are no codes, 0 to 1.
struct odd_floats {
    size_t samples = 0, below = 0, beyond = 0, unknown = 0;
    double least = 0, most = 0;
};

// Throws ValueError if the floats have another scale, and notes what becomes black or white.
void judge_floats(const char *name, const odd_floats &odd, notes &doubts);
