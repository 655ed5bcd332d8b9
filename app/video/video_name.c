#include "base/paths.h"
#include "video/numbered.h"
#include "video/video.h"
#include "video/video_out.h"

#include <string.h>

/* The containers; the words are endings, too. */
static const char *const words[] = {"mp4", "mov", "m4v",  "mkv", "webm", "avi", "y4m", "nut",
                                    "ts",  "mts", "m2ts", "mpg", "ogv",  "mxf", "flv", "3gp"};

bool video_out_is_word(const char *word)
{
    for (size_t i = 0; word && i < sizeof words / sizeof *words; i++)
        if (strcmp(word, words[i]) == 0)
            return true;
    return false;
}

bool video_out_is_name(const char *path)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (codec_has_ending(path, words[i]))
            return true;
    return false;
}

bool video_is_wanted(const options *o)
{
    if (o->files_from || !o->input)
        return false;
    if (o->given[OPT_FRAME] || o->given[OPT_FRAMES])
        return true;
    const bool pipe = o->input == path_stdin, writes_pipe = o->output == path_stdout;
    const bool out =
        o->output && (writes_pipe ? video_out_is_word(o->format) : video_out_is_name(o->output));
    return out || (!pipe && (video_out_is_name(o->input) || numbered_is(o->input))) ||
           (o->output && !writes_pipe && numbered_is(o->output));
}
