/* What the files here that use FFmpeg's libraries share. */
#ifndef SATBLUR_APP_LIBAV_H
#define SATBLUR_APP_LIBAV_H

#include "base/message.h"
#include "codec/video_table.h"
#include "image/light_table.h"
#include "video/video_about.h"

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/pixdesc.h>
#include <pthread.h>

/* Packets of the other streams, in the order of the file. Each has the ticks of its stream. */
typedef struct packet_list {
    AVPacket **items;
    size_t count, capacity;
} packet_list;

struct video_frame {
    AVFrame *av;              /* in one of the formats of libav_working_format() */
    const light_table *light; /* the clip's, whose pictures are light; NULL: codes */
    double seconds;
    packet_list others; /* that stand before the frame */
};

struct video_in {
    const char *name;
    video_in_settings settings;
    video_about about;
    pthread_mutex_t lock; /* of the file, to whose streams reading may add others */
    AVFormatContext *file;
    AVCodecContext *decoder;
    AVStream *stream;
    AVPacket *packet;
    light_table *light;  /* NULL: pictures are codes */
    packet_list others;  /* read, and not yet given to a frame */
    int64_t first, last; /* time stamps of the first frame and the last; AV_NOPTS_VALUE: none yet */
    uint64_t damaged, frames;
    int64_t moved;       /* microseconds by which all times are moved */
    int64_t reached[32]; /* when the last packet of each of the first streams ends, likewise */
    int64_t body;        /* where the packets begin, in bytes from the file's begin */
    int64_t end;         /* of the last whole packet, likewise */
    bool is_drained;     /* the file's end was reached */
    bool keeps_others;
};

/* A time in a clip, in ticks of that length. */
typedef struct libav_moment {
    int64_t at;
    AVRational base;
} libav_moment;

/* The way of a clip into a file. */
typedef struct video_way {
    const char *name; /* of the file, for messages */
    const video_container *container;
    AVFormatContext *mux;
    video_in *from; /* NULL: frames of pictures */
    const video_out_settings *settings;
    libav_moment zero; /* the time of the clip that becomes 0 */
} video_way;

typedef struct libav_words {
    char text[AV_ERROR_MAX_STRING_SIZE];
} libav_words;

/* Returns an error's words. */
libav_words libav_error(int error);

/* Returns the format in which frames of that one are worked on: planar luma and chroma, RGB or gray. as_light: RGB and
 * gray have 16 bits. */
enum AVPixelFormat libav_working_format(enum AVPixelFormat format, bool as_light);

/* Returns the format of luma and chroma with that depth in which each pixel has its own chroma. */
enum AVPixelFormat libav_finest_format(enum AVPixelFormat format);

bool libav_is_rgb(enum AVPixelFormat format);

/* Returns whether the format says the full range by its name, "yuvj". */
bool libav_is_full(enum AVPixelFormat format);

/* Returns the format of the full range, which is MJPEG's. */
enum AVPixelFormat libav_full_format(enum AVPixelFormat format);

/* Returns whether a list of the tables names the codec; NULL names none. */
bool libav_listed(enum AVCodecID codec, const char *list);

/* Returns the codec's row; NULL: it has none. */
const video_codec *libav_codec(enum AVCodecID codec);

/* Returns whether the codec's row has one of those flags. */
bool libav_has(enum AVCodecID codec, unsigned flags);

/* Returns whether a container holds streams of that kind so that they can be read again. */
bool libav_holds(const video_container *c, enum AVCodecID codec);

/* Returns the time of the clip that is 0 in that container. Transport streams have the clock of their sender, which other
 * containers do not go on with. */
libav_moment libav_zero(const video_in *v, const video_container *to);

/* Returns a time moved by ticks, within what 64 bits hold. */
int64_t libav_add(int64_t at, int64_t ticks);

/* Returns a time from that moment on, in its own ticks. */
int64_t libav_since(libav_moment zero, int64_t at, AVRational base);

/* Returns the length of a decoded frame in ticks of its stream; 0: unknown. */
int64_t libav_length(const AVFrame *f);

/* Notes what the first frame shows: fields, and alpha, which is lost. */
void libav_tell_first(const video_in *v, const AVFrame *first);

/* Finds the track of pictures that the settings ask for. If another clip has one of them, it is the first of the others. False:
 * p has the line. */
bool libav_find_stream(video_in *v, problem *p);

/* Returns frames a second; 0/1: unknown. Of frames of different lengths it is their mean. */
AVRational libav_rate(const video_in *v);

/* Returns the matrix of luma and chroma that RGB becomes. */
enum AVColorSpace libav_matrix_of_rgb(const AVFrame *rgb, enum AVPixelFormat to);

/* Converts a frame to a format and a range (unspecified: its own), and keeps its other properties. RGB becomes luma and chroma
 * of the limited range. False: p has a sentence. */
bool libav_convert(AVFrame **frame, enum AVPixelFormat format, enum AVColorRange range, problem *p);

/* Returns the side data of that kind that a stream's header has; NULL: none. */
const uint8_t *libav_side(const AVStream *stream, enum AVPacketSideDataType type, size_t *size);

/* Gives a stream's header side data of that kind. False: memory ran out. */
bool libav_set_side(AVStream *stream, enum AVPacketSideDataType type, const uint8_t *data,
                    size_t size);

/* Reads the next packet into v->packet, whose times go on where the clock of its file jumps. Returns FFmpeg's error. */
int libav_read_packet(video_in *v);

/* Keeps v->packet if it is of another stream. False: p has the line. */
bool libav_keep_other(video_in *v, problem *p);

/* Reads packets of other streams until that time, as far as they are not read, into v->others. False: p has the line. */
bool libav_read_others(video_in *v, libav_moment until, problem *p);

bool packet_list_add(packet_list *list, AVPacket *packet);
void packet_list_free(packet_list *list);

/* Moves all packets. False: memory ran out. */
bool packet_list_move(packet_list *to, packet_list *from);

/* Takes the packets that begin before a time, and those without a time, out of a list. */
packet_list packet_list_take(packet_list *list, libav_moment until);

/* Frees the packets that end before a time. One without a length ends where the next of its stream begins. drops_untimed: those
 * without a time, too. False: memory ran out. */
bool packet_list_drop(packet_list *list, libav_moment until, bool drops_untimed);

#endif
