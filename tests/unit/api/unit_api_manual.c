/* The text of satblur.h is true: its version, and the ranges and defaults beside the numbers of satb_dof_params, which a table
 * has. */
#include "unit/unit.h"

#include <dof_table.h>

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static char header[1 << 16];

static void version_is_one(void **state)
{
    char text[32];
    snprintf(text, sizeof text, "%d.%d.%d", SATB_VERSION / 1000000, SATB_VERSION / 1000 % 1000,
             SATB_VERSION % 1000);
    assert_string_equal(satb_version(), text);
    assert_string_equal(BUILD_VERSION, text); /* of the soname, the packages and satblur.pc */
    assert_true(SATB_VERSION_NUMBER(0, 10, 0) > SATB_VERSION_NUMBER(0, 9, 999));
}

/* Returns the line of satb_dof_params that declares a member, or NULL. */
static const char *line_of(const char *name, const char *type)
{
    char wanted[64];

    snprintf(wanted, sizeof wanted, " %s", name);
    for (const char *line = strstr(header, "typedef struct satb_dof_params {");
         line && *line != '}'; line = strchr(line, '\n') + 1) {
        const char *const found = strstr(line, wanted), *const end = strchr(line, ';');
        if (strncmp(line + strspn(line, " "), type, strlen(type)) == 0 && found && found < end &&
            strchr(",;", found[strlen(wanted)]))
            return line;
    }
    return NULL;
}

/* Copies the comment of a member in one line: the one behind it, or the one that ends in the line above. */
static void find_comment(const char *name, const char *type, char comment[1024])
{
    const char *const line = line_of(name, type);
    size_t length = 0;

    if (!line)
        fail_msg("the header has no %s", name);
    const char *const end = strchr(line, ';') + 1, *const behind = end + strspn(end, " ");
    const char *from = *behind == '/' ? behind + 2 : line - 1;
    while (strncmp(from - 2, "/*", 2) != 0)
        from--;
    for (; strncmp(from, "*/", 2) != 0 && length < 1023; from++) {
        const int is_blank = isspace((unsigned char)*from) || *from == '*';
        if (!is_blank || (length > 0 && comment[length - 1] != ' '))
            comment[length++] = is_blank ? ' ' : *from;
    }
    comment[length] = '\0';
}

/* Returns whether a text has these words, which are no part of longer numbers. */
static int says(const char *text, const char *words)
{
    for (const char *at = strstr(text, words); at; at = strstr(at + 1, words)) {
        const char *const end = at + strlen(words);
        const int goes_on = *end == '.' ? isdigit((unsigned char)end[1])
                                        : isalnum((unsigned char)*end) || *end == '_';
        if ((at == text || at[-1] == ' ' || *words == ';') && !goes_on)
            return 1;
    }
    return 0;
}

typedef struct row {
    const char *name, *type, *range;
    int zero;
    double preset;
} row;

/* Each range is in the words of the table, "low .. high", and so is a default that zero means. */
static void ranges_are_those_of_the_table(void **state)
{
#define ROW(name, type, low, high, zero, preset, ...)                                              \
    {#name, #type " ", #low " .. " #high, zero, preset},
    static const row rows[] = {SATB_DOF_NUMBERS(ROW)};
    for (const row *r = rows; r < rows + sizeof rows / sizeof *rows; r++) {
        char comment[1024], zero[32];
        find_comment(r->name, r->type, comment);
        if (!says(comment, r->range))
            fail_msg("%s is %s by the table, and the header says: %s", r->name, r->range, comment);
        snprintf(zero, sizeof zero, r->preset == 0 ? "; 0: none" : "; 0 = %g", r->preset);
        if (r->zero && !says(comment, zero))
            fail_msg("%s lacks \"%s\" in the header: %s", r->name, zero, comment);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT(version_is_one),
        UNIT(ranges_are_those_of_the_table),
    };
    FILE *const file = fopen(SATB_HEADER, "r");

    if (!file || fread(header, 1, sizeof header - 1, file) == 0 || !feof(file))
        return 1;
    fclose(file);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
