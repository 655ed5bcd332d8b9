#include "layer/layer_channel.h"

#include "common/parts.h"
#include "common/pool.h"

#include <string.h>

int satk_layer_is_channel(const satk_layer *job)
{
    return job->channel > 0 && job->src.channels >= 3 && !job->tone.weighted;
}

static size_t plane_bytes(const satk_plane *plane)
{
    const size_t bytes = (size_t)plane->width * (size_t)plane->height * (size_t)plane->bits / 8;

    return (bytes + 63) / 64 * 64;
}

/* Returns a plane of one channel and the picture's size. */
static satk_plane gray_like(const satk_plane *picture, void *data)
{
    satk_plane gray = *picture;

    gray.data = data;
    gray.channels = 1;
    gray.pitch = (ptrdiff_t)picture->width * picture->bits / 8;
    return gray;
}

/* Returns the job of the channel. Its planes begin the scratch memory. */
static satk_layer gray_job(const satk_layer *job)
{
    satk_layer gray = *job;
    uint8_t *memory = job->scratch;

    gray.channel = gray.tone.opaque = 0;
    gray.src = gray.dst = gray_like(&job->src, memory);
    if (!memory)
        return gray;
    memory += plane_bytes(&gray.src);
    gray.dst.data = memory;
    gray.scratch = memory + plane_bytes(&gray.dst);
    return gray;
}

size_t satk_layer_channel_scratch(const satk_layer *job, int threads)
{
    satk_layer placeless = *job;

    placeless.scratch = NULL;
    const satk_layer gray = gray_job(&placeless);
    size_t bytes = 2 * plane_bytes(&gray.src);
    satk_place(&bytes, satk_layer_scratch_cpu(&gray, threads), 1);
    return bytes;
}

/* A channel of one plane, and where it goes. */
typedef struct channel_copy {
    const satk_plane *from, *to;
    int from_channel, to_channel;
} channel_copy;

static void copy_row(const void *copy, int y)
{
    const channel_copy *const c = copy;
    const size_t sample = (size_t)c->from->bits / 8;
    const size_t step = sample * (size_t)c->from->channels,
                 to_step = sample * (size_t)c->to->channels;
    const uint8_t *in = (const uint8_t *)c->from->data + y * c->from->pitch;
    uint8_t *out = (uint8_t *)c->to->data + y * c->to->pitch;

    in += (size_t)c->from_channel * sample;
    out += (size_t)c->to_channel * sample;
    for (int x = 0; x < c->from->width; x++, in += step, out += to_step)
        if (sample == 1)
            *out = *in;
        else
            memcpy(out, in, 2);
}

void satk_layer_channel(const satk_layer *job, int threads)
{
    const satk_layer gray = gray_job(job);
    const channel_copy take = {&job->src, &gray.src, job->channel - 1, 0};
    const channel_copy put = {&gray.dst, &job->dst, 0, job->channel - 1};

    satk_for(threads, gray.src.height, 0, copy_row, &take);
    satk_layer_cpu(&gray, threads);
    satk_for(threads, gray.src.height, 0, copy_row, &put);
}
