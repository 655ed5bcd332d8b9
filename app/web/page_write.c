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

bool page_write(const char *folder, problem *p)
{
    if (!page_files[0].name)
        return problem_set(p,
                           "this build has no page; run app/web/build.sh, which needs emscripten, "
                           "then cmake and make again");
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return problem_set(p, "%s: the folder cannot be made: %s", folder, strerror(errno));
    for (const page_file *file = page_files; file->name; file++) {
        char *const path = text_new("%s/%s", folder, file->name);
        const bool done = path ? write_file(path, file, p) : problem_set(p, "not enough memory");
        free(path);
        if (!done)
            return false;
    }
    return true;
}
