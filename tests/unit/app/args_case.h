/* Shared by the tests of the command line. */
#ifndef SATB_TESTS_ARGS_CASE_H
#define SATB_TESTS_ARGS_CASE_H

#include "cli/args.h"

/* Splits a line at blanks ("''" stands for an empty word) and parses it after the program's name. */
args_result parse(const char *line, options *o, problem *p);

/* Returns the options of a line that must be accepted. */
options accepted(const char *line);

/* Fails unless the line is refused with a message of one line that has `message` in it. */
void refused(const char *line, const char *message);

#endif
