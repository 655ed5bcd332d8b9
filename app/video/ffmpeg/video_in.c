#include "video/video_in.h"

#include "base/paths.h"
#include "video/ffmpeg/libav.h"
#include "video/ffmpeg/video_hdr.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- What a clip is --------------------------------------------------------------------------- */

const char *video_library(void)
{
    static char words[96];
    const unsigned c = avcodec_version(), f = avformat_version();
    snprintf(words, sizeof words, "libavformat %u.%u, libavcodec %u.%u", f >> 16, f >> 8 & 255,
             c >> 16, c >> 8 & 255);
    return words;
}

/* Returns EXIF's number for a matrix that turns by quarters, and may mirror; 1 for all others. */
static int orientation_of(const AVStream *stream)
{
    size_t size;
    const int32_t *const m =
        (const int32_t *)(const void *)libav_side(stream, AV_PKT_DATA_DISPLAYMATRIX, &size);
    if (!m || size < 9 * sizeof *m)
        return 1;
    const int a = (m[0] > 0) - (m[0] < 0), b = (m[1] > 0) - (m[1] < 0);
    const int c = (m[3] > 0) - (m[3] < 0), d = (m[4] > 0) - (m[4] < 0);
    static const int turns[8][4] = {{1, 0, 0, 1}, {-1, 0, 0, 1}, {-1, 0, 0, -1}, {1, 0, 0, -1},
                                    {0, 1, 1, 0}, {0, 1, -1, 0}, {0, -1, -1, 0}, {0, -1, 1, 0}};
    for (int i = 0; i < 8; i++)
        if (turns[i][0] == a && turns[i][1] == b && turns[i][2] == c && turns[i][3] == d)
            return i + 1;
    return 1;
}

/* Returns how long the pictures last, by the stream or by the tag of Matroska, in which FFmpeg writes when they end; 0:
 * unknown. */
static double seconds_of(const AVStream *stream)
{
    const AVDictionaryEntry *const tag = av_dict_get(stream->metadata, "DURATION", NULL, 0);
    int hours, minutes;
    double seconds;
    if (stream->duration != AV_NOPTS_VALUE)
        return (double)stream->duration * av_q2d(stream->time_base);
    if (!tag || sscanf(tag->value, "%d:%d:%lf", &hours, &minutes, &seconds) != 3)
        return 0;
    const double begin = stream->start_time != AV_NOPTS_VALUE
                             ? (double)stream->start_time * av_q2d(stream->time_base)
                             : 0;
    return fmax(0, 3600.0 * hours + 60.0 * minutes + seconds - fmax(0, begin));
}

static void describe(video_in *v)
{
    const AVCodecParameters *const c = v->stream->codecpar;
    const AVRational rate = libav_rate(v);
    const double own = seconds_of(v->stream);
    const double seconds = own > 0 ? own
                           : v->file->duration != AV_NOPTS_VALUE
                               ? (double)v->file->duration / AV_TIME_BASE
                               : 0;
    v->about = (video_about){.width = c->width,
                             .height = c->height,
                             .rate = av_q2d(rate),
                             .orientation = orientation_of(v->stream)};
    v->about.is_counted = v->stream->nb_frames > 0;
    v->about.frames = v->stream->nb_frames > 0 ? (uint64_t)v->stream->nb_frames
                                               : (uint64_t)llround(seconds * v->about.rate);
}

const video_about *video_in_about(const video_in *v)
{
    return &v->about;
}

uint64_t video_in_damaged(const video_in *v)
{
    return v->damaged;
}

uint64_t video_in_missing(const video_in *v)
{
    const double whole = seconds_of(v->stream), rate = v->about.rate > 0 ? v->about.rate : 25;
    if (v->frames == 0 || whole <= 0 || !v->is_drained || v->moved != 0)
        return 0;
    const double seen =
        (double)libav_add(v->last, -v->first) * av_q2d(v->stream->time_base) + 1 / rate;
    const double gap = whole - seen; /* half a second and a twentieth may be the last frame's */
    return gap > 0.5 + whole / 20 ? (uint64_t)llround(gap * rate) : 0;
}

