#include "video/video_out.h"

#include "base/output.h"
#include "base/paths.h"
#include "base/write_all.h"
#include "video/ffmpeg/libav.h"
#include "video/ffmpeg/stamps.h"
#include "video/ffmpeg/upright.h"
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
    libav_moment zero;       /* the time of the clip that becomes 0 */
    int turn;                /* EXIF's number of the turn that frames get */
    AVCodecContext *encoder; /* NULL until the first frame is there */
    AVStream *stream;
    video_copies copies;
    stamps times;
    AVPacket *packet, *held; /* held: the last one of the encoder, until the next comes */
    bool is_held;
    int64_t first_dts;   /* of the pictures; AV_NOPTS_VALUE: none is written */
    packet_list waiting; /* of other streams of a part, until the frame beside them comes */
    libav_moment end;    /* of the last frame, in the clip */
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
    if (!video_copies_open(&v->copies, v->mux, v->stream, v->from, v->zero, v->settings.is_part,
                           &lost))
        return false;
    const bool quiet = v->settings.quiet || v->is_pipe;
    if (v->settings.is_part && v->from && v->from->file->nb_chapters > 0)
        message_note(quiet, "%s: a part of the clip gets no chapters", v->name);
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

/* Puts the index of MP4 and MOV at the start, so that a player starts before it has the whole file. FFmpeg opens the file once
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

/* Describes the streams of the file. No other thread reads the clip meanwhile, as that may add streams to it. */
static bool describe(video_out *v, const AVFrame *f)
{
    if (v->from)
        pthread_mutex_lock(&v->from->lock);
    const bool done =
        describe_picture(v) && add_copies(v) &&
        video_tags_describe(v->from, v->mux, v->stream, v->codec, f, v->settings.is_part);
    if (v->from)
        pthread_mutex_unlock(&v->from->lock);
    return done;
}

/* Opens the encoder for frames like the first, and writes the header. */
static bool begin(video_out *v, const AVFrame *f, problem *p)
{
    const encoder_request request = request_of(v);
    if (!video_encoder_open(&v->encoder, v->codec, &request, f, p))
        return false;
    if (!describe(v, f))
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
    v->zero = libav_zero(v->from, v->mux->oformat);
    v->turn = upright_turn(v->from, v->mux->oformat);
    if (v->turn != 1)
        message_note(v->settings.quiet,
                     "%s: frames are turned upright, because the container does not say how to "
                     "turn them",
                     v->name);
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
    v->first_dts = AV_NOPTS_VALUE;
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
    done = done &&
           (((v->packet = av_packet_alloc()) != NULL && (v->held = av_packet_alloc()) != NULL) ||
            problem_set(p, "%s: not enough memory", path));
    done = done && find_encoder(v, p);
    if (!done)
        video_out_abort(out);
    return done;
}

/* Writes the packet that is held, if there is one. */
static bool write_held(video_out *v, problem *p)
{
    if (!v->is_held)
        return true;
    v->is_held = false;
    v->first_dts = v->first_dts == AV_NOPTS_VALUE ? v->held->dts : v->first_dts;
    v->held->stream_index = v->stream->index;
    const int error = av_interleaved_write_frame(v->mux, v->held);
    return error >= 0 || refuse_write(v, error, p);
}

/* Writes the packets that the encoder has, but for the last one, which is held. */
static bool drain(video_out *v, problem *p)
{
    int error;
    while ((error = avcodec_receive_packet(v->encoder, v->packet)) >= 0) {
        stamps_set(&v->times, v->packet);
        if (!write_held(v, p))
            return false;
        av_packet_move_ref(v->held, v->packet);
        v->is_held = true;
    }
    return error == AVERROR(EAGAIN) || error == AVERROR_EOF ||
           problem_set(p, "%s: the encoder failed: %s", v->name, libav_error(error).text);
}

/* Writes the last packets. */
static bool drain_all(video_out *v, problem *p)
{
    (void)avcodec_send_frame(v->encoder, NULL);
    if (!drain(v, p))
        return false;
    if (v->is_held && v->first_dts != AV_NOPTS_VALUE && libav_is_mov(v->mux->oformat))
        stamps_end(&v->times, v->first_dts, v->held);
    return write_held(v, p);
}

/* Writes packets of other streams, and frees the list. */
static bool copy_packets(video_out *v, packet_list *list, problem *p)
{
    bool done = true;
    for (size_t i = 0; i < list->count && done; i++) {
        AVPacket *const packet = list->items[i];
        const bool is_taken = video_copies_take(&v->copies, v->mux->oformat, packet);
        const int error = is_taken ? av_interleaved_write_frame(v->mux, packet) : 0;
        v->copies.refused += error == AVERROR_INVALIDDATA;
        done = error >= 0 || error == AVERROR_INVALIDDATA || refuse_write(v, error, p);
    }
    packet_list_free(list);
    return done;
}

