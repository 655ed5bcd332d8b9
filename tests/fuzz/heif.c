/* Puts HEIF files together of items, references, properties and pieces of data, as the input decides, and reads them. The
 * walk in front of libheif ends; what it lets through is decoded within libFuzzer's time and memory; libheif finds the same
 * primary picture. */
#include "codec/codec.h"
#include "codec/heif/heif_aux.h"
#include "codec/heif/heif_open.h"
#include "fuzz/fuzz.h"

enum { MOST_PIXELS = 1 << 16, MOST_ITEMS = 12, MOST_PROPERTIES = 6, SIDE = 64 };

/* --- Coded pictures --------------------------------------------------------------------------- */

typedef struct coded {
    blob file; /* of the program's own */
    bytes config, data;
} coded;

static coded encode(const char *name)
{
    static uint8_t gray[SIDE * SIDE];
    const satb_image image = {
        .width = SIDE, .height = SIDE, .channels = 1, .bits = 8, .stride = SIDE, .data = gray};
    const encode_settings settings = {.quality = 50, .threads = 1};
    coded out = {.config = {.size = 0}};
    sink to = {.write = blob_write, .user = &out.file};
    problem p;
    for (int i = 0; i < SIDE * SIDE; i++)
        gray[i] = (uint8_t)(i / SIDE * 3);
    const codec *const c = codec_for_output(name, &p);
    if (!c || !codec_encode(c, &image, &settings, &to, &p))
        return out; /* this libheif has no encoder for it */
    heif_items *const items = heif_items_read(blob_view(&out.file), &p);
    CHECK(items && items->extents > 0);
    out.config = items->entry[items->primary].coding;
    out.data = items->extent[items->entry[items->primary].first_extent];
    free(items);
    return out;
}

/* --- Boxes ------------------------------------------------------------------------------------ */

/* Ends a box that began at `at`; now and then with another size. */
static void end_box(blob *out, size_t at, feed *f)
{
    const uint32_t size = (uint32_t)(out->size - at);
    put_big_endian_32(out->data + at, choose(f, 64) == 63 ? size + choose(f, 5) - 2 : size);
}

static size_t begin_box(blob *out, const char *kind, int version)
{
    const size_t at = out->size;
    blob_add_number(out, 0, 4);
    blob_add(out, kind, 4);
    if (version >= 0)
        blob_add_number(out, (uint32_t)version << 24, 4);
    return at;
}

/* Returns a small number, mostly one of the items'. */
static uint32_t any_id(feed *f, uint32_t count)
{
    const uint32_t kind = choose(f, 16);
    return kind == 15 ? take(f, 2) : kind == 14 ? 0 : 1 + choose(f, count);
}

static uint32_t any_side(feed *f)
{
    static const uint32_t sides[] = {SIDE, 2 * SIDE, 1, 3 * SIDE, 0, 16384};
    const uint32_t kind = choose(f, 8);
    return kind < 6 ? sides[kind] : take(f, 2);
}

/* --- Items ------------------------------------------------------------------------------------ */

typedef struct file {
    feed *f;
    const coded *coded; /* HEVC, AV1 */
    uint32_t count;
    uint32_t kind[MOST_ITEMS]; /* index of kinds */
    blob data, ipco, ipma, iref, iloc, iinf;
    uint32_t properties, references;
} file;

static const char *const kinds[] = {"hvc1", "av01", "grid", "iovl", "iden", "Exif", "unci"};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* Adds data: the coded picture with a byte changed or not, or a description of what it is derived. Returns its size. */
static uint32_t add_data(file *o, uint32_t kind)
{
    feed *const f = o->f;
    const size_t before = o->data.size;
    if (kind < 2 && o->coded[kind].data.size > 0) {
        blob_add(&o->data, o->coded[kind].data.data, o->coded[kind].data.size);
        if (choose(f, 4) == 3)
            o->data.data[before + take(f, 2) % o->coded[kind].data.size] ^= (uint8_t)take(f, 1);
    } else {
        blob_add_number(&o->data, choose(f, 8) == 7, 2);
        if (kind == 3)
            blob_add(&o->data, "\0\0\0\0\0\0\xff\xff", 8);
        else
            blob_add_number(&o->data, choose(f, 4) << 8 | choose(f, 4), 2);
        blob_add_number(&o->data, any_side(f), 2);
        blob_add_number(&o->data, any_side(f), 2);
        for (uint32_t i = choose(f, 16); i > 0; i--)
            blob_add_number(&o->data, choose(f, 4) == 3 ? take(f, 4) : 0, 4);
    }
    return (uint32_t)(o->data.size - before);
}

