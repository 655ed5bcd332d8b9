#include "batch/batch_report.h"

#include "base/clock.h"
#include "base/json.h"
#include "base/write_all.h"

#include <errno.h>
#include <fcntl.h>
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
        return dup(STDOUT_FILENO);
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
        return problem_set(p, "--report %s: the file exists and is no report; name another file",
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
    return l->memory || fail_report(report, p);
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

static void put_string(FILE *to, const char *key, const char *value)
{
    if (!value || !value[0])
        return;
    fprintf(to, ", \"%s\": ", key);
    json_string(to, value);
}

static void put_time(FILE *to, const char *stage, double ms)
{
    if (ms > 0)
        fprintf(to, ", \"%s\": %.3f", stage, ms);
}

static void put_times(FILE *to, const picture_job *j)
{
    fprintf(to, ", \"ms\": {\"decode\": %.3f", j->times.decode);
    put_time(to, "start", j->request.start_ms);
    for (int i = 0; i < SATB_STAGES; i++)
        put_time(to, satb_stage_name((satb_stage)i), j->request.timings.ms[i]);
    put_time(to, "encode", j->times.encode);
    put_time(to, "commit", j->times.commit);
    fprintf(to, ", \"total\": %.3f}", clock_ms() - j->start);
}

static void put_job(FILE *to, const picture_job *j, bool done)
{
    const satb_image *image = &j->request.src;
    if (image->width > 0) {
        fprintf(to, ", \"width\": %d, \"height\": %d, \"channels\": %d, \"bits\": %d", image->width,
                image->height, image->channels, image->bits);
        fprintf(to, "%s", image->half ? ", \"half_float\": true" : "");
    }
    put_string(to, "device", j->request.device);
    if (j->request.memory.peak > 0)
        fprintf(to, ", \"gpu_memory\": %zu, \"bands\": %d", j->request.memory.peak,
                j->request.memory.bands);
    put_string(to, "decoder", j->times.decoder);
    put_string(to, "map_decoder", j->times.map_decoder);
    put_string(to, "depth_from", j->o->depth_from);
    if (j->request.origin.is_made) {
        put_string(to, "map_format", j->request.origin.format);
        put_string(to, "map_channel", j->request.origin.from);
        put_string(to, "map_kind", depth_kind_word(j->request.origin.meaning.kind));
    }
    put_string(to, "encoder", j->times.encoder);
    if (done && j->stays)
        fprintf(to, ", \"stayed\": true");
    put_times(to, j);
    if (done && j->o->stats) {
        fprintf(to, ", \"stats\": ");
        report_stats_json(to, &j->request);
    }
}

bool batch_report_item(const batch_report *report, const batch_item *item, item_status status,
                       const char *message, const picture_job *j, problem *p)
{
    static const char *const words[] = {"done", "skipped", "failed"};
    line l;
    if (report->fd < 0)
        return true;
    if (!begin_line(report, &l, p))
        return false;
    fprintf(l.memory, "{\"input\": ");
    json_string(l.memory, item->input);
    put_string(l.memory, "output", item->output);
    put_string(l.memory, "map", item->map);
    put_string(l.memory, "matte", item->matte);
    put_string(l.memory, "status", words[status]);
    put_string(l.memory, "message", message);
    if (j)
        put_job(l.memory, j, status == ITEM_DONE);
    return end_line(report, &l, p);
}

bool batch_report_total(const batch_report *report, const batch_total *total, problem *p)
{
    const size_t *counts = total->counts->counts;
    line l;
    if (report->fd < 0)
        return true;
    if (!begin_line(report, &l, p))
        return false;
    fprintf(l.memory,
            "{\"summary\": true, \"items\": %zu, \"done\": %zu, \"skipped\": %zu, \"failed\": %zu, "
            "\"seconds\": %.3f, \"images_per_second\": %.2f, \"jobs\": %d, \"interrupted\": %s, "
            "\"version\": \"%s\"",
            total->counts->total, counts[ITEM_DONE], counts[ITEM_SKIPPED], counts[ITEM_FAILED],
            total->seconds, total->seconds > 0 ? (double)counts[ITEM_DONE] / total->seconds : 0.0,
            total->jobs, total->interrupted ? "true" : "false", satb_version());
    return end_line(report, &l, p);
}

void batch_report_close(batch_report *report)
{
    if (report->fd >= 0)
        close(report->fd);
    report->fd = -1;
}
