/* The page's files, as the assembler reads them from SATB_PAGE; none, where it is not defined. */
#include "web/page_write.h"

#ifdef SATB_PAGE
#define HOLD(label, name)                                                                          \
    __asm__(".pushsection .rodata\n"                                                               \
            "page_" #label "_start:\n.incbin \"" SATB_PAGE "/" name "\"\n"                         \
            "page_" #label "_end:\n.byte 0\n.popsection\n");                                       \
    extern const unsigned char page_##label##_start[], page_##label##_end[];

HOLD(index, "index.html")
HOLD(style, "style.css")
HOLD(page, "page.js")
HOLD(simd, "core_simd.js")
HOLD(threads, "core_threads.js")
HOLD(sample, "sample.js")

#endif

const page_file page_files[] = {
#ifdef SATB_PAGE
    {"index.html", page_index_start, page_index_end},
    {"style.css", page_style_start, page_style_end},
    {"page.js", page_page_start, page_page_end},
    {"core_simd.js", page_simd_start, page_simd_end},
    {"core_threads.js", page_threads_start, page_threads_end},
    {"sample.js", page_sample_start, page_sample_end},
#endif
    {NULL, NULL, NULL},
};
