// The three pictures of a scene. Pixels are rows of RGB bytes, or of 16-bit gray.
#ifndef QUALITY_LENS_H
#define QUALITY_LENS_H

#include "quality/render/scene.h"

#include <stdint.h>

// With lens = 0 a pinhole picture, with lens = 1 one through the thin lens of the scene.
void render_image(const struct scene *scene, int samples, int lens, uint8_t *pixels);
// 65535 q at the pixel centres; returns how many of them had to be clamped to [0, 1].
int render_depth(const struct scene *scene, uint16_t *pixels);

#endif
