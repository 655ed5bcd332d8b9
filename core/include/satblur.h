/* satblur: box filters and depth-of-field blur from summed-area tables, on the CPU and on NVIDIA
 * GPUs, with the same bits on both. This is the library's manual; `satblur --help` is a program's.
 *   - Images are views: the caller owns the memory and keeps it alive during the call. The library
 *     keeps nothing of it afterwards. Samples are unsigned integers of 8 or 16 bits (native byte
 *     order), interleaved: gray, gray+alpha, RGB, RGBA. Pictures may also have half floats.
 *   - A struct of all zeros means the defaults, and so do parameters that are NULL. Radii are in
 *     pixels and may have fractions, which are rounded to 1/256.
 *   - A window of radius r has the (2r+1) x (2r+1) pixels centred on the pixel. A fraction weights
 *     the outermost ring. The mean is exact: an integer sum is divided once and rounded half up.
 *   - A function returns a satb_status and, on an error, leaves one line in satb_last_message(). An
 *     output image may have been partly written by then. Nothing else changes. A context, an image,
 *     an array or a result that is NULL gives ARG, unless its function says that it may be NULL. A
 *     function without a status answers a NULL context by nothing, 0, "" or a message.
 *   - One thread at a time may use a context. Different contexts are independent. Calls of a CUDA
 *     context leave its device the calling thread's current one. CPU work shares one pool of
 *     threads in the process, from its first loop until the last context is closed. After fork()
 *     the child may open CPU contexts and use idle ones, but neither use nor close those of CUDA.
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
#define SATB_VERSION_MAJOR 0
#define SATB_VERSION_MINOR 3
#define SATB_VERSION_PATCH 0
/* The version as a number: SATB_VERSION >= SATB_VERSION_NUMBER(0, 3, 0). */
#define SATB_VERSION_NUMBER(major, minor, patch) ((major)*1000000 + (minor)*1000 + (patch))
#define SATB_VERSION                             SATB_VERSION_NUMBER(SATB_VERSION_MAJOR, SATB_VERSION_MINOR, SATB_VERSION_PATCH)

typedef enum satb_status {
    SATB_OK = 0,
    SATB_ERR_ARG,          /* a parameter is outside its range; the message names it */
    SATB_ERR_LIMIT,        /* sizes are legal one by one but too large together */
    SATB_ERR_NOMEM,        /* host memory ran out */
    SATB_ERR_UNAVAILABLE,  /* the requested device is missing, or this build has no CUDA */
    SATB_ERR_DEVICE_NOMEM, /* GPU memory is too small even for bands: retry with a CPU context */
    SATB_ERR_DEVICE        /* the GPU or its driver failed: close the context */
} satb_status;

/* Return the running library's version, "0.3.0", a text for a status (both static, never NULL), and
 * the number of processors that the process may use, 1 .. 1024: those of its affinity. */
SATB_API const char *satb_version(void);
SATB_API const char *satb_status_text(satb_status status);
SATB_API int satb_processors(void);

/* --- Images ----------------------------------------------------------------------------------- */

typedef struct satb_image {
    void *data;        /* first sample of the first row; 16-bit samples are 2-byte aligned */
    ptrdiff_t stride;  /* bytes from a row to the next; at least width * channels * bits / 8 */
    int width, height; /* 1 .. 2^24 pixels each; width * height at most 2^31 */
    int channels;      /* 1 gray, 2 gray+alpha, 3 RGB, 4 RGBA; alpha is straight, but see half */
    int bits;          /* per sample: 8 or 16 */
    int on_device;     /* 0: in the host's memory; 1: in that of the context's CUDA device */
    int half;          /* 1: the 16 bits of a sample are a half float; 0: an integer */
} satb_image;

