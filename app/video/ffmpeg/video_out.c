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
#include "video/ffmpeg/video_tags.h"

#include <errno.h>
#include <libavutil/avstring.h>
#include <libavutil/opt.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

enum { BUFFER = 1 << 16 };

struct video_out {
    video_way way;
    video_out_settings settings;
    output file; /* but for standard output */
    bool is_pipe;
    int error; /* errno of a write that failed */
    const AVCodec *codec;
    AVRational rate;
    int turn;                /* EXIF's number of the turn that frames get */
    AVCodecContext *encoder; /* NULL until the first frame is there */
    AVStream *stream;
    video_copies copies;
    stamps times;
    AVPacket *packet, *held; /* held: the last one of the encoder, until the next comes */
    bool is_held;
    int64_t first_dts; /* of the pictures; AV_NOPTS_VALUE: none is written */
    libav_moment end;  /* of the last frame, in the clip */
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

static bool open_bytes(video_out *v)
{
    uint8_t *const buffer = av_malloc(BUFFER);
    if (buffer)
        v->way.mux->pb = avio_alloc_context(buffer, BUFFER, 1, v, NULL, write_bytes,
                                            v->is_pipe ? NULL : move_to);
    if (!v->way.mux->pb) {
        av_free(buffer);
        return false;
    }
    v->way.mux->pb->seekable = v->is_pipe ? 0 : AVIO_SEEKABLE_NORMAL;
    v->way.mux->flags |= AVFMT_FLAG_CUSTOM_IO;
    return true;
}

/* Makes the file's description, with a stream for the picture. False: memory ran out. */
static bool open_mux(video_out *v, const AVOutputFormat *format)
{
    return avformat_alloc_output_context2(&v->way.mux, format, NULL, NULL) >= 0 && open_bytes(v) &&
           (v->stream = avformat_new_stream(v->way.mux, NULL)) != NULL &&
           (v->packet = av_packet_alloc()) != NULL && (v->held = av_packet_alloc()) != NULL;
}

static void close_bytes(video_out *v)
{
    if (!v->way.mux || !v->way.mux->pb)
        return;
    av_freep(&v->way.mux->pb->buffer);
    avio_context_free(&v->way.mux->pb);
}

/* Says why bytes or packets were not taken. */
static bool refuse_write(const video_out *v, int error, problem *p)
{
    if (v->error == ENOSPC)
        return problem_set(p, "%s: cannot be written: %s; free some space", v->way.name,
                           strerror(ENOSPC));
    if (v->error)
        return problem_set(p, "%s: cannot be written: %s", v->way.name, strerror(v->error));
    if (error == AVERROR(ENOMEM))
        return problem_set(p, "%s: not enough memory", v->way.name);
    return problem_set(p, "%s: the container does not take the stream: %s", v->way.name,
                       libav_error(error).text);
}

/* --- The header ---------------------------------------------------------------------------------- */

static bool describe_picture(const video_out *v)
{
    const AVCodecContext *const c = v->encoder;
    v->stream->time_base = stamps_base(v->way.container, v->way.from, v->rate);
    v->stream->avg_frame_rate = v->rate;
    v->stream->sample_aspect_ratio = c->sample_aspect_ratio;
    return avcodec_parameters_from_context(v->stream->codecpar, c) >= 0;
}

/* Adds the streams that are copied, and names what is lost. A pipe carries the picture on purpose. */
static bool add_copies(video_out *v)
{
    copies_lost lost;
    if (!video_copies_open(&v->copies, &v->way, v->stream, &lost))
        return false;
    const bool quiet = v->settings.quiet || v->is_pipe;
    if (lost.streams.text[0])
        message_note(quiet, "%s: lost, because the container does not take it: %s", v->way.name,
                     lost.streams.text);
    if (lost.left.text[0])
        message_note(quiet, "%s: tracks that are not copied: %s", v->way.name, lost.left.text);
    return true;
}

/* Puts the index of MP4 and MOV at the start, so that a player starts before it has the whole file. FFmpeg opens the file once
 * more to move the rest. Keys of phones have a place of their own. */
static bool set_index(const video_out *v, AVDictionary **options)
{
    if (v->is_pipe || !v->way.container->is_mov)
        return true;
    const bool has_keys = v->way.from && video_tags_have_keys(v->way.from->file);
    const char *const flags = has_keys ? "faststart+use_metadata_tags" : "faststart";
    v->way.mux->url = av_asprintf("file:%s", v->file.temporary);
    return v->way.mux->url && av_dict_set(options, "movflags", flags, 0) >= 0;
}

/* Describes the streams of the file. No other thread reads the clip meanwhile, as that may add streams to it. */
static bool describe(video_out *v, const AVFrame *f)
{
    if (v->way.from)
        pthread_mutex_lock(&v->way.from->lock);
    const bool done = describe_picture(v) && add_copies(v) &&
                      video_tags_describe(&v->way, v->stream, v->codec, f);
    if (v->way.from)
        pthread_mutex_unlock(&v->way.from->lock);
    return done;
}

/* Opens the encoder for frames like the first, and writes the header. */
static bool begin(video_out *v, const AVFrame *f, problem *p)
{
    if (!video_encoder_open(&v->encoder, v->codec, &v->way, f, p))
        return false;
    if (!describe(v, f))
        return problem_set(p, "%s: not enough memory", v->way.name);
    AVDictionary *options = NULL;
    const char *const own = v->way.container->options;
    const bool is_set =
        set_index(v, &options) && (!own || av_dict_parse_string(&options, own, "=", ":", 0) >= 0);
    const int error = is_set ? avformat_write_header(v->way.mux, &options) : AVERROR(ENOMEM);
    av_dict_free(&options);
    v->has_header = error >= 0;
    stamps_open(&v->times, v->way.container, v->stream->time_base, v->rate);
    return v->has_header || refuse_write(v, error, p);
}

/* --- Writing ---------------------------------------------------------------------------------- */

/* Refuses what the container does not take before there is a frame. FLAC in MP4 and deep samples in Y4M are extensions. */
static bool find_encoder(video_out *v, problem *p)
{
    v->way.mux->strict_std_compliance = FF_COMPLIANCE_EXPERIMENTAL;
    v->rate = video_encoder_rate(&v->way);
    v->way.zero = libav_zero(v->way.from, v->way.container);
    v->turn = upright_turn(v->way.from, v->way.container);
    if (v->turn != 1)
        message_note(v->settings.quiet,
                     "%s: frames are turned upright, because the container does not say how to "
                     "turn them",
                     v->way.name);
    v->codec = video_codec_find(&v->way, p);
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
    v->settings = *settings;
    v->way = (video_way){.name = path, .from = from, .settings = &v->settings};
    v->is_pipe = path == path_stdout;
    v->file.fd = -1;
    v->first_dts = AV_NOPTS_VALUE;
    const char *const word = settings->format ? settings->format : v->is_pipe ? "y4m" : NULL;
    v->way.container = word ? video_container_by_word(word) : video_container_of(path);
    const AVOutputFormat *const format =
        v->way.container ? av_guess_format(v->way.container->muxer, NULL, NULL) : NULL;
    if (v->is_pipe)
        signal(SIGPIPE, SIG_IGN); /* a reader that has gone is an error */
    bool done = format != NULL || problem_set(p, "%s: FFmpeg cannot write this format", path);
    done = done && (v->is_pipe || output_begin(&v->file, path, p));
    v->file.is_new = settings->is_new;
    if (done && !v->is_pipe)
        (void)flock(v->file.fd,
                    LOCK_EX | LOCK_NB); /* no other run takes it for one that was killed */
    done = done && (open_mux(v, format) || problem_set(p, "%s: not enough memory", path));
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
    const int error = av_interleaved_write_frame(v->way.mux, v->held);
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
           problem_set(p, "%s: the encoder failed: %s", v->way.name, libav_error(error).text);
}

/* Writes the last packets. */
static bool drain_all(video_out *v, problem *p)
{
    (void)avcodec_send_frame(v->encoder, NULL);
    if (!drain(v, p))
        return false;
    if (v->is_held && v->first_dts != AV_NOPTS_VALUE && v->way.container->is_mov)
        stamps_end(&v->times, v->first_dts, v->held);
    return write_held(v, p);
}

/* Returns when a frame ends. */
static libav_moment end_of(const video_out *v, const AVFrame *f)
{
    const AVRational base = v->way.from ? v->way.from->stream->time_base : av_inv_q(v->rate);
    const int64_t length = libav_length(f), step = av_rescale_q(1, av_inv_q(v->rate), base);
    return (libav_moment){libav_add(f->pts, length > 0 ? length : step > 0 ? step : 1), base};
}

bool video_out_leave(video_out *v, video_frame *frame, problem *p)
{
    const libav_moment begin = {frame->av->pts, v->way.from->stream->time_base};
    return video_copies_leave(&v->copies, &frame->others, begin) ||
           problem_set(p, "%s: not enough memory", v->way.name);
}

bool video_out_write(video_out *v, video_frame *frame, problem *p)
{
    problem inner;
    if (!upright_frame(&frame->av, v->turn, &inner))
        return problem_at(p, v->way.name, &inner);
    if (!v->encoder && v->settings.is_part)
        v->way.zero = (libav_moment){frame->av->pts, end_of(v, frame->av).base};
    if (!v->encoder && !begin(v, frame->av, p))
        return false;
    if (frame->av->width != v->encoder->width || frame->av->height != v->encoder->height)
        return problem_set(
            p, "%s: a frame is %d x %d, but the first one was %d x %d; cut the clip there",
            v->way.name, frame->av->width, frame->av->height, v->encoder->width,
            v->encoder->height);
    if (!libav_convert(&frame->av, v->encoder->pix_fmt, v->encoder->color_range, &inner))
        return problem_at(p, v->way.name, &inner);
    const AVRational base = v->way.from ? v->way.from->stream->time_base : av_inv_q(v->rate);
    const int64_t at = libav_since(v->way.zero, frame->av->pts, base);
    v->end = end_of(v, frame->av);
    if (!stamps_add(&v->times, at, libav_length(frame->av), base, v->stream->time_base))
        return problem_set(p, "%s: not enough memory", v->way.name);
    frame->av->pts = (int64_t)v->times.count - 1;
    frame->av->pict_type = AV_PICTURE_TYPE_NONE; /* the encoder's choice */
    int error = video_copies_write(&v->copies, &frame->others, v->end);
    if (error < 0)
        return refuse_write(v, error, p);
    error = avcodec_send_frame(v->encoder, frame->av);
    if (error < 0)
        return problem_set(p, "%s: the encoder failed: %s", v->way.name, libav_error(error).text);
    return drain(v, p);
}

/* Sets the length of the last frame for APNG, whose muxer takes those of the others from their times. Other muxers have no
 * option of that name. An APNG has seconds as fractions of 16 bits. */
static void set_last_length(const video_out *v)
{
    const double seconds = (double)v->times.tail * av_q2d(v->stream->time_base);
    (void)av_opt_set_q(v->way.mux, "final_delay", av_d2q(seconds, UINT16_MAX),
                       AV_OPT_SEARCH_CHILDREN);
}

static bool finish(video_out *v, problem *p)
{
    if (!v->has_header)
        return problem_set(p, "%s: the clip has no frames", v->way.name);
    if (!drain_all(v, p))
        return false;
    if (v->settings.is_part && v->way.from && !libav_read_others(v->way.from, v->end, p))
        return false;
    int error = v->way.from ? video_copies_write(&v->copies, &v->way.from->others, v->end) : 0;
    set_last_length(v);
    error = error < 0 ? error : av_write_trailer(v->way.mux);
    avio_flush(v->way.mux->pb);
    return (error >= 0 && v->error == 0) || refuse_write(v, error, p);
}

bool video_out_commit(video_out **of, problem *p)
{
    video_out *const v = *of;
    bool done = finish(v, p);
    video_copies_note(&v->copies, v->way.name, v->settings.quiet, v->is_pipe);
    if (done && v->way.from && !v->is_pipe && !v->settings.quiet)
        video_tags_tell_lost(&v->way, v->file.temporary);
    if (v->times.moved > 0.002)
        message_note(v->settings.quiet,
                     "%s: times of frames move by up to %.0f ms, because its container has coarser "
                     "times; a .mp4 or .mov keeps them",
                     v->way.name, 1000 * v->times.moved);
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
    avformat_free_context(v->way.mux);
    video_copies_free(&v->copies);
    stamps_free(&v->times);
    if (v->file.buffer)
        output_abort(&v->file);
    free(v);
    *of = NULL;
}
