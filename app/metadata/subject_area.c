#include "metadata/subject_area.h"

#include "base/number.h"
#include "format/exif.h"
#include "format/xmp.h"
#include "image/orientation.h"

#include <math.h>
#include <stdlib.h>

/* A part of a picture: its middle and its size, as fractions of the sides. */
typedef struct region {
    const char *name;
    int rank; /* the highest is taken; 0: none */
    double x, y, width, height;
    bool is_upright; /* of the picture as displayed */
} region;

/* Returns whether w : h and the picture's sides have the same proportions; they differ if the picture was cut since. */
static bool is_alike(double w, double h, int width, int height)
{
    return fabs(w * height - h * width) <= 0.02 * w * height;
}

/* --- XMP -------------------------------------------------------------------------------------- */

/* A region as it is read. */
typedef struct listed {
    double x, y, width, height, diameter; /* below 0: not known */
    bytes type, unit, use;
} listed;

static const listed nothing = {-1, -1, -1, -1, -1, {0}, {0}, {0}};

/* Returns the rank of a kind of regions, and its name. */
static int rank_of(const listed *l, const char **name)
{
    static const struct {
        const char *type, *name;
    } kinds[] = {{"Pet", "the pet"}, {"Face", "the face"}, {"Focus", "the focus"}};
    for (int i = 0; i < 3; i++)
        if (xmp_equals(l->type, kinds[i].type)) {
            *name = kinds[i].name;
            return i + 1;
        }
    return 0;
}

/* Makes a listed region the region that is taken, if it ranks higher or is a larger one of its kind. */
static void take_listed(const listed *l, region *best)
{
    const bool is_unused = l->use.data && !xmp_equals(l->use, "EvaluatedUsed");
    const bool is_fraction = !l->unit.data || xmp_equals(l->unit, "normalized");
    const double size = fmax(l->diameter, 0);
    region r = {
        .x = l->x, .y = l->y, .width = fmax(l->width, size), .height = fmax(l->height, size)};
    r.rank = rank_of(l, &r.name);
    const bool is_better = r.rank > best->rank || (r.rank == best->rank &&
                                                   r.width * r.height > best->width * best->height);
    if (r.rank > 0 && is_better && !is_unused && is_fraction && l->x >= 0 && l->x <= 1 &&
        l->y >= 0 && l->y <= 1)
        *best = r;
}

static void read_area(const xmp_token *t, listed *l)
{
    const struct {
        const char *name;
        double *to;
    } numbers[] = {
        {"x", &l->x}, {"y", &l->y}, {"w", &l->width}, {"h", &l->height}, {"d", &l->diameter}};
    for (int i = 0; i < 5; i++)
        if (xmp_equals(t->local, numbers[i].name))
            *numbers[i].to = number_of_text(t->value, -1);
    if (xmp_equals(t->local, "unit"))
        l->unit = t->value;
}

/* Finds the region of an XMP packet. */
static region find_listed(bytes xmp, int width, int height)
{
    xmp_space regions = {.count = 0}, area = {.count = 0}, rdf = {.count = 0}, size = {.count = 0};
    xmp_reader reader = {.xmp = xmp};
    xmp_token t;
    listed l = nothing;
    region best = {.rank = 0};
    double w = -1, h = -1;
    xmp_bind(xmp, "http://www.metadataworkinggroup.com/schemas/regions/", false, &regions);
    xmp_bind(xmp, "http://ns.adobe.com/xmp/sType/Area#", false, &area);
    xmp_bind(xmp, "http://ns.adobe.com/xap/1.0/sType/Dimensions#", false, &size);
    xmp_bind(xmp, XMP_RDF, false, &rdf);
    while (regions.count > 0 && xmp_next(&reader, &t) != XMP_END)
        if (t.kind == XMP_OPEN && xmp_is(&t, &rdf, "li")) {
            take_listed(&l, &best);
            l = nothing;
        } else if (t.value.data && xmp_is(&t, &area, NULL)) {
            read_area(&t, &l);
        } else if (t.value.data && xmp_is(&t, &regions, "Type")) {
            l.type = t.value;
        } else if (t.value.data && xmp_is(&t, &regions, "FocusUsage")) {
            l.use = t.value;
        } else if (t.value.data && xmp_is(&t, &size, "w")) {
            w = number_of_text(t.value, -1);
        } else if (t.value.data && xmp_is(&t, &size, "h")) {
            h = number_of_text(t.value, -1);
        }
    take_listed(&l, &best);
    best.is_upright = width != height && is_alike(h, w, width, height);
    if (w > 0 && h > 0 && !best.is_upright && !is_alike(w, h, width, height))
        best.rank = 0;
    return best;
}

