#include "unit/app/vapoursynth_case.h"

#include "image/half.h"

#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const VSAPI *api;
VSCore *core;
VSPlugin *plugin;
const VSFrame *frames[FRAMES];

bool host_open(const char *library, const char *path)
{
    void *const opened = dlopen(library, RTLD_NOW);
    VSGetVapourSynthAPI get_api;
    if (!opened)
        return printf("%s\n", dlerror()), false;
    *(void **)&get_api = dlsym(opened, "getVapourSynthAPI");
    api = get_api(VAPOURSYNTH_API_VERSION);
    core = api->createCore(ccfDisableAutoLoading);
    api->setThreadCount(3, core);
    VSMap *const map = api->createMap();
    api->mapSetData(map, "path", path, -1, dtUtf8, maReplace);
    VSMap *const loaded = api->invoke(api->getPluginByNamespace("std", core), "LoadPlugin", map);
    const char *const error = api->mapGetError(loaded);
    if (error)
        printf("%s\n", error);
    plugin = api->getPluginByNamespace("satblur", core);
    api->freeMap(map);
    api->freeMap(loaded);
    return plugin;
}

void host_close(void)
{
    api->freeCore(core);
}

float sample_at(const source *s, int n, int plane, int x, int y)
{
    const unsigned hash =
        (unsigned)(x / 3 * 7919 + y / 4 * 104729 + plane * 31 + n * 613 + s->seed) * 2654435761U;
    return (float)(hash >> 12 & 1023) / 1023;
}

unsigned code_at(const source *s, int n, int plane, int x, int y)
{
    return (unsigned)lrintf(sample_at(s, n, plane, x, y) *
                            (float)((1U << s->about.format.bitsPerSample) - 1));
}

static const VSFrame *VS_CC make(int n, int reason, void *data, void **none, VSFrameContext *c,
                                 VSCore *in, const VSAPI *a)
{
    const source *const s = data;
    const VSVideoFormat *const f = &s->about.format;
    (void)reason, (void)none, (void)c;
    VSFrame *const frame = a->newVideoFrame(f, s->about.width, s->about.height, NULL, in);
    for (int p = 0; p < f->numPlanes; p++)
        for (int y = 0; y < a->getFrameHeight(frame, p); y++) {
            void *const row = a->getWritePtr(frame, p) + y * a->getStride(frame, p);
            for (int x = 0; x < a->getFrameWidth(frame, p); x++)
                if (f->sampleType == stFloat && f->bitsPerSample == 32)
                    ((float *)row)[x] = sample_at(s, n, p, x, y);
                else if (f->sampleType == stFloat)
                    ((uint16_t *)row)[x] = half_of(sample_at(s, n, p, x, y));
                else if (f->bytesPerSample == 2)
                    ((uint16_t *)row)[x] = (uint16_t)code_at(s, n, p, x, y);
                else
                    ((uint8_t *)row)[x] = (uint8_t)code_at(s, n, p, x, y);
        }
    if (s->transfer)
        a->mapSetInt(a->getFramePropertiesRW(frame), "_Transfer", s->transfer, maReplace);
    if (s->matrix) {
        a->mapSetInt(a->getFramePropertiesRW(frame), "_Matrix", s->matrix, maReplace);
        a->mapSetInt(a->getFramePropertiesRW(frame), "_Range", 1, maReplace);
    }
    return frame;
}

VSNode *clip(source *s, uint32_t format, int width, int height, int count)
{
    s->about = (VSVideoInfo){
        .fpsNum = 25, .fpsDen = 1, .width = width, .height = height, .numFrames = count};
    if (format)
        api->getVideoFormatByID(&s->about.format, format, core);
    return api->createVideoFilter2("source", &s->about, make, NULL, fmParallel, NULL, 0, s, core);
}

/* Adds options like "blades=6 bokeh=disc" by the types that the function announces. */
static void add_options(VSMap *map, const char *function, const char *options)
{
    char text[200], *rest = text;
    snprintf(text, sizeof text, "%s", options);
    const char *const types =
        api->getPluginFunctionArguments(api->getPluginFunctionByName(function, plugin));
    for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        char *const value = strchr(word, '=') + 1;
        value[-1] = ':';
        char name[64];
        snprintf(name, sizeof name, ";%.*s", (int)(value - word), word);
        const char *const at = strstr(types, name);
        const char *const type = at ? at + strlen(name) : "float";
        name[strlen(name) - 1] = 0;
        if (strncmp(type, "data", 4) == 0)
            api->mapSetData(map, name + 1, value, -1, dtUtf8, maAppend);
        else if (strncmp(type, "int", 3) == 0)
            for (char *item = value; item; item = strchr(item, ',') ? strchr(item, ',') + 1 : NULL)
                api->mapSetInt(map, name + 1, atoi(item), maAppend);
        else
            api->mapSetFloat(map, name + 1, atof(value), maAppend);
    }
}

VSNode *call(const char *function, VSNode *const clips[3], const char *options, char *line,
             size_t size)
{
    static const char *const names[3] = {"clip", "depth", "matte"};
    VSMap *const map = api->createMap();
    for (int i = 0; i < 3; i++)
        if (clips[i])
            api->mapSetNode(map, names[i], clips[i], maAppend);
    add_options(map, function, options);
    VSMap *const result = api->invoke(plugin, function, map);
    const char *const error = api->mapGetError(result);
    snprintf(line, size, "%s", error ? error : "");
    VSNode *const node = error ? NULL : api->mapGetNode(result, "clip", 0, NULL);
    api->freeMap(map);
    api->freeMap(result);
    return node;
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int done;

static void VS_CC arrived(void *data, const VSFrame *f, int n, VSNode *node, const char *error)
{
    (void)data, (void)node;
    pthread_mutex_lock(&lock);
    frames[n] = f;
    if (error)
        printf("frame %d: %s\n", n, error);
    done++;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
}

void get_all(VSNode *node)
{
    done = 0;
    for (int n = 0; n < FRAMES; n++)
        api->getFrameAsync(n, node, arrived, NULL);
    pthread_mutex_lock(&lock);
    while (done < FRAMES)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
}
