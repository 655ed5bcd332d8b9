#include "quality/measure/measure.h"

#include "quality/vec.h"

#include <stdlib.h>
#include <string.h>

enum { GUARD = 3 }; // pixels between still parts and what moves

// Catmull-Rom's weights of the four samples around a place that lies t behind the second one.
static void weights(float t, float w[4])
{
    w[0] = t * (-0.5f + t * (1 - 0.5f * t));
    w[1] = 1 + t * t * (-2.5f + 1.5f * t);
    w[2] = t * (0.5f + t * (2 - 1.5f * t));
    w[3] = t * t * (-0.5f + 0.5f * t);
}

static size_t inside(int i, int count)
{
    return (size_t)(i < 0 ? 0 : i >= count ? count - 1 : i);
}

// Along one axis: `count` samples of three codes, `pitch` numbers apart.
static void move_line(const float *from, float *to, int count, size_t pitch, float by)
{
    const int whole = ifloor(by);
    float w[4];
    weights(by - (float)whole, w);
    for (int i = 0; i < count; ++i)
        for (size_t c = 0; c < 3; ++c) {
            float sum = 0;
            for (int k = 0; k < 4; ++k)
                sum += w[k] * from[inside(i + whole + k - 1, count) * pitch + c];
            to[(size_t)i * pitch + c] = sum;
        }
}

struct picture moved(const struct picture *from, struct motion by)
{
    const size_t row = 3 * (size_t)from->width, bytes = row * (size_t)from->height * sizeof(float);
    float *const across = malloc(bytes), *const out = malloc(bytes);
    if (!across || !out)
        abort();
    for (size_t y = 0; y < (size_t)from->height; ++y)
        move_line(from->rgb + y * row, across + y * row, from->width, 3, by.x);
    for (size_t x = 0; x < (size_t)from->width; ++x)
        move_line(across + 3 * x, out + 3 * x, from->height, row, by.y);
    free(across);
    return (struct picture){from->width, from->height, out};
}

// Whether the subject's blur reaches a pixel around (x, y) in one of two frames.
static int reached(const struct picture *size, const uint8_t *mask, const uint8_t *next_mask, int x,
                   int y)
{
    for (int dy = -GUARD; dy <= GUARD; ++dy)
        for (int dx = -GUARD; dx <= GUARD; ++dx) {
            const size_t i =
                inside(y + dy, size->height) * (size_t)size->width + inside(x + dx, size->width);
            if ((mask[i] | next_mask[i]) & (SUBJECT | RIM))
                return 1;
        }
    return 0;
}

uint8_t *parts(const struct picture *size, const uint8_t *mask, const uint8_t *next_mask)
{
    const size_t count = (size_t)size->width * (size_t)size->height;
    uint8_t *const part = malloc(count);
    if (!part)
        abort();
    memset(part, PARTS, count);
    for (int y = 0; y < size->height; ++y)
        for (int x = 0; x < size->width; ++x) {
            const size_t i = (size_t)y * (size_t)size->width + (size_t)x;
            if (!(mask[i] & INNER))
                continue;
            if (mask[i] & RIM)
                part[i] = RIMS;
            else if (!reached(size, mask, next_mask, x, y))
                part[i] = STILL;
        }
    return part;
}

void step_add(struct step *sum, const uint8_t *part_of, enum part part,
              const struct picture frame[2], const struct picture next[2])
{
    const size_t count = (size_t)frame->width * (size_t)frame->height;
    for (size_t i = 0; i < count; ++i) {
        if (part_of[i] != part)
            continue;
        double most = 0;
        for (size_t k = 3 * i; k < 3 * i + 3; ++k) {
            const double candidate = (double)next[0].rgb[k] - (double)frame[0].rgb[k];
            const double truth = (double)next[1].rgb[k] - (double)frame[1].rgb[k];
            sum->candidate += fabs(candidate) / 3;
            sum->truth += fabs(truth) / 3;
            sum->error += fabs(candidate - truth) / 3;
            most = fmax(most, fabs(candidate - truth));
        }
        sum->pops += most > 8 / 255.0;
        sum->pixels += 1;
    }
}
