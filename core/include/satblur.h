/* satblur: box filters and depth-of-field blur from summed-area tables, on the CPU and on NVIDIA
 * GPUs, with the same bits on both. This header is the manual of the library; `satblur --help` is
 * the manual of the program over it.
 *
 * Conventions
 *   Images      Views: the caller owns the memory and keeps it alive during the call. Nothing is
 *               kept afterwards.
 *   Samples     Unsigned integers, 8 or 16 bit (native byte order), interleaved: gray, gray+alpha,
 *               RGB, RGBA.
 *   Parameters  A struct of all zeros means the defaults. Radii are in pixels and may have
 *               fractions (kept to 1/256).
 *   Window      Radius r averages the (2r+1) x (2r+1) pixels centred on the pixel; a fraction gives
 *               the outermost ring that weight. The mean is exact: an integer sum, divided once,
 *               rounded half up.
 *   Errors      Each function returns a satb_status and, on an error, leaves one line in
 *               satb_last_message(). An output image may have been partly written after an error;
 *               nothing else changes.
 *   Threads     A context may be used by one thread at a time. Different contexts are independent.
 *               Calls of a CUDA context leave its device the calling thread's current one.
 *
 * Method: F. Crow, "Summed-Area Tables for Texture Mapping", SIGGRAPH 1984. */
#ifndef SATBLUR_H
#define SATBLUR_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define SATB_API __attribute__((visibility("default")))
#else
#define SATB_API
#endif

#define SATB_VERSION "0.2.0"

typedef enum satb_status {
    SATB_OK = 0,
    SATB_ERR_ARG,          /* a parameter is outside its range; the message names it */
    SATB_ERR_LIMIT,        /* sizes are legal one by one but too large together (see satb_box) */
    SATB_ERR_NOMEM,        /* host memory ran out */
    SATB_ERR_UNAVAILABLE,  /* the device asked for is not there, or this build has no CUDA */
    SATB_ERR_DEVICE_NOMEM, /* GPU memory, or what of it may be used, is too little even in bands:
                              retry with a CPU context */
    SATB_ERR_DEVICE        /* the GPU or its driver failed; close the context */
} satb_status;

/* A short text for a status, never NULL. Static memory. */
SATB_API const char *satb_status_text(satb_status status);

/* The library's version, equal to SATB_VERSION of the header it was built with. Static memory. */
SATB_API const char *satb_version(void);

/* --- Images ----------------------------------------------------------------------------------- */

typedef struct satb_image {
    void *data;       /* first sample of the first row; 16-bit samples are 2-byte aligned */
    ptrdiff_t stride; /* bytes from a row to the next; at least width * channels * bits / 8 */
    int width;        /* 1 .. 2^24 pixels */
    int height;       /* 1 .. 2^24 pixels; width * height at most 2^31 */
    int channels;  /* 1 gray, 2 gray+alpha, 3 RGB, 4 RGBA; alpha is straight (not premultiplied) */
    int bits;      /* per sample: 8 or 16 */
    int on_device; /* 0: in the host's memory; 1: in that of the context's CUDA device */
} satb_image;

/* On the device. Every function takes such images, each of its images by itself; only what satb_coc() draws, and
 * what is no image (statistics, tables, arrays), lie in the host's memory. Results are the same.
 *   Memory  Of cudaMalloc() and its like, or managed; any part of it, with samples aligned as above. The caller owns
 *           it, and nothing of it is kept.
 *   Order   The context has a stream of its own, which waits for no other: what writes an image has ended before it
 *           is passed. The function waits for its own end, so results may be used by any stream then.
 *   Fetched What the host must read is copied there first, which is slower and takes as much of its memory:
 *             - pictures with alpha, by blurs; radius maps; what is ready of a depth map, by satb_coc(), and of it
 *               what is around a focus point;
 *             - a depth map of several channels, or where holes are looked for, and its picture where they are filled;
 *             - a depth map and its picture where the map is of another size, of less than 9 samples in width or
 *               height, or has few edges or wide ones (see satb_dof_params); where the device has no room to look for
 *               edges, or the host no memory to lock for that; and after a call that cut its picture into bands;
 *             - maps, and what is blurred in place, where the device has no room for all rows at once.
 * Errors: ARG where the context has no CUDA device, or the memory is not its device's. */

