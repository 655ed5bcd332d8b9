// PNG input for the score.
#ifndef QUALITY_READ_H
#define QUALITY_READ_H

struct picture {
    int width, height;
    float *rgb; // three codes in [0, 1] per pixel; gray has three equal ones
};

// The program ends, saying why, when a file cannot be read.
struct picture read_png(const char *path);

#endif
