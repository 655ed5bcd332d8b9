/* The functions that the page calls, in a worker. */
#include "base/json.h"
#include "cli/args.h"
#include "image/orientation.h"
#include "job/embedded_read.h"
#include "job/picture_job.h"
#include "web/web.h"

#include <emscripten.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 128 };

typedef enum web_view { VIEW_RESULT, VIEW_FOCUS, VIEW_DEPTH, VIEW_ORIGINAL } web_view;

static scene open_scene;
static satb_image full_result; /* the last one of web_show() in the full size; without data: none */
static engine cpu;
static problem notes;
static struct answer {
    bool done;
    problem p; /* if it is not done */
    uint8_t *rgba;
    int width, height;
    double focus, focus_x, focus_y, max_radius; /* NAN: none */
    bool map_had_colours, map_is_unturned;
    char *json; /* for free() */
} answer;

/* clang-format off */
EM_JS(int, threads_of_page, (void), { return Module["threads"] || 1; });
/* clang-format on */

/* --- Words ------------------------------------------------------------------------------------ */

/* Cuts lines into words, in place. Returns their number, or MOST_WORDS if they are too many. */
static int split(char *lines, char **words)
{
    int count = 0;
    for (char *word = strtok(lines, "\n"); word && count < MOST_WORDS; word = strtok(NULL, "\n"))
        words[count++] = word;
    if (count < MOST_WORDS)
        words[count] = NULL;
    return count;
}

static bool parse(char *lines, options *o, problem *p)
{
    char *words[MOST_WORDS];
    const int count = split(lines, words);
    if (count == MOST_WORDS)
        return problem_set(p, "there are more than %d options; leave out some", MOST_WORDS - 1);
    switch (args_parse(count, words, o, p)) {
    case ARGS_RUN:
        o->engine.device = SATB_DEVICE_CPU;
        o->engine.threads = cpu.config.threads = threads_of_page();
        return true;
    case ARGS_WRONG:
    case ARGS_FAILED: return false;
    default: return problem_set(p, "there is no picture to work on; name one");
    }
}

/* Begins to collect notes. */
static void begin(void)
{
    free(answer.rgba);
    free(answer.json);
    answer = (struct answer){.width = 0};
    message_collect(&notes);
}

static int end(bool done, const problem *p)
{
    message_collect(NULL);
    answer.done = done;
    if (!done)
        answer.p = *p;
    return done;
}

/* --- A picture for the screen ----------------------------------------------------------------- */

/* Takes the photo's own map. The meaning of numbers is settled later. */
static void take_own(options *o, const picture *map)
{
    if (!map->values.data)
        embedded_take_meaning(o, &open_scene.own);
    o->map = "the photo's own depth map";
}

/* Lets what counts pixels count those of a smaller picture. */
static void scale_options(options *o, int width, int height)
{
    o->dof.focus_x = (int)((int64_t)o->dof.focus_x * width / open_scene.width);
    o->dof.focus_y = (int)((int64_t)o->dof.focus_y * height / open_scene.height);
    if (!o->radius_in_percent)
        o->dof.max_radius *= (double)width / open_scene.width;
}

static bool make_job(picture_job *j, options *o, scene_size size, web_view view, problem *p)
{
    const picture *const photo = &open_scene.photo[size];
    const bool swapped = orientation_swaps(photo->orientation);
    const int width = swapped ? photo->image.height : photo->image.width;
    const int height = swapped ? photo->image.width : photo->image.height;
    if (width == 0)
        return problem_set(p, "no picture is open; drop one on the page");
    scale_options(o, width, height);
    if (open_scene.has_own && source_is_embedded(o, SOURCE_MAP))
        take_own(o, &open_scene.map[size]);
    o->focus_view = view == VIEW_FOCUS ? "Focus" : NULL;
    if (view != VIEW_RESULT) /* no blur is needed */
        o->output = NULL;
    return (shrink_picture(photo, 1e12, false, &j->input) &&
            (!o->map || shrink_picture(&open_scene.map[size], 1e12, true, &j->map))) ||
           problem_set(p, "not enough memory for this picture; use a smaller one");
}

/* Makes a gray picture of the map as it is understood: white is near. False: memory ran out. */
static bool draw_depth(picture_job *j)
{
    satb_image *const map = &j->request.map;
    satb_image gray = {.width = map->width, .height = map->height, .channels = 1, .bits = 8};
    gray.stride = gray.width;
    gray.data = pixels_allocate(picture_bytes(&gray));
    for (int y = 0; gray.data && y < gray.height; y++) {
        const uint8_t *const row = (const uint8_t *)map->data + y * map->stride;
        for (int x = 0; x < gray.width; x++) {
            const unsigned code = picture_sample(map, row, (size_t)x * (size_t)map->channels);
            const unsigned white = map->bits == 16 ? code >> 8 : code;
            ((uint8_t *)gray.data)[y * gray.stride + x] =
                (uint8_t)(j->request.dof.near_black ? UINT8_MAX - white : white);
        }
    }
    pixels_drop(map);
    *map = gray;
    return gray.data != NULL;
}

/* Takes the image as the answer's picture. */
static bool show(satb_image *image, int orientation, problem *p)
{
    answer.rgba = shrink_to_rgba(image, orientation);
    answer.width = image->width;
    answer.height = image->height;
    return answer.rgba || problem_set(p, "not enough memory to show it; use a smaller picture");
}