/* --- Context ---------------------------------------------------------------------------------- */

typedef struct satb_context satb_context;

typedef enum satb_device {
    SATB_DEVICE_AUTO = 0, /* a usable CUDA device, otherwise the CPU */
    SATB_DEVICE_CPU,
    SATB_DEVICE_CUDA
} satb_device;

typedef struct satb_config {
    satb_device device;
    int cuda_index; /* which CUDA device, from 0 */
    int threads;    /* CPU threads; 0 = as many as the machine offers */
    /* How a CUDA device builds summed-area tables: "one-pass" (NULL: this), which reads the picture
     * once and writes the table once, or "rows-columns", scans of the rows and then of the columns.
     * Same bits; the CPU has one way and ignores a valid name. Read by satb_open() only. */
    const char *sat;
    /* The most bytes of a CUDA device's memory that the context's buffers may take; 0: what is free,
     * less 1/16 of all, at most 256 MiB. The driver and the kernels' code are beside that. Pictures
     * that need more are worked on in bands of rows, with the same bits. */
    size_t gpu_memory;
} satb_config;

/* Opens a context. config may be NULL (defaults). *out receives it; the caller closes it. On an
 * error *out is NULL and the reason is in satb_open_message(). One context = one device, one
 * stream, buffers that grow and are reused. Errors: ARG (config), NOMEM, UNAVAILABLE (CUDA asked
 * for, none usable), DEVICE_NOMEM. */
SATB_API satb_status satb_open(satb_context **out, const satb_config *config);

/* Why the last satb_open() of the calling thread failed; "" if it did not. Valid until that
 * thread's next open. */
SATB_API const char *satb_open_message(void);

/* Frees the context and sets *context to NULL. NULL and *NULL are allowed. */
SATB_API void satb_close(satb_context **context);

/* Gives back the memory that the context keeps for its next call, which will take it again; results are the same. For
 * when others need it: on a CUDA device this waits for all that is under way there, and taking it again costs some
 * milliseconds. Not while a call of the context is under way. satb_last_memory() tells of 1 band then. */
SATB_API void satb_trim(satb_context *context);

/* From now on, pictures that would be cut into more bands than that fail instead: DEVICE_NOMEM. For when others use the
 * device, which may give memory back soon, and many bands take far longer than a few. 0: as many as it takes, as at
 * first. */
SATB_API void satb_limit_bands(satb_context *context, int most);

/* What the context runs on: "cpu, 2 threads" or "cuda:0 NVIDIA H200". Valid until satb_close(). */
SATB_API const char *satb_describe(const satb_context *context);

/* 1 when the context runs on a CUDA device, 0 on the CPU. */
SATB_API int satb_is_cuda(const satb_context *context);

/* The message of the context's last failed call, one line, no newline. "" before the first failure.
 */
SATB_API const char *satb_last_message(const satb_context *context);

/* Milliseconds that the stages of the last successful call took; on a GPU by device events, but for
 * depth, the work on a depth map by the host's clock: what a GPU does of it, with its copies, is
 * in it, and not in upload again. Unused stages are 0. */
typedef struct satb_timings {
    double depth, upload, table, blur, measure, equalize, download;
} satb_timings;

SATB_API satb_timings satb_last_timings(const satb_context *context);

typedef struct satb_memory {
    size_t peak; /* bytes: the most that a CUDA device's buffers have taken since satb_open() */
    int bands;   /* of rows, that the last call's picture was cut into so that they fit; 1: whole */
} satb_memory;

/* On the CPU no bytes and 1 band. */
SATB_API satb_memory satb_last_memory(const satb_context *context);

/* Locks memory of the caller's, as of an image, in its place: CUDA devices copy from and to it several times as fast
 * then, and no processor waits. It takes as long as some copies, so it is for memory that many pictures use; any
 * context of any device may. To be called in a thread that has called a CUDA context before; undone by satb_unpin()
 * before it is freed. Results are the same. Errors: UNAVAILABLE where this build has no CUDA, or the driver refuses,
 * which changes nothing; no message. */
