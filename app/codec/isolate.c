/* The process that asks. Nothing that the other one says is believed where memory depends on it, as its file may have taken
 * it over. */
#include "codec/isolate.h"

#include "base/child.h"
#include "codec/isolate_message.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static bool is_on, is_for_many;

void isolate_start(void)
{
    is_on = true;
}

void isolate_start_by(const char *program)
{
    is_on = child_run_as(program);
}

void isolate_for_many(void)
{
    is_for_many = true;
}

const char *isolate_words(void)
{
    return child_confined_by();
}

static bool is_possible(const satb_image *s, uint64_t max_pixels)
{
    problem p;
    return s->width >= 1 && s->height >= 1 && s->channels >= 1 && s->channels <= 4 &&
           (s->bits == 8 || s->bits == 16) && picture_allows(s, max_pixels, &p);
}

static void end_text(char *text, size_t size)
{
    text[size - 1] = '\0';
}

/* Keeps the sentence within the text, and nothing that points into the other process. */
static void settle_problem(problem *p)
{
    end_text(p->text, sizeof p->text);
    p->format = NULL;
    if (p->kind >= PROBLEM_NOT_BUILT_IN || p->sentence > strlen(p->text)) {
        p->kind = PROBLEM_PLAIN;
        p->sentence = 0;
    }
}

/* Waits for an answer. False: none has come that makes sense. */
static bool receive_answer(child *c, answer *a, uint64_t max_pixels)
{
    if (!child_receive(c, a, sizeof *a))
        return false;
    metadata *const m = &a->picture.meta;
    settle_problem(&a->p);
    end_text(a->picture.note, sizeof a->picture.note);
    end_text(m->icc_name, sizeof m->icc_name);
    end_text(m->own_words.text, sizeof m->own_words.text);
    end_text(m->curve.text, sizeof m->curve.text);
    end_text(m->lost.text, sizeof m->lost.text);
    return a->kind == ANSWER_NONE || a->kind == ANSWER_FAILED || is_possible(&a->shape, max_pixels);
}

/* Receives the pixels. False: they have not come. Where there is no memory for them, the answer becomes a failure. */
static bool receive_pixels(child *c, answer *a)
{
    satb_image *const image = &a->shape;
    if (!pixels_make(image, NULL)) {
        starve(a);
        return true;
    }
    if (child_receive(c, image->data, picture_bytes(image)))
        return true;
    pixels_free(image->data);
    return false;
}

static bool receive_blob(child *c, blob *b)
{
    const size_t size = b->size;
    *b = (blob){.size = 0};
    if (size == 0)
        return true;
    b->data = size <= METADATA_MOST ? malloc(size) : NULL;
    b->size = b->capacity = size;
    return b->data && child_receive(c, b->data, size);
}

/* Receives the blobs. False: not all have come; the others are empty. */
static bool receive_metadata(child *c, metadata *m)
{
    blob *list[BLOBS];
    bool done = true;
    list_blobs(m, list);
    for (int i = 0; i < BLOBS; i++)
        if (done)
            done = receive_blob(c, list[i]);
        else
            *list[i] = (blob){.size = 0};
    return done;
}

/* Receives the pixels of a gain map, if there is one. False: they have not come, or are of none. */
static bool receive_gain(child *c, const satb_image *base, gain_map *gain)
{
    satb_image *const image = &gain->image;
    const bool has_map = image->data != NULL;
    const bool is_possible = image->width >= 1 && image->width <= base->width &&
                             image->height >= 1 && image->height <= base->height &&
                             (image->channels == 1 || image->channels == 3) &&
                             (image->bits == 8 || image->bits == 16) && gain_map_is_sound(gain);
    image->data = NULL;
    image->on_device = 0;
    image->half = 0;
    if (!has_map)
        return true;
    return is_possible && pixels_make(image, NULL) &&
           child_receive(c, image->data, picture_bytes(image));
}

/* Receives what follows an answer. */
static bool receive_picture(child *c, answer *a, const codec *format, picture *pic)
{
    if (!receive_pixels(c, a) || a->kind == ANSWER_FAILED)
        return a->kind == ANSWER_FAILED;
    const bool has_metadata = receive_metadata(c, &a->picture.meta);
    const bool done = receive_gain(c, &a->shape, &a->picture.gain) && has_metadata;
    *pic = a->picture;
    pic->image = a->shape;
    pic->values = (values){.data = NULL};
    pic->file = (blob){.size = 0};
    pic->format = format->name;
    pic->library = format->fast ? format->fast() : format->library;
    if (!done)
        picture_free(pic);
    return done;
}

