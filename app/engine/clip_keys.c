#include "engine/clip_keys.h"

#include "base/number.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const char *skip_blanks(const char *text)
{
    return text + strspn(text, " ");
}

/* Reads a number of at least 0, up to what may follow it in a list of keys. */
static bool read_number(const char **text, double *value)
{
    return number_until(text, " ,:sm", 0, DBL_MAX, value);
}

static bool is_whole(double v, double most)
{
    return v == floor(v) && v <= most;
}

/* Reads what stands behind a key's colon. A second number belongs to a pixel if no colon follows it. */
static bool read_value(const char **text, clip_key *k, bool of_focus, double most)
{
    double y;
    if (!read_number(text, &k->value))
        return false;
    if (of_focus && **text == 'm') {
        ++*text;
        k->kind = KEY_METRES;
        return k->value > 0;
    }
    const char *ahead = skip_blanks(*text);
    if (of_focus && *ahead == ',') {
        ahead = skip_blanks(ahead + 1);
        if (!read_number(&ahead, &y))
            return false;
        if (*ahead != ':' && *ahead != 's') {
            *text = ahead;
            k->kind = KEY_POINT;
            k->x = (int)fmin(k->value, 1 << 24);
            k->y = (int)fmin(y, 1 << 24);
            return is_whole(k->value, 1 << 24) && is_whole(y, 1 << 24);
        }
    }
    return k->value <= most;
}

/* Reads a time up to what follows it. */
static bool read_time(const char **text, clip_time *t)
{
    *t = (clip_time){.in_frames = true};
    if (!read_number(text, &t->at))
        return false;
    if (**text == 's') {
        t->in_frames = false;
        ++*text;
    }
    return !t->in_frames || is_whole(t->at, 1e15);
}

bool clip_time_read(clip_time *t, const char *text)
{
    return read_time(&text, t) && *text == '\0';
}

static bool read_key(const char **text, clip_key *k, bool of_focus, double most)
{
    clip_time t;
    if (!read_time(text, &t))
        return false;
    *k = (clip_key){.at = t.at, .in_frames = t.in_frames};
    *text = skip_blanks(*text);
    if (**text != ':')
        return false;
    *text = skip_blanks(*text + 1);
    return read_value(text, k, of_focus, most);
}

bool clip_keys_read(clip_keys *k, const char *text, bool of_focus, double most)
{
    k->count = 0;
    for (;;) {
        clip_key *const key = &k->keys[k->count];
        text = skip_blanks(text);
        if (k->count == CLIP_KEYS_MOST || !read_key(&text, key, of_focus, most))
            return false;
        const clip_key *const before = k->count > 0 ? key - 1 : NULL;
        if (before && before->in_frames == key->in_frames && before->at >= key->at)
            return false;
        k->count++;
        text = skip_blanks(text);
        if (*text == '\0')
            return true;
        if (*text++ != ',')
            return false;
    }
}

static double seconds_of(const clip_key *k, double rate)
{
    return k->in_frames ? k->at / rate : k->at;
}

double clip_keys_find(const clip_keys *k, double seconds, double rate, int *a, int *b)
{
    int next = 0;
    while (next < k->count && seconds_of(&k->keys[next], rate) <= seconds)
        next++;
    *a = next > 0 ? next - 1 : 0;
    *b = next < k->count ? next : k->count - 1;
    const double from = seconds_of(&k->keys[*a], rate), to = seconds_of(&k->keys[*b], rate);
    const double u = to > from ? fmin(1, fmax(0, (seconds - from) / (to - from))) : 0;
    return u * u * (3 - 2 * u);
}

double clip_keys_number(const clip_keys *k, double seconds, double rate)
{
    int a, b;
    const double u = clip_keys_find(k, seconds, rate, &a, &b);
    return k->keys[a].value + u * (k->keys[b].value - k->keys[a].value);
}
