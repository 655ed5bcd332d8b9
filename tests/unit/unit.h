/* cmocka and the headers it wants before it. */
#ifndef SATB_TESTS_UNIT_H
#define SATB_TESTS_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
