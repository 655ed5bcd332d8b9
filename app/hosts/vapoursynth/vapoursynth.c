/* The plug-in for VapourSynth: satblur.DOF() and satblur.Box(). */
#include "hosts/arguments.h"
#include "hosts/contexts.h"
#include "hosts/planar.h"

#include <VapourSynth4.h>
#include <stdio.h>
#include <stdlib.h>

enum { CLIP, DEPTH, MATTE, PROTECT, CLIPS };
static const char *const clip_names[CLIPS] = {"clip", "depth", "matte", "protect"};
static char dof_name[] = "DOF", box_name[] = "Box";
enum { TRANSFER_LINEAR = 8, TRANSFER_PQ = 16, TRANSFER_HLG = 18 }; /* by ITU-T H.273 */

typedef struct filter {
    const char *name;     /* dof_name or box_name */
    VSNode *clips[CLIPS]; /* NULL: not given */
    const VSVideoInfo *about[CLIPS];
    satb_dof_params dof;
    satb_box_params box;
    int transfer; /* of the samples: 0 as frames say, 1 codes, 2 light */
    satb_config config;
    contexts *contexts;
} filter;

static int property(const VSAPI *api, const VSFrame *frame, const char *name, int none)
{
    int error;
    const int value = api->mapGetIntSaturated(api->getFramePropertiesRO(frame), name, 0, &error);
    return error ? none : value;
}

/* Returns the planes of a frame, which are written if to is the frame, too, and not NULL. */
static planar_frame planes_of(const VSAPI *api, const VSFrame *f, VSFrame *to, bool is_light)
{
    const VSVideoFormat *const v = api->getVideoFrameFormat(f);
    planar_frame p = {.view = {.width = api->getFrameWidth(f, 0),
                               .height = api->getFrameHeight(f, 0),
                               .bits = v->bitsPerSample,
                               .shift_x = v->subSamplingW,
                               .shift_y = v->subSamplingH},
                      .planes = v->numPlanes,
                      .is_yuv = v->colorFamily == cfYUV,
                      .is_float = v->sampleType == stFloat,
                      .is_light = is_light};
    const int old = property(api, f, "_ColorRange", p.is_yuv); /* the older name; 0 is full */
    p.colour = yuv_colour_of(property(api, f, "_Matrix", 2), property(api, f, "_Range", !old) == 1,
                             p.view.width, p.view.height);
    for (int i = 0; i < p.planes; i++) {
        p.view.planes[i] = to ? api->getWritePtr(to, i) : (uint8_t *)api->getReadPtr(f, i);
        p.view.strides[i] = api->getStride(f, i);
    }
    return p;
}

/* Gives a context back after a call. Returns whether the call succeeded; otherwise p has its message. */
static bool finish(const filter *f, satb_context *context, satb_status status, problem *p)
{
    const bool is_told = context && status != SATB_ERR_NOMEM;
    problem_set(p, "%s", is_told ? satb_last_message(context) : "not enough memory");
    if (context)
        contexts_give(f->contexts, context);
    return context && status == SATB_OK;
}

/* Blurs each plane where it is. */
static bool box_planes(const filter *f, const planar_frame *from, const planar_frame *to,
                       problem *p)
{
    satb_context *const context = contexts_take(f->contexts);
    satb_box_params box = f->box;
    satb_status status = SATB_OK;
    satb_image src, dst;
    box.look.gamma = from->is_light && !from->is_float;
    for (int i = 0; i < from->planes && status == SATB_OK; i++)
        if (planar_view(from, i, &src) && planar_view(to, i, &dst))
            status = satb_box(context, &src, &dst, &box);
    return finish(f, context, status, p);
}

/* Blurs the first frame into a copy of it. Frames that are not given have no planes. */
static bool blur(const filter *f, const planar_frame from[CLIPS], const planar_frame *to,
                 problem *p)
{
    satb_image images[CLIPS + 1] = {0}, *const src = images, *const dst = &images[CLIPS];
    satb_dof_params dof = f->dof;
    satb_box_params box = f->box;
    bool done = true;
    dof.look.gamma = box.look.gamma = from->is_light && !from->is_float;
    for (int i = 0; i < CLIPS; i++)
        done = done && (from[i].planes == 0 || planar_read(&from[i], i != CLIP, &images[i]));
    *dst = *src;
    dst->data = malloc((size_t)dst->stride * (size_t)dst->height);
    dof.matte = images[MATTE].data ? &images[MATTE] : NULL;
    dof.protect = images[PROTECT].data ? &images[PROTECT] : NULL;
    satb_context *const context = done && dst->data ? contexts_take(f->contexts) : NULL;
    const satb_image *const depth = images[DEPTH].data ? &images[DEPTH] : NULL;
    const satb_status status = f->name == dof_name ? satb_dof(context, src, depth, dst, &dof, NULL)
                                                   : satb_box(context, src, dst, &box);
    done = finish(f, context, status, p);
    if (done)
        planar_write(to, src, dst);
    for (int i = 0; i <= CLIPS; i++)
        free(images[i].data);
    return done;
}

