/* Preloaded into the program: libheif's decoder misbehaves on pictures that are 64 pixels wide, as BAD_DECODER says; and its
 * encoder takes its time with the first picture, and crashes where another one comes meanwhile. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <libheif/heif.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static void eat(void)
{
    enum { BITE = 1 << 24 };
    for (volatile char *block; (block = malloc(BITE));)
        for (int i = 0; i < BITE; i += 4096)
            block[i] = 1;
    abort(); /* as C++ does where nobody catches its exception */
}

/* Uses processor time for ever. If it is limited, a second of it shows that as well. */
static void spin(void)
{
    struct rlimit r;

    if (getrlimit(RLIMIT_CPU, &r) == 0 && r.rlim_cur < 60) {
        r.rlim_cur = 1;
        setrlimit(RLIMIT_CPU, &r);
    }
    for (volatile int i = 0;;)
        i = 1;
}

static void misbehave(const char *how)
{
    if (strcmp(how, "crash") == 0)
        raise(SIGSEGV);
    else if (strcmp(how, "leave") == 0)
        exit(3);
    else if (strcmp(how, "eat") == 0)
        eat();
    else if (strcmp(how, "talk") == 0)
        fputs("a decoder's own words\n", stderr);
    else if (strcmp(how, "hang") == 0)
        for (;;)
            pause();
    else if (strcmp(how, "spin") == 0)
        spin();
}

struct heif_error heif_decode_image(const struct heif_image_handle *handle, struct heif_image **out,
                                    enum heif_colorspace colours, enum heif_chroma chroma,
                                    const struct heif_decoding_options *options)
{
    struct heif_error (*decode)(const struct heif_image_handle *, struct heif_image **,
                                enum heif_colorspace, enum heif_chroma,
                                const struct heif_decoding_options *) = NULL;
    const char *const how = getenv("BAD_DECODER");
    void *const found = dlsym(RTLD_NEXT, "heif_decode_image");
    memcpy(&decode, &found, sizeof decode);
    if (how && heif_image_handle_get_width(handle) == 64)
        misbehave(how);
    return decode(handle, out, colours, chroma, options);
}

struct heif_error heif_context_encode_image(struct heif_context *context,
                                            const struct heif_image *image,
                                            struct heif_encoder *encoder,
                                            const struct heif_encoding_options *options,
                                            struct heif_image_handle **handle)
{
    static atomic_int begun, ended;
    struct heif_error (*encode)(struct heif_context *, const struct heif_image *,
                                struct heif_encoder *, const struct heif_encoding_options *,
                                struct heif_image_handle **) = NULL;
    void *const found = dlsym(RTLD_NEXT, "heif_context_encode_image");
    memcpy(&encode, &found, sizeof encode);
    if (atomic_fetch_add(&begun, 1) == 0)
        usleep(300000);
    else if (atomic_load(&ended) == 0)
        raise(SIGSEGV);
    const struct heif_error error = encode(context, image, encoder, options, handle);
    atomic_fetch_add(&ended, 1);
    return error;
}
