/* satblur: box filters and depth-of-field blur from summed-area tables, on the CPU and on NVIDIA
 * GPUs, with the same bits on both. This header is the manual of the library. `satblur --help` is
 * the manual of the program over it.
 *
 * Conventions
 *   Images      Images are views: the caller owns the memory and keeps it alive during the call.
 *               The library keeps nothing of it afterwards.
 *   Samples     Samples are unsigned integers of 8 or 16 bits (native byte order), interleaved:
 *               gray, gray+alpha, RGB, RGBA. Pictures may also have half floats, see `half`.
 *   Parameters  A struct of all zeros means the defaults. Radii are in pixels and may have
 *               fractions, which are rounded to 1/256.
 *   Window      Radius r averages the (2r+1) x (2r+1) pixels centred on the pixel. A fraction gives
 *               the outermost ring that weight. The mean is exact: an integer sum is divided once
 *               and rounded half up.
 *   Errors      A function returns a satb_status and, on an error, leaves one line in
 *               satb_last_message(). An output image may have been partly written by then. Nothing
 *               else changes.
 *   NULL        Parameters that are NULL mean the defaults. A context, an image, an array or a result
 *               that is NULL gives ARG, unless its function says that it may be NULL. Functions
 *               without a status answer a NULL context by nothing, 0 or "", and satb_last_message()
 *               by a message.
 *   Threads     One thread at a time may use a context. Different contexts are independent. Calls
 *               of a CUDA context leave its device the calling thread's current one.
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

#define SATB_VERSION "0.3.0"

typedef enum satb_status {
    SATB_OK = 0,
    SATB_ERR_ARG,          /* a parameter is outside its range; the message names it */
    SATB_ERR_LIMIT,        /* sizes are legal one by one but too large together (see satb_look) */
    SATB_ERR_NOMEM,        /* host memory ran out */
    SATB_ERR_UNAVAILABLE,  /* the requested device is missing, or this build has no CUDA */
    SATB_ERR_DEVICE_NOMEM, /* GPU memory, or the part of it that may be used, is too small even for
                              bands: retry with a CPU context */
    SATB_ERR_DEVICE        /* the GPU or its driver failed: close the context */
} satb_status;

/* Returns a short text for a status, never NULL. Static memory. */
SATB_API const char *satb_status_text(satb_status status);

/* Returns the library's version. It equals SATB_VERSION of the header that the library was built
 * with. Static memory. */
SATB_API const char *satb_version(void);

/* --- Images ----------------------------------------------------------------------------------- */

typedef struct satb_image {
    void *data;       /* first sample of the first row; 16-bit samples are 2-byte aligned */
    ptrdiff_t stride; /* bytes from a row to the next; at least width * channels * bits / 8 */
    int width;        /* 1 .. 2^24 pixels */
    int height;       /* 1 .. 2^24 pixels; width * height at most 2^31 */
    int channels;     /* 1 gray, 2 gray+alpha, 3 RGB, 4 RGBA; alpha is straight, but see half */
    int bits;         /* per sample: 8 or 16 */
    int on_device;    /* 0: in the host's memory; 1: in that of the context's CUDA device */
    int half;         /* 1: the 16 bits of a sample are a half float, see below; 0: an integer */
} satb_image;

/* Half floats (IEEE 754, binary16). Pictures of high dynamic range have linear light: 1 is white, and
 * lamps are brighter. Their alpha, if any, is 0 .. 1, and colours are multiplied by it, as OpenEXR has
 * it: so light without alpha is possible, like a glow.
 *   - The blurs, satb_dof() and satb_coc() take them as pictures. Maps and mattes are integers, and
 *     all other functions take integers alone. Errors: ARG.
 *   - A blurred sample counts as a multiple of 2^-20, at most 4096: larger ones and infinity are 4096,
 *     negative ones and NaN are 0. Where the mean is what the pixel's own sample counts as, that keeps
 *     its bits, whatever they are.
 *   - Where a map's edges, holes and mattes are compared with the picture, and for SATB_FOCUS_AUTO, a
 *     sample v counts as the code of 16 bits that v / (1 + v) has in sRGB (E. Reinhard et al.,
 *     "Photographic Tone Reproduction for Digital Images", SIGGRAPH 2002).
 *   - satb_look.gamma and satb_dof_params.highlights must be 0: the file says how bright lamps are. */

/* Images on the device. Every function takes them, and each image of a call may be in either memory.
 * Exceptions: statistics, tables and arrays are in host memory. Results are the same.
 *   Memory  It comes from cudaMalloc() and its like, or is managed; any part of it will do, with
 *           samples aligned as above. The caller owns it, and the library keeps nothing of it.
 *   Order   The context has a stream of its own, which waits for no other stream: work that writes
 *           an image has ended before the call. The function waits for its own end, so any stream
 *           may use the results afterwards. satb_set_stream() changes both.
 *           The function waits once more before that for a few numbers: the codes that occur in a
 *           map, and whether alpha is opaque.
 *   Place   Kernels read and write an image where it is if its data and stride are multiples of 16
 *           bytes, and so are its rows without padding. Others are copied on the device.
 *   Copies  Data that the host must read is copied there first, which is slower and takes as much
 *           host memory. This concerns
 *             - pictures, maps and mattes, if the device cannot hold all that depth needs, or after a
 *               call that cut its picture into bands;
 *             - maps, and pictures that are blurred in place or by a depth map, if the device cannot
 *               hold all rows at once;
 *             - a picture that satb_dof() blurs in place, if parts of it are protected.
 * Errors: ARG if the context has no CUDA device, or if the memory is not its device's. */

/* --- Context ---------------------------------------------------------------------------------- */

typedef struct satb_context satb_context;

typedef enum satb_device {
    SATB_DEVICE_AUTO = 0, /* a usable CUDA device, otherwise the CPU */
    SATB_DEVICE_CPU,
    SATB_DEVICE_CUDA
} satb_device;

typedef struct satb_config {
    satb_device device;
    int cuda_index; /* number of the CUDA device, from 0 */
    int threads;    /* CPU threads, 0 .. 1024; 0: as many as the machine offers */
    /* Bytes of a CUDA device's memory that the context's buffers may take at most. 0: the free
     * memory less 1/16 of all memory, at most 256 MiB. The driver and the kernels' code are not
     * counted. Pictures that need more are processed in bands of rows, with the same bits. */
    size_t gpu_memory;
} satb_config;

