/* The files that a run reads, and the names of those that it writes: what the program knows of each role. A new role is a
 * name in engine/options.h, a row in source.c, and its use. */
#ifndef SATBLUR_APP_SOURCE_H
#define SATBLUR_APP_SOURCE_H

#include "base/run_files.h"
#include "engine/options.h"

typedef struct source_row {
    source_role role;
    int option;        /* that names the file; OPT_COUNT: INPUT */
    const char *words; /* for the option */
    const char *noun;  /* for the picture */
    bool is_program;   /* the option is a command that makes the picture */
    bool stays;        /* the program stays, and speaks the protocol of doc/map-programs.md */
    bool is_folder;    /* of the pictures for a folder's */
    /* The name "embedded" stands for a picture within each photo, "auto" for that or a program's. */
    bool may_be_embedded;
    bool has_numbers; /* or codes, as a depth map has */
} source_row;

/* Returns the role's row that is no program's; of two that share a role, the one whose option is given. */
const source_row *source_row_of(const options *o, source_role role);

/* Returns the row of the program that makes the role's pictures. NULL: no option names one. */
const source_row *source_program_of(const options *o, source_role role);

/* Returns the word for the role's picture in messages: "map", "matte", "mask". */
const char *source_noun(source_role role);

/* The name of a picture that each photo brings, or that a program makes. */
extern const char source_auto[];

/* Returns whether the role's picture is made by a program where a photo has none. */
bool source_may_be_made(const options *o, source_role role);

/* Returns whether the role's picture lies within each photo, or is made of it. */
bool source_is_embedded(const options *o, source_role role);

/* Returns the name of the role's file or folder. NULL: there is none, or its picture comes with each photo. */
const char *source_file(const options *o, source_role role);

/* Returns whether the role's picture is a part of INPUT, which is a clip: "track:2" or "half:right". */
bool source_is_part(const options *o, source_role role);

/* Returns how the role's file is decoded, into the host's memory. */
decode_settings source_settings(const options *o, source_role role);

/* Adds the files that the options name, but not INPUT: it may be a folder, or OUTPUT itself. */
void source_list_files(const options *o, run_files *files);

/* The words for the files of options.written, in messages. */
extern const char *const written_words[WRITTEN];

#endif
