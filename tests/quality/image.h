// PNG output.
#ifndef QUALITY_IMAGE_H
#define QUALITY_IMAGE_H

#include <stddef.h>
#include <stdint.h>

uint8_t srgb_byte(float linear);

// Eight-bit RGB or 16-bit gray (host byte order). The program ends when a file cannot be written.
void write_rgb(const char *path, const uint8_t *pixels, int width, int height);
void write_gray16(const char *path, const uint16_t *pixels, int width, int height);

#endif