/* Returns whether a limit has been reached that other pictures in progress may soon be below. */
static bool may_pass(int error)
{
    return error == EAGAIN || error == EMFILE || error == ENFILE || error == ENOMEM;
}

/* Starts a child. Of many pictures each waits some 10 s for what others take. Returns 0 or an error. */
static int start_child(child *c)
{
    enum { PAUSES = 1000 };
    const struct timespec pause = {.tv_nsec = 10000000};
    for (int i = 0; !child_start(c, ISOLATE_NAME); i++) {
        const int error = errno;
        if (!may_pass(error) || !is_for_many || i == PAUSES)
            return error;
        nanosleep(&pause, NULL);
    }
    return 0;
}

/* Starts a child and gives it its work. ISOLATE_READ: it has begun. ISOLATE_FAILED: p has a sentence. A child that ends
 * meanwhile is missed when its answer is waited for. */
static isolate_status start(child *c, wanted what, bytes in, const char *path,
                            const decode_settings *settings, problem *p)
{
    const request q = {.what = what, .settings = *settings, .path = strlen(path), .file = in.size};
    const int error = is_on ? start_child(c) : ENOSYS;
    if (error && !(may_pass(error) && is_for_many))
        return ISOLATE_OFF;
    if (error) {
        problem_set(p,
                    "no process can be started to read it: %s; raise ulimit -u and ulimit -n, or "
                    "lower --jobs",
                    strerror(error));
        return ISOLATE_FAILED;
    }
    (void)(child_send(c, &q, sizeof q) && child_send(c, path, q.path) &&
           child_send(c, in.data, in.size));
    return ISOLATE_READ;
}

/* Ends the child. heard: it has given its last answer. Otherwise the answer becomes the sentence of its end. */
static isolate_status finish(child *c, bool heard, answer *a)
{
    child_end(c, heard ? NULL : &a->p);
    return !heard                   ? ISOLATE_FAILED
           : a->kind == ANSWER_READ ? ISOLATE_READ
           : a->kind == ANSWER_NONE ? ISOLATE_NONE
                                    : ISOLATE_FAILED;
}

/* Waits for the claim, and lets the child go on if its shape is accepted. False: it is not, and p has a line. */
static bool settle_claim(child *c, answer *a, const decode_settings *s, bool *heard, problem *p)
{
    *heard = receive_answer(c, a, s->max_pixels);
    if (!*heard || a->kind != ANSWER_CLAIM)
        return true;
    if (s->accept && !s->accept(s->user, &a->shape, p))
        return false;
    *heard = child_send(c, "", 1) && receive_answer(c, a, s->max_pixels);
    return true;
}

isolate_status isolate_decode(picture *pic, const codec *format, bytes in, const char *path,
                              const decode_settings *settings, problem *p)
{
    child c;
    answer a;
    bool heard;
    const isolate_status begun = start(&c, WANTED_PICTURE, in, path, settings, &a.p);
    if (begun == ISOLATE_FAILED)
        problem_at(p, path, &a.p);
    if (begun != ISOLATE_READ)
        return begun;
    if (!settle_claim(&c, &a, settings, &heard, p)) {
        child_end(&c, NULL);
        return ISOLATE_FAILED;
    }
    if (heard && a.kind == ANSWER_READ)
        heard = receive_picture(&c, &a, format, pic);
    const isolate_status status = finish(&c, heard, &a);
    if (status != ISOLATE_READ && heard && a.names_file)
        *p = a.p;
    else if (status != ISOLATE_READ)
        problem_at(p, path, &a.p);
    return status;
}

isolate_status isolate_aux(bytes in, heif_aux kind, const decode_settings *settings,
                           heif_aux_image *out, problem *p)
{
    child c;
    answer a;
    const wanted what = kind == HEIF_AUX_DEPTH ? WANTED_DEPTH : WANTED_MATTE;
    const isolate_status begun = start(&c, what, in, "", settings, p);
    if (begun != ISOLATE_READ)
        return begun;
    bool heard = receive_answer(&c, &a, settings->max_pixels);
    if (heard && a.kind == ANSWER_READ)
        heard = receive_pixels(&c, &a);
    const isolate_status status = finish(&c, heard, &a);
    if (status == ISOLATE_READ) {
        *out = a.aux;
        out->image = a.shape;
    }
    if (status == ISOLATE_FAILED)
        *p = a.p;
    return status;
}
