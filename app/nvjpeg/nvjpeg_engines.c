/* A GPU's JPEG engines. A picture that comes alone is decoded by one of them, whatever the others do, so those that
 * are wanted at the same time go there together: whoever finds no batch under way takes all that wait, and the
 * others' pictures come while that is decoded.
 *     Photos of 1920x1080 a second by the seven engines of an H200: 750 one by one, 860 by eight threads with one
 * each, 4160 in batches of 7, 4880 of 14; photos and their gray maps in turn, 7 of a kind each, 7160. They take less
 * than 0.1 ms of a processor each then.
 *     Within folders of photos and maps, where batches are of 1 to 8, two, three and four batches of a kind at a time
 * lost 5 to 25 % of the images/s, as more of them were of one picture; waiting 0.5 ms for more pictures lost 4 %;
 * a stream of the highest priority, nothing beyond the noise. */
#include "nvjpeg/nvjpeg_private.h"

static void drop(engines *e)
{
    if (e->state)
        (void)nvjpegJpegStateDestroy(e->state);
    e->state = NULL;
}

static nvjpegStatus_t make(engines *e)
{
    const nvjpegStatus_t status = nvjpegJpegStateCreate(e->handle, &e->state);
    if (status != NVJPEG_STATUS_SUCCESS)
        e->state = NULL;
    return status;
}

bool engines_open(engines *e, coder *c, nvjpegOutputFormat_t format)
{
    e->handle = c->handle;
    e->format = format;
    pthread_mutex_init(&e->lock, NULL);
    pthread_cond_init(&e->ended, NULL);
    return coder_did(c, make(e)) &&
           coder_could(c, cudaStreamCreateWithFlags(&e->stream, cudaStreamNonBlocking)) &&
           coder_could(c, cudaEventCreateWithFlags(&e->mark, cudaEventDisableTiming));
}

void engines_close(engines *e)
{
    if (!e->handle)
        return;
    if (e->mark)
        (void)cudaEventDestroy(e->mark);
    if (e->stream)
        (void)cudaStreamDestroy(e->stream);
    drop(e);
    pthread_cond_destroy(&e->ended);
    pthread_mutex_destroy(&e->lock);
    *e = (engines){0};
}

/* Whether all went well. What failed leaves no state, and no error of this thread's, which decodes for others:
 * it would come up in whatever this thread does next. */
static bool decode_batch(engines *e, wish **wishes, int count)
{
    const unsigned char *data[CODERS_PER_GPU];
    size_t sizes[CODERS_PER_GPU];
    nvjpegImage_t outs[CODERS_PER_GPU];
    for (int i = 0; i < count; i++) {
        data[i] = wishes[i]->file.data;
        sizes[i] = wishes[i]->file.size;
        outs[i] = wishes[i]->out;
    }
    nvjpegStatus_t status = e->state ? NVJPEG_STATUS_SUCCESS : make(e);
    if (status == NVJPEG_STATUS_SUCCESS)
        status = nvjpegDecodeBatchedInitialize(e->handle, e->state, count, 1, e->format);
    if (status == NVJPEG_STATUS_SUCCESS)
        status = nvjpegDecodeBatched(e->handle, e->state, data, sizes, outs, e->stream);
    const cudaError_t error =
        coder_sleep(e->mark, e->stream); /* it may have begun, and failed then */
    for (int i = 0; i < count; i++) {
        wishes[i]->status = status;
        wishes[i]->error = error;
    }
    if (status == NVJPEG_STATUS_SUCCESS && error == cudaSuccess)
        return true;
    drop(e);
    (void)cudaGetLastError();
    return false;
}

/* Nobody learns which picture of a batch was refused. So each is decoded alone then, and what becomes of one
 * never depends on its neighbours. */
static void decode_waiting(engines *e)
{
    wish *wishes[CODERS_PER_GPU];
    const int count = e->waiting;
    for (int i = 0; i < count; i++)
        wishes[i] = e->wishes[i];
    e->waiting = 0;
    e->is_busy = true;
    pthread_mutex_unlock(&e->lock);
    if (!decode_batch(e, wishes, count) && count > 1)
        for (int i = 0; i < count; i++)
            (void)decode_batch(e, &wishes[i], 1);
    pthread_mutex_lock(&e->lock);
    for (int i = 0; i < count; i++)
        wishes[i]->is_done = true;
    e->is_busy = false;
    pthread_cond_broadcast(&e->ended);
}

bool engines_decode(engines *e, coder *c, bytes file, const nvjpegImage_t *out)
{
    wish mine = {.file = file, .out = *out};
    pthread_mutex_lock(&e->lock);
    e->wishes[e->waiting++] = &mine;
    while (!mine.is_done)
        if (e->is_busy)
            pthread_cond_wait(&e->ended, &e->lock);
        else
            decode_waiting(e);
    pthread_mutex_unlock(&e->lock);
    if (!coder_could(c, mine.error))
        return false;
    const bool was_soiled = c->is_soiled;
    const bool did = coder_did(c, mine.status);
    c->is_soiled = was_soiled; /* nothing of the coder's took part */
    return did;
}