static bool show_view(picture_job *j, web_view view, problem *p)
{
    const int orientation = j->input.orientation;
    switch (view) {
    case VIEW_FOCUS: return show(&j->view.image, 1, p);
    case VIEW_DEPTH: return draw_depth(j) && show(&j->request.map, orientation, p);
    case VIEW_ORIGINAL: return show(&j->request.src, orientation, p);
    default: return show(&j->request.dst, orientation, p);
    }
}

static void take_report(const picture_job *j)
{
    const satb_dof_report *const r = &j->request.report;
    answer.focus = r->focus;
    answer.focus_x = r->focus_x;
    answer.focus_y = r->focus_y;
    answer.max_radius = r->max_radius;
    answer.map_had_colours = j->request.map_had_colours;
    answer.map_is_unturned = j->request.map_is_unturned;
}

/* Opens the files, or one file whose map is "embedded" or missing. */
EMSCRIPTEN_KEEPALIVE int web_open(const char *photo, const char *map, int full, double quick)
{
    problem p = {.text = ""};
    begin();
    pixels_drop(&full_result);
    const bool done = scene_open(&open_scene, photo, map, full, quick, &p);
    answer.width = open_scene.width;
    answer.height = open_scene.height;
    answer.focus = scene_has_map(&open_scene) ? 0 : NAN;
    return end(done, &p);
}

EMSCRIPTEN_KEEPALIVE int web_quicken(double quick)
{
    problem p = {.text = ""};
    begin();
    return end(scene_quicken(&open_scene, quick, &p), &p);
}

/* Copies a dense image. Without memory the copy has no data. */
static satb_image copy_of(const satb_image *image)
{
    satb_image copy = *image;
    copy.data = pixels_allocate(picture_bytes(image));
    if (copy.data)
        memcpy(copy.data, image->data, picture_bytes(image));
    return copy;
}

/* Settles the job by the photo's metadata, which say where its subject is and whether its sides meet. */
static bool settle(picture_job *j, problem *p)
{
    j->input.meta = open_scene.meta;
    const bool done = picture_job_settle(j, p);
    j->input.meta = (metadata){0};
    return done;
}

/* Shows what the program would make by these words, one a line. */
EMSCRIPTEN_KEEPALIVE int web_show(int size, int view, char *lines)
{
    options o;
    problem p = {.text = ""};
    begin();
    picture_job j;
    picture_job_begin(&j, &o, NULL);
    const bool works = view == VIEW_RESULT || view == VIEW_FOCUS;
    const bool keeps = view == VIEW_RESULT && size == SCENE_FULL;
    if (keeps)
        pixels_drop(&full_result);
    bool done = parse(lines, &o, &p) && make_job(&j, &o, size, view, &p) && settle(&j, &p) &&
                (!works || picture_job_work(&j, &cpu, &p));
    if (done && keeps)
        full_result = copy_of(&j.request.dst);
    done = done && show_view(&j, view, &p);
    take_report(&j);
    picture_job_free(&j);
    return end(done, &p);
}

/* --- A file ----------------------------------------------------------------------------------- */

/* Takes the last full result for the job's, if there is one. A gain map needs the work. */
static bool take_result(picture_job *j)
{
    if (!full_result.data || j->input.gain.image.data)
        return false;
    const satb_image copy = copy_of(&full_result);
    if (!copy.data)
        return false;
    pixels_drop(&j->request.dst);
    j->request.dst = copy;
    return true;
}

/* Does what the program does with these words, one a line, from file to file. */
EMSCRIPTEN_KEEPALIVE int web_run(char *lines, int is_shown)
{
    options o;
    problem p = {.text = ""};
    begin();
    picture_job j;
    picture_job_begin(&j, &o, NULL);
    const bool done = parse(lines, &o, &p) && (j.format = codec_for_output(o.output, &p)) &&
                      picture_job_read(&j, &p) &&
                      ((is_shown && take_result(&j)) || picture_job_work(&j, &cpu, &p)) &&
                      picture_job_write(&j, &p) && picture_job_commit(&j, &p);
    take_report(&j);
    picture_job_free(&j);
    return end(done, &p);
}

/* --- Answers ---------------------------------------------------------------------------------- */

static void put_number(FILE *to, const char *key, double number)
{
    if (isfinite(number))
        fprintf(to, "\"%s\": %.17g, ", key, number);
    else
        fprintf(to, "\"%s\": null, ", key);
}

EMSCRIPTEN_KEEPALIVE const char *web_answer(void)
{
    static const char starved[] = "{\"problem\": {\"kind\": \"memory\"}}";
    size_t size;
    free(answer.json);
    answer.json = NULL;
    FILE *const to = open_memstream(&answer.json, &size);
    if (!to)
        return starved;
    fputs("{", to);
    put_number(to, "width", answer.width);
    put_number(to, "height", answer.height);
    put_number(to, "focus", answer.focus);
    put_number(to, "x", answer.focus_x);
    put_number(to, "y", answer.focus_y);
    put_number(to, "radius", answer.max_radius);
    fprintf(to, "\"coloured\": %s, \"unturned\": %s, ", answer.map_had_colours ? "true" : "false",
            answer.map_is_unturned ? "true" : "false");
    fputs(answer.done ? "\"notes\": " : "\"problem\": ", to);
    if (answer.done)
        json_string(to, notes.text);
    else
        json_problem(to, &answer.p);
    fputs("}", to);
    return fclose(to) == 0 ? answer.json : starved;
}

EMSCRIPTEN_KEEPALIVE const uint8_t *web_rgba(void)
{
    return answer.rgba;
}