SATB_API satb_status satb_pin(void *data, size_t bytes);

/* data: as it was given to satb_pin(), when that was OK. No call that uses it is under way. */
SATB_API void satb_unpin(void *data);

/* --- Blur ------------------------------------------------------------------------------------- */

/* What a window meets beyond the picture. */
typedef enum satb_edge {
    SATB_EDGE_SHRINK = 0, /* nothing: the part inside is averaged, divided by its own area */
    SATB_EDGE_CLAMP,      /* the outermost pixel, repeated:   aaa|abc|ccc */
    SATB_EDGE_MIRROR,     /* the picture, mirrored:           cba|abc|cba */
    SATB_EDGE_WRAP        /* the picture, repeated:           abc|abc|abc */
} satb_edge;

typedef struct satb_look {
    int gamma; /* 0: in linear light (codes are sRGB, IEC 61966-2-1); 1: the codes as they are */
    satb_edge edge;
} satb_look;

/* All three blurs:
 *   - dst has the size, channels and bits of src, and may be src itself (no other overlap);
 *   - a pixel whose radius is 0 (after rounding to 1/256) keeps its bits (by layers and spread, too,
 *     unless something blurred reaches it: see satb_method);
 *   - a constant image keeps its bits at any radius;
 *   - colour is weighted by alpha (Porter and Duff 1984), so transparent pixels lend none; where a
 *     whole window is transparent, the pixel's colour stays.
 * Errors: ARG, NOMEM, DEVICE_NOMEM, DEVICE; LIMIT where a window has more than 2^31 pixels (2^28
 * for 16 bits with alpha; layers and spread, see satb_dof()), so that no sum can overflow. */

typedef struct satb_box_params {
    double radius_x, radius_y; /* 0 .. 2^23 each; larger than the picture is allowed */
    satb_look look;
} satb_box_params;

/* Box blur with one window size. */
SATB_API satb_status satb_box(satb_context *context, const satb_image *src, const satb_image *dst,
                              const satb_box_params *params);

typedef struct satb_map_params {
    double max_radius; /* radius where the map has its largest code: 0 .. 2^23 */
    satb_look look;
} satb_map_params;

/* Box blur with a radius per pixel: radius = max_radius * code / largest code, from the map's first
 * channel. A map of another size is resampled (bilinear, pixel centres aligned, 16-bit result). */
SATB_API satb_status satb_blur_map(satb_context *context, const satb_image *src,
                                   const satb_image *map, const satb_image *dst,
                                   const satb_map_params *params);

/* --- Depth of field --------------------------------------------------------------------------- */

typedef enum satb_focus {
    SATB_FOCUS_AUTO = 0, /* strongest mode of the nearer half of the depths that occur */
    SATB_FOCUS_VALUE,    /* focus = disparity, 0 (farthest) .. 1 (nearest) */
    SATB_FOCUS_DISTANCE, /* focus = metres; needs distance_near and distance_far */
    SATB_FOCUS_POINT     /* median depth of a window around pixel focus_x, focus_y of the picture */
} satb_focus;

typedef enum satb_strength {
    SATB_STRENGTH_DEFAULT = 0, /* max_radius = 2 % of the longer side of the picture */
    SATB_STRENGTH_RADIUS,      /* max_radius: radius of the circle of confusion at a disparity
                                  difference of 1 */
    SATB_STRENGTH_LENS         /* thin lens: fstop, focal_mm, sensor_mm and the two distances */
} satb_strength;

typedef enum satb_depth_type {
    SATB_DEPTH_DISPARITY = 0, /* codes linear in inverse distance (MiDaS, Depth Anything, stereo) */
    SATB_DEPTH_LINEAR         /* codes linear in distance */
} satb_depth_type;

/* Code 0 of a depth map, where it means that a sensor saw nothing. */
typedef enum satb_holes {
    SATB_HOLES_DEFAULT = 0, /* fill, for 16 bits of linear depth with near_black, as sensors write
                               millimetres; none, for all other maps, where 0 is the far end */
    SATB_HOLES_NONE,        /* a code as any other */
    SATB_HOLES_FAR,         /* disparity 0 */
    SATB_HOLES_NEAR,        /* disparity 1 */
    SATB_HOLES_FILL         /* what is beside it: as pixels next to edges are decided (see
                               satb_dof_params), from the rims of holes inwards, first where the
                               picture looks alike; where nothing is known, 0 stays */
} satb_holes;

