#include "engine/source.h"

#include <string.h>

static const source_row rows[] = {
    {.role = SOURCE_INPUT, .option = OPT_COUNT, .words = "INPUT", .noun = "picture"},
    {.role = SOURCE_MAP,
     .option = OPT_DEPTH,
     .words = "--depth",
     .noun = "map",
     .may_be_embedded = true,
     .has_numbers = true},
    {.role = SOURCE_MAP,
     .option = OPT_DEPTH_DIR,
     .words = "--depth-dir",
     .noun = "map",
     .is_folder = true,
     .has_numbers = true},
    {.role = SOURCE_MAP,
     .option = OPT_DEPTH_PROCESS,
     .words = "--depth-process",
     .noun = "map",
     .is_program = true,
     .stays = true},
    {.role = SOURCE_MAP,
     .option = OPT_DEPTH_COMMAND,
     .words = "--depth-command",
     .noun = "map",
     .is_program = true},
    {.role = SOURCE_MAP, .option = OPT_RADIUS_MAP, .words = "--radius-map", .noun = "map"},
    {.role = SOURCE_MATTE,
     .option = OPT_MATTE,
     .words = "--matte",
     .noun = "matte",
     .may_be_embedded = true},
    {.role = SOURCE_MATTE,
     .option = OPT_MATTE_COMMAND,
     .words = "--matte-command",
     .noun = "matte",
     .is_program = true},
    {.role = SOURCE_PROTECT, .option = OPT_PROTECT, .words = "--protect", .noun = "mask"},
};

enum { ROWS = sizeof rows / sizeof *rows };

const char source_auto[] = "auto";
const char *const written_words[WRITTEN] = {"OUTPUT", "--histogram", "--dump-coc", "--focus-view"};

const source_row *source_row_of(const options *o, source_role role)
{
    const source_row *first = NULL;
    for (size_t i = 0; i < ROWS; i++) {
        if (rows[i].role != role || rows[i].is_program)
            continue;
        if (rows[i].option < OPT_COUNT && o->given[rows[i].option])
            return &rows[i];
        first = first ? first : &rows[i];
    }
    return first;
}

const source_row *source_program_of(const options *o, source_role role)
{
    for (size_t i = 0; i < ROWS; i++)
        if (rows[i].role == role && rows[i].is_program && o->given[rows[i].option])
            return &rows[i];
    return NULL;
}

const char *source_noun(source_role role)
{
    size_t i = 0;
    while (rows[i].role != role)
        i++;
    return rows[i].noun;
}

static bool is_word(const options *o, source_role role, const char *word)
{
    const char *const name = o->source[role];
    return name && source_row_of(o, role)->may_be_embedded && strcmp(name, word) == 0;
}

bool source_may_be_made(const options *o, source_role role)
{
    return is_word(o, role, source_auto);
}

bool source_is_embedded(const options *o, source_role role)
{
    return is_word(o, role, "embedded") || source_may_be_made(o, role);
}

bool source_is_part(const options *o, source_role role)
{
    const char *const name = o->source[role];
    return name && role != SOURCE_INPUT && role < SOURCES_EACH &&
           (strncmp(name, "track:", strlen("track:")) == 0 ||
            strncmp(name, "half:", strlen("half:")) == 0);
}

const char *source_file(const options *o, source_role role)
{
    return source_is_embedded(o, role) || source_is_part(o, role) ? NULL : o->source[role];
}

decode_settings source_settings(const options *o, source_role role)
{
    return (decode_settings){.choice = o->codec,
                             .max_pixels = o->max_pixels,
                             .gpu = NO_GPU,
                             .codes_only = role != SOURCE_INPUT,
                             .as_map = source_row_of(o, role)->has_numbers,
                             .channel = o->depth_channel,
                             .key = role == SOURCE_MAP ? o->depth_key : NULL};
}

void source_list_files(const options *o, run_files *files)
{
    for (source_role r = SOURCE_INPUT + 1; r < SOURCES; r++)
        run_files_read(files, source_file(o, r));
}
