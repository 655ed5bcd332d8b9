#ifndef SATBLUR_APP_JSON_H
#define SATBLUR_APP_JSON_H

#include "base/message.h"

#include <stdio.h>

/* Writes the text as a JSON string with its quotes. Bytes that are no UTF-8 become U+FFFD, and the characters of
 * utf8_control() become escapes. */
void json_string(FILE *to, const char *text);

/* Writes an object: kind ("plain", "too-large", ...), where (the names before the sentence, each with ": "), text (the
 * sentence), and what that kind has. */
void json_problem(FILE *to, const problem *p);

#endif
