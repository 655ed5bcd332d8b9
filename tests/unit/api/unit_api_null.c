/* Each pointer of each public function, NULL in turn: a status or a default, never a crash. The header is read, so that no
 * function and no pointer is left out. */
#include "unit/api/api_case.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { SIDE = 4, COUNT = 16, LARGEST = 1 << 17 };

static satb_image src, depth, dst, radii;
static uint32_t words[COUNT], values[COUNT];

/* --- The functions ---------------------------------------------------------------------------- */

/* Returns the pointer, or NULL if it is the one that is missing. */
#define P(index, pointer) (missing == (index) ? NULL : (pointer))

static satb_status call_open(int missing)
{
    satb_context *context = NULL;
    const satb_config config = {.device = SATB_DEVICE_CPU};
    const satb_status status = satb_open(P(0, &context), P(1, &config));
    assert_true((status == SATB_OK) == (satb_open_message()[0] == '\0'));
    satb_close(&context);
    return status;
}

static satb_status call_close(int missing)
{
    satb_context *context = NULL;
    satb_close(P(0, &context));
    return SATB_OK;
}

static satb_status call_trim(int missing)
{
    satb_trim(P(0, cpu));
    return SATB_OK;
}

static satb_status call_limit_bands(int missing)
{
    satb_limit_bands(P(0, cpu), 0);
    return SATB_OK;
}

static satb_status call_set_stream(int missing)
{
    return satb_set_stream(P(0, cpu), missing == 1 ? NULL : SATB_OWN_STREAM);
}

static satb_status call_describe(int missing)
{
    return strlen(satb_describe(P(0, cpu))) > 0 ? SATB_OK : SATB_ERR_ARG;
}

static satb_status call_is_cuda(int missing)
{
    assert_int_equal(satb_is_cuda(P(0, cpu)), 0);
    return SATB_OK;
}

static satb_status call_last_message(int missing)
{
    assert_non_null(satb_last_message(P(0, cpu)));
    return missing == 0 && strlen(satb_last_message(NULL)) == 0 ? SATB_ERR_DEVICE : SATB_OK;
}

static satb_status call_last_timings(int missing)
{
    assert_true(satb_last_timings(P(0, cpu)).ms[SATB_STAGE_UPLOAD] >= 0);
    return SATB_OK;
}

static satb_status call_last_memory(int missing)
{
    assert_int_equal(satb_last_memory(P(0, cpu)).bands, 1);
    return SATB_OK;
}

static satb_status call_pin(int missing)
{
    return missing == 0 ? satb_pin(NULL, 1) : SATB_OK;
}

static satb_status call_unpin(int missing)
{
    if (missing == 0)
        satb_unpin(NULL);
    return SATB_OK;
}

static satb_status call_box(int missing)
{
    const satb_box_params params = {1, 1, {0}};
    return satb_box(P(0, cpu), P(1, &src), P(2, &dst), P(3, &params));
}

static satb_status call_blur_map(int missing)
{
    const satb_map_params params = {.max_radius = 2};
    return satb_blur_map(P(0, cpu), P(1, &src), P(2, &depth), P(3, &dst), P(4, &params));
}

static satb_status call_dof(int missing)
{
    const satb_dof_params params = {.strength = SATB_STRENGTH_RADIUS, .max_radius = 2};
    satb_dof_report report;
    return satb_dof(P(0, cpu), P(1, &src), P(2, &depth), P(3, &dst), P(4, &params), P(5, &report));
}

static satb_status call_coc(int missing)
{
    const satb_dof_params params = {.strength = SATB_STRENGTH_RADIUS, .max_radius = 2};
    satb_dof_report report;
    return satb_coc(P(0, cpu), P(1, &src), P(2, &depth), P(3, &radii), P(4, &params),
                    P(5, &report));
}

static satb_status call_depth_codes(int missing)
{
    const float numbers[COUNT] = {1, 2, 3};
    const satb_codes_params params = {.unit = 1};
    uint16_t codes[COUNT];
    satb_codes_report report;
    return satb_depth_codes(P(0, numbers), COUNT, P(1, &params), P(2, codes), P(3, &report));
}

