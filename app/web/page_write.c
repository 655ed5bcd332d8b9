#include "web/page_write.h"

#include "base/output.h"
#include "base/paths.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool write_file(const char *path, const page_file *file, problem *p)
{
    output out;
    if (!output_check(path, p) || !output_begin(&out, path, p))
        return false;
    output_write(&out, file->start,
                 (size_t)(file->end - file->start)); /* the commit tells errors */
    return output_commit(&out, p);
}

static bool write_into(const char *folder, const page_file *file, problem *p)
{
    char *const path = text_new("%s/%s", folder, file->name);
    const bool done = path ? write_file(path, file, p) : problem_set(p, "not enough memory");
    free(path);
    return done;
}

bool page_write(const char *folder, const char *onnxruntime, problem *p)
{
    if (!page_files[0].name)
        return problem_set(p,
                           "this build has no page; run app/web/build.sh, which needs emscripten, "
                           "then cmake and make again");
    blob script = {.size = 0};
    if (onnxruntime && !page_onnxruntime(onnxruntime, &script, p))
        return false;
    bool done = mkdir(folder, 0777) == 0 || errno == EEXIST ||
                problem_set(p, "%s: the folder cannot be made: %s", folder, strerror(errno));
    for (const page_file *file = page_files; done && file->name; file++)
        done = write_into(folder, file, p);
    if (done && onnxruntime)
        done = write_into(
            folder, &(page_file){"onnxruntime.js", script.data, script.data + script.size}, p);
    blob_free(&script);
    return done;
}