/* How a picture is blurred, once every pixel has its radius r.
 *
 * Gather: the pixel becomes the mean of its window of radius r, as in satb_blur_map(). Fast; next to
 * an edge of depth it takes in what a lens would not, so there are halos around what is sharp.
 *
 * Layered: the picture is cut into slabs of depth, each is blurred by its own aperture, and they are
 * laid over each other from near to far. What is sharp stays out of what is blurred, and what is near
 * and blurred covers what is behind it.
 *   - Slabs have the radii 0, 1, 2, 3, 5, 7, 9, 12, 16, 21, 28, 37, 49, from 7 on each a third more than
 *     the one before, and then two fifths, 68, 95, 133 .. (rounded down), on either side of the focus,
 *     as far as the depths that occur and the longer side of the picture. A pixel belongs to the slab of
 *     its radius r, or to the two that it lies between, in sixteenths: of r below 1, else of r^2, so that
 *     the mixture of both has the second moment of a disc of radius r.
 *   - Over the slab's aperture around a pixel (of a smooth one, over each of its boxes), A is the sum
 *     of how much the pixels belong to the slab, V of how much they belong to it or to any behind it,
 *     and C that of the slab's light. Of the
 *     light T that nearer slabs have left (1 at first), it gives T A / V, of the colour C / A; what
 *     is left in the end is made up by dividing by 1 - T. What nearer slabs hide is unknown: where
 *     less than a sixteenth of the aperture can be seen, wider windows, by 2, 6 and 16 pixels, fill in.
 *   - Slabs of the radii 37, 49 and more are worked on in cells of 4 x 4 pixels: their apertures are of whole
 *     cells, to the nearest, and what those nearer than all other slabs give a pixel together is interpolated
 *     between the four cells around it, and so is what those farther than all others give.
 *   - A pixel keeps its bits where its radius is below 1/32 and no pixel of a nearer slab has it in
 *     its aperture.
 * The model is that of M. Kraus, M. Strengert, "Depth-of-Field Rendering by Pyramidal Image
 * Processing", Computer Graphics Forum 26(3), 2007, and of Y. Sheng et al., "Dr. Bokeh:
 * DiffeRentiable Occlusion-aware Bokeh Rendering", CVPR 2024; here the sums come from summed-area
 * tables, and are integers.
 *
 * Spread: each pixel gives its light to the pixels of its own window of radius r, where gather's take
 * from theirs: the transpose, and the same where all radii are.
 *   - Of what it gives, 2^K in all, the pixel at dx, dy beside it gets 2^K w(dx) w(dy) / (2r + 1)^2,
 *     rounded half up; w is the window's weight along an axis, 1 or a fraction at the outermost ring.
 *     Radii count up to the longer side of the picture.
 *   - A pixel becomes the mean of what it gets, by those weights; so what falls beyond the picture's
 *     edges is made up for.
 *   - K is the largest with (2 + 2b) s 2^K < 2^64, so that no sum can overflow: s the largest summed
 *     sample (2^14 for 8 bits in linear light, 2^20 for 16, 2^bits with gamma, in each case less 1; times
 *     the largest alpha if some pixel is not opaque), b how many bits the largest radius that occurs
 *     has in binary, rounded up to whole pixels.
 * What is sharp stays out of what is blurred, and what is near and blurred has soft edges. But what is
 * blurred lends its light to what is sharp beside it, whichever is in front: nothing covers anything,
 * and a pixel in focus keeps its bits only where no window reaches it.
 * M. Kosloff, M. W. Tao, B. A. Barsky, "Depth of Field Postprocessing For Layered Scenes Using
 * Constant-Time Rectangle Spreading", Graphics Interface 2009. */
typedef enum satb_method {
    SATB_METHOD_DEFAULT = 0, /* layered where windows shrink at the edges and their sums fit (see
                                LIMIT at satb_dof()), otherwise gather */
    SATB_METHOD_LAYERED,     /* SATB_EDGE_SHRINK only */
    SATB_METHOD_GATHER,
    SATB_METHOD_SPREAD /* SATB_EDGE_SHRINK only */
} satb_method;

