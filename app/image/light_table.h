/* Tables between codes of 16 bits and light in half floats, by a transfer curve. Its units are those of <curves.h>. */
#ifndef SATBLUR_APP_LIGHT_TABLE_H
#define SATBLUR_APP_LIGHT_TABLE_H

#include <satblur.h>

#include <curves.h>
#include <stddef.h>
#include <stdint.h>

typedef struct light_table {
    const satb_curve *curve;
    uint16_t light[UINT16_MAX + 1]; /* by code: the nearest half float */
    uint16_t code[UINT16_MAX + 1]; /* by half float: the nearest code; 0 of negative ones and NaN */
} light_table;

/* Makes the tables of a curve with functions, for free(). NULL: memory ran out. */
light_table *light_table_make(const satb_curve *curve);

/* Makes light of the codes of a dense image, in place. */
void light_of_codes(const light_table *table, const satb_image *image);

/* Makes the codes of samples that differ from those before; the codes of others stay. */
void light_to_codes(const light_table *table, const uint16_t *before, const uint16_t *after,
                    size_t count, uint16_t *codes);

#endif
