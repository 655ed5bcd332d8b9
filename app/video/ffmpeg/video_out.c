#include "video/video_out.h"

#include "base/output.h"
#include "base/paths.h"
#include "base/write_all.h"
#include "video/ffmpeg/libav.h"
#include "video/ffmpeg/stamps.h"
#include "video/ffmpeg/video_codec.h"
#include "video/ffmpeg/video_copies.h"
#include "video/ffmpeg/video_encoder.h"

#include <errno.h>
#include <libavutil/avstring.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

enum { BUFFER = 1 << 16 };

struct video_out {
    const char *name;
    video_out_settings settings;
    video_in *from; /* NULL: frames of pictures */
    output file;    /* but for standard output */
    bool is_pipe;
    int error; /* errno of a write that failed */
    AVFormatContext *mux;
    const AVCodec *codec;
    AVRational rate;
    AVCodecContext *encoder; /* NULL until the first frame is there */
    AVStream *stream;
    video_copies copies;
    stamps times;
    AVPacket *packet;
    uint64_t refused; /* damaged packets of other streams */
    bool has_header;
};

/* --- The file --------------------------------------------------------------------------------- */

static int descriptor(const video_out *v)
{
    return v->is_pipe ? STDOUT_FILENO : v->file.fd;
}

#if LIBAVFORMAT_VERSION_INT >= AV_VERSION_INT(61, 0, 0)
static int write_bytes(void *user, const uint8_t *data, int size)
#else
static int write_bytes(void *user, uint8_t *data, int size)
#endif
{
    video_out *const v = user;
    if (v->error == 0 && !write_all(descriptor(v), data, (size_t)size))
        v->error = errno;
    return v->error == 0 ? size : AVERROR(v->error);
}

static int64_t move_to(void *user, int64_t offset, int whence)
{
    video_out *const v = user;
    if (whence == AVSEEK_SIZE)
        return -1;
    const off_t at = lseek(descriptor(v), (off_t)offset, whence & ~AVSEEK_FORCE);
    return at < 0 ? AVERROR(errno) : (int64_t)at;
}

static bool open_bytes(video_out *v, problem *p)
{
    uint8_t *const buffer = av_malloc(BUFFER);
    if (buffer)
        v->mux->pb = avio_alloc_context(buffer, BUFFER, 1, v, NULL, write_bytes,
                                        v->is_pipe ? NULL : move_to);
    if (!v->mux->pb) {
        av_free(buffer);
        return problem_set(p, "%s: not enough memory", v->name);
    }
    v->mux->pb->seekable = v->is_pipe ? 0 : AVIO_SEEKABLE_NORMAL;
    v->mux->flags |= AVFMT_FLAG_CUSTOM_IO;
    return true;
}

static void close_bytes(video_out *v)
{
    if (!v->mux || !v->mux->pb)
        return;
    av_freep(&v->mux->pb->buffer);
    avio_context_free(&v->mux->pb);
}

/* Says why bytes or packets were not taken. */
static bool refuse_write(const video_out *v, int error, problem *p)
{
    if (v->error == ENOSPC)
        return problem_set(p, "%s: cannot be written: %s; free some space", v->name,
                           strerror(ENOSPC));
    if (v->error)
        return problem_set(p, "%s: cannot be written: %s", v->name, strerror(v->error));
    return problem_set(p, "%s: the container does not take the stream: %s", v->name,
                       libav_error(error).text);
}

/* --- The header ---------------------------------------------------------------------------------- */

static encoder_request request_of(const video_out *v)
{
    return (encoder_request){v->name, v->mux->oformat, v->from, &v->settings};
}

static bool describe_picture(const video_out *v)
{
    const AVCodecContext *const c = v->encoder;
    v->stream->time_base = stamps_base(v->mux->oformat, v->from, v->rate);
    v->stream->avg_frame_rate = v->rate;
    v->stream->sample_aspect_ratio = c->sample_aspect_ratio;
    return avcodec_parameters_from_context(v->stream->codecpar, c) >= 0;
}

