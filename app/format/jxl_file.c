#include "format/jxl_file.h"

#include <jxl/encode.h> /* JxlColorEncodingSetToSRGB() */

bool jxl_open(jxl_file *f, bytes in, int events)
{
    *f = (jxl_file){.colours = {.color_space = JXL_COLOR_SPACE_UNKNOWN}};
    f->decoder = JxlDecoderCreate(NULL);
    return f->decoder &&
           JxlDecoderSubscribeEvents(f->decoder, JXL_DEC_BASIC_INFO | JXL_DEC_COLOR_ENCODING |
                                                     events) == JXL_DEC_SUCCESS &&
           JxlDecoderSetInput(f->decoder, in.data, in.size) == JXL_DEC_SUCCESS;
}

void jxl_close(jxl_file *f)
{
    if (f->decoder)
        JxlDecoderDestroy(f->decoder);
    f->decoder = NULL;
}

static bool find_colours(const jxl_file *f, JxlColorProfileTarget target, JxlColorEncoding *colours)
{
    const bool found = JxlDecoderGetColorAsEncodedProfile(f->decoder, JXL_UNUSED_FORMAT target,
                                                          colours) == JXL_DEC_SUCCESS;
    if (!found)
        *colours = (JxlColorEncoding){.color_space = JXL_COLOR_SPACE_UNKNOWN,
                                      .transfer_function = JXL_TRANSFER_FUNCTION_UNKNOWN};
    return found;
}

/* Where the library cannot make the picture's own colours of its XYB, it makes linear light, which needs more than the bits
 * of a code. Codes of Display P3, or of gray, are asked for instead. */
static void settle_colours(jxl_file *f)
{
    JxlColorEncoding own;
    find_colours(f, JXL_COLOR_PROFILE_TARGET_DATA, &f->colours);
    find_colours(f, JXL_COLOR_PROFILE_TARGET_ORIGINAL, &own);
    if (f->info.uses_original_profile || f->info.exponent_bits_per_sample > 0 ||
        f->colours.transfer_function != JXL_TRANSFER_FUNCTION_LINEAR ||
        own.transfer_function == JXL_TRANSFER_FUNCTION_LINEAR)
        return;
    JxlColorEncodingSetToSRGB(&own, f->info.num_color_channels == 1);
    if (f->info.num_color_channels > 1)
        own.primaries = JXL_PRIMARIES_P3;
    if (JxlDecoderSetPreferredColorProfile(f->decoder, &own) == JXL_DEC_SUCCESS)
        find_colours(f, JXL_COLOR_PROFILE_TARGET_DATA, &f->colours);
}

JxlDecoderStatus jxl_next(jxl_file *f)
{
    for (;;) {
        const JxlDecoderStatus status = JxlDecoderProcessInput(f->decoder);
        if (status == JXL_DEC_BASIC_INFO)
            JxlDecoderGetBasicInfo(f->decoder, &f->info);
        else if (status == JXL_DEC_COLOR_ENCODING)
            settle_colours(f);
        else
            return status;
    }
}

bool jxl_is_light(const jxl_file *f)
{
    const JxlTransferFunction t = f->colours.transfer_function;
    return f->colours.color_space != JXL_COLOR_SPACE_UNKNOWN &&
           (t == JXL_TRANSFER_FUNCTION_LINEAR || t == JXL_TRANSFER_FUNCTION_PQ ||
            t == JXL_TRANSFER_FUNCTION_HLG);
}

bool jxl_is_srgb(const jxl_file *f)
{
    const JxlColorEncoding *const c = &f->colours;
    return (c->color_space == JXL_COLOR_SPACE_GRAY ||
            (c->color_space == JXL_COLOR_SPACE_RGB && c->primaries == JXL_PRIMARIES_SRGB)) &&
           c->white_point == JXL_WHITE_POINT_D65 &&
           c->transfer_function == JXL_TRANSFER_FUNCTION_SRGB;
}
