#include "format/xmp_clean.h"

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

/* Overwrites the attributes and elements whose names are of these namespaces; local NULL: whatever else the names are. An
 * element without an end tag goes on to the end of the packet. An attribute without a prefix is of no namespace. */
static bool blank_names(blob *xmp, const xmp_space *space, const char *local)
{
    xmp_reader r = {.xmp = blob_view(xmp)};
    xmp_token t;
    bool any = false;
    while (space->count > 0 && xmp_next(&r, &t) != XMP_END) {
        if (t.kind == XMP_CLOSE || !xmp_is(&t, space, local) ||
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

static int clean_names(blob *xmp)
{
    static const struct {
        const char *uri;
        bool is_family;
        const char *local;
        int found;
    } rules[] = {
        {"http://ns.google.com/photos/1.0/depthmap/", true, NULL, HIDDEN_DEPTH},
        {"http://ns.google.com/photos/1.0/image/", true, NULL, HIDDEN_DEPTH},
        {"http://ns.google.com/photos/1.0/container/", true, NULL, HIDDEN_DEPTH},
        {"http://ns.google.com/photos/dd/", true, NULL, HIDDEN_DEPTH},
        {"http://ns.adobe.com/xap/1.0/g/img/", true, NULL, HIDDEN_PREVIEWS},
        {"http://ns.adobe.com/xap/1.0/", false, "Thumbnails", HIDDEN_PREVIEWS},
    };
    int found = 0;
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
    xmp_token t;
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
    *begin = kind == XMP_ATTRIBUTE ? (size_t)(v->t.value.data - v->r.xmp.data)
             : !was_in_tag         ? from
                                   : v->r.text;
    *end = kind == XMP_ATTRIBUTE ? *begin + v->t.value.size
           : !has_text           ? *begin
           : kind == XMP_END     ? v->r.xmp.size
                                 : v->t.begin;
    return true;
}

/* Overwrites the values that are pictures, or those that may be parts of one. Returns the number of coded characters of the
 * values that stay. */
static size_t blank_coded(blob *xmp, bool parts, int *found)
{
    values v = {.r = {.xmp = blob_view(xmp)}};
    blob scratch[2] = {{0}, {0}};
    size_t sum = 0;
    for (size_t begin, end; next_value(&v, &begin, &end);) {
        const bytes value = plain((bytes){.data = xmp->data + begin, .size = end - begin}, scratch);
        const size_t count = value.size > 0 ? hidden_coded(value) : 0;
        if (count >= HIDDEN_LEAST || (parts && hidden_has_word(value))) {
            blank(xmp, begin, end);
            *found |= count == SIZE_MAX ? HIDDEN_PREVIEWS : HIDDEN_BLOCKS;
        } else {
            sum += count;
        }
    }
    if (scratch[0].failed || scratch[1].failed)
        *found |= HIDDEN_STARVED;
    blob_free(&scratch[0]);
    blob_free(&scratch[1]);
    return sum;
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
    int found = clean_names(xmp);
    if (blank_coded(xmp, false, &found) >= HIDDEN_LEAST)
        (void)blank_coded(xmp, true, &found);
    return found;
}

int xmp_find(bytes xmp)
{
    blob copy = {0};
    const int found = blob_add(&copy, xmp.data, xmp.size) ? xmp_clean(&copy) : HIDDEN_STARVED;
    blob_free(&copy);
    return found;
}

void xmp_blank_extension(blob *xmp)
{
    xmp_space space = {.count = 0};
    xmp_bind(blob_view(xmp), "http://ns.adobe.com/xmp/note/", false, &space);
    blank_names(xmp, &space, NULL);
}