/* Adds the streams that are copied, and names what is lost. A pipe carries the picture on purpose. */
static bool add_copies(video_out *v)
{
    copies_lost lost;
    if (!video_copies_open(&v->copies, v->mux, v->stream, v->from, &lost))
        return false;
    const bool quiet = v->settings.quiet || v->is_pipe;
    if (lost.streams.text[0])
        message_note(quiet, "%s: lost, because the container does not take it: %s", v->name,
                     lost.streams.text);
    if (lost.tags.text[0])
        message_note(quiet, "%s: tags are lost, because the container does not take them: %s",
                     v->name, lost.tags.text);
    if (lost.data.text[0])
        message_note(quiet, "%s: tracks of data are not copied: %s", v->name, lost.data.text);
    return true;
}

/* Puts the index of MP4 and MOV at the begin, so that a player starts before it has the whole file. FFmpeg opens the file once
 * more to move the rest. Keys of phones have a place of their own. */
static bool set_index(const video_out *v, AVDictionary **options)
{
    if (v->is_pipe || !libav_is_mov(v->mux->oformat))
        return true;
    const bool has_keys = v->from && video_tags_have_keys(v->from->file);
    const char *const flags = has_keys ? "faststart+use_metadata_tags" : "faststart";
    v->mux->url = av_asprintf("file:%s", v->file.temporary);
    return v->mux->url && av_dict_set(options, "movflags", flags, 0) >= 0;
}

/* Opens the encoder for frames like the first, and writes the header. */
static bool begin(video_out *v, const AVFrame *f, problem *p)
{
    const encoder_request request = request_of(v);
    if (!video_encoder_open(&v->encoder, v->codec, &request, f, p))
        return false;
    if (!describe_picture(v) || !add_copies(v) ||
        !video_tags_describe(v->from, v->mux, v->stream, v->codec, f))
        return problem_set(p, "%s: not enough memory", v->name);
    AVDictionary *options = NULL;
    const int error =
        set_index(v, &options) ? avformat_write_header(v->mux, &options) : AVERROR(ENOMEM);
    av_dict_free(&options);
    v->has_header = error >= 0;
    stamps_open(&v->times, v->mux->oformat, v->stream->time_base, v->rate);
    return v->has_header || refuse_write(v, error, p);
}

/* --- Writing ---------------------------------------------------------------------------------- */

/* Refuses what the container does not take before there is a frame. FLAC in MP4 and deep samples in Y4M are extensions. */
static bool find_encoder(video_out *v, problem *p)
{
    const encoder_request request = request_of(v);
    v->mux->strict_std_compliance = FF_COMPLIANCE_EXPERIMENTAL;
    v->rate = video_encoder_rate(&request);
    v->codec = video_codec_find(&request, p);
    return v->codec != NULL;
}

bool video_out_open(video_out **out, const char *path, video_in *from,
                    const video_out_settings *settings, problem *p)
{
    video_out *v = calloc(1, sizeof *v);
    *out = v;
    if (!v)
        return problem_set(p, "not enough memory");
    av_log_set_level(AV_LOG_QUIET);
    (void)setenv("SVT_LOG", "0", 0); /* libsvtav1 has a log of its own */
    *v = (video_out){
        .name = path, .settings = *settings, .from = from, .is_pipe = path == path_stdout};
    v->file.fd = -1;
    const char *const word = settings->format ? settings->format : v->is_pipe ? "y4m" : NULL;
    char name[16];
    snprintf(name, sizeof name, "a.%s", word ? word : "");
    const AVOutputFormat *const format = av_guess_format(NULL, word ? name : path, NULL);
    if (v->is_pipe)
        signal(SIGPIPE, SIG_IGN); /* a reader that has gone is an error */
    bool done = format != NULL || problem_set(p, "%s: FFmpeg cannot write this format", path);
    done = done && (v->is_pipe || output_begin(&v->file, path, p));
    v->file.is_new = settings->is_new;
    if (done && !v->is_pipe)
        (void)flock(v->file.fd,
                    LOCK_EX | LOCK_NB); /* no other run takes it for one that was killed */
    done = done && (avformat_alloc_output_context2(&v->mux, format, NULL, NULL) >= 0 ||
                    problem_set(p, "%s: not enough memory", path));
    done = done && open_bytes(v, p);
    done = done && ((v->stream = avformat_new_stream(v->mux, NULL)) != NULL ||
                    problem_set(p, "%s: not enough memory", path));
    done = done && ((v->packet = av_packet_alloc()) != NULL ||
                    problem_set(p, "%s: not enough memory", path));
    done = done && find_encoder(v, p);
    if (!done)
        video_out_abort(out);
    return done;
}

