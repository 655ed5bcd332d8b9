/* One picture from file to file. */
#include "job/picture_job.h"

#include "figure/histogram_figure.h"
#include "base/clock.h"
#include "codec/gain_join.h"
#include "job/brief.h"
#include "job/dither_step.h"
#include "job/gain_step.h"
#include "job/keep_step.h"
#include "job/map_check.h"
#include "job/picture_read.h"
#include "job/report.h"
#include "job/stay.h"
#include "image/device_pixels.h"
#include "image/orientation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool prepare_coc(picture_job *j, problem *p)
{
    satb_image *const coc = &j->request.coc;
    *coc = (satb_image){
        .width = j->input.image.width, .height = j->input.image.height, .channels = 1, .bits = 16};
    return pixels_make(coc, NULL) ||
           problem_set(p, "%s: not enough memory for its radii", j->o->input);
}

/* Notes a gamma other than sRGB's, which is 1 / 2.2: linear light is found by sRGB's curve. 5 % more or less count as the
 * same, as for libpng. */
static void tell_gamma(const picture_job *j)
{
    const options *o = j->o;
    const double gamma = j->meta.gamma / 100000.0;
    const bool blurs = o->given[OPT_RADIUS] || options_have_depth(o) || o->given[OPT_RADIUS_MAP];
    if (!blurs || o->given[OPT_GAMMA] || j->meta.gamma == 0 || fabs(gamma * 2.2 - 1) < 0.05)
        return;
    message_note(o->given[OPT_QUIET], "%s: has gamma (gAMA) %.3g, but is blurred as sRGB (0.455)%s",
                 o->input, gamma,
                 fabs(gamma - 1) < 0.05 ? "; use --gamma, because its values are linear light"
                                        : "");
}

/* Fits the metadata to the output's format. False: it has no place for the kept map, and p has the line. */
static bool prepare_metadata(picture_job *j, const satb_image *fit, problem *p)
{
    const bool quiet = j->o->given[OPT_QUIET];
    if (codec_metadata(j->format) != METADATA_JPEG)
        picture_lose_gain(&j->input);
    j->meta = j->input.meta;
    j->input.meta = (metadata){0};
    j->meta.is_lossless &= !j->o->given[OPT_QUALITY];
    tell_gamma(j);
    if (j->input.image.half != fit->half)
        metadata_lose_profile(&j->meta);
    const bool has_exif = j->meta.exif.size > 0;
    j->orientation = metadata_fit(&j->meta, codec_metadata(j->format), fit->channels);
    if (!has_exif) /* a frame of a video is turned by its container */
        j->orientation = j->input.orientation;
    if (!keep_step_describe(j, p))
        return false;
    if (j->meta.lost.text[0])
        message_note(quiet, "%s: not copied: %s", j->o->output, j->meta.lost.text);
    if (j->orientation != 1)
        message_note(!j->o->given[OPT_VERBOSE], "%s: rotated upright (%s)", j->o->output,
                     picture_read_turn(&j->input).text);
    return true;
}

/* Allocates the result: on the GPU beside a picture that stays if memory suffices; else on the host, with all pictures. */
static bool prepare_pixels(picture_job *j, problem *p)
{
    satb_image *const dst = &j->request.dst;
    if (!stay_settle(j, p))
        return false;
    *dst = j->request.src;
    if (dither_step_is_deep(j)) {
        dst->bits = 16;
        dst->stride *= 2;
    }
    const size_t size = picture_bytes(dst);
    dst->data = j->stays ? device_pixels_allocate(j->gpu, size) : NULL;
    dst->on_device = dst->data != NULL;
    if (dst->data)
        return true;
    if (!stay_end(j, p))
        return false;
    dst->data = pixels_allocate(size);
    return dst->data ||
           problem_set(p, "%s: not enough memory for a second picture of %d x %d pixels",
                       j->o->input, dst->width, dst->height);
}

/* Notes what the output format changes, before the work. */
static bool prepare_result(picture_job *j, problem *p)
{
    if ((j->o->coc || j->o->focus_view || dither_step_needs_radii(j)) && !prepare_coc(j, p))
        return false;
    if (!j->format) {
        j->orientation = j->input.orientation; /* of the radii */
        return !j->o->output || prepare_pixels(j, p);
    }
    satb_image fit;
    char note[128];
    const bool quiet = j->o->given[OPT_QUIET];
    problem inner;
    if (!codec_fit(j->format, &j->input.image, j->o->codec, &fit, note, &inner))
        return problem_at(p, j->o->output, &inner);
    if (note[0])
        message_note(quiet, "%s: %s", j->o->output, note);
    return prepare_metadata(j, &fit, p) && prepare_pixels(j, p);
}

