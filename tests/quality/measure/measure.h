// The measures of the score. Pictures are compared by their sRGB codes in [0, 1].
#ifndef QUALITY_MEASURE_H
#define QUALITY_MEASURE_H

#include "quality/measure/read.h"

#include <stdint.h>

enum { LIGHTS_MAX = 64 };

struct motion {
    float x, y; // pixels from one frame to the next
};

struct light_spot {
    float x, y, radius; // radius of the truth's spot
};

// scene.txt
struct numbers {
    float radius, focus;               // R, q_f
    float subject_low, subject_high;   // disparities of the subject, both 0 = none
    int frames;                        // of a clip, otherwise 0
    struct motion pan, subject_motion; // of what is shown of the room, of the subject
    int light_count;
    struct light_spot lights[LIGHTS_MAX];
};

// Parts of the picture, a bit of each pixel's mask. A pixel without INNER belongs to the frame. RIM
// is the part of EDGE that the subject's own edges make.
enum { INNER = 1, EDGE = 2, SUBJECT = 4, RIM = 8 };

struct numbers read_numbers(const char *path);

// One byte per pixel; the caller frees it.
uint8_t *masks(const struct numbers *numbers, const struct picture *exact);

// Means over the pixels whose mask, cut down to `bits`, is `value`. NAN where there is none.
// PSNR in dB, all three codes, 99 at most.
double psnr(const struct picture *a, const struct picture *b, const uint8_t *mask, int bits,
            int value);
double mean_error(const struct picture *a, const struct picture *b, const uint8_t *mask, int bits,
                  int value);
// Wang, Bovik, Sheikh and Simoncelli, "Image quality assessment: from error visibility to
// structural similarity", 2004: on the luma, a Gaussian window of 11 x 11, sigma 1.5, mirrored at
// the border. One number per pixel; the caller frees it.
float *ssim_map(const struct picture *a, const struct picture *b);
double mean_over(const float *map, const struct picture *size, const uint8_t *mask, int bits,
                 int value);

// The change from a frame of a clip to the next, where both show the same thing.
enum part { STILL, RIMS, PARTS };

struct step {
    double pixels;
    double candidate, truth; // sums of the absolute change of the codes
    double error;            // the same of the candidate's error
    double pops;             // pixels with an error that changes by more than 8 / 255
};

// The picture whose pixel is the one that is `by` away, between pixels by cubics. The caller frees
// its rgb.
struct picture moved(const struct picture *from, struct motion by);

// STILL: the room without what the subject's blur reaches, 3 pixels away from it at least. RIMS: RIM.
// One part per pixel, PARTS where neither is; the caller frees them.
uint8_t *parts(const struct picture *size, const uint8_t *mask, const uint8_t *next_mask);

// Adds the step of `part` to `sum`. Frames are candidate and truth; the next ones are aligned.
void step_add(struct step *sum, const uint8_t *parts, enum part part, const struct picture frame[2],
              const struct picture next[2]);

struct light_score {
    double energy; // candidate's light over the truth's, mean of all lights
    double shape;  // L1 distance of the spots, each divided by its sum: 0 .. 2, mean of all
};

struct light_score light_score(const struct numbers *numbers, const struct picture *truth,
                               const struct picture *candidate);

#endif
