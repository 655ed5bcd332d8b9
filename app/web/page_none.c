/* A program without the page. */
#include "web/page_write.h"

const page_file page_files[] = {{NULL, NULL, NULL}};