/* Opens a context in *out. The caller closes it. config may be NULL, which means the defaults. On an
 * error *out is NULL, and satb_open_message() has the reason in one line. A context has one device,
 * one stream, and buffers that grow and are reused. Errors: ARG (out, config), NOMEM, UNAVAILABLE
 * (CUDA was requested and no device is usable), DEVICE_NOMEM. */
SATB_API satb_status satb_open(satb_context **out, const satb_config *config);

/* Returns why the last satb_open() of the calling thread failed, or "" if it succeeded. Valid until
 * that thread's next satb_open(). */
SATB_API const char *satb_open_message(void);

/* Frees the context and sets *context to NULL. NULL and *NULL are allowed. */
SATB_API void satb_close(satb_context **context);

/* Frees the memory that the context keeps for its next call, so that others can use it. The next
 * call allocates it again; results are the same. On a CUDA device this waits for all work of the
 * device, and the allocation costs some milliseconds. No call of the context may be under way.
 * satb_last_memory() reports 1 band afterwards. */
SATB_API void satb_trim(satb_context *context);

#define SATB_OWN_STREAM ((void *)-1)

/* Queues the work of later calls on a stream of the caller's, after all that is queued there. stream:
 * a cudaStream_t of the context's device; NULL is the default stream, as in CUDA. SATB_OWN_STREAM
 * goes back to the context's own. The caller keeps the stream alive while it is set. Later calls also
 * come after the earlier ones of the context, on whatever stream those are.
 *
 * A blur, satb_equalize() and satb_coc() then return when their work is queued, if every image of the
 * call is on the device. They wait before that only for what the host must know:
 *   - satb_box() of gray and RGB, and satb_equalize(), wait for nothing;
 *   - whether alpha is opaque, in all blurs of pictures with alpha;
 *   - which codes occur in the map, in satb_blur_map(), satb_dof() and satb_coc(). What comes after
 *     the map, which is most of the work, is queued;
 *   - whatever a picture in bands needs.
 * Until the stream has come to the end of such a call, the caller keeps its images and uses the
 * results on that stream alone. Its timings are 0, but for depth. Failures of the device may show in
 * later calls. All other functions wait for their end as ever. Streams that are being captured to a
 * graph are not supported.
 * Errors: ARG if the context has no CUDA device, or the stream is another device's; DEVICE. */
SATB_API satb_status satb_set_stream(satb_context *context, void *stream);

/* Sets the largest number of bands for later calls. A picture that needs more bands fails with
 * DEVICE_NOMEM. A limit is useful if others use the device and may soon free memory, since many
 * bands take far longer than a few. most 0 removes the limit; there is none at first. */
SATB_API void satb_limit_bands(satb_context *context, int most);

/* Returns the name of the context's device: "cpu, 2 threads" or "cuda:0 NVIDIA H200". Valid until
 * satb_close(). */
SATB_API const char *satb_describe(const satb_context *context);

/* Returns 1 if the context runs on a CUDA device, 0 if it runs on the CPU. */
SATB_API int satb_is_cuda(const satb_context *context);

/* Returns the message of the context's last failed call: one line of ASCII without a newline, or ""
 * before the first failure. Valid until the context's next call. */
SATB_API const char *satb_last_message(const satb_context *context);

/* The stages of a call. */
typedef enum satb_stage {
    SATB_STAGE_DEPTH, /* the work on a depth map */
    SATB_STAGE_UPLOAD,
    SATB_STAGE_TABLE,
    SATB_STAGE_BLUR,
    SATB_STAGE_MEASURE,
    SATB_STAGE_EQUALIZE,
    SATB_STAGE_DOWNLOAD,
    SATB_STAGES
} satb_stage;

/* Returns a stage's word: "depth". */
SATB_API const char *satb_stage_name(satb_stage stage);

/* Milliseconds that the stages of the last successful call took. Unused stages are 0. On a GPU the
 * device measures them. The exception is depth: the host's clock measures it, with the GPU's part of
 * it and its copies, which upload then does not include. How much of their pixels near surfaces cover
 * counts as measure on a GPU. */
typedef struct satb_timings {
    double ms[SATB_STAGES];
} satb_timings;

SATB_API satb_timings satb_last_timings(const satb_context *context);

typedef struct satb_memory {
    size_t peak; /* bytes: the most that a CUDA device's buffers have taken since satb_open() */
    int bands;   /* bands of rows that the last call's picture was cut into; 1: it was whole */
} satb_memory;

/* Returns the memory that the context has used. The CPU reports 0 bytes and 1 band. */
SATB_API satb_memory satb_last_memory(const satb_context *context);

/* Locks memory of the caller's, such as an image's, in its place. CUDA devices then copy from and to
 * it several times as fast, and no processor waits. Locking takes as long as some copies, so it pays
 * for memory that many pictures use. Contexts of any device may use the memory; results are the
 * same. The calling thread has called a CUDA context before. The caller undoes it by satb_unpin()
 * before freeing the memory. Errors: UNAVAILABLE if this build has no CUDA or the driver refuses;
 * nothing changes then, and there is no message. */
SATB_API satb_status satb_pin(void *data, size_t bytes);

/* Unlocks memory. data is the pointer that satb_pin() took and returned OK for. No call that uses
 * the memory may be under way. The calling thread's current device stays. */
SATB_API void satb_unpin(void *data);

/* --- Blur ------------------------------------------------------------------------------------- */

/* The pixels that a window finds beyond the picture. */
typedef enum satb_edge {
    SATB_EDGE_SHRINK = 0, /* none: the part inside is averaged, divided by its own area */
    SATB_EDGE_CLAMP,      /* the outermost pixel, repeated:   aaa|abc|ccc */
    SATB_EDGE_MIRROR,     /* the picture, mirrored:           cba|abc|cba */
    SATB_EDGE_WRAP        /* the picture, repeated:           abc|abc|abc */
} satb_edge;

typedef struct satb_look {
    int gamma; /* 0: in linear light (codes are sRGB, IEC 61966-2-1); 1: the codes as they are */
    satb_edge edge;
} satb_look;

