/* Numbers that users type, or metadata has: plain decimal ones. strtod() alone would also take " 1", "0x10", "nan" and
 * "infinity". */
#ifndef SATBLUR_APP_NUMBER_H
#define SATBLUR_APP_NUMBER_H

#include "base/blob.h"

/* Reads a number from low to high at *at that ends at any of the characters of stops or at the end of the text, and moves
 * *at there. False: there is no such number. */
bool number_until(const char **at, const char *stops, double low, double high, double *out);

/* Does the same for a number of digits alone. */
bool number_whole_until(const char **at, const char *stops, int low, int high, int *out);

/* Returns the number that a text of metadata is, with a sign or without one. none: it is no finite number. */
double number_of_text(bytes text, double none);

#endif
