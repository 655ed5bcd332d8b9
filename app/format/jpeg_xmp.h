/* The XMP of a JPEG (Adobe, XMP part 3, 1.1.3.1): a packet in one segment, and extended XMP, a second packet in parts. */
#ifndef SATBLUR_APP_JPEG_XMP_H
#define SATBLUR_APP_JPEG_XMP_H

#include "base/blob.h"

#define JPEG_XMP_HEAD      "http://ns.adobe.com/xap/1.0/"
#define JPEG_XMP_MORE_HEAD "http://ns.adobe.com/xmp/extension/"
#define JPEG_XMP_NOTE      "http://ns.adobe.com/xmp/note/" /* the namespace of its name */

typedef struct jpeg_xmp {
    bytes packet;       /* in the file; data NULL: none */
    bytes guid;         /* in the packet: the name of the extended one; data NULL: none */
    blob extended;      /* joined; for jpeg_xmp_free(); data NULL: none, or not whole */
    bool is_damaged;    /* extended XMP is named, but its parts are not whole */
    bool out_of_memory; /* for the extended XMP */
} jpeg_xmp;

/* Finds the XMP of the JPEG that the bytes begin with. Extended XMP takes no more memory than the file. */
void jpeg_xmp_read(bytes file, jpeg_xmp *x);

void jpeg_xmp_free(jpeg_xmp *x);

/* Finds the name of the extended packet in the other one. False: it has none. */
bool jpeg_xmp_name(bytes packet, bytes *name);

/* Appends the segments of an extended packet with that name. */
void jpeg_xmp_write_extended(bytes guid, bytes packet, blob *segments);

#endif