/* Returns the blurred frame. NULL: p has a line. */
static VSFrame *make_frame(const filter *f, const VSFrame *const in[CLIPS], VSCore *core,
                           const VSAPI *api, problem *p)
{
    const int curve = property(api, in[CLIP], "_Transfer", 2);
    const bool is_light = f->transfer ? f->transfer == 2 : curve == TRANSFER_LINEAR;
    planar_frame from[CLIPS] = {0};
    satb_image view;
    if (f->transfer == 0 && (curve == TRANSFER_PQ || curve == TRANSFER_HLG))
        return problem_set(p, "clip: PQ and HLG need core.resize.Bicubic(format=vs.RGBH, "
                              "transfer_s='linear')"),
               NULL;
    for (int i = 0; i < CLIPS; i++)
        if (in[i])
            from[i] = planes_of(api, in[i], NULL, i == CLIP && is_light);
    const bool in_place = f->name == box_name && planar_view(&from[CLIP], 0, &view);
    VSFrame *const out = in_place ? api->newVideoFrame(&f->about[CLIP]->format, view.width,
                                                       view.height, in[CLIP], core)
                                  : api->copyFrame(in[CLIP], core);
    const planar_frame to = planes_of(api, out, out, is_light);
    if (in_place ? box_planes(f, from, &to, p) : blur(f, from, &to, p))
        return out;
    api->freeFrame(out);
    return NULL;
}

static const VSFrame *VS_CC get_frame(int n, int reason, void *data, void **frame_data,
                                      VSFrameContext *context, VSCore *core, const VSAPI *api)
{
    const filter *const f = data;
    const VSFrame *in[CLIPS] = {NULL}, *out = NULL;
    problem inner, p;
    (void)frame_data;
    for (int i = 0; i < CLIPS; i++)
        if (f->clips[i] && reason == arInitial)
            api->requestFrameFilter(n, f->clips[i], context); /* of a still its one frame */
        else if (f->clips[i] && reason == arAllFramesReady)
            in[i] = api->getFrameFilter(n, f->clips[i], context);
    if (in[CLIP] && !(out = make_frame(f, in, core, api, &inner))) {
        problem_at(&p, f->name, &inner);
        api->setFilterError(p.text, context);
    }
    for (int i = 0; i < CLIPS; i++)
        api->freeFrame(in[i]);
    return out;
}

static const argument transfer_arguments[] = {
    {"transfer", offsetof(filter, transfer), 1, true, 0, {"auto", "srgb", "linear"}}, {0}};

/* Reads the arguments of rows into a struct. */
static bool read_arguments(const VSMap *map, const VSAPI *api, const argument *a, void *in,
                           problem *p)
{
    arguments_clear(a, in);
    for (; a->name; a++)
        for (int i = 0; i < api->mapNumElements(map, a->name); i++)
            if (i >= a->count)
                return problem_set(p, "%s: give at most %d numbers", a->name, a->count);
            else if (a->words[0] &&
                     !argument_choose(a, api->mapGetData(map, a->name, i, NULL), in, p))
                return false;
            else if (a->is_whole && !a->words[0])
                argument_set(a, i, api->mapGetIntSaturated(map, a->name, i, NULL), in);
            else if (!a->is_whole)
                argument_set(a, i, api->mapGetFloat(map, a->name, i, NULL), in);
    return true;
}

/* Checks a clip, and that maps and masks fit the picture. */
static bool check_clip(const filter *f, int i, const VSAPI *api, problem *p)
{
    const VSVideoInfo *const v = f->about[i], *const clip = f->about[CLIP];
    const VSVideoFormat *const format = &v->format;
    const bool is_float = format->sampleType == stFloat;
    const char *const which = clip_names[i];
    char name[32];
    if (v->width == 0 || format->colorFamily == cfUndefined)
        return problem_set(p, "%s: its format or size varies; give it one by core.resize", which);
    api->getVideoFormatName(format, name);
    if ((format->bitsPerSample > 16 && !is_float) ||
        (i == CLIP && format->colorFamily == cfYUV &&
         (is_float || format->subSamplingW > 1 || format->subSamplingH > 1)))
        return problem_set(
            p, "%s: %s is not supported; convert it by core.resize.Bicubic(format=vs.%s)", which,
            name, i == CLIP ? "RGB48" : "GRAY16");
    if (v->numFrames != clip->numFrames && v->numFrames != 1)
        return problem_set(p, "%s: %d frames, and the clip has %d; give as many, or one for all",
                           which, v->numFrames, clip->numFrames);
    return argument_fits(clip->width, clip->height, v->width, v->height) ||
           problem_set(p, "%s: %d x %d has other proportions than %d x %d; use std.Crop or resize",
                       which, v->width, v->height, clip->width, clip->height);
}

