#include "format/xmp_clean.h"

#include "format/code_scan.h"
#include "format/jpeg_xmp.h"
#include "format/xmp.h"

#include <stdlib.h>
#include <string.h>

static void blank(blob *xmp, size_t begin, size_t end)
{
    memset(xmp->data + begin, ' ', end - begin);
}

/* --- By name ---------------------------------------------------------------------------------- */

/* Returns where the element ends whose start tag was just read; 0: its end tag is missing. */
static size_t end_of_element(xmp_reader r)
{
    xmp_token t;
    for (int depth = 1; depth > 0;) {
        if (xmp_next(&r, &t) == XMP_END)
            return 0;
        depth += (t.kind == XMP_OPEN) - (t.kind == XMP_CLOSE);
    }
    return t.end;
}

/* Returns whether the name is of these namespaces and begins so; NULL: whatever else it is. */
static bool begins(const xmp_token *t, const xmp_space *space, const char *local)
{
    const size_t length = local ? strlen(local) : 0;
    return xmp_is(t, space, NULL) && t->local.size >= length &&
           (length == 0 || memcmp(t->local.data, local, length) == 0);
}

/* Overwrites the attributes and elements whose names are of these namespaces and begin with `local`; NULL: all. An
 * element without an end tag goes on to the end of the packet. An attribute without a prefix is of no namespace. */
static bool blank_names(blob *xmp, const xmp_space *space, const char *local)
{
    xmp_reader r = {.xmp = blob_view(xmp)};
    xmp_token t;
    bool any = false;
    while (space->count > 0 && xmp_next(&r, &t) != XMP_END) {
        if (t.kind == XMP_CLOSE || !begins(&t, space, local) ||
            (t.kind == XMP_ATTRIBUTE && t.prefix.size == 0))
            continue;
        const size_t whole = t.kind == XMP_OPEN ? end_of_element(r) : t.end;
        const size_t end = whole ? whole : xmp->size;
        blank(xmp, t.begin, end);
        any = true;
        if (t.kind == XMP_OPEN)
            r = (xmp_reader){.xmp = r.xmp, .at = end};
    }
    return any;
}

#define DEPTH_MAP "http://ns.google.com/photos/1.0/depthmap/"
#define CONTAINER "http://ns.google.com/photos/1.0/container/"

/* Returns what the files are that Google's list of files names. */
static int find_semantics(bytes xmp)
{
    static const struct {
        const char *word;
        int found;
    } words[] = {
        {"Primary", 0},          {"GainMap", HIDDEN_GAIN},     {"MotionPhoto", HIDDEN_MOTION},
        {"Depth", HIDDEN_DEPTH}, {"Confidence", HIDDEN_DEPTH}, {"Original", HIDDEN_ORIGINAL}};
    enum { WORDS = sizeof words / sizeof *words };
    xmp_space space = {.count = 0};
    xmp_reader r = {.xmp = xmp};
    xmp_token t;
    int found = 0;
    xmp_bind(xmp, CONTAINER, true, &space);
    while (space.count > 0 && xmp_next(&r, &t) != XMP_END) {
        if (!t.value.data || !xmp_is(&t, &space, "Semantic"))
            continue;
        int i = 0;
        while (i < WORDS && !xmp_equals(t.value, words[i].word))
            i++;
        found |= i < WORDS ? words[i].found : HIDDEN_LIST;
    }
    return found;
}

