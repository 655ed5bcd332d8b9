/* One picture from file to file. */
#include "job/picture_job.h"

#include "figure/histogram_figure.h"
#include "job/report.h"
#include "image/device_pixels.h"
#include "image/orientation.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>

/* --depth-range is in fractions of full scale, or in codes of the map: only now its bits are known.
 */
static bool resolve_range(const options *o, const satb_image *map, satb_dof_params *dof, problem *p)
{
    if (!o->given[OPT_DEPTH_RANGE])
        return true;
    const double full = map->bits == 16 ? 65535 : 255;
    const double scale = o->range_b <= 1 ? 1 : full;
    dof->range_low = o->range_a / scale;
    dof->range_high = o->range_b / scale;
    return dof->range_high <= 1 ||
           problem_set(p, "--depth-range %g,%g: the codes of %s end at %g; stay within 0,%g",
                       o->range_a, o->range_b, o->depth, full, full);
}

/* --- Pictures that stay on a GPU -------------------------------------------------------------- */

/* By the options: a JPEG is made of it there, in memory that nothing else bounds, and nobody on the host looks at its
 * pixels. */
static bool may_stay(const run *r)
{
    const options *o = r->o;
    return r->gpu != NO_GPU && o->codec == CODEC_GPU && r->format &&
           codec_metadata(r->format) == METADATA_JPEG && o->engine.gpu_memory == 0 && !o->stats &&
           !o->histogram && !o->coc && !o->given[OPT_VERIFY];
}

/* By the files: they need not be turned, converted or resampled, which the host does. */
static bool can_stay(const run *r)
{
    const satb_image *image = &r->input.image, *map = &r->map.image;
    return image->on_device && image->channels == 3 && r->input.orientation == 1 &&
           (!map->data || r->map.orientation == 1) &&
           (!r->o->depth || (map->width == image->width && map->height == image->height));
}

static bool bring(run *r, satb_image *image, satb_image *map, problem *p)
{
    problem inner;
    r->stays = false;
    return (pixels_bring(image, &inner) && pixels_bring(map, &inner)) ||
           problem_at(p, r->o->input, &inner);
}

/* A map of several channels, of which the host takes the first, comes there in any case. */
static bool settle_place(run *r, problem *p)
{
    problem inner;
    r->stays = can_stay(r);
    if (!r->stays)
        return bring(r, &r->input.image, &r->map.image, p);
    return r->map.image.channels <= 1 || pixels_bring(&r->map.image, &inner) ||
           problem_at(p, r->o->input, &inner);
}

/* --- Reading ---------------------------------------------------------------------------------- */

/* The picture and its map, at the same time; where both fail, the picture is what is told of. A task
 * each, and their own tasks beside them. */
static bool load(run *r, const char *map, problem *p)
{
    const options *o = r->o;
    enum { MOST = 4 };
    const decode_settings settings = {
        .choice = o->codec, .max_pixels = o->max_pixels, .stays = may_stay(r), .gpu = r->gpu};
    decode_settings of_map = settings;
    of_map.stays &= o->depth != NULL; /* radii are the host's */
    const int all = o->engine.threads > 0 ? o->engine.threads : omp_get_max_threads();
    bool loaded = false, map_loaded = true;
    problem map_problem;
#pragma omp parallel num_threads(all < MOST ? all : MOST)
#pragma omp single
    {
#pragma omp task shared(map_loaded, map_problem) if (map)
        map_loaded = !map || picture_load(&r->map, map, &of_map, &map_problem);
        loaded = picture_load(&r->input, o->input, &settings, p);
    }
    if (loaded && !map_loaded)
        *p = map_problem;
    return loaded && map_loaded;
}

/* Not one higher than wide and the other wider than high. */
static bool lie_alike(const satb_image *a, const satb_image *b, bool swapped)
{
    const int width = swapped ? b->height : b->width, height = swapped ? b->width : b->height;
    return a->width == a->height || width == height || (a->width > a->height) == (width > height);
}

/* Most programs that make maps see the upright picture, others its stored pixels. So the map is laid
 * over the picture as both are seen; but where they lie alike only as they are stored, that way. */
