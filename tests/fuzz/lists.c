/* Reads any bytes as the texts of a batch: the list of finished items (.satblur.done), --files-from, shards. The first
 * byte selects one. */
#include "batch/batch_list.h"
#include "batch/batch_manifest.h"
#include "batch/batch_walk.h"
#include "cli/args_read.h"
#include "fuzz/fuzz.h"

#include <unistd.h>

/* Returns the input as a string, for free(). */
static char *text_of(const feed *f)
{
    char *text = malloc(f->size + 1);
    CHECK(text);
    memcpy(text, f->data, f->size);
    text[f->size] = '\0';
    return text;
}

/* --- .satblur.done ---------------------------------------------------------------------------- */

static void parse_line(const char *line)
{
    manifest_entry e, again;
    if (!manifest_parse(line, &e))
        return;
    char *written = manifest_line(&e);
    CHECK(written && manifest_parse(written, &again));
    CHECK(strcmp(e.relative, again.relative) == 0 && e.signature == again.signature);
    CHECK(e.from.input.size == again.from.input.size && e.output.seconds == again.output.seconds);
    free(written);
    free(again.relative);
    free(e.relative);
}

/* Gives the text a right checksum, which a mutated line hardly ever has. */
static void parse_with_sum(const char *text)
{
    uint64_t h = 0xcbf29ce484222325u;
    for (const char *c = text; *c; c++)
        h = (h ^ (unsigned char)*c) * 0x100000001b3u;
    char *line = text_new("%s %016llx\n", text, (unsigned long long)h);
    CHECK(line);
    parse_line(line);
    free(line);
}

static void write_and_parse(feed *f)
{
    const manifest_entry e = {
        .signature = take(f, 4),
        .from.input = {(int32_t)take(f, 4), (int32_t)take(f, 4), (long)choose(f, 1000000000),
                       take(f, 4)},
        .output = {(int32_t)take(f, 4), (int32_t)take(f, 4), (long)choose(f, 1000000000), 0},
        .relative = text_of(f)};
    char *line = manifest_line(&e);
    manifest_entry again;
    CHECK(line && strchr(line, '\n') == line + strlen(line) - 1);
    if (e.relative[0]) { /* an output has a name */
        CHECK(manifest_parse(line, &again));
        CHECK(strcmp(e.relative, again.relative) == 0 &&
              e.from.input.size == again.from.input.size);
        CHECK(e.output.nanoseconds == again.output.nanoseconds);
        free(again.relative);
    }
    free(line);
    free(e.relative);
}

/* --- --files-from ----------------------------------------------------------------------------- */

/* Follows a name step by step. False: it leaves the folder. */
static bool stays_inside(const char *name)
{
    int depth = 0;
    if (name[0] == '/')
        return false;
    for (const char *part = name; *part;) {
        const size_t length = strcspn(part, "/");
        if (length == 2 && strncmp(part, "..", 2) == 0)
            depth--;
        else if (length > 0 && !(length == 1 && part[0] == '.'))
            depth++;
        if (depth < 0)
            return false;
        part += length + (part[length] == '/');
    }
    return true;
}

static void check_name(const char *name, const paths *all)
{
    const batch_naming naming = {.kind = "depth", .word = "map", .remedy = "", .among = true};
    char *map, *fault;
    char *relative = batch_output_name(name, "_x", "png");
    CHECK(relative && strlen(relative) >= 6);
    CHECK(batch_outside(name) || stays_inside(name));
    CHECK(batch_outside(name) || stays_inside(relative));
    CHECK(batch_find_companion(name, all, &naming, &map, &fault) && !map != !fault);
    CHECK(!map || strcmp(all->at[paths_from(all, map)], map) == 0);
    free(map);
    free(fault);
    free(relative);
}

static void read_list(const feed *f)
{
    static FILE *file;
    char path[64];
    paths list = {0};
    problem p;
    if (!file)
        file = tmpfile();
    CHECK(file && ftruncate(fileno(file), 0) == 0);
    CHECK(pwrite(fileno(file), f->data, f->size, 0) == (ssize_t)f->size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fileno(file));
    CHECK(walk_list(path, &list, &p));
    paths_sort(&list);
    for (size_t i = 0; i < list.count; i++) {
        CHECK(list.at[i][0] && (i == 0 || strcmp(list.at[i - 1], list.at[i]) < 0));
        if (i < 50)
            check_name(list.at[i], &list);
    }
    paths_free(&list);
}

/* --- Shards ----------------------------------------------------------------------------------- */

static void shard(const feed *f)
{
    options o = {0};
    char *text = text_of(f);
    if (strcmp(text, "slurm") != 0 && read_shard(NULL, &o, text)) {
        CHECK(o.shard >= 1 && o.shard <= o.shards && o.shards <= 1 << 24);
        int takers = 0;
        for (int i = 1; i <= o.shards && o.shards <= 100; i++)
            takers += batch_in_shard((size_t)o.shard * 7, i, o.shards);
        CHECK(takers == (o.shards <= 100));
    }
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    feed f = {data, size};
    char *text;
    switch (take(&f, 1) % 4) {
    case 0:
        text = text_of(&f);
        parse_line(text);
        parse_with_sum(text);
        free(text);
        break;
    case 1: write_and_parse(&f); break;
    case 2: read_list(&f); break;
    default: shard(&f);
    }
    return 0;
}