/* Removes what is not carried, and all that says of files behind the picture that they are there. */
static int clean_names(blob *xmp)
{
    static const struct {
        const char *uri;
        bool is_family;
        const char *local; /* as the names begin; NULL: all */
        int found;
    } rules[] = {
        {DEPTH_MAP, true, NULL, HIDDEN_DEPTH},
        {"http://ns.google.com/photos/1.0/image/", true, NULL, HIDDEN_ORIGINAL},
        {"http://ns.google.com/photos/1.0/audio/", true, NULL, HIDDEN_SOUND},
        {CONTAINER, true, NULL, 0}, /* find_semantics() tells */
        {"http://ns.google.com/photos/dd/", true, NULL, HIDDEN_DEPTH},
        {"http://ns.google.com/photos/1.0/camera/", false, "MotionPhoto", HIDDEN_MOTION},
        {"http://ns.google.com/photos/1.0/camera/", false, "MicroVideo", HIDDEN_MOTION},
        {"http://ns.adobe.com/hdr-gain-map/", true, NULL, HIDDEN_GAIN},
        {"http://ns.apple.com/HDRGainMap/", true, NULL, HIDDEN_GAIN},
        {"http://ns.adobe.com/xap/1.0/g/img/", true, NULL, HIDDEN_PREVIEWS},
        {"http://ns.adobe.com/xap/1.0/", false, "Thumbnails", HIDDEN_PREVIEWS},
    };
    int found = find_semantics(blob_view(xmp));
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        xmp_space space = {.count = 0};
        xmp_bind(blob_view(xmp), rules[i].uri, rules[i].is_family, &space);
        if (space.count == XMP_PREFIXES)
            found |= HIDDEN_UNCLEAR;
        if (blank_names(xmp, &space, rules[i].local))
            found |= rules[i].found;
    }
    return found;
}

/* --- By value --------------------------------------------------------------------------------- */

/* Takes the character that a reference stands for; those beyond ASCII are 127. 0: there is no reference. */
static uint8_t take_reference(bytes *t)
{
    static const struct {
        const char *name;
        uint8_t is;
    } names[] = {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}};
    enum { LONGEST = 12, OTHER = 127 };
    const uint8_t *const end = memchr(t->data, ';', t->size < LONGEST ? t->size : LONGEST);
    const size_t size = end ? (size_t)(end + 1 - t->data) : 0;
    uint8_t is = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (size == strlen(names[i].name) && memcmp(t->data, names[i].name, size) == 0)
            is = names[i].is;
    if (!is && size > 3 && t->data[1] == '#') {
        char digits[LONGEST + 1] = "";
        const bool is_hex = t->data[2] == 'x';
        memcpy(digits, t->data + 2 + is_hex, size - 3 - (size_t)is_hex);
        const unsigned long c = strtoul(digits, NULL, is_hex ? 16 : 10);
        is = c > 0 && c < OTHER ? (uint8_t)c : OTHER;
    }
    t->data += is ? size : 0;
    t->size -= is ? size : 0;
    return is;
}

static void add_decoded(bytes value, blob *out)
{
    while (value.size > 0) {
        const uint8_t *const next = memchr(value.data, '&', value.size);
        const size_t plain = next ? (size_t)(next - value.data) : value.size;
        blob_add(out, value.data, plain);
        value.data += plain;
        value.size -= plain;
        const uint8_t c = value.size > 0 ? take_reference(&value) : 0;
        if (c || value.size > 0)
            blob_add(out, c ? &c : value.data, 1);
        value.data += !c && value.size > 0;
        value.size -= !c && value.size > 0;
    }
}

/* Returns a value without its references, also where a packet in it has its own, and without white space before it. */
static bytes plain(bytes value, blob scratch[2])
{
    enum { LEVELS = 3 };
    static const char cdata[] = "<![CDATA[";
    for (int i = 0; i < LEVELS && value.size > 0 && memchr(value.data, '&', value.size); i++) {
        scratch[i % 2].size = 0;
        add_decoded(value, &scratch[i % 2]);
        value = blob_view(&scratch[i % 2]);
    }
    while (value.size > 0 && memchr(" \t\r\n", value.data[0], 4)) {
        value.data++;
        value.size--;
    }
    const size_t head = sizeof cdata - 1;
    const bool is_cdata = value.size >= head && memcmp(value.data, cdata, head) == 0;
    return is_cdata ? (bytes){.data = value.data + head, .size = value.size - head} : value;
}

