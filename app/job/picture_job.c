/* One picture from file to file. */
#include "job/picture_job.h"

#include "figure/histogram_figure.h"
#include "base/clock.h"
#include "job/map_check.h"
#include "job/report.h"
#include "image/device_pixels.h"
#include "image/orientation.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>

/* Leaves the distances in millimetres to maps of 16 bits. */
static bool resolve_distances(const options *o, const satb_image *map, satb_dof_params *dof,
                              problem *p)
{
    if (!o->in_millimetres || map->bits == 16)
        return true;
    dof->distance_near = dof->distance_far = 0;
    return (!o->focus_in_metres && dof->strength != SATB_STRENGTH_LENS) ||
           problem_set(p, "%s: its 8 bits are no millimetres; give --distance NEAR,FAR in metres",
                       o->depth);
}

/* Converts --depth-range, which is in fractions of the full scale or in the map's own numbers, once these are known. */
static bool resolve_range(const options *o, const picture *map, satb_dof_params *dof, problem *p)
{
    if (!o->given[OPT_DEPTH_RANGE])
        return true;
    const double white = o->range_b <= 1 ? 1 : map->white;
    dof->range_low = o->range_a / white;
    dof->range_high = o->range_b / white;
    if (dof->range_high > 1)
        return problem_set(p,
                           "--depth-range %g,%g: %s has codes up to %g; give a range within 0,%g",
                           o->range_a, o->range_b, o->depth, white, white);
    return resolve_distances(o, &map->image, dof, p);
}

/* --- Pictures that stay on a GPU -------------------------------------------------------------- */

/* Returns whether the options let the picture stay: a JPEG is made of it on the GPU, --gpu-memory does not bound it, and
 * the host needs no pixels. */
static bool may_stay(const picture_job *j)
{
    const options *o = j->o;
    return j->gpu != NO_GPU && o->codec == CODEC_GPU && j->format &&
           codec_metadata(j->format) == METADATA_JPEG && o->engine.gpu_memory == 0 && !o->stats &&
           !o->histogram && !o->coc && !o->given[OPT_VERIFY];
}

/* Returns whether the files let the picture stay: the host need not rotate, convert or resample them. */
static bool can_stay(const picture_job *j)
{
    const satb_image *image = &j->input.image, *map = &j->map.image;
    return image->on_device && image->channels == 3 && j->input.orientation == 1 &&
           (!map->data || j->map.orientation == 1) &&
           (!j->o->depth || (map->width == image->width && map->height == image->height));
}

static bool bring_to_host(picture_job *j, satb_image *image, satb_image *map, problem *p)
{
    problem inner;
    j->stays = false;
    return (pixels_bring(image, &inner) && pixels_bring(map, &inner)) ||
           problem_at(p, j->o->input, &inner);
}

/* Decides whether the picture stays. A map of several channels is moved to the host in any case, which takes the first. */
static bool choose_memory(picture_job *j, problem *p)
{
    problem inner;
    j->stays = can_stay(j);
    if (!j->stays)
        return bring_to_host(j, &j->input.image, &j->map.image, p);
    return j->map.image.channels <= 1 || pixels_bring(&j->map.image, &inner) ||
           problem_at(p, j->o->input, &inner);
}

/* --- Reading ---------------------------------------------------------------------------------- */

static void tell_damage(const picture_job *j, const picture *pic, const char *name)
{
    if (pic->note[0])
        message_note(j->o->given[OPT_QUIET], "%s: %s", name, pic->note);
}

/* Returns whether the output's format can hold the picture. */
static bool accept_shape(void *user, const satb_image *shape, problem *p)
{
    const picture_job *const j = user;
    satb_image fit;
    char note[128];
    problem inner;
    return !j->format || codec_fit(j->format, shape, j->o->codec, &fit, note, &inner) ||
           problem_at(p, j->o->output, &inner);
}

/* Loads the picture and its map at the same time, each in a task that may start more. If both fail, p is of the picture. */
static bool load_pictures(picture_job *j, const char *map, problem *p)
{
    const options *o = j->o;
    enum { MOST = 4 };
    const decode_settings settings = {.choice = o->codec,
                                      .max_pixels = o->max_pixels,
                                      .stays = may_stay(j),
                                      .gpu = j->gpu,
                                      .accept = accept_shape,
                                      .user = j};
    decode_settings of_map = settings;
    of_map.accept = NULL;
    of_map.stays &= o->depth != NULL; /* a radius map is used on the host */
    const int all = o->engine.threads > 0 ? o->engine.threads : omp_get_max_threads();
    bool loaded = false, map_loaded = true;
    problem map_problem;
#pragma omp parallel num_threads(all < MOST ? all : MOST)
#pragma omp single
    {
#pragma omp task shared(map_loaded, map_problem) if (map)
        map_loaded = !map || picture_load(&j->map, map, &of_map, &map_problem);
        loaded = picture_load(&j->input, o->input, &settings, p);
    }
    if (loaded && !map_loaded)
        *p = map_problem;
    if (!loaded || !map_loaded)
        return false;
    tell_damage(j, &j->input, o->input);
    tell_damage(j, &j->map, map);
    return true;
}

