#include "batch/batch_report.h"

#include "base/clock.h"
#include "base/json.h"
#include "base/write_all.h"
#include "cli/args.h"
#include "cli/report_keys.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool fail_report(const batch_report *report, problem *p)
{
    return problem_set(p, "--report %s: cannot be written: %s", report->name, strerror(errno));
}

/* Returns whether the file begins as no report does, not even one that was cut off. */
static bool is_other(int fd)
{
    static const char *const begins[] = {"{\"input\": \"", "{\"summary\": "};
    struct stat about;
    char text[16];
    if (fstat(fd, &about) != 0 || !S_ISREG(about.st_mode))
        return false;
    const ssize_t got = pread(fd, text, sizeof text, 0);
    for (int i = 0; i < 2; i++) {
        const size_t length = strlen(begins[i]);
        if (got <= 0 || strncmp(text, begins[i], (size_t)got < length ? (size_t)got : length) == 0)
            return false;
    }
    return true;
}

/* main() holds a closed one by a file that cannot be written. */
static int open_stdout(void)
{
    const int flags = fcntl(STDOUT_FILENO, F_GETFL);
    if (flags >= 0 && (flags & O_ACCMODE) != O_RDONLY)
        return fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
    errno = EBADF;
    return -1;
}

/* Empties the file, or (keep) cuts it off behind its last newline. */
static bool cut_report(int fd, bool keep)
{
    off_t end = keep ? lseek(fd, 0, SEEK_END) : 0;
    char c = 0;
    while (end > 0 && pread(fd, &c, 1, end - 1) == 1 && c != '\n')
        end--;
    return ftruncate(fd, end) == 0 || errno == EINVAL; /* a pipe has no end */
}

