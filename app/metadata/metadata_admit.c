/* What an output may hold: every block that is carried from file to file passes here once, when it is read. A table has a
 * rule for each kind. */
#include "metadata/metadata_fields.h"

#include "format/beside.h"
#include "format/code_scan.h"
#include "format/exif.h"
#include "format/exif_clean.h"
#include "format/photoshop.h"
#include "format/xmp_clean.h"

static void replace(blob *block, const blob *with)
{
    blob_free(block);
    *block = *with;
}

static int clean_exif(blob *block)
{
    return exif_is_sound(blob_view(block)) ? exif_clean(block) : HIDDEN_UNCLEAR;
}

static int clean_xmp(blob *block)
{
    blob text = {0};
    const bool is_text = hidden_to_utf8(blob_view(block), &text);
    const bool is_starved = text.failed;
    replace(block, &text);
    return is_starved ? HIDDEN_STARVED : is_text ? xmp_clean(block) : HIDDEN_UNCLEAR;
}

static int clean_photoshop(blob *block)
{
    const bytes in = blob_view(block);
    const bool is_iptc = in.size > 0 && in.data[0] == IPTC_MARK;
    blob kept = {0};
    const int found = is_iptc ? iptc_clean(in, &kept) : photoshop_clean(in, &kept);
    replace(block, &kept);
    return found;
}

static int clean_text(blob *block)
{
    return hidden_is_text(blob_view(block)) ? 0 : HIDDEN_UNCLEAR;
}

static int clean_nothing(blob *block)
{
    (void)block;
    return 0;
}

/* A profile's tables may look like codes. */
static bool profile_hides(bytes profile)
{
    code_scan s = {.at = 0};
    code_scan_add(&s, profile);
    return s.in_words >= HIDDEN_LEAST || hidden_raw(profile);
}

static const struct rule {
    int (*clean)(blob *block);     /* takes out what it understands; returns HIDDEN_* flags */
    bool (*hides)(bytes block);    /* whether a picture is still there */
    const char *previews, *blocks; /* the notes on two of them */
} rules[METADATA_BLOCKS] = {
    [METADATA_BLOCK_EXIF] = {clean_exif, hidden_picture, "EXIF's previews",
                             "EXIF's large blocks of unknown kinds"},
    [METADATA_BLOCK_XMP] = {clean_xmp, hidden_raw, "XMP's previews",
                            "XMP's long codes (may be pictures)"},
    [METADATA_BLOCK_PHOTOSHOP] = {clean_photoshop, hidden_picture, "",
                                  "Photoshop's resources of other kinds"},
    [METADATA_BLOCK_TEXT] = {clean_text, hidden_picture, "", ""},
    [METADATA_BLOCK_PROFILE] = {clean_nothing, profile_hides, "", ""},
};

/* The notes on others, which XMP alone has. */
static const struct {
    int flag;
    const char *name;
} described[] = {{HIDDEN_DEPTH, BESIDE_XMP_DEPTH}, {HIDDEN_GAIN, BESIDE_GAIN_MAP},
                 {HIDDEN_MOTION, BESIDE_VIDEO},    {HIDDEN_ORIGINAL, "XMP's copy of the picture"},
                 {HIDDEN_SOUND, "XMP's sound"},    {HIDDEN_LIST, "XMP's list of further files"}};

bool metadata_admit(metadata *m, metadata_block kind, const char *name, blob *block)
{
    const struct rule *const rule = &rules[kind];
    const int found = rule->clean(block);
    const bool is_clear = !(found & (HIDDEN_UNCLEAR | HIDDEN_STARVED));
    m->out_of_memory |= (found & HIDDEN_STARVED) != 0;
    for (size_t i = 0; i < sizeof described / sizeof *described; i++)
        words_add(&m->lost, found & described[i].flag ? described[i].name : "");
    words_add(&m->lost, found & HIDDEN_PREVIEWS ? rule->previews : "");
    words_add(&m->lost, found & HIDDEN_BLOCKS ? rule->blocks : "");
    if (is_clear && !rule->hides(blob_view(block)))
        return true;
    metadata_lose(m, name, is_clear ? "may hold a picture" : "not understood");
    blob_free(block);
    return false;
}