/* Returns whether both are portraits or both are landscapes; a square is either. */
static bool lie_alike(const satb_image *a, const satb_image *b, bool swapped)
{
    const int width = swapped ? b->height : b->width, height = swapped ? b->width : b->height;
    return a->width == a->height || width == height || (a->width > a->height) == (width > height);
}

/* Aligns the map with the picture as displayed, as most programs that make maps see the upright picture. If the two are of
 * one kind, portrait or landscape, only as stored, the map is taken as aligned with the stored pixels. */
static bool align_map(picture_job *j, const char *name, problem *p)
{
    const int own = j->map.orientation, input = j->input.orientation;
    const bool swapped = orientation_swaps(own) != orientation_swaps(input);
    const bool quiet = j->o->given[OPT_QUIET];
    satb_image *map = &j->map.image;
    if (own == input)
        return true;
    if (!lie_alike(&j->input.image, map, swapped) && lie_alike(&j->input.image, map, false)) {
        message_note(quiet, "%s: aligned with the unrotated pixels of %s (EXIF orientation %d)",
                     name, j->o->input, input);
        return true;
    }
    if (!orientation_apply(map, own) || !orientation_apply(map, orientation_inverse(input)))
        return problem_set(p, "%s: not enough memory to rotate it", name);
    message_note(quiet,
                 "%s: aligned with %s as displayed (EXIF orientation %d), and rotated with it",
                 name, j->o->input, input);
    return true;
}

/* Converts radii and the focus point from the picture as displayed to the stored one, which the work is on. */
static bool orient_options(picture_job *j, problem *p)
{
    const int orientation = j->input.orientation;
    satb_dof_params *dof = &j->request.dof;
    dof->orientation = orientation;
    int width = j->input.image.width, height = j->input.image.height;
    if (orientation_swaps(orientation)) {
        const satb_box_params given = j->request.box;
        j->request.box.radius_x = given.radius_y;
        j->request.box.radius_y = given.radius_x;
        width = j->input.image.height;
        height = j->input.image.width;
    }
    if (orientation == 1 || dof->focus_mode != SATB_FOCUS_POINT)
        return true;
    if (dof->focus_x >= width || dof->focus_y >= height) {
        return problem_set(p,
                           "--focus-at %d,%d: outside the picture, which is displayed as %d x %d",
                           dof->focus_x, dof->focus_y, width, height);
    }
    orientation_point_to_stored(orientation, width, height, &dof->focus_x, &dof->focus_y);
    return true;
}

static bool decode_pictures(picture_job *j, problem *p)
{
    const options *o = j->o;
    const char *const map = o->depth ? o->depth : o->radius_map;
    if (!load_pictures(j, map, p) || !choose_memory(j, p) || (map && !align_map(j, map, p)))
        return false;
    j->request = (engine_request){.o = o,
                                  .dof = o->dof,
                                  .box = o->box,
                                  .src = j->input.image,
                                  .map = j->map.image,
                                  .map_white = j->map.white};
    j->input.image.data = j->map.image.data = NULL;
    j->times.decoder = j->input.library;
    j->times.map_decoder = j->map.library;
    return orient_options(j, p) && resolve_range(o, &j->map, &j->request.dof, p) &&
           (!map || map_accept(&j->request, p));
}

static bool prepare_coc(picture_job *j, problem *p)
{
    satb_image *const coc = &j->request.coc;
    *coc = (satb_image){.width = j->input.image.width,
                        .height = j->input.image.height,
                        .stride = 2 * (ptrdiff_t)j->input.image.width,
                        .channels = 1,
                        .bits = 16};
    coc->data = pixels_allocate(picture_bytes(coc));
    return coc->data || problem_set(p, "%s: not enough memory for it", j->o->coc);
}

/* Notes a gamma other than sRGB's, which is 1 / 2.2: linear light is found by sRGB's curve. 5 % more or less count as the
 * same, as for libpng. */
static void tell_gamma(const picture_job *j)
{
    const options *o = j->o;
    const double gamma = j->meta.gamma / 100000.0;
    const bool blurs = o->given[OPT_RADIUS] || o->depth || o->radius_map;
    if (!blurs || o->given[OPT_GAMMA] || j->meta.gamma == 0 || fabs(gamma * 2.2 - 1) < 0.05)
        return;
    message_note(o->given[OPT_QUIET],
                 "%s: its gamma (gAMA) is %.3g, but it is blurred as sRGB (0.455)%s", o->input,
                 gamma,
                 fabs(gamma - 1) < 0.05 ? "; its values are linear light, so use --gamma" : "");
}