/* All three blurs:
 *   - dst has the size, channels and samples of src. It may be src itself; they overlap in no other
 *     way.
 *   - A pixel whose radius is 0, after rounding to 1/256, keeps its bits. In layers and spread this
 *     holds unless something blurred reaches the pixel (see satb_method).
 *   - A constant image keeps its bits at any radius.
 *   - Colour is weighted by alpha (Porter and Duff 1984), so transparent pixels lend none. If a
 *     whole window is transparent, the pixel's colour stays. Half floats have been multiplied by
 *     alpha, so all their channels are averaged alike.
 * Errors: ARG, NOMEM, DEVICE_NOMEM, DEVICE. LIMIT if a window has more than 2^31 pixels (2^28 for
 * 16 bits with alpha; for layers and spread see satb_dof()), so that no sum can overflow. */

typedef struct satb_box_params {
    double radius_x, radius_y; /* pixels: 0 .. 2^23 each; larger than the picture is allowed */
    satb_look look;
} satb_box_params;

/* Blurs src by a box of one size. */
SATB_API satb_status satb_box(satb_context *context, const satb_image *src, const satb_image *dst,
                              const satb_box_params *params);

typedef struct satb_map_params {
    double max_radius; /* pixels: the radius at the map's largest code: 0 .. 2^23 */
    satb_look look;
} satb_map_params;

/* Blurs src by a box with a radius per pixel: radius = max_radius * code / largest code, from the
 * map's first channel. A map of another size is resampled (bilinear, pixel centres aligned, 16-bit
 * result). */
SATB_API satb_status satb_blur_map(satb_context *context, const satb_image *src,
                                   const satb_image *map, const satb_image *dst,
                                   const satb_map_params *params);

/* --- Depth of field --------------------------------------------------------------------------- */

/* Where the focus is.
 *
 * Auto reads patches of the picture and its map on a grid of at most 63 x 63. Each patch votes for
 * its mean disparity, relative to the range that occurs, with the product of these weights:
 *   - place: most in the middle of the width and two fifths below the top;
 *   - detail: the differences between neighbouring pixels, less those that are found everywhere, as
 *     noise and blur are;
 *   - disparity: the background counts little;
 *   - slope: the ground, whose disparity changes from row to row, counts little, and upright
 *     surfaces much;
 *   - spread: patches that show two surfaces count little.
 * Nearest patches count an eighth if the map is clipped there: its largest disparity is far more
 * frequent than those next to it, and yet they lead up to it. The white of a mask is not clipped.
 * The focus is the mean of the disparities that are within 1.6 % of the range around the one with
 * the most votes. It stays if picture and map are mirrored, and if they are turned and
 * params->orientation says so. */
typedef enum satb_focus {
    SATB_FOCUS_AUTO = 0, /* the depth of the subject, found as said above */
    SATB_FOCUS_VALUE,    /* focus = disparity, 0 (farthest) .. 1 (nearest) */
    SATB_FOCUS_DISTANCE, /* focus = metres; needs distance_near and distance_far */
    SATB_FOCUS_POINT     /* median depth of a window around pixel focus_x, focus_y of the picture */
} satb_focus;

#define SATB_DEFAULT_RADIUS 0.02 /* of the longer side of the picture */

typedef enum satb_strength {
    SATB_STRENGTH_DEFAULT = 0, /* max_radius = SATB_DEFAULT_RADIUS times the longer side */
    SATB_STRENGTH_RADIUS,      /* max_radius: radius of the circle of confusion at a disparity
                                  difference of 1 */
    SATB_STRENGTH_LENS         /* thin lens: fstop, focal_mm, sensor_mm and the two distances */
} satb_strength;

typedef enum satb_depth_type {
    SATB_DEPTH_DISPARITY = 0, /* codes linear in inverse distance (MiDaS, Depth Anything, stereo) */
    SATB_DEPTH_LINEAR         /* codes linear in distance */
} satb_depth_type;

/* The meaning of code 0 in a depth map. Sensors write it where they measured nothing: a hole. */
typedef enum satb_holes {
    SATB_HOLES_DEFAULT = 0, /* FILL for 16 bits of linear depth with near_black, since sensors write
                               millimetres; NONE for all other maps, where 0 is the far end */
    SATB_HOLES_NONE,        /* a code as any other */
    SATB_HOLES_FAR,         /* disparity 0 */
    SATB_HOLES_NEAR,        /* disparity 1 */
    SATB_HOLES_FILL         /* the depth beside it, see below; 0 stays where no depth is known */
} satb_holes;

/* How holes are filled: from their rims inwards, first where the picture looks alike. The known
 * samples of the 5 x 5 around a sample vote for its depth, the more the closer they are and the
 * more like its colour theirs is. Votes are counted in eight bins of depth. The two neighbouring
 * bins with most votes give their mean.
 * A sensor knows nothing out of its range, and two cameras nothing that one of them does not see;
 * both are behind the nearer side of the rim. So in a connected hole of at least 16 samples at the
 * border, or of more than 64 and 1/1024 of the map:
 *   - The rim is looked at from its samples, in eight directions at 1/128 of the map's longer side
 *     (3 to 15 samples), so that the noise that a sensor adds to contours is left out. Its ends are
 *     the nearest and the farthest of these, without 1/32 of them. They are a step if they differ
 *     by more than 1/8 of the map's range, which begins at 0 with near_black, and else at the map's
 *     nearest.
 *   - At a step, depths nearer than the middle of both ends grow into the hole only where the
 *     picture looks alike and has the near side's own colours. Coarse colours (3 bits a channel),
 *     at one, two and four times that distance, count. A colour is own if it is there at least half
 *     as frequent as in the hole, and at least twice as frequent as on the far side. The rest gets
 *     the far end's depth.
 *   - Without a step, the hole is out of range if it touches the border, is larger than 1/64 of the
 *     map and has, in more than half of it, none of its rim's own colours. Those still grow; the
 *     rest gets disparity 0.
 * All other holes take any depth. */