static bool place_map(run *r, const char *name, problem *p)
{
    const int own = r->map.orientation, input = r->input.orientation;
    const bool swapped = turn_swaps(own) != turn_swaps(input);
    const bool quiet = r->o->given[OPT_QUIET];
    satb_image *map = &r->map.image;
    if (own == input)
        return true;
    if (!lie_alike(&r->input.image, map, swapped) && lie_alike(&r->input.image, map, false)) {
        say_note(quiet, "%s: taken as of %s as that is stored (EXIF orientation %d)", name,
                 r->o->input, input);
        return true;
    }
    if (!turn_upright(map, own) || !turn_upright(map, turn_back(input)))
        return problem_set(p, "%s: not enough memory to turn it", name);
    say_note(quiet, "%s: taken as of %s as that is seen (EXIF orientation %d), and turned with it",
             name, r->o->input, input);
    return true;
}

/* What the options say of x and y is of the picture as it is seen; the work is on it as stored. */
static bool place_options(run *r, problem *p)
{
    const int orientation = r->input.orientation;
    satb_dof_params *dof = &r->work.dof;
    int width = r->input.image.width, height = r->input.image.height;
    if (turn_swaps(orientation)) {
        const satb_box_params given = r->work.box;
        r->work.box.radius_x = given.radius_y;
        r->work.box.radius_y = given.radius_x;
        width = r->input.image.height;
        height = r->input.image.width;
    }
    if (orientation == 1 || dof->focus_mode != SATB_FOCUS_POINT)
        return true;
    if (dof->focus_x >= width || dof->focus_y >= height) {
        return problem_set(p, "--focus-at %d,%d: outside the picture, which is seen as %d x %d",
                           dof->focus_x, dof->focus_y, width, height);
    }
    turn_point_back(orientation, width, height, &dof->focus_x, &dof->focus_y);
    return true;
}

static bool decode(run *r, problem *p)
{
    const options *o = r->o;
    const char *const map = o->depth ? o->depth : o->radius_map;
    if (!load(r, map, p) || !settle_place(r, p) || (map && !place_map(r, map, p)))
        return false;
    r->work =
        (job){.o = o, .dof = o->dof, .box = o->box, .src = r->input.image, .map = r->map.image};
    r->input.image.data = r->map.image.data = NULL;
    r->times.decoder = r->input.library;
    r->times.map_decoder = r->map.library;
    return place_options(r, p) && resolve_range(o, &r->map.image, &r->work.dof, p);
}

static bool prepare_coc(run *r, problem *p)
{
    satb_image *const coc = &r->work.coc;
    *coc = (satb_image){.width = r->input.image.width,
                        .height = r->input.image.height,
                        .stride = 2 * (ptrdiff_t)r->input.image.width,
                        .channels = 1,
                        .bits = 16};
    coc->data = pixels_allocate(picture_bytes(coc));
    return coc->data || problem_set(p, "%s: not enough memory for it", r->o->coc);
}

/* Linear light is found by the curve of sRGB, whose gAMA is 1 / 2.2; libpng, too, takes 5 % more or
 * less for the same. */
static void tell_gamma(const run *r)
{
    const options *o = r->o;
    const double gamma = r->meta.gamma / 100000.0;
    const bool blurs = o->given[OPT_RADIUS] || o->depth || o->radius_map;
    if (!blurs || o->given[OPT_GAMMA] || r->meta.gamma == 0 || fabs(gamma * 2.2 - 1) < 0.05)
        return;
    say_note(o->given[OPT_QUIET], "%s: its gAMA is %.3g; blurred as if it were sRGB's, 0.455%s",
             o->input, gamma,
             fabs(gamma - 1) < 0.05 ? "; as its values are linear light, --gamma would be right"
                                    : "");
}

/* What the output carries beside its pixels. */
static void prepare_metadata(run *r, int channels)
{
    const bool quiet = r->o->given[OPT_QUIET];
    r->meta = r->input.meta;
    r->input.meta = (metadata){0};
    tell_gamma(r);
    r->turn = metadata_fit(&r->meta, codec_metadata(r->format), channels);
    if (r->meta.lost.text[0])
        say_note(quiet, "%s: not carried over: %s", r->o->output, r->meta.lost.text);
    if (r->turn != 1)
        say_note(quiet, "%s: turned upright (EXIF orientation %d)", r->o->output, r->turn);
}

