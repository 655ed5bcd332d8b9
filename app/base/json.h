#ifndef SATBLUR_APP_JSON_H
#define SATBLUR_APP_JSON_H

#include <stdio.h>

/* Writes the text as a JSON string with its quotes. Bytes that are no UTF-8 become U+FFFD, and the characters of
 * utf8_control() become escapes. */
void json_string(FILE *to, const char *text);

#endif