static satb_status call_judge_map(int missing)
{
    const satb_colours colours = {0};
    const satb_judge_params params = {.colours = &colours};
    satb_judgement judgement;
    return satb_judge_map(P(0, &src), P(1, &depth), P(2, &params), P(3, &judgement));
}

static satb_status call_map_colours(int missing)
{
    satb_colours colours;
    return satb_map_colours(P(0, &src), P(1, &colours));
}

static satb_status call_are_alike(int missing)
{
    return satb_are_alike(P(0, &src), P(1, &src), 1, 0) ? SATB_OK : SATB_ERR_ARG;
}

static satb_status call_table(int missing)
{
    uint32_t table[SIDE * SIDE * 3];
    return satb_table(P(0, cpu), P(1, &src), 32, P(2, table));
}

static satb_status call_measure(int missing)
{
    satb_channel_stats stats[4];
    return satb_measure(P(0, cpu), P(1, &src), P(2, stats));
}

static satb_status call_measure_luminance(int missing)
{
    satb_channel_stats stats;
    return satb_measure_luminance(P(0, cpu), P(1, &src), P(2, &stats));
}

static satb_status call_equalize(int missing)
{
    return satb_equalize(P(0, cpu), P(1, &src), P(2, &dst));
}

static satb_status call_reduce(int missing)
{
    uint64_t result;
    return satb_reduce(P(0, cpu), P(1, words), COUNT, SATB_REDUCE_SUM, P(2, &result));
}

static satb_status call_scan(int missing)
{
    const satb_scan_params params = {.word_bits = 32};
    return satb_scan(P(0, cpu), P(1, words), P(2, values), COUNT, P(3, &params));
}

static satb_status call_compact(int missing)
{
    uint64_t indices[COUNT];
    size_t kept;
    return satb_compact(P(0, cpu), P(1, words), COUNT, 0, 9, P(2, values), P(3, indices),
                        P(4, &kept));
}

static satb_status call_sort(int missing)
{
    return satb_sort(P(0, cpu), P(1, words), P(2, values), COUNT, 32);
}

/* The functions with pointers, and what each pointer's absence gives: '!' is ARG, '-' is OK, '?' is UNAVAILABLE. */
static const struct row {
    const char *name;
    satb_status (*call)(int missing); /* below 0: none is */
    const char *answers;
} rows[] = {
    {"satb_open", call_open, "!-"},
    {"satb_close", call_close, "-"},
    {"satb_trim", call_trim, "-"},
    {"satb_limit_bands", call_limit_bands, "-"},
    {"satb_set_stream", call_set_stream,
     "!!"}, /* NULL is CUDA's default stream, which a CPU has not */
    {"satb_describe", call_describe, "!"},
    {"satb_is_cuda", call_is_cuda, "-"},
    {"satb_last_message", call_last_message, "-"},
    {"satb_last_timings", call_last_timings, "-"},
    {"satb_last_memory", call_last_memory, "-"},
    {"satb_pin", call_pin, "?"},
    {"satb_unpin", call_unpin, "-"},
    {"satb_box", call_box, "!!!-"},
    {"satb_blur_map", call_blur_map, "!!!!-"},
    {"satb_dof", call_dof, "!!!!--"},
    {"satb_coc", call_coc, "!!!!--"},
    {"satb_depth_codes", call_depth_codes, "!---"},
    {"satb_judge_map", call_judge_map, "-!-!"},
    {"satb_map_colours", call_map_colours, "!!"},
    {"satb_are_alike", call_are_alike, "!!"},
    {"satb_table", call_table, "!!!"},
    {"satb_measure", call_measure, "!!!"},
    {"satb_measure_luminance", call_measure_luminance, "!!!"},
    {"satb_equalize", call_equalize, "!!!"},
    {"satb_reduce", call_reduce, "!!!"},
    {"satb_scan", call_scan, "!!!-"},
    {"satb_compact", call_compact, "!!!-!"},
    {"satb_sort", call_sort, "!!-"},
};

enum { ROWS = sizeof rows / sizeof *rows };

/* --- The tests -------------------------------------------------------------------------------- */

