/* From a picture to what a program makes of it: by way of files in the private folder, or from the cache. */
#include "program/program.h"

#include "base/guard.h"
#include "base/hash.h"
#include "base/whole_file.h"
#include "engine/source.h"
#include "image/pixels.h"
#include "program/cache.h"
#include "program/hand_over.h"
#include "program/pool.h"
#include "program/private_folder.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct {
    pool maps, mattes;
    char remembered[PROCESS_LINE]; /* the name of the maps' program in an earlier run; "": none */
    const char *cache;             /* folder; NULL: none */
    int size;
    bool is_quiet;
    atomic_bool has_warned; /* that the cache cannot be written */
    atomic_ullong pictures;
    pthread_mutex_t lock; /* of the private folder's beginning */
} programs = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Mattes are made by the program of maps where they have none of their own. */
static pool *pool_of(source_role role)
{
    return role == SOURCE_MATTE && programs.mattes.seats ? &programs.mattes : &programs.maps;
}

bool program_has(source_role role)
{
    const pool *const g = pool_of(role);
    return g->seats && (role == SOURCE_MAP || g == &programs.mattes || g->stays);
}

/* --- Opening and closing ---------------------------------------------------------------------- */

/* A thread may start a process during the first look, if the start takes longer than it is waited for. */
static void clean(void)
{
    process_kill_all();
    private_folder_close();
    process_kill_all();
}

static bool open_pool(pool *g, const options *o, source_role role, problem *p)
{
    const source_row *const row = source_program_of(o, role);
    problem inner;
    if (!row || pool_open(g, o->text[row->option], row->stays, o, &inner))
        return true;
    return problem_set_kind(p, inner.kind, "%s %s: %s", row->words, o->text[row->option],
                            inner.text);
}

bool program_open(const options *o, problem *p)
{
    programs.size = o->depth_size;
    programs.cache = o->depth_cache;
    programs.is_quiet = o->given[OPT_QUIET];
    guard_clean(clean);
    private_folder_sweep();
    if (!open_pool(&programs.maps, o, SOURCE_MAP, p) ||
        !open_pool(&programs.mattes, o, SOURCE_MATTE, p)) {
        program_close();
        return false;
    }
    if (programs.cache && programs.maps.stays &&
        !cache_find_name(programs.cache, programs.maps.key, programs.remembered))
        programs.remembered[0] = '\0';
    return true;
}

static void warn_of_cache(const problem *p)
{
    if (!atomic_exchange(&programs.has_warned, true))
        message_note(programs.is_quiet, "--depth-cache: %s", p->text);
}

/* Remembers the name for the next run, which then finds maps without starting the program. */
static void remember_name(void)
{
    const pool *const g = &programs.maps;
    problem p;
    if (programs.cache && g->name[0] && strcmp(g->name, programs.remembered) != 0 &&
        !cache_keep_name(programs.cache, g->key, g->name, &p))
        warn_of_cache(&p);
}

void program_close(void)
{
    remember_name();
    pool_close(&programs.maps);
    pool_close(&programs.mattes);
    private_folder_close();
}

/* --- Files ------------------------------------------------------------------------------------ */

typedef struct work_files {
    char *in, *out, *matte; /* matte: beside a map */
} work_files;

static bool open_folder(problem *p)
{
    pthread_mutex_lock(&programs.lock);
    const bool done = private_folder_open(p);
    pthread_mutex_unlock(&programs.lock);
    return done;
}

/* Names files that no other picture has. */
static bool name_files(work_files *f, problem *p)
{
    const unsigned long long number = atomic_fetch_add(&programs.pictures, 1) + 1;
    f->in = text_new("%s/%llu.png", private_folder(), number);
    f->out = text_new("%s/%llu-map.png", private_folder(), number);
    f->matte = text_new("%s/%llu-map.png.matte", private_folder(), number);
    return (f->in && f->out && f->matte) || problem_set(p, "not enough memory");
}

static void remove_files(work_files *f)
{
    char *const names[] = {f->in, f->out, f->matte};
    for (int i = 0; i < 3; i++) {
        if (names[i])
            unlink(names[i]);
        free(names[i]);
    }
}

static bool take_file(const char *path, const char *noun, blob *out, problem *p)
{
    problem inner;
    if (access(path, F_OK) != 0)
        return problem_set(p, "it wrote no %s", noun);
    if (!whole_file_read(path, O_NOFOLLOW, PROCESS_FILE, out, &inner))
        return problem_set(p, "its %s %s", noun, inner.text);
    return out->size > 0 || problem_set(p, "its %s is empty", noun);
}

static bool make_files(pool *g, const program_wish *wish, const satb_image *image,
                       const work_files *f, made *out, problem *p)
{
    const source_role role = wish->role;
    const pool_order order = {
        .role = role, .in = f->in, .out = f->out, .matte = f->matte, .step = wish->step};
    made_answer answer;
    if (!hand_over_write(image, f->in, p) || !pool_make(g, &order, &answer, p))
        return false;
    out->type = answer.type;
    return take_file(f->out, source_noun(role), &out->map, p) &&
           (!answer.has_matte || role != SOURCE_MAP ||
            take_file(f->matte, "matte", &out->matte, p));
}

static bool make(pool *g, const program_wish *wish, const satb_image *image, made *out, problem *p)
{
    work_files files = {0};
    const bool done =
        open_folder(p) && name_files(&files, p) && make_files(g, wish, image, &files, out, p);
    remove_files(&files);
    out->by = done ? pool_name(g, p) : NULL;
    return out->by != NULL;
}

/* --- Cache ------------------------------------------------------------------------------------ */

/* Returns what a map depends on, but for the program. */
static uint64_t key_of(source_role role, const satb_image *image)
{
    const int about[] = {(int)role, image->width, image->height};
    return hash_add(hash_add(HASH_START, about, sizeof about), image->data, picture_bytes(image));
}

static uint64_t key_with(uint64_t key, const pool *g, const char *name)
{
    return hash_add(hash_add(key, &g->key, sizeof g->key), name, strlen(name));
}

/* Makes it, or finds it where an earlier run has made it with this program. */
static bool find_or_make(pool *g, const program_wish *wish, const satb_image *image, made *out,
                         problem *p)
{
    const uint64_t key = key_of(wish->role, image);
    const char *known = pool_known_name(g);
    if (!known[0])
        known =
            g == &programs.maps && programs.remembered[0] ? programs.remembered : pool_name(g, p);
    if (!known)
        return false;
    if (!wish->anew && cache_find(programs.cache, key_with(key, g, known), wish->with_matte, out)) {
        out->by = known;
        if (wish->step->passed)
            wish->step->passed(wish->step->user);
        return true;
    }
    if (!make(g, wish, image, out, p))
        return false;
    out->key = key_with(key, g, out->by);
    return true;
}

void program_keep(const made *m)
{
    problem p;
    if (m->key && !cache_keep(programs.cache, m->key, m, &p))
        warn_of_cache(&p);
}

bool program_make(const program_wish *wish, const satb_image *image, int orientation, made *out,
                  problem *p)
{
    pool *const g = pool_of(wish->role);
    satb_image small;
    problem inner;
    *out = (made){.type = MADE_UNKNOWN};
    if (!hand_over_make(image, orientation, programs.size, &small, p))
        return false;
    const bool done = programs.cache ? find_or_make(g, wish, &small, out, &inner)
                                     : make(g, wish, &small, out, &inner);
    pixels_drop(&small);
    if (done)
        return true;
    made_free(out);
    return problem_set(p, "%s made no %s: %s", path_base(g->words.at[0]), source_noun(wish->role),
                       inner.text);
}
