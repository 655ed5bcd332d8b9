#include "program/hand_over.h"

#include "base/blob.h"
#include "base/guard.h"
#include "base/write_all.h"
#include "codec/codec.h"
#include "codec/convert.h"
#include "image/orientation.h"
#include "image/shrink.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* Sets the size of a copy with at most so many pixels on the longer side. */
static void fit(satb_image *shape, int most)
{
    const int64_t width = shape->width, height = shape->height;
    const int64_t longer = width > height ? width : height;
    if (longer <= most)
        return;
    shape->width = (int)((width * most + longer / 2) / longer);
    shape->height = (int)((height * most + longer / 2) / longer);
    shape->width += shape->width == 0;
    shape->height += shape->height == 0;
}

/* Replaces an image by one of RGB with 8 bits. is_lent: the pixels are somebody else's. */
static bool to_rgb(satb_image *image, bool is_lent, problem *p)
{
    satb_image rgb = {.width = image->width, .height = image->height, .channels = 3, .bits = 8};
    rgb.stride = 3 * (ptrdiff_t)rgb.width;
    const bool done = convert_pixels(image, &rgb, p);
    if (!is_lent)
        pixels_drop(image);
    *image = rgb;
    return done;
}

/* Light is made codes first, as the mean of few bright pixels would be white. */
bool hand_over_make(const satb_image *image, int orientation, int most, satb_image *out, problem *p)
{
    satb_image now = *image, small;
    if (image->half && !to_rgb(&now, true, p))
        return false;
    small = now;
    fit(&small, most);
    const bool done = shrink_image(&now, &small, false);
    if (image->half)
        pixels_drop(&now);
    if (!done)
        return problem_set(p, "not enough memory for a smaller picture");
    if (!image->half && !to_rgb(&small, false, p))
        return false;
    *out = small;
    if (orientation_apply(out, orientation))
        return true;
    pixels_drop(out);
    return problem_set(p, "not enough memory to rotate the picture");
}

static bool add_to_blob(void *user, const void *data, size_t size)
{
    return blob_add(user, data, size);
}

static bool write_new(const char *path, bytes file, problem *p)
{
    sigset_t old;
    guard_enter(&old);
    const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    guard_leave(&old);
    const bool written = fd >= 0 && write_all(fd, file.data, file.size);
    const int error = errno;
    if (fd >= 0)
        close(fd);
    return written ||
           problem_set(p, "the picture for it cannot be written: %s: %s", path, strerror(error));
}

bool hand_over_write(const satb_image *image, const char *path, problem *p)
{
    const codec *const png = codec_by_word("png", p);
    const encode_settings settings = {.compression = 1, .threads = 1};
    blob file = {0};
    sink to = {.write = add_to_blob, .user = &file};
    bool done = png && codec_encode(png, image, &settings, &to, p);
    if (done && to.failed)
        done = problem_set(p, "not enough memory to write the picture");
    done = done && write_new(path, blob_view(&file), p);
    blob_free(&file);
    return done;
}
