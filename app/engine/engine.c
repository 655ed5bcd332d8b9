#include "engine/engine.h"

#include "engine/engine_verify.h"

#include "codec/codec.h"
#include "base/clock.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static satb_status measure_pictures(engine_request *q, satb_context *context)
{
    satb_status status = SATB_OK;
    if (q->o->stats || q->o->histogram)
        status = engine_timed(q, context, satb_measure(context, &q->src, q->stats));
    if (status == SATB_OK && q->o->histogram)
        status = engine_timed(q, context, satb_measure_luminance(context, &q->src, &q->luminance));
    if (status == SATB_OK && engine_measures_depth(q->o))
        status = engine_timed(q, context, satb_measure(context, &q->map, q->map_stats));
    return status;
}

static satb_status depth_of_field(engine_request *q, satb_context *context)
{
    const satb_image *const src = engine_blurred(q);
    const satb_image *const map = q->map.data ? &q->map : NULL;
    satb_dof_params dof = q->dof;
    satb_status status = SATB_OK;
    dof.matte = q->matte.data ? &q->matte : NULL;
    dof.protect = q->protect.data ? &q->protect : NULL;
    if (q->coc.data)
        status = engine_timed(q, context, satb_coc(context, src, map, &q->coc, &dof, &q->report));
    if (status != SATB_OK || !q->dst.data)
        return status;
    return engine_timed(q, context, satb_dof(context, src, map, &q->dst, &dof, &q->report));
}

/* Blurs by a radius map. Its radii are those of a map of disparity, focused at black. */
static satb_status blur_by_map(engine_request *q, satb_context *context)
{
    const satb_map_params params = {.max_radius = q->dof.max_radius, .look = q->o->look};
    const satb_dof_params radii = {.focus_mode = SATB_FOCUS_VALUE,
                                   .strength = SATB_STRENGTH_RADIUS,
                                   .max_radius = q->dof.max_radius,
                                   .holes = SATB_HOLES_NONE,
                                   .edges = SATB_DEPTH_EDGES_KEEP};
    const satb_image *const src = engine_blurred(q);
    satb_status status = SATB_OK;
    if (q->coc.data)
        status =
            engine_timed(q, context, satb_coc(context, src, &q->map, &q->coc, &radii, &q->report));
    return status == SATB_OK
               ? engine_timed(q, context, satb_blur_map(context, src, &q->map, &q->dst, &params))
               : status;
}

static satb_status make_result(engine_request *q, satb_context *context)
{
    if (q->o->given[OPT_EQUALIZE])
        return engine_timed(q, context, satb_equalize(context, &q->src, &q->dst));
    if (options_have_depth(q->o))
        return depth_of_field(q, context);
    if (q->o->given[OPT_RADIUS_MAP])
        return blur_by_map(q, context);
    return engine_timed(q, context, satb_box(context, engine_blurred(q), &q->dst, &q->box));
}

/* Pins the pictures' memory, for later pictures in the same memory. */
static void pin(const engine_request *q)
{
    for (source_role r = 0; r < SOURCES; r++)
        if (!q->images[r].on_device)
            pixels_pin(q->images[r].data);
    if (!q->dst.on_device)
        pixels_pin(q->dst.data);
}

bool engine_bring(engine_request *q, problem *p)
{
    problem inner;
    for (source_role r = 0; r < SOURCES; r++)
        if (!pixels_bring(&q->images[r], &inner))
            return problem_at(p, q->o->input, &inner);
    return true;
}

/* Moves all pictures to the host, for the CPU. Of the result, which is not written yet, only the memory is replaced. */
static bool bring_to_host(engine_request *q, problem *p)
{
    problem inner;
    return engine_bring(q, p) &&
           (pixels_displace(&q->dst, &inner) || problem_at(p, q->o->input, &inner));
}

static problem_kind kind_of(satb_status status)
{
    return status == SATB_ERR_DEVICE_NOMEM ? PROBLEM_DEVICE_MEMORY
           : status == SATB_ERR_NOMEM      ? PROBLEM_MEMORY
                                           : PROBLEM_PLAIN;
}

