/* Answers to words that the program does not know: the option or value that was probably meant. Other programs and the
 * language of photographers have words that no spelling leads from to ours; each has a row here. */
#include "cli/args.h"

#include <stdio.h>
#include <string.h>

/* clang-format off */
const args_answer args_options_meant[] = {
    {"aperture f-number fnumber lens-opening", "--fstop N sets the lens opening"},
    {"blur gaussian gaussian-blur box boxblur sigma kernel size",
     "--radius R blurs evenly, and --depth MAP blurs by depth"},
    {"strength amount intensity power max-blur maxblur blur-radius blur-strength bokeh-size coc",
     "--max-radius N sets the strength, in pixels or like 2%"},
    {"invert inverse invert-depth invert-map reverse negate swap flip", "--near black swaps near and far"},
    {"map depthmap depth-map disparity disparity-map z zdepth", "--depth MAP names the depth map"},
    {"mask subject cutout alpha foreground segmentation", "--matte MASK names the subject's outline"},
    {"exclude keep-sharp no-blur sharp", "--protect MASK keeps parts sharp"},
    {"point at focus-point focus-xy click pixel", "--focus-at X,Y focuses on a pixel"},
    {"focus-distance focal-distance focus-depth", "--focus D sets the sharp depth, like 0.8 or 2.5m"},
    {"dof focus-width", "--focus-range W keeps a band of depths sharp"},
    {"foreground-blur front-blur near-blur", "--near-scale F multiplies the blur in front of the focus"},
    {"background-blur back-blur far-blur", "--far-scale F multiplies the blur behind the focus"},
    {"mm lens focallength", "--focal MM sets the focal length"},
    {"crop sensor-size film", "--sensor MM sets the sensor's width"},
    {"scheimpflug tilt-plane", "--focus-plane X,Y,X,Y,X,Y tilts the plane of focus"},
    {"miniature tilt toy diorama", "--tilt-shift A,P,W gives the miniature look"},
    {"portrait street macro cine preset look style", "--dof-preset NAME sets a look, like portrait"},
    {"shape iris polygon hexagon", "--blades N makes polygons, and --bokeh SHAPE other shapes"},
    {"anamorphic", "--squeeze F makes the aperture shape oval"},
    {"cats-eye cat-eye", "--vignette F cuts the aperture shape towards the corners"},
    {"chromatic chromatic-aberration ca", "--fringe F adds colour fringes"},
    {"lights bokeh-lights glow bloom", "--highlights K turns highlights into bright discs"},
    {"noise film-grain", "--grain auto restores the grain"},
    {"depth-model model source", "--depth-from NAME names the program that made the map"},
    {"colormap cmap palette", "--depth-colormap NAME names the map's colour scale"},
    {"metres meters units depth-unit", "--depth-scale N sets the map's units per metre"},
    {"linear srgb colorspace", "the blur is in linear light; --gamma blurs the stored values"},
    {"hdr pq hlg", "a clip of high dynamic range is blurred by its own curve; leave it out"},
    {"border padding tile virtual-pixel", "--edge MODE sets the pixels beyond the border"},
    {"gpu cuda nvidia hwaccel", "--device cuda uses the GPU"},
    {"cpu no-gpu", "--device cpu uses the CPU"},
    {"cores workers", "--threads N limits the threads, and --jobs N the pictures at a time"},
    {"j parallel", "--jobs N sets the number of pictures at a time"},
    {"memory vram", "--gpu-memory SIZE limits the GPU's memory"},
    {"r", "--radius R blurs evenly"},
    {"R recurse subfolders", "--recursive includes subfolders"},
    {"continue skip-existing", "--resume continues after a break"},
    {"n no-overwrite keep", "--no-clobber keeps existing files"},
    {"y overwrite force", "files are replaced anyway; leave it out"},
    {"i in input file", "name INPUT without an option before it"},
    {"out out-dir output-dir outdir", "name OUTPUT after INPUT, or give -o OUTPUT"},
    {"prefix", "--suffix TEXT names the outputs"},
    {"ext extension type", "--format FORMAT sets the outputs' format"},
    {"q:v qscale compression-quality", "--quality N sets the quality of a JPEG"},
    {"c:v vcodec codec:v", "--video-codec NAME sets the codec"},
    {"tune x264-params x265-params", "--encoder-options NAME=VALUE sets options of FFmpeg's encoder"},
    {"pix_fmt", "--pixel-format NAME sets the video's pixels"},
    {"framerate rate", "--fps N sets the rate of numbered files"},
    {"debug", "--verbose prints the details"},
    {"silent s", "--quiet prints errors only"},
    {"V", "--version prints the version"},
    {"?", "--help prints the options"},
    {"info identify", "--stats measures a picture"},
    {"hist", "--histogram FILE draws the histogram"},
    {"bench benchmark time", "--timings prints the time of each stage"},
    {"gui web ui", "--page DIR writes a page to focus with the mouse"},
    {0},
};
const args_answer args_values_meant[] = {
    {"device=gpu", "cuda"},        {"device=nvidia", "cuda"},       {"device=0", "cuda:0"},
    {"device=all", "cuda:all"},    {"bokeh=circle", "disc"},        {"bokeh=round", "disc"},
    {"bokeh=gaussian", "smooth"},  {"bokeh=soft", "smooth"},        {"bokeh=box", "square"},
    {"method=fast", "gather"},     {"method=scatter", "spread"},    {"method=layers", "layered"},
    {"depth-type=inverse", "disparity"}, {"depth-type=distance", "linear"}, {"depth-type=metric", "linear"},
    {"depth-type=depth", "linear"}, {"near=dark", "black"},         {"near=bright", "white"},
    {"near=light", "white"},       {"near=0", "black"},             {"near=1", "white"},
    {"near=255", "white"},         {"edge=reflect", "mirror"},      {"edge=replicate", "clamp"},
    {"edge=repeat", "wrap"},       {"edge=none", "shrink"},         {"depth-holes=background", "far"},
    {"depth-holes=inpaint", "fill"}, {"depth-from=dav2", "depth-anything"}, {"depth-from=lidar", "iphone"},
    {"depth-from=kinect", "tum"},  {"depth-from=zed", "realsense"}, {"depth-from=zoe", "zoedepth"},
    {0},
};
/* clang-format on */

