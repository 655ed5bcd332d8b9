#include "unit/codec/codec_case.h"

#include <stdio.h>
#include <string.h>

#include "unit/unit.h"

bool memory_write(void *user, const void *data, size_t size)
{
    memory *m = user;
    if (m->limit && m->size + size > m->limit)
        return false;
    if (m->size + size > m->capacity) {
        m->capacity = 2 * (m->size + size);
        uint8_t *const more = unit_memory(m->capacity);
        if (m->size > 0)
            memcpy(more, m->data, m->size);
        m->data = more;
    }
    memcpy(m->data + m->size, data, size);
    m->size += size;
    return true;
}

satb_image case_noise(int width, int height, int channels, int bits)
{
    satb_image image = {.width = width, .height = height, .channels = channels, .bits = bits};
    image.stride = (ptrdiff_t)width * channels * (bits / 8);
    uint8_t *data = unit_memory(picture_bytes(&image));
    uint32_t state = (uint32_t)(width * 131 + height * 17 + channels * 3 + bits);
    for (size_t i = 0; i < picture_bytes(&image); i++) {
        state = state * 1664525u + 1013904223u;
        data[i] = (uint8_t)(state >> 24);
    }
    image.data = data;
    return image;
}

const encode_settings case_settings = {.quality = 95, .compression = 6, .choice = CODEC_PLAIN};
const encode_settings case_fast_settings = {.quality = 95, .compression = 1};

memory case_encoded(const char *name, const satb_image *image)
{
    return case_encoded_by(name, image, &case_settings);
}

memory case_encoded_by(const char *name, const satb_image *image, const encode_settings *settings)
{
    problem p;
    memory m = {0};
    sink to = {.write = memory_write, .user = &m};
    const codec *c = codec_for_output(name, &p);
    assert_non_null(c);
    assert_non_null(codec_encode(c, image, settings, &to, &p));
    assert_false(to.failed);
    return m;
}

picture case_picture_by(const char *name, const char *format, const void *data, size_t size,
                        const decode_settings *settings)
{
    picture pic;
    problem p;
    uint8_t *const copy = unit_copy(data, size);
    if (!picture_decode(&pic, copy, size, name, settings, &p))
        fail_msg("%s", p.text);
    assert_string_equal(pic.format, format ? format : pic.format);
    return pic;
}

picture case_picture(const char *name, const char *format, const void *data, size_t size)
{
    return case_picture_by(name, format, data, size, NULL);
}

void case_refused(const char *name, const void *data, size_t size, const char *words)
{
    picture pic;
    problem p;
    assert_false(picture_decode(&pic, data, size, name, NULL, &p));
    if (!strstr(p.text, words))
        fail_msg("'%s' lacks '%s'", p.text, words);
}

static bool survives(const char *name, const uint8_t *data, size_t size)
{
    const decode_settings s = {.max_pixels = 1 << 16};
    picture pic;
    problem p = {.text = ""};
    const bool read = picture_decode(&pic, data, size, name, &s, &p);
    assert_true(read ? pic.image.data != NULL : p.text[0] && !strchr(p.text, '\n'));
    picture_free(&pic);
    return read;
}

void case_damage(const char *name, memory m)
{
    for (size_t size = 0; size < m.size; size++) {
        uint8_t *const cut = unit_copy(m.data, size);
        assert_true(!survives(name, cut, size) || size + 2 > m.size);
    }
    for (size_t bit = 0; bit < 8 * m.size; bit += bit < 800 ? 1 : 7) {
        m.data[bit / 8] ^= (uint8_t)(1 << bit % 8);
        survives(name, m.data, m.size);
        m.data[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
}