/* --- EXIF ------------------------------------------------------------------------------------- */

/* Returns the only number of an entry; 0: there is none. */
static uint32_t number_of(bytes tiff, uint32_t tag)
{
    exif_entry e;
    return exif_find_own(tiff, tag, &e) && e.count == 1 ? exif_value(tiff, &e, 0) : 0;
}

/* Finds the subject's place in a picture that is stored with that size. */
static region find_noted(bytes tiff, int width, int height)
{
    enum { AREA = 0x9214, PLACE = 0xA214, WIDTH = 0xA002, HEIGHT = 0xA003 };
    exif_entry e;
    uint32_t v[4] = {0};
    double w = number_of(tiff, WIDTH), h = number_of(tiff, HEIGHT);
    const bool has_area = exif_find_own(tiff, AREA, &e) && e.count >= 2 && e.count <= 4;
    if (!has_area && !(exif_find_own(tiff, PLACE, &e) && e.count == 2))
        return (region){.rank = 0};
    for (uint32_t i = 0; i < e.count; i++)
        v[i] = exif_value(tiff, &e, i);
    if (w == 0 || h == 0) {
        w = width;
        h = height;
    }
    const bool is_inside = (v[0] > 0 || v[1] > 0) && v[0] < w && v[1] < h;
    return (region){.name = "the subject",
                    .rank = is_inside && is_alike(w, h, width, height),
                    .x = v[0] / w,
                    .y = v[1] / h,
                    .width = v[2] / w,
                    .height = v[e.count == 4 ? 3 : 2] / h};
}

/* --- Pixels ----------------------------------------------------------------------------------- */

/* Returns the first and the last of `side` pixels of a part, at least one. */
static void pixels_of(double middle, double size, int side, int *first, int *last)
{
    const double low = floor((middle - size / 2) * side),
                 high = ceil((middle + size / 2) * side) - 1;
    *first = (int)fmin(fmax(low, 0), side - 1);
    *last = (int)fmin(fmax(high, *first), side - 1);
}

subject_area subject_area_find(const metadata *m, int width, int height, int orientation)
{
    const int turned = m->turned > 1 && m->turned <= 8 ? m->turned : 1; /* the pixels were */
    const bool swaps = orientation_swaps(turned);
    const int stored_width = swaps ? height : width, stored_height = swaps ? width : height;
    region r = find_listed(blob_view(&m->xmp), stored_width, stored_height);
    if (r.rank == 0)
        r = find_noted(blob_view(&m->exif), stored_width, stored_height);
    if (r.rank == 0)
        return (subject_area){.name = NULL};
    /* From the frame that the region is in to the pixels: these turn the first into the second. */
    const int turn = turned > 1 && !r.is_upright   ? orientation_inverse(turned)
                     : turned == 1 && r.is_upright ? orientation
                                                   : 1;
    const int w = orientation_swaps(turn) ? height : width;
    const int h = orientation_swaps(turn) ? width : height;
    int x0, y0, x1, y1;
    pixels_of(r.x, r.width, w, &x0, &x1);
    pixels_of(r.y, r.height, h, &y0, &y1);
    orientation_point_to_stored(turn, w, h, &x0, &y0);
    orientation_point_to_stored(turn, w, h, &x1, &y1);
    return (subject_area){.name = r.name,
                          .left = x0 < x1 ? x0 : x1,
                          .top = y0 < y1 ? y0 : y1,
                          .width = abs(x1 - x0) + 1,
                          .height = abs(y1 - y0) + 1};
}
