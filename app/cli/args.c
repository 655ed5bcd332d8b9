/* The parser, its hints and --help, over the one table at the end. getopt_long() reads the words. */
#include "cli/args.h"

#include <getopt.h>
#include <stddef.h>
#include <string.h>

static int minimum(int a, int b)
{
    return a < b ? a : b;
}

/* Edit distance (Levenshtein): insertions, removals and replacements that turn a into b. */
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

/* The option that was probably meant, or -1. A word that begins an option, or that an option
 * begins, is near it. */
static int nearest(const char *word)
{
    int best = -1, best_distance = 1 + minimum(3, (int)strlen(word) / 2);
    for (int i = 0; i < OPT_COUNT; i++) {
        const char *name = args_rows[i].name;
        const size_t shared = strlen(word) < strlen(name) ? strlen(word) : strlen(name);
        int distance = edit_distance(word, name);
        if (shared >= 3 && strncmp(word, name, shared) == 0)
            distance = minimum(distance, shared == strlen(word) ? 1 : 2);
        if (distance < best_distance) {
            best = i;
            best_distance = distance;
        }
    }
    return best;
}

static bool unknown(const char *text, problem *p)
{
    char word[64];
    snprintf(word, sizeof word, "%s", text + strspn(text, "-"));
    word[strcspn(word, "=")] = '\0';
    const int near = nearest(word);
    if (near < 0)
        return problem_set(p, "unknown option '%s'; 'satblur --help' lists them", text);
    return problem_set(p, "unknown option '%s'; did you mean '--%s'?", text, args_rows[near].name);
}

static bool positional(options *o, const char *text, problem *p)
{
    if (text[0] == '\0')
        return problem_set(p, "a file name is empty; give INPUT and OUTPUT");
    if (!o->input) {
        o->input = text;
    } else if (!o->output) {
        o->output = text;
    } else {
        return problem_set(p,
                           "'%s' is one file too many after '%s' and '%s'; give INPUT and OUTPUT",
                           text, o->input, o->output);
    }
    return true;
}

/* --- Parsing ---------------------------------------------------------------------------------- */

enum { FIRST_LONG = 256 }; /* getopt_long()'s value of option i is FIRST_LONG + i */

static void fill_long_options(struct option *out)
{
    for (int i = 0; i < OPT_COUNT; i++) {
        const char *const argument = args_rows[i].argument;
        const int kind = !argument            ? no_argument
                         : argument[0] == '[' ? optional_argument
                                              : required_argument;
        out[i] = (struct option){args_rows[i].name, kind, NULL, FIRST_LONG + i};
    }
    out[OPT_COUNT] = (struct option){0};
}

static bool needs_value(const option_row *row, problem *p)
{
    return problem_set(p, "--%s needs a value: --%s %s", row->name, row->name, row->argument);
}

static bool option(options *o, int i, const char *value, problem *p)
{
    const option_row *const row = &args_rows[i];
    o->given[i] = true;
    o->text[i] = value;
    if (row->set && !row->set(o, value)) {
        return problem_set(p, "--%s %s: expected %s", row->name, value && value[0] ? value : "''",
                           row->expects);
    }
    return true;
}

/* What getopt_long() answered for the word. */
static bool take(options *o, int answer, const char *word, problem *p)
{
    switch (answer) {
    case 1: return positional(o, optarg, p);
    case 'h': return option(o, OPT_HELP, NULL, p);
    case ':': return needs_value(&args_rows[optopt - FIRST_LONG], p);
    case '?':
        if (optopt >= FIRST_LONG) {
            return problem_set(p, "--%s takes no value; leave out '%s'",
                               args_rows[optopt - FIRST_LONG].name, word + strcspn(word, "="));
        }
        return unknown(word, p);
    default:
        /* No abbreviations: they would break as soon as another option begins alike. */
        if (strcspn(word + 2, "=") != strlen(args_rows[answer - FIRST_LONG].name))
            return unknown(word, p);
        if (optarg && !strchr(word, '=') && strncmp(optarg, "--", 2) == 0)
            return needs_value(&args_rows[answer - FIRST_LONG], p); /* it took the next option */
        return option(o, answer - FIRST_LONG, optarg, p);
    }
}