/* Half floats (IEEE 754, binary16). Pictures of high dynamic range have linear light: 1 is white,
 * and highlights may be brighter. Their alpha, if any, is 0 .. 1, and colours are multiplied by it,
 * as in OpenEXR, so light without alpha is possible. The blurs, satb_dof() and satb_coc() take them
 * as pictures. Maps, mattes and all other functions take integers alone: ARG.
 *   - A blurred sample counts as a multiple of 2^-20, at most 4096: larger ones and infinity are
 *     4096, negative ones and NaN are 0. If the mean equals that, the sample keeps its bits.
 *   - Where edges, holes and mattes are compared with the picture, and for SATB_FOCUS_AUTO, a
 *     sample v counts as the 16-bit sRGB code of v / (1 + v) (E. Reinhard et al., "Photographic
 *     Tone Reproduction for Digital Images", 2002).
 *   - satb_look.gamma and satb_dof_params.highlights must be 0: highlights are bright already.
 *
 * Images on the device. Each image of a call may be in either memory, with the same results, but
 * statistics, tables and arrays are in the host's. Errors: ARG for the memory of another device.
 *   - Any part of the memory of cudaMalloc() and its like, or of managed memory, will do.
 *   - The context's stream waits for no other: work that writes an image has ended before the call.
 *     The function waits for its own end. satb_set_stream() changes both.
 *   - Kernels read and write an image where it is, if its data, its stride and its rows without
 *     padding are multiples of 16 bytes. Others are copied on the device.
 *   - If the device cannot hold a call whole, or satb_dof() protects parts of a picture in place,
 *     images are copied to the host, which is slower and takes as much host memory. */

/* --- Context ---------------------------------------------------------------------------------- */

typedef struct satb_context satb_context;
typedef enum satb_device { SATB_DEVICE_AUTO, SATB_DEVICE_CPU, SATB_DEVICE_CUDA } satb_device;

typedef struct satb_config {
    satb_device device; /* AUTO: a usable CUDA device, otherwise the CPU */
    int cuda_index;     /* number of the CUDA device, from 0 */
    int threads;        /* CPU threads, 0 .. 1024; 0: satb_processors() */
    /* The most bytes of a CUDA device's memory that the context's buffers take, without the driver
     * and the kernels' code. 0: the free memory less 1/16 of all memory, at most 256 MiB. Pictures
     * that need more are processed in bands of rows, with the same bits. */
    size_t gpu_memory;
} satb_config;

/* Opens a context in *out, which the caller closes. config may be NULL. On an error *out is NULL. A
 * context has one device, one stream, and buffers that grow and are reused. Errors: ARG, NOMEM,
 * UNAVAILABLE (CUDA was requested and no device is usable), DEVICE_NOMEM. */
SATB_API satb_status satb_open(satb_context **out, const satb_config *config);

/* Returns why the calling thread's last satb_open() failed, or "". Valid until its next one. */
SATB_API const char *satb_open_message(void);

/* Frees the context and sets *context to NULL. NULL and *NULL are allowed. */
SATB_API void satb_close(satb_context **context);

/* Frees the memory that the context keeps for its next call, which then allocates it again: some
 * milliseconds on a GPU, whose work it waits for. satb_last_memory() reports 1 band afterwards. */
SATB_API void satb_trim(satb_context *context);

/* Queues the work of later calls on a stream of the caller's, after all that is queued there and
 * after the context's earlier calls on any stream. stream: a cudaStream_t of the context's device,
 * which the caller keeps alive while it is set; NULL is CUDA's default stream. SATB_OWN_STREAM goes
 * back to the context's own. Streams that are being captured to a graph are not supported.
 * A blur, satb_equalize() and satb_coc() then return when their work is queued, if every image of
 * the call is on the device. They wait before that only for what the host must know: whether the
 * alpha of a blurred picture is opaque, the codes that occur in a map, before most of the work, and
 * what a picture in bands needs. Until the stream has come to the end of such a call, the caller
 * keeps its images and uses the results on that stream alone. Its timings are 0, but for depth.
 * Failures of the device may show in later calls. All other functions wait for their end.
 * Errors: ARG if the context has no CUDA device, or the stream is another device's; DEVICE. */
SATB_API satb_status satb_set_stream(satb_context *context, void *stream);
#define SATB_OWN_STREAM ((void *)-1)

/* Sets the largest number of bands for later calls; 0, as at first, is no limit. Many bands take
 * far longer than a few. A picture that needs more than the limit fails with DEVICE_NOMEM. */
SATB_API void satb_limit_bands(satb_context *context, int most);

/* Return the name of the context's device, "cpu, 2 threads" or "cuda:0 NVIDIA H200", valid until
 * satb_close(), and 1 if it is a CUDA device, 0 if it is the CPU. */