/* Of attributes, and what stands outside of tags, with comments and instructions. */
typedef struct values {
    xmp_reader r;
    xmp_token t, element; /* element: the one whose text may follow */
    xmp_token name;       /* of the value */
} values;

/* Finds the next value. False: there is none. */
static bool next_value(values *v, size_t *begin, size_t *end)
{
    const bool was_in_tag = v->r.in_tag;
    const size_t from = v->r.at, text = v->r.text;
    if (from >= v->r.xmp.size)
        return false;
    const xmp_kind kind = xmp_next(&v->r, &v->t);
    const bool has_text = !was_in_tag || v->r.text != text;
    v->name = kind == XMP_ATTRIBUTE ? v->t : v->element;
    v->element = kind == XMP_OPEN ? v->t : kind == XMP_CLOSE ? (xmp_token){0} : v->element;
    *begin = kind == XMP_ATTRIBUTE ? (size_t)(v->t.value.data - v->r.xmp.data)
             : !was_in_tag         ? from
                                   : v->r.text;
    *end = kind == XMP_ATTRIBUTE ? *begin + v->t.value.size
           : !has_text           ? *begin
           : kind == XMP_END     ? v->r.xmp.size
                                 : v->t.begin;
    return true;
}

/* Properties of programs that hold settings and tables of colours in codes. */
enum { SETTINGS = 6 };
static const struct {
    const char *uri, *local; /* local: as the name begins */
} settings[SETTINGS] = {{"http://ns.adobe.com/camera-raw-settings/1.0/", "Table_"},
                        {"http://darktable.sf.net/", "params"},
                        {"http://darktable.sf.net/", "blendop_params"},
                        {"http://darktable.sf.net/", "mask_points"},
                        {"http://darktable.sf.net/", "mask_src"},
                        {"http://darktable.sf.net/", "iop_order_list"}};

/* Overwrites values that may be parts of a picture. */
typedef struct blanker {
    blob *xmp;
    code_scan scan;             /* of the values that are no picture by themselves */
    xmp_space spaces[SETTINGS]; /* of settings[] */
    struct {
        size_t begin, end, scanned; /* in the packet; in the scan, where it ends */
    } last[512];                    /* values that one block of the scan may have */
    size_t count;
    int found;
} blanker;

static bool is_setting(const blanker *b, const xmp_token *name)
{
    for (size_t i = 0; i < SETTINGS; i++)
        if (begins(name, &b->spaces[i], settings[i].local))
            return true;
    return false;
}

/* Scans a value, and with it what was scanned before. parts: overwrites the values in which codes were found now. */
static void scan_value(blanker *b, bytes value, size_t begin, size_t end, bool parts)
{
    enum { MOST = sizeof b->last / sizeof *b->last };
    const size_t noise = b->scan.in_noise;
    code_scan_add(&b->scan, value);
    code_scan_add(&b->scan, (bytes){.data = (const uint8_t *)" ", .size = 1});
    const size_t at = b->count++ % MOST;
    b->last[at].begin = begin;
    b->last[at].end = end;
    b->last[at].scanned = b->scan.at;
    if (!parts)
        return;
    const bool is_noise = b->scan.in_noise > noise;
    for (size_t i = 0; is_noise && i < MOST && i < b->count; i++)
        if (b->last[i].scanned > b->scan.begin)
            blank(b->xmp, b->last[i].begin, b->last[i].end);
    if (code_has_word(value))
        blank(b->xmp, begin, end);
    b->found |= is_noise || code_has_word(value) ? HIDDEN_BLOCKS : 0;
}

/* Overwrites the values that are pictures, and with `parts` those that may be parts of one. Settings stay if they do not begin
 * as pictures do. */
