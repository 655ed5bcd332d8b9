#include "video/video_range.h"

#include "base/paths.h"

#include <math.h>

/* Times of frames are rounded to the ticks of their file. */
static const double rounding = 0.0006;

static double frames_of(clip_time t, double rate)
{
    return t.in_frames ? t.at : ceil((t.at - rounding) * rate);
}

/* Spreads the frames of a sheet over the range. */
static bool spread(video_range *r, const options *o, uint64_t frames, double rate, problem *p)
{
    const double from = frames_of(r->from, rate);
    double all = (double)frames - from;
    if (r->length.at > 0)
        all = fmin(all, frames_of(r->length, rate));
    if (frames == 0)
        return problem_set(
            p, "%s: its number of frames is unknown, which --frames needs; %s, or give --frame N",
            o->input,
            o->input == path_stdin ? "name a file, not a pipe" : "convert it to .mkv first");
    if (all < 1 && from < (double)frames)
        return problem_set(p, "--duration %s: is shorter than a frame; give more",
                           o->text[OPT_DURATION]);
    if (all < 1)
        return problem_set(p, "%s: has only %llu frames, and --start is behind them; give less",
                           o->input, (unsigned long long)frames);
    r->count = (double)o->frames < all ? (uint64_t)o->frames : (uint64_t)all;
    r->step = all / (double)r->count;
    r->first = from + r->step / 2;
    return true;
}

bool video_range_open(video_range *r, const options *o, uint64_t frames, double rate, problem *p)
{
    *r = (video_range){.from = o->given[OPT_FRAME] ? o->frame : o->start, .length = o->duration};
    if (o->given[OPT_FRAME])
        r->length = (clip_time){.at = 1, .in_frames = true};
    return !o->given[OPT_FRAMES] || spread(r, o, frames, rate, p);
}

bool video_range_is_part(const video_range *r)
{
    return r->from.at > 0 || r->length.at > 0 || r->count > 0;
}

double video_range_seconds(const video_range *r, uint64_t frames, double rate)
{
    return !r->length.in_frames             ? r->length.at
           : r->length.at >= (double)frames ? 0
                                            : r->length.at / rate;
}

uint64_t video_range_frames(const video_range *r, uint64_t frames, double rate)
{
    const double from = frames_of(r->from, rate);
    const double all = frames > from ? (double)frames - from : 0;
    const double length = fmin(fmax(0, frames_of(r->length, rate)), 0x1p63);
    const double most = r->length.at > 0 ? length : all;
    return r->count > 0                   ? r->count
           : r->length.at > 0 && all == 0 ? (uint64_t)most
                                          : (uint64_t)fmin(all, most);
}

static bool is_before(const video_range *r, uint64_t number, double seconds)
{
    if (r->count > 0)
        return (double)number < floor(r->first + (double)r->taken * r->step);
    return r->from.in_frames ? (double)number < r->from.at : seconds < r->from.at - rounding;
}

static bool is_behind(const video_range *r, uint64_t number, double seconds)
{
    if (r->count > 0)
        return r->taken == r->count;
    if (r->length.at <= 0 || r->taken == 0)
        return false;
    const double from = r->from.in_frames ? r->begin_seconds : r->from.at;
    return r->length.in_frames ? (double)(number - r->begin) >= r->length.at
                               : seconds >= from + r->length.at - rounding;
}

range_place video_range_next(video_range *r, uint64_t number, double seconds)
{
    if (is_behind(r, number, seconds))
        return RANGE_BEHIND;
    if (is_before(r, number, seconds))
        return RANGE_LEFT_OUT;
    if (r->taken++ == 0) {
        r->begin = number;
        r->begin_seconds = seconds;
    }
    return RANGE_TAKEN;
}

bool video_range_end(const video_range *r, const options *o, uint64_t frames, problem *p)
{
    static const struct {
        int option;
        const char *name;
    } rows[] = {{OPT_FRAME, "frame"},
                {OPT_START, "start"},
                {OPT_FRAMES, "frames"},
                {OPT_DURATION, "duration"}};
    size_t i = 0;
    if (r->taken > 0 || !video_range_is_part(r))
        return true;
    while (i + 1 < sizeof rows / sizeof *rows && !o->given[rows[i].option])
        i++;
    return problem_set(p, "--%s %s: the clip ends before, after %llu frames; give less",
                       rows[i].name, o->text[rows[i].option], (unsigned long long)frames);
}