/* Returns when a frame ends. */
static libav_moment end_of(const video_out *v, const AVFrame *f)
{
    const AVRational base = v->from ? v->from->stream->time_base : av_inv_q(v->rate);
    const int64_t length = libav_length(f), step = av_rescale_q(1, av_inv_q(v->rate), base);
    return (libav_moment){libav_add(f->pts, length > 0 ? length : step > 0 ? step : 1), base};
}

static bool keep_packets(video_out *v, packet_list *list, problem *p)
{
    return packet_list_move(&v->waiting, list) || problem_set(p, "%s: not enough memory", v->name);
}

bool video_out_leave(video_out *v, video_frame *frame, problem *p)
{
    const AVRational base = v->from->stream->time_base;
    const int64_t second = av_rescale_q(AV_TIME_BASE, AV_TIME_BASE_Q, base);
    if (!keep_packets(v, &frame->others, p))
        return false;
    const libav_moment until = {libav_add(frame->av->pts, -second), base};
    packet_list gone = packet_list_take(&v->waiting, until, true);
    packet_list_free(&gone);
    return true;
}

/* Writes the packets beside a frame: all that the clip has there, or those of a part until the frame's end. */
static bool write_others(video_out *v, video_frame *frame, problem *p)
{
    if (!v->settings.is_part)
        return copy_packets(v, &frame->others, p);
    if (!keep_packets(v, &frame->others, p))
        return false;
    packet_list ready = packet_list_take(&v->waiting, v->end, false);
    return copy_packets(v, &ready, p);
}

bool video_out_write(video_out *v, video_frame *frame, problem *p)
{
    problem inner;
    if (!upright_frame(&frame->av, v->turn, &inner))
        return problem_at(p, v->name, &inner);
    if (!v->encoder && v->settings.is_part)
        v->zero = (libav_moment){frame->av->pts, end_of(v, frame->av).base};
    if (!v->encoder && !begin(v, frame->av, p))
        return false;
    if (frame->av->width != v->encoder->width || frame->av->height != v->encoder->height)
        return problem_set(
            p, "%s: a frame is %d x %d, but the first one was %d x %d; cut the clip there", v->name,
            frame->av->width, frame->av->height, v->encoder->width, v->encoder->height);
    if (!libav_convert(&frame->av, v->encoder->pix_fmt, v->encoder->color_range, &inner))
        return problem_at(p, v->name, &inner);
    const AVRational base = v->from ? v->from->stream->time_base : av_inv_q(v->rate);
    const int64_t at = libav_since(v->zero, frame->av->pts, base);
    v->end = end_of(v, frame->av);
    if (!stamps_add(&v->times, at, libav_length(frame->av), base, v->stream->time_base))
        return problem_set(p, "%s: not enough memory", v->name);
    frame->av->pts = (int64_t)v->times.count - 1;
    frame->av->pict_type = AV_PICTURE_TYPE_NONE; /* the encoder's choice */
    if (!write_others(v, frame, p))
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
    if (v->from && v->settings.is_part) {
        if (!libav_read_others(v->from, v->end, p) || !keep_packets(v, &v->from->others, p))
            return false;
        v->from->others = packet_list_take(&v->waiting, v->end, false);
    }
    const bool done = drain_all(v, p);
    if (!done || (v->from && !copy_packets(v, &v->from->others, p))) /* after the last frame */
        return false;
    const int error = av_write_trailer(v->mux);
    avio_flush(v->mux->pb);
    return (error >= 0 && v->error == 0) || refuse_write(v, error, p);
}

bool video_out_commit(video_out **of, problem *p)
{
    video_out *const v = *of;
    bool done = finish(v, p);
    video_copies_note(&v->copies, v->name, v->settings.quiet, v->is_pipe);
    if (v->times.moved > 0.002)
        message_note(v->settings.quiet,
                     "%s: times of frames move by up to %.0f ms, because its container has coarser "
                     "times; a .mp4 or .mov keeps them",
                     v->name, 1000 * v->times.moved);
    done = done && (v->is_pipe || output_commit(&v->file, p));
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
    av_packet_free(&v->held);
    avformat_free_context(v->mux);
    video_copies_free(&v->copies);
    stamps_free(&v->times);
    packet_list_free(&v->waiting);
    if (v->file.buffer)
        output_abort(&v->file);
    free(v);
    *of = NULL;
}