/* The aperture of the layered method; the others' is the square. A smooth one is a bump that falls off as
 * 1 - (rho / R)^2 and is as wide as a disc of the radius r: R = sqrt(3/2) r gives it the same second moment. It is
 * a sum of four boxes that overlap, as smooth filters were made of tables by P. S. Heckbert, "Filtering by Repeated
 * Integration", SIGGRAPH 1986; it differs from the bump by 13 % of its light, and reaches 1.12 r along either axis. */
typedef enum satb_bokeh {
    SATB_BOKEH_DISC = 0, /* a stack of three boxes, which differs from a disc by 8 % of its area */
    SATB_BOKEH_SQUARE,   /* half the side is the radius */
    SATB_BOKEH_SMOOTH
} satb_bokeh;

/* Highlights, as users of lens blurs know them: discs of light from points that are out of focus. Lights are
 * found, taken out of the picture, and laid over what is blurred as discs.
 *   - A light is a pixel of a radius of at least 1 whose brightest sample (of linear light, or with gamma the
 *     code) is at least half of the largest one, and at least 4 times the brightest of the mean of the window
 *     around it: of radius 1/128 of the longer side, but 4 .. 64 pixels. What it has beyond that mean is taken
 *     out.
 *   - The disc is that of the pixel's radius, or of the nearest light at most 2 pixels beside it on either axis: rims
 *     of lights may have the depth of what is behind them. It is a stack of 8 boxes, a square, or a bump of 8
 *     boxes, which differs from 1 - (rho / R)^2 by 7 % (satb_bokeh).
 *   - All that is taken out is in the disc, to 2^-33 of it for each of its pixels; but where the picture ends, it
 *     is lost, and where there is more than white, it is white.
 *   - A clipped light, whose brightest code is the largest one, was brighter than the file says: what is taken
 *     out of it is multiplied by `highlights`. 1 adds nothing, and only then no light is made up.
 *   - Discs behind the focus are seen as much as what lies behind it is: what is in focus or nearer covers them,
 *     but what is behind the focus as they are does not. Those before the focus cover everything. Alpha stays.
 *   - Codes are rounded once more for each side of the focus that has lights.
 * On the CPU that takes as much memory as the picture, and 2 bytes a pixel, beside that of layers. */
#define SATB_MOST_HIGHLIGHTS 64

/* From a depth code to a blur radius:
 *   z  = code / largest code; with a range, (that - range_low) / (range_high - range_low), clipped
 *        to 0 .. 1; with near_black, 1 - z.
 *   q  = z for disparity. For linear depth the distance is d = far + z (near - far), and
 *        q = (1/d - 1/far) / (1/near - 1/far). q is 1 at the nearest, 0 at the farthest.
 *   r  = max_radius * max(0, |q - focus| - focus_range / 2)              pixels, or with a lens
 *   r  = width / (2 sensor) * f^2 / N * |d - s| / (d (s - f))            pixels, s = d at the focus
 * The lens formula is the radius of the thin lens's circle of confusion. It is linear in 1/d, so it
 * is the first formula with
 *     max_radius = width / (2 sensor) * f^2 s / (N (s - f)) * (1/near - 1/far),
 * and focus_range works with it too. With scaled, r is multiplied by near_scale where q >= focus, by
 * far_scale where it is below.
 *
 * Before that, the map's holes are filled (satb_holes), it gets the size of the picture, and its edges
 * come to lie where the picture has its own: a code between two surfaces, on the soft edge of a map or
 * between two samples of a smaller one, belongs to neither of them.
 *   - Edges are where the codes of 3 x 3 samples are more than 1/64 of the full scale apart, and at
 *     least a third as far as those of the 9 x 9 around them. On a slope they are a quarter as far, so
 *     slopes stay. A sample on an edge is on a ramp where its code lies between those of two opposite
 *     neighbours, by a sixteenth of the 9 x 9's range from both.
 *   - In a map of the picture's size, pixels on ramps are decided; all others keep their codes. In a
 *     smaller map, pixels are interpolated (bilinear, pixel centres aligned, 16-bit result), but
 *     decided in the 3 x 3 samples around those on edges.
 *   - Where ramps are wide, as in maps that were enlarged, means of 2 x 2, 4 x 4 or 8 x 8 of the map's
 *     samples decide like a smaller map: it is halved while more than 4/5 of what is on edges is on
 *     ramps, or while its edges are fewer samples than an eighth of its width. Larger maps, and those of
 *     less than 9 samples in width or height, are interpolated.
 *   - Decided: the 5 x 5 samples around that are on no ramp vote for their codes, each the more, the
 *     closer it is and the more its colour in the picture is the pixel's; the pixel gets the mean of
 *     the quarter of their range that has most votes. So J. Kopf et al., "Joint Bilateral
 *     Upsampling", SIGGRAPH 2007, weigh; but a mean of all would again lie between.
 *   - Then pixels that show two surfaces go to the nearer one. Along an edge a picture is anti-aliased, and
 *     what counts as the far surface is blurred with it. Such a pixel is far, beside something nearer by more
 *     than 8 of 256 codes or 2048 of 65536, and its colour (linear light) is a mixture: between the mean colours of the
 *     two surfaces in the 5 x 5 around, within 18 degrees of their line, and further from the far one's than
 *     four standard deviations of it. See A. R. Smith, J. F. Blinn, "Blue Screen Matting", SIGGRAPH 1996. */
