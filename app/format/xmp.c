#include "format/xmp.h"

#include <string.h>

static bool is_space(uint8_t c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static bool is_in_name(uint8_t c)
{
    return c > ' ' && !memchr("<>/='\"", c, 6);
}

static size_t skip_spaces(bytes in, size_t at)
{
    while (at < in.size && is_space(in.data[at]))
        at++;
    return at;
}

/* Takes a name and splits it at its colon. */
static bool take_name(xmp_reader *r, xmp_token *t)
{
    const uint8_t *const begin = r->xmp.data + r->at;
    size_t length = 0;
    while (r->at + length < r->xmp.size && is_in_name(begin[length]))
        length++;
    if (length == 0)
        return false;
    const uint8_t *const colon = memchr(begin, ':', length);
    const size_t before = colon ? (size_t)(colon - begin) : 0, local = colon ? before + 1 : 0;
    t->prefix = (bytes){.data = begin, .size = before};
    t->local = (bytes){.data = begin + local, .size = length - local};
    r->at += length;
    return true;
}

/* Moves behind the next occurrence of the text; to the end of the packet if there is none. */
static void skip_behind(xmp_reader *r, const char *text)
{
    const size_t length = strlen(text);
    for (; r->at + length <= r->xmp.size; r->at++)
        if (memcmp(r->xmp.data + r->at, text, length) == 0) {
            r->at += length;
            return;
        }
    r->at = r->xmp.size;
    r->is_damaged = true;
}

static bool follows(const xmp_reader *r, const char *text)
{
    const size_t length = strlen(text);
    return r->xmp.size - r->at >= length && memcmp(r->xmp.data + r->at, text, length) == 0;
}

/* Takes what stands in a start tag: an attribute, or its end. */
static xmp_kind take_in_tag(xmp_reader *r, xmp_token *t)
{
    r->at = skip_spaces(r->xmp, r->at);
    t->begin = r->at;
    if (follows(r, ">")) {
        r->text = ++r->at;
        r->in_tag = false;
        r->has_text = true;
        return XMP_END;
    }
    if (follows(r, "/>")) {
        t->end = r->at += 2;
        r->in_tag = false;
        return t->kind = XMP_CLOSE;
    }
    if (!take_name(r, t))
        return t->kind = XMP_END;
    r->at = skip_spaces(r->xmp, r->at);
    if (!follows(r, "="))
        return t->kind = XMP_END;
    r->at = skip_spaces(r->xmp, r->at + 1);
    if (!follows(r, "\"") && !follows(r, "'"))
        return t->kind = XMP_END;
    const uint8_t *const value = r->xmp.data + r->at + 1;
    const uint8_t *const end = memchr(value, value[-1], r->xmp.size - r->at - 1);
    if (!end)
        return t->kind = XMP_END;
    t->value = (bytes){.data = value, .size = (size_t)(end - value)};
    t->end = r->at += t->value.size + 2;
    return t->kind = XMP_ATTRIBUTE;
}

static xmp_kind take_end_tag(xmp_reader *r, xmp_token *t)
{
    size_t begin = skip_spaces(r->xmp, r->text), end = t->begin;
    if (r->has_text) {
        while (end > begin && is_space(r->xmp.data[end - 1]))
            end--;
        begin = begin < end ? begin : end;
        t->value = (bytes){.data = r->xmp.data + begin, .size = end - begin};
    }
    r->has_text = false;
    r->at += 2;
    if (!take_name(r, t))
        return XMP_END;
    r->at = skip_spaces(r->xmp, r->at);
    if (!follows(r, ">"))
        return XMP_END;
    t->end = ++r->at;
    return t->kind = XMP_CLOSE;
}

/* Takes the next tag outside of tags. */
static xmp_kind take_tag(xmp_reader *r, xmp_token *t)
{
    const uint8_t *const tag = memchr(r->xmp.data + r->at, '<', r->xmp.size - r->at);
    r->at = tag ? (size_t)(tag - r->xmp.data) : r->xmp.size;
    t->begin = r->at;
    if (follows(r, "</"))
        return take_end_tag(r, t);
    r->has_text = false;
    r->at += tag != NULL;
    if (!tag || !take_name(r, t))
        return XMP_END;
    t->end = r->at;
    r->in_tag = true;
    return t->kind = XMP_OPEN;
}

/* Moves behind comments, instructions and declarations. */
static void skip_markup(xmp_reader *r)
{
    for (;;) {
        const uint8_t *const tag = memchr(r->xmp.data + r->at, '<', r->xmp.size - r->at);
        const xmp_reader there = {.xmp = r->xmp, .at = tag ? (size_t)(tag - r->xmp.data) : 0};
        if (!tag || (!follows(&there, "<!") && !follows(&there, "<?")))
            return;
        r->at = there.at;
        r->has_text = false;
        r->is_damaged |= follows(r, "<!") && !follows(r, "<!--") && !follows(r, "<![CDATA[");
        skip_behind(r, follows(r, "<!--")        ? "-->"
                       : follows(r, "<![CDATA[") ? "]]>"
                       : follows(r, "<?")        ? "?>"
                                                 : ">");
    }
}

xmp_kind xmp_next(xmp_reader *r, xmp_token *t)
{
    *t = (xmp_token){.kind = XMP_END};
    if (r->in_tag && take_in_tag(r, t) != XMP_END)
        return t->kind;
    if (!r->in_tag && r->at < r->xmp.size) {
        skip_markup(r);
        if (r->at < r->xmp.size) {
            if (take_tag(r, t) != XMP_END)
                return t->kind;
            r->is_damaged |= t->begin < r->xmp.size;
        }
    }
    r->is_damaged |= r->in_tag;
    r->at = r->xmp.size; /* no XML goes on here */
    r->in_tag = false;
    return t->kind = XMP_END;
}

/* --- Names ------------------------------------------------------------------------------------ */

bool xmp_equals(bytes value, const char *word)
{
    return bytes_equal(value, (bytes){.data = (const uint8_t *)word, .size = strlen(word)});
}

static bool has_prefix(const xmp_space *space, bytes prefix)
{
    for (int i = 0; i < space->count; i++)
        if (bytes_equal(space->prefixes[i], prefix))
            return true;
    return false;
}

void xmp_bind(bytes xmp, const char *uri, bool family, xmp_space *space)
{
    const size_t length = strlen(uri);
    xmp_reader r = {.xmp = xmp};
    xmp_token t;
    while (xmp_next(&r, &t) != XMP_END) {
        const bool is_default = t.prefix.size == 0 && xmp_equals(t.local, "xmlns");
        const bool declares =
            t.kind == XMP_ATTRIBUTE && (is_default || xmp_equals(t.prefix, "xmlns"));
        if (!declares || t.value.size < length || (!family && t.value.size != length) ||
            memcmp(t.value.data, uri, length) != 0)
            continue;
        const bytes prefix = is_default ? t.prefix : t.local;
        if (space->count < XMP_PREFIXES && !has_prefix(space, prefix))
            space->prefixes[space->count++] = prefix;
    }
}

bool xmp_is(const xmp_token *t, const xmp_space *space, const char *local)
{
    return (!local || xmp_equals(t->local, local)) && has_prefix(space, t->prefix);
}

bool xmp_value(bytes xmp, const xmp_space *space, const char *local, bytes *value)
{
    xmp_reader r = {.xmp = xmp};
    xmp_token t;
    while (space->count > 0 && xmp_next(&r, &t) != XMP_END)
        if (t.value.data && xmp_is(&t, space, local)) {
            *value = t.value;
            return true;
        }
    return false;
}
