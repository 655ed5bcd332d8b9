/* Puts JPEG XL files together of the program's own codestreams, changed or not, and of boxes, as the input decides; or takes the input
 * for a codestream or a file. What is read without loss is written and read again. */
#include "codec/codec.h"
#include "fuzz/fuzz.h"
#include "image/half.h"
#include "image/shape.h"

enum { MOST_PIXELS = 1 << 14, WIDTH = 20, HEIGHT = 14, KINDS = 6 };

/* --- Codestreams ------------------------------------------------------------------------------ */

static blob encode(const satb_image *image, int quality)
{
    const encode_settings settings = {.quality = quality, .threads = 1};
    blob out = {.size = 0};
    sink to = {.write = blob_write, .user = &out};
    problem p;
    const codec *const c = codec_for_output("a.jxl", &p);
    CHECK(c && codec_encode(c, image, &settings, &to, &p));
    return out;
}

/* Returns a picture of each kind: gray and RGBA, codes of 8 and 16 bits and light, lossless or not. */
static blob make_kind(int kind)
{
    static uint16_t samples[WIDTH * HEIGHT * 4];
    static const struct {
        int channels, bits, half, quality;
    } kinds[KINDS] = {{1, 8, 0, 90},   {3, 8, 0, 90},  {4, 8, 0, 100},
                      {2, 16, 0, 100}, {3, 16, 1, 90}, {4, 16, 1, 100}};
    for (int i = 0; i < WIDTH * HEIGHT * 4; i++)
        samples[i] = (uint16_t)(kinds[kind].half ? HALF_ONE - i : i * 57);
    satb_image image = {.width = WIDTH,
                        .height = HEIGHT,
                        .channels = kinds[kind].channels,
                        .bits = kinds[kind].bits,
                        .half = kinds[kind].half,
                        .data = samples};
    image.stride = (ptrdiff_t)WIDTH * image.channels * image.bits / 8;
    return encode(&image, kinds[kind].quality);
}

/* Returns the codestream in a file of the program's own: behind the heads of jxlc, or all of it. */
static bytes stream_of(const blob *file)
{
    bytes in = blob_view(file);
    for (size_t i = 0; i + 8 < in.size; i++)
        if (memcmp(in.data + i, "jxlc\xff\x0a", 6) == 0)
            return (bytes){.data = in.data + i + 4, .size = in.size - i - 4};
    return in;
}

/* Adds a codestream with some of its bits changed, mostly of its head. */
static void add_stream(blob *out, bytes stream, feed *f)
{
    const size_t at = out->size;
    blob_add(out, stream.data, stream.size);
    for (uint32_t changes = choose(f, 5); changes > 0 && stream.size > 0; changes--) {
        const uint32_t most = choose(f, 4) == 3 ? (uint32_t)stream.size : 64;
        out->data[at + choose(f, most) % stream.size] ^= (uint8_t)(1 << choose(f, 8));
    }
    if (choose(f, 16) == 15)
        out->size = at + choose(f, (uint32_t)stream.size + 1);
}

/* --- Boxes ------------------------------------------------------------------------------------ */

/* Ends a box that began at `at`; now and then with another size. */
static void end_box(blob *out, size_t at, feed *f)
{
    const uint32_t size = (uint32_t)(out->size - at), odd = choose(f, 64);
    put_big_endian_32(out->data + at, odd == 63 ? size + choose(f, 5) - 2 : odd == 62 ? 0 : size);
}

static size_t begin_box(blob *out, const char *kind)
{
    const size_t at = out->size;
    blob_add_number(out, 0, 4);
    blob_add(out, kind, 4);
    return at;
}

static void add_box(blob *out, feed *f)
{
    static const char *const kinds[] = {"Exif", "xml ", "brob", "jumb",
                                        "jhgm", "jxll", "jbrd", "jxli"};
    static const char *const texts[] = {
        "", "\0\0\0\0II*\0\x08\0\0\0\1\0\x12\1\3\0\1\0\0\0\6\0\0\0\0\0\0\0",
        "<x:xmpmeta tiff:Orientation=\"6\"/>", "Exif", "xml "};
    static const size_t sizes[] = {0, 30, 34, 4, 4};
    const size_t at = begin_box(out, kinds[choose(f, 8)]);
    const uint32_t text = choose(f, 5);
    blob_add(out, texts[text], sizes[text]);
    for (uint32_t i = choose(f, 40); i > 0; i--)
        blob_add_number(out, take(f, 1), 1);
    end_box(out, at, f);
}

static void build(blob *out, bytes stream, feed *f)
{
    blob_add(out,
             "\0\0\0\x0cJXL \r\n\x87\n\0\0\0\x14"
             "ftypjxl \0\0\0\0jxl ",
             32);
    for (uint32_t i = choose(f, 4); i > 0; i--)
        add_box(out, f);
    const bool is_parted = choose(f, 4) == 3;
    const size_t at = begin_box(out, is_parted ? "jxlp" : "jxlc");
    if (is_parted)
        blob_add_number(out, choose(f, 8) == 7 ? take(f, 4) : 0x80000000, 4);
    add_stream(out, stream, f);
    end_box(out, at, f);
    for (uint32_t i = choose(f, 3); i > 0; i--)
        add_box(out, f);
}

/* --- Reading ---------------------------------------------------------------------------------- */

static bool same_picture(const satb_image *a, const satb_image *b)
{
    return a->width == b->width && a->height == b->height && a->channels == b->channels &&
           a->bits == b->bits && a->half == b->half &&
           (a->half || memcmp(a->data, b->data, picture_bytes(a)) == 0);
}

static void read_picture(bytes in)
{
    const decode_settings settings = {.max_pixels = MOST_PIXELS};
    picture pic, again;
    problem p = {.text = ""};
    if (!picture_decode(&pic, in.data, in.size, "a.jxl", &settings, &p)) {
        CHECK(p.text[0] && !strchr(p.text, '\n'));
        return;
    }
    CHECK((uint64_t)pic.image.width * (uint64_t)pic.image.height <= MOST_PIXELS);
    CHECK(pic.orientation == 1);
    blob out = encode(&pic.image, 100);
    CHECK(picture_decode(&again, out.data, out.size, "a.jxl", &settings, &p));
    CHECK(same_picture(&pic.image, &again.image));
    picture_free(&again);
    picture_free(&pic);
    blob_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static blob kinds[KINDS];
    for (int i = 0; i < KINDS && !kinds[i].data; i++)
        kinds[i] = make_kind(i);
    feed f = {.data = data, .size = size};
    blob file = {.size = 0};
    const uint32_t kind = choose(&f, KINDS + 2);
    if (kind == KINDS)
        read_picture((bytes){.data = f.data, .size = f.size});
    else
        build(&file, kind > KINDS ? (bytes){.data = data, .size = size} : stream_of(&kinds[kind]),
              &f);
    if (file.data)
        read_picture(blob_view(&file));
    blob_free(&file);
    return 0;
}