/* Encodes the image into a temporary file. Returns the name of the library; NULL: p says what failed. */
static const char *encode_image(const picture_job *j, const codec *format, const satb_image *image,
                                const metadata *meta, output *out, const char *name, problem *p)
{
    const encode_settings settings = {.quality = j->o->quality,
                                      .compression = j->o->compression,
                                      .threads = j->o->engine.threads,
                                      .choice = j->o->codec,
                                      .meta = meta};
    problem inner;
    if (!output_begin(out, name, p))
        return NULL;
    out->is_new = j->o->given[OPT_NO_CLOBBER];
    sink to = {.write = output_write, .user = out};
    const char *const encoder = image == &j->request.dst && j->gain.image.data
                                    ? gain_join(format, image, &j->gain, &settings, &to, &inner)
                                    : codec_encode(format, image, &settings, &to, &inner);
    if (!encoder)
        problem_at(p, name, &inner);
    return encoder;
}

/* Writes a picture that goes with the output, whole or not at all. */
static bool write_figure(const picture_job *j, const satb_image *image, const metadata *meta,
                         const char *name, problem *p)
{
    const codec *const format = codec_for_output(name, p);
    output out = {.fd = -1};
    if (!format)
        return false;
    const bool done = encode_image(j, format, image, meta, &out, name, p);
    if (!done && out.buffer)
        output_abort(&out);
    return done && output_commit(&out, p);
}

/* Returns the pixels that the focus was found at: the plane's, the point that was given, or that of auto. */
static focus_marks find_marks(const picture_job *j)
{
    const engine_request *const q = &j->request;
    const satb_dof_report *const r = &q->report;
    if (r->focus_x >= 0)
        return (focus_marks){1, {r->focus_x}, {r->focus_y}};
    focus_marks marks = {.count = q->plane.map.width > 0 ? 3 : 0};
    const bool swapped = orientation_swaps(j->input.orientation);
    for (int i = 0; i < marks.count; i++) {
        marks.x[i] = q->o->plane.x[i];
        marks.y[i] = q->o->plane.y[i];
        orientation_point_to_stored(j->input.orientation, swapped ? q->src.height : q->src.width,
                                    swapped ? q->src.width : q->src.height, &marks.x[i],
                                    &marks.y[i]);
    }
    return marks;
}

/* Draws --focus-view, upright. */
static bool draw_view(picture_job *j, problem *p)
{
    problem inner;
    focus_view *const v = &j->view;
    const focus_marks marks = find_marks(j);
    return (pixels_bring(&j->request.src, &inner) &&
            focus_view_draw(v, &j->request.src, &j->request.coc, j->request.report.full_radius,
                            &marks, &inner) &&
            (orientation_apply(&v->image, j->input.orientation) ||
             problem_set(&inner, "not enough memory to rotate it"))) ||
           problem_at(p, j->o->focus_view, &inner);
}

/* Writes the view with the picture's colour profile, unless that is for other samples. */
static bool write_view(const picture_job *j, problem *p)
{
    const blob *const icc = j->format ? &j->meta.icc : &j->input.meta.icc;
    const bool fits = icc->size > 20 && icc->size <= JPEG_ICC_MOST &&
                      memcmp(icc->data + 16, "RGB ", 4) == 0 && !j->input.image.half;
    metadata meta = {0};
    if (fits)
        meta.icc = *icc;
    return write_figure(j, &j->view.image, fits ? &meta : NULL, j->o->focus_view, p);
}

/* Encodes the radii, rotated as the picture is. */
static bool write_radii(picture_job *j, problem *p)
{
    if (!j->o->coc)
        return true;
    if (!orientation_apply(&j->request.coc, j->orientation))
        return problem_set(p, "%s: not enough memory to rotate it", j->o->coc);
    return write_figure(j, &j->request.coc, NULL, j->o->coc, p);
}