static void add_place(file *o, uint32_t id, uint32_t start, int version)
{
    feed *const f = o->f;
    const uint32_t at = start + (uint32_t)o->data.size, size = add_data(o, o->kind[id - 1]);
    const uint32_t split = choose(f, 8) == 7 ? size / 2 : size;
    blob_add_number(&o->iloc, id, 2);
    if (version > 0)
        blob_add_number(&o->iloc, choose(f, 16) == 15 ? choose(f, 4) : 0, 2);
    blob_add_number(&o->iloc, 0, 2);
    blob_add_number(&o->iloc, split < size ? 2 : choose(f, 32) == 31 ? 0 : 1, 2);
    blob_add_number(&o->iloc, choose(f, 32) == 31 ? take(f, 3) : at, 4);
    blob_add_number(&o->iloc, choose(f, 32) == 31 ? take(f, 3) : split, 4);
    if (split < size) {
        blob_add_number(&o->iloc, at + split, 4);
        blob_add_number(&o->iloc, size - split, 4);
    }
}

static void add_colours(file *o)
{
    blob_add(&o->ipco, "nclx\0\1\0\15\0\6", 10);
    blob_add_number(&o->ipco, choose(o->f, 2) << 7, 1);
}

static void add_auxiliary(file *o)
{
    static const char *const types[] = {"urn:mpeg:mpegB:cicp:systems:auxiliary:alpha",
                                        "urn:mpeg:hevc:2015:auxid:2",
                                        "urn:com:apple:photo:2018:aux:portraiteffectsmatte"};
    const char *const type = types[choose(o->f, 3)];
    blob_add(&o->ipco, type, strlen(type) + 1);
}

/* Adds a property of the kind. */
static void add_property(file *o, uint32_t kind)
{
    static const char *const names[] = {"ispe", "hvcC", "av1C", "auxC", "colr", "irot", "clap"};
    feed *const f = o->f;
    const bool is_full = kind == 0 || kind == 3;
    const size_t at = begin_box(&o->ipco, names[kind], is_full ? 0 : -1);
    if (kind == 0) {
        blob_add_number(&o->ipco, any_side(f), 4);
        blob_add_number(&o->ipco, any_side(f), 4);
    } else if (kind < 3) {
        const bytes config = o->coded[kind - 1].config;
        const size_t start = o->ipco.size;
        blob_add(&o->ipco, config.data, config.size);
        if (choose(f, 8) == 7 && config.size > 0)
            o->ipco.data[start + take(f, 1) % config.size] ^= (uint8_t)take(f, 1);
    } else if (kind == 3) {
        add_auxiliary(o);
    } else if (kind == 4) {
        add_colours(o);
    } else {
        for (uint32_t i = 0; i < (kind == 5 ? 1 : 8); i++)
            blob_add_number(&o->ipco, choose(f, 4), kind == 5 ? 1 : 4);
    }
    end_box(&o->ipco, at, f);
    o->properties++;
}

static void add_properties(file *o, uint32_t id)
{
    feed *const f = o->f;
    const uint32_t kind = o->kind[id - 1], more = choose(f, MOST_PROPERTIES);
    const uint32_t first = o->properties;
    add_property(o, 0);
    if (kind < 2)
        add_property(o, 1 + kind);
    for (uint32_t i = 0; i < more; i++)
        add_property(o, choose(f, 8) == 7 ? choose(f, 7) : 3 + choose(f, 4));
    blob_add_number(&o->ipma, choose(f, 64) == 63 ? any_id(f, o->count) : id, 2);
    blob_add_number(&o->ipma, o->properties - first, 1);
    for (uint32_t i = first; i < o->properties; i++)
        blob_add_number(&o->ipma, choose(f, 64) == 63 ? take(f, 1) : i + 1, 1);
}

static void add_reference(file *o, const char *kind, uint32_t from, uint32_t count)
{
    const size_t at = begin_box(&o->iref, kind, -1);
    blob_add_number(&o->iref, from, 2);
    blob_add_number(&o->iref, count, 2);
    for (uint32_t i = 0; i < count; i++)
        blob_add_number(&o->iref, any_id(o->f, o->count), 2);
    end_box(&o->iref, at, o->f);
    o->references++;
}

static void add_references(file *o, uint32_t id)
{
    static const char *const names[] = {"auxl", "thmb", "cdsc", "prem", "dimg"};
    feed *const f = o->f;
    if (o->kind[id - 1] >= 2 && o->kind[id - 1] < 5)
        add_reference(o, "dimg", id, 1 + choose(f, 12));
    if (choose(f, 3) == 2)
        add_reference(o, names[choose(f, 5)], id, 1);
}