static bool parse_words(int argc, char **argv, options *o, problem *p)
{
    struct option long_options[OPT_COUNT + 1];
    fill_long_options(long_options);
    opterr = 0; /* the messages are ours */
    optind = 0; /* from the start, whatever was parsed before */
    for (;;) {
        const int at = optind ? optind : 1;
        const int answer = getopt_long(argc, argv, "-:h", long_options, NULL);
        if (answer == -1)
            break;
        if (!take(o, answer, argv[at], p))
            return false;
    }
    while (optind < argc) /* after "--" */
        if (!positional(o, argv[optind++], p))
            return false;
    return true;
}

args_result args_parse(int argc, char **argv, options *o, problem *p)
{
    *o = (options){.quality = 92, .compression = 1, .max_pixels = PICTURE_PIXELS};
    if (!parse_words(argc, argv, o, p))
        return ARGS_WRONG;
    if (o->given[OPT_HELP])
        return ARGS_HELP;
    if (o->given[OPT_VERSION])
        return ARGS_VERSION;
    if (o->files_from && args_writes(o) && !o->output) { /* OUTPUT alone: names are as they are */
        o->output = o->input;
        o->input = NULL;
    }
    if (!args_check(o, p))
        return ARGS_WRONG;
    o->dof.look = o->box.look = o->look;
    return ARGS_RUN;
}

/* --- Help ------------------------------------------------------------------------------------- */

enum { COLUMN = 23 }; /* where the explanations begin */

/* "  --name VALUE      help", the help's further lines under its first. */
static void help_row(FILE *to, const option_row *row)
{
    const char *argument = row->argument ? row->argument : "";
    const char *space = argument[0] && argument[0] != '[' ? " " : "";
    char left[80];
    snprintf(left, sizeof left, "  --%s%s%s", row->name, space, argument);
    fprintf(to, "%-*s", COLUMN, left);
    for (const char *c = row->help; *c; c++) {
        fputc(*c, to);
        if (*c == '\n')
            fprintf(to, "%*s", COLUMN, "");
    }
    fputc('\n', to);
}

