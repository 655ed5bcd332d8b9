/* A GPU's hardware decoder. It has several engines, and decodes a picture that comes alone by one of them, one after
 * the other. So pictures that are wanted at the same time go there as a batch: a thread that finds no batch under way
 * takes all waiting requests, and the requests that come meanwhile make the next batch. One batch of a format at a
 * time is fastest, as more batches at a time would be smaller. */
#include "nvjpeg/nvjpeg_private.h"

static void drop_state(hw_decoder *d)
{
    if (d->state)
        (void)nvjpegJpegStateDestroy(d->state);
    d->state = NULL;
}

static nvjpegStatus_t make_state(hw_decoder *d)
{
    const nvjpegStatus_t status = nvjpegJpegStateCreate(d->handle, &d->state);
    if (status != NVJPEG_STATUS_SUCCESS)
        d->state = NULL;
    return status;
}

bool hw_decoder_open(hw_decoder *d, nvjpeg_codec *c, nvjpegOutputFormat_t format)
{
    d->handle = c->handle;
    d->format = format;
    pthread_mutex_init(&d->lock, NULL);
    pthread_cond_init(&d->ended, NULL);
    return nvjpeg_codec_did(c, make_state(d)) &&
           nvjpeg_codec_could(c, cudaStreamCreateWithFlags(&d->stream, cudaStreamNonBlocking)) &&
           nvjpeg_codec_could(c, cudaEventCreateWithFlags(&d->mark, cudaEventDisableTiming));
}

void hw_decoder_close(hw_decoder *d)
{
    if (!d->handle)
        return;
    if (d->mark)
        (void)cudaEventDestroy(d->mark);
    if (d->stream)
        (void)cudaStreamDestroy(d->stream);
    drop_state(d);
    pthread_cond_destroy(&d->ended);
    pthread_mutex_destroy(&d->lock);
    *d = (hw_decoder){0};
}

/* Returns whether all went well. After a failure there is no state, and no error of CUDA's is left in this thread,
 * which decodes for others. */
static bool decode_batch(hw_decoder *d, decode_request **requests, int count)
{
    const unsigned char *data[CODECS_PER_GPU];
    size_t sizes[CODECS_PER_GPU];
    nvjpegImage_t outs[CODECS_PER_GPU];
    for (int i = 0; i < count; i++) {
        data[i] = requests[i]->file.data;
        sizes[i] = requests[i]->file.size;
        outs[i] = requests[i]->out;
    }
    nvjpegStatus_t status = d->state ? NVJPEG_STATUS_SUCCESS : make_state(d);
    if (status == NVJPEG_STATUS_SUCCESS)
        status = nvjpegDecodeBatchedInitialize(d->handle, d->state, count, 1, d->format);
    if (status == NVJPEG_STATUS_SUCCESS)
        status = nvjpegDecodeBatched(d->handle, d->state, data, sizes, outs, d->stream);
    const cudaError_t error =
        nvjpeg_sleep(d->mark, d->stream); /* the batch may have failed after its begin */
    for (int i = 0; i < count; i++) {
        requests[i]->status = status;
        requests[i]->error = error;
    }
    if (status == NVJPEG_STATUS_SUCCESS && error == cudaSuccess)
        return true;
    drop_state(d);
    (void)cudaGetLastError();
    return false;
}

/* Decodes all waiting requests. nvJPEG does not tell which picture of a batch it refused: each is decoded alone then,
 * so that a picture's result never depends on its neighbours. */
static void decode_waiting(hw_decoder *d)
{
    decode_request *requests[CODECS_PER_GPU];
    const int count = d->waiting;
    for (int i = 0; i < count; i++)
        requests[i] = d->requests[i];
    d->waiting = 0;
    d->is_busy = true;
    pthread_mutex_unlock(&d->lock);
    if (!decode_batch(d, requests, count) && count > 1)
        for (int i = 0; i < count; i++)
            (void)decode_batch(d, &requests[i], 1);
    pthread_mutex_lock(&d->lock);
    for (int i = 0; i < count; i++)
        requests[i]->is_done = true;
    d->is_busy = false;
    pthread_cond_broadcast(&d->ended);
}

bool hw_decoder_decode(hw_decoder *d, nvjpeg_codec *c, bytes file, const nvjpegImage_t *out)
{
    decode_request mine = {.file = file, .out = *out};
    pthread_mutex_lock(&d->lock);
    d->requests[d->waiting++] = &mine;
    while (!mine.is_done)
        if (d->is_busy)
            pthread_cond_wait(&d->ended, &d->lock);
        else
            decode_waiting(d);
    pthread_mutex_unlock(&d->lock);
    if (!nvjpeg_codec_could(c, mine.error))
        return false;
    const bool needed_reset = c->needs_reset;
    const bool did = nvjpeg_codec_did(c, mine.status);
    c->needs_reset = needed_reset; /* no part of the codec was used */
    return did;
}
