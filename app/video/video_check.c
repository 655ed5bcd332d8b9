#include "base/paths.h"
#include "codec/video_table.h"
#include "engine/source.h"
#include "video/clip_part.h"
#include "video/names/moves.h"
#include "video/names/numbered_set.h"
#include "video/numbered.h"
#include "video/video.h"

#include <stddef.h>

static bool is_video(const char *name)
{
    return name && (name == path_stdin || name == path_stdout || video_container_of(name));
}

/* Returns whether the name has a sign for numbers. A folder's name has none. */
static bool is_files(const char *name)
{
    return numbered_is(name) || (numbered_set_is(name) && !path_is_folder(name));
}

bool video_is_wanted(const options *o)
{
    if (o->files_from || !o->input)
        return false;
    if (o->given[OPT_FRAME] || o->given[OPT_FRAMES])
        return true;
    const bool pipe = o->input == path_stdin, writes_pipe = o->output == path_stdout;
    const bool out = o->output && (writes_pipe ? video_container_by_word(o->format)
                                               : video_container_of(o->output));
    return out || (!pipe && (moves_by_name(o->input) || is_files(o->input))) ||
           (o->output && !writes_pipe && numbered_is(o->output));
}

/* Returns whether maps or mattes without times of their own are matched by time. */
static bool has_timed_files(const options *o)
{
    bool any = false;
    for (source_role r = SOURCE_INPUT + 1; r < SOURCES_EACH; r++)
        any |= o->source[r] && !is_video(o->source[r]) && !source_is_part(o, r);
    return any && o->depth_sync == SYNC_TIME;
}

static bool has_files(const options *o)
{
    bool any = false;
    for (source_role r = 0; r < SOURCES_EACH; r++)
        any |= o->source[r] && (numbered_is(o->source[r]) || numbered_set_is(o->source[r]));
    return any;
}

/* Refuses a pipe, of which nothing tells whether it is the same as before. */
static bool check_resume(const options *o, problem *p)
{
    for (source_role r = 0; r < SOURCES; r++)
        if (o->given[OPT_RESUME] && o->source[r] == path_stdin)
            return problem_set(
                p,
                "--resume compares files, and - is not a file; name a file, or leave out --resume");
    return true;
}

/* Refuses a track of a pipe, which is read once. */
static bool check_tracks(const options *o, problem *p)
{
    clip_part part;
    for (source_role r = SOURCE_INPUT + 1; r < SOURCES_EACH; r++) {
        if (!clip_part_read(o, r, &part, p))
            return false;
        if (part.track && o->input == path_stdin)
            return problem_set(
                p, "%s %s: a pipe is read once, and INPUT with a track twice; name a file",
                source_row_of(o, r)->words, o->source[r]);
    }
    return clip_part_read(o, SOURCE_INPUT, &part, p);
}

/* Refuses a video where one picture serves all frames. */
static bool check_stills(const options *o, problem *p)
{
    for (source_role r = SOURCES_EACH; r < SOURCES; r++)
        if (is_video(o->source[r]) && o->source[r] != path_stdin)
            return problem_set(
                p, "%s: is a video, and %s takes one picture for all frames; name a picture",
                o->source[r], source_row_of(o, r)->words);
    return true;
}

/* Refuses options of pictures for a video, and those of videos for pictures. */
static bool check_output(const options *o, problem *p)
{
    static const struct {
        int option;
        const char *name;
    } of_videos[] = {{OPT_VIDEO_CODEC, "video-codec"},
                     {OPT_CRF, "crf"},
                     {OPT_ENCODER_OPTIONS, "encoder-options"},
                     {OPT_PIXEL_FORMAT, "pixel-format"}};
    const bool is_one = o->given[OPT_FRAME] || o->given[OPT_FRAMES];
    if (is_video(o->output) && !is_one && options_ask(o, OPT_QUALITY))
        return problem_set(
            p, "--quality is for pictures, and OUTPUT is a video; give --crf Q, where 0 is best");
    if (is_video(o->output) && !is_one && options_ask(o, OPT_COMPRESSION))
        return problem_set(
            p, "--compression is for pictures, and OUTPUT is a video; leave out --compression");
    for (size_t i = 0; i < sizeof of_videos / sizeof *of_videos; i++)
        if ((numbered_is(o->output) || is_one) && options_ask(o, of_videos[i].option))
            return problem_set(p, "--%s is for videos, and OUTPUT is %s; leave it out",
                               of_videos[i].name, is_one ? "one picture" : "numbered files");
    return true;
}

/* Refuses a name that is none for the frames that are made: of one, or of all. */
static bool check_frame_names(const options *o, problem *p)
{
    const char *const one = o->given[OPT_FRAME] ? "frame" : o->given[OPT_FRAMES] ? "frames" : NULL;
    if (one && o->output && o->output != path_stdout &&
        (video_container_of(o->output) || numbered_is(o->output)))
        return problem_set(p, "--%s makes one picture, and OUTPUT is a clip; name it like out.png",
                           one);
    for (int i = 1; i < WRITTEN; i++)
        if (o->written[i] && o->given[OPT_FRAMES])
            return problem_set(p,
                               "%s is for frames of their own, and --frames makes a sheet; "
                               "leave out one of them",
                               written_words[i]);
        else if (o->written[i] && one && numbered_is(o->written[i]))
            return problem_set(p,
                               "%s %s: has a number, and --frame makes one picture; name it like "
                               "view.png",
                               written_words[i], o->written[i]);
        else if (o->written[i] && !one && !numbered_is(o->written[i]))
            return problem_set(p,
                               "%s %s: a clip has one for each frame; name files like "
                               "view/%%05d.png, or give --frame N",
                               written_words[i], o->written[i]);
    return true;
}

bool video_check(const options *o, problem *p)
{
    bool reads_video = false, has_companions = false;
    for (source_role r = 0; r < SOURCES_EACH; r++) {
        reads_video |= is_video(o->source[r]);
        has_companions |= r != SOURCE_INPUT && o->source[r];
    }
    if (o->given[OPT_FPS] && is_video(o->input) && !has_timed_files(o))
        return problem_set(
            p,
            "--fps is for numbered files, and INPUT is a video with its own rate; leave out --fps");
    if (options_ask(o, OPT_ON_ERROR) && !reads_video)
        return problem_set(p,
                           "--on-error is for videos, and no video is read; leave out --on-error");
    if (o->given[OPT_GAPS] && !has_files(o))
        return problem_set(p, "--gaps is for numbered files, and there are none; leave out --gaps");
    if (!check_stills(o, p) || !check_tracks(o, p))
        return false;
    if (o->depth_sync && !has_companions)
        return problem_set(p, "--depth-sync needs maps or mattes; give --depth MAP, --matte MASK "
                              "or --radius-map MAP");
    return check_resume(o, p) && check_output(o, p) && check_frame_names(o, p);
}
