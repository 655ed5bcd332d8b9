/* Reads an XMP packet (ISO 16684-1) name by name: RDF's properties are attributes, or elements that hold a text. No entity is
 * expanded and no DTD is known. Every byte may be anything: nothing beyond the packet is read. */
#ifndef SATBLUR_APP_XMP_H
#define SATBLUR_APP_XMP_H

#include "base/blob.h"

#define XMP_RDF "http://www.w3.org/1999/02/22-rdf-syntax-ns#" /* its namespace */

typedef enum xmp_kind {
    XMP_END,       /* of the packet */
    XMP_OPEN,      /* a start tag; its attributes follow */
    XMP_ATTRIBUTE, /* with its value */
    XMP_CLOSE /* an end tag, or the end of an empty element; the value is the element's text, if it has nothing else */
} xmp_kind;

typedef struct xmp_token {
    xmp_kind kind;
    bytes prefix,
        local; /* of the name; the prefix may be empty; both are empty at the end of an empty element */
    bytes value; /* as it stands there, without quotes; data NULL: none */
    size_t begin,
        end; /* where the tag or the attribute stands; an open tag's end is that of its name */
} xmp_token;

typedef struct xmp_reader { /* only .xmp is set at first */
    bytes xmp;
    size_t at;
    size_t text;     /* where the text behind the last start tag begins */
    bool in_tag;     /* between a start tag's name and its end */
    bool has_text;   /* the last tag was a start tag, so that a text may follow */
    bool is_damaged; /* what was read is no XML, or declares a type or entities */
} xmp_reader;

/* Reads the next token. XMP_END at the end, and where the text is no XML. */
xmp_kind xmp_next(xmp_reader *r, xmp_token *t);

enum { XMP_PREFIXES = 32 };

typedef struct xmp_space { /* the prefixes that a packet binds to some namespaces */
    bytes prefixes[XMP_PREFIXES];
    int count;
} xmp_space;

/* Adds the prefixes that stand for the namespace anywhere in the packet; the empty one stands for names without a prefix.
 * family: for all namespaces that begin so. */
void xmp_bind(bytes xmp, const char *uri, bool family, xmp_space *space);

/* Returns whether the token's name has one of the prefixes. local NULL: whatever else its name is. */
bool xmp_is(const xmp_token *t, const xmp_space *space, const char *local);

/* Finds the first value of a property, as an attribute or as an element. False: there is none. */
bool xmp_value(bytes xmp, const xmp_space *space, const char *local, bytes *value);

/* Returns whether the value is that word. */
bool xmp_equals(bytes value, const char *word);

#endif