bool video_in_is_cut(const video_in *v)
{
    return v->is_drained && strcmp(v->file->iformat->name, "yuv4mpegpipe") == 0 &&
           avio_tell(v->file->pb) > v->end;
}

/* --- Opening ---------------------------------------------------------------------------------- */

/* Refuses matrices whose RGB, codes or light, is not found channel by channel. */
static bool check_matrix(const video_in *v, problem *p)
{
    const enum AVColorSpace matrix = v->stream->codecpar->color_space;
    if (matrix == AVCOL_SPC_BT2020_CL)
        return problem_set(p, "%s: has constant-luminance BT.2020; convert it to the usual BT.2020",
                           v->name);
    if (matrix == AVCOL_SPC_ICTCP)
        return problem_set(p,
                           "%s: has colours of ICtCp; convert it to the usual BT.2020, by ffmpeg's "
                           "filter zscale=matrix=2020_ncl",
                           v->name);
    return !video_hdr_is_dolby_alone(v->stream) ||
           problem_set(p,
                       "%s: has colours of Dolby Vision alone (profile 5); convert it to PQ, by "
                       "ffmpeg's filter libplacebo",
                       v->name);
}

/* Finds the curve of high dynamic range, whose codes have the same numbers in ITU-T H.273 and FFmpeg. */
static bool find_curve(video_in *v, problem *p)
{
    const satb_curve *const curve = satb_curve_of((int)v->stream->codecpar->color_trc);
    if (v->settings.is_map)
        return true;
    if (!check_matrix(v, p))
        return false;
    v->about.hdr = !v->settings.is_codes && curve && curve->is_hdr ? curve : NULL;
    v->light = v->about.hdr ? light_table_make(v->about.hdr) : NULL;
    return !v->about.hdr || v->light || problem_set(p, "%s: not enough memory", v->name);
}

/* FFmpeg's names of the containers that are read. Playlists are not among them: they name other files. */
static const char containers[] = "mov,mp4,matroska,webm,avi,mpegts,mpeg,mpegvideo,h264,hevc,m4v,"
                                 "obu,ivf,yuv4mpegpipe,nut,ogg,mxf,"
                                 "flv,asf,dv,rm,mjpeg,gif,apng";

/* Returns FFmpeg's name of the input, for free(). Standard input is a pipe, unless it is a file that can be read from its begin
 * in any order. */
static char *url_of(const char *name)
{
    struct stat about;
    const bool is_file = fstat(STDIN_FILENO, &about) == 0 && S_ISREG(about.st_mode) &&
                         lseek(STDIN_FILENO, 0, SEEK_CUR) == 0;
    return name != path_stdin ? text_new("file:%s", name)
                              : strdup(is_file ? "file:/dev/stdin" : "pipe:0");
}

static bool open_file(video_in *v, problem *p)
{
    AVDictionary *options = NULL;
    char *const url = url_of(v->name);
    if (!url)
        return problem_set(p, "not enough memory");
    av_dict_set(&options, "protocol_whitelist", "file,pipe", 0);
    av_dict_set(&options, "format_whitelist", containers, 0);
    int error = avformat_open_input(&v->file, url, NULL, &options);
    av_dict_free(&options);
    free(url);
    if (error == AVERROR(ENOENT))
        return problem_set(p, "%s: there is no such file; check the name", v->name);
    if (error == AVERROR(ENOSYS))
        return problem_set(
            p, "%s: this kind of video is read in any order; name a file, not a pipe", v->name);
    if (error < 0)
        return problem_set(
            p, "%s: cannot be read as a video: %s", v->name,
            error == AVERROR(EINVAL) || error == AVERROR(EBUSY)
                ? "its kind is not read, its header is damaged, or it claims too many pixels"
                : libav_error(error).text);
    v->body = avio_tell(v->file->pb);
    error = avformat_find_stream_info(v->file, NULL);
    return error >= 0 ? libav_find_stream(v, p)
                      : problem_set(p, "%s: has no video stream", v->name);
}

