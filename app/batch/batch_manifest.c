#include "batch/batch_manifest.h"

#include "base/hash.h"
#include "base/write_all.h"
#include "cli/option_row.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define PREFIX ".satblur"
#define ENDING ".done"

file_state file_state_of(const char *path)
{
    struct stat about;
    if (!path || stat(path, &about) != 0)
        return (file_state){.size = -1};
    return (file_state){.size = about.st_size,
                        .seconds = about.st_mtim.tv_sec,
                        .nanoseconds = about.st_mtim.tv_nsec,
                        .inode = about.st_ino};
}

manifest_sources manifest_sources_of(const batch_item *item)
{
    manifest_sources from;
    for (source_role r = 0; r < SOURCES_EACH; r++)
        from.of[r] = file_state_of(item->source[r]);
    return from;
}

typedef struct state_text {
    char text[96];
} state_text;

static state_text write_state(const file_state *s)
{
    state_text to;
    snprintf(to.text, sizeof to.text, "%llu %lld %lld.%09ld", s->inode, s->size, s->seconds,
             s->nanoseconds);
    return to;
}

/* The options that change bytes, with their values. A file that an option names is compared by its own state instead;
 * --depth and --depth-dir are the same operation. */
uint64_t manifest_signature(const options *o)
{
    uint64_t h = hash_add(HASH_START, satb_version(), strlen(satb_version()) + 1);
    const bool depth = o->given[OPT_DEPTH] || o->given[OPT_DEPTH_DIR];
    h = hash_add(h, depth ? "d" : "", 2 * (size_t)depth);
    for (int i = 0; i < OPT_COUNT; i++) {
        const option_row *const row = &args_rows[i];
        if (!o->given[i] || row->bytes == BYTES_SAME || i == OPT_DEPTH || i == OPT_DEPTH_DIR)
            continue;
        const char *text = row->bytes == BYTES_OF_FILE || !o->text[i] ? "" : o->text[i];
        h = hash_add(h, row->name, strlen(row->name) + 1);
        h = hash_add(h, text, strlen(text) + 1);
    }
    for (source_role r = SOURCES_EACH; r < SOURCES; r++)
        if (o->source[r]) { /* one file for all outputs */
            const file_state now = file_state_of(o->source[r]);
            h = manifest_signature_add(h, write_state(&now).text);
        }
    return h;
}

/* --- Lines ------------------------------------------------------------------------------------ */

/* Returns a path as one word without newlines. */
static char *escape(const char *text)
{
    char *out = malloc(3 * strlen(text) + 1), *to = out;
    for (; out && *text; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c > ' ' && c != '%' && c != 0x7f)
            *to++ = (char)c;
        else
            to += sprintf(to, "%%%02x", c);
    }
    if (out)
        *to = '\0';
    return out;
}

/* Undoes escape(). Any other '%' stands for itself. */
static void unescape(char *text)
{
    char *to = text;
    for (unsigned c; *text; text++) {
        if (*text == '%' && strspn(text + 1, "0123456789abcdef") >= 2 &&
            sscanf(text + 1, "%2x", &c) == 1 && c != 0) {
            *to++ = (char)c;
            text += 2;
        } else {
            *to++ = *text;
        }
    }
    *to = '\0';
}

/* Returns the text behind a state and a blank, or NULL if there is none. */
static const char *parse_state(const char *text, file_state *s)
{
    int at = 0;
    if (!text || sscanf(text, "%llu %lld %lld.%9ld %n", &s->inode, &s->size, &s->seconds,
                        &s->nanoseconds, &at) != 4)
        return NULL;
    return at > 0 ? text + at : NULL;
}

uint64_t manifest_signature_add(uint64_t signature, const char *text)
{
    return hash_add(signature, text, strlen(text) + 1);
}

uint64_t manifest_signature_of(uint64_t signature, const manifest_sources *from)
{
    for (source_role r = 0; r < SOURCES_EACH; r++)
        signature = manifest_signature_add(signature, write_state(&from->of[r]).text);
    return signature;
}

/* The line ends with a checksum: after a power cut a file may hold anything. */
char *manifest_line(const manifest_entry *e)
{
    char *relative = escape(e->relative), states[SOURCES_EACH * sizeof(state_text)];
    size_t used = 0;
    for (source_role r = 0; r < SOURCES_EACH; r++)
        used += (size_t)snprintf(states + used, sizeof states - used, "%s ",
                                 write_state(&e->from.of[r]).text);
    char *text = !relative ? NULL
                           : text_new("%016" PRIx64 " %s%s %s", e->signature, states,
                                      write_state(&e->output).text, relative);
    char *line =
        text ? text_new("%s %016" PRIx64 "\n", text, hash_add(HASH_START, text, strlen(text)))
             : NULL;
    free(text);
    free(relative);
    return line;
}

