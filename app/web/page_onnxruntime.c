/* ONNX Runtime's web build as one script beside the page. */
#include "base/paths.h"
#include "base/whole_file.h"
#include "embedded/photo.h"
#include "web/page_write.h"

#include <stdlib.h>

enum { PARTS = 3, MOST_BYTES = 100000000 };

/* The script's names of a build's files. */
static const char *const parts[PARTS] = {"module", "glue", "wasm"};

/* Builds, the smaller one first. The first that is whole is taken. */
static const char *const builds[][PARTS] = {
    {"ort.wasm.min.mjs", "ort-wasm-simd-threaded.mjs", "ort-wasm-simd-threaded.wasm"},
    {"ort.min.mjs", "ort-wasm-simd-threaded.jsep.mjs", "ort-wasm-simd-threaded.jsep.wasm"},
};

/* Adds a file as a member of an object, in base64. */
static bool add_file(blob *script, const char *path, const char *part, problem *p)
{
    blob file;
    problem why = {.text = ""};
    if (!whole_file_read(path, 0, MOST_BYTES, &file, &why))
        return problem_set(p, "%s %s; give the folder dist of the npm package onnxruntime-web",
                           path, why.text);
    blob_add_text(script, part);
    blob_add_text(script, ": \"");
    base64_encode(blob_view(&file), script);
    blob_add_text(script, "\",\n");
    blob_free(&file);
    return true;
}

/* Adds a build's files. Returns how many; if not all PARTS, p has a line. */
static int add_build(blob *script, const char *folder, const char *const *names, problem *p)
{
    bool done = true;
    int added = 0;
    blob_add_text(script, "const SATBLUR_ONNXRUNTIME = {\n");
    while (done && added < PARTS) {
        char *const path = text_new("%s/%s", folder, names[added]);
        done = path ? add_file(script, path, parts[added], p) : problem_set(p, "not enough memory");
        added += done;
        free(path);
    }
    blob_add_text(script, "};\n");
    if (script->failed)
        return problem_set(p, "not enough memory"), 0;
    return added;
}

bool page_onnxruntime(const char *folder, blob *script, problem *p)
{
    int most = 0; /* files of a build that is not whole, whose line is the one to tell */
    for (size_t i = 0; i < sizeof builds / sizeof *builds; i++) {
        problem why = {.text = ""};
        *script = (blob){.size = 0};
        const int added = add_build(script, folder, builds[i], &why);
        if (added == PARTS)
            return true;
        if (added >= most)
            *p = why;
        most = added > most ? added : most;
        blob_free(script);
    }
    return false;
}
