/* cmocka and the headers it wants before it. It gives every test a state, which most tests leave alone. */
#ifndef SATB_TESTS_UNIT_H
#define SATB_TESTS_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#pragma GCC diagnostic ignored "-Wunused-parameter"

#endif