typedef struct satb_dof_params {
    satb_focus focus_mode;
    double focus;
    int focus_x, focus_y;
    double focus_range; /* width of the band of disparity kept sharp: 0 .. 2 */
    int scaled;         /* 0: both sides of the focus alike; 1: near_scale and far_scale count */
    double near_scale, far_scale; /* factors of the radius, 0 .. 1000; 0 keeps that side sharp */

    satb_strength strength;
    double max_radius; /* pixels, 0 .. 2^23 */
    double fstop;      /* N > 0 */
    double focal_mm;   /* f > 0 */
    double sensor_mm;  /* width of the sensor, > 0; 0 = 36 */

    satb_depth_type depth_type;
    int near_black; /* 0: the largest code is nearest; 1: the smallest is */
    satb_holes holes;
    /* Fractions 0 .. 1 of the full scale, low < high; both 0 = full scale. */
    double range_low, range_high;
    /* Metres, 0 < near < far, far may be INFINITY (not with linear depth); both 0 = unknown, which
     * linear depth takes as 1 to 10. */
    double distance_near, distance_far;

    satb_method method;
    satb_bokeh bokeh; /* of the layered method; the others ignore it */
    double
        highlights; /* 0: none; 1 .. SATB_MOST_HIGHLIGHTS, see there: layered only. Kept to 1/256 */
    satb_look look;
} satb_dof_params;

/* What satb_dof() found and assumed. */
typedef struct satb_dof_report {
    double focus;                       /* disparity in focus, 0 .. 1 */
    double focus_distance;              /* its distance in metres; 0 = unknown */
    double distance_near, distance_far; /* as used; both 0 = unknown */
    double max_radius;                  /* pixels at a disparity difference of 1, without scales */
    double full_radius;                 /* the same by the larger scale: the bound of all radii */
    double largest_radius;              /* the largest radius that a pixel of this picture got */
    satb_holes holes;                   /* as used: never the default */
    uint64_t unknown;                   /* samples of the map that were holes */
    uint64_t snapped;                   /* pixels that were decided next to edges of depth */
    uint64_t mixed;     /* pixels that show two surfaces and went to the nearer one */
    int single_value;   /* 1: every depth is the same */
    int resampled;      /* 1: the depth map had another size than the picture */
    satb_method method; /* as used: never the default */
    satb_bokeh bokeh;   /* as used: square but for layers */
} satb_dof_report;

