#include "job/keep_step.h"

#include "image/orientation.h"
#include "image/shape.h"
#include "job/map_numbers.h"
#include "job/view.h"

#include <math.h>
#include <string.h>

static bool is_wanted(const picture_job *j)
{
    return j->o->given[OPT_KEEP_DEPTH] && j->o->given[OPT_DEPTH] && j->o->output && !j->is_frame;
}

bool keep_step_accept(const picture_job *j, problem *p)
{
    if (!is_wanted(j) || !j->format || codec_metadata(j->format) == METADATA_JPEG ||
        !options_ask(j->o, OPT_KEEP_DEPTH)) /* the configuration file is for all formats */
        return true;
    return problem_set(p,
                       "%s: --keep-depth stores the map in JPEG files alone; name OUTPUT .jpg (of "
                       "a folder: --format jpg), or leave out --keep-depth",
                       j->o->output);
}

static bool no_memory(const picture_job *j, problem *p)
{
    return problem_set_kind(p, PROBLEM_MEMORY, "%s: not enough memory to keep its map",
                            j->o->input);
}

/* Returns the code to store for one of the map's, as the map's near end has it. Codes of a range are stretched to `most`. */
static unsigned stored_code(const satb_dof_params *dof, unsigned code, unsigned full, unsigned most)
{
    const bool may_miss = dof->holes == SATB_HOLES_FILL, is_hole = code == 0;
    const double z = (double)code / full, span = dof->range_high - dof->range_low;
    if (is_hole && (dof->holes == SATB_HOLES_FAR || dof->holes == SATB_HOLES_NEAR))
        return (dof->holes == SATB_HOLES_FAR) == (dof->near_black != 0) ? most : 0;
    if (span == 0 || (is_hole && may_miss))
        return code;
    const double stretched = fmin(1, fmax(0, (z - dof->range_low) / span));
    return (unsigned)fmax(may_miss, floor(stretched * most + 0.5));
}

/* Fills the image with the stored codes of the map's first channel. */
static void fill(const satb_image *map, const uint16_t *codes, satb_image *image)
{
    for (int y = 0; y < map->height; y++) {
        const uint8_t *const row = (const uint8_t *)map->data + y * map->stride;
        uint8_t *const to = (uint8_t *)image->data + y * image->stride;
        for (size_t x = 0; x < (size_t)map->width; x++) {
            const uint16_t code = codes[picture_sample(map, row, x * (size_t)map->channels)];
            if (image->bits == 16)
                ((uint16_t *)(void *)to)[x] = code;
            else
                to[x] = (uint8_t)code;
        }
    }
}

/* Stores the map in an image of its size, 0 being nearest. 8 bits stay unless a range is stretched. False: memory ran out. */
static bool store(const satb_image *map, const satb_dof_params *dof, satb_image *image)
{
    const unsigned full = map->bits == 16 ? UINT16_MAX : UINT8_MAX;
    const bool is_wide = map->bits == 16 || dof->range_high > 0;
    const unsigned most = is_wide ? UINT16_MAX : UINT8_MAX;
    uint16_t *const codes = pixels_allocate((full + 1) * sizeof *codes);
    *image = (satb_image){.width = map->width,
                          .height = map->height,
                          .stride = (ptrdiff_t)map->width * (is_wide ? 2 : 1),
                          .channels = 1,
                          .bits = is_wide ? 16 : 8};
    image->data = codes ? pixels_allocate(picture_bytes(image)) : NULL;
    for (unsigned i = 0; image->data && i <= full; i++) {
        const unsigned code = stored_code(dof, i, full, most);
        codes[i] = (uint16_t)(dof->near_black ? code : most - code);
    }
    if (image->data)
        fill(map, codes, image);
    pixels_free(codes);
    return image->data != NULL;
}

bool keep_step_take(picture_job *j, problem *p)
{
    const engine_request *const q = &j->request;
    satb_dof_params dof = q->dof;
    satb_image map;
    if (!is_wanted(j))
        return true;
    if (!view_open(&q->map, &map, j->o->map, p))
        return false;
    dof.holes = map_holes(&dof, &map);
    const bool begins_at_1 = dof.range_low == 1.0 / UINT16_MAX && dof.range_high == 1;
    if (begins_at_1)
        dof.range_low = dof.range_high = 0;
    const bool done = store(&map, &dof, &j->kept.image);
    view_close(&q->map, &map);
    j->kept.means = (embedded_meaning){.type = dof.depth_type,
                                       .near_black = dof.near_black,
                                       .distance_near = dof.distance_near,
                                       .distance_far = dof.distance_far,
                                       .holes = dof.holes,
                                       .begins_at_1 = begins_at_1};
    return done || no_memory(j, p);
}

static bool collect(void *user, const void *data, size_t size)
{
    return blob_add(user, data, size);
}

/* Encodes the map as the output's pixels lie. */
static bool encode(picture_job *j, blob *png, problem *p)
{
    enum { COMPRESSION = 6 };
    const encode_settings settings = {.compression = COMPRESSION,
                                      .threads = j->o->engine.threads,
                                      .choice =
                                          j->o->codec == CODEC_PLAIN ? CODEC_PLAIN : CODEC_FAST};
    const codec *const format = codec_by_word("png", p);
    sink to = {.write = collect, .user = png};
    return format && orientation_apply(&j->kept.image, j->orientation) &&
           codec_encode(format, &j->kept.image, &settings, &to, p) && !png->failed;
}

/* Returns whether INPUT's file may be stored as it is. */
static bool accept_original(const picture_job *j, problem *p)
{
    const bytes file = blob_view(&j->input.file);
    const bool fits = file.size > 8 && (memcmp(file.data, "\xff\xd8\xff", 3) == 0 ||
                                        memcmp(file.data, "\x89PNG", 4) == 0);
    return !j->o->keep_original || fits ||
           problem_set(p,
                       "%s: --keep-depth=original stores JPEG and PNG files alone; convert it to "
                       "one of them, or give --keep-depth",
                       j->o->input);
}

static bool write_map(picture_job *j, const blob *png, problem *p)
{
    const embedded_kept kept = {
        .map = blob_view(png), .means = j->kept.means, .original = blob_view(&j->input.file)};
    problem inner;
    if (embedded_keep(&j->meta, &kept, &inner))
        return true;
    return inner.kind == PROBLEM_MEMORY
               ? no_memory(j, p)
               : problem_set(p, "%s: %s, like a depth map; remove it, or leave out --keep-depth",
                             j->o->input, inner.text);
}

bool keep_step_write(picture_job *j, problem *p)
{
    blob png = {0};
    const satb_image *const image = &j->kept.image;
    if (!image->data || codec_metadata(j->format) != METADATA_JPEG)
        return true;
    if (!accept_original(j, p))
        return false;
    const bool done = encode(j, &png, p) ? write_map(j, &png, p) : no_memory(j, p);
    message_note(!done || !j->o->given[OPT_VERBOSE],
                 "%s: keeps its depth map, %d x %d pixels of %d bits", j->o->output, image->width,
                 image->height, image->bits);
    blob_free(&png);
    pixels_drop(&j->kept.image);
    pixels_free(j->input.file.data);
    j->input.file = (blob){0};
    return done;
}
