/* File names may be any bytes; JSON texts and pictures hold characters. */
#ifndef SATBLUR_APP_UTF8_H
#define SATBLUR_APP_UTF8_H

/* Length of the valid UTF-8 character at s, 0 where there is none (RFC 3629: no overlong forms, no
 * surrogates). */
int utf8_length(const char *s);

#endif
