#include "job/keep_step.h"

#include "image/orientation.h"
#include "image/shape.h"
#include "job/map_numbers.h"
#include "job/view.h"

static bool is_wanted(const picture_job *j)
{
    return j->o->given[OPT_KEEP_DEPTH] && j->o->given[OPT_DEPTH] && j->o->output && !j->is_frame;
}

/* Copies the codes of the map's first channel, with 0 as the nearest one. False: memory ran out. */
static bool copy_codes(const satb_image *map, bool near_black, satb_image *image)
{
    const size_t width = (size_t)map->width;
    const unsigned turn = near_black ? 0 : map->bits == 16 ? UINT16_MAX : UINT8_MAX;
    *image =
        (satb_image){.width = map->width, .height = map->height, .channels = 1, .bits = map->bits};
    const bool done = pixels_make(image, NULL);
    for (int y = 0; done && y < map->height; y++) {
        const uint8_t *const row = (const uint8_t *)map->data + y * map->stride;
        uint8_t *const to = (uint8_t *)image->data + y * image->stride;
        for (size_t x = 0; x < width; x++) {
            const unsigned code = picture_sample(map, row, x * (size_t)map->channels) ^ turn;
            if (image->bits == 16)
                ((uint16_t *)(void *)to)[x] = (uint16_t)code;
            else
                to[x] = (uint8_t)code;
        }
    }
    return done;
}

bool keep_step_take(picture_job *j, problem *p)
{
    const engine_request *const q = &j->request;
    const satb_dof_params *const dof = &q->dof;
    satb_image map;
    if (!is_wanted(j) || (j->format && codec_metadata(j->format) != METADATA_JPEG))
        return true;
    if (!view_open(&q->map, &map, j->o->map, p))
        return false;
    const bool done = copy_codes(&map, dof->near_black, &j->kept);
    j->kept_means = (embedded_meaning){.type = dof->depth_type,
                                       .near_black = dof->near_black,
                                       .distance_near = dof->distance_near,
                                       .distance_far = dof->distance_far,
                                       .holes = map_holes(dof, &map),
                                       .range_low = dof->range_low,
                                       .range_high = dof->range_high};
    view_close(&q->map, &map);
    return done || problem_set_kind(p, PROBLEM_MEMORY, "%s: not enough memory to keep its map",
                                    j->o->input);
}

bool keep_step_describe(picture_job *j, problem *p)
{
    const bool asked = options_ask(j->o, OPT_KEEP_DEPTH); /* not by the configuration file */
    const bool is_own = j->own_names[SOURCE_MAP] && !j->made_by;
    problem inner;
    if (!is_wanted(j))
        return true;
    if (codec_metadata(j->format) != METADATA_JPEG)
        return !asked ||
               problem_set(p,
                           "%s: --keep-depth stores the map in JPEG files alone; name OUTPUT .jpg "
                           "(of a folder: --format jpg), or leave out --keep-depth",
                           j->o->output);
    if (embedded_describe(&j->meta, &j->kept_means, is_own, &inner))
        return true;
    pixels_drop(&j->kept);
    if (asked || inner.kind == PROBLEM_MEMORY)
        return problem_at(p, j->o->input, &inner);
    message_note(j->o->given[OPT_QUIET], "%s: %s", j->o->input, inner.text);
    return true;
}

bool keep_step_write(picture_job *j, problem *p)
{
    enum { COMPRESSION = 6 };
    blob png = {0};
    const encode_settings settings = {.compression = COMPRESSION,
                                      .threads = j->o->engine.threads,
                                      .choice =
                                          j->o->codec == CODEC_PLAIN ? CODEC_PLAIN : CODEC_FAST};
    sink to = {.write = blob_write, .user = &png};
    problem inner;
    if (!j->kept.data)
        return true;
    problem_set_kind(&inner, PROBLEM_MEMORY, "not enough memory to keep its map");
    const codec *const format = codec_by_word("png", &inner);
    bool done = format && orientation_apply(&j->kept, j->orientation) &&
                codec_encode(format, &j->kept, &settings, &to, &inner);
    pixels_drop(&j->kept);
    done = done && !png.failed && embedded_add(&j->meta, &png);
    blob_free(&png);
    return done || problem_at(p, j->o->output, &inner);
}
