#include "video/ffmpeg/light.h"

#include <libavutil/mastering_display_metadata.h>
#include <math.h>
#include <stdio.h>

const uint8_t *light_side(const AVStream *stream, const AVFrame *first,
                          enum AVPacketSideDataType type, size_t *size)
{
    static const struct {
        enum AVPacketSideDataType type;
        enum AVFrameSideDataType in_frame;
    } rows[] = {{AV_PKT_DATA_MASTERING_DISPLAY_METADATA, AV_FRAME_DATA_MASTERING_DISPLAY_METADATA},
                {AV_PKT_DATA_CONTENT_LIGHT_LEVEL, AV_FRAME_DATA_CONTENT_LIGHT_LEVEL}};
    const uint8_t *const header = libav_side(stream, type, size);
    for (size_t i = 0; i < sizeof rows / sizeof *rows && !header; i++) {
        const AVFrameSideData *const side =
            rows[i].type == type ? av_frame_get_side_data(first, rows[i].in_frame) : NULL;
        if (side) {
            *size = side->size;
            return side->data;
        }
    }
    return header;
}

/* Returns a number in units of 1 / scale. */
static unsigned scaled(AVRational q, unsigned scale)
{
    return q.den > 0 && q.num > 0 ? (unsigned)(fmin(av_q2d(q) * scale, INT32_MAX) + 0.5) : 0;
}

void light_of_x265(const AVStream *stream, const AVFrame *first, char *out, size_t size)
{
    enum { PLACES = 50000, NITS = 10000 };
    size_t had, has;
    const AVMasteringDisplayMetadata *const m =
        (const void *)light_side(stream, first, AV_PKT_DATA_MASTERING_DISPLAY_METADATA, &had);
    const AVContentLightMetadata *const c =
        (const void *)light_side(stream, first, AV_PKT_DATA_CONTENT_LIGHT_LEVEL, &has);
    int used = 0;
    out[0] = '\0';
    if (m && had >= sizeof *m && m->has_primaries && m->has_luminance) {
        unsigned at[3][2]; /* red, green, blue; x, y */
        for (int i = 0; i < 6; i++)
            at[i / 2][i % 2] = scaled(m->display_primaries[i / 2][i % 2], PLACES);
        used = snprintf(out, size, ":master-display=G(%u,%u)B(%u,%u)R(%u,%u)WP(%u,%u)L(%u,%u)",
                        at[1][0], at[1][1], at[2][0], at[2][1], at[0][0], at[0][1],
                        scaled(m->white_point[0], PLACES), scaled(m->white_point[1], PLACES),
                        scaled(m->max_luminance, NITS), scaled(m->min_luminance, NITS));
    }
    if (c && has >= sizeof *c && (size_t)used < size)
        snprintf(out + used, size - (size_t)used, ":max-cll=%u,%u", c->MaxCLL, c->MaxFALL);
}
