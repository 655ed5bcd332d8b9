#include "format/exif_clean.h"

#include "format/exif.h"
#include "format/jpeg_segment.h"
#include "format/photoshop.h"
#include "format/xmp_clean.h"

#include <stdlib.h>
#include <string.h>

enum { DIRECTORIES_MOST = 64, ENTRIES_MOST = 1024, PARTS_MOST = 4096, PASSES_MOST = 4 };

typedef struct cleaner {
    blob *tiff;
    bool *live;      /* for each byte: a kept entry or its value needs it */
    size_t lives[4]; /* directories that stay: the first, EXIF, GPS, interoperability */
    size_t seen[DIRECTORIES_MOST]; /* directories whose pictures are wiped */
    int live_count, seen_count;
    size_t unknown; /* bytes of values whose tags are unknown */
    size_t bytes;   /* that may still be worked on: ranges that need more overlap, and so lie */
    int found;      /* HIDDEN_* flags */
} cleaner;

static bytes view(const cleaner *c)
{
    return blob_view(c->tiff);
}

/* Takes from the bytes that may be worked on. False: none are left. */
static bool spend(cleaner *c, size_t size)
{
    const bool is_enough = size <= c->bytes;
    c->bytes -= is_enough ? size : 0;
    c->found |= is_enough ? 0 : HIDDEN_UNCLEAR;
    return is_enough;
}

/* Overwrites what does not stay with 0, and cuts it off where it is the end. A size that reaches beyond the end counts as the
 * rest. Returns whether anything was there. */
static bool wipe_range(cleaner *c, size_t begin, size_t size)
{
    blob *const tiff = c->tiff;
    bool any = false;
    if (begin > tiff->size)
        return false;
    const size_t end = size < tiff->size - begin ? begin + size : tiff->size;
    if (!spend(c, end - begin))
        return false;
    for (size_t i = begin; i < end; i++)
        if (!c->live[i]) {
            any = any || tiff->data[i] != 0;
            tiff->data[i] = 0;
        }
    if (end == tiff->size)
        while (tiff->size > begin && !c->live[tiff->size - 1])
            tiff->size--;
    return any;
}

/* --- Entries ---------------------------------------------------------------------------------- */

/* Removes an entry: the entries behind it, and the link, move into its place. */
static void remove_entry(blob *tiff, size_t directory, size_t entry)
{
    const size_t link = exif_link(blob_view(tiff), directory) + EXIF_LINK_SIZE;
    const size_t end = link < tiff->size ? link : tiff->size;
    memmove(tiff->data + entry, tiff->data + entry + EXIF_ENTRY_SIZE,
            end - entry - EXIF_ENTRY_SIZE);
    memset(tiff->data + end - EXIF_ENTRY_SIZE, 0, EXIF_ENTRY_SIZE);
    exif_set_number(tiff, directory, 2, exif_number(blob_view(tiff), directory, 2) - 1);
}

enum { SUB_DIRECTORIES = 0x14a };

/* Returns whether an entry names where pictures stand: directories, strips, tiles, a JPEG. */
static bool is_part_tag(uint32_t tag)
{
    static const uint16_t tags[] = {SUB_DIRECTORIES, 0x111, 0x117, 0x144, 0x145, 0x201, 0x202};
    return exif_is_among(tag, tags, sizeof tags / sizeof *tags);
}

/* Returns whether large values of a tag are kept as far as they hold no picture: notes of cameras (which are searched for
 * JPEGs) and of users, titles in UTF-16, tables of sensors and printers, padding, colour profiles, curves, places on the map. */
static bool is_known_block(uint32_t tag)
{
    static const uint16_t tags[] = {0x927c, 0x9286, 0x9c9b, 0x9c9c, 0x9c9d, 0x9c9e, 0x9c9f,
                                    0x8828, 0xa20c, 0xa302, 0xa40b, 0xc4a5, 0xea1c, 0x8773,
                                    0x1b,   0x1c,   0x12d,  0x140,  0x8482, 0x87af, 0x87b0};
    return exif_is_among(tag, tags, sizeof tags / sizeof *tags);
}

enum { CAMERA_NOTES = 0x927c };

/* Returns what is found in an entry of a known form; -1: it has none. */
static int judge_form(bytes value, uint32_t tag)
{
    enum { XMP = 0x2bc, IPTC = 0x83bb, PHOTOSHOP = 0x8649 };
    static const uint16_t pictures[] = {0x501b, 0x935c, 0xc634,
                                        0xc68c}; /* thumbnails, layers, raw */
    return exif_is_among(tag, pictures, sizeof pictures / sizeof *pictures) ? HIDDEN_PREVIEWS
           : tag == XMP                                                     ? xmp_find(value)
           : tag == PHOTOSHOP                                               ? photoshop_find(value)
           : tag == IPTC                                                    ? iptc_find(value)
                                                                            : -1;
}