static void each_pointer(void **state)
{
    for (int r = 0; r < ROWS; r++) {
        assert_int_equal(rows[r].call(-1), SATB_OK);
        for (int i = 0; rows[r].answers[i]; i++) {
            const satb_status expected = rows[r].answers[i] == '!'   ? SATB_ERR_ARG
                                         : rows[r].answers[i] == '?' ? SATB_ERR_UNAVAILABLE
                                                                     : SATB_OK;
            if (rows[r].call(i) != expected)
                fail_msg("%s: pointer %d", rows[r].name, i);
        }
    }
}

/* Parameters that are NULL are zeros: no radius, and the default depth of field. */
static void defaults(void **state)
{
    const satb_image own = make(64, 48, 3, 8, 5), map = make(64, 48, 1, 8, 6);
    const satb_image one = make(64, 48, 3, 8, 7), two = make(64, 48, 3, 8, 8);
    const satb_dof_params zeros = {0};

    ok(satb_box(cpu, &own, &one, NULL));
    same(&own, &one);
    ok(satb_blur_map(cpu, &own, &map, &two, NULL));
    same(&own, &two);
    ok(satb_dof(cpu, &own, &map, &one, NULL, NULL));
    ok(satb_dof(cpu, &own, &map, &two, &zeros, NULL));
    same(&one, &two);
    assert_int_not_equal(memcmp(own.data, one.data, bytes_of(&own)), 0);
    const satb_image gone = {.width = 64, .height = 48, .channels = 1, .bits = 8, .stride = 64};
    assert_int_equal(satb_dof(cpu, &own, &gone, &one, NULL, NULL), SATB_ERR_ARG);
    const satb_dof_params matte = {.matte = &gone}, protect = {.protect = &gone};
    assert_int_equal(satb_dof(cpu, &own, &map, &one, &matte, NULL), SATB_ERR_ARG);
    assert_int_equal(satb_dof(cpu, &own, &map, &one, &protect, NULL), SATB_ERR_ARG);
}

/* Returns the number of '*' in the declaration of a function in the header, or -1. *next moves behind it. */
static int read_declaration(const char **next, char name[64])
{
    const char *const at = strstr(*next, "\nSATB_API ");
    if (!at)
        return -1;
    const char *const open = strchr(at, '('), *const end = strchr(at, ';');
    const char *first = open;
    int pointers = 0;
    while (isalnum((unsigned char)first[-1]) || first[-1] == '_')
        first--;
    snprintf(name, 64, "%.*s", (int)(open - first), first);
    for (const char *c = open; c < end; c++)
        pointers += *c == '*' && c[1] != '*'; /* ** is one parameter */
    *next = end;
    return pointers;
}

/* The table has every function of the header that takes a pointer, and each of its pointers. */
static void table_is_whole(void **state)
{
    static char header[LARGEST];
    FILE *const file = fopen(SATB_HEADER, "r");
    char name[64];
    int pointers, found = 0;

    assert_non_null(file);
    const size_t size = fread(header, 1, sizeof header - 1, file);
    assert_in_range(size, 1, sizeof header - 2);
    fclose(file);
    for (const char *next = header; (pointers = read_declaration(&next, name)) >= 0;) {
        int row = 0;
        if (pointers == 0)
            continue;
        while (row < ROWS && strcmp(rows[row].name, name) != 0)
            row++;
        if (row == ROWS || strlen(rows[row].answers) != (size_t)pointers)
            fail_msg("%s takes %d pointers, and the table has not all of them", name, pointers);
        found++;
    }
    assert_int_equal(found, ROWS);
}

static int make_images(void **state)
{
    src = make(SIDE, SIDE, 3, 8, 1);
    depth = make(SIDE, SIDE, 1, 8, 2);
    dst = make(SIDE, SIDE, 3, 8, 3);
    radii = make(SIDE, SIDE, 1, 16, 4);
    return set_up(state);
}

static int free_images(void **state)
{
    return tear_down(state);
}

UNIT_MAIN_WITHIN(make_images, free_images, UNIT(each_pointer), UNIT(defaults), UNIT(table_is_whole))
