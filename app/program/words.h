#ifndef SATBLUR_APP_WORDS_H
#define SATBLUR_APP_WORDS_H

#include "base/message.h"
#include "base/paths.h"

/* Splits a command into words as a shell does: blanks part them, and quotes and backslashes keep what they hold. Nothing is
 * expanded but ~/ at the beginning of a word without quotes. False: p has a sentence. Either way the words are for
 * paths_free(). */
bool words_split(paths *words, const char *text, problem *p);

/* Returns the word with {in} and {out} replaced, for free(). NULL: memory ran out. */
char *words_fill(const char *word, const char *in, const char *out);

#endif