enum { LARGE = 1024 };

/* Returns the flag of an entry that is, has or may be a picture. JPEGs in cameras' notes are wiped later, in their places.
 * *unknown: bytes of the entries so far whose tags are unknown; a picture may be spread over them. */
static int judge(bytes value, const exif_entry *e, size_t *unknown)
{
    enum { SMALL = 64, TEXT = 2 };
    const int found = judge_form(value, e->tag);
    if (found >= 0)
        return found == 0 || found & HIDDEN_STARVED ? found : HIDDEN_PREVIEWS;
    if (e->size <= SMALL)
        return 0;
    if (hidden_coded(value) >= HIDDEN_LEAST || (e->tag != CAMERA_NOTES && hidden_raw(value)))
        return HIDDEN_PREVIEWS;
    if (is_known_block(e->tag) || (e->type == TEXT && hidden_is_text(value)))
        return 0;
    *unknown += e->size;
    return *unknown > LARGE ? HIDDEN_BLOCKS : 0;
}

static void judge_entries(cleaner *c, size_t directory)
{
    exif_entry e;
    if (exif_number(view(c), directory, 2) > ENTRIES_MOST) {
        c->found |= HIDDEN_UNCLEAR;
        return;
    }
    for (uint32_t i = 0; i < exif_number(view(c), directory, 2);) {
        const bool is_read = exif_read_entry(view(c), directory, i, &e);
        const bytes value = {.data = is_read ? c->tiff->data + e.values : NULL, .size = e.size};
        const int found = is_read && spend(c, e.size) ? judge(value, &e, &c->unknown) : 0;
        c->found |= found;
        if (found) {
            (void)wipe_range(c, e.values, e.size);
            remove_entry(c->tiff, directory, e.at);
        } else {
            i++;
        }
    }
}

/* --- What stays ------------------------------------------------------------------------------- */

static void add_live(cleaner *c, size_t directory)
{
    bool is_new = directory >= EXIF_HEAD_SIZE && directory < c->tiff->size && c->live_count < 4;
    for (int i = 0; i < c->live_count; i++)
        is_new = is_new && c->lives[i] != directory;
    if (is_new)
        c->lives[c->live_count++] = directory;
}

static void find_live(cleaner *c)
{
    static const uint16_t pointers[] = {0x8769, 0x8825, 0xa005};
    exif_entry e;
    add_live(c, exif_number(view(c), 4, 4));
    for (int i = 0; i < c->live_count; i++)
        for (size_t k = 0; k < sizeof pointers / sizeof *pointers; k++)
            if (exif_find_entry(view(c), c->lives[i], pointers[k], &e))
                add_live(c, exif_value(view(c), &e, 0));
}

static void keep(cleaner *c, size_t begin, size_t end)
{
    if (end > c->tiff->size)
        end = c->tiff->size;
    if (begin < end)
        memset(c->live + begin, true, end - begin);
}

static void keep_directories(cleaner *c)
{
    keep(c, 0, EXIF_HEAD_SIZE);
    for (int i = 0; i < c->live_count; i++)
        keep(c, c->lives[i], exif_link(view(c), c->lives[i]) + EXIF_LINK_SIZE);
}

/* Marks the values that stay. Cameras' notes are not protected from what points into them. */
static void keep_values(cleaner *c)
{
    exif_entry e;
    for (int i = 0; i < c->live_count; i++) {
        const uint32_t count = exif_number(view(c), c->lives[i], 2);
        for (uint32_t k = 0; k < count; k++)
            if (exif_read_entry(view(c), c->lives[i], k, &e) && e.tag != CAMERA_NOTES)
                keep(c, e.values, e.values + e.size);
    }
}

/* --- Pictures --------------------------------------------------------------------------------- */

/* Finds an entry that counts at most so many numbers. What cannot be read makes all unclear. */
static bool find_numbers(cleaner *c, size_t directory, uint32_t tag, uint32_t most, exif_entry *e)
{
    const uint32_t count = exif_number(view(c), directory, 2);
    for (uint32_t i = 0; i < count; i++) {
        const bool is_read = exif_read_entry(view(c), directory, i, e);
        if (e->tag != tag)
            continue;
        if (!is_read || e->count > most)
            c->found |= HIDDEN_UNCLEAR;
        return is_read && e->count <= most;
    }
    return false;
}

/* Wipes the strips, tiles or JPEGs that a directory names by their offsets and sizes. */
static bool wipe_parts(cleaner *c, size_t directory, uint32_t offsets_tag, uint32_t sizes_tag)
{
    exif_entry offsets, sizes;
    bool any = false;
    if (!find_numbers(c, directory, offsets_tag, PARTS_MOST, &offsets))
        return false;
    if (!find_numbers(c, directory, sizes_tag, PARTS_MOST, &sizes)) {
        c->found |= HIDDEN_UNCLEAR;
        return false;
    }
    for (uint32_t i = 0; i < offsets.count; i++)
        any |= wipe_range(c, exif_value(view(c), &offsets, i), exif_value(view(c), &sizes, i));
    return any;
}