bool manifest_parse(const char *line, manifest_entry *e)
{
    const char *last = strrchr(line, ' ');
    uint64_t check;
    int at = 0;
    *e = (manifest_entry){0};
    if (!last || sscanf(last, " %16" SCNx64, &check) != 1 ||
        check != hash_add(HASH_START, line, (size_t)(last - line)))
        return false;
    if (sscanf(line, "%16" SCNx64 " %n", &e->signature, &at) != 1 || at == 0)
        return false;
    const char *rest = line + at;
    for (source_role r = 0; r < SOURCES_EACH; r++)
        rest = parse_state(rest, &e->from.of[r]);
    rest = parse_state(rest, &e->output);
    if (!rest || rest >= last)
        return false;
    e->relative = strndup(rest, (size_t)(last - rest));
    if (e->relative)
        unescape(e->relative);
    return e->relative != NULL;
}

/* --- Reading ---------------------------------------------------------------------------------- */

static bool append_entry(manifest *m, manifest_entry *e)
{
    if (m->count == m->capacity) {
        const size_t capacity = m->capacity ? 2 * m->capacity : 256;
        manifest_entry *entries = realloc(m->entries, capacity * sizeof *entries);
        if (!entries) {
            free(e->relative);
            return false;
        }
        m->entries = entries;
        m->capacity = capacity;
    }
    m->entries[m->count++] = *e;
    return true;
}

