/* Writes Google's depth map in XMP: what it means into the packet, and the map into extended XMP. */
#include "embedded/photo.h"
#include "format/beside.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void add_text(blob *to, const char *text)
{
    blob_add(to, text, strlen(text));
}

/* Adds a property in base64. */
static void add_coded(blob *to, const char *name, bytes value)
{
    add_text(to, name);
    base64_encode(value, to);
    add_text(to, "\"");
}

static const char *mime_of(bytes file)
{
    return file.size > 0 && file.data[0] == 0xff ? "image/jpeg" : "image/png";
}

/* Describes the map. Near and Far must be there: of an unknown unit, 1 : 10 is a usual scene. */
static void describe(const embedded_kept *kept, blob *to)
{
    char text[600];
    const embedded_meaning *const means = &kept->means;
    const bool known = means->distance_near > 0;
    snprintf(text, sizeof text,
             "<rdf:Description rdf:about=\"\" xmlns:GDepth=\"" GDEPTH "\" xmlns:GImage=\"" GIMAGE
             "\"\n GDepth:Format=\"%s\" GDepth:Near=\"%.17g\" GDepth:Far=\"%.17g\" "
             "GDepth:Units=\"%s\"\n GDepth:Mime=\"image/png\" GDepth:Software=\"" GDEPTH_SOFTWARE
             "%s%s%s\"",
             means->type == SATB_DEPTH_LINEAR ? "RangeLinear" : "RangeInverse",
             known ? means->distance_near : 1,
             known ? fmin(means->distance_far, GOOGLE_FARTHEST) : 10, known ? "m" : "relative",
             means->near_black ? "" : GDEPTH_WHITE_NEAR,
             means->holes == SATB_HOLES_FILL ? GDEPTH_HOLES : "",
             means->begins_at_1 ? GDEPTH_BEGINS_AT_1 : "");
    add_text(to, text);
    if (kept->original.size > 0) {
        snprintf(text, sizeof text, " GImage:Mime=\"%s\"", mime_of(kept->original));
        add_text(to, text);
    }
    add_text(to, "/>\n");
}

bool embedded_keep(metadata *m, const embedded_kept *kept, problem *p)
{
    blob description = {0}, larger = {0};
    describe(kept, &description);
    add_text(&larger, "<rdf:Description rdf:about=\"\" xmlns:GDepth=\"" GDEPTH
                      "\" xmlns:GImage=\"" GIMAGE "\"");
    add_coded(&larger, "\n GDepth:Data=\"", kept->map);
    if (kept->original.size > 0)
        add_coded(&larger, "\n GImage:Data=\"", kept->original);
    add_text(&larger, "/>\n");
    const bool starved = description.failed || larger.failed;
    const bool done =
        !starved && metadata_extend_xmp(m, blob_view(&description), blob_view(&larger), p);
    words_remove(&m->lost, BESIDE_DEPTH_IN_XMP);
    words_remove(&m->lost, BESIDE_DEPTH_MAP);
    blob_free(&description);
    blob_free(&larger);
    return done ||
           (starved && problem_set_kind(p, PROBLEM_MEMORY, "not enough memory for its depth map"));
}
