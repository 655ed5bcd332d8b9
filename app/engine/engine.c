#include "engine/engine.h"

#include "codec/codec.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

double engine_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static void add_timings(satb_timings *sum, const satb_timings *more)
{
    sum->depth += more->depth;
    sum->upload += more->upload;
    sum->table += more->table;
    sum->blur += more->blur;
    sum->measure += more->measure;
    sum->equalize += more->equalize;
    sum->download += more->download;
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

/* The status of a call, whose timings and memory are added to the job's. */
static satb_status timed(job *j, const satb_context *context, satb_status status)
{
    if (status == SATB_OK) {
        const satb_timings t = satb_last_timings(context);
        const satb_memory m = satb_last_memory(context);
        add_timings(&j->timings, &t);
        j->memory.peak = m.peak; /* it only grows */
        j->memory.bands = larger(j->memory.bands, m.bands);
    }
    return status;
}

bool engine_measures_depth(const options *o)
{
    return o->stats && o->given[OPT_DEPTH];
}

static satb_status measure(job *j, satb_context *context)
{
    satb_status status = SATB_OK;
    if (j->o->stats || j->o->histogram)
        status = timed(j, context, satb_measure(context, &j->src, j->stats));
    if (status == SATB_OK && j->o->histogram)
        status = timed(j, context, satb_measure_luminance(context, &j->src, &j->luminance));
    if (status == SATB_OK && engine_measures_depth(j->o))
        status = timed(j, context, satb_measure(context, &j->map, j->map_stats));
    return status;
}

static satb_status depth_of_field(job *j, satb_context *context)
{
    satb_status status = SATB_OK;
    if (j->coc.data)
        status = timed(j, context, satb_coc(context, &j->src, &j->map, &j->coc, &j->dof, NULL));
    return status == SATB_OK ? satb_dof(context, &j->src, &j->map, &j->dst, &j->dof, &j->report)
                             : status;
}

static satb_status draw(job *j, satb_context *context)
{
    if (j->o->given[OPT_EQUALIZE])
        return satb_equalize(context, &j->src, &j->dst);
    if (j->o->given[OPT_DEPTH])
        return depth_of_field(j, context);
    if (j->o->given[OPT_RADIUS_MAP]) {
        const satb_map_params params = {.max_radius = j->dof.max_radius, .look = j->o->look};
        return satb_blur_map(context, &j->src, &j->map, &j->dst, &params);
    }
    return satb_box(context, &j->src, &j->dst, &j->box);
}

/* For the pictures that come into this memory next. */
static void pin(const job *j)
{
    const satb_image *const images[] = {&j->src, &j->map, &j->dst};
    for (size_t i = 0; i < sizeof images / sizeof *images; i++)
        if (!images[i]->on_device)
            pixels_pin(images[i]->data);
}

/* For the CPU, all that is on a GPU comes to the host; of the result, which is not written yet, the place alone. */
static bool bring(job *j, problem *p)
{
    problem inner;
    if (pixels_bring(&j->src, &inner) && pixels_bring(&j->map, &inner) &&
        pixels_displace(&j->dst, &inner))
        return true;
    return problem_at(p, j->o->input, &inner);
}

/* Measures and makes the picture, in one context. */
static satb_status work(job *j, satb_context *context, problem *p)
{
    j->timings = (satb_timings){0};
    j->memory = (satb_memory){0};
    snprintf(j->device, sizeof j->device, "%s", satb_describe(context));
    enum { FEW = 8 }; /* more take ever longer, while the others' memory is soon free */
    satb_limit_bands(context, j->may_wait && j->o->engine.gpu_memory == 0 ? FEW : 0);
    satb_status status = measure(j, context);
    if (status == SATB_OK && j->dst.data)
        status = timed(j, context, draw(j, context));
    if (satb_is_cuda(context))
        pin(j);
    if (status != SATB_OK)
        problem_starve(p, status == SATB_ERR_DEVICE_NOMEM, "%s: %s", j->o->input,
                       satb_last_message(context));
    return status;
}

/* Memory that is kept for pictures on the GPU makes room: once more for this one, or, where this is the first that had
 * to be cut into bands, for the next. If that is cut, too, what is kept is not what there is too much of. */
static satb_status work_in_room(engine *e, job *j, satb_context *context, problem *p)
{
    const int gpu = e->config.cuda_index;
    satb_status status = work(j, context, p);
    if (status == SATB_ERR_DEVICE_NOMEM && nvjpeg_trim(gpu))
        status = work(j, context, p);
    const bool is_cut = status == SATB_OK && j->memory.bands > 1;
    if (is_cut && !e->was_cut)
        (void)nvjpeg_trim(gpu);
    e->was_cut = is_cut;
    return status;
}

static void *start(void *user)
{
    engine *const e = user;
    satb_open(&e->contexts[SATB_DEVICE_CUDA],
              &e->config); /* if it fails, the next attempt says why */
    return NULL;
}

void engine_start(engine *e)
{
    e->is_starting =
        e->config.device == SATB_DEVICE_CUDA && pthread_create(&e->starter, NULL, start, e) == 0;
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
        problem_starve(p, status == SATB_ERR_DEVICE_NOMEM, "--device %s: %s%s", names[device],
                       satb_open_message(),
                       device == SATB_DEVICE_CUDA && !verifies ? "; use --device auto or cpu" : "");
    }
    return status;
}

