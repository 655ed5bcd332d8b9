#include "format/icc.h"

#include <math.h>
#include <string.h>

/* To sRGB's light from XYZ by D50, which profiles count in. */
static const double of_xyz[3][3] = {{3.1338561, -1.6168667, -0.4906146},
                                    {-0.9787684, 1.9161415, 0.0334540},
                                    {0.0719453, -0.2289914, 1.4052427}};

/* Reads a tag of three numbers. False: the profile has none. */
static bool read_xyz(bytes profile, const char *tag, double xyz[3])
{
    enum { TAGS = 128, ROW = 12, XYZ_SIZE = 8 + 12, FRACTION = 65536 };
    const uint8_t *const b = profile.data;
    const size_t most = profile.size < TAGS + 4 ? 0 : (profile.size - TAGS - 4) / ROW;
    const size_t count = most > 0 ? big_endian_32(b + TAGS) : 0;
    for (size_t i = 0; i < count && i < most; i++) {
        const uint8_t *const row = b + TAGS + 4 + i * ROW;
        const size_t at = big_endian_32(row + 4);
        if (memcmp(row, tag, 4) != 0)
            continue;
        if (at > profile.size || profile.size - at < XYZ_SIZE || memcmp(b + at, "XYZ ", 4) != 0)
            return false;
        for (size_t c = 0; c < 3; c++)
            xyz[c] = (double)(int32_t)big_endian_32(b + at + 8 + 4 * c) / FRACTION;
        return true;
    }
    return false;
}

bool icc_to_srgb(bytes profile, double matrix[3][3])
{
    const double rounding = 0.002; /* of profiles */
    static const char *const tags[3] = {"rXYZ", "gXYZ", "bXYZ"};
    double xyz[3][3], off = 0;
    for (int c = 0; c < 3; c++)
        if (!read_xyz(profile, tags[c], xyz[c]))
            return false;
    for (int to = 0; to < 3; to++)
        for (int from = 0; from < 3; from++) {
            matrix[to][from] = 0;
            for (int i = 0; i < 3; i++)
                matrix[to][from] += of_xyz[to][i] * xyz[from][i];
            off = fmax(off, fabs(matrix[to][from] - (to == from)));
        }
    return off > rounding;
}
