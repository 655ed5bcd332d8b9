#ifndef SATBLUR_APP_JSON_H
#define SATBLUR_APP_JSON_H

#include <stdio.h>

/* The text between quotes, escaped; bytes that are no UTF-8 become U+FFFD. */
void json_string(FILE *to, const char *text);

#endif
