/* VapourSynth as a host of the tests: clips whose samples are made by their place, and calls of the plug-in. */
#ifndef SATBLUR_TESTS_VAPOURSYNTH_CASE_H
#define SATBLUR_TESTS_VAPOURSYNTH_CASE_H

#include <VapourSynth4.h>
#include <stdbool.h>

enum { WIDTH = 54, HEIGHT = 38, FRAMES = 6 };
extern const VSAPI *api;
extern VSCore *core;
extern VSPlugin *plugin;
extern const VSFrame *frames[FRAMES]; /* of get_all() */

typedef struct source {
    VSVideoInfo about;
    int transfer, seed, matrix; /* matrix: 0 is none; else of the full range */
} source;

/* Opens VapourSynth and the plug-in. Returns false, with a line on stdout, if that is not possible. */
bool host_open(const char *library, const char *path);
void host_close(void);

/* Return a sample of a source: 0 .. 1, and the code of an integer. */
float sample_at(const source *s, int n, int plane, int x, int y);
unsigned code_at(const source *s, int n, int plane, int x, int y);

/* Makes a clip. format 0: it varies. */
VSNode *clip(source *s, uint32_t format, int width, int height, int count);

/* Returns the clip of a function of the plug-in, of clips (clip, depth, matte), which may be NULL, and options like
 * "blades=6 bokeh=disc". NULL: line has the error. */
VSNode *call(const char *function, VSNode *const clips[3], const char *options, char *line,
             size_t size);

/* Asks for all frames at a time, and waits for them. */
void get_all(VSNode *node);

#endif