void args_help(FILE *to)
{
    static const char head[] =
        "satblur " SATB_VERSION ": blurs by depth, by a fixed radius or by a radius map;\n"
        "equalises and measures\n"
        "\n"
        "  satblur INPUT OUTPUT --depth MAP [options]\n"
        "  satblur INPUT OUTPUT --radius R [options]\n"
        "  satblur INPUT OUTPUT --radius-map MAP --max-radius PX [options]\n"
        "  satblur INPUT OUTPUT --equalize\n"
        "  satblur INPUT [--stats[=json]] [--histogram FILE]\n"
        "  satblur FOLDER FOLDER --depth-dir FOLDER [options]\n"
        "  satblur FOLDER --stats --report FILE.jsonl\n";
    static const char tail[] =
        "\n"
        "Reads PNG, JPEG, BMP, TGA, PGM and PPM. Writes the format that OUTPUT's ending\n"
        "names. Bit depth and channels stay as they are where that format can hold\n"
        "them; otherwise a note says what changed. OUTPUT appears whole or not at all,\n"
        "and may be INPUT.\n"
        "\n"
        "Colour profile, EXIF, XMP and pixel density are carried over between PNG and\n"
        "JPEG; from PNG to PNG also texts and the chunks on colours, from JPEG to JPEG\n"
        "comments and IPTC. A note names what is not carried. EXIF's thumbnail is left\n"
        "out. What EXIF says is stored turned stays so in a JPEG, and from PNG to PNG; in\n"
        "other outputs it is turned upright. MAP, --focus-at and --radius RX,RY are of\n"
        "INPUT as it is seen, turned. Where MAP fits it lying or standing only as both\n"
        "are stored, it is taken so; a note tells.\n"
        "\n"
        "A folder's pictures are worked on --jobs at a time. One that fails is told of,\n"
        "and the others go on. OUTPUT gets a list of what is done (.satblur.done), which\n"
        "--resume reads: it does again what is missing or failed, and what has changed\n"
        "since: picture, map, output or options. Ctrl-C finishes what is in work, a\n"
        "second one ends at once. --report has a line for each picture: input, output,\n"
        "map, status (done, skipped, failed), message, width, height, channels, bits,\n"
        "device, gpu_memory (bytes), bands, decoder, map_decoder, encoder (libraries),\n"
        "stayed (true: done, and on the GPU from decoder to encoder), ms (by stage) and\n"
        "stats; its last line sums up.\n"
        "\n"
        "Percentiles are codes: the p % percentile is the smallest code that at least p %\n"
        "of the pixels do not exceed. Entropy is Shannon's, in bits per sample. Clipped\n"
        "are the pixels at code 0 (low) and at the largest code (high).\n"
        "\n"
        "--stats=json prints one object on stdout: file, width, height, bits, channels,\n"
        "with --depth also depth (file, width, height, bits, channels of the map, its\n"
        "first channel alone), and device. A channel has: name (gray, R, G, B or alpha),\n"
        "min, max, mean, stddev, median, p1, p5, p95, p99, entropy, clipped_low and\n"
        "clipped_high (shares, 0 to 1), and histogram: 256 counts, each of one code for\n"
        "8 bits, of 256 codes for 16. Notes, timings and errors go to stderr.\n"
        "\n"
        "Exit status: 0 done; 1 something failed; 2 wrong usage. A file that could not be\n"
        "finished is not there, or still the old one.\n";
    fputs(head, to);
    const char *group = "";
    for (int i = 0; i < OPT_COUNT; i++) {
        if (strcmp(group, args_rows[i].group) != 0) {
            group = args_rows[i].group;
            fprintf(to, "\n%s\n", group);
        }
        help_row(to, &args_rows[i]);
    }
    fputs(tail, to);
}

#define WHAT   "What to do"
#define FOCUS  "Focus (with --depth)"
#define BLUR   "Blur (with --depth)"
#define DEPTH  "Depth map"
#define CAMERA "Camera (blurs as this lens would; instead of --max-radius)"
#define LOOK   "Look"
#define ENGINE "Engine"
#define BATCH  "Whole folders (INPUT and OUTPUT are folders)"
#define OUTPUT "Output"