/* Depth-of-field blur: each pixel's radius is the circle of confusion of its depth; satb_method says
 * how it is blurred. The map's first channel counts. report may be NULL. Errors as above; ARG also for
 * a focus point outside the picture, for a lens without distances or with s <= f, or for layers or
 * spread with another edge than shrink.
 * LIMIT in layers: where the widest window, within the picture, has more than 2^30 pixels of 8 bits
 * with alpha, or of 16 bits with alpha 2^16 (a radius of about 128; with gamma 2^20), and some pixel
 * is not opaque. Of a smooth window the pixels of each box count.
 * LIMIT in spread: where a pixel of the largest window would get less than 64. That is a radius beyond 181
 * pixels (with gamma 726) for 16 bits, 23261 (131586) for 8, where some pixel is not opaque; else beyond
 * 32896 and more. */
SATB_API satb_status satb_dof(satb_context *context, const satb_image *src, const satb_image *depth,
                              const satb_image *dst, const satb_dof_params *params,
                              satb_dof_report *report);

#define SATB_COC_ZERO 32768

/* The signed circles of confusion as a picture: what satb_dof() would blur src by. dst: gray, 16 bits,
 * of src's size, in the host's memory. A pixel is SATB_COC_ZERO + 32767 r / full_radius, rounded, and r
 * is below 0 behind the focus: SATB_COC_ZERO is in focus, 65535 is full_radius pixels before it, 1 is as
 * far behind it. The scale follows from the parameters alone but for a lens, so pictures of one sequence
 * compare. method, bokeh and look are not used, and not reported. Errors: ARG, NOMEM, DEVICE_NOMEM,
 * DEVICE. */
SATB_API satb_status satb_coc(satb_context *context, const satb_image *src, const satb_image *depth,
                              const satb_image *dst, const satb_dof_params *params,
                              satb_dof_report *report);

/* --- Summed-area table ------------------------------------------------------------------------ */

/* The inclusive table: T(x,y) = sum of the codes at (0..x, 0..y), per channel, interleaved like the
 * image, rows dense (width * channels words). word_bits 32 or 64; sums wrap around modulo
 * 2^word_bits, so the sum over a box
 *     T(x1,y1) - T(x0-1,y1) - T(x1,y0-1) + T(x0-1,y0-1)
 * is exact while it fits the word itself. table: height * width * channels words, the caller's,
 * aligned as words are.
 * Errors: ARG, NOMEM, DEVICE_NOMEM, DEVICE. */
SATB_API satb_status satb_table(satb_context *context, const satb_image *src, int word_bits,
                                void *table);

/* --- Statistics ------------------------------------------------------------------------------- */

#define SATB_BINS 256

typedef struct satb_channel_stats {
    uint32_t min, max;         /* codes, 0 .. 255 or 0 .. 65535 */
    uint64_t count;            /* pixels */
    uint64_t sum, sum_squares; /* exact */
    double mean, stddev; /* codes; the standard deviation is the population's (divided by count) */

    /* Percentiles: the smallest code c such that at least 1, 5, ... % of the pixels have a code <= c.
     * They are codes that occur, never values between two codes. The median is that of 50 %. */
    uint32_t p1, p5, median, p95, p99;

    /* Bits per sample, 0 (one code) .. 8 or 16 (all codes, equally often): -sum(p log2 p) over the
     * shares p of all codes (C. Shannon, "A Mathematical Theory of Communication", 1948). */
    double entropy;

    double clipped_low, clipped_high; /* shares of the pixels, 0 .. 1: at code 0, at the largest */
    uint64_t histogram[SATB_BINS];    /* pixels; bin = code for 8 bits, code / 256 for 16 */
} satb_channel_stats;

/* Measures the codes of src as they are (no linear light, no alpha weighting). All numbers follow
 * from exact counts of every code, 16-bit ones too. stats holds src->channels entries, of which
 * every byte is set, so that equal results compare equal with memcmp(). Errors: ARG, NOMEM,
 * DEVICE_NOMEM, DEVICE. */
SATB_API satb_status satb_measure(satb_context *context, const satb_image *src,
                                  satb_channel_stats *stats);

/* The same of the luminance Y that satb_equalize() works on, in *stats. Pixels with alpha 0 are not
 * counted; where no pixel is, all numbers are 0. */
SATB_API satb_status satb_measure_luminance(satb_context *context, const satb_image *src,
                                            satb_channel_stats *stats);

/* --- Equalisation ----------------------------------------------------------------------------- */