/* How the edges of a depth map are made ready, see satb_dof_params. */
typedef enum satb_depth_edges {
    SATB_DEPTH_EDGES_FIT = 0, /* cut, and mixed pixels of the picture go to the nearer side */
    SATB_DEPTH_EDGES_KEEP     /* as they are: a map of another size is interpolated and no more */
} satb_depth_edges;

/* How a picture is blurred, once every pixel has its radius r.
 *
 * Gather: the pixel becomes the mean of its window of radius r, as in satb_blur_map(). It is fast.
 * Next to an edge of depth the window takes in what a lens would not, so sharp things have halos.
 *
 * Layered: the picture is cut into slabs of depth. Each slab is blurred by its own aperture, and
 * the slabs are laid over each other from near to far. Sharp things stay out of the blur, and near,
 * blurred things cover what is behind them.
 *   - Slabs have the radii 0, 1, 2, 3, 5, 7, 9, 12, 16, 21, 28, 37, 49: from 7 on each is a third
 *     more than the one before. Then each is two fifths more: 68, 95, 133 .. (rounded down). They
 *     lie on either side of the focus, as far as the depths that occur and the longer side of the
 *     picture. A pixel belongs to the slab of its radius r, or to the two slabs that r lies
 *     between. Its parts are sixteenths, by r^2, so that the mixture of both has the second moment of
 *     a disc of radius r: r^2 / 4 along an axis (of a square, r^2 / 3). The radius of a slab is that
 *     of its aperture by this measure.
 *   - Three sums are taken over the slab's aperture around a pixel (over each box of a smooth one):
 *     A is how much the pixels belong to the slab, V is how many do not lie before it, and C is the
 *     slab's light. T is the light that nearer slabs have left, 1 at first, and T' what was left
 *     before the next nearer slab. The slab gives T' A / V of the colour C / A, at most T. The light
 *     that is left in the end is made up by dividing by 1 - T. Things that nearer slabs hide are
 *     unknown: if less than a sixteenth of the aperture can be seen, it gives only its part of that
 *     sixteenth, and windows that are 2, 6 and 16 pixels wider, and so on to the largest radius before
 *     the focus, give the rest.
 *   - Slabs of the radii 37, 49 and more are worked on in cells of 4 x 4 pixels. Their apertures
 *     consist of whole cells, to the nearest. The light that those nearer than all other slabs give
 *     a pixel together is interpolated between the four cells around it, and so is the light of
 *     those farther than all others.
 *   - A pixel keeps its bits if its radius is below 0.22 and no pixel of a nearer slab has it in its
 *     aperture.
 * Sources of the model: M. Kraus, M. Strengert, "Depth-of-Field Rendering by Pyramidal Image
 * Processing", Computer Graphics Forum 26(3), 2007; Y. Sheng et al., "Dr. Bokeh: DiffeRentiable
 * Occlusion-aware Bokeh Rendering", CVPR 2024. Here the sums come from summed-area tables and are
 * integers.
 *
 * Spread: each pixel gives its light to the pixels of its own window of radius r, where gather takes
 * from them. Spread is the transpose of gather, and equals it where all radii are equal.
 *   - A pixel gives 2^K in all. The pixel at dx, dy beside it gets 2^K w(dx) w(dy) / (2r + 1)^2,
 *     rounded half up; w is the window's weight along an axis: 1, or a fraction at the outermost
 *     ring. Radii are limited to the longer side of the picture.
 *   - A pixel becomes the mean of what it gets, by those weights. That makes up for the light that
 *     falls beyond the picture's edges.
 *   - K is the largest number with (2 + 2b) s 2^K < 2^64, so that no sum can overflow. s is the
 *     largest summed sample: 2^14 - 1 for 8 bits in linear light, 2^20 - 1 for 16 bits, 2^32 for half
 *     floats, 2^bits - 1 with gamma; times the largest alpha if some pixel is not opaque. b is the
 *     number of binary digits of the largest radius that occurs, rounded up to whole pixels.
 * Sharp things stay out of the blur, and near, blurred things have soft edges. But blurred things
 * lend their light to sharp ones beside them, whichever is in front: nothing covers anything. A
 * pixel in focus keeps its bits only where no window reaches it.
 * Source: M. Kosloff, M. W. Tao, B. A. Barsky, "Depth of Field Postprocessing For Layered Scenes
 * Using Constant-Time Rectangle Spreading", Graphics Interface 2009. */
typedef enum satb_method {
    SATB_METHOD_DEFAULT = 0, /* layered if windows shrink at the edges and their sums fit (see
                                LIMIT at satb_dof()), otherwise gather */
    SATB_METHOD_LAYERED,     /* SATB_EDGE_SHRINK only */
    SATB_METHOD_GATHER,
    SATB_METHOD_SPREAD /* SATB_EDGE_SHRINK only */
} satb_method;

/* The aperture of the layered method. The other methods have the square. */
typedef enum satb_bokeh {
    SATB_BOKEH_DISC = 0, /* a union of boxes that differs from a disc by 10 % of the disc's area */
    SATB_BOKEH_SQUARE,   /* half the side is the radius */
    /* A bump that falls off as 1 - (rho / R)^2 and is as wide as a disc of radius r: R = sqrt(3/2) r
     * gives it the same second moment. It is a sum of four boxes that overlap, which differs from the
     * bump by 13 % of its light and reaches 1.12 r along either axis. Source: P. S. Heckbert,
     * "Filtering by Repeated Integration", SIGGRAPH 1986. */
    SATB_BOKEH_SMOOTH
} satb_bokeh;

/* The blades of the iris make a disc a polygon of the same area. Windows of it consist of 5 strips, which
 * differ from the polygon by 4 to 14 % of its area, and discs of light (see below) of 20, by at most 5 %
 * from a radius of 12 on. Strips are the best of their number. A pixel takes light from the polygon, so a
 * point's light has it turned by half a turn; the windows are turned, so that points show it as it is. It
 * is the same on both sides of the focus. */
#define SATB_MOST_BLADES  9
#define SATB_MOST_SQUEEZE 4

