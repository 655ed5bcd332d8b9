/* --page: the page to focus with the mouse, which the program carries if it was built before. */
#ifndef SATBLUR_APP_PAGE_WRITE_H
#define SATBLUR_APP_PAGE_WRITE_H

#include "base/message.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct page_file {
    const char *name;
    const unsigned char *start, *end; /* of its bytes */
} page_file;

/* Ends with a name of NULL; without a page that is the first. */
extern const page_file page_files[];

/* Writes the page's files into the folder, which is made if it is missing. False: p has the line. */
bool page_write(const char *folder, problem *p);

#endif