bool batch_report_open(batch_report *report, const char *name, bool resume, problem *p)
{
    *report = (batch_report){.fd = -1, .name = name};
    if (!name)
        return true;
    if (strcmp(name, "-") == 0) {
        report->fd = open_stdout();
        return report->fd >= 0 || fail_report(report, p);
    }
    report->fd = open(name, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (report->fd >= 0 && is_other(report->fd))
        return problem_set(p, "--report %s: the file exists and is not a report; name another file",
                           name);
    return (report->fd >= 0 && cut_report(report->fd, resume)) || fail_report(report, p);
}

/* --- Lines ------------------------------------------------------------------------------------ */

typedef struct line { /* gathered in memory, to be written in one step */
    FILE *memory;
    char *text;
    size_t size;
} line;

static bool begin_line(const batch_report *report, line *l, problem *p)
{
    *l = (line){.text = NULL};
    l->memory = open_memstream(&l->text, &l->size);
    if (!l->memory)
        return fail_report(report, p);
    fputs("{", l->memory);
    return true;
}

/* Writes the object with its last brace. Newlines within it are layout alone: those of strings are escaped. */
static bool end_line(const batch_report *report, line *l, problem *p)
{
    bool good = fputs("}", l->memory) >= 0;
    good = fclose(l->memory) == 0 && good;
    for (char *c = l->text; c && (c = strchr(c, '\n'));)
        *c = ' ';
    if (good) {
        l->text[l->size] = '\n'; /* over the NUL that open_memstream() adds */
        good = write_all(report->fd, l->text, l->size + 1);
    }
    if (!good)
        fail_report(report, p);
    free(l->text);
    return good;
}

static void put_key(FILE *to, const char *key)
{
    fprintf(to, "%s\"%s\": ", ftell(to) > 1 ? ", " : "", key);
}

/* NULL or "": the key is left out. */
static void put_text(FILE *to, const char *key, const char *value)
{
    if (!value || !value[0])
        return;
    put_key(to, key);
    json_string(to, value);
}

/* 0: the key is left out. */
static void put_number(FILE *to, const char *key, uint64_t value)
{
    if (value == 0)
        return;
    put_key(to, key);
    fprintf(to, "%" PRIu64, value);
}

/* False: the key is left out. */
static void put_flag(FILE *to, const char *key, bool value)
{
    if (!value)
        return;
    put_key(to, key);
    fputs("true", to);
}

static void put_time(FILE *to, const char *stage, double ms)
{
    if (ms > 0)
        fprintf(to, ", \"%s\": %.3f", stage, ms);
}

static void put_times(FILE *to, const char *key, const picture_job *j)
{
    put_key(to, key);
    fprintf(to, "{\"decode\": %.3f", j->times.decode);
    put_time(to, "start", j->request.start_ms);
    for (int i = 0; i < SATB_STAGES; i++)
        put_time(to, satb_stage_name((satb_stage)i), j->request.timings.ms[i]);
    put_time(to, "encode", j->times.encode);
    put_time(to, "commit", j->times.commit);
    fprintf(to, ", \"total\": %.3f}", j->times.total > 0 ? j->times.total : clock_ms() - j->start);
}

static void put_frame(FILE *to, const char *key, const picture_job *j)
{
    if (!j->is_frame)
        return;
    put_key(to, key);
    fprintf(to, "%" PRIu64, j->number);
}

/* A line of a picture. */
typedef struct item_line {
    const batch_item *item;
    item_status status;
    const char *message;
    const picture_job *j; /* all 0 where no work was done */
} item_line;

static void put_stats(FILE *to, const char *key, const item_line *l)
{
    if (l->status != ITEM_DONE || !l->j->o || !l->j->o->stats)
        return;
    put_key(to, key);
    report_stats_json(to, &l->j->request);
}

/* Writes the key with its value, if it has one. */
static void put_value(FILE *to, report_key number, const char *key, const item_line *l)
{
    static const char *const words[] = {"done", "skipped", "failed"};
    const picture_job *const j = l->j;
    const engine_request *const q = &j->request;
    const bool is_made = q->origin.is_made;
    switch (number) {
    case REPORT_INPUT: put_text(to, key, l->item->input); break;
    case REPORT_OUTPUT: put_text(to, key, l->item->output); break;
    case REPORT_FRAME: put_frame(to, key, j); break;
    case REPORT_MAP: put_text(to, key, l->item->source[SOURCE_MAP]); break;
    case REPORT_MAP_PROGRAM: put_text(to, key, j->made_by); break;
    case REPORT_MATTE: put_text(to, key, l->item->source[SOURCE_MATTE]); break;
    case REPORT_STATUS: put_text(to, key, words[l->status]); break;
    case REPORT_MESSAGE: put_text(to, key, l->message); break;
    case REPORT_WIDTH: put_number(to, key, (uint64_t)q->src.width); break;
    case REPORT_HEIGHT: put_number(to, key, (uint64_t)q->src.height); break;
    case REPORT_CHANNELS: put_number(to, key, (uint64_t)q->src.channels); break;
    case REPORT_BITS: put_number(to, key, (uint64_t)q->src.bits); break;
    case REPORT_HALF_FLOAT: put_flag(to, key, q->src.half); break;
    case REPORT_DEVICE: put_text(to, key, q->device); break;
    case REPORT_GPU_MEMORY: put_number(to, key, q->memory.peak); break;
    case REPORT_BANDS: put_number(to, key, q->memory.peak ? (uint64_t)q->memory.bands : 0); break;
    case REPORT_DECODER: put_text(to, key, j->times.decoder); break;
    case REPORT_MAP_DECODER: put_text(to, key, j->times.map_decoder); break;
    case REPORT_DEPTH_FROM:
        put_text(to, key, j->o && j->o->text[OPT_DEPTH_FROM] ? j->o->depth_from : NULL);
        break;
    case REPORT_MAP_FORMAT: put_text(to, key, is_made ? q->origin.format : NULL); break;
    case REPORT_MAP_CHANNEL: put_text(to, key, is_made ? q->origin.from : NULL); break;
    case REPORT_MAP_KIND:
        put_text(to, key, is_made ? depth_kind_word(q->origin.meaning.kind) : NULL);
        break;
    case REPORT_ENCODER: put_text(to, key, j->times.encoder); break;
    case REPORT_STAYED: put_flag(to, key, l->status == ITEM_DONE && j->stays); break;
    case REPORT_MS:
        if (j->o)
            put_times(to, key, j);
        break;
    case REPORT_STATS: put_stats(to, key, l); break;
    case REPORT_COUNT: break;
    }
}

bool batch_report_item(const batch_report *report, const batch_item *item, item_status status,
                       const char *message, const picture_job *j, problem *p)
{
#define KEY_WORD(name, key, type, text) key,
    static const char *const keys[] = {REPORT_KEYS(KEY_WORD)};
    static picture_job none; /* all 0 */
    const item_line about = {item, status, message, j ? j : &none};
    line l;
    if (report->fd < 0)
        return true;
    if (!begin_line(report, &l, p))
        return false;
    for (report_key k = 0; k < REPORT_COUNT; k++)
        put_value(l.memory, k, keys[k], &about);
    return end_line(report, &l, p);
}

static void put_total(FILE *to, summary_key number, const char *key, const batch_total *total)
{
    const size_t *const counts = total->counts->counts;
    const double rate = total->seconds > 0 ? (double)counts[ITEM_DONE] / total->seconds : 0.0;
    if (number != SUMMARY_CONFIG) /* may have no value */
        put_key(to, key);
    switch (number) {
    case SUMMARY_SUMMARY: fputs("true", to); break;
    case SUMMARY_ITEMS: fprintf(to, "%zu", total->counts->total); break;
    case SUMMARY_DONE: fprintf(to, "%zu", counts[ITEM_DONE]); break;
    case SUMMARY_SKIPPED: fprintf(to, "%zu", counts[ITEM_SKIPPED]); break;
    case SUMMARY_FAILED: fprintf(to, "%zu", counts[ITEM_FAILED]); break;
    case SUMMARY_SECONDS: fprintf(to, "%.3f", total->seconds); break;
    case SUMMARY_RATE: fprintf(to, "%.2f", rate); break;
    case SUMMARY_JOBS: fprintf(to, "%d", total->jobs); break;
    case SUMMARY_INTERRUPTED: fputs(total->interrupted ? "true" : "false", to); break;
    case SUMMARY_CONFIG: put_text(to, key, args_config_words(total->o)); break;
    case SUMMARY_VERSION: json_string(to, satb_version()); break;
    case SUMMARY_COUNT: break;
    }
}

bool batch_report_total(const batch_report *report, const batch_total *total, problem *p)
{
    static const char *const keys[] = {SUMMARY_KEYS(KEY_WORD)};
    line l;
    if (report->fd < 0)
        return true;
    if (!begin_line(report, &l, p))
        return false;
    for (summary_key k = 0; k < SUMMARY_COUNT; k++)
        put_total(l.memory, k, keys[k], total);
    return end_line(report, &l, p);
}

void batch_report_close(batch_report *report)
{
    if (report->fd >= 0)
        close(report->fd);
    report->fd = -1;
}
