/* What programs have made, kept in a folder for later runs. A file that is damaged counts as none. */
#ifndef SATBLUR_APP_CACHE_H
#define SATBLUR_APP_CACHE_H

#include "program/made.h"
#include "program/process.h"

/* Finds what was made under that key. with_matte: its matte, too; otherwise that is left, and may be damaged. */
bool cache_find(const char *folder, uint64_t key, bool with_matte, made *out);

/* Keeps it. False: p has the line. */
bool cache_keep(const char *folder, uint64_t key, const made *m, problem *p);

/* The same for the name and version that a command's program gave itself. */
bool cache_find_name(const char *folder, uint64_t key, char name[PROCESS_LINE]);
bool cache_keep_name(const char *folder, uint64_t key, const char *name, problem *p);

#endif