SATB_API const char *satb_describe(const satb_context *context);
SATB_API int satb_is_cuda(const satb_context *context);

/* Returns the message of the context's last failed call: one line of ASCII without a newline, or ""
 * before the first failure. Valid until the context's next call. */
SATB_API const char *satb_last_message(const satb_context *context);

/* The stages of a call. On a GPU, measure includes the coverage of pixels by near surfaces. */
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
SATB_API const char *satb_stage_name(satb_stage stage); /* "depth"; static memory */

/* Milliseconds of the last successful call's stages, 0 if unused; a failed one changes none. A GPU
 * measures them itself. The host's clock measures depth and its copies, which upload leaves out. */
typedef struct satb_timings {
    double ms[SATB_STAGES];
} satb_timings;
SATB_API satb_timings satb_last_timings(const satb_context *context);

/* The memory that the context has used. The CPU reports 0 bytes and 1 band. */
typedef struct satb_memory {
    size_t peak; /* bytes: the most that a CUDA device's buffers have taken since satb_open() */
    int bands;   /* bands of rows that the last call's picture was cut into; 1: it was whole */
} satb_memory;
SATB_API satb_memory satb_last_memory(const satb_context *context);

/* Locks memory, such as an image's, in its place. Contexts of any CUDA device then copy from and to
 * it several times as fast, and no processor waits. Locking takes as long as some copies. The
 * calling thread has called a CUDA context before. The caller unpins the memory before freeing it.
 * Errors: UNAVAILABLE if this build has no CUDA or the driver refuses; without a message. */
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

/* All three blurs: dst has src's size, channels and samples. It may be src, or they are apart.
 *   - A pixel whose radius is 0, after rounding to 1/256, keeps its bits. In layers and spread this
 *     holds unless something blurred reaches it (see satb_method). A constant image keeps its bits.
 *   - Colour is weighted by alpha (Porter and Duff 1984), so transparent pixels lend none. If a
 *     whole window is transparent, the pixel's colour stays. Half floats are averaged as they are.
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

/* Blurs src by a box with a radius per pixel: max_radius * code / largest code of the map's first
 * channel. A map of another size is resampled (bilinear, pixel centres aligned, 16-bit result). */
SATB_API satb_status satb_blur_map(satb_context *context, const satb_image *src,
                                   const satb_image *map, const satb_image *dst,
                                   const satb_map_params *params);

/* --- Depth of field --------------------------------------------------------------------------- */

typedef enum satb_focus {
    SATB_FOCUS_AUTO = 0, /* that of the subject: it stands out of its row, near the upper middle */
    SATB_FOCUS_VALUE,    /* focus = disparity, 0 (farthest) .. 1 (nearest) */
    SATB_FOCUS_DISTANCE, /* focus = metres, above 0; needs distance_near and distance_far */
    SATB_FOCUS_POINT     /* median depth of a window around pixel focus_x, focus_y of the picture */
} satb_focus;

#define SATB_DEFAULT_RADIUS 0.02 /* of the longer side of the picture */
typedef enum satb_strength {
    SATB_STRENGTH_DEFAULT = 0, /* max_radius = SATB_DEFAULT_RADIUS times the longer side */
    SATB_STRENGTH_RADIUS,      /* max_radius as it is given */
    SATB_STRENGTH_LENS         /* thin lens: fstop, focal_mm, sensor_mm and the two distances */
} satb_strength;

/* Codes are linear in inverse distance (MiDaS, Depth Anything, stereo), or in distance. */
typedef enum satb_depth_type { SATB_DEPTH_DISPARITY, SATB_DEPTH_LINEAR } satb_depth_type;

/* The meaning of code 0 in a depth map. Sensors write it where they measured nothing: a hole. */
typedef enum satb_holes {
    SATB_HOLES_DEFAULT = 0, /* FILL for linear 16 bits with near_black, of sensors; else NONE */
    SATB_HOLES_NONE,        /* a code as any other */
    SATB_HOLES_FAR,         /* disparity 0 */
    SATB_HOLES_NEAR,        /* disparity 1 */
    SATB_HOLES_FILL         /* the depth beside it, by likeness of colours; in large holes and at
                               the border mostly the far side's; 0 where no depth is known */
} satb_holes;