static bool open_decoder(video_in *v, problem *p)
{
    const AVCodecParameters *const of = v->stream->codecpar;
    const AVCodec *const found = avcodec_find_decoder(of->codec_id);
    if (!found)
        return problem_set(p, "%s: this build of FFmpeg has no decoder for %s", v->name,
                           avcodec_get_name(of->codec_id));
    v->decoder = avcodec_alloc_context3(found);
    v->packet = av_packet_alloc();
    if (!v->decoder || !v->packet || avcodec_parameters_to_context(v->decoder, of) < 0)
        return problem_set(p, "%s: not enough memory", v->name);
    v->decoder->pkt_timebase = v->stream->time_base;
    /* Its threads wait for ever for a damaged frame of APNG. 0: as many as processors */
    v->decoder->thread_count = of->codec_id == AV_CODEC_ID_APNG ? 1 : 0;
    if (v->settings.fails)
        v->decoder->err_recognition = AV_EF_CRCCHECK | AV_EF_BITSTREAM | AV_EF_EXPLODE;
    const int error = avcodec_open2(v->decoder, found, NULL);
    return error >= 0 || problem_set(p, "%s: the decoder of %s cannot be opened: %s", v->name,
                                     found->name, libav_error(error).text);
}

static bool check_size(const video_in *v, problem *p)
{
    problem inner;
    const satb_image shape = {
        .width = v->about.width, .height = v->about.height, .channels = 3, .bits = 8};
    return picture_allows(&shape, v->settings.max_pixels, &inner) || problem_at(p, v->name, &inner);
}

bool video_in_open(video_in **out, const char *path, const video_in_settings *settings, problem *p)
{
    video_in *v = calloc(1, sizeof *v);
    av_log_set_level(AV_LOG_QUIET); /* messages are ours */
    *out = NULL;
    if (!v)
        return problem_set(p, "not enough memory");
    v->name = path;
    v->settings = *settings;
    v->first = v->last = AV_NOPTS_VALUE;
    pthread_mutex_init(&v->lock, NULL);
    v->keeps_others = !settings->is_map;
    if (open_file(v, p)) {
        describe(v);
        if (check_size(v, p) && find_curve(v, p) && open_decoder(v, p)) {
            *out = v;
            return true;
        }
    }
    video_in_close(&v);
    return false;
}

void video_in_close(video_in **of)
{
    video_in *const v = *of;
    if (!v)
        return;
    packet_list_free(&v->others);
    av_packet_free(&v->packet);
    avcodec_free_context(&v->decoder);
    avformat_close_input(&v->file);
    pthread_mutex_destroy(&v->lock);
    free(v->light);
    free(v);
    *of = NULL;
}

/* --- Decoding --------------------------------------------------------------------------------- */

/* Returns whether the packets of the picture went by in a pipe before the index that says where they are. */
static bool has_late_index(const video_in *v)
{
    const AVIndexEntry *const first = avformat_index_get_entry(v->stream, 0);
    return !(v->file->pb->seekable & AVIO_SEEKABLE_NORMAL) && first && first->pos < v->body;
}

static bool refuse_read(const video_in *v, int error, problem *p)
{
    if (v->frames == 0 && has_late_index(v))
        return problem_set(
            p,
            "%s: this MP4 has its index at the end, which comes too late in a pipe; name the file, "
            "or move the index: ffmpeg -i IN -c copy -movflags +faststart OUT",
            v->name);
    return problem_set(p, "%s: cannot be read on after frame %llu: %s", v->name,
                       (unsigned long long)v->frames, libav_error(error).text);
}

/* Feeds the decoder with the file's next packet, and keeps those of other streams. */
static bool feed(video_in *v, problem *p)
{
    int error = libav_read_packet(v);
    if (error == AVERROR_EOF) {
        v->is_drained = true;
        (void)avcodec_send_packet(v->decoder, NULL);
        return true;
    }
    if (error < 0)
        return refuse_read(v, error, p);
    bool done = libav_keep_other(v, p);
    v->end = v->packet->pos + v->packet->size;
    if (v->packet->stream_index == v->stream->index &&
        (error = avcodec_send_packet(v->decoder, v->packet)) < 0 && error != AVERROR(EAGAIN)) {
        v->damaged++;
        done = !v->settings.fails ||
               problem_set(p, "%s: frame %llu is damaged: %s", v->name,
                           (unsigned long long)v->frames, libav_error(error).text);
    }
    av_packet_unref(v->packet);
    return done;
}

