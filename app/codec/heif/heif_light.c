#include "codec/heif/heif_light.h"

#include <stddef.h>

enum { YCGCO = 8 };
static const struct {
    int code;
    const char *name;
} unknown[] = {{3, "reserved"},
               {YCGCO, "YCgCo"},
               {10, "BT.2020 with constant luminance"},
               {11, "Y'D'zD'x"},
               {13, "with constant luminance"},
               {14, "ICtCp"}};
enum { UNKNOWN = sizeof unknown / sizeof *unknown };

bool heif_knows_matrix(int matrix, int bits, bool is_full)
{
    return !heif_matrix_name(matrix) || (matrix == YCGCO && bits == 8 && is_full);
}

const char *heif_matrix_name(int matrix)
{
    for (int i = 0; i < UNKNOWN; i++)
        if (unknown[i].code == matrix)
            return unknown[i].name;
    return NULL;
}
