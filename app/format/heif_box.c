#include "format/heif_box.h"

#include <string.h>

typedef struct box {
    char type[4];
    bytes data;
} box;

static uint64_t number(bytes from, size_t at, int size)
{
    uint64_t value = 0;
    if (at > from.size || (size_t)size > from.size - at)
        return 0;
    for (int i = 0; i < size; i++)
        value = value << 8 | from.data[at + (size_t)i];
    return value;
}

static bytes behind(bytes from, size_t count)
{
    const size_t left = count < from.size ? from.size - count : 0;
    return (bytes){.data = from.data + (from.size - left), .size = left};
}

/* Takes the next box off *from. Size 1 means that eight bytes with the size follow, and size 0 that the box ends where
 * *from ends. False: there is no whole box. */
static bool next_box(bytes *from, box *b)
{
    enum { HEAD = 8, LONG_HEAD = 16 };
    if (from->size < HEAD)
        return false;
    const uint64_t word = number(*from, 0, 4);
    const size_t head = word == 1 ? LONG_HEAD : HEAD;
    const uint64_t size = word == 1 ? number(*from, HEAD, 8) : word == 0 ? from->size : word;
    if (size < head || size > from->size)
        return false;
    memcpy(b->type, from->data + 4, sizeof b->type);
    b->data = (bytes){.data = from->data + head, .size = (size_t)size - head};
    *from = behind(*from, (size_t)size);
    return true;
}

static bool is_type(const box *b, const char *type)
{
    return memcmp(b->type, type, sizeof b->type) == 0;
}

/* Returns the content of the first box of that type; size 0: there is none. */
static bytes find_box(bytes in, const char *type)
{
    box b;
    while (next_box(&in, &b))
        if (is_type(&b, type))
            return b.data;
    return (bytes){.size = 0};
}

/* --- The kind --------------------------------------------------------------------------------- */

static heif_kind kind_of_brand(const uint8_t *brand)
{
    static const char avif[][5] = {"avif", "avis"};
    static const char heic[][5] = {"heic", "heix", "heim", "heis", "hevc",
                                   "hevx", "hevm", "hevs", "mif1"};
    for (size_t i = 0; i < sizeof avif / sizeof *avif; i++)
        if (memcmp(brand, avif[i], 4) == 0)
            return HEIF_AVIF;
    for (size_t i = 0; i < sizeof heic / sizeof *heic; i++)
        if (memcmp(brand, heic[i], 4) == 0)
            return HEIF_HEIC;
    return HEIF_NONE;
}

/* The major brand decides, and mif1, which says nothing about the codec, only where no other brand does. */
heif_kind heif_kind_of(bytes file)
{
    box b;
    heif_kind kind = HEIF_NONE;
    if (!next_box(&file, &b) || !is_type(&b, "ftyp"))
        return HEIF_NONE;
    for (size_t at = 0; at + 4 <= b.data.size; at += at == 0 ? 8 : 4) {
        const heif_kind more = kind_of_brand(b.data.data + at);
        const bool is_general = memcmp(b.data.data + at, "mif1", 4) == 0;
        if (more != HEIF_NONE && !is_general)
            return more;
        kind = kind == HEIF_NONE ? more : kind;
    }
    return kind;
}

/* --- Properties ------------------------------------------------------------------------------- */

/* A mirroring of left and right, if any, and then quarter turns anticlockwise. */
typedef struct turn {
    bool is_mirrored;
    unsigned quarters;
} turn;

/* A mirroring after a turn is one before the opposite turn. imir's axis 1 mirrors left and right. */
static void mirror(turn *t, bool is_left_right)
{
    t->is_mirrored = !t->is_mirrored;
    t->quarters = (4 - t->quarters + (is_left_right ? 0 : 2)) % 4;
}

static int orientation_of(turn t)
{
    static const int numbers[2][4] = {{1, 8, 3, 6}, {2, 5, 4, 7}};
    return numbers[t.is_mirrored][t.quarters];
}

/* Reads the property with that index, counted from 1. */
static void take_property(bytes ipco, uint32_t index, turn *t, heif_properties *p)
{
    box b = {.type = ""};
    while (index > 0 && next_box(&ipco, &b))
        index--;
    if (index > 0)
        return;
    const unsigned first = (unsigned)number(b.data, 0, 1);
    if (is_type(&b, "irot"))
        t->quarters = (t->quarters + first) % 4;
    else if (is_type(&b, "imir"))
        mirror(t, first & 1);
    else if (is_type(&b, "clap"))
        p->is_cropped = true;
    else if (is_type(&b, "hvcC"))
        p->is_gray = b.data.size > 16 && (b.data.data[16] & 3) == 0;
    else if (is_type(&b, "av1C"))
        p->is_gray = b.data.size > 2 && (b.data.data[2] & 0x10) != 0;
}

/* Walks the items of ipma: an id, a count, and as many indices with a flag in the high bit. */
static void take_properties(bytes ipco, bytes ipma, uint32_t item, turn *t, heif_properties *p)
{
    const int id_size = number(ipma, 0, 1) == 0 ? 2 : 4,
              index_size = number(ipma, 3, 1) & 1 ? 2 : 1;
    const uint32_t items = (uint32_t)number(ipma, 4, 4);
    bytes rest = behind(ipma, 8);
    for (uint32_t i = 0; i < items && rest.size > (size_t)id_size; i++) {
        const bool is_it = number(rest, 0, id_size) == item;
        const size_t count = (size_t)number(rest, (size_t)id_size, 1);
        rest = behind(rest, (size_t)id_size + 1);
        for (size_t k = 0; is_it && k < count; k++) {
            const uint32_t mask = index_size == 2 ? 0x7fff : 0x7f;
            take_property(ipco, (uint32_t)number(rest, k * (size_t)index_size, index_size) & mask,
                          t, p);
        }
        if (is_it)
            return;
        rest = behind(rest, count * (size_t)index_size);
    }
}

heif_properties heif_properties_of(bytes file, uint32_t item)
{
    enum { FULL_HEAD = 4 }; /* version and flags */
    turn t = {.quarters = 0};
    heif_properties p = {.orientation = 1};
    bytes iprp = find_box(behind(find_box(file, "meta"), FULL_HEAD), "iprp");
    const bytes ipco = find_box(iprp, "ipco");
    box b;
    while (next_box(&iprp, &b))
        if (is_type(&b, "ipma"))
            take_properties(ipco, b.data, item, &t, &p);
    p.orientation = orientation_of(t);
    return p;
}