static void add_entry(file *o, uint32_t id)
{
    const size_t at = begin_box(&o->iinf, "infe", 2);
    blob_add_number(&o->iinf, choose(o->f, 64) == 63 ? any_id(o->f, o->count) : id, 2);
    blob_add_number(&o->iinf, 0, 2);
    blob_add(&o->iinf, kinds[o->kind[id - 1]], 5);
    end_box(&o->iinf, at, o->f);
}

/* --- Files ------------------------------------------------------------------------------------ */

static void add_box(blob *out, const char *kind, int version, uint32_t head, int head_size,
                    const blob *content, feed *f)
{
    const size_t at = begin_box(out, kind, version);
    blob_add_number(out, head, head_size);
    blob_add(out, content->data, content->size);
    end_box(out, at, f);
}

/* The data comes first, so that its place is known. */
static blob build(feed *f, const coded *pictures)
{
    file o = {.f = f, .coded = pictures, .count = 1 + choose(f, MOST_ITEMS)};
    blob out = {0}, none = {0}, iprp = {0};
    const int version = choose(f, 4) == 3;
    for (uint32_t i = 0; i < o.count; i++)
        o.kind[i] = choose(f, KINDS + 3) % KINDS;
    blob_add(&out,
             "\0\0\0\x18"
             "ftypheic\0\0\0\0mif1avif\0\0\0\0mdat",
             32);
    for (uint32_t id = 1; id <= o.count; id++) {
        add_place(&o, id, (uint32_t)out.size, version);
        add_properties(&o, id);
        add_references(&o, id);
        add_entry(&o, id);
    }
    put_big_endian_32(out.data + 24, (uint32_t)o.data.size + 8);
    blob_add(&out, o.data.data, o.data.size);
    const size_t meta = begin_box(&out, "meta", 0);
    add_box(&iprp, "ipco", -1, 0, 0, &o.ipco, f);
    add_box(&iprp, "ipma", 0, o.count, 4, &o.ipma, f);
    add_box(&out, "pitm", 0, any_id(f, o.count), 2, &none, f);
    add_box(&out, "iinf", 0, o.count, 2, &o.iinf, f);
    add_box(&out, "iloc", version, 0x44000000 | o.count, 4, &o.iloc, f);
    if (o.references > 0)
        add_box(&out, "iref", 0, 0, 0, &o.iref, f);
    add_box(&out, "iprp", -1, 0, 0, &iprp, f);
    add_box(&out, "idat", -1, 0, 4, &none, f);
    end_box(&out, meta, f);
    blob *const parts[] = {&o.data, &o.ipco, &o.ipma, &o.iref, &o.iloc, &o.iinf, &iprp};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        blob_free(parts[i]);
    return out;
}

/* --- Reading ---------------------------------------------------------------------------------- */

/* libheif takes the picture for the primary one that the walk has found. */
static void check_primary(bytes in)
{
    problem p;
    heif_item item;
    heif_items *const items = heif_items_read(in, &p);
    if (heif_open(in, &item, &p)) {
        CHECK(items && item.id == items->entry[items->primary].id);
        CHECK(heif_graph_allows(in, NULL, NULL, &p));
    }
    heif_close(&item);
    free(items);
}

static void read_picture(bytes in)
{
    const decode_settings settings = {.max_pixels = MOST_PIXELS};
    picture pic;
    problem p;
    const bool done = picture_decode(&pic, in.data, in.size, "a.heic", &settings, &p);
    CHECK(done || (p.text[0] && !strchr(p.text, '\n')));
    if (done) {
        CHECK((uint64_t)pic.image.width * (uint64_t)pic.image.height <= MOST_PIXELS);
        CHECK(heif_graph_allows(in, NULL, NULL, &p));
        picture_free(&pic);
    }
}

static void read_beside(bytes in)
{
    const decode_settings settings = {.max_pixels = MOST_PIXELS};
    for (int kind = HEIF_AUX_DEPTH; kind <= HEIF_AUX_MATTE; kind++) {
        heif_aux_image out;
        problem p;
        if (heif_aux_read(in, (heif_aux)kind, &settings, &out, &p) == HEIF_AUX_READ) {
            CHECK(out.image.data && out.image.channels == 1);
            pixels_free(out.image.data);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static coded pictures[2];
    if (pictures[0].file.size == 0) {
        pictures[0] = encode("a.heic");
        pictures[1] = encode("a.avif");
    }
    feed f = {.data = data, .size = size};
    blob built = build(&f, pictures);
    CHECK(!built.failed);
    check_primary(blob_view(&built));
    read_picture(blob_view(&built));
    read_beside(blob_view(&built));
    blob_free(&built);
    return 0;
}
