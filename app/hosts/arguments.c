#include "hosts/arguments.h"

#include <dof_table.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PLACE(member)                       offsetof(satb_dof_params, member)
#define IS_WHOLE(type)                      ((type)0.5 == 0)
#define COUNT(name, type)                   ((int)(sizeof((satb_dof_params *)0)->name / sizeof(type)))
#define CHOICE(name, type, last, text, ...) {#name, PLACE(name), 1, true, 0, {__VA_ARGS__}},
#define NUMBER(name, type, l, h, z, preset, ...)                                                   \
    {#name, PLACE(name), 1, IS_WHOLE(type), preset, {0}},
#define OTHER(name, type, none, ...)                                                               \
    {#name, PLACE(name), COUNT(name, type), IS_WHOLE(type), none, {0}},

const argument dof_arguments[] = {
    SATB_DOF_CHOICES(CHOICE) SATB_DOF_NUMBERS(NUMBER)
        SATB_DOF_OTHERS(OTHER){"edge", PLACE(look.edge), 1, true, 0, {SATB_EDGE_WORDS}},
    {0}};

#define OF_BOX(member) offsetof(satb_box_params, member)
const argument box_arguments[] = {{"radius", OF_BOX(radius_x), 1, false, NAN, {0}},
                                  {"radius_y", OF_BOX(radius_y), 1, false, NAN, {0}},
                                  {"edge", OF_BOX(look.edge), 1, true, 0, {SATB_EDGE_WORDS}},
                                  {0}};

#define OF_CONFIG(member) offsetof(satb_config, member)
const argument config_arguments[] = {
    {"device", OF_CONFIG(device), 1, true, 0, {"auto", "cpu", "cuda"}},
    {"cuda_index", OF_CONFIG(cuda_index), 1, true, 0, {0}},
    {"threads", OF_CONFIG(threads), 1, true, 0, {0}},
    {0}};

void argument_set(const argument *row, int i, double value, void *in)
{
    void *const place = (char *)in + row->place;
    if (row->is_whole)
        ((int *)place)[i] = (int)value;
    else
        ((double *)place)[i] = value;
}

void arguments_clear(const argument *rows, void *in)
{
    for (; rows->name; rows++)
        for (int i = 0; i < rows->count; i++)
            argument_set(rows, i, rows->none, in);
}

bool argument_choose(const argument *row, const char *word, void *in, problem *p)
{
    char list[100] = "";
    for (int i = 0; i < 6 && row->words[i]; i++) {
        const size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", row->words[i]);
        if (strcmp(word, row->words[i]) == 0) {
            argument_set(row, 0, i, in);
            return true;
        }
    }
    return problem_set(p, "%s: '%.40s' is unknown; give one of: %s", row->name, word, list);
}

void dof_arguments_imply(satb_dof_params *p)
{
    const bool has_point = p->focus_x >= 0 || p->focus_y >= 0;
    p->scaled = p->near_scale != 1 || p->far_scale != 1;
    if (p->focus_mode == SATB_FOCUS_AUTO && (has_point || !isnan(p->focus)))
        p->focus_mode = has_point ? SATB_FOCUS_POINT : SATB_FOCUS_VALUE;
    if (p->strength == SATB_STRENGTH_DEFAULT && !isnan(p->max_radius))
        p->strength = SATB_STRENGTH_RADIUS;
    else if (p->strength == SATB_STRENGTH_DEFAULT && p->fstop > 0)
        p->strength = SATB_STRENGTH_LENS;
    if (isnan(p->max_radius))
        p->max_radius = 0;
}

void box_arguments_imply(satb_box_params *p)
{
    p->radius_y = isnan(p->radius_y) ? p->radius_x : p->radius_y;
}

static satb_image gray(void *data, int width, int height, int bits, int on_device)
{
    return (satb_image){.data = data,
                        .stride = (ptrdiff_t)width * bits / 8,
                        .width = width,
                        .height = height,
                        .channels = 1,
                        .bits = bits,
                        .on_device = on_device};
}

satb_status dof_arguments_check(satb_context *context, const satb_dof_params *p, int width,
                                int height)
{
    const size_t pixels = (size_t)width * (size_t)height;
    uint8_t *const blank = calloc(pixels, 3);
    if (!blank)
        return SATB_ERR_NOMEM;
    const satb_image coc = gray(blank, width, height, 16, 0);
    const satb_image src = gray(blank + 2 * pixels, width, height, 8, 0);
    const satb_status status = satb_coc(context, &src, &src, &coc, p, NULL);
    free(blank);
    return status;
}

satb_status box_arguments_check(satb_context *context, const satb_box_params *p)
{
    uint8_t pixel = 0;
    const satb_image one = gray(&pixel, 1, 1, 8, 0);
    return satb_box(context, &one, &one, p);
}

bool argument_fits(int width, int height, int map_width, int map_height)
{
    char none; /* of images on a device shapes alone are compared */
    const satb_image src = gray(&none, width, height, 8, 1);
    const satb_image map = gray(&none, map_width, map_height, 8, 1);
    satb_judgement j;
    return satb_judge_map(&src, &map, NULL, &j) == SATB_OK &&
           !(j.signs & (SATB_SIGN_TURNED | SATB_SIGN_STRETCHED));
}