/* Measures the picture and makes the result in one context. */
static satb_status work_in_context(engine_request *q, satb_context *context, problem *p)
{
    q->timings = (satb_timings){{0}};
    q->memory = (satb_memory){0};
    snprintf(q->device, sizeof q->device, "%s", satb_describe(context));
    enum { FEW = 8 }; /* with more bands the picture takes longer than to wait for memory */
    satb_limit_bands(context, q->may_wait && q->o->engine.gpu_memory == 0 ? FEW : 0);
    satb_status status = measure_pictures(q, context);
    if (status == SATB_OK && (q->dst.data || q->coc.data))
        status = make_result(q, context);
    if (satb_is_cuda(context))
        pin(q);
    if (status != SATB_OK)
        problem_set_kind(p, kind_of(status), "%s: %s", q->o->input, satb_last_message(context));
    return status;
}

/* If memory runs out, frees the memory that is kept for pictures on the GPU and tries once more. If the picture was cut
 * into bands, frees it for the next one; if that one is cut, too, the kept memory was not the reason. */
static satb_status work_in_memory(engine *e, engine_request *q, satb_context *context, problem *p)
{
    const int gpu = e->config.cuda_index;
    satb_status status = work_in_context(q, context, p);
    if (status == SATB_ERR_DEVICE_NOMEM && nvjpeg_trim(gpu))
        status = work_in_context(q, context, p);
    const bool is_cut = status == SATB_OK && q->memory.bands > 1;
    if (is_cut && !e->was_cut)
        (void)nvjpeg_trim(gpu);
    e->was_cut = is_cut;
    return status;
}

static void *open_early(void *user)
{
    engine *const e = user;
    satb_open(&e->contexts[SATB_DEVICE_CUDA],
              &e->config); /* open_context() tries again and says why it fails */
    return NULL;
}

void engine_start(engine *e)
{
    e->is_starting = e->config.device == SATB_DEVICE_CUDA &&
                     pthread_create(&e->starter, NULL, open_early, e) == 0;
}

static void wait_for_start(engine *e)
{
    if (e->is_starting)
        pthread_join(e->starter, NULL);
    e->is_starting = false;
}

static satb_status open_context(engine *e, satb_device device, bool verifies, problem *p)
{
    satb_config config = e->config;
    config.device = device;
    wait_for_start(e);
    if (e->contexts[device])
        return SATB_OK;
    const satb_status status = satb_open(&e->contexts[device], &config);
    if (status != SATB_OK) {
        static const char *const names[] = {"auto", "cpu", "cuda"};
        problem_set_kind(
            p, kind_of(status), "--device %s: %s%s", names[device], satb_open_message(),
            device == SATB_DEVICE_CUDA && !verifies ? "; use --device auto or cpu" : "");
    }
    return status;
}

static satb_status work_on(engine *e, engine_request *q, satb_device device, problem *p)
{
    const double start = clock_ms();
    satb_status status = open_context(e, device, q->o->given[OPT_VERIFY], p);
    q->start_ms = clock_ms() - start;
    if (status != SATB_OK)
        return status;
    if (!satb_is_cuda(e->contexts[device]) && !bring_to_host(q, p))
        return SATB_ERR_NOMEM;
    status = work_in_memory(e, q, e->contexts[device], p);
    if (status == SATB_ERR_DEVICE)
        satb_close(&e->contexts[device]);
    return status;
}

/* Returns about the largest radius that a depth map can ask for, in pixels. A lens is taken to focus far behind its
 * focal length, as the focus is found only later. */
static double expected_radius(const engine_request *q)
{
    const satb_dof_params *d = &q->o->dof;
    const int longer = larger(q->src.width, q->src.height);
    double radius = d->max_radius <= 0        ? SATB_DEFAULT_RADIUS * longer
                    : q->o->radius_in_percent ? d->max_radius / 100 * longer
                                              : d->max_radius;
    if (d->strength == SATB_STRENGTH_LENS) {
        const double sensor_mm = d->sensor_mm > 0 ? d->sensor_mm : 36;
        const double range = 1 / d->distance_near - 1 / d->distance_far; /* 1/m */
        radius = d->focal_mm / 1000 * d->focal_mm / d->fstop * range / 2 * q->src.width / sensor_mm;
    }
    return radius * (d->scaled ? fmax(d->near_scale, d->far_scale) : 1);
}