/* clang-format off */
const option_row args_rows[OPT_COUNT] = {
    [OPT_DEPTH] = {"depth", "MAP", WHAT, "a file name",
        "depth of field: blur what is out of focus; MAP is\nINPUT's depth map",
        set_depth, 0},
    [OPT_RADIUS] = {"radius", "R[,RY]", WHAT,
        "pixels, 0 to 8388608, as R or RX,RY (like 2.5 or 8,0)",
        "box blur: each pixel becomes the mean of the 2R+1 x 2R+1\naround it; fractions allowed",
        set_radius, 0},
    [OPT_RADIUS_MAP] = {"radius-map", "MAP", WHAT, "a file name",
        "box blur with a radius per pixel: 0 where MAP is black,\n--max-radius where it is white",
        set_radius_map, 0},
    [OPT_EQUALIZE] = {"equalize", NULL, WHAT, "",
        "spread the luminances over the whole scale (histogram\n"
        "equalisation); colour differences and alpha stay",
        NULL, 0},
    [OPT_STATS] = {"stats", "[=json]", WHAT, "nothing or 'json'",
        "print extremes, percentiles, mean, standard deviation,\n"
        "entropy, clipping and histogram of INPUT's channels, and\n"
        "of the depth map; alone or beside what is above",
        set_stats, 0},
    [OPT_HISTOGRAM] = {"histogram", "FILE", WHAT,
        "a file name that ends in .svg or .png",
        "draw INPUT's histogram into FILE, .svg or .png; alone or\nbeside what is above",
        set_histogram, 0},

    [OPT_FOCUS] = {"focus", "D|auto", FOCUS,
        "'auto', a disparity from 0 (farthest) to 1 (nearest), or metres like 2.5m",
        "what is sharp: a disparity, 0 (farthest) to 1 (nearest),\n"
        "or metres like 2.5m (with --distance); default auto: the\n"
        "strongest near depth",
        set_focus, NEEDS_DEPTH},
    [OPT_FOCUS_AT] = {"focus-at", "X,Y", FOCUS, "a pixel as X,Y, like 640,360 (0,0 is top left)",
        "focus on what is around this pixel; 0,0 is top left",
        set_focus_at, NEEDS_DEPTH},
    [OPT_FOCUS_RANGE] = {"focus-range", "W", FOCUS, "a width in disparity, 0 to 2",
        "keep a band of disparity this wide sharp; default 0",
        set_focus_range, NEEDS_DEPTH},
    [OPT_NEAR_SCALE] = {"near-scale", "F", FOCUS, "a factor, 0 to 1000",
        "multiply the radius of what is before the focus; default\n1, 0 keeps it sharp",
        set_near_scale, NEEDS_DEPTH},
    [OPT_FAR_SCALE] = {"far-scale", "F", FOCUS, "a factor, 0 to 1000",
        "the same of what is behind the focus",
        set_far_scale, NEEDS_DEPTH},
    [OPT_MAX_RADIUS] = {"max-radius", "PX", FOCUS, "pixels, 0 to 8388608",
        "strength: the radius at a disparity difference of 1;\ndefault 2 % of the longer side",
        set_max_radius, NEEDS_DEPTH | NEEDS_MAP},

    [OPT_METHOD] = {"method", "METHOD", BLUR, "'layered', 'gather' or 'spread'",
        "layered (default): layers of depth, blurred one by one\n"
        "and laid over each other, nearly as a lens does: what is\n"
        "sharp stays out of what is blurred, and what is near and\n"
        "blurred covers what is behind it; gather: each pixel\n"
        "becomes the mean of a square of its own radius, like\n"
        "ffmpeg's varblur: several times faster, with halos next\n"
        "to what is sharp; the default where --edge is not shrink;\n"
        "spread: each pixel gives its light to a square of its own\n"
        "radius: what is sharp stays out of what is blurred, but\n"
        "nothing covers anything",
        set_method, NEEDS_DEPTH},
    [OPT_BOKEH] = {"bokeh", "SHAPE", BLUR, "'disc', 'square' or 'smooth'",
        "what a point of light out of focus becomes: disc\n"
        "(default), square, or smooth: brightest in the middle,\n"
        "with soft edges; gather and spread have squares only",
        set_bokeh, NEEDS_DEPTH},
    [OPT_HIGHLIGHTS] = {"highlights", "K", BLUR, "a factor, 1 to 64",
        "layered only: points far brighter than what is around\n"
        "them become discs of light. Those that are clipped were\n"
        "brighter than the file says, by a factor that nobody\n"
        "knows: this one. 1 adds no light; 4 to 16 suit lamps and\n"
        "glints. Default: no such search",
        set_highlights, NEEDS_DEPTH},

    [OPT_DEPTH_TYPE] = {"depth-type", "TYPE", DEPTH, "'disparity' or 'linear'",
        "disparity (default): values linear in 1/distance, as from\n"
        "MiDaS, Depth Anything or stereo; linear: in distance",
        set_depth_type, NEEDS_DEPTH},
    [OPT_NEAR] = {"near", "COLOUR", DEPTH, "'white' or 'black'",
        "which is nearest: white (default) or black",
        set_near, NEEDS_DEPTH},
    [OPT_DEPTH_RANGE] = {"depth-range", "A,B", DEPTH,
        "A,B with A below B: fractions 0 to 1 of full scale, or codes of the map",
        "stretch the map from A..B to its full scale; A and B are\n"
        "fractions where both are at most 1, otherwise values of\n"
        "the map (up to 255, or 65535 in a 16-bit map)",
        set_depth_range, NEEDS_DEPTH},
    [OPT_DEPTH_HOLES] = {"depth-holes", "HOW", DEPTH, "'none', 'far', 'near' or 'fill'",
        "what 0 means in the map. none: a depth as any other; or\n"
        "nothing is known there, which is taken as far, as near,\n"
        "or filled from around, where INPUT looks alike (fill).\n"
        "Default: fill for 16 bits with --depth-type linear\n"
        "--near black, like sensors' millimetres; otherwise none",
        set_depth_holes, NEEDS_DEPTH},

    [OPT_FSTOP] = {"fstop", "N", CAMERA, "an f-number above 0, like 2.8",
        "f-number", set_fstop, NEEDS_DEPTH},
    [OPT_FOCAL] = {"focal", "MM", CAMERA, "millimetres above 0, like 50",
        "focal length", set_focal, NEEDS_DEPTH},
    [OPT_SENSOR] = {"sensor", "MM", CAMERA, "millimetres above 0, like 36",
        "width of the sensor; default 36", set_sensor, NEEDS_DEPTH},
    [OPT_DISTANCE] = {"distance", "NEAR,FAR", CAMERA,
        "metres NEAR,FAR with 0 < NEAR < FAR, like 0.8,20 or 1,inf",
        "metres at the nearest and farthest ends of the map; FAR\nmay be inf",
        set_distance, NEEDS_DEPTH},

    [OPT_GAMMA] = {"gamma", NULL, LOOK, "",
        "blur the stored values; default is linear light (sRGB)",
        set_gamma, NEEDS_BLUR},
    [OPT_EDGE] = {"edge", "MODE", LOOK, "'shrink', 'clamp', 'mirror' or 'wrap'",
        "beyond the border: shrink (default: windows end there),\n"
        "clamp, mirror or wrap; layered only shrinks",
        set_edge, NEEDS_BLUR},

    [OPT_DEVICE] = {"device", "DEVICE", ENGINE, "'auto', 'cpu', 'cuda', 'cuda:N' or 'cuda:all'",
        "auto (default: a usable GPU, unless the CPU is done with\none picture before it has started), cpu, cuda or cuda:N;\nfor folders also cuda:all",
        set_device, 0},
    [OPT_THREADS] = {"threads", "N", ENGINE, "a number of threads, 1 to 1024",
        "CPU threads; default all", set_threads, 0},
    [OPT_VERIFY] = {"verify", NULL, ENGINE, "",
        "run on CPU and GPU; fail unless every byte is equal", NULL, 0},
    [OPT_TIMINGS] = {"timings", NULL, ENGINE, "",
        "print the device, --depth's method, the milliseconds of\n"
        "each stage, and a GPU's memory and bands (--gpu-memory)", NULL, 0},
    [OPT_SAT] = {"sat", "WAY", ENGINE, "'one-pass' or 'rows-columns'",
        "how a GPU builds summed-area tables: one-pass (default),\n"
        "or rows-columns, slower; the result is the same",
        set_sat, 0},
    [OPT_GPU_MEMORY] = {"gpu-memory", "SIZE", ENGINE,
        "a number of bytes, like 512M or 1.5G",
        "the most memory of a GPU that pictures may take; K, M\n"
        "and G mean 2^10, 2^20 and 2^30 bytes; default what is\n"
        "free. Larger pictures are worked on in bands of rows,\n"
        "each with what windows reach around it; same result",
        set_gpu_memory, 0},
    [OPT_CODEC] = {"codec", "CODEC", ENGINE, "'fast', 'stb' or 'gpu'",
        "fast (default): ISA-L and libjpeg-turbo where they are\n"
        "built in; stb: stb and libspng alone, slower; gpu: nvJPEG\n"
        "for the JPEGs that it takes, otherwise fast; its samples\n"
        "differ a little from fast's",
        set_codec, 0},
    [OPT_MAX_PIXELS] = {"max-pixels", "N", ENGINE,
        "a number of pixels, 1 to 2147483648, like 50M or 1.5G",
        "refuse pictures and maps of more, before memory is taken\n"
        "for them: 1 to 2147483648; K, M and G mean thousands,\n"
        "millions and thousand millions; default 1073741824 (2^30)",
        set_max_pixels, 0},

    [OPT_DEPTH_DIR] = {"depth-dir", "DIR", BATCH, "a folder",
        "depth of field: of a.jpg, the map is a.png, a_depth.png\n"
        "or a.depth.png of DIR (or another format)",
        set_depth_dir, NEEDS_BATCH},
    [OPT_DEPTH_SUFFIX] = {"depth-suffix", "TEXT", BATCH, "the end of a file name, without '/'",
        "only aTEXT.png is the map of a.jpg; '' for a.png",
        set_depth_suffix, NEEDS_BATCH},
    [OPT_RECURSIVE] = {"recursive", NULL, BATCH, "",
        "with the folders within; OUTPUT gets the same tree",
        NULL, NEEDS_BATCH},
    [OPT_FILES_FROM] = {"files-from", "FILE", BATCH, "a file name, or - for standard input",
        "the files to take, ended by newlines or by NULs; - reads\n"
        "standard input; names are within INPUT, or without one\n"
        "(satblur OUTPUT --files-from -) within this folder",
        set_files_from, NEEDS_BATCH},
    [OPT_SUFFIX] = {"suffix", "TEXT", BATCH, "the end of a file name, without '/'",
        "a.jpg becomes aTEXT.jpg", set_suffix, NEEDS_BATCH},
    [OPT_FORMAT] = {"format", "FORMAT", BATCH, "'png' or 'jpg'",
        "write png or jpg; default: as each input", set_format, NEEDS_BATCH},
    [OPT_JOBS] = {"jobs", "N", BATCH, "a number of pictures, 1 to 256",
        "pictures in work at a time; default: the processors,\nhalf as many more where a GPU blurs, three times as many\nwhere it reads and writes them, too (--codec gpu)",
        set_jobs, NEEDS_BATCH},
    [OPT_SHARD] = {"shard", "I/N", BATCH, "I/N with 1 <= I <= N, like 2/8, or 'slurm' in a job array without gaps",
        "only every N-th picture, from the I-th on, so that N\n"
        "machines share the work; slurm: as its job array says",
        set_shard, NEEDS_BATCH},
    [OPT_RESUME] = {"resume", NULL, BATCH, "",
        "leave out what an earlier run with the same options did", NULL, NEEDS_BATCH},
    [OPT_REPORT] = {"report", "FILE", BATCH, "a file name, or - for standard output",
        "a JSON object a line for each picture, a summary last;\n"
        "with --resume, FILE grows", set_report, NEEDS_BATCH},

    [OPT_QUALITY] = {"quality", "Q", OUTPUT, "a JPEG quality, 1 to 100",
        "JPEG quality, 1 to 100; default 92; above 90 colours are\nkept at the full resolution", set_quality, NEEDS_OUTPUT},
    [OPT_COMPRESSION] = {"compression", "L", OUTPUT, "a PNG compression level, 0 to 12",
        "PNG compression, 0 (none) to 12 (small, slow); default 1",
        set_compression, NEEDS_OUTPUT},
    [OPT_DUMP_COC] = {"dump-coc", "FILE", OUTPUT,
        "a file name that ends in .png or .pgm",
        "also draw the blur's radii (circles of confusion) into\n"
        "FILE, .png or .pgm: gray, 16 bits, 32768 in focus,\n"
        "brighter before it, darker behind; 32767 codes are the\n"
        "radius at a disparity difference of 1",
        set_dump_coc, NEEDS_DEPTH},
    [OPT_QUIET] = {"quiet", NULL, OUTPUT, "", "no notes, only errors", NULL, 0},
    [OPT_VERSION] = {"version", NULL, OUTPUT, "", "print the version, and which library reads what", NULL, 0},
    [OPT_HELP] = {"help", NULL, OUTPUT, "", "print this", NULL, 0},
};
/* clang-format on */