static bool wipe_directory(cleaner *c, size_t directory)
{
    const bool jpeg = wipe_parts(c, directory, 0x201, 0x202);
    const bool strips = wipe_parts(c, directory, 0x111, 0x117);
    const bool tiles = wipe_parts(c, directory, 0x144, 0x145);
    return jpeg || strips || tiles;
}

/* Returns whether the directory has been visited, and notes it down. */
static bool is_seen(cleaner *c, size_t directory)
{
    for (int i = 0; i < c->seen_count; i++)
        if (c->seen[i] == directory)
            return true;
    if (c->seen_count == DIRECTORIES_MOST)
        c->found |= HIDDEN_UNCLEAR;
    else
        c->seen[c->seen_count++] = directory;
    return c->found & HIDDEN_UNCLEAR;
}

static void wipe_directories(cleaner *c, size_t directory);

static bool wipe_sub_directories(cleaner *c, size_t directory)
{
    exif_entry e;
    const bool has = find_numbers(c, directory, SUB_DIRECTORIES, DIRECTORIES_MOST, &e);
    for (uint32_t i = 0; has && i < e.count; i++)
        wipe_directories(c, exif_value(view(c), &e, i));
    return has;
}

/* Wipes the pictures of directories that no output has: of this one, those within it and those that follow. */
static void wipe_directories(cleaner *c, size_t directory)
{
    while (directory != 0 && directory < c->tiff->size && !is_seen(c, directory)) {
        const size_t next = exif_number(view(c), exif_link(view(c), directory), EXIF_LINK_SIZE);
        (void)wipe_sub_directories(c, directory);
        (void)wipe_directory(c, directory);
        directory = next;
    }
}

/* Wipes the pictures that a directory names which stays, and removes the entries that name them. */
static void strip_directory(cleaner *c, size_t directory)
{
    exif_entry e;
    const bool had_directories = wipe_sub_directories(c, directory);
    if (wipe_directory(c, directory) || had_directories)
        c->found |= HIDDEN_PREVIEWS;
    for (uint32_t i = 0; i < exif_number(view(c), directory, 2);)
        if (exif_read_entry(view(c), directory, i, &e) && is_part_tag(e.tag))
            remove_entry(c->tiff, directory, e.at);
        else
            i++;
}

/* Wipes the JPEGs that no directory names. */
static void wipe_jpegs(cleaner *c)
{
    size_t at = EXIF_HEAD_SIZE, begin;
    while (jpeg_find(view(c), &at, &begin))
        if (wipe_range(c, begin, at - begin))
            c->found |= HIDDEN_PREVIEWS;
}

/* Returns whether a directory may stand there. Some programs write no link behind the directory of EXIF. */
static bool is_directory(bytes tiff, size_t at)
{
    enum { MOST = 256 };
    exif_entry e;
    const uint32_t count = at < tiff.size ? exif_number(tiff, at, 2) : 0;
    return count > 0 && count <= MOST && exif_read_entry(tiff, at, 0, &e);
}

/* Returns the directory behind one that stays, and ends the chain there. */
static size_t cut_link(cleaner *c, size_t directory)
{
    const size_t link = exif_link(view(c), directory);
    const size_t next = exif_number(view(c), link, EXIF_LINK_SIZE);
    const bool is_first = directory == c->lives[0];
    if (next == 0 || (!is_first && !is_directory(view(c), next)))
        return 0;
    exif_set_number(c->tiff, link, EXIF_LINK_SIZE, 0);
    return next;
}

static void wipe(cleaner *c)
{
    for (int i = 0; i < c->live_count; i++)
        (void)is_seen(c, c->lives[i]);
    for (int i = 0; i < c->live_count; i++)
        wipe_directories(c, cut_link(c, c->lives[i]));
    for (int i = 0; i < c->live_count; i++)
        strip_directory(c, c->lives[i]);
    wipe_jpegs(c);
}

int exif_clean(blob *tiff)
{
    cleaner c = {.tiff = tiff, .bytes = PASSES_MOST * tiff->size};
    c.live = calloc(tiff->size, sizeof *c.live);
    if (!c.live)
        return HIDDEN_STARVED;
    find_live(&c);
    keep_directories(&c);
    for (int i = 0; i < c.live_count; i++)
        judge_entries(&c, c.lives[i]);
    for (int i = 0; i < c.live_count && c.unknown > LARGE; i++) /* now those that were few so far */
        judge_entries(&c, c.lives[i]);
    keep_values(&c);
    if (!(c.found & HIDDEN_UNCLEAR))
        wipe(&c);
    free(c.live);
    return c.found;
}