/* Opens a regular file only: a link may lead to a picture, and a pipe has no end. */
static int open_plain(const char *path, int flags)
{
    const int fd = open(path, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
    struct stat about;
    if (fd < 0 || (fstat(fd, &about) == 0 && S_ISREG(about.st_mode)))
        return fd;
    close(fd);
    errno = EEXIST;
    return -1;
}

/* Passes over lines that are damaged: their items are done again. */
static void read_list(manifest *m, const char *path)
{
    const int fd = open_plain(path, O_RDONLY);
    FILE *from = fd < 0 ? NULL : fdopen(fd, "r");
    char *line = NULL;
    size_t capacity = 0;
    while (from && getline(&line, &capacity, from) > 0) {
        manifest_entry e;
        if (manifest_parse(line, &e) && !append_entry(m, &e))
            break;
    }
    free(line);
    if (from)
        fclose(from);
    else if (fd >= 0)
        close(fd);
}

static int by_relative(const void *a, const void *b)
{
    return strcmp(((const manifest_entry *)a)->relative, ((const manifest_entry *)b)->relative);
}

bool manifest_is_list(const char *name)
{
    const size_t length = strlen(name), end = strlen(ENDING);
    return strncmp(name, PREFIX, strlen(PREFIX)) == 0 && length > end &&
           strcmp(name + length - end, ENDING) == 0;
}

static void read_all(manifest *m, const char *folder)
{
    DIR *files = opendir(folder);
    for (struct dirent *entry; files && (entry = readdir(files));) {
        char *path =
            manifest_is_list(entry->d_name) ? text_new("%s/%s", folder, entry->d_name) : NULL;
        if (path)
            read_list(m, path);
        free(path);
    }
    if (files)
        closedir(files);
    if (m->count)
        qsort(m->entries, m->count, sizeof *m->entries, by_relative);
}

/* --- The open list ---------------------------------------------------------------------------- */

/* Ends a last line that was cut off, so that the next line is whole. */
static void end_line(int fd)
{
    const off_t size = lseek(fd, 0, SEEK_END);
    char last = '\n';
    if (size > 0 && pread(fd, &last, 1, size - 1) == 1 && last != '\n' && write(fd, "\n", 1) != 1)
        return; /* writing the next line fails, too, and says why */
}

/* Returns false if another run has the lock. manifest_is_locked() of another run has it for
 * a moment only. */
static bool lock(int fd)
{
    const struct timespec moment = {.tv_nsec = 20000000};
    for (int attempts = 10; flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;) {
        if (--attempts == 0)
            return false;
        nanosleep(&moment, NULL);
    }
    return true;
}

static bool open_list(manifest *m, const char *folder, const char *path, problem *p)
{
    m->fd = open_plain(path, O_RDWR | O_APPEND | O_CREAT);
    if (m->fd < 0 && (errno == ELOOP || errno == EEXIST || errno == ENXIO))
        return problem_set(p, "%s: not a regular file; remove it", path);
    if (m->fd < 0)
        return problem_set(p, "%s: cannot be written: %s", path, strerror(errno));
    if (!lock(m->fd)) {
        return problem_set(p, "%s: another satblur is writing into this folder; wait until it ends",
                           folder);
    }
    end_line(m->fd);
    return true;
}

char *manifest_path(const options *o, const char *folder, const char *clip)
{
    char shard[32] = "";
    if (o->shards)
        snprintf(shard, sizeof shard, "-%d-of-%d", o->shard, o->shards);
    const bool ends = folder[0] != '\0' && folder[strlen(folder) - 1] == '/';
    return text_new("%s%s" PREFIX "%s%s%s" ENDING, folder, ends ? "" : "/", clip ? "-" : "",
                    clip ? clip : "", shard);
}

bool manifest_open(manifest *m, const options *o, const char *folder, const char *clip, problem *p)
{
    char *const path = manifest_path(o, folder, clip);
    *m = (manifest){.fd = -1, .signature = manifest_signature(o)};
    if (!path)
        return problem_set(p, "not enough memory");
    const bool good = open_list(m, folder, path, p);
    if (good && o->given[OPT_RESUME])
        read_all(m, folder);
    free(path);
    if (!good)
        manifest_close(m);
    return good;
}

bool manifest_is_locked(const char *path)
{
    const int fd = open_plain(path, O_RDONLY);
    const bool locked = fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (fd >= 0)
        close(fd);
    return locked;
}

/* Shards of one division have no pictures in common. */
bool manifest_others_run(const options *o)
{
    DIR *files = opendir(o->output);
    char mine[64];
    bool any = false;
    snprintf(mine, sizeof mine, o->shards ? "-of-%d" ENDING : PREFIX ENDING, o->shards);
    for (struct dirent *entry; files && !any && (entry = readdir(files));) {
        const char *name = entry->d_name;
        const char *of = o->shards ? strstr(name, "-of-") : name;
        if (!manifest_is_list(name) || (of && strcmp(of, mine) == 0))
            continue;
        char *path = text_new("%s/%s", o->output, name);
        any = path && manifest_is_locked(path);
        free(path);
    }
    if (files)
        closedir(files);
    return any;
}

static bool same_state(const file_state *a, const file_state *b)
{
    return a->size == b->size && a->seconds == b->seconds && a->nanoseconds == b->nanoseconds;
}

static bool same_file(const file_state *a, const file_state *b)
{
    return same_state(a, b) && a->inode == b->inode;
}

static bool describes(const manifest_entry *e, const manifest_entry *now)
{
    bool same = e->signature == now->signature && same_state(&e->output, &now->output);
    for (source_role r = 0; r < SOURCES_EACH; r++)
        same = same && same_file(&e->from.of[r], &now->from.of[r]);
    return same;
}

bool manifest_has(const manifest *m, const batch_item *item)
{
    size_t low = 0, high = m->count; /* finds the first entry that does not come before the item */
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (strcmp(m->entries[middle].relative, item->relative) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == m->count || strcmp(m->entries[low].relative, item->relative) != 0)
        return false;
    const manifest_entry now = {.signature = m->signature,
                                .from = manifest_sources_of(item),
                                .output = file_state_of(item->output)};
    for (; low < m->count && strcmp(m->entries[low].relative, item->relative) == 0; low++)
        if (now.output.size >= 0 && describes(&m->entries[low], &now))
            return true;
    return false;
}

bool manifest_add(const manifest *m, const batch_item *item, const manifest_sources *from,
                  problem *p)
{
    const manifest_entry e = {.relative = item->relative,
                              .signature = m->signature,
                              .from = *from,
                              .output = file_state_of(item->output)};
    char *line = manifest_line(&e);
    const bool done = line && write_all(m->fd, line, strlen(line));
    const int error = line ? errno : ENOMEM;
    free(line);
    return done ||
           problem_set(p,
                       "%s: the picture is written, but the list of finished pictures is not: %s",
                       item->output, strerror(error));
}

void manifest_close(manifest *m)
{
    if (m->fd >= 0)
        close(m->fd);
    for (size_t i = 0; i < m->count; i++)
        free(m->entries[i].relative);
    free(m->entries);
    *m = (manifest){.fd = -1};
}