static satb_status work_on(engine *e, job *j, satb_device device, problem *p)
{
    const double start = engine_clock();
    satb_status status = open_context(e, device, j->o->given[OPT_VERIFY], p);
    j->start_ms = engine_clock() - start;
    if (status != SATB_OK)
        return status;
    if (!satb_is_cuda(e->contexts[device]) && !bring(j, p))
        return SATB_ERR_NOMEM;
    status = work_in_room(e, j, e->contexts[device], p);
    if (status == SATB_ERR_DEVICE)
        satb_close(&e->contexts[device]);
    return status;
}

/* What a pixel takes on one thread of a CPU of 2024, in ns: 3840 x 2160 RGB, satbench and --timings. Layers
 * take more the more slabs there are, and the wider what their tables reach beyond a tile: 32 for objects
 * and radii to 40, 190 for a slope to 77, 600 for one to 240. */
static double cpu_ns(const job *j)
{
    const options *const o = j->o;
    const int longer = j->src.width > j->src.height ? j->src.width : j->src.height;
    const double radius = o->dof.max_radius > 0 ? o->dof.max_radius : 0.02 * longer;

    if (o->given[OPT_DEPTH])
        return o->dof.method == SATB_METHOD_GATHER ? 12
               : o->dof.method == SATB_METHOD_SPREAD
                   ? 35
                   : (30 + radius) * (o->dof.highlights > 0 ? 1.5 : 1);
    if (o->given[OPT_RADIUS_MAP])
        return 5;
    return o->given[OPT_EQUALIZE] ? 4 : 3;
}

/* Which device `auto` means: a GPU needs this long to start, an NVIDIA H200 with CUDA 13, and little for the
 * work; so for one picture it only pays where that is more. */
static satb_device choose_device(const engine *e, job *j)
{
    enum { START_MS = 220 };
    const int threads = e->config.threads > 0 ? e->config.threads : omp_get_num_procs();
    const double ms = (double)j->src.width * j->src.height * cpu_ns(j) / threads * 1e-6;
    if (e->config.device != SATB_DEVICE_AUTO || !e->is_for_one || ms > START_MS)
        return e->config.device;
    j->chosen_ms = ms;
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

/* Where the bytes of two outputs first differ; size when they are equal. */
static size_t first_difference(const unsigned char *a, const unsigned char *b, size_t size)
{
    size_t at = 0;
    if (memcmp(a, b, size) == 0)
        return size;
    while (a[at] == b[at])
        at++;
    return at;
}

static bool same_pixels(const satb_image *a, const satb_image *b, problem *p)
{
    const size_t size = picture_bytes(a), sample = (size_t)a->bits / 8;
    const size_t at = first_difference(a->data, b->data, size);
    if (at == size)
        return true;
    const size_t pixel = at / sample / (size_t)a->channels;
    return problem_set(
        p,
        "verify: cpu and gpu differ, first at pixel %zu,%zu, channel %zu; nothing was written, "
        "please report it",
        pixel % (size_t)a->width, pixel / (size_t)a->width, at / sample % (size_t)a->channels);
}

static bool same_results(const job *cpu, const job *gpu, problem *p)
{
    if (memcmp(cpu->stats, gpu->stats, sizeof cpu->stats) != 0 ||
        memcmp(cpu->map_stats, gpu->map_stats, sizeof cpu->map_stats) != 0 ||
        memcmp(&cpu->luminance, &gpu->luminance, sizeof cpu->luminance) != 0)
        return problem_set(p, "verify: the statistics of cpu and gpu differ; please report it");
    if (memcmp(&cpu->report, &gpu->report, sizeof cpu->report) != 0) {
        return problem_set(
            p, "verify: cpu and gpu focus differently; nothing was written, please report it");
    }
    return !cpu->dst.data || same_pixels(&cpu->dst, &gpu->dst, p);
}

/* How many bytes of results there are to compare. */
static size_t compared_bytes(const job *j)
{
    const options *o = j->o;
    size_t channels = 0;
    if (o->stats || o->histogram)
        channels += (size_t)j->src.channels;
    if (o->histogram)
        channels++;
    if (engine_measures_depth(o))
        channels += (size_t)j->map.channels;
    return channels * sizeof(satb_channel_stats) + (j->dst.data ? picture_bytes(&j->dst) : 0);
}

/* The GPU goes first: it is the one that may be missing. The report and the timings stay those of
 * the GPU. */
static bool verify(engine *e, job *j, problem *p)
{
    job cpu = *j;
    bool done = false;
    if (j->dst.data && !(cpu.dst.data = malloc(picture_bytes(&j->dst)))) {
        return problem_set(p, "%s: not enough memory to verify it; leave out --verify",
                           j->o->input);
    }
    const satb_status status = work_on(e, j, SATB_DEVICE_CUDA, p);
    if (status == SATB_ERR_UNAVAILABLE)
        problem_set(p, "--verify needs a CUDA device beside the CPU: %s", satb_open_message());
    else if (status == SATB_OK && work_on(e, &cpu, SATB_DEVICE_CPU, p) == SATB_OK)
        done = same_results(&cpu, j, p);
    if (done)
        j->verified = compared_bytes(j);
    free(cpu.dst.data);
    return done;
}

bool engine_run(engine *e, job *j, problem *p)
{
    const satb_device device = choose_device(e, j);
    if (j->o->given[OPT_VERIFY])
        return verify(e, j, p);
    const satb_status status = work_on(e, j, device, p);
    const bool cpu_may =
        status == SATB_ERR_DEVICE || (status == SATB_ERR_DEVICE_NOMEM && !j->may_wait);
    if (device != SATB_DEVICE_AUTO || !cpu_may)
        return status == SATB_OK;
    say_note(j->o->given[OPT_QUIET], "%s; going on with the CPU", p->text);
    return work_on(e, j, SATB_DEVICE_CPU, p) == SATB_OK;
}
