/* The options of one run of the program, as the parser fills them in and as the work reads them. The engine, the
 * picture jobs and the batch know this header alone, not the parser. */
#ifndef SATBLUR_APP_OPTIONS_H
#define SATBLUR_APP_OPTIONS_H

#include "base/paths.h"
#include "codec/codec.h"
#include "engine/clip_keys.h"

#include <satblur.h>

#include <stdbool.h>
#include <stdint.h>

enum { /* one per option, in the order of --help=all */
       OPT_DEPTH,
       OPT_MATTE,
       OPT_PROTECT,
       OPT_TILT_SHIFT,
       OPT_RADIUS,
       OPT_RADIUS_MAP,
       OPT_EQUALIZE,
       OPT_STATS,
       OPT_HISTOGRAM,
       OPT_FOCUS_VIEW,
       OPT_DOF_PRESET,
       OPT_FOCUS,
       OPT_FOCUS_AT,
       OPT_FOCUS_PLANE,
       OPT_FOCUS_RANGE,
       OPT_NEAR_SCALE,
       OPT_FAR_SCALE,
       OPT_MAX_RADIUS,
       OPT_METHOD,
       OPT_BOKEH,
       OPT_BLADES,
       OPT_BLADE_ROTATION,
       OPT_BLADE_CURVATURE,
       OPT_SQUEEZE,
       OPT_VIGNETTE,
       OPT_BOKEH_EDGE,
       OPT_SPHERICAL,
       OPT_FRINGE,
       OPT_HIGHLIGHTS,
       OPT_HIGHLIGHT_THRESHOLD,
       OPT_HIGHLIGHT_SIZE,
       OPT_DEPTH_TYPE,
       OPT_NEAR,
       OPT_DEPTH_COLORMAP,
       OPT_DEPTH_FROM,
       OPT_DEPTH_SCALE,
       OPT_DEPTH_RANGE,
       OPT_DEPTH_HOLES,
       OPT_DEPTH_EDGES,
       OPT_DEPTH_CHANNEL,
       OPT_DEPTH_KEY,
       OPT_DEPTH_PROCESS,
       OPT_DEPTH_COMMAND,
       OPT_MATTE_COMMAND,
       OPT_DEPTH_JOBS,
       OPT_DEPTH_TIMEOUT,
       OPT_DEPTH_SIZE,
       OPT_DEPTH_CACHE,
       OPT_FSTOP,
       OPT_FOCAL,
       OPT_SENSOR,
       OPT_DISTANCE,
       OPT_GAMMA,
       OPT_NO_HDR,
       OPT_EDGE,
       OPT_DITHER,
       OPT_GRAIN,
       OPT_DEVICE,
       OPT_THREADS,
       OPT_VERIFY,
       OPT_TIMINGS,
       OPT_GPU_MEMORY,
       OPT_CODEC,
       OPT_MAX_PIXELS,
       OPT_DEPTH_DIR,
       OPT_DEPTH_SUFFIX,
       OPT_RECURSIVE,
       OPT_FILES_FROM,
       OPT_SUFFIX,
       OPT_FORMAT,
       OPT_JOBS,
       OPT_SHARD,
       OPT_RESUME,
       OPT_REPORT,
       OPT_FOCUS_KEYS,
       OPT_FOCUS_TRACK,
       OPT_RADIUS_KEYS,
       OPT_FRAME,
       OPT_FRAMES,
       OPT_START,
       OPT_DURATION,
       OPT_DEPTH_SYNC,
       OPT_FPS,
       OPT_GAPS,
       OPT_VIDEO_CODEC,
       OPT_CRF,
       OPT_ENCODER_OPTIONS,
       OPT_PIXEL_FORMAT,
       OPT_ON_ERROR,
       OPT_QUALITY,
       OPT_COMPRESSION,
       OPT_DUMP_COC,
       OPT_KEEP_DEPTH,
       OPT_NO_CLOBBER,
       OPT_QUIET,
       OPT_VERBOSE,
       OPT_NO_CONFIG,
       OPT_PAGE,
       OPT_ONNXRUNTIME,
       OPT_VERSION,
       OPT_HELP,
       OPT_COUNT
};

enum { JOBS_MOST = 256, DEPTH_JOBS_MOST = 64 };

enum { NO_GPU = -1 }; /* in place of a GPU's number */

/* The roles of the files that a run reads, with a row each in engine/source.c. Those behind the map are masks. */
typedef enum source_role {
    SOURCE_INPUT,
    SOURCE_MAP, /* of --depth or of --radius-map, which exclude each other */
    SOURCE_MATTE,
    SOURCES_EACH, /* the roles above may have a file for each picture or frame; those below have one for all */
    SOURCE_PROTECT = SOURCES_EACH,
    SOURCES
} source_role;

/* Declares something for each role: an array, and its elements by their names. input: the name of the first. */
#define SOURCE_MEMBERS(type, array, input)                                                         \
    union {                                                                                        \
        type array[SOURCES];                                                                       \
        struct {                                                                                   \
            type input;                                                                            \
            type map;                                                                              \
            type matte;                                                                            \
            type protect;                                                                          \
        };                                                                                         \
    }

/* The files that a run on one picture writes, in the order of written_words[]. */
enum { WRITTEN = 4 };
#define WRITTEN_MEMBERS(type, array)                                                               \
    union {                                                                                        \
        type array[WRITTEN];                                                                       \
        struct {                                                                                   \
            type output;                                                                           \
            type histogram;                                                                        \
            type coc;                                                                              \
            type focus_view;                                                                       \
        };                                                                                         \
    }

