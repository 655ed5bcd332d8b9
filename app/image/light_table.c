#include "image/light_table.h"

#include "image/half.h"

#include <math.h>
#include <stdlib.h>

light_table *light_table_make(const satb_curve *curve)
{
    light_table *const t = malloc(sizeof *t);
    if (!t)
        return NULL;
    t->curve = curve;
    for (int i = 0; i <= UINT16_MAX; i++) {
        const uint16_t half = (uint16_t)i;
        t->light[i] = half_of((float)curve->to_light((double)i / UINT16_MAX));
        t->code[i] = half > HALF_INFINITY
                         ? 0
                         : (uint16_t)lrint(UINT16_MAX * curve->of_light(half_to_float(half)));
    }
    return t;
}

void light_of_codes(const light_table *table, const satb_image *image)
{
    uint16_t *const samples = image->data;
    const size_t count = (size_t)image->width * (size_t)image->height * (size_t)image->channels;
    for (size_t i = 0; i < count; i++)
        samples[i] = table->light[samples[i]];
}

void light_to_codes(const light_table *table, const uint16_t *before, const uint16_t *after,
                    size_t count, uint16_t *codes)
{
    for (size_t i = 0; i < count; i++)
        if (before[i] != after[i])
            codes[i] = table->code[after[i]];
}