/* Fits the metadata to the output's format. */
static void prepare_metadata(picture_job *j, int channels)
{
    const bool quiet = j->o->given[OPT_QUIET];
    j->meta = j->input.meta;
    j->input.meta = (metadata){0};
    tell_gamma(j);
    j->orientation = metadata_fit(&j->meta, codec_metadata(j->format), channels);
    if (j->meta.lost.text[0])
        message_note(quiet, "%s: not carried over: %s", j->o->output, j->meta.lost.text);
    if (j->orientation != 1)
        message_note(quiet, "%s: rotated upright (EXIF orientation %d)", j->o->output,
                     j->orientation);
}

/* Allocates the result: on the GPU beside the picture if memory suffices, else on the host. */
static bool prepare_pixels(picture_job *j, problem *p)
{
    satb_image *const dst = &j->request.dst;
    const size_t size = picture_bytes(&j->request.src);
    *dst = j->request.src;
    dst->data = j->stays ? device_pixels_allocate(j->gpu, size) : NULL;
    dst->on_device = dst->data != NULL;
    if (dst->data)
        return true;
    if (j->stays && !bring_to_host(j, &j->request.src, &j->request.map, p))
        return false;
    dst->data = pixels_allocate(size);
    return dst->data ||
           problem_set(p, "%s: not enough memory for a second picture of %d x %d pixels",
                       j->o->input, dst->width, dst->height);
}

/* Notes what the output format changes, before the work. */
static bool prepare_result(picture_job *j, problem *p)
{
    if (!j->format)
        return true;
    satb_image fit;
    char note[128];
    const bool quiet = j->o->given[OPT_QUIET];
    problem inner;
    if (!codec_fit(j->format, &j->input.image, j->o->codec, &fit, note, &inner))
        return problem_at(p, j->o->output, &inner);
    if (note[0])
        message_note(quiet, "%s: %s", j->o->output, note);
    prepare_metadata(j, fit.channels);
    if (j->o->coc && !prepare_coc(j, p))
        return false;
    return prepare_pixels(j, p);
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
    sink to = {.write = output_write, .user = out};
    const char *const encoder = codec_encode(format, image, &settings, &to, &inner);
    if (!encoder)
        problem_at(p, name, &inner);
    return encoder;
}

static bool write_coc(picture_job *j, problem *p)
{
    const codec *const format = codec_for_output(j->o->coc, p);
    output out = {.fd = -1};
    if (!format)
        return false;
    const bool done = encode_image(j, format, &j->request.coc, NULL, &out, j->o->coc, p);
    if (!done && out.buffer)
        output_abort(&out);
    return done && output_commit(&out, p);
}

/* Encodes the picture and, rotated alike, its radii. */
static bool write_pictures(picture_job *j, problem *p)
{
    if (!orientation_apply(&j->request.dst, j->orientation) ||
        (j->request.coc.data && !orientation_apply(&j->request.coc, j->orientation)))
        return problem_set(p, "%s: not enough memory to rotate it", j->o->output);
    if (j->request.coc.data && !write_coc(j, p))
        return false;
    j->times.encoder =
        encode_image(j, j->format, &j->request.dst, &j->meta, &j->out, j->o->output, p);
    j->stays &= j->times.encoder == nvjpeg_name(); /* other encoders move it to the host */
    return j->times.encoder != NULL;
}

bool picture_job_read(picture_job *j, const options *o, const codec *format, int gpu, problem *p)
{
    *j = (picture_job){.o = o, .format = format, .gpu = gpu, .out.fd = -1, .start = clock_ms()};
    const bool done = decode_pictures(j, p);
    j->times.decode = clock_ms() - j->start;
    return done && prepare_result(j, p);
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
    if (!engine_run(e, &j->request, p))
        return false;
    orient_report(j);
    j->stays = j->request.dst.on_device; /* the CPU may have done the work */
    if (j->request.map.data) {
        report_map(&j->request);
        map_doubt_range(&j->request);
    }
    return true;
}

bool picture_job_write(picture_job *j, problem *p)
{
    pixels_drop(&j->request.src); /* encoding needs memory, too */
    pixels_drop(&j->request.map);
    picture_free(&j->input);
    picture_free(&j->map);
    const double start = clock_ms();
    if (j->o->histogram && !histogram_figure_write(&j->request, p))
        return false;
    if (j->format && !write_pictures(j, p))
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
    picture_free(&j->input);
    picture_free(&j->map);
    metadata_free(&j->meta);
    pixels_drop(&j->request.src);
    pixels_drop(&j->request.map);
    pixels_drop(&j->request.dst);
    pixels_drop(&j->request.coc);
    if (j->out.buffer)
        output_abort(&j->out);
}
