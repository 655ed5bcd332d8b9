/* Finds bytes that are written as text: base64 and base85 in pieces of any length, hex, decimal numbers. */
#ifndef SATBLUR_APP_CODE_SCAN_H
#define SATBLUR_APP_CODE_SCAN_H

#include "base/blob.h"

/* Goes on from text to text, as one code may be spread over many. All zero at first. */
typedef struct code_scan {
    size_t in_words; /* characters in long words of base64 or hex */
    size_t in_noise; /* characters in blocks of codes, whatever stands between their pieces */
    size_t at;       /* bytes so far */
    size_t begin;    /* where the last codes that count as noise began */

    struct { /* printable characters, without spaces */
        size_t begin;
        int count, changes, others;
        char kind;        /* of the last character */
        uint64_t seen[2]; /* a bit for each character */
    } block;
    struct { /* of blocks of noise, without another between them */
        size_t begin, blocks;
    } run;
    struct { /* words of an even number of hex digits; length: of the last one */
        size_t begin, count, digits, length;
    } hex;
    struct { /* from 0 to 255 */
        size_t begin, count, falls;
        int last;
        uint64_t seen[4]; /* a bit for each number */
    } numbers;
} code_scan;

/* Adds what a text in UTF-8, UTF-16 or UTF-32 has. */
void code_scan_add(code_scan *s, bytes text);

/* Returns the characters that may be of a picture: of words and of noise the larger number, as most base64 is both. */
size_t code_scan_total(const code_scan *s);

/* Returns whether there is a long word of letters that base64 and hex have, whatever it means. */
bool code_has_word(bytes text);

#endif