/* On the GPU beside the picture, if there is room for both. */
static bool prepare_pixels(run *r, problem *p)
{
    satb_image *const dst = &r->work.dst;
    const size_t size = picture_bytes(&r->work.src);
    *dst = r->work.src;
    dst->data = r->stays ? device_pixels_allocate(r->gpu, size) : NULL;
    dst->on_device = dst->data != NULL;
    if (dst->data)
        return true;
    if (r->stays && !bring(r, &r->work.src, &r->work.map, p))
        return false;
    dst->data = pixels_allocate(size);
    return dst->data || problem_set(p, "%s: not enough memory for a second picture of %d x %d",
                                    r->o->input, dst->width, dst->height);
}

/* What the output format will change is found, and told, before the work. */
static bool prepare(run *r, problem *p)
{
    if (!r->format)
        return true;
    satb_image fit;
    char note[128];
    const bool quiet = r->o->given[OPT_QUIET];
    if (!codec_fit(r->format, &r->input.image, r->o->output, &fit, note, p))
        return false;
    if (note[0])
        say_note(quiet, "%s: %s", r->o->output, note);
    prepare_metadata(r, fit.channels);
    if (r->o->coc && !prepare_coc(r, p))
        return false;
    return prepare_pixels(r, p);
}

/* Writes the image into the file that is begun; tells the library that encoded it, or NULL. */
static const char *encode(const run *r, const codec *format, const satb_image *image,
                          const metadata *meta, output *out, const char *name, problem *p)
{
    const encode_settings settings = {.quality = r->o->quality,
                                      .compression = r->o->compression,
                                      .threads = r->o->engine.threads,
                                      .choice = r->o->codec,
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

static bool write_coc(run *r, problem *p)
{
    const codec *const format = codec_for_output(r->o->coc, p);
    output out = {.fd = -1};
    if (!format)
        return false;
    const bool done = encode(r, format, &r->work.coc, NULL, &out, r->o->coc, p);
    if (!done && out.buffer)
        output_abort(&out);
    return done && output_commit(&out, p);
}

/* Encodes the picture and, with its pixels in the same places, its radii. */
static bool write_pictures(run *r, problem *p)
{
    if (!turn_upright(&r->work.dst, r->turn) ||
        (r->work.coc.data && !turn_upright(&r->work.coc, r->turn)))
        return problem_set(p, "%s: not enough memory to turn it", r->o->output);
    if (r->work.coc.data && !write_coc(r, p))
        return false;
    r->times.encoder = encode(r, r->format, &r->work.dst, &r->meta, &r->out, r->o->output, p);
    r->stays &= r->times.encoder == nvjpeg_name(); /* others fetch it */
    return r->times.encoder != NULL;
}

bool run_read(run *r, const options *o, const codec *format, int gpu, problem *p)
{
    *r = (run){.o = o, .format = format, .gpu = gpu, .out.fd = -1, .start = engine_clock()};
    const bool done = decode(r, p);
    r->times.decode = engine_clock() - r->start;
    return done && prepare(r, p);
}

bool run_work(run *r, engine *e, problem *p)
{
    if (!engine_run(e, &r->work, p))
        return false;
    r->stays = r->work.dst.on_device; /* the CPU may have done it after all */
    if (r->work.map.data)
        report_map(&r->work);
    return true;
}

bool run_write(run *r, problem *p)
{
    pixels_drop(&r->work.src); /* encoding needs memory too */
    pixels_drop(&r->work.map);
    picture_free(&r->input);
    picture_free(&r->map);
    const double start = engine_clock();
    if (r->o->histogram && !histogram_figure_write(&r->work, p))
        return false;
    if (r->format && !write_pictures(r, p))
        return false;
    pixels_drop(&r->work.dst);
    pixels_drop(&r->work.coc);
    r->times.encode = engine_clock() - start;
    return true;
}

bool run_commit(run *r, problem *p)
{
    const double start = engine_clock();
    const bool done = !r->format || output_commit(&r->out, p);
    const double end = engine_clock();
    r->times.commit = end - start;
    r->times.total = end - r->start;
    return done;
}

void run_free(run *r)
{
    picture_free(&r->input);
    picture_free(&r->map);
    metadata_free(&r->meta);
    pixels_drop(&r->work.src);
    pixels_drop(&r->work.map);
    pixels_drop(&r->work.dst);
    pixels_drop(&r->work.coc);
    if (r->out.buffer)
        output_abort(&r->out);
}