/* The edges of a depth map. KEEP only interpolates a map of another size. FIT gives each pixel one
 * surface: soft edges are cut at their middle, slopes stay, and pixels of the picture that show two
 * surfaces go to the nearer one. Maps larger than the picture, and those of less than 9 samples in
 * width or height, are not cut. Without a matte, a map that is a mask (nine tenths black or white,
 * each at least a hundredth) keeps soft rims in layers: gray is the near side's part of a pixel. */
typedef enum satb_depth_edges { SATB_DEPTH_EDGES_FIT, SATB_DEPTH_EDGES_KEEP } satb_depth_edges;

/* How a picture is blurred, once every pixel has its radius.
 *   - Layered: slabs of depth are blurred by an aperture each and laid over each other. Sharp
 *     things stay out of the blur, near, blurred things cover others, and what they hide is made up
 *     from its surroundings. A pixel keeps its bits if its radius is below 0.22 and no nearer blur
 *     reaches it. After M. Kraus, M. Strengert, "Depth-of-Field Rendering by Pyramidal Image
 *     Processing", 2007; Y. Sheng et al., "Dr. Bokeh", CVPR 2024.
 *   - Gather: a pixel becomes the mean of its window, as in satb_blur_map(): fast, but with halos.
 *   - Spread: a pixel gives its light to its window, of at most the longer side as radius. Near,
 *     blurred things have soft edges, but all blurred things lend light to sharp ones beside them.
 *     A pixel in focus keeps its bits where no window reaches it. After M. Kosloff et al., "Depth
 *     of Field Postprocessing For Layered Scenes Using Constant-Time Rectangle Spreading", 2009. */
typedef enum satb_method {
    SATB_METHOD_DEFAULT = 0, /* layered; gather with CLAMP, MIRROR, or where that ends with LIMIT */
    SATB_METHOD_LAYERED,     /* SATB_EDGE_SHRINK; or WRAP, by which left and right sides meet */
    SATB_METHOD_GATHER,
    SATB_METHOD_SPREAD /* SATB_EDGE_SHRINK only */
} satb_method;

/* The aperture of layers. The other methods have the square. */
typedef enum satb_bokeh {
    SATB_BOKEH_DISC = 0, /* boxes that differ from a disc by 10 % of its area */
    SATB_BOKEH_SQUARE,   /* half the side is the radius */
    SATB_BOKEH_SMOOTH    /* a soft disc within 1.12 radii, after P. S. Heckbert, SIGGRAPH 1986 */
} satb_bokeh;
/* The rounding of layers to 8 bits: dither hides bands by a fixed pattern of 8 x 8 pixels of the
 * picture as displayed (B. E. Bayer, 1973). Sharp pixels keep their bits, and alpha is rounded. */
typedef enum satb_rounding { SATB_ROUNDING_DITHER = 0, SATB_ROUNDING_NEAREST } satb_rounding;
#define SATB_MOST_BLADES         9
#define SATB_MOST_SQUEEZE        4
#define SATB_MOST_HIGHLIGHTS     64
#define SATB_MOST_HIGHLIGHT_SIZE 20

/* From a depth code to a blur radius, after holes and edges of the map:
 *   z  = code / largest code; with a range, (that - range_low) / (range_high - range_low), clipped
 *        to 0 .. 1; with near_black, 1 - z.
 *   q  = z for disparity. For linear depth the distance is d = far + z (near - far), and
 *        q = (1/d - 1/far) / (1/near - 1/far). q is 1 at the nearest, 0 at the farthest.
 *   r  = max_radius * max(0, |q - focus| - focus_range / 2)              pixels, or with a lens
 *   r  = width / (2 sensor) * f^2 / N * |d - s| / (d (s - f))            pixels, s = d at the focus
 * The second is the radius of a thin lens's circle of confusion. It is the first with
 *        max_radius = width / (2 sensor) * f^2 s / (N (s - f)) * (1/near - 1/far). */
