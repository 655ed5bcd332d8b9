/* The tables of the containers and the codecs of videos. Muxers, codecs, encoders and options have FFmpeg's names. Lists have
 * commas, for av_match_name(). */
#ifndef SATBLUR_APP_VIDEO_TABLE_H
#define SATBLUR_APP_VIDEO_TABLE_H

#include <stdbool.h>

#define X264_CRF "18"

enum { VIDEO_ENDINGS = 3, VIDEO_ENCODERS = 3 };

typedef enum container_times {
    TIMES_FREE,   /* each frame has its own */
    TIMES_RATE,   /* they count frames; some may be missing */
    TIMES_GAPLESS /* they count frames, and none is missing */
} container_times;

typedef struct video_container {
    const char *endings[VIDEO_ENDINGS]; /* the first is the word of --format */
    const char *muxer;
    const char *pipe;     /* its help of --format; NULL: it is not for pipes */
    const char *codec;    /* of a clip that does not keep its own */
    const char *takes;    /* codecs of all streams that it holds; NULL: those that FFmpeg names */
    const char *lacks;    /* codecs that FFmpeg writes there, and does not read as they were */
    const char *in_order; /* codecs whose frames are stored in the order in which they are shown */
    const char *options;  /* of the muxer, "NAME=VALUE"; NULL: none */
    const char *unread;   /* tags that FFmpeg writes there, and does not read */
    container_times times;
    bool is_mov; /* has an index, keys of phones, a turn for players, and sound that is not heard */
    bool has_lead;    /* says for how long players decode a stream before they play it */
    bool has_clock;   /* goes on with the clock of a sender */
    bool lacks_hdr;   /* has no place for a transfer curve */
    bool has_one_raw; /* holds no raw frames but those of yuv420p */
} video_container;

extern const video_container video_containers[];
extern const int video_container_count;

/* Returns the container of a name's ending, or the one that is written into a pipe under that word; NULL: there is none. */
const video_container *video_container_of(const char *path);
const video_container *video_container_by_word(const char *word);

/* Bits of video_codec.flags. */
enum {
    CODEC_STAYS = 1,    /* a clip of the codec stays one where the container takes it */
    CODEC_USUAL = 2,    /* players show it with few samples of chroma, which pictures get */
    CODEC_HAS_HDR = 4,  /* its streams say their transfer curve */
    CODEC_LIMITED = 8,  /* it has no mark for the full range */
    CODEC_LOSSLESS = 16 /* for other programs */
};

typedef struct video_encoder {
    const char *name, *option,
        *value; /* the option of --crf, and what it is without; NULL: it has none */
} video_encoder;

typedef struct video_codec {
    const char *id;
    unsigned flags;
    int scale; /* the fixed quantiser of an encoder that would have few bits a second otherwise; 0: none */
    video_encoder encoders[VIDEO_ENCODERS]; /* the best first */
    const char *word, *name, *help; /* of --video-codec, and for messages; NULL: it has none */
    const char *ending;             /* of a container that takes it */
} video_codec;

extern const video_codec video_codecs[];
extern const int video_codec_count;

/* Returns the row of a codec by FFmpeg's name, or by the word of --video-codec; NULL: there is none. */
const video_codec *video_codec_of(const char *id);
const video_codec *video_codec_by_word(const char *word);

#endif