typedef enum clip_sync { SYNC_NONE = 0, SYNC_TIME, SYNC_FRAME } clip_sync;

typedef enum stats_style { STATS_NONE = 0, STATS_TEXT, STATS_JSON } stats_style;

typedef enum help_style {
    HELP_DAILY = 0,
    HELP_ALL,
    HELP_MAN,
    HELP_BASH,
    HELP_ZSH,
    HELP_FISH,
    HELP_JSON
} help_style;

/* The codes of a map of differences from what is in focus: PLANE_FOCUS is in focus, and PLANE_STEPS codes are a difference of
 * 1, at which the radius is --max-radius. Code 0 stays free for holes. */
enum { PLANE_FOCUS = 32768, PLANE_STEPS = 32767 };

typedef struct tilt_shift {
    double angle;           /* degrees, counterclockwise; 0: the band is horizontal */
    double position, width; /* of the band, in parts of the picture's extent across it */
} tilt_shift;

typedef struct focus_plane { /* through three pixels of the picture as displayed */
    int x[3], y[3];
    bool has_depths;
    double depths[3]; /* disparities; otherwise the map's */
} focus_plane;

typedef struct options {
    SOURCE_MEMBERS(const char *, source,
                   input); /* files, or folders of one for each picture; NULL: none */
    WRITTEN_MEMBERS(const char *, written); /* files; NULL: none. output NULL: only measure */
    const paths *named; /* the inputs of a folder OUTPUT, instead of input; NULL: none */
    size_t named_count; /* the first of them; OUTPUT follows */
    bool depth_implied; /* no operation was given, so --depth embedded is assumed */
    const char *page, *onnxruntime; /* folders, of that name's options; NULL: none */
    tilt_shift tilt;                /* with --tilt-shift */
    focus_plane plane;              /* with --focus-plane */
    stats_style stats;
    help_style help;
    const char *help_section; /* instead of help; NULL: none */

    satb_box_params box;     /* --radius */
    satb_dof_params dof;     /* --depth; max_radius also serves --radius-map */
    satb_look look;          /* for every blur */
    double grain;            /* --grain: standard deviation in codes of 8 bits */
    bool grain_measured;     /* --grain auto */
    double range_a, range_b; /* --depth-range as given; the map's own numbers decide the meaning */
    bool radius_in_percent;  /* --max-radius is per cent of the longer side */
    bool box_in_percent;     /* --radius is, too */
    const char *dof_preset;  /* its word; NULL: none */
    int colormap;            /* --depth-colormap: COLORMAP_AUTO, ... of depth/colour_scale.h */
    bool range_in_percent;   /* of the map's known numbers */
    bool range_of_clip;      /* range_a and range_b are those of all maps of a clip */
    double depth_scale;      /* --depth-scale: numbers per metre; 0: none */
    const char *depth_from;  /* a name of depth_preset.h; NULL: none */
    const char *depth_channel, *depth_key; /* of an EXR and of an NPZ; NULL: by their rules */
    int depth_jobs, depth_size; /* of programs that make maps: processes; pixels of what they get */
    double depth_timeout;       /* seconds */
    const char *depth_cache;    /* a folder; NULL: none */
    bool in_millimetres; /* dof's distances are --depth-range: right if the map has 16 bits */
    bool focus_in_metres, focus_in_codes; /* dof.focus; codes are the map's own */

    /* Of a batch */
    const char *depth_suffix; /* NULL: none */
    const char *files_from, *suffix, *format, *report;
    int jobs;                    /* 0: the program chooses */
    int shard, shards;           /* 1 .. shards; shards 0: no shards */
    bool all_devices;            /* --device cuda:all */
    const char *text[OPT_COUNT]; /* each option's value as it was typed; NULL: it had none */

    /* Of a clip */
    const clip_keys *focus_keys, *radius_keys; /* NULL: none */
    clip_time frame, start, duration;          /* of the frames to make, where they are given */
    int frames;                                /* of a sheet */
    clip_sync depth_sync;
    double fps;    /* of numbered files */
    int gaps_hold; /* 1: a frame that is missing among them is the one before it */
    const char *video_codec, *encoder_options, *pixel_format; /* FFmpeg's names; NULL: chosen */
    double crf;
    int damage_fails; /* 1: --on-error fail */

    satb_config engine;
    int quality, compression;
    codec_choice codec;
    uint64_t max_pixels;
    bool given[OPT_COUNT];
    bool by_preset[OPT_COUNT]; /* those that --dof-preset gave */
    bool by_config[OPT_COUNT]; /* those that the configuration file gave */
} options;

/* Returns whether the option was given for this run, not by the configuration file, which is for all runs. */
static inline bool options_ask(const options *o, int option)
{
    return o->given[option] && !o->by_config[option];
}

/* Returns whether the blur by depth has layers, if their sums fit. */
static inline bool options_are_layered(const options *o)
{
    return o->dof.method == SATB_METHOD_LAYERED ||
           (o->dof.method == SATB_METHOD_DEFAULT &&
            (o->look.edge == SATB_EDGE_SHRINK || o->look.edge == SATB_EDGE_WRAP));
}

/* Returns whether the inputs are a list of names: on the command line, or --files-from. */
static inline bool options_have_list(const options *o)
{
    return o->files_from || o->named;
}

/* Returns whether the options ask for depth of field: by a depth map, a matte or both, or by the program's own map. */
static inline bool options_have_depth(const options *o)
{
    return o->given[OPT_DEPTH] || o->given[OPT_MATTE] || o->given[OPT_TILT_SHIFT];
}

#endif
