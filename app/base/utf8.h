/* File names may be any bytes. JSON texts and pictures hold characters, and a terminal acts on some of them. */
#ifndef SATBLUR_APP_UTF8_H
#define SATBLUR_APP_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* Returns the length of the valid UTF-8 character that s begins with; 0: there is none (RFC 3629: no overlong forms, no
 * surrogates). */
int utf8_length(const char *s);

/* Returns the code point of that character if a terminal may act on it instead of showing it: a control character (C0,
 * DEL, C1), a separator of lines or paragraphs, a mark or override of the direction of text. 0: it is shown. */
uint32_t utf8_control(const char *s);

/* Copies text into out, which has size bytes: whole characters, as many as there is room for. '?' stands for those of
 * utf8_control(), and for each byte that is no part of a character. Returns the length. */
size_t utf8_show(const char *text, char *out, size_t size);

#endif
