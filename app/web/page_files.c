/* The page's files, as the assembler reads them from SATB_PAGE. */
#include "web/page_write.h"

#define HOLD(label, name)                                                                          \
    __asm__(".pushsection .rodata\n"                                                               \
            "page_" #label "_start:\n.incbin \"" SATB_PAGE "/" name "\"\n"                         \
            "page_" #label "_end:\n.byte 0\n.popsection\n");                                       \
    extern const unsigned char page_##label##_start[], page_##label##_end[];

HOLD(index, "index.html")
HOLD(style, "style.css")
HOLD(page, "page.js")
HOLD(core, "core.js")
HOLD(sample, "sample.js")

const page_file page_files[] = {
    {"index.html", page_index_start, page_index_end},
    {"style.css", page_style_start, page_style_end},
    {"page.js", page_page_start, page_page_end},
    {"core.js", page_core_start, page_core_end},
    {"sample.js", page_sample_start, page_sample_end},
    {NULL, NULL, NULL},
};
