#include "python/src/judge.h"

#include "python/src/errors.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>

void notes::add(const std::string &line)
{
    if (std::find(lines.begin(), lines.end(), line) == lines.end())
        lines.push_back(line);
}

[[gnu::format(printf, 1, 2)]] static std::string text(const char *format, ...)
{
    char line[400]; // names of parameters and numbers are short
    va_list list;
    va_start(list, format);
    std::vsnprintf(line, sizeof line, format, list);
    va_end(list);
    return line;
}

static unsigned white_of(const satb_image &map)
{
    return map.bits == 16 ? UINT16_MAX : UINT8_MAX;
}

// --- Maps ---------------------------------------------------------------------------------------

static satb_judgement judgement_of(const satb_image &image, const satb_image &map, map_use use)
{
    satb_judge_params params = {};
    satb_judgement found = {};
    params.is_mask = use == map_use::mask;
    (void)satb_judge_map(&image, &map, &params,
                         &found); // what is no image fails in the call itself
    return found;
}

static void refuse(unsigned signs, const satb_image &image, const satb_image &map, const char *name,
                   map_use use)
{
    if (signs & SATB_SIGN_TURNED)
        throw argument_error(
            text("%s has the proportions of image turned by 90 degrees, %d x %d instead of %d x "
                 "%d; rotate it, or scale it if it is only squeezed",
                 name, map.width, map.height, image.width, image.height));
    if (use == map_use::mask && signs & SATB_SIGN_TINTED)
        throw argument_error(text("%s is a colour picture, not a mask; give a gray mask, or a "
                                  "cut-out whose alpha is the mask",
                                  name));
    if (signs & SATB_SIGN_PICTURE)
        throw argument_error(text("%s is image itself, not a gray map; give image's map", name));
    if (signs & SATB_SIGN_BESIDE)
        throw argument_error(text("%s shows image beside a map; cut out the map", name));
    if (signs & SATB_SIGN_COLOURED)
        throw argument_error(text("%s is a false-colour map or a photo, because its channels "
                                  "differ much; give a gray map, or %s[..., 0] if that is one",
                                  name, name));
}

static void note_range(const satb_judgement &found, const satb_image &map, notes &doubts)
{
    const unsigned white = white_of(map);
    const double scale = found.most > 1 ? 1 : white; // up to 1, depth_range has fractions
    doubts.add(text("depth uses only the codes %u to %u of %u, so little is blurred; "
                    "depth_range=(%.10g, %.10g) stretches them to the whole scale",
                    found.least, found.most, white, found.least / scale, found.most / scale));
}

// Returns for instance "all black, because its codes are 0 to 1 of 255".
static std::string emptiness(const satb_image &mask, bool is_white)
{
    const satb_judgement found = judgement_of(mask, mask, map_use::mask);
    if (found.signs & SATB_SIGN_NARROW)
        return text("all %s, because its codes are %u to %u of %u", is_white ? "white" : "black",
                    found.least, found.most, white_of(mask));
    return is_white ? "all white" : "all black";
}

void judge_map(const satb_image &image, const satb_image &map, const char *name, map_use use,
               bool has_range, notes &doubts)
{
    const satb_judgement found = judgement_of(image, map, use);
    refuse(found.signs, image, map, name, use);
    if (found.signs & SATB_SIGN_TINTED)
        doubts.add(text("%s may be a false-colour map or a photo, because its channels differ; its "
                        "first channel is used, as for a gray map",
                        name));
    if (found.signs & SATB_SIGN_STRETCHED)
        doubts.add(
            text("%s, %d x %d, does not have the proportions of image, %d x %d, so it is stretched",
                 name, map.width, map.height, image.width, image.height));
    if (use == map_use::radius && judgement_of(image, map, map_use::mask).signs & SATB_SIGN_BLACK)
        doubts.add(std::string(name) + " is " + emptiness(map, false) +
                   ", so nothing is blurred; white is max_radius");
    if (use != map_use::depth)
        return;
    if (found.signs & SATB_SIGN_ALIKE)
        doubts.add("depth looks like image in gray; a depth map shows depth, not light");
    if (found.signs & SATB_SIGN_NARROW && !has_range)
        note_range(found, map, doubts);
}

void judge_near(const satb_image &map, const satb_dof_params &params, notes &doubts)
{
    const satb_colours gray = {};
    satb_judge_params how = {};
    satb_judgement found = {};
    how.colours = &gray;
    how.orientation = params.orientation == 0 ? 1 : params.orientation;
    how.near_black = params.near_black;
    if (satb_judge_map(nullptr, &map, &how, &found) == SATB_OK && found.signs & SATB_SIGN_SWAPPED)
        doubts.add(text("depth is farther below than above, as if near and far were swapped; "
                        "near=\"%s\" swaps them",
                        params.near_black ? "white" : "black"));
}

// --- Results ------------------------------------------------------------------------------------

[[noreturn]] static void refuse_subject(const satb_image &matte, bool is_white)
{
    throw argument_error("matte is " + emptiness(matte, is_white) +
                         ", so it marks no subject; give white or True for the subject, or a depth "
                         "map");
}

void judge_subject(const satb_image &matte)
{
    const unsigned signs = judgement_of(matte, matte, map_use::mask).signs;
    if (signs & (SATB_SIGN_BLACK | SATB_SIGN_WHITE))
        refuse_subject(matte, signs & SATB_SIGN_WHITE);
}

void judge_report(const satb_dof_report &report, const satb_image *depth, const satb_image *matte,
                  const satb_image *protect, notes &doubts)
{
    const bool no_subject = matte && (report.subject == 0 || report.subject == 1);
    if (no_subject && !depth)
        refuse_subject(*matte, report.subject == 1);
    if (no_subject)
        doubts.add("matte is " + emptiness(*matte, report.subject == 1) +
                   ", so it marks no subject, and depth is used as it is");
    if (protect && report.kept == 0)
        doubts.add("protect is " + emptiness(*protect, false) +
                   ", so it keeps nothing; give white or True for what stays sharp");
    if (protect && report.kept == 1)
        doubts.add("protect is " + emptiness(*protect, true) +
                   ", so nothing is blurred; give white or True for what stays sharp only");
    if (depth && report.single_value)
        doubts.add(text("depth is the same everywhere, so every pixel gets the same radius, %.1f "
                        "pixels",
                        report.largest_radius));
}

// --- Floats -------------------------------------------------------------------------------------

void judge_floats(const char *name, const odd_floats &odd, notes &doubts)
{
    const size_t many = odd.samples / 10, some = odd.samples / 100;
    const bool may_be_light = std::string(name) == "image";
    if ((odd.beyond > many && odd.most >= 2) || (odd.below > many && odd.least <= -0.5))
        throw argument_error(
            text("%s has numbers from %.4g to %.4g, and 0 is black and 1 is "
                 "white; scale it to 0 to 1, by 1/255 if it has codes of 8 bits%s",
                 name, odd.least, odd.most,
                 may_be_light ? ", or say transfer=\"linear\" if it is light" : ""));
    if (odd.beyond > some || odd.most >= 2)
        doubts.add(text("%s has %zu of %zu numbers above 1, up to %.4g, which become white%s", name,
                        odd.beyond, odd.samples, odd.most,
                        may_be_light ? "; transfer=\"linear\" keeps light" : ""));
    if (odd.below > some || odd.least <= -0.5)
        doubts.add(text("%s has %zu of %zu numbers below 0, down to %.4g, which become black", name,
                        odd.below, odd.samples, odd.least));
    if (odd.unknown > 0)
        doubts.add(text("%s has %zu NaN, which become black", name, odd.unknown));
}
