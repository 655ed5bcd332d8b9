// PNG and PFM output.
#ifndef QUALITY_IMAGE_H
#define QUALITY_IMAGE_H

#include <stddef.h>
#include <stdint.h>

// sRGB codes of linear light, clipped to [0, 1].
uint8_t srgb_byte(float linear);
uint16_t srgb_word(float linear);

// Gray or RGB (1 or 3 channels) of 8 or 16 bits (host byte order). The program ends when a file
// cannot be written.
void write_png(const char *path, const void *pixels, int width, int height, int channels, int bits);
void write_rgb(const char *path, const uint8_t *pixels, int width, int height);
// RGB of linear light.
void write_pfm(const char *path, const float *rgb, int width, int height);
void write_gray16(const char *path, const uint16_t *pixels, int width, int height);

#endif
