#include "codec/video_table.h"

#include "codec/codec.h"

#include <string.h>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

/* clang-format off */
const video_container video_containers[] = {
    {{"mp4"}, "mp4", .codec = "h264", .is_mov = true},
    {{"mov"}, "mov", .codec = "h264", .is_mov = true, .has_one_raw = true,
     .takes = "ALL", /* more than FFmpeg names */
     .lacks = "vp8,vp9,av1,wmav1,wmav2,adpcm_ms,adpcm_ima_wav"},
    {{"m4v"}, "ipod", .codec = "h264", .is_mov = true},
    {{"3gp"}, "3gp", .codec = "h264", .is_mov = true,
     .unread = "artist,title,author,genre,comment,album,copyright,date"},
    {{"y4m"}, "yuv4mpegpipe", .pipe = "Y4M", .codec = "wrapped_avframe", .times = TIMES_GAPLESS, .lacks_hdr = true,
     .takes = "wrapped_avframe"},
    {{"mkv"}, "matroska", .pipe = "Matroska", .codec = "h264", .has_lead = true, .lacks = "qtrle,adpcm_swf"},
    {{"webm"}, "webm", .codec = "vp9", .has_lead = true},
    {{"avi"}, "avi", .codec = "h264", .times = TIMES_RATE, .lacks_hdr = true, .has_one_raw = true,
     .lacks = "hevc", .in_order = "ALL"},
    {{"nut"}, "nut", .pipe = "NUT", .codec = "ffv1", .lacks_hdr = true, .lacks = "wmav1,wmav2"},
    {{"ts", "mts", "m2ts"}, "mpegts", .codec = "h264", .has_clock = true,
     .takes = "mpeg1video,mpeg2video,mpeg4,h264,hevc,mp2,mp3,aac,aac_latm,ac3,eac3,dts,opus,dvb_subtitle,dvb_teletext"},
    {{"mpg"}, "mpeg", .codec = "mpeg2video", .has_clock = true,
     .takes = "mpeg1video,mpeg2video,mpeg4,h264,mp2,mp3,ac3,dts"},
    {{"ogv"}, "ogv", .codec = "theora", .times = TIMES_RATE, .takes = "theora,vorbis,opus,flac,speex"},
    {{"mxf"}, "mxf", .codec = "mpeg2video", .times = TIMES_GAPLESS, .in_order = "h264",
     .takes = "mpeg2video,dnxhd,h264,jpeg2000,pcm_s16le,pcm_s24le"},
    {{"flv"}, "flv", .codec = "h264", .lacks = "mpeg4", .in_order = "h264"},
    {{"apng"}, "apng", .codec = "apng", .takes = "apng", .options = "plays=0", .lacks_hdr = true},
};

const video_codec video_codecs[] = {
    {"h264", CODEC_USUAL | CODEC_HAS_HDR, 0, {{"libx264", "crf", X264_CRF}, {"libopenh264"}, {"h264_nvenc", "cq", "19"}},
     "h264", "H.264", "Plays everywhere", "mp4"},
    {"hevc", CODEC_STAYS | CODEC_USUAL | CODEC_HAS_HDR, 0, {{"libx265", "crf", "20"}, {"hevc_nvenc", "cq", "21"}},
     "hevc", "HEVC", "H.265: half the size, slower", "mp4"},
    {"prores", CODEC_STAYS | CODEC_HAS_HDR | CODEC_LIMITED, 0, {{"prores_ks"}, {"prores_aw"}},
     "prores", "ProRes", "For editors, in MOV", "mov"},
    {"dnxhd", CODEC_STAYS | CODEC_LIMITED, 0, {{"dnxhd"}}, "dnxhr", "DNxHD/HR", "For editors, in MOV or MXF", "mov"},
    {"av1", CODEC_USUAL | CODEC_HAS_HDR, 0, {{"libsvtav1", "crf", "26"}, {"libaom-av1", "crf", "24"}, {"librav1e"}},
     "av1", "AV1", "Small and slow, in MP4, MKV or WebM", "mp4"},
    {"vp9", CODEC_USUAL, 0, {{"libvpx-vp9", "crf", "24"}}, "vp9", "VP9", "For browsers, in WebM", "webm"},
    {"ffv1", CODEC_LOSSLESS, 0, {{"ffv1"}}, "ffv1", "FFV1", "Lossless, in MKV", "mkv"},
    {"wrapped_avframe", CODEC_LOSSLESS},
    {"apng", CODEC_LOSSLESS},
    {"vp8", CODEC_USUAL | CODEC_LIMITED, 0, {{"libvpx", "crf", "8"}}},
    {"v210", CODEC_LIMITED},
    {"mpeg1video", CODEC_LIMITED, 3},
    {"mpeg2video", CODEC_LIMITED | CODEC_HAS_HDR, 3},
    {"mpeg4", CODEC_USUAL | CODEC_LIMITED, 3},
    {"flv1", CODEC_LIMITED, 3},
    {"theora", CODEC_LIMITED, 9}, /* 10 is its best */
    {"msmpeg4v2", 0, 3}, {"msmpeg4v3", 0, 3}, {"wmv1", 0, 3}, {"wmv2", 0, 3}, {"h261", 0, 3}, {"h263", 0, 3},
    {"h263p", 0, 3}, {"rv10", 0, 3}, {"rv20", 0, 3}, {"mjpeg", 0, 3}, {"amv", 0, 3}, {"speedhq", 0, 3}, {"snow", 0, 3},
};
/* clang-format on */
#pragma GCC diagnostic pop

const int video_container_count = sizeof video_containers / sizeof *video_containers;
const int video_codec_count = sizeof video_codecs / sizeof *video_codecs;

const video_container *video_container_of(const char *path)
{
    for (int i = 0; i < video_container_count; i++)
        for (int j = 0; j < VIDEO_ENDINGS && video_containers[i].endings[j]; j++)
            if (codec_has_ending(path, video_containers[i].endings[j]))
                return &video_containers[i];
    return NULL;
}

const video_container *video_container_by_word(const char *word)
{
    for (int i = 0; word && i < video_container_count; i++)
        if (video_containers[i].pipe && strcmp(word, video_containers[i].endings[0]) == 0)
            return &video_containers[i];
    return NULL;
}

const video_codec *video_codec_of(const char *id)
{
    for (int i = 0; i < video_codec_count; i++)
        if (strcmp(video_codecs[i].id, id) == 0)
            return &video_codecs[i];
    return NULL;
}

const video_codec *video_codec_by_word(const char *word)
{
    for (int i = 0; i < video_codec_count; i++)
        if (video_codecs[i].word && strcmp(video_codecs[i].word, word) == 0)
            return &video_codecs[i];
    return NULL;
}