/* Highlights: discs of light from points that are out of focus, as users of lens blurs know them.
 * Lights are found, taken out of the picture, and laid over the blurred rest as discs.
 *   - A light is a pixel of a radius of at least 1 in a lamp: a bright spot that is small, compact,
 *     and far brighter than its surroundings. Its brightest sample (of linear light, or the code
 *     with gamma) is at least `highlight_threshold` of the largest one. The lamp is at most
 *     `highlight_size` per cent of the longer side wide, within 2 .. 511 pixels. For a lamp of s
 *     pixels, the windows of radius s and 1.5 s around the pixel have at most s^2 bright pixels,
 *     and the ring between them has less than a fifth as many as the smaller window: so lines and
 *     large bright areas, like windows and the sky, are no lamps. The pixel is at least 4 times as
 *     bright as the ring's mean without clipped pixels. The part of the light beyond the ring's
 *     colours is taken out.
 *   - The disc has the pixel's radius, or that of the nearest light at most 2 pixels away on either
 *     axis, since rims of lights may have the depth of their background. It is a union of 8 boxes, a
 *     square, a bump of 8 boxes, which differs from 1 - (rho / R)^2 by 7 % (see satb_bokeh), or a
 *     polygon of 20 strips.
 *   - All light that is taken out is in the disc, to 2^-33 of it for each of its pixels. Light beyond
 *     the picture is lost, and a sum above white is white.
 *   - A clipped light, whose brightest code is within 1/64 of the largest, was brighter than the
 *     file says. Its part that is taken out is multiplied by `highlights`. Only 1 makes up no
 *     light. The factor is less where the ring has more than an eighth as many bright pixels. A
 *     clipped lamp is white in the file, so the light that is made up has the colour of the glow
 *     around the lamp, as far as there is one.
 *   - Discs behind the focus are visible as much as the surfaces behind the focus are: things in
 *     focus or nearer cover them, but things that are behind the focus like themselves do not. Discs
 *     before the focus cover everything. Alpha stays.
 *   - Codes are rounded once more for each side of the focus that has lights.
 * On the CPU highlights take 2 bytes a pixel, the picture's memory, that of its channels in 8 bits,
 * and 24 bytes (16 for gray) for each pixel of as many rows as 3 lamps of the largest size are
 * high, and 64 more, beside the memory of layers. */
#define SATB_MOST_HIGHLIGHTS     64
#define SATB_MOST_HIGHLIGHT_SIZE 20

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
 * and focus_range works with it too. With scaled, r is multiplied by near_scale where q >= focus, and
 * by far_scale where q < focus.
 *
 * Three steps come before that: the map's holes are filled (satb_holes), the map gets the size of the
 * picture, and its edges are cut (satb_depth_edges).
 *   - Edges are samples whose 3 x 3 neighbourhood spans more than 4/255 of the full scale, and at
 *     least half of the range of the 9 x 9 around them. A slope spans a quarter, so slopes stay. A
 *     sample on an edge is on a ramp if its code lies between those of two opposite neighbours, by a
 *     sixteenth of the 9 x 9's range from both.
 *   - A code on a ramp belongs to neither of the two surfaces. It becomes that of the closer end, so
 *     the edge lies in the ramp's middle. The ends are the least and the largest code of the smallest
 *     square around, from 3 x 3 to 9 x 9, whose range the next larger one exceeds by less than an
 *     eighth.
 *   - Smaller maps are interpolated first (bilinear, pixel centres aligned, 16-bit result). For them,
 *     and where ramps are wide (more than 4/5 of the samples on edges are on ramps, or fewer samples
 *     are on edges than an eighth of the longer side), the map is also halved up to three times, and
 *     a ramp is cut at the finest size at which it is an edge. Larger maps, and those of less than 9
 *     samples in width or height, are interpolated and no more.
 *   - A map that is a mask keeps its soft rims, unless there is a matte. A mask is black or white
 *     in nine tenths of its samples, but not in all, and each in at least a hundredth. Gray is the
 *     part of a pixel that the near side covers; less than 8/255 is none. Layers use that part; for
 *     all else the mask is cut at its middle.
 *   - Where a map is halved, its edges are anti-aliased for layers: the near surface's coverage
 *     grows from nothing to all within the middle sixth of the ramp.
 *   - Those maps are off by some pixels. Beside a surface that is blurred by at least 20 pixels
 *     more than the far one (of less than 10), pixels that show it would stay sharp as an outline.
 *     So layers take far pixels of the ramp as unknown, and those within two samples beside it (at
 *     most 8 pixels, or 1/128 of the longer side if that is more), if sharp pixels are around and
 *     none has their colour.
 *   - Then pixels that show two surfaces go to the nearer one, except in a mask. Pictures are
 *     anti-aliased along edges, and a pixel that counts as far is blurred with the far surface. A
 *     pixel shows two surfaces if it is far, beside something nearer by more than 8/255 of the full
 *     scale, and its colour (linear light) is a mixture: between the mean colours of the two
 *     surfaces in the 5 x 5 around, within 18 degrees of their line, and further from the far one's
 *     mean than four standard deviations of it. Source: A. R. Smith, J. F. Blinn, "Blue Screen
 *     Matting", SIGGRAPH 1996.
 *
 * A matte says how much of each pixel the subject covers: white is the subject. Programs that
 * remove backgrounds make mattes, and cut-outs. An alpha that is not the same everywhere counts, or
 * else the first channel. A matte of another size is interpolated. Up to 7/255 is background, and
 * from 248/255 on is subject.
 *   - With a depth map, the matte gives the subject's outline and the map the depths. Within 1/128
 *     of the longer side of the outline, at least 8 pixels, a code that is the other side's becomes
 *     the mean of its own side farther inside. Elsewhere the map stays, also if it disagrees with
 *     the matte.
 *   - Gray pixels are covered in part. In layers the nearer of the two surfaces has its coverage
 *     and its own colour there, so no background shines through hair: of the colours that mix to
 *     the pixel's, those closest to the mean colours of both sides around. Other methods cut the
 *     matte at its middle.
 *   - Without a depth map (depth = NULL) the subject is at disparity 1 and all else at 0. AUTO
 *     focuses on the subject, and near_black, the range, holes, edges and the depth's type do not
 *     count.
 *   - A matte that is all subject or all background has no outline: a depth map stays as it is.
 *
 * A mask may protect parts of the picture, whatever their depth. It is read like a matte: white, or opaque, is
 * protected.
 *   - A pixel that it covers by at least a half (128/255) has the radius 0: it has the code next to the focus,
 *     whose radius is 0 then. So in layers its colour does not leak into what is blurred behind the focus, which
 *     is made up from what is beside it. The soft edge that a blurred thing before the focus has there shows it,
 *     like any sharp thing behind. Spread leaks nowhere, and gather takes in what its windows see.
 *   - Such a pixel keeps its bits, even if something blurred would cover it. Of a pixel that is covered by c less
 *     than a half, 2 c are the source's in the end and the rest is blurred, in linear light unless look.gamma is 1.
 *   - The focus, holes, edges, mixed pixels, highlights and the colours of a matte are found as without the mask. */
