#include "batch/progress.h"

#include "base/clock.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { BAR = 24 };
static const double bar_every = 100, line_every = 10000; /* milliseconds */

static size_t finished(const progress *g)
{
    return g->counts[ITEM_DONE] + g->counts[ITEM_SKIPPED] + g->counts[ITEM_FAILED];
}

static void duration_text(double seconds, char out[32])
{
    const long whole = (long)(seconds + 0.5);
    if (whole < 100)
        snprintf(out, 32, "%ld s", whole);
    else if (whole < 6000)
        snprintf(out, 32, "%ld:%02ld min", whole / 60, whole % 60);
    else
        snprintf(out, 32, "%ld:%02ld h", whole / 3600, whole / 60 % 60);
}

/* Expects the rest to go at the rate of the items that were worked on; skipped ones took no time. */
void progress_text(const progress *g, double seconds, char out[160])
{
    const size_t worked = g->counts[ITEM_DONE] + g->counts[ITEM_FAILED];
    const double rate = seconds > 0 ? (double)worked / seconds : 0;
    int used = snprintf(out, 160, "%zu", finished(g));
    if (g->total > 0)
        used += snprintf(out + used, 160 - (size_t)used, "/%zu", g->total);
    if (rate > 0)
        used += snprintf(out + used, 160 - (size_t)used, ", %.1f %s/s", rate, g->unit);
    if (rate > 0 && g->total >= finished(g) && g->total > 0) {
        char left[32];
        duration_text((double)(g->total - finished(g)) / rate, left);
        used += snprintf(out + used, 160 - (size_t)used, ", %s left", left);
    }
    if (g->counts[ITEM_FAILED])
        snprintf(out + used, 160 - (size_t)used, ", %zu failed", g->counts[ITEM_FAILED]);
}

static void show_line(progress *g, bool always)
{
    const double now = clock_ms();
    char text[160];
    if (g->quiet || (!always && now - g->shown < (g->terminal ? bar_every : line_every)))
        return;
    g->shown = now;
    progress_text(g, (now - g->start) / 1e3, text);
    if (!g->terminal) {
        message_note(false, "%s", text);
        return;
    }
    const int full = finished(g) < g->total ? (int)(BAR * finished(g) / g->total) : BAR;
    char line[BAR + sizeof text + 4];
    const int length = snprintf(line, sizeof line, "[%.*s%*s] %s", full, "########################",
                                BAR - full, "", text);
    message_show(length <= message_width() ? line : text);
}

void progress_start(progress *g, size_t total, const char *unit, bool quiet)
{
    *g =
        (progress){.total = total, .unit = unit, .quiet = quiet, .terminal = isatty(STDERR_FILENO)};
    g->start = g->shown = clock_ms();
    pthread_mutex_init(&g->lock, NULL);
}

void progress_count(progress *g, item_status status, const problem *p)
{
    pthread_mutex_lock(&g->lock);
    g->counts[status]++;
    if (status == ITEM_FAILED)
        message_error(p);
    show_line(g, status == ITEM_FAILED && g->terminal);
    pthread_mutex_unlock(&g->lock);
}

double progress_end(progress *g)
{
    message_show(NULL);
    pthread_mutex_destroy(&g->lock);
    return (clock_ms() - g->start) / 1e3;
}
