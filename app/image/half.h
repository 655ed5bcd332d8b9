/* IEEE 754's half precision, which compilers of C17 need not have. */
#ifndef SATBLUR_APP_HALF_H
#define SATBLUR_APP_HALF_H

#include <stdint.h>

/* Returns the number exactly. */
float half_to_float(uint16_t bits);

#endif