typedef struct satb_dof_params {
    satb_focus focus_mode;
    double focus;
    int focus_x, focus_y;
    /* Of src: EXIF's, 1 .. 8, which says where its top is; 0 = 1. AUTO and the aperture go by it, so a turned picture has
     * the turned result. */
    int orientation;
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
    satb_depth_edges edges;
    const satb_image *matte;   /* NULL: none; 1 to 4 channels, any size */
    const satb_image *protect; /* likewise */
    /* Fractions 0 .. 1 of the full scale, low < high; both 0 = full scale. */
    double range_low, range_high;
    /* Metres, 0 < near < far, far may be INFINITY (not with linear depth); both 0 = unknown, which
     * linear depth takes as 1 to 10. */
    double distance_near, distance_far;

    satb_method method;
    /* The aperture of the layered method; the others ignore it. */
    satb_bokeh bokeh;
    int blades; /* 0: none, the bokeh is as it is; 3 .. SATB_MOST_BLADES: a disc becomes a polygon */
    double blade_rotation;  /* degrees clockwise, -360 .. 360; at 0 a corner is at the top */
    double blade_curvature; /* of the polygon's edges: 0 straight .. 1 round */
    double squeeze;         /* height of the aperture by its width, 1 / SATB_MOST_SQUEEZE ..
                       SATB_MOST_SQUEEZE; 0 = 1. Its area stays */
    double
        bokeh_edge; /* -1 .. 1: brightness of the aperture, 1 + bokeh_edge (2 rho^2 - 1) at the part
                          rho of its radius: above 0 the rim is brighter, below 0 the centre is. Not
                          with SATB_BOKEH_SMOOTH. The windows have three levels of it */
    double spherical; /* -1 .. 1: likewise, added to bokeh_edge behind the focus and taken from it
                          before the focus, as spherical aberration does; both together are kept to -1 .. 1 */
    double
        vignette; /* 0 .. 1: at a corner of the picture the aperture is what it has in common with
                          a disc as large as itself that is shifted by this part of its radius, but
                          at most 0.95; elsewhere by less, in proportion to the distance from the
                          picture's centre. Exposure stays */
    double highlights; /* layered only. 0: none; 1 .. SATB_MOST_HIGHLIGHTS. Kept to 1/256 */
    double highlight_threshold; /* a part of white, 0.01 .. 1; 0 = 0.5 */
    double highlight_size;      /* % of the longer side, 0.01 .. SATB_MOST_HIGHLIGHT_SIZE; 0 = 5 */
    satb_look look;
} satb_dof_params;

/* What satb_dof() found and assumed. */
typedef struct satb_dof_report {
    double focus;          /* disparity in focus, 0 .. 1 */
    int focus_x, focus_y;  /* AUTO: a pixel of that depth with detail around; POINT: the point;
                              otherwise -1, -1 */
    double focus_distance; /* its distance in metres; 0 = unknown */
    double distance_near, distance_far; /* as used; both 0 = unknown */
    double max_radius;                  /* pixels at a disparity difference of 1, without scales */
    double full_radius;                 /* the same by the larger scale: the bound of all radii */
    double largest_radius;              /* the largest radius that a pixel of this picture got */
    satb_holes holes;                   /* as used: never the default */
    uint64_t unknown;                   /* samples of the map that were holes */
    uint64_t snapped;                   /* pixels of the map that were changed at its edges */
    uint64_t mixed; /* pixels that show two surfaces and went to the nearer one */
    double subject; /* the part of the picture that the matte covers, 0 .. 1; 0 without one */
    double kept;    /* the same of params->protect */
    /* The extreme codes of the map's pixels, 0 .. 1 of the full scale; in a map of 16 bits without
     * code 0, which may be unknown. most 0: there are none. */
    double least, most;
    int single_value;   /* 1: every depth is the same */
    int resampled;      /* 1: the depth map had another size than the picture */
    satb_method method; /* as used: never the default */
    satb_bokeh bokeh;   /* as used: square but for layers */
} satb_dof_report;

/* Blurs each pixel by the circle of confusion of its depth; satb_method says how. The map's first
 * channel counts. depth may be NULL if params->matte is not. report may be NULL. Errors: those of all
 * blurs. ARG also for a focus point outside the picture, for a lens without distances or with s <= f,
 * and for layers or spread with another edge than shrink.
 * LIMIT in layers: the widest window, within the picture, has more than 2^30 pixels of 8 bits with
 * alpha, or 2^16 pixels of 16 bits with alpha (2^20 with gamma), and some pixel is not opaque; or it
 * has 2^20 pixels of half floats. 2^16 pixels are a radius of about 96. In smooth windows, in
 * polygons and in rims the pixels of each box count, with its weight if that is above 0.
 * LIMIT in spread: a pixel of the largest window would get less than 64. For 16 bits that is a radius
 * beyond 181 pixels (726 with gamma), for 8 bits beyond 23261 (131586), if some pixel is not opaque;
 * otherwise it is beyond 32896 and more. For half floats it is beyond 726. */
SATB_API satb_status satb_dof(satb_context *context, const satb_image *src, const satb_image *depth,
                              const satb_image *dst, const satb_dof_params *params,
                              satb_dof_report *report);

#define SATB_COC_ZERO 32768

/* Draws the signed circles of confusion that satb_dof() would blur src by. dst: gray, 16 bits, of
 * src's size. A pixel is SATB_COC_ZERO + 32767 r / full_radius, rounded; r is below 0 behind the
 * focus. SATB_COC_ZERO is in focus, 65535 is full_radius pixels before the focus, 1 is as far behind
 * it. The scale follows from the parameters alone, except with a lens, so pictures of one sequence
 * compare. method, bokeh and look are neither used nor reported, but all parameters are checked. Errors: ARG, NOMEM, DEVICE_NOMEM,
 * DEVICE. */
