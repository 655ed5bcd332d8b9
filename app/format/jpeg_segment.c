#include "format/jpeg_segment.h"

#include <string.h>

/* What is passed over is entropy-coded data: there, FF is followed by 0 or a restart mark (ITU-T T.81, B.1.1). */
int jpeg_next_marker(bytes in, size_t *at)
{
    while (in.size - *at >= 2) {
        const uint8_t *const b = memchr(in.data + *at, 0xff, in.size - 1 - *at);
        *at = b ? (size_t)(b - in.data) : in.size - 1;
        if (b && b[1] != 0 && b[1] != 0xff && (b[1] < 0xd0 || b[1] > 0xd7)) {
            *at += 2;
            return b[1];
        }
        *at += b != NULL;
    }
    return 0;
}
