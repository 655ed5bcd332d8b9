/* --page: the page to focus with the mouse, which the program carries if it was built before. */
#ifndef SATBLUR_APP_PAGE_WRITE_H
#define SATBLUR_APP_PAGE_WRITE_H

#include "base/blob.h"
#include "base/message.h"

#include <stdbool.h>

/* Writes the page into the folder, as index.html; the folder is made if it is missing. onnxruntime: the folder of ONNX
 * Runtime's web build, which becomes one more file; NULL: none. False: p has the line. */
bool page_write(const char *folder, const char *onnxruntime, problem *p);

/* Reads ONNX Runtime's web build in the folder, and makes one script of it, for blob_free(): a page of file:// loads scripts
 * alone. False: p has the line. */
bool page_onnxruntime(const char *folder, blob *script, problem *p);

#endif