typedef struct satb_dof_params {
    satb_focus focus_mode;
    double focus;
    int focus_x, focus_y;
    int focus_area[4];  /* AUTO looks here alone: left, top, width, height; width 0: everywhere */
    int orientation;    /* src's top by EXIF, for AUTO and the aperture: 1 .. 8; 0 = 1 */
    double focus_range; /* width of the band of disparity that stays sharp: 0 .. 2 */
    int scaled;         /* 0: both sides of the focus alike; 1: near_scale and far_scale count */
    /* Factors of r where q >= focus and where q < focus: 0 .. 1000; 0 keeps that side sharp */
    double near_scale, far_scale;
    satb_strength strength;
    double max_radius; /* pixels at a disparity difference of 1: 0 .. 2^23 */
    double fstop;      /* N > 0 */
    double focal_mm;   /* f > 0 */
    double sensor_mm;  /* width of the sensor, > 0; 0 = 36 */

    satb_depth_type depth_type;
    int near_black; /* 0: the largest code is nearest; 1: the smallest is */
    satb_holes holes;
    satb_depth_edges edges;
    /* The subject, or NULL: white, or opaque, is the part of a pixel that it covers. 1 to 4
     * channels; alpha counts if it is not the same everywhere, else the first channel. Any size;
     * another one is interpolated. Up to 7/255 is background, and from 248/255 on is subject.
     * With a map, the subject has the matte's outline, beside which depths change within 1/128 of
     * the longer side, at least 8 pixels. All subject or all background changes none. In layers a
     * gray pixel shows both surfaces, each in its own colour, so no background shines through hair.
     * Other methods cut the matte at its middle. AUTO focuses on the subject. Without a map that is
     * at disparity 1, all else at 0; near_black, range, holes, edges, depth_type do not count. */
    const satb_image *matte;
    /* The parts that stay sharp, or NULL: read like a matte. A pixel covered by at least 128/255
     * keeps its bits, and in layers its colour does not leak into the blur behind it. Gather takes
     * in what its windows see. Of a pixel covered by c less, 2 c are the source's, in linear light
     * unless look.gamma is 1. Without a matte AUTO focuses on them. Nothing else goes by them. */
    const satb_image *protect;
    double range_low, range_high; /* 0 .. 1 of the full scale, low < high; both 0 = full scale */
    /* Metres, 0 < near < far; far may be INFINITY for disparity. Both 0: unknown; linear: 1, 10 */
    double distance_near, distance_far;
    satb_method method;
    /* The aperture of layers, as points of light show it. Its area and the exposure stay. */
    satb_bokeh bokeh;
    int blades; /* sides of a polygon in place of a disc: 3 .. SATB_MOST_BLADES; 0: none */
    double blade_rotation;  /* degrees clockwise: -360 .. 360; at 0 a corner is at the top */
    double blade_curvature; /* of the polygon's sides, from straight to round: 0 .. 1 */
    double squeeze; /* height by width: 1.0 / SATB_MOST_SQUEEZE .. SATB_MOST_SQUEEZE; 0 = 1 */
    /* Brightness at the part rho of the radius is 1 + bokeh_edge (2 rho^2 - 1), in a few levels:
     * the rim is brighter above 0, the centre below. Not with SATB_BOKEH_SMOOTH. -1 .. 1 */
    double bokeh_edge;
    double spherical; /* added to bokeh_edge behind the focus, taken before, up to +-1: -1 .. 1 */
    /* Cat's eyes: 0 .. 1. At a corner of the picture a disc of its size cuts the aperture, shifted
     * by this part of its radius, at most 0.95; elsewhere it is shifted by less, in proportion. */
    double vignette;
    /* Radii of red times 1 + fringe before the focus and 1 - fringe behind it, those of blue the
     * other way round: 0 .. 0.5. Gray has none. dst is in the host's memory: ARG otherwise. */
    double fringe;
    /* Discs of light from points out of focus, in layers: spots of a radius of at least 1, at most
     * highlight_size % of the longer side and 480 pixels wide, compact, and 8 times as bright as
     * their surroundings (clipped: 4). Clipped light is multiplied by this number. Nearer things
     * cover discs behind them. The CPU needs a copy of src in 8 bits more than without, and 16 bytes
     * a pixel in 64 rows and 3 times the widest spot's. 1 .. SATB_MOST_HIGHLIGHTS; 0: none */
    double highlights;
    double highlight_threshold; /* least part of white: 0.01 .. 1, below 1/64 as 1/64; 0 = 0.5 */
    double highlight_size;      /* 0.01 .. SATB_MOST_HIGHLIGHT_SIZE; 0 = 5 */
    satb_rounding rounding;
    satb_look look;
} satb_dof_params;

