#include "quality/measure/measure.h"

#include <stdio.h>
#include <stdlib.h>

struct numbers read_numbers(const char *path)
{
    FILE *const file = fopen(path, "r");
    if (!file) {
        fprintf(stderr, "score: cannot read %s\n", path);
        exit(EXIT_FAILURE);
    }
    struct numbers n = {.radius = -1};
    char line[256];
    while (fgets(line, sizeof line, file)) {
        struct light_spot l;
        sscanf(line, "radius %f", &n.radius);
        sscanf(line, "focus %f", &n.focus);
        sscanf(line, "subject %f %f", &n.subject_low, &n.subject_high);
        sscanf(line, "frames %d", &n.frames);
        sscanf(line, "pan %f %f", &n.pan.x, &n.pan.y);
        sscanf(line, "motion %f %f", &n.subject_motion.x, &n.subject_motion.y);
        if (sscanf(line, "light %f %f %f", &l.x, &l.y, &l.radius) == 3 &&
            n.light_count < LIGHTS_MAX)
            n.lights[n.light_count++] = l;
    }
    fclose(file);
    return n;
}