/* Gives the frame a time that is later than the last one's. */
static void set_time(video_in *v, video_frame *f)
{
    const AVRational base = v->stream->time_base;
    const double tick = av_q2d(base), rate = v->about.rate > 0 ? v->about.rate : 25;
    const int64_t step = (int64_t)fmax(1, floor(1 / (rate * tick) + 0.5));
    int64_t at = f->av->best_effort_timestamp;
    if (v->last != AV_NOPTS_VALUE && (at == AV_NOPTS_VALUE || at <= v->last))
        at = libav_add(v->last, at == AV_NOPTS_VALUE ? step : 1);
    if (at == AV_NOPTS_VALUE)
        at = 0;
    v->first = v->first == AV_NOPTS_VALUE ? at : v->first;
    v->last = at;
    f->av->pts = at;
    f->seconds = (double)libav_add(at, -v->first) * tick;
}

/* Takes what the decoder has. */
static bool take(video_in *v, video_frame *f, problem *p)
{
    const AVFrame *const av = f->av;
    const bool damaged = (av->flags & AV_FRAME_FLAG_CORRUPT) || av->decode_error_flags;
    if (av->width != v->about.width || av->height != v->about.height)
        return problem_set(
            p, "%s: frame %llu is %d x %d, and the clip %d x %d; cut it where the size changes",
            v->name, (unsigned long long)v->frames, av->width, av->height, v->about.width,
            v->about.height);
    if (damaged && v->settings.fails)
        return problem_set(p, "%s: frame %llu is damaged", v->name, (unsigned long long)v->frames);
    v->damaged += damaged;
    if (v->frames++ == 0)
        libav_tell_first(v, av);
    video_hdr_drop(v, f->av, v->frames == 1);
    set_time(v, f);
    f->light = v->light;
    if (v->light && v->stream->codecpar->color_space != AVCOL_SPC_UNSPECIFIED)
        f->av->colorspace = v->stream->codecpar->color_space; /* DNxHR says that of HD */
    f->others = v->others;
    v->others = (packet_list){0};
    return true;
}

static video_status next_frame(video_in *v, video_frame **frame, problem *p)
{
    video_frame *f = calloc(1, sizeof *f);
    *frame = f;
    if (!f || !(f->av = av_frame_alloc())) {
        problem_set(p, "%s: not enough memory", v->name);
        video_frame_free(frame);
        return VIDEO_FAILED;
    }
    for (;;) {
        const int got = avcodec_receive_frame(v->decoder, f->av);
        if (got >= 0) {
            if (take(v, f, p))
                return VIDEO_FRAME;
            break;
        }
        if (got == AVERROR_EOF) {
            video_frame_free(frame);
            return VIDEO_END;
        }
        if (got != AVERROR(EAGAIN)) { /* a frame is lost; the decoder goes on */
            v->damaged++;
            if (v->settings.fails) {
                problem_set(p, "%s: frame %llu is damaged: %s", v->name,
                            (unsigned long long)v->frames, libav_error(got).text);
                break;
            }
            continue;
        }
        if (v->is_drained) {
            video_frame_free(frame);
            return VIDEO_END;
        }
        if (!feed(v, p))
            break;
    }
    video_frame_free(frame);
    return VIDEO_FAILED;
}

video_status video_in_next(video_in *v, video_frame **frame, problem *p)
{
    pthread_mutex_lock(&v->lock);
    const video_status status = next_frame(v, frame, p);
    pthread_mutex_unlock(&v->lock);
    return status;
}

bool video_in_return(video_in *v, video_frame *frame, problem *p)
{
    packet_list behind = v->others;
    v->others = frame->others;
    frame->others = (packet_list){0};
    return packet_list_move(&v->others, &behind) ||
           problem_set(p, "%s: not enough memory", v->name);
}
