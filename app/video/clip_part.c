#include "video/clip_part.h"

#include "engine/source.h"

#include <stdlib.h>
#include <string.h>

static const char *const halves[] = {"", "left", "right", "top", "bottom"};

/* Reads a whole number up to the text's end. Returns -1: it is none, or larger than `most`. */
static int whole_number(const char *text, int most)
{
    char *end;
    const long number = strtol(text, &end, 10);
    return *text >= '0' && *text <= '9' && *end == '\0' && number <= most ? (int)number : -1;
}

/* Reads "right" or "right:50". */
static bool read_half(const char *text, clip_part *part)
{
    for (int i = HALF_LEFT; i <= HALF_BOTTOM; i++) {
        const size_t length = strlen(halves[i]);
        if (strncmp(text, halves[i], length) != 0 || (text[length] && text[length] != ':'))
            continue;
        *part = (clip_part){.half = (clip_half)i};
        part->gap = text[length] ? whole_number(text + length + 1, 1 << 16) : 0;
        return part->gap >= 0;
    }
    return false;
}

static bool read_part(const options *o, source_role role, clip_part *part, problem *p)
{
    const char *const name = o->source[role], *const words = source_row_of(o, role)->words;
    const char *const value = strchr(name, ':') + 1;
    if (*name == 'h')
        return read_half(value, part) ||
               problem_set(p,
                           "%s %s: is no half of INPUT; give half:left, half:right, half:top or "
                           "half:bottom, and half:right:50 if a gap of 50 pixels lies between",
                           words, name);
    *part = (clip_part){.track = whole_number(value, TRACKS_MOST)};
    return part->track > 0 ||
           problem_set(p, "%s %s: is no track of INPUT; give track:2 for its second video track",
                       words, name);
}

bool clip_part_read(const options *o, source_role role, clip_part *part, problem *p)
{
    static const clip_half others[] = {[HALF_LEFT] = HALF_RIGHT,
                                       [HALF_RIGHT] = HALF_LEFT,
                                       [HALF_TOP] = HALF_BOTTOM,
                                       [HALF_BOTTOM] = HALF_TOP};
    clip_part other;
    *part = (clip_part){0};
    if (role != SOURCE_INPUT)
        return !source_is_part(o, role) || read_part(o, role, part, p);
    for (source_role r = SOURCE_INPUT + 1; r < SOURCES_EACH; r++) {
        if (!source_is_part(o, r))
            continue;
        if (!read_part(o, r, &other, p))
            return false;
        if (other.half && part->half &&
            (others[other.half] != part->half || other.gap != part->gap))
            return problem_set(p, "INPUT has two halves, and --depth and --matte name both; give "
                                  "one of them a file");
        if (other.half)
            *part = (clip_part){.half = others[other.half], .gap = other.gap};
    }
    return true;
}

unsigned clip_part_tracks(const options *o)
{
    unsigned taken = 0;
    clip_part part;
    problem ignored;
    for (source_role r = SOURCE_INPUT + 1; r < SOURCES_EACH; r++)
        if (clip_part_read(o, r, &part, &ignored) && part.track)
            taken |= 1U << part.track;
    return taken;
}
