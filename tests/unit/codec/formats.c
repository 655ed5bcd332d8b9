/* The manual's table of formats has the row of each format of this build, as the table of formats makes it: formats PAGE. Prints
 * the rows that the page lacks, to be copied into it, and those that it has beyond. */
#include "codec/codec_about.h"
#include "codec/codec_table.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { LINES = 400, LENGTH = 512 };

static char page[LINES][LENGTH];
static int lines;

static bool read_page(const char *name)
{
    FILE *const from = fopen(name, "r");
    while (from && lines < LINES && fgets(page[lines], LENGTH, from))
        page[lines][strcspn(page[lines], "\n")] = '\0', lines++;
    return from && fclose(from) == 0 && lines > 0 && lines < LINES;
}

/* Writes the endings as the page does: "`.jpg`, `.jpeg`". */
static void mark_endings(const codec *c, char *out, size_t size)
{
    size_t used = 0;
    for (int i = 0; i < CODEC_ENDINGS && c->endings[i]; i++)
        used += (size_t)snprintf(out + used, size - used, "%s`.%s`", i ? ", " : "", c->endings[i]);
}

static void make_row(const codec *c, char *out)
{
    const codec_facts f = codec_about(c);
    char endings[64];
    mark_endings(c, endings, sizeof endings);
    snprintf(out, LENGTH, "| %s | %s | %s | %s | %s | %s | %s |", c->name, endings, f.reads,
             f.writes, f.bits, f.map, f.keeps);
}

static bool page_has(const char *row)
{
    for (int i = 0; i < lines; i++)
        if (strcmp(page[i], row) == 0)
            return true;
    return false;
}

/* Returns whether a line is a row of the table: its second cell is an ending. */
static bool is_row(const char *line)
{
    const char *const cell = strncmp(line, "| ", 2) == 0 ? strstr(line + 2, " | `.") : NULL;
    return cell && strchr(line + 2, '|') == cell + 1;
}

static bool is_whole_build(void)
{
    for (int i = 0; i < foreign_count; i++)
        if (foreign_formats[i].is_optional)
            return false;
    return true;
}

int main(int argc, char **argv)
{
    int missing = 0, rows = 0;
    if (argc != 2 || !read_page(argv[1]))
        return fprintf(stderr, "formats PAGE\n"), 2;
    for (int i = 0; i < codec_count; i++) {
        char row[LENGTH];
        make_row(&codecs[i], row);
        if (!page_has(row)) {
            printf("the page lacks: %s\n", row);
            missing++;
        }
    }
    for (int i = 0; i < lines; i++)
        rows += is_row(page[i]);
    printf("%d formats, %d rows in the page\n", codec_count, rows);
    return missing || (is_whole_build() ? rows != codec_count : rows < codec_count);
}
