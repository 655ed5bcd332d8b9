/* The arrays of an NPZ archive, in memory or in a file: where they are, and which one is the depth. The central directory
 * says where, and each array's own header has to agree. */
#ifndef SATBLUR_APP_NPZ_ARCHIVE_H
#define SATBLUR_APP_NPZ_ARCHIVE_H

#include "codec/codec_format.h"
#include "codec/maps/inflater.h"
#include "codec/maps/npy.h"

enum { NPZ_NAME_MOST = 200, NPZ_STORED = 0, NPZ_DEFLATED = 8 };

/* An array of the archive; its name is without ".npy". */
typedef struct npz_member {
    char name[NPZ_NAME_MOST + 1];
    uint32_t method, flags, sum;
    uint64_t packed, size, at; /* bytes in the archive, bytes of the array, place of the header */
} npz_member;

typedef struct npz_archive {
    bytes in;           /* data NULL: the first in.size bytes of the file */
    int fd;             /* of the file, which can be read anywhere */
    uint64_t at, count; /* of the directory */
    const decode_settings *settings;
    problem *p; /* of all functions: false leaves a sentence there */
} npz_archive;

/* Finds the directory. in, fd, settings and p are set. */
bool npz_open(npz_archive *z);

/* Finds the array that is the depth: the one of the settings' key, one whose name says so, or the only one whose header
 * is_map() takes for a map's. Arrays that share bytes are refused. */
bool npz_choose(const npz_archive *z, bool (*is_map)(const npy_header *h), npz_member *m);

/* Returns whether the array is distance: it is called depth, and beside it are a camera's intrinsics and extrinsics, in whose
 * unit it is, as Depth Anything 3 and VGGT save them. */
bool npz_is_distance(const npz_archive *z, const npz_member *m);

/* Reads the array's header, no more of it. */
bool npz_read_header(const npz_archive *z, const npz_member *m, npy_header *h);

/* Finds the packed bytes behind the member's own header, which are all there. Refuses encrypted ones and other methods than
 * NPZ_STORED and NPZ_DEFLATED. */
bool npz_find_packed(const npz_archive *z, const npz_member *m, uint64_t *at);

/* Always false: sets that the archive is damaged. */
bool npz_damaged(problem *p);

/* Refuses a member, whose packed bytes are all there, if so few of them cannot hold its array. */
bool npz_has_room(const npz_member *m, problem *p);

#endif