/* Histogram equalisation: luminances are moved so that all of them become about equally frequent,
 * which brings out what lies in few of them. R. C. Gonzalez, R. E. Woods, "Digital Image
 * Processing", section 3.3.
 *   Y     the code of gray; of RGB (2126 R + 7152 G + 722 B) / 10000 on the codes, rounded half up
 *         (the weights of ITU-R BT.709)
 *   cdf   how many pixels have a luminance of at most Y; pixels with alpha 0 do not count
 *   new Y = round((cdf(Y) - cdf_min) / (pixels - cdf_min) * largest code), half up; cdf_min is the
 *         cdf of the smallest luminance that counts
 * Each colour channel is shifted by new Y - Y and clipped to the codes that there are, so Cb and Cr
 * of YCbCr stay but for what is clipped. Alpha is kept. An image with only one luminance stays as it
 * is. dst has the size, channels and bits of src, and may be src itself (no other overlap). Errors:
 * ARG, NOMEM, DEVICE_NOMEM, DEVICE. */
SATB_API satb_status satb_equalize(satb_context *context, const satb_image *src,
                                   const satb_image *dst);
/* --- Arrays ----------------------------------------------------------------------------------- */

/* The parallel primitives under all this, on arrays in host memory. Both devices give the same bits.
 *
 * count    any, also 0 (pointers to nothing may then be NULL).
 * variant  which of the CUDA device's algorithms, by name; NULL: the best. The CPU has one algorithm
 *          for each and ignores a valid name.
 * Errors: ARG (a NULL array, an unknown operator or variant, a word that is not 32 or 64 bits);
 * LIMIT where an array's bytes do not fit size_t; NOMEM, DEVICE_NOMEM, DEVICE. */

/* Sums and products are modulo 2^64. An index is that of the first of equals. Of no values they are
 * 0, 1, 2^32 - 1, 0, 2^64 - 1 and 2^64 - 1. */
typedef enum satb_reduce_op {
    SATB_REDUCE_SUM = 0,
    SATB_REDUCE_PRODUCT,
    SATB_REDUCE_MIN,
    SATB_REDUCE_MAX,
    SATB_REDUCE_ARGMIN,
    SATB_REDUCE_ARGMAX
} satb_reduce_op;

/* One word from all values. Variants: fast, interleaved, convergent, shared, segmented, coarsened
 * (Harris, "Optimizing Parallel Reduction in CUDA", 2007). */
SATB_API satb_status satb_reduce(satb_context *context, const uint32_t *values, size_t count,
                                 satb_reduce_op op, const char *variant, uint64_t *result);

typedef struct satb_scan_params {
    int word_bits; /* 32 or 64; 0 = 32 */
    int max;       /* 0: sums modulo 2^word_bits; 1: maxima */
    int exclusive; /* 0: out[i] includes in[i]; 1: only what is before it, out[0] = 0 */
    const char *variant;
} satb_scan_params;

/* Prefix scan of unsigned words: out[i] = in[0] op ... op in[i]. out may be in. params may be NULL.
 * Variants: look-back (Merrill, Garland 2016), chained, three-phase, hillis-steele (Hillis, Steele
 * 1986), blelloch (Blelloch 1990), brent-kung (Brent, Kung 1982). */
SATB_API satb_status satb_scan(satb_context *context, const void *in, void *out, size_t count,
                               const satb_scan_params *params);

/* Stream compaction: the values v with low <= v <= high, in their order, into out (room for count),
 * and where each was into indices (room for count, or NULL). *kept = how many. out must not be in.
 * Variants: single-pass, three-kernel. */
SATB_API satb_status satb_compact(satb_context *context, const uint32_t *in, size_t count,
                                  uint32_t low, uint32_t high, const char *variant, uint32_t *out,
                                  uint64_t *indices, size_t *kept);

/* Sorts keys of 32 or 64 bits in place, ascending and stable; values (count of them, or NULL) travel
 * with their keys. Variants: digits (Adinets, Merrill 2022), split, tiles (Satish, Harris, Garland
 * 2009). */
SATB_API satb_status satb_sort(satb_context *context, void *keys, uint32_t *values, size_t count,
                               int word_bits, const char *variant);

#ifdef __cplusplus
}
#endif

#endif