typedef struct satb_dof_report {
    double focus;          /* disparity in focus, 0 .. 1 */
    int focus_x, focus_y;  /* AUTO: a pixel of it with detail; POINT: the point; else -1, -1 */
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
    int lights;     /* points of light that became discs, less the holes in them */
    /* Extreme codes, 0 .. 1, without 0 of 16 bits, which may be unknown; most 0: there are none */
    double least, most;
    int single_value;   /* 1: every depth is the same */
    int resampled;      /* 1: the depth map had another size than the picture */
    satb_method method; /* as used: never the default */
    satb_bokeh bokeh;   /* as used: square but for layers */
} satb_dof_report;

/* Blurs each pixel by the circle of confusion of its depth, from the map's first channel. depth may
 * be NULL if params->matte is not. report, what was found and assumed, may be NULL. Errors: those
 * of all blurs. ARG also for a number or a choice outside its range, a focus point outside the
 * picture, a range or distances out of order, a distance in focus or a lens without them, a lens
 * with s <= f, a scaled radius beyond 2^23, blades of another bokeh than disc, bokeh_edge or
 * spherical with smooth, highlights without layers, vignette with wrap, or an edge that the method
 * lacks. LIMIT in layers: the widest window within the picture has more than 2^30 pixels of 8 bits
 * with alpha, or 2^16 pixels (a radius of about 96) of 16 bits with alpha, 2^20 with gamma, and
 * some pixel is not opaque; or it has 2^20 pixels of half floats. Smooth windows, polygons and
 * rims count the pixels of each box, with its weight if that is above 0. LIMIT in spread: a radius
 * is beyond 181 pixels of 16 bits (726 with gamma) or 23261 of 8 bits (131586), and some pixel is
 * not opaque; or it is beyond 726 pixels of half floats, or beyond 32896 and more of all others. */
SATB_API satb_status satb_dof(satb_context *context, const satb_image *src, const satb_image *depth,
                              const satb_image *dst, const satb_dof_params *params,
                              satb_dof_report *report);

/* Draws the signed circles of confusion that satb_dof() would blur src by. dst: gray, 16 bits, of
 * src's size. A pixel is SATB_COC_ZERO + 32767 r / full_radius, rounded, with r below 0 behind the
 * focus. Except with a lens, the scale depends only on parameters, so sequences can be compared.
 * method, bokeh and look are checked, but not used. Errors: as of satb_dof(), but LIMIT. */
SATB_API satb_status satb_coc(satb_context *context, const satb_image *src, const satb_image *depth,
                              const satb_image *dst, const satb_dof_params *params,
                              satb_dof_report *report);
#define SATB_COC_ZERO 32768

/* --- Maps of depth ---------------------------------------------------------------------------- */

/* The numbers that become the ends of the codes. Those beyond them get the codes of the ends. */
typedef enum satb_ends {
    SATB_ENDS_EXTREMES = 0, /* the least and the most of the finite numbers */
    SATB_ENDS_GIVEN,        /* ends[0] and ends[1] */
    SATB_ENDS_PERCENTILES   /* those at ends[0] and ends[1] per cent of the finite ones in order */
} satb_ends;

typedef struct satb_codes_params {
    double unit; /* numbers to a metre: 1 for metres, 1000 for millimetres; 0: disparity */
    satb_ends ends_by;
    double ends[2]; /* ends[0] <= ends[1]; metres for distances, whose ends[1] may be infinity */
    int may_miss;   /* 0: ARG if all numbers miss the given ends; 1: not, as these are a series' */
} satb_codes_params;

typedef enum satb_codes_fault {
    SATB_FAULT_NONE = 0,
    SATB_FAULT_PARAMETER,    /* there are no numbers, or a parameter is outside its range */
    SATB_FAULT_UNKNOWN,      /* all numbers are unknown */
    SATB_FAULT_INFINITE,     /* all known numbers are infinitely far */
    SATB_FAULT_APART,        /* all finite numbers, least .. most, are beyond one given end */
    SATB_FAULT_NOT_POSITIVE, /* ends[0] of distances is 0 or less */
    SATB_FAULT_ENDLESS       /* an end of disparity is infinite */
} satb_codes_fault;

