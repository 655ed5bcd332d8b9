/* The lists of the help that other tables make: formats, and the keys of --report. */
#include "cli/args_help.h"
#include "cli/format_choices.h"
#include "cli/report_keys.h"
#include "codec/codec_about.h"
#include "codec/codec_table.h"
#include "codec/video_table.h"

#include <satb_config.h>

#include <stdbool.h>
#include <stdio.h>

enum { FORMATS_MOST = 32 };

/* --- Formats ---------------------------------------------------------------------------------- */

option_choice format_choices[FORMATS_MOST + 4], video_codec_choices[FORMATS_MOST];

/* Adds the containers that can be written into a pipe. */
static void add_containers(option_choice *to)
{
    static char texts[FORMATS_MOST][32];
    for (int i = 0; i < video_container_count && SATB_HAVE_FFMPEG; i++) {
        const video_container *const c = &video_containers[i];
        if (!c->pipe)
            continue;
        snprintf(texts[i], sizeof texts[i], "%s, video for OUTPUT -", c->pipe);
        *to++ = (option_choice){.word = c->endings[0], .help = texts[i]};
    }
}

void format_choices_make(void)
{
    static char texts[FORMATS_MOST][64];
    option_choice *to = format_choices;
    if (to->word)
        return;
    for (int i = 0; i < codec_count && i < FORMATS_MOST; i++) {
        const codec *const c = &codecs[i];
        const codec_facts facts = codec_about(c);
        if (!c->encode)
            continue;
        snprintf(texts[i], sizeof texts[i], "%s, %s%s", c->name, facts.bits,
                 facts.has_alpha ? "" : ", without alpha");
        *to++ = (option_choice){.word = c->endings[0], .help = texts[i]};
    }
    add_containers(to);
    to = video_codec_choices;
    for (int i = 0; i < video_codec_count && i < FORMATS_MOST; i++)
        if (video_codecs[i].word)
            *to++ = (option_choice){.word = video_codecs[i].word, .help = video_codecs[i].help};
}

/* Writes ".png. Reads all kinds. Writes ...". */
static void describe_format(const codec *c, char *out, size_t size)
{
    const codec_facts f = codec_about(c);
    int used = snprintf(out, size, "%s.", f.endings);
    if (f.reads[0])
        used += snprintf(out + used, size - (size_t)used, " Reads %s.", f.reads);
    if (f.writes[0])
        used += snprintf(out + used, size - (size_t)used, " Writes %s; %s.", f.writes, f.bits);
    if (f.keeps[0])
        used += snprintf(out + used, size - (size_t)used, " Keeps %s.", f.keeps);
    if (f.map[0])
        snprintf(out + used, size - (size_t)used, " As a depth map: %s.", f.map);
}

const help_text *help_formats(void)
{
    static char texts[FORMATS_MOST][256];
    static help_text rows[FORMATS_MOST + 1];
    for (int i = 0; i < codec_count && i < FORMATS_MOST; i++) {
        describe_format(&codecs[i], texts[i], sizeof texts[i]);
        rows[i] = (help_text){codecs[i].name, texts[i]};
    }
    return rows;
}

/* --- Reports ---------------------------------------------------------------------------------- */

#define ROW(name, key, type, text) {key, text " (" type ")."},

const help_text *help_report(void)
{
    static const help_text rows[] = {REPORT_KEYS(ROW){0}};
    return rows;
}

const help_text *help_summary(void)
{
    static const help_text rows[] = {SUMMARY_KEYS(ROW){0}};
    return rows;
}