SATB_API satb_status satb_coc(satb_context *context, const satb_image *src, const satb_image *depth,
                              const satb_image *dst, const satb_dof_params *params,
                              satb_dof_report *report);

/* --- Numbers of depth maps -------------------------------------------------------------------- */

/* Which numbers become the ends of the codes. Numbers beyond them have the codes of the ends. */
typedef enum satb_ends {
    SATB_ENDS_EXTREMES = 0, /* the least and the most of the finite numbers */
    SATB_ENDS_GIVEN,        /* ends[0] and ends[1] */
    SATB_ENDS_PERCENTILES /* those at ends[0] and ends[1] per cent of the finite numbers in order */
} satb_ends;

typedef struct satb_codes_params {
    /* Numbers to a metre, if they are distances: 1 for metres, 1000 for millimetres. 0: disparity. */
    double unit;
    satb_ends ends_by;
    double ends[2]; /* ends[0] <= ends[1]; metres for distances, whose ends[1] may be infinity */
    /* 1: a map may miss the given ends, as they are those of a series. 0: that is an error. */
    int may_miss;
} satb_codes_params;

/* Why satb_depth_codes() returned ARG. */
typedef enum satb_codes_fault {
    SATB_FAULT_NONE = 0,
    SATB_FAULT_PARAMETER, /* there are no numbers, or a parameter is outside its range */
    SATB_FAULT_UNKNOWN,   /* all numbers are unknown */
    SATB_FAULT_INFINITE,  /* all known numbers are infinitely far */
    SATB_FAULT_APART,     /* all finite numbers, least .. most, are beyond one of the given ends */
    SATB_FAULT_NOT_POSITIVE, /* ends[0] of distances is 0 or less */
    SATB_FAULT_ENDLESS       /* an end of disparity is infinite */
} satb_codes_fault;

typedef struct satb_codes_report {
    double least, most;   /* the numbers at the ends of the codes; metres for distances */
    int reaches_infinity; /* 1: the smallest code is infinitely far, not most; distances alone */
    uint64_t unknown, infinite; /* how many numbers are unknown, and infinitely far */
    satb_codes_fault fault;
} satb_codes_report;

/* Turns the numbers of a depth map, as networks, renderers and sensors give it, into codes: a map of 16
 * bits for satb_dof(). numbers and codes have count elements; codes may be NULL for the report alone,
 * and so may the report. The report is set on errors, too.
 *   Disparity  Codes are linear in the number. NaN and the infinities are unknown.
 *   Distances  Codes are linear in 1 / distance, and the largest is nearest. Infinity and numbers from
 *              10^9 on are infinitely far. NaN, 0 and negative numbers are unknown. The smallest code is
 *              infinitely far if ends[1] is, if the ends are extremes and a number is infinitely far,
 *              or if both ends are the same distance. Otherwise it is the largest distance.
 * Codes are 0 .. 65535. If there are unknown numbers, 0 is theirs, and the others have 1 .. 65535: then
 * range_low of satb_dof_params is 1 / 65535. If both ends of disparity are the same, all known numbers
 * have 65535. No context is used, so any number of threads may call at a time.
 * Errors: ARG (the report has the reason), NOMEM (percentiles take 512 KiB). */
SATB_API satb_status satb_depth_codes(const float *numbers, size_t count,
                                      const satb_codes_params *params, uint16_t *codes,
                                      satb_codes_report *report);

/* --- Maps that are none ----------------------------------------------------------------------- */

/* Signs that an image is no map of a picture. satb_judge_map() answers by their sum. */
typedef enum satb_sign {
    /* Its proportions are the picture's, turned by 90 degrees. */
    SATB_SIGN_TURNED = 1,
    /* Its proportions are others, by more than 2 % and by more than a side is rounded. */
    SATB_SIGN_STRETCHED = 2,
    /* Its channels differ by more than 1/8 of the scale in more than 2 % of it. */
    SATB_SIGN_TINTED = 4,
    /* They differ by more than 1/4 of the scale, and by more than a tint of gray, in more than 10 %:
     * these are false colours, or a photo. */
    SATB_SIGN_COLOURED = 8,
    /* It is tinted, and looks like the picture. */
    SATB_SIGN_PICTURE = 16,
    /* One side of it, of the picture's proportions, looks like the picture. */
    SATB_SIGN_BESIDE = 32,
    /* It is gray, and looks like the picture in gray. */
    SATB_SIGN_ALIKE = 64,
    /* Its codes differ, and fill at most an eighth of the scale. */
    SATB_SIGN_NARROW = 128,
    /* It is a mask that covers nothing, or everything. */
    SATB_SIGN_BLACK = 256,
    SATB_SIGN_WHITE = 512,
    /* PICTURE and BESIDE are open, as an image is not in the host's memory. */
    SATB_SIGN_UNSEEN = 1024
} satb_sign;

/* With these signs an image is certainly no map. With the others it rarely is one. */
#define SATB_SIGNS_OF_NONE                                                                         \
    (SATB_SIGN_TURNED | SATB_SIGN_COLOURED | SATB_SIGN_PICTURE | SATB_SIGN_BESIDE)

/* Parts of a map's pixels, 0 .. 1, whose channels differ as TINTED and COLOURED have it. */
typedef struct satb_colours {
    double tinted, coloured;
} satb_colours;

typedef struct satb_judge_params {
    int is_mask; /* 1: a matte, or a mask that protects. If it has an alpha that is not the same
                    everywhere, that counts, and its colours do not. It may be the picture's cut-out, so
                    PICTURE, BESIDE and ALIKE are not looked for */
    const satb_colours *colours; /* those of the map; NULL: they are measured in one row of four */
} satb_judge_params;

typedef struct satb_judgement {
    unsigned signs; /* sum of satb_sign */
    satb_colours colours;
    /* With NARROW the extreme codes. 0 of a map of 16 bits is left out, as it may be unknown. */
    unsigned least, most;
} satb_judgement;

