#include "hosts/host.h"

#include "hosts/host_private.h"
#include "codec/isolate.h"
#include "cli/args.h"
#include "image/pixels.h"
#include "image/shape.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 128 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of the parser and of the pool */
static engine_pool pool;
static satb_config pool_config;
static bool pool_is_open;
static _Thread_local problem failure;

/* --- The process ------------------------------------------------------------------------------ */

/* A child of fork() has none of the threads. What the parent keeps is left alone, as a GPU cannot be closed there. */
static void after_fork(void)
{
    pthread_mutex_init(&lock, NULL);
    pool_is_open = false;
}

void satb_host_begin(const char *program)
{
    pthread_atfork(NULL, NULL, after_fork);
    isolate_start_by(program);
}

static void close_pool(void)
{
    if (pool_is_open)
        engine_pool_close(&pool);
    pool_is_open = false;
}

void satb_host_end(void)
{
    pthread_mutex_lock(&lock);
    close_pool();
    pthread_mutex_unlock(&lock);
}

/* Opens an engine of the device, unless the last call has left it. */
static bool open_pool(const satb_config *config, problem *p)
{
    const bool fits = pool_is_open && pool_config.device == config->device &&
                      pool_config.cuda_index == config->cuda_index;
    if (fits)
        return true;
    close_pool();
    pool_config = *config;
    return pool_is_open = engine_pool_open(&pool, config, false, 1, p);
}

const char *satb_host_problem(void)
{
    return failure.text;
}

int satb_host_is_starved(void)
{
    return failure.kind == PROBLEM_MEMORY;
}

/* --- Words ------------------------------------------------------------------------------------ */

/* Cuts the copied lines into words behind the first, with an OUTPUT that no folder can be called. Returns their number;
 * MOST_WORDS: they are too many. */
static int split(satb_host *h, char **words)
{
    static char result[] = "/dev/null/result.png";
    int count = 1;
    words[0] = h->program;
    for (char *at = h->lines; at && count < MOST_WORDS; count++)
        words[count] = strsep(&at, "\n");
    if (count < MOST_WORDS)
        words[count] = NULL;
    if (count > 2)
        words[2] = result;
    return count;
}

/* Names the pictures in messages as hosts do. */
static void name_sources(options *o)
{
    static const char *const names[SOURCES] = {"image", "depth", "matte", "protect"};
    for (source_role r = 0; r < SOURCES; r++)
        if (o->source[r])
            o->source[r] = names[r];
}

static bool parse(satb_host *h, problem *p)
{
    char *words[MOST_WORDS];
    const int count = split(h, words);
    if (count == MOST_WORDS)
        return problem_set(p, "there are more than %d options; leave out some", MOST_WORDS - 2);
    const args_result what = args_parse(count, words, &h->o, p);
    return what == ARGS_RUN || what == ARGS_WRONG || what == ARGS_FAILED
               ? what == ARGS_RUN
               : problem_set(p, "there is no picture to work on; give one");
}

satb_host *host_new(const char *lines, problem *p)
{
    satb_host *const h = calloc(1, sizeof *h);
    if (!h || !(h->lines = strdup(lines))) {
        free(h);
        problem_set_kind(p, PROBLEM_MEMORY, "not enough memory for the options");
        return NULL;
    }
    strcpy(h->program, "satblur");
    picture_job_begin(&h->job, &h->o, NULL);
    pthread_mutex_lock(&lock);
    const bool done = parse(h, p);
    pthread_mutex_unlock(&lock);
    if (done)
        return h;
    satb_host_close(h);
    return NULL;
}

satb_host *host_fail(satb_host *h, const problem *p)
{
    failure = *p;
    satb_host_close(h);
    return NULL;
}

satb_host *satb_host_open(const char *lines, int is_clip)
{
    problem p = {.text = ""};
    satb_host *const h = host_new(lines, &p);
    if (h && h->o.depth_implied)
        problem_set(&p, "depth is missing; give a map, a matte or tilt_shift");
    if (!h || h->o.depth_implied || (is_clip && !args_check_clip(&h->o, &p)))
        return host_fail(h, &p);
    name_sources(&h->o);
    h->is_clip = is_clip;
    if (is_clip)
        focus_path_open(&h->focus, &h->o, h->o.fps, 0);
    return h;
}