static void blank_coded(blanker *b, bool parts)
{
    values v = {.r = {.xmp = blob_view(b->xmp)}};
    blob scratch[2] = {{0}, {0}};
    b->count = 0;
    b->scan = (code_scan){.at = 0};
    for (size_t begin, end; next_value(&v, &begin, &end);) {
        const bytes value =
            plain((bytes){.data = b->xmp->data + begin, .size = end - begin}, scratch);
        const size_t codes = value.size > 0 ? hidden_coded(value) : 0;
        if (codes < SIZE_MAX && is_setting(b, &v.name))
            continue;
        if (codes >= HIDDEN_LEAST) {
            blank(b->xmp, begin, end);
            b->found |= codes == SIZE_MAX ? HIDDEN_PREVIEWS : HIDDEN_BLOCKS;
        } else if (value.size > 0) {
            scan_value(b, value, begin, end, parts);
        }
    }
    if (scratch[0].failed || scratch[1].failed)
        b->found |= HIDDEN_STARVED;
    blob_free(&scratch[0]);
    blob_free(&scratch[1]);
}

/* Returns the characters of long words in all that is no setting, such as names. */
static size_t count_words(blanker *b)
{
    values v = {.r = {.xmp = blob_view(b->xmp)}};
    code_scan scan = {.at = 0};
    size_t at = 0;
    for (size_t begin, end; next_value(&v, &begin, &end);)
        if (is_setting(b, &v.name) && begin >= at) {
            code_scan_add(&scan, (bytes){.data = b->xmp->data + at, .size = begin - at});
            at = end;
        }
    code_scan_add(&scan, (bytes){.data = b->xmp->data + at, .size = b->xmp->size - at});
    return scan.in_words;
}

static int clean_values(blob *xmp)
{
    blanker b = {.xmp = xmp};
    for (size_t i = 0; i < SETTINGS; i++)
        xmp_bind(blob_view(xmp), settings[i].uri, false, &b.spaces[i]);
    blank_coded(&b, false);
    if (code_scan_total(&b.scan) >= HIDDEN_LEAST)
        blank_coded(&b, true);
    return count_words(&b) >= HIDDEN_LEAST ? b.found | HIDDEN_UNCLEAR : b.found;
}

/* --- All -------------------------------------------------------------------------------------- */

/* Returns whether the tags are closed and the names of namespaces can be compared. */
static bool is_sound(bytes xmp)
{
    xmp_reader r = {.xmp = xmp};
    xmp_token t;
    int depth = 0;
    bool any = false, is_plain = hidden_is_text(xmp);
    while (is_plain && depth >= 0 && xmp_next(&r, &t) != XMP_END) {
        const bool declares = xmp_equals(t.prefix, "xmlns") || xmp_equals(t.local, "xmlns");
        is_plain = !declares || !t.value.data || !memchr(t.value.data, '&', t.value.size);
        depth += (t.kind == XMP_OPEN) - (t.kind == XMP_CLOSE);
        any = true;
    }
    return is_plain && any && depth == 0 && !r.is_damaged;
}

int xmp_clean(blob *xmp)
{
    if (!is_sound(blob_view(xmp)))
        return HIDDEN_UNCLEAR;
    const int found = clean_names(xmp);
    return found | clean_values(xmp);
}

int xmp_find(bytes xmp)
{
    blob copy = {0};
    const int found = blob_add(&copy, xmp.data, xmp.size) ? xmp_clean(&copy) : HIDDEN_STARVED;
    blob_free(&copy);
    return found;
}

bool xmp_is_depth_map(bytes xmp)
{
    xmp_space known = {.count = 0};
    xmp_reader r = {.xmp = xmp};
    xmp_token t;
    xmp_bind(xmp, XMP_RDF, false, &known);
    xmp_bind(xmp, "adobe:ns:meta/", false, &known);
    xmp_bind(xmp, DEPTH_MAP, false, &known);
    while (xmp_next(&r, &t) != XMP_END)
        if (t.local.size > 0 && !xmp_is(&t, &known, NULL) && !xmp_equals(t.prefix, "xmlns"))
            return false;
    return !r.is_damaged;
}

void xmp_blank_extension(blob *xmp)
{
    xmp_space space = {.count = 0};
    xmp_bind(blob_view(xmp), JPEG_XMP_NOTE, false, &space);
    blank_names(xmp, &space, NULL);
}