/* Looks for signs that map is no map of src, as people mix up files: they give a photo for its map, or
 * a map in false colours. src may be NULL; the map alone is looked at then. Of images on a device the
 * shape counts, and colours that params give. No context is used, so any number of threads may call
 * at a time. Errors: ARG. */
SATB_API satb_status satb_judge_map(const satb_image *src, const satb_image *map,
                                    const satb_judge_params *params, satb_judgement *judgement);

/* Measures the colours of all of a map's rows. A map of less than three channels has none. Errors: ARG,
 * also for an image on a device. */
SATB_API satb_status satb_map_colours(const satb_image *map, satb_colours *colours);

#define SATB_ALIKE_SIDE 32 /* pixels: smaller images tell little */

/* Returns 1 if cells of both images have nearly the same colours, or grays, and these are not all alike;
 * else 0, also for an image that is NULL, invalid or on a device. b is compared as EXIF's orientation,
 * 1 .. 8, turns it. */
SATB_API int satb_are_alike(const satb_image *a, const satb_image *b, int orientation, int gray);

/* --- Summed-area table ------------------------------------------------------------------------ */

/* Builds the inclusive table of src: T(x,y) = sum of the codes at (0..x, 0..y), per channel. It is
 * interleaved like the image; rows are dense (width * channels words). word_bits is 32 or 64. Sums
 * wrap around modulo 2^word_bits, so the sum over a box
 *     T(x1,y1) - T(x0-1,y1) - T(x1,y0-1) + T(x0-1,y0-1)
 * is exact while it fits the word itself. table: height * width * channels words of the caller's,
 * aligned as words are.
 * Errors: ARG, LIMIT (the table does not fit the address space), NOMEM, DEVICE_NOMEM, DEVICE. */
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

/* Measures the codes of src as they are: without linear light, without alpha weighting. All numbers
 * follow from exact counts of every code, of 16-bit ones too. stats has src->channels entries. Every
 * byte of them is set, so equal results compare equal with memcmp(). Errors: ARG, NOMEM,
 * DEVICE_NOMEM, DEVICE. */
SATB_API satb_status satb_measure(satb_context *context, const satb_image *src,
                                  satb_channel_stats *stats);

/* Measures the luminance Y that satb_equalize() works on, into *stats. Pixels with alpha 0 are not
 * counted. If no pixel counts, all numbers are 0. Errors: as of satb_measure(). */
SATB_API satb_status satb_measure_luminance(satb_context *context, const satb_image *src,
                                            satb_channel_stats *stats);

/* --- Equalisation ----------------------------------------------------------------------------- */

/* Equalises the histogram: luminances move so that all of them become about equally frequent, which
 * spreads the details that lie in few of them. R. C. Gonzalez, R. E. Woods, "Digital Image
 * Processing", section 3.3.
 *   Y     the code of gray; of RGB (2126 R + 7152 G + 722 B) / 10000 on the codes, rounded half up
 *         (the weights of ITU-R BT.709)
 *   cdf   the number of pixels that have a luminance of at most Y; pixels with alpha 0 do not count
 *   new Y = round((cdf(Y) - cdf_min) / (pixels - cdf_min) * largest code), half up; cdf_min is the
 *         cdf of the smallest luminance that counts
 * Each colour channel is shifted by new Y - Y and clipped to the range of codes. So Cb and Cr of
 * YCbCr stay, except for clipped pixels. Alpha is kept. An image with only one luminance stays as it
 * is. dst has the size, channels and bits of src. It may be src itself; they overlap in no other
 * way. Errors: ARG, NOMEM, DEVICE_NOMEM, DEVICE. */
SATB_API satb_status satb_equalize(satb_context *context, const satb_image *src,
                                   const satb_image *dst);

/* --- Arrays ----------------------------------------------------------------------------------- */

/* The parallel primitives on arrays in host memory. Both devices give the same bits.
 *
 * count  any number of elements. Arrays of 0 elements may be NULL.
 * Errors: ARG (a NULL array, an unknown operator, a word that is not 32 or 64 bits); LIMIT (an
 * array's bytes do not fit size_t); NOMEM, DEVICE_NOMEM, DEVICE. */

/* Sums and products are modulo 2^64. An index is that of the first of equal values. Of no values the
 * results are 0, 1, 2^32 - 1, 0, 2^64 - 1 and 2^64 - 1. */
typedef enum satb_reduce_op {
    SATB_REDUCE_SUM = 0,
    SATB_REDUCE_PRODUCT,
    SATB_REDUCE_MIN,
    SATB_REDUCE_MAX,
    SATB_REDUCE_ARGMIN,
    SATB_REDUCE_ARGMAX
} satb_reduce_op;

/* Reduces all values to *result. After M. Harris, "Optimizing Parallel Reduction in CUDA", 2007. */
SATB_API satb_status satb_reduce(satb_context *context, const uint32_t *values, size_t count,
                                 satb_reduce_op op, uint64_t *result);

typedef struct satb_scan_params {
    int word_bits; /* 32 or 64; 0 = 32 */
    int max;       /* 0: sums modulo 2^word_bits; 1: maxima */
    int exclusive; /* 0: out[i] includes in[i]; 1: only the elements before it, out[0] = 0 */
} satb_scan_params;

/* Scans unsigned words: out[i] = in[0] op ... op in[i]. out may be in. params may be NULL. After D.
 * Merrill, M. Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016. */
SATB_API satb_status satb_scan(satb_context *context, const void *in, void *out, size_t count,
                               const satb_scan_params *params);

/* Compacts: writes the values v with low <= v <= high in their order to out, and their places in `in`
 * to indices, which may be NULL. Both have room for count elements. *kept is the number of values.
 * out must not be in. */
SATB_API satb_status satb_compact(satb_context *context, const uint32_t *in, size_t count,
                                  uint32_t low, uint32_t high, uint32_t *out, uint64_t *indices,
                                  size_t *kept);

/* Sorts keys of 32 or 64 bits in place, ascending and stable. values, count of them or NULL, travel
 * with their keys. After A. Adinets, D. Merrill, "Onesweep", 2022. */
SATB_API satb_status satb_sort(satb_context *context, void *keys, uint32_t *values, size_t count,
                               int word_bits);

#ifdef __cplusplus
}
#endif

#endif