/* --- Words of other programs ------------------------------------------------------------------ */

bool args_is_among(const char *list, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = list; *at; at += strspn(at, " ")) {
        const size_t size = strcspn(at, " ");
        if (size == length && strncmp(at, word, size) == 0)
            return true;
        at += size;
    }
    return false;
}

static const char *answer_to(const args_answer *answers, const char *word)
{
    for (const args_answer *a = answers; a->said; a++)
        if (args_is_among(a->said, word))
            return a->text;
    return NULL;
}

/* --- Words that are spelled alike ------------------------------------------------------------- */

static int minimum(int a, int b)
{
    return a < b ? a : b;
}

/* Returns the edit distance (Levenshtein): the number of insertions, removals and replacements that turn a into b. */
static int edit_distance(const char *a, const char *b)
{
    enum { LONGEST = 64 };
    int row[LONGEST + 1];
    const int width = (int)strlen(b);
    if (width > LONGEST)
        return LONGEST;
    for (int x = 0; x <= width; x++)
        row[x] = x;
    for (int y = 0; a[y]; y++) {
        int diagonal = row[0];
        row[0] = y + 1;
        for (int x = 1; x <= width; x++) {
            const int replaced = diagonal + (a[y] != b[x - 1]);
            diagonal = row[x];
            row[x] = minimum(replaced, 1 + minimum(row[x], row[x - 1]));
        }
    }
    return row[width];
}

typedef struct nearest {
    const char *word; /* NULL: none is near */
    int distance;
} nearest;

static nearest nearest_begin(const char *word)
{
    return (nearest){NULL, 1 + minimum(3, (int)strlen(word) / 2)};
}

/* Takes a name that is nearer to the word. A name that begins with the word is near it, and so is one with which the word
 * begins. */
static void nearest_take(nearest *best, const char *word, const char *name)
{
    const size_t shared = strlen(word) < strlen(name) ? strlen(word) : strlen(name);
    int distance = edit_distance(word, name);
    if (shared >= 3 && strncmp(word, name, shared) == 0)
        distance = minimum(distance, shared == strlen(word) ? 1 : 2);
    if (distance < best->distance)
        *best = (nearest){name, distance};
}

/* --- Answers ---------------------------------------------------------------------------------- */

bool args_refuse_option(const char *text, problem *p)
{
    char word[64];
    snprintf(word, sizeof word, "%s", text + strspn(text, "-"));
    word[strcspn(word, "=")] = '\0';
    const char *const meant = answer_to(args_options_meant, word);
    if (meant)
        return problem_set(p, "unknown option '%s'; %s", text, meant);
    nearest best = nearest_begin(word);
    for (int i = 0; i < OPT_COUNT; i++)
        nearest_take(&best, word, args_rows[i].name);
    nearest_take(&best, word, "output");
    if (best.word)
        return problem_set(p, "unknown option '%s'; did you mean --%s?", text, best.word);
    return problem_set(p, "unknown option '%s'; 'satblur --help=all' lists all options", text);
}

const char *args_meant_value(const option_row *row, const char *value)
{
    char word[64];
    snprintf(word, sizeof word, "%s=%s", row->name, value);
    const char *const meant = answer_to(args_values_meant, word);
    nearest best = nearest_begin(value);
    for (const option_choice *c = row->choices; c && c->word && strlen(value) < sizeof word; c++)
        nearest_take(&best, value, c->word);
    return meant ? meant : best.word;
}
