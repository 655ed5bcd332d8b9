/* The files that alloc.c's jobs read. */
#ifndef SATB_TESTS_ALLOC_INPUTS_H
#define SATB_TESTS_ALLOC_INPUTS_H

/* Ends the program, with errno's text. */
void die(const char *what);

/* Makes the files and folders in the current one. corpus: fuzz/corpus. */
void make_inputs(const char *corpus);

#endif
