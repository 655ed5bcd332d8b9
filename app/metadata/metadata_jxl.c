/* Metadata in JPEG XL, by libjxl: the colours stand in the head of the picture, EXIF and XMP in boxes. */
#include "metadata/metadata_fields.h"

#include "format/beside.h"
#include "format/jxl_file.h"

#include <jxl/encode.h>
#include <stdlib.h>
#include <string.h>

/* --- Boxes ------------------------------------------------------------------------------------ */

typedef struct box {
    char kind[5]; /* "": there is none, or nobody wants it */
    blob data;
    bool is_large;
} box;

/* Names what is not carried. The other boxes are the picture's. */
static void lose_box(metadata *m, const char *kind)
{
    static const struct {
        const char *kind, *name;
    } known[] = {{"JXL ", ""}, {"ftyp", ""},      {"jxll", ""},
                 {"jxlc", ""}, {"jxlp", ""},      {"jxli", ""},
                 {"jbrd", ""}, {"jumb", "JUMBF"}, {"jhgm", BESIDE_GAIN_MAP}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (memcmp(kind, known[i].kind, 4) == 0) {
            words_add(&m->lost, known[i].name);
            return;
        }
    words_add(&m->lost, "a box with other data");
}

/* Gives the library more memory for the box. */
static bool give_memory(jxl_file *f, box *b)
{
    enum { PIECE = 1 << 12 };
    static const uint8_t zeros[PIECE];
    const size_t before = b->data.size, more = before < PIECE ? PIECE : before;
    b->is_large = before >= METADATA_MOST;
    for (size_t i = 0; i < more && !b->is_large; i += PIECE)
        if (!blob_add(&b->data, zeros, PIECE))
            return false;
    return !b->is_large && JxlDecoderSetBoxBuffer(f->decoder, b->data.data + before,
                                                  b->data.size - before) == JXL_DEC_SUCCESS;
}

static void begin_box(jxl_file *f, box *b, metadata *m)
{
    JxlBoxType kind;
    if (JxlDecoderGetBoxType(f->decoder, kind, JXL_TRUE) != JXL_DEC_SUCCESS)
        return;
    if (memcmp(kind, "Exif", 4) != 0 && memcmp(kind, "xml ", 4) != 0) {
        lose_box(m, kind);
        return;
    }
    memcpy(b->kind, kind, 4);
    give_memory(f, b);
}

/* EXIF begins with the offset of the TIFF, counted from behind those four bytes. */
static void take_exif(metadata *m, bytes data)
{
    enum { OFFSET = 4 };
    const size_t skip = data.size < OFFSET ? SIZE_MAX : big_endian_32(data.data);
    if (data.size < OFFSET || skip > data.size - OFFSET)
        metadata_lose(m, "EXIF", "damaged");
    else
        metadata_take_exif(
            m, (bytes){.data = data.data + OFFSET + skip, .size = data.size - OFFSET - skip});
}

/* Takes the box that has been read, if there is one. */
static void end_box(jxl_file *f, box *b, metadata *m)
{
    const size_t left = b->kind[0] ? JxlDecoderReleaseBoxBuffer(f->decoder) : 0;
    const bytes data = {.data = b->data.data, .size = b->data.size - left};
    const bool is_exif = strcmp(b->kind, "Exif") == 0;
    m->out_of_memory = m->out_of_memory || b->data.failed;
    if (b->is_large)
        metadata_lose(m, is_exif ? "EXIF" : "XMP", "too large");
    else if (b->kind[0] && is_exif && !b->data.failed)
        take_exif(m, data);
    else if (b->kind[0] && !b->data.failed)
        metadata_take_xmp(m, data);
    blob_free(&b->data);
    *b = (box){.kind = ""};
}

/* Returns what the library says when it leaves the file. It skips a box that has no memory. */
static JxlDecoderStatus read_boxes(jxl_file *f, metadata *m)
{
    box b = {.kind = ""};
    for (;;) {
        const JxlDecoderStatus status = jxl_next(f);
        if (status == JXL_DEC_BOX_NEED_MORE_OUTPUT) {
            JxlDecoderReleaseBoxBuffer(f->decoder);
            give_memory(f, &b);
            continue;
        }
        end_box(f, &b, m);
        if (status != JXL_DEC_BOX)
            return status;
        begin_box(f, &b, m);
    }
}

/* --- Colours, channels ------------------------------------------------------------------------ */

/* Reads the profile of the samples, unless they are light or sRGB. */
static void read_profile(metadata *m, const jxl_file *f)
{
    size_t size = 0;
    if (jxl_is_light(f) || jxl_is_srgb(f) ||
        JxlDecoderGetICCProfileSize(f->decoder, JXL_UNUSED_FORMAT JXL_COLOR_PROFILE_TARGET_DATA,
                                    &size) != JXL_DEC_SUCCESS)
        return;
    if (size == 0 || size > PROFILE_MOST) {
        metadata_lose(m, "colour profile", size > 0 ? "too large" : "damaged");
        return;
    }
    uint8_t *const data = malloc(size);
    m->out_of_memory = m->out_of_memory || !data;
    if (data &&
        JxlDecoderGetColorAsICCProfile(f->decoder, JXL_UNUSED_FORMAT JXL_COLOR_PROFILE_TARGET_DATA,
                                       data, size) == JXL_DEC_SUCCESS)
        metadata_take_icc(m, (bytes){.data = data, .size = size}, "ICC profile");
    free(data);
}

/* Names the channels that are not decoded: all but the first of alpha. */
static void lose_channels(metadata *m, const jxl_file *f)
{
    JxlExtraChannelInfo extra;
    bool has_alpha = false;
    for (uint32_t i = 0; i < f->info.num_extra_channels; i++) {
        if (JxlDecoderGetExtraChannelInfo(f->decoder, i, &extra) != JXL_DEC_SUCCESS)
            continue;
        if (extra.type == JXL_CHANNEL_DEPTH)
            words_add(&m->lost, BESIDE_DEPTH_MAP);
        else if (extra.type != JXL_CHANNEL_SPOT_COLOR &&
                 (extra.type != JXL_CHANNEL_ALPHA || has_alpha))
            words_add(&m->lost, "a further channel");
        has_alpha = has_alpha || extra.type == JXL_CHANNEL_ALPHA;
    }
}

/* The library knows the versions 2 to 4, and prints a complaint about others. The profile's head is sound. */
bool metadata_jxl_takes(bytes profile, int channels)
{
    enum { VERSION = 8, NEWEST = 4 };
    JxlBasicInfo info;
    JxlEncoder *const encoder = profile.data[VERSION] <= NEWEST ? JxlEncoderCreate(NULL) : NULL;
    JxlEncoderInitBasicInfo(&info);
    info.xsize = info.ysize = 1;
    info.num_color_channels = channels < 3 ? 1 : 3;
    info.uses_original_profile = JXL_TRUE;
    const bool takes =
        encoder && JxlEncoderSetBasicInfo(encoder, &info) == JXL_ENC_SUCCESS &&
        JxlEncoderSetICCProfile(encoder, profile.data, profile.size) == JXL_ENC_SUCCESS;
    if (encoder)
        JxlEncoderDestroy(encoder);
    return takes;
}

/* The library turns the pixels, and the orientation that EXIF and XMP repeat does not count. */
void metadata_read_jxl(metadata *m, bytes file)
{
    jxl_file f;
    const bool is_open = jxl_open(&f, file, JXL_DEC_BOX);
    m->out_of_memory = m->out_of_memory || !is_open;
    if (is_open) {
        JxlDecoderSetKeepOrientation(f.decoder, JXL_TRUE);
        JxlDecoderSetDecompressBoxes(f.decoder, JXL_TRUE);
        JxlDecoderCloseInput(f.decoder); /* so that the end of the last box is known */
        if (read_boxes(&f, m) != JXL_DEC_SUCCESS)
            metadata_lose(m, "metadata", "damaged");
        read_profile(m, &f);
        lose_channels(m, &f);
        m->turned = f.info.orientation;
        metadata_set_upright(m);
    }
    jxl_close(&f);
}