/* Opens contexts for VapourSynth's threads, which share the processors, and lets one check the parameters. */
static bool open_contexts(filter *f, VSCore *core, const VSAPI *api, problem *p)
{
    const VSVideoInfo *const clip = f->about[CLIP];
    VSCoreInfo info;
    api->getCoreInfo(core, &info);
    if (f->config.threads == 0)
        f->config.threads = (satb_processors() + info.numThreads - 1) / info.numThreads;
    f->contexts = contexts_open(&f->config, info.numThreads);
    if (!f->contexts)
        return problem_set(p, "%s", satb_open_message());
    satb_context *const context = contexts_take(f->contexts);
    const satb_status status =
        f->name == dof_name ? dof_arguments_check(context, &f->dof, clip->width, clip->height)
                            : box_arguments_check(context, &f->box);
    return finish(f, context, status, p);
}

static bool prepare(filter *f, const VSMap *in, VSCore *core, const VSAPI *api, problem *p)
{
    int error;
    for (int i = 0; i < CLIPS; i++) {
        f->clips[i] = api->mapGetNode(in, clip_names[i], 0, &error);
        f->about[i] = f->clips[i] ? api->getVideoInfo(f->clips[i]) : NULL;
        if (f->clips[i] && !check_clip(f, i, api, p))
            return false;
    }
    if (f->name == dof_name && !f->clips[DEPTH] && !f->clips[MATTE])
        return problem_set(p, "there is no depth; give maps as depth, or masks as matte");
    if (!read_arguments(in, api, transfer_arguments, f, p) ||
        !read_arguments(in, api, config_arguments, &f->config, p) ||
        !read_arguments(in, api, box_arguments, &f->box, p) ||
        !read_arguments(in, api, dof_arguments, &f->dof, p))
        return false;
    dof_arguments_imply(&f->dof);
    box_arguments_imply(&f->box);
    return open_contexts(f, core, api, p);
}

static void VS_CC free_filter(void *data, VSCore *core, const VSAPI *api)
{
    filter *const f = data;
    (void)core;
    for (int i = 0; i < CLIPS; i++)
        api->freeNode(f->clips[i]);
    contexts_close(&f->contexts);
    free(f);
}

static void VS_CC create(const VSMap *in, VSMap *out, void *name, VSCore *core, const VSAPI *api)
{
    filter *const f = calloc(1, sizeof *f);
    VSFilterDependency needs[CLIPS];
    problem inner = {.text = "not enough memory"}, p;
    int count = 0;
    if (f)
        f->name = name;
    if (!f || !prepare(f, in, core, api, &inner)) {
        problem_at(&p, name, &inner);
        api->mapSetError(out, p.text);
        if (f)
            free_filter(f, core, api);
        return;
    }
    for (int i = 0; i < CLIPS; i++)
        if (f->clips[i])
            needs[count++] = (VSFilterDependency){
                f->clips[i], f->about[i]->numFrames > 1 ? rpStrictSpatial : rpGeneral};
    api->createVideoFilter(out, name, f->about[CLIP], get_frame, free_filter, fmParallel, needs,
                           count, f, core);
}

/* Registers a function by the clips and the rows of its arguments. */
static void announce(const VSPLUGINAPI *api, VSPlugin *plugin, char *name, const char *clips,
                     const argument *own)
{
    const argument *const lists[] = {own, transfer_arguments, config_arguments};
    char text[2000];
    int used = snprintf(text, sizeof text, "%s", clips);
    for (int i = 0; i < 3; i++)
        for (const argument *a = lists[i]; a->name; a++) {
            const char *const type = a->words[0] ? "data" : a->is_whole ? "int" : "float";
            used += snprintf(text + used, sizeof text - (size_t)used, "%s:%s%s:opt;", a->name, type,
                             a->count > 1 ? "[]" : "");
        }
    api->registerFunction(name, text, "clip:vnode;", create, name, plugin);
}

VS_EXTERNAL_API(void) VapourSynthPluginInit2(VSPlugin *plugin, const VSPLUGINAPI *api);
VS_EXTERNAL_API(void) VapourSynthPluginInit2(VSPlugin *plugin, const VSPLUGINAPI *api)
{
    api->configPlugin("satblur.satblur", "satblur", "Depth of field, box blur",
                      VS_MAKE_VERSION(SATB_VERSION_MAJOR, SATB_VERSION_MINOR),
                      VAPOURSYNTH_API_VERSION, 0, plugin);
    announce(api, plugin, dof_name, "clip:vnode;depth:vnode:opt;matte:vnode:opt;protect:vnode:opt;",
             dof_arguments);
    announce(api, plugin, box_name, "clip:vnode;radius:float;", box_arguments + 1);
}