/* Returns about what a pixel takes on one thread of a CPU of 2024, in ns. Layers take more the more slabs there are, and
 * the farther their windows reach beyond a tile. */
static double cpu_ns(const engine_request *q)
{
    const options *const o = q->o;
    if (options_have_depth(o))
        return (o->dof.fringe > 0 ? 1.5 : 1) *
               (options_are_layered(o)
                    ? (30 + expected_radius(q)) * (o->dof.highlights > 0 ? 1.5 : 1)
                : o->dof.method == SATB_METHOD_SPREAD ? 35
                                                      : 12);
    if (o->given[OPT_RADIUS_MAP])
        return 5;
    return o->given[OPT_EQUALIZE] ? 4 : 3;
}

/* Returns the device that `auto` means: for one picture, the CPU if it finishes sooner than a GPU starts. START_MS is the
 * time that an NVIDIA H200 takes with CUDA 13. */
static satb_device choose_device(const engine *e, engine_request *q)
{
    enum { START_MS = 220 };
    const int threads = e->config.threads > 0 ? e->config.threads : satb_processors();
    const double ms = (double)q->src.width * q->src.height * cpu_ns(q) / threads * 1e-6;
    if (e->config.device != SATB_DEVICE_AUTO || !e->is_for_one || ms > START_MS)
        return e->config.device;
    q->chosen_ms = ms;
    return SATB_DEVICE_CPU;
}

bool engine_open(engine *e, bool *is_cuda, problem *p)
{
    const satb_device device = e->config.device;
    const bool done = open_context(e, device, false, p) == SATB_OK;
    *is_cuda = done && satb_is_cuda(e->contexts[device]);
    return done;
}

void engine_trim(engine *e)
{
    for (int i = 0; i < 3; i++)
        if (e->contexts[i])
            satb_trim(e->contexts[i]);
}

void engine_close(engine *e)
{
    wait_for_start(e);
    for (int i = 0; i < 3; i++)
        satb_close(&e->contexts[i]);
}

/* Copies a request, with memory of its own for the results. */
static bool copy_request(engine_request *out, const engine_request *q, problem *p)
{
    *out = *q;
    out->dst.data = q->dst.data ? malloc(picture_bytes(&q->dst)) : NULL;
    out->coc.data = q->coc.data ? malloc(picture_bytes(&q->coc)) : NULL;
    return (!q->dst.data == !out->dst.data && !q->coc.data == !out->coc.data) ||
           problem_set(p, "%s: not enough memory to verify it; leave out --verify", q->o->input);
}

/* Does the work on the GPU, which may be missing, then on the CPU. The report and the timings are those of the GPU. */
static bool verify_request(engine *e, engine_request *q, problem *p)
{
    engine_request cpu;
    bool done = false;
    if (copy_request(&cpu, q, p)) {
        const satb_status status = work_on(e, q, SATB_DEVICE_CUDA, p);
        if (status == SATB_ERR_UNAVAILABLE)
            problem_set(p, "--verify needs a CUDA device beside the CPU: %s", satb_open_message());
        else if (status == SATB_OK && work_on(e, &cpu, SATB_DEVICE_CPU, p) == SATB_OK)
            done = engine_same_results(&cpu, q, p);
    }
    if (done)
        q->verified = engine_compared_bytes(q);
    free(cpu.dst.data);
    free(cpu.coc.data);
    return done;
}

bool engine_run(engine *e, engine_request *q, problem *p)
{
    const satb_device device = choose_device(e, q);
    if (q->o->given[OPT_VERIFY])
        return verify_request(e, q, p);
    const satb_status status = work_on(e, q, device, p);
    const bool cpu_may =
        status == SATB_ERR_DEVICE || (status == SATB_ERR_DEVICE_NOMEM && !q->may_wait);
    if (device != SATB_DEVICE_AUTO || !cpu_may)
        return status == SATB_OK;
    message_note(q->o->given[OPT_QUIET], "%s; continuing on the CPU", p->text);
    return work_on(e, q, SATB_DEVICE_CPU, p) == SATB_OK;
}