static bool write_picture(picture_job *j, problem *p)
{
    if (!orientation_apply(&j->request.dst, j->orientation) ||
        (j->gain.image.data && !orientation_apply(&j->gain.image, j->orientation)))
        return problem_set(p, "%s: not enough memory to rotate it", j->o->output);
    if (!keep_step_write(j, p))
        return false;
    j->times.encoder =
        encode_image(j, j->format, &j->request.dst, &j->meta, &j->out, j->o->output, p);
    j->stays &= j->times.encoder == nvjpeg_name(); /* other encoders move it to the host */
    return j->times.encoder != NULL;
}

void picture_job_begin(picture_job *j, const options *o, const codec *format)
{
    *j = (picture_job){.o = o, .format = format, .gpu = NO_GPU, .out.fd = -1, .start = clock_ms()};
}

bool picture_job_read(picture_job *j, problem *p)
{
    const bool done = picture_read(j, p), names_output = j->o->output && !j->format;
    j->times.decode = clock_ms() - j->start;
    if (done && names_output && !(j->format = codec_by_word(j->input.format, p)))
        return false;
    return done && prepare_result(j, p);
}

bool picture_job_settle(picture_job *j, problem *p)
{
    return picture_read_loaded(j, p) && prepare_result(j, p);
}

/* Moves the reported point of focus to the picture as displayed. */
static void orient_report(picture_job *j)
{
    satb_dof_report *const r = &j->request.report;
    if (r->focus_x >= 0)
        orientation_point_to_stored(orientation_inverse(j->input.orientation), j->request.src.width,
                                    j->request.src.height, &r->focus_x, &r->focus_y);
}

bool picture_job_work(picture_job *j, engine *e, problem *p)
{
    if (!dither_step_begin(j, p) || !engine_run(e, &j->request, p) || !dither_step_end(j, p) ||
        !gain_step_run(j, e, p))
        return false;
    j->stays = j->request.dst.on_device;              /* the CPU may have done the work */
    if (!j->request.dst.data && !j->request.coc.data) /* the pictures were only measured */
        return true;
    if (j->o->focus_view && !draw_view(j, p))
        return false;
    orient_report(j);
    if (j->request.matte.data && !matte_doubt(&j->request, p))
        return false;
    if (j->request.map.data || j->request.matte.data) {
        report_map(&j->request);
        brief_tell(&j->request);
    }
    if (j->request.map.data && j->request.plane.map.width == 0) /* else it was doubted before */
        map_doubt_range(&j->request);
    if (j->o->focus_view)
        report_focus_view(&j->request, &j->view);
    return true;
}

/* Frees the request's pictures, but those that are lent. */
static void drop_images(picture_job *j)
{
    for (source_role r = 0; r < SOURCES; r++) {
        if (j->lent[r])
            j->request.images[r].data = NULL;
        pixels_drop(&j->request.images[r]);
    }
}

/* Frees what else was read. */
static void free_pictures(picture_job *j)
{
    for (source_role r = 0; r < SOURCES; r++) {
        if (j->lent[r])
            j->pictures[r].image.data = NULL, j->pictures[r].values.data = NULL;
        j->lent[r] = false;
        picture_free(&j->pictures[r]);
    }
}

bool picture_job_write(picture_job *j, problem *p)
{
    drop_images(j); /* encoding needs memory, too */
    const double start = clock_ms();
    if (j->o->focus_view && !write_view(j, p))
        return false;
    pixels_drop(&j->view.image);
    free_pictures(j);
    if (j->o->histogram && !histogram_figure_write(&j->request, p))
        return false;
    if (!write_radii(j, p) || (j->format && !write_picture(j, p)))
        return false;
    pixels_drop(&j->request.dst);
    pixels_drop(&j->request.coc);
    j->times.encode = clock_ms() - start;
    return true;
}

bool picture_job_commit(picture_job *j, problem *p)
{
    const double start = clock_ms();
    const bool done = !j->format || output_commit(&j->out, p);
    const double end = clock_ms();
    j->times.commit = end - start;
    j->times.total = end - j->start;
    return done;
}

void picture_job_free(picture_job *j)
{
    drop_images(j);
    free_pictures(j);
    for (source_role r = 0; r < SOURCES; r++) {
        free(j->own_names[r]);
        j->own_names[r] = NULL;
    }
    metadata_free(&j->meta);
    pixels_drop(&j->request.dst);
    pixels_drop(&j->request.deep);
    pixels_drop(&j->request.coc);
    pixels_drop(&j->view.image);
    pixels_drop(&j->gain.image);
    pixels_drop(&j->kept);
    if (j->out.buffer)
        output_abort(&j->out);
}