/* Writes the packets that the encoder has. */
static bool drain(video_out *v, problem *p)
{
    int error;
    while ((error = avcodec_receive_packet(v->encoder, v->packet)) >= 0) {
        stamps_set(&v->times, v->packet);
        v->packet->stream_index = v->stream->index;
        error = av_interleaved_write_frame(v->mux, v->packet);
        if (error < 0)
            return refuse_write(v, error, p);
    }
    return error == AVERROR(EAGAIN) || error == AVERROR_EOF ||
           problem_set(p, "%s: the encoder failed: %s", v->name, libav_error(error).text);
}

static bool copy_packets(video_out *v, packet_list *list, problem *p)
{
    for (size_t i = 0; i < list->count; i++) {
        AVPacket *const packet = list->items[i];
        if (!video_copies_take(&v->copies, v->mux->oformat, packet))
            continue;
        const int error = av_interleaved_write_frame(v->mux, packet);
        v->refused += error == AVERROR_INVALIDDATA;
        if (error < 0 && error != AVERROR_INVALIDDATA)
            return refuse_write(v, error, p);
    }
    packet_list_free(list);
    return true;
}

bool video_out_write(video_out *v, video_frame *frame, problem *p)
{
    problem inner;
    if (!v->encoder && !begin(v, frame->av, p))
        return false;
    if (frame->av->width != v->encoder->width || frame->av->height != v->encoder->height)
        return problem_set(
            p, "%s: a frame is %d x %d, but the first one was %d x %d; cut the clip there", v->name,
            frame->av->width, frame->av->height, v->encoder->width, v->encoder->height);
    if (!libav_convert(&frame->av, v->encoder->pix_fmt, v->encoder->color_range, &inner))
        return problem_at(p, v->name, &inner);
    if (!stamps_add(&v->times, frame->av->pts,
                    v->from ? v->from->stream->time_base : av_inv_q(v->rate), v->stream->time_base))
        return problem_set(p, "%s: not enough memory", v->name);
    frame->av->pts = (int64_t)v->times.count - 1;
    frame->av->pict_type = AV_PICTURE_TYPE_NONE; /* the encoder's choice */
    if (!copy_packets(v, &frame->others, p))
        return false;
    const int error = avcodec_send_frame(v->encoder, frame->av);
    if (error < 0)
        return problem_set(p, "%s: the encoder failed: %s", v->name, libav_error(error).text);
    return drain(v, p);
}

static bool finish(video_out *v, problem *p)
{
    if (!v->has_header)
        return problem_set(p, "%s: the clip has no frames", v->name);
    (void)avcodec_send_frame(v->encoder, NULL);
    packet_list rest = v->from ? v->from->others : (packet_list){0}; /* after the last frame */
    if (!drain(v, p) || !copy_packets(v, &rest, p))
        return false;
    if (v->from)
        v->from->others = (packet_list){0};
    const int error = av_write_trailer(v->mux);
    avio_flush(v->mux->pb);
    return (error >= 0 && v->error == 0) || refuse_write(v, error, p);
}

bool video_out_commit(video_out **of, problem *p)
{
    video_out *const v = *of;
    if (v->refused)
        message_note(v->settings.quiet, "%s: %llu damaged packets of other streams are left out",
                     v->name, (unsigned long long)v->refused);
    if (v->times.moved > 0.002)
        message_note(v->settings.quiet,
                     "%s: times of frames move by up to %.0f ms, because its container has coarser "
                     "times; a .mp4 or .mov keeps them",
                     v->name, 1000 * v->times.moved);
    const bool done = finish(v, p) && (v->is_pipe || output_commit(&v->file, p));
    video_out_abort(of);
    return done;
}

void video_out_abort(video_out **of)
{
    video_out *const v = *of;
    if (!v)
        return;
    close_bytes(v);
    video_encoder_close(&v->encoder, v->times.count > 0);
    av_packet_free(&v->packet);
    avformat_free_context(v->mux);
    video_copies_free(&v->copies);
    stamps_free(&v->times);
    if (v->file.buffer)
        output_abort(&v->file);
    free(v);
    *of = NULL;
}
