/* Between the files of the page's core: the pictures that are open, in three sizes. */
#ifndef SATBLUR_APP_WEB_H
#define SATBLUR_APP_WEB_H

#include "codec/codec.h"
#include "embedded/embedded.h"
#include "image/pixels.h"
#include "image/shape.h"
#include "engine/options.h"

#include <stdbool.h>

/* QUICK answers a click at once, SCREEN fills a screen, FULL is the picture itself. */
typedef enum scene_size { SCENE_QUICK, SCENE_SCREEN, SCENE_FULL, SCENE_SIZES } scene_size;

typedef struct scene {
    picture photo[SCENE_SIZES], map[SCENE_SIZES]; /* map without data: none */
    metadata meta;                                /* of the photo */
    int width, height;                            /* of the photo as displayed */
    bool has_own;                                 /* the map lies within the photo's file */
    embedded_meaning own;                         /* of that map's codes */
} scene;

/* Reads the photo and its map: a file, or "embedded" for the map within the photo, which may have none. A scene for the full
 * size keeps no other, and the other way round, with at most `quick` pixels in the quick size. False: p has the line, and the
 * scene is empty. */
bool scene_open(scene *s, const char *photo, const char *map, bool full, double quick, problem *p);

/* Makes the quick size anew, of at most `quick` pixels. False: memory ran out, and p has the line. */
bool scene_quicken(scene *s, double quick, problem *p);

/* Returns whether the open photo has a map. */
bool scene_has_map(const scene *s);

void scene_close(scene *s);

/* Makes a copy of at most `most` pixels for picture_free(): pixels are means, numbers and codes of a map are single samples,
 * which belong to one surface. False: memory ran out. */
bool shrink_picture(const picture *from, double most, bool is_map, picture *to);

/* Returns an image as displayed, as dense RGBA of 8 bits for free(). NULL: memory ran out. The image is taken. */
uint8_t *shrink_to_rgba(satb_image *image, int orientation);

/* --- What the page calls ---------------------------------------------------------------------- */

/* Each of the first four returns 1, or 0 with a problem as the answer. lines: words, one a line, as of a command line; they
 * are cut in place. is_shown: the last result of web_show() in the full size was of these words, but for the output and its
 * quality. */
int web_open(const char *photo, const char *map, int full, double quick);
int web_show(int size, int view, char *lines);
int web_quicken(double quick);
int web_run(char *lines, int is_shown);

/* Returns the answer as a JSON object, valid until the next call: width, height, focus (null after web_open(): the photo has
 * no map, and --tilt-shift needs none), the pixel x and y that was focused on, radius (the largest), coloured (the map's
 * codes were read from its colours), unturned (the map is aligned with the stored picture), and notes, a text, or problem, an
 * object of json_problem(). */
const char *web_answer(void);

const uint8_t *web_rgba(void);

#endif
