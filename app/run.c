/* One picture from file to file. */
#include "run.h"

#include "histogram_figure.h"
#include "report.h"

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

/* The picture and its map, at the same time; where both fail, the picture is what is told of. A task
 * each, and their own tasks beside them. */
static bool load(run *r, const char *map, problem *p)
{
    const options *o = r->o;
    enum { MOST = 4 };
    const int all = o->engine.threads > 0 ? o->engine.threads : omp_get_max_threads();
    bool loaded = false, map_loaded = true;
    problem map_problem;
#pragma omp parallel num_threads(all < MOST ? all : MOST)
#pragma omp single
    {
#pragma omp task shared(map_loaded, map_problem) if (map)
        map_loaded = !map || picture_load(&r->map, map, o->codec, &map_problem);
        loaded = picture_load(&r->input, o->input, o->codec, p);
    }
    if (loaded && !map_loaded)
        *p = map_problem;
    return loaded && map_loaded;
}

static bool decode(run *r, problem *p)
{
    const options *o = r->o;
    if (!load(r, o->depth ? o->depth : o->radius_map, p))
        return false;
    r->work = (job){.o = o, .dof = o->dof, .src = r->input.image, .map = r->map.image};
    r->times.decoder = r->input.library;
    r->times.map_decoder = r->map.library;
    return resolve_range(o, &r->map.image, &r->work.dof, p);
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
    if (r->input.orientation != 1) {
        say_note(quiet,
                 "%s: is stored turned (EXIF orientation %d); it is worked on as stored, and the "
                 "output carries no EXIF",
                 r->o->input, r->input.orientation);
    }
    if (r->o->coc && !prepare_coc(r, p))
        return false;
    r->work.dst = r->input.image;
    r->work.dst.data = pixels_allocate(picture_bytes(&r->input.image));
    return r->work.dst.data ||
           problem_set(p, "%s: not enough memory for a second picture of %d x %d", r->o->input,
                       r->input.image.width, r->input.image.height);
}

/* Writes the image into the file that is begun; tells the library that encoded it, or NULL. */
static const char *encode(const run *r, const codec *format, const satb_image *image, output *out,
                          const char *name, problem *p)
{
    const encode_settings settings = {.quality = r->o->quality,
                                      .compression = r->o->compression,
                                      .threads = r->o->engine.threads,
                                      .choice = r->o->codec};
    problem inner;
    if (!output_begin(out, name, p))
        return NULL;
    sink to = {.write = output_write, .user = out};
    const char *const encoder = codec_encode(format, image, &settings, &to, &inner);
    if (!encoder)
        problem_set(p, "%s: %.400s", name, inner.text);
    return encoder;
}

static bool write_coc(run *r, problem *p)
{
    const codec *const format = codec_for_output(r->o->coc, p);
    output out = {.fd = -1};
    if (!format)
        return false;
    const bool done = encode(r, format, &r->work.coc, &out, r->o->coc, p);
    if (!done && out.buffer)
        output_abort(&out);
    return done && output_commit(&out, p);
}

bool run_read(run *r, const options *o, const codec *format, problem *p)
{
    *r = (run){.o = o, .format = format, .out.fd = -1, .start = engine_clock()};
    const bool done = decode(r, p);
    r->times.decode = engine_clock() - r->start;
    return done && prepare(r, p);
}

bool run_work(run *r, engine *e, problem *p)
{
    if (!engine_run(e, &r->work, p))
        return false;
    if (r->map.image.data)
        report_map(&r->work);
    return true;
}

bool run_write(run *r, problem *p)
{
    picture_free(&r->input); /* encoding needs memory too */
    picture_free(&r->map);
    r->work.src.data = r->work.map.data = NULL;
    const double start = engine_clock();
    if (r->o->histogram && !histogram_figure_write(&r->work, p))
        return false;
    if (r->work.coc.data && !write_coc(r, p))
        return false;
    if (r->format)
        r->times.encoder = encode(r, r->format, &r->work.dst, &r->out, r->o->output, p);
    if (r->format && !r->times.encoder)
        return false;
    free(r->work.dst.data);
    free(r->work.coc.data);
    r->work.dst.data = r->work.coc.data = NULL;
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
    free(r->work.dst.data);
    free(r->work.coc.data);
    r->work.dst.data = r->work.coc.data = NULL;
    if (r->out.buffer)
        output_abort(&r->out);
}