typedef struct satb_codes_report {
    double least, most;   /* the numbers at the ends of the codes; metres for distances */
    int reaches_infinity; /* 1: the smallest code is infinitely far, not most; distances alone */
    uint64_t unknown, infinite; /* counts of numbers that are unknown, and infinitely far */
    satb_codes_fault fault;     /* why satb_depth_codes() returned ARG */
} satb_codes_report;

/* Turns the numbers of a depth map of an AI model, renderer or sensor into codes: a map of 16
 * bits for satb_dof(). numbers and codes have count elements. codes may be NULL for the report
 * alone; report may be NULL, and is set on errors, too. Any number of threads may call at a time.
 *   - Disparity: codes are linear in the number. NaN and the infinities are unknown.
 *   - Distances: codes are linear in 1 / distance, and the largest is nearest. Infinity and numbers
 *     from 10^9 on are infinitely far. NaN, 0 and negative numbers are unknown. The smallest code
 *     is infinitely far if ends[1] is, if the ends are extremes and a number is infinitely far, or
 *     if both ends are the same distance. Otherwise it is the largest distance.
 * Codes are 0 .. 65535. If there are unknown numbers, 0 is theirs, and the others have 1 .. 65535:
 * then range_low of satb_dof_params is 1 / 65535. If both ends of disparity are the same, all known
 * numbers have 65535. Errors: ARG (see the report), NOMEM (percentiles take 512 KiB). */
SATB_API satb_status satb_depth_codes(const float *numbers, size_t count,
                                      const satb_codes_params *params, uint16_t *codes,
                                      satb_codes_report *report);

/* Signs that an image is no map of a picture. With those of NONE it certainly is none. */
typedef enum satb_sign {
    SATB_SIGN_TURNED = 1,    /* its proportions are the picture's, turned by 90 degrees */
    SATB_SIGN_STRETCHED = 2, /* they are others, by over 2 % and by more than rounding of a side */
    SATB_SIGN_TINTED = 4,    /* in over 2 % of it, channels differ by over 1/8 of the scale */
    SATB_SIGN_COLOURED = 8,  /* in over 10 %, by over 1/4 and a tint: false colours, or a photo */
    SATB_SIGN_PICTURE = 16,  /* it is tinted, and looks like the picture */
    SATB_SIGN_BESIDE = 32,   /* one side of it, of the picture's proportions, looks like that */
    SATB_SIGN_ALIKE = 64,    /* it is gray, and looks like the picture in gray */
    SATB_SIGN_NARROW = 128,  /* its codes differ, and fill at most an eighth of the scale */
    SATB_SIGN_BLACK = 256,   /* it is a mask that covers nothing, .. */
    SATB_SIGN_WHITE = 512,   /* .. or everything */
    SATB_SIGN_UNSEEN = 1024, /* PICTURE and BESIDE are open, as an image is on a device */
    SATB_SIGN_SWAPPED = 2048 /* it is clearly farther below than above: are near and far swapped? */
} satb_sign;

#define SATB_SIGNS_OF_NONE                                                                         \
    (SATB_SIGN_TURNED | SATB_SIGN_COLOURED | SATB_SIGN_PICTURE | SATB_SIGN_BESIDE)

typedef struct satb_colours {
    double tinted, coloured; /* parts of a map's pixels, 0 .. 1, that TINTED and COLOURED go by */
} satb_colours;

typedef struct satb_judge_params {
    int is_mask; /* 1: a varying alpha counts before colours, and PICTURE, BESIDE, ALIKE do not */
    const satb_colours *colours; /* those of the map; NULL: they are measured in one row of four */
    int orientation, near_black; /* as in satb_dof_params; orientation 0: SWAPPED is open */
} satb_judge_params;

typedef struct satb_judgement {
    unsigned signs; /* sum of satb_sign */
    satb_colours colours;
    unsigned least, most; /* with NARROW: the extreme codes, without code 0 of 16 bits */
} satb_judgement;

/* Looks for signs that map is no map of src, or with src NULL of no picture. Of images on a device
 * the shape counts, and the colours in params. Any number of threads may call. Errors: ARG. */
SATB_API satb_status satb_judge_map(const satb_image *src, const satb_image *map,
                                    const satb_judge_params *params, satb_judgement *judgement);

/* Measures the colours of all rows: 0 for one or two channels. Errors: ARG, also on a device. */
SATB_API satb_status satb_map_colours(const satb_image *map, satb_colours *colours);

