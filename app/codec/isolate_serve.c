/* The process that is asked: it reads a file, and ends. */
#include "base/child.h"
#include "codec/decode_limit.h"
#include "codec/isolate.h"
#include "codec/isolate_message.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool isolate_is_child(int argc, char **argv)
{
    return argc == 1 && strcmp(argv[0], ISOLATE_NAME) == 0;
}

/* Shows the shape to the other side, which lets this one go on or ends it. */
static bool claim(void *user, const satb_image *shape, problem *p)
{
    char go;
    answer *const a = user;
    (void)p;
    a->kind = ANSWER_CLAIM;
    a->shape = *shape;
    child_put(a, sizeof *a);
    child_get(&go, sizeof go);
    return true;
}

static void serve_picture(bytes file, const char *path, const decode_settings *given, answer *a)
{
    decode_settings settings = *given;
    settings.accept = claim;
    settings.user = a;
    const bool done = picture_decode(&a->picture, file.data, file.size, path, &settings, &a->p);
    a->kind = done ? ANSWER_READ : ANSWER_FAILED;
    a->names_file = !done;
    if (done)
        a->shape = a->picture.image;
}

static void serve_aux(bytes file, heif_aux kind, const decode_settings *settings, answer *a)
{
    const heif_aux_status status = heif_aux_read(file, kind, settings, &a->aux, &a->p);
    a->kind = status == HEIF_AUX_READ   ? ANSWER_READ
              : status == HEIF_AUX_NONE ? ANSWER_NONE
                                        : ANSWER_FAILED;
    a->shape = a->aux.image;
}

/* Gives up all that decoding does not need. Until then only the first bytes of the file are looked at. */
static void confine(bytes file, const char *path)
{
    const codec *const c = codec_of(file, path);
    if (c && c->prepare)
        c->prepare();
    child_confine();
}

static void put_answer(answer *a)
{
    blob *list[BLOBS];
    child_put(a, sizeof *a);
    if (a->kind != ANSWER_READ)
        return;
    child_put(a->shape.data, picture_bytes(&a->shape));
    list_blobs(&a->picture.meta, list);
    for (int i = 0; i < BLOBS; i++)
        child_put(list[i]->data, list[i]->size);
    if (a->picture.gain.image.data)
        child_put(a->picture.gain.image.data, picture_bytes(&a->picture.gain.image));
}

/* Ends without freeing anything, which the system does at once. */
int isolate_serve(void)
{
    static answer a;
    request q;
    child_begin();
    child_get(&q, sizeof q);
    char *const path = calloc(1, q.path + 1);
    uint8_t *const file = malloc(q.file + 1);
    if (!path || !file) {
        starve(&a);
        put_answer(&a);
        _exit(0);
    }
    child_get(path, q.path);
    child_get(file, q.file);
    decode_limit_begin(q.settings.max_pixels ? q.settings.max_pixels : PICTURE_PIXELS);
    q.settings.channel = q.settings.key = NULL;
    const bytes in = {.data = file, .size = q.file};
    confine(in, path);
    if (q.what == WANTED_PICTURE)
        serve_picture(in, path, &q.settings, &a);
    else
        serve_aux(in, q.what == WANTED_DEPTH ? HEIF_AUX_DEPTH : HEIF_AUX_MATTE, &q.settings, &a);
    put_answer(&a);
    _exit(0);
}
