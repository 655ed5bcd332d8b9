#include "format/tiff_file.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Messages --------------------------------------------------------------------------------- */

static void keep_text(char text[160], const char *format, va_list list)
    __attribute__((format(printf, 2, 0)));

static void keep_text(char text[160], const char *format, va_list list)
{
    vsnprintf(text, 160, format, list);
    text[strcspn(text, "\r\n")] = '\0';
    const size_t length = strlen(text);
    if (length > 0 && text[length - 1] == '.')
        text[length - 1] = '\0';
}

/* Both return 1, which keeps libtiff's own handlers silent. */
static int take_error(TIFF *tiff, void *user, const char *module, const char *format, va_list list)
{
    tiff_file *const f = user;
    (void)tiff;
    (void)module;
    if (f->error[0] == '\0')
        keep_text(f->error, format, list);
    return 1;
}

static int take_warning(TIFF *tiff, void *user, const char *module, const char *format,
                        va_list list)
{
    tiff_file *const f = user;
    (void)tiff;
    (void)module;
    keep_text(f->warning, format, list);
    return 1;
}

/* Returns whether libtiff's words are about a kind that it does not read, and not about damage. */
static bool is_unusual(const char *error)
{
    static const char *const words[] = {"annot handle different", "not supported", "nsupported",
                                        "not implemented", "Sorry"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strstr(error, words[i]))
            return true;
    return false;
}

bool tiff_explain(const tiff_file *f, problem *p)
{
    if (strstr(f->error, "memory"))
        return problem_set(p, "not enough memory for this TIFF (%s)", f->error);
    if (is_unusual(f->error))
        return problem_set(p, "this kind of TIFF is not read here (%s); save it as RGB", f->error);
    return problem_set(p, "the TIFF is damaged%s%s%s; get a whole copy", f->error[0] ? " (" : "",
                       f->error, f->error[0] ? ")" : "");
}

/* --- Bytes ------------------------------------------------------------------------------------ */

static tmsize_t read_bytes(thandle_t user, void *to, tmsize_t size)
{
    tiff_file *const f = user;
    const bytes in = f->in.data ? f->in : blob_view(&f->out);
    const size_t left = f->at < in.size ? in.size - (size_t)f->at : 0;
    const size_t count = (size_t)size < left ? (size_t)size : left;
    if (size <= 0 || count == 0)
        return 0;
    memcpy(to, in.data + f->at, count);
    f->at += count;
    return (tmsize_t)count;
}

/* Bytes between the end and a place behind it become 0. */
static bool reach(tiff_file *f)
{
    static const uint8_t zeros[4096];
    while (f->out.size < f->at) {
        const uint64_t gap = f->at - f->out.size;
        if (!blob_add(&f->out, zeros, gap < sizeof zeros ? (size_t)gap : sizeof zeros))
            return false;
    }
    return true;
}

static tmsize_t write_bytes(thandle_t user, void *from, tmsize_t size)
{
    tiff_file *const f = user;
    const uint8_t *rest = from;
    if (f->in.data || size < 0 || !reach(f))
        return -1;
    const size_t over = f->out.size - (size_t)f->at;
    const size_t inside = (size_t)size < over ? (size_t)size : over;
    if (inside > 0)
        memcpy(f->out.data + f->at, rest, inside);
    if (!blob_add(&f->out, rest + inside, (size_t)size - inside))
        return -1;
    f->at += (uint64_t)size;
    return size;
}

static toff_t find_size(thandle_t user)
{
    const tiff_file *const f = user;
    return f->in.data ? f->in.size : f->out.size;
}

static toff_t seek_to(thandle_t user, toff_t offset, int from)
{
    tiff_file *const f = user;
    f->at = offset + (from == SEEK_CUR ? f->at : from == SEEK_END ? find_size(user) : 0);
    return f->at;
}

static int close_bytes(thandle_t user)
{
    (void)user;
    return 0;
}

/* libtiff reads from the file's own memory. */
static int map_bytes(thandle_t user, void **data, toff_t *size)
{
    tiff_file *const f = user;
    if (!f->in.data)
        return 0;
    *data = (void *)(uintptr_t)f->in.data;
    *size = f->in.size;
    return 1;
}

static void unmap_bytes(thandle_t user, void *data, toff_t size)
{
    (void)user;
    (void)data;
    (void)size;
}

/* --- Files ------------------------------------------------------------------------------------ */

static bool open_file(tiff_file *f, const char *mode, uint64_t most)
{
    TIFFOpenOptions *const options = TIFFOpenOptionsAlloc();
    if (!options) {
        snprintf(f->error, sizeof f->error, "out of memory");
        return false;
    }
    if (most > 0)
        TIFFOpenOptionsSetMaxSingleMemAlloc(options, (tmsize_t)most);
    TIFFOpenOptionsSetErrorHandlerExtR(options, take_error, f);
    TIFFOpenOptionsSetWarningHandlerExtR(options, take_warning, f);
    f->tiff = TIFFClientOpenExt("TIFF", mode, f, read_bytes, write_bytes, seek_to, close_bytes,
                                find_size, map_bytes, unmap_bytes, options);
    TIFFOpenOptionsFree(options);
    return f->tiff != NULL;
}

bool tiff_open(tiff_file *f, bytes in, uint64_t most)
{
    *f = (tiff_file){.in = in};
    return open_file(f, "r", most);
}

bool tiff_create(tiff_file *f, bool is_big)
{
    *f = (tiff_file){.at = 0};
    return open_file(f, is_big ? "wl8" : "wl", 0);
}

void tiff_close(tiff_file *f)
{
    if (f->tiff)
        TIFFClose(f->tiff);
    f->tiff = NULL;
}

bool tiff_begins(bytes in)
{
    static const char magics[4][5] = {"II*\0", "MM\0*", "II+\0", "MM\0+"};
    for (int i = 0; i < 4; i++)
        if (in.size >= 8 && memcmp(in.data, magics[i], 4) == 0)
            return true;
    return false;
}