void satb_host_close(satb_host *h)
{
    if (!h)
        return;
    if (h->is_clip)
        focus_path_close(&h->focus);
    picture_job_free(&h->job);
    free(h->lines);
    free(h);
}

/* --- Work ------------------------------------------------------------------------------------- */

/* Frees the last picture's, and begins the next. */
static void begin_picture(satb_host *h)
{
    picture_job_free(&h->job);
    picture_job_begin(&h->job, &h->o, NULL);
    h->job.number = h->is_clip ? h->frame : 0;
    h->job.is_frame = h->is_clip;
    h->is_done = false;
}

int satb_host_give(satb_host *h, int role, const void *data, int width, int height, int channels,
                   int kind)
{
    if (h->is_done)
        begin_picture(h);
    picture *const to = &h->job.pictures[role];
    *to = (picture){.format = "array", .library = "", .white = UINT16_MAX, .orientation = 1};
    problem p;
    if (kind == HOST_NUMBER) {
        const bool done = values_allocate(&to->values, width, height, &p);
        if (done)
            memcpy(to->values.data, data, (size_t)width * (size_t)height * sizeof(float));
        return done;
    }
    to->image = (satb_image){.width = width, .height = height, .channels = channels};
    to->image.bits = kind == 8 ? 8 : 16;
    to->image.half = kind == HOST_HALF;
    to->image.stride = (ptrdiff_t)width * channels * (to->image.bits / 8);
    to->white = kind == 8 ? UINT8_MAX : UINT16_MAX;
    to->image.data = pixels_allocate(picture_bytes(&to->image));
    if (to->image.data)
        memcpy(to->image.data, data, picture_bytes(&to->image));
    return to->image.data != NULL;
}

/* Finds the focus of a frame that follows others. */
static bool find_focus(satb_host *h, problem *p)
{
    return !h->is_clip || focus_path_set(&h->focus, &pool, &h->job.request, h->frame,
                                         (double)h->frame / h->o.fps, 1, p);
}

static bool blur(satb_host *h, problem *p)
{
    if (!open_pool(&h->o.engine, p) || !picture_job_settle(&h->job, p) || !find_focus(h, p))
        return false;
    engine *const e = engine_pool_take(&pool, ANY_ENGINE);
    const bool done = picture_job_work(&h->job, e, p);
    engine_pool_give(&pool, e);
    return done;
}

int satb_host_run(satb_host *h)
{
    h->notes = (message_notes){.used = 0};
    failure = (problem){.text = ""};
    pthread_mutex_lock(&lock);
    message_list(&h->notes);
    const bool done = blur(h, &failure);
    message_collect(NULL);
    pthread_mutex_unlock(&lock);
    h->frame++;
    h->is_done = true;
    return done;
}

/* --- Results ---------------------------------------------------------------------------------- */

const void *satb_host_picture(const satb_host *h, int role, int shape[4])
{
    const picture *const read = role < SOURCES ? &h->job.pictures[role] : NULL;
    const satb_image *const image = read ? &read->image : &h->job.request.dst;
    const bool has_numbers = read && read->values.data;
    shape[0] = has_numbers ? read->values.width : image->width;
    shape[1] = has_numbers ? read->values.height : image->height;
    shape[2] = has_numbers ? 1 : image->channels;
    shape[3] = has_numbers ? HOST_NUMBER : image->half ? HOST_HALF : image->bits;
    return has_numbers ? read->values.data : image->data;
}

const void *satb_host_report(const satb_host *h)
{
    return &h->job.request.report;
}

const char *satb_host_notes(const satb_host *h, size_t *size)
{
    *size = h->notes.used;
    return h->notes.lines;
}

const char *satb_host_meaning(const satb_host *h)
{
    return h->meaning.text;
}