/* Returns 1 if cells of both images have nearly the same colours, or grays, and these are not all
 * alike; else 0, also for an image that is NULL, invalid or on a device. Images with a side below
 * SATB_ALIKE_SIDE pixels tell little. b is compared as EXIF's orientation, 1 .. 8, turns it. */
SATB_API int satb_are_alike(const satb_image *a, const satb_image *b, int orientation, int gray);
#define SATB_ALIKE_SIDE 32

/* --- Table and statistics --------------------------------------------------------------------- */

/* Builds the inclusive table of src: T(x,y) = sum of the codes at (0..x, 0..y), per channel. It is
 * interleaved like the image; rows are dense (width * channels words). word_bits is 32 or 64. Sums
 * wrap around modulo 2^word_bits, so T(x1,y1) - T(x0-1,y1) - T(x1,y0-1) + T(x0-1,y0-1), the sum
 * over a box, is exact while it fits the word itself. table: height * width * channels words of the
 * caller's, aligned as words are. Errors: LIMIT beyond the address space, and as of satb_box(). */
SATB_API satb_status satb_table(satb_context *context, const satb_image *src, int word_bits,
                                void *table);

#define SATB_BINS 256
typedef struct satb_channel_stats {
    uint32_t min, max;         /* codes, 0 .. 255 or 0 .. 65535 */
    uint64_t count;            /* pixels */
    uint64_t sum, sum_squares; /* exact */
    double mean, stddev; /* codes; the standard deviation is the population's (divided by count) */
    /* Percentiles: the smallest code c such that at least 1, 5, ... % of the codes are <= c. */
    uint32_t p1, p5, median, p95, p99;
    /* Bits per sample, 0 .. 8 or 16: -sum(p log2 p) over the shares p of all codes (C. Shannon,
     * "A Mathematical Theory of Communication", 1948). */
    double entropy;
    double clipped_low, clipped_high; /* shares of the pixels, 0 .. 1: at code 0, at the largest */
    uint64_t histogram[SATB_BINS];    /* pixels; bin = code for 8 bits, code / 256 for 16 */
} satb_channel_stats;

/* Measure the codes of src as they are, without linear light and alpha weighting, or the luminance
 * Y that satb_equalize() works on, of pixels whose alpha is not 0. All numbers follow from exact
 * counts of every code; without a pixel they are 0. stats has src->channels entries, or one. Equal
 * ones are equal in every byte. Errors: ARG, NOMEM, DEVICE_NOMEM, DEVICE. */
SATB_API satb_status satb_measure(satb_context *context, const satb_image *src,
                                  satb_channel_stats *stats);
SATB_API satb_status satb_measure_luminance(satb_context *context, const satb_image *src,
                                            satb_channel_stats *stats);

/* Equalises the histogram: luminances become about equally frequent, which spreads the details that
 * lie in few of them (R. C. Gonzalez, R. E. Woods, "Digital Image Processing", section 3.3). Y is
 * the code of gray; of RGB (2126 R + 7152 G + 722 B) / 10000 of the codes, rounded (ITU-R BT.709).
 * Each colour is shifted as Y is and clipped, so Cb and Cr of YCbCr stay, except for clipped
 * pixels. Alpha is kept, and so is an image with only one luminance. dst is like src. It may be src
 * itself; they overlap in no other way. Errors: as of satb_measure(). */
SATB_API satb_status satb_equalize(satb_context *context, const satb_image *src,
                                   const satb_image *dst);

/* --- Arrays ----------------------------------------------------------------------------------- */

/* The parallel primitives on arrays in host memory, of any number of elements. Arrays of 0 elements
 * may be NULL. Errors: ARG (a NULL array, an unknown operator, a word that is not 32 or 64 bits);
 * LIMIT (an array's bytes do not fit size_t); NOMEM, DEVICE_NOMEM, DEVICE. Sums and products are
 * modulo 2^64. An index is that of the first of equal values. Of no values the results are 0, 1,
 * 2^32 - 1, 0, 2^64 - 1 and 2^64 - 1. */
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

/* Writes the *kept values v with low <= v <= high in their order to out, and their places in `in`
 * to indices, or NULL. Both have room for count elements. out must not be in. */
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
