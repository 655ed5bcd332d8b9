#include "web/page_write.h"

#include "base/output.h"
#include "base/paths.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#ifdef SATB_PAGE /* the built page, which the assembler reads */
__asm__(".pushsection .rodata\n"
        "satb_page_start:\n.incbin \"" SATB_PAGE "\"\n"
        "satb_page_end:\n.byte 0\n.popsection\n");
extern const unsigned char satb_page_start[], satb_page_end[];
#else
static const unsigned char satb_page_start[1], *const satb_page_end = satb_page_start;
#endif

static bool write_file(const char *path, bytes file, problem *p)
{
    output out;
    if (!output_check(path, p) || !output_begin(&out, path, p))
        return false;
    output_write(&out, file.data, file.size); /* the commit tells errors */
    return output_commit(&out, p);
}

static bool write_into(const char *folder, const char *name, bytes file, problem *p)
{
    char *const path = text_new("%s/%s", folder, name);
    const bool done = path ? write_file(path, file, p) : problem_set(p, "not enough memory");
    free(path);
    return done;
}

bool page_write(const char *folder, const char *onnxruntime, problem *p)
{
    const bytes page = {satb_page_start, (size_t)(satb_page_end - satb_page_start)};
    if (page.size == 0)
        return problem_set(p,
                           "this build has no page; run cmake --build BUILD --target page, which "
                           "needs emscripten, and then cmake --build BUILD");
    blob script = {.size = 0};
    if (onnxruntime && !page_onnxruntime(onnxruntime, &script, p))
        return false;
    bool done = mkdir(folder, 0777) == 0 || errno == EEXIST ||
                problem_set(p, "%s: the folder cannot be made: %s", folder, strerror(errno));
    done = done && write_into(folder, "index.html", page, p);
    if (done && onnxruntime)
        done = write_into(folder, "onnxruntime.js", blob_view(&script), p);
    blob_free(&script);
    return done;
}
