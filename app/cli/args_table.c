/* The rows. A new option is a number in engine/options.h, a row here, and its use. */
#include "cli/args_read.h"
#include "cli/format_choices.h"
#include "cli/option_choices.h"
#include "codec/video_table.h"
#include <dof_table.h>

#define WHAT    "What to do"
#define FOCUS   "Focus (with --depth or --matte)"
#define BLUR    "Blur (with --depth, --matte or --tilt-shift)"
#define DEPTH   "Depth map (with --depth)"
#define PROGRAM "Programs that make maps"
#define CAMERA  "Camera (instead of --max-radius)"
#define LOOK    "Colour and border"
#define ENGINE  "Device and limits"
#define BATCH   "Folders (INPUT and OUTPUT are folders)"
#define VIDEO   "Video (INPUT is a clip, or frames like in/%05d.png)"
#define OUTPUT  "Output"

#define FIELD(member) .field = offsetof(options, member)

/* clang-format off */
/* What dof_table.h has of an option: without a default, and with one. */
#define RANGE(name, type, least, most, zero, standard, unit, text, note) \
    .help = text, .low = least, .high = most, .or_zero = zero && (standard) == 0, FIELD(dof.name)
#define NUMBER(name, type, least, most, zero, standard, unit, text, note) \
    .help = text, .preset = #standard, .low = least, .high = most, .or_zero = zero && (standard) == 0, FIELD(dof.name)

const option_row args_rows[OPT_COUNT] = {
    [OPT_DEPTH] = {"depth", "MAP", WHAT, .of_run = true, .daily = true, .bytes = BYTES_OF_FILE,
        .help = "Blur by the depth map MAP; phones' portraits carry one",
        .more = "A map may have any size, and holds codes of 8 or 16 bits, or numbers (see "
                "Formats). Only its first channel counts. 'embedded' is the map that a phone "
                "stored in INPUT, with its type, near colour and metres, or channel Z of an EXR. "
                "Of a video, 'track:2' is the second video track, and 'half:right' the right half of the frames. "
                "Without any operation, satblur assumes --depth embedded.",
        .expects = "a file name", .read = read_text, FIELD(map)},
    [OPT_MATTE] = {"matte", "MASK", WHAT, .of_run = true, .daily = true, .bytes = BYTES_OF_FILE,
        .help = "The subject's outline; white or opaque is the subject",
        .more = "Programs that remove backgrounds write such masks, or cut-out pictures, whose "
                "alpha counts. Soft edges and hair stay soft. The depths come from --depth. "
                "Without it, the subject is one plane and all else another. For a folder, MASK "
                "is a file, or a folder with a.png or a_matte.png for a.jpg. 'embedded' is the "
                "matte that a phone stored.",
        .expects = "a file name", .read = read_text, FIELD(matte)},
    [OPT_PROTECT] = {"protect", "MASK", WHAT, .of_run = true, .needs = NEEDS_DOF, .bytes = BYTES_OF_FILE,
        .help = "Keep parts sharp at any depth; white or opaque stays sharp",
        .more = "MASK is read like that of --matte, and may have any size. Pixels that MASK "
                "covers by half or more are not blurred, and their colours do not leak into the "
                "blur behind them. A soft edge fades. One MASK serves all pictures.",
        .expects = "a file name", .read = read_text, FIELD(protect)},
    [OPT_TILT_SHIFT] = {"tilt-shift", "A,P,W", WHAT, .of_run = true, .daily = true, .bytes = BYTES_DIFFER,
        .help = "Miniature look without a map: a sharp band, like 0,0.6,0.2",
        .more = "A is the band's angle in degrees, counterclockwise, from -180 to 180; 0 is "
                "horizontal. P is the position of its middle, 0 at the top and 1 at the bottom, "
                "and W is its width. Both are fractions of the picture's height. If the band is "
                "turned, they are fractions of the picture's extent across it: at 90, of the "
                "width, from the left. Beyond the band the radius grows evenly, up to "
                "--max-radius.",
        .expects = "ANGLE,POSITION,WIDTH: -180 to 180, 0 to 1, 0 to 1, like 0,0.6,0.2", .read = read_tilt_shift, .units = "degrees,share"},
    [OPT_RADIUS] = {"radius", "R[,RY]", WHAT, .of_run = true, .daily = true, .bytes = BYTES_DIFFER,
        .help = "Box blur: mean of the 2R+1 x 2R+1 pixels around each",
        .more = "R may be 2.5, or 1% of the longer side. With RY, R is across and RY is down.",
        .expects = "pixels from 0 to 8388608, as R or RX,RY (like 2.5 or 8,0), or per cent of the longer side, like 1%", .read = read_radius, .units = "pixels"},
    [OPT_RADIUS_MAP] = {"radius-map", "MAP", WHAT, .of_run = true, .bytes = BYTES_OF_FILE,
        .help = "Box blur by a map: black is 0, white is --max-radius",
        .expects = "a file name", .read = read_text, FIELD(map)},
    [OPT_EQUALIZE] = {"equalize", NULL, WHAT, .of_run = true, .bytes = BYTES_DIFFER,
        .help = "Equalise the histogram, so that it uses the whole scale",
        .more = "Colour differences and alpha do not change."},
    [OPT_STATS] = {"stats", "[=json]", WHAT, .of_run = true, .daily = true, .bytes = BYTES_SAME,
        .help = "Print statistics of INPUT's channels; =json prints JSON",
        .more = "The statistics are extremes, percentiles, mean, standard deviation, entropy, "
                "clipping and a histogram. With --depth, satblur also prints the map's "
                "statistics. The option works with or without a blur.",
        .choices = stats_styles, .expects = "--stats or --stats=json", .read = read_stats},
    [OPT_HISTOGRAM] = {"histogram", "FILE", WHAT, .of_run = true, .bytes = BYTES_SAME,
        .help = "Draw INPUT's histogram into FILE, .svg or .png",
        .more = "The option works with or without a blur.",
        .expects = "a file name that ends in .svg or .png", .read = read_histogram, FIELD(histogram)},
    [OPT_FOCUS_VIEW] = {"focus-view", "FILE", WHAT, .of_run = true, .daily = true, .bytes = BYTES_SAME, .needs = NEEDS_DOF,
        .help = "Draw what is in focus into FILE, .jpg or .png",
        .more = "A white line surrounds the parts in focus, which keep their colours. Parts in "
                "front of the focus are orange, and parts behind it blue, the more so the larger "
                "the radius. Crosses mark the pixel of --focus-at or auto, and those of "
                "--focus-plane. The option works with or without a blur. Those of a clip are view/%05d.jpg.",
        .expects = "a file name that ends in .jpg or .png", .read = read_focus_view, FIELD(focus_view)},

    [OPT_DOF_PRESET] = {"dof-preset", "NAME", FOCUS, .daily = true, .bytes = BYTES_DIFFER, .needs = NEEDS_DOF,
        .help = "A ready look",
        .more = "A preset sets the options listed below. Options that you give override it.",
        .choices = dof_presets, .read = read_word, FIELD(dof_preset)},
    [OPT_FOCUS] = {"focus", "D|auto", FOCUS, .daily = true, .bytes = BYTES_DIFFER, .needs = NEEDS_FOCUS,
        .help = "Depth in focus: 0 far, 1 near, 2.5m or 55c", .preset = "auto",
        .more = "A plain number is a disparity. Metres need --distance, unless the map has them. 55c is a code, "
                "or a number, of the map, as in --depth-range. auto looks for a subject: what a mask covers, "
                "what the photo's metadata names, or what stands out of its row near the upper middle. A "
                "note names one of its pixels.",
        .choices = focus_words,
        .expects = "'auto', a disparity from 0 (far) to 1 (near), metres like 2.5m, or a code of the map like 55c (--focus-at takes a pixel)", .read = read_focus, .units = "share"},
    [OPT_FOCUS_AT] = {"focus-at", "X,Y", FOCUS, .of_run = true, .daily = true, .bytes = BYTES_DIFFER, .needs = NEEDS_FOCUS,
        .help = "Focus on the depth around pixel X,Y; 0,0 is the top left",
        .expects = "a pixel as X,Y, like 640,360 (0,0 is the top left)", .read = read_focus_at, .units = "pixels"},
    [OPT_FOCUS_PLANE] = {"focus-plane", "X,Y,X,Y,X,Y", FOCUS, .of_run = true, .bytes = BYTES_DIFFER, .needs = NEEDS_DEPTH,
        .help = "Focus on the tilted plane through the objects at three pixels",
        .more = "A tilted lens has such a plane (Scheimpflug): a table top is sharp from near to "
                "far. X,Y,D,X,Y,D,X,Y,D gives the plane these disparities instead of the map's. "
                "The radius of a pixel grows with the difference of its depth from the plane's.",
        .expects = "three pixels that are not on a line, as X,Y,X,Y,X,Y or with disparities as X,Y,D,X,Y,D,X,Y,D",
        .read = read_focus_plane},
    [OPT_FOCUS_RANGE] = {"focus-range", "W", FOCUS, .bytes = BYTES_DIFFER, .needs = NEEDS_FOCUS,
        SATB_DOF_FOCUS_RANGE(NUMBER), .expects = "a width in disparity", .read = read_number, .units = "share"},
    [OPT_NEAR_SCALE] = {"near-scale", "F", FOCUS, .bytes = BYTES_DIFFER, .needs = NEEDS_DOF,
        SATB_DOF_NEAR_SCALE(NUMBER), .expects = "a factor", .read = read_number, .units = "factor"},
    [OPT_FAR_SCALE] = {"far-scale", "F", FOCUS, .bytes = BYTES_DIFFER, .needs = NEEDS_DOF,
        SATB_DOF_FAR_SCALE(NUMBER), .expects = "a factor", .read = read_number, .units = "factor"},
    [OPT_MAX_RADIUS] = {"max-radius", "PX", FOCUS, .daily = true, .bytes = BYTES_DIFFER,
        .needs = NEEDS_DOF | NEEDS_RADIUS_MAP,
        .help = "Largest radius (px or %)", .preset = "2% of the longer side",
        .more = "PX is in pixels, or in per cent of the longer side, like 3%. The radius is PX "
                "at a disparity difference of 1 from the focus; with --radius-map, at white.",
        .expects = "pixels, 0 to 8388608, or per cent of the longer side, like 2%", .read = read_max_radius, .units = "pixels"},

    [OPT_METHOD] = {"method", "METHOD", BLUR, .daily = true, .bytes = BYTES_DIFFER, .needs = NEEDS_DOF,
        .help = "Blur method", .preset = "layered",
        .more = "layered keeps sharp objects out of the blur around them, and blurred near objects cover those "
                "behind them. gather is several times faster, like FFmpeg's varblur, but leaves halos around sharp "
                "objects. spread leaves no halos, but no object covers another. gather is the default if --edge is "
                "clamp or mirror.",
        .choices = methods, .read = read_choice, FIELD(dof.method)},
    [OPT_BOKEH] = {"bokeh", "SHAPE", BLUR, .daily = true, .bytes = BYTES_DIFFER, .needs = NEEDS_DOF,
        .help = "Aperture shape", .preset = "disc",
        .more = "gather and spread have only squares.",
        .choices = bokehs, .read = read_choice, FIELD(dof.bokeh)},
    [OPT_BLADES] = {"blades", "N", BLUR, .bytes = BYTES_DIFFER, .needs = NEEDS_DOF,
        .layered = true, SATB_DOF_BLADES(NUMBER),
        .more = "The polygon has the disc's area, and shows best with --highlights. The method "
                "must be layered.",
        .expects = "0, or a number of blades", .read = read_whole},
    [OPT_BLADE_ROTATION] = {"blade-rotation", "DEG", BLUR, .bytes = BYTES_DIFFER, .needs = NEEDS_DOF,
        SATB_DOF_BLADE_ROTATION(NUMBER), .expects = "degrees", .read = read_signed, .units = "degrees"},
    [OPT_BLADE_CURVATURE] = {"blade-curvature", "F", BLUR, .bytes = BYTES_DIFFER, .needs = NEEDS_DOF,
        SATB_DOF_BLADE_CURVATURE(NUMBER), .expects = "a number", .read = read_number, .units = "share"},
    [OPT_SQUEEZE] = {"squeeze", "F", BLUR, .bytes = BYTES_DIFFER, .needs = NEEDS_DOF,
        .layered = true, SATB_DOF_SQUEEZE(NUMBER),
        .more = "The shape keeps the disc's area. The method must be layered.",
        .expects = "a factor", .read = read_number, .units = "factor"},
    [OPT_VIGNETTE] = {"vignette", "F", BLUR, .bytes = BYTES_DIFFER, .needs = NEEDS_DOF,
        .layered = true, SATB_DOF_VIGNETTE(NUMBER),
        .more = "Towards a corner the lens barrel covers a part of the aperture. F is its shift "
                "in the corners, in radii. The picture gets no darker. The method must be "
                "layered.",
        .expects = "a number", .read = read_number, .units = "share"},
    [OPT_BOKEH_EDGE] = {"bokeh-edge", "F", BLUR, .bytes = BYTES_DIFFER, .needs = NEEDS_DOF,
        .layered = true, SATB_DOF_BOKEH_EDGE(NUMBER),
        .more = "At 1 the middle of a highlight is dark (soap bubbles); at -1 its rim is dark. "
                "The method must be layered.",
        .expects = "a number", .read = read_signed, .units = "share"},
    [OPT_SPHERICAL] = {"spherical", "F", BLUR, .bytes = BYTES_DIFFER, .needs = NEEDS_DOF,
        .layered = true, SATB_DOF_SPHERICAL(NUMBER),
        .more = "F is added to --bokeh-edge behind the focus, and subtracted in front of it. In "
                "a lens, spherical aberration does this: highlights have bright rims on one side "
                "of the focus and soft ones on the other. The method must be layered.",
        .expects = "a number", .read = read_signed, .units = "share"},
    [OPT_FRINGE] = {"fringe", "F", BLUR, .bytes = BYTES_DIFFER, .needs = NEEDS_DOF,
        SATB_DOF_FRINGE(NUMBER),
        .more = "In front of the focus the radius of red is multiplied by 1 + F, and that of "
                "blue by 1 - F. Behind the focus the two are swapped. Gray pictures have no fringes.",
        .expects = "a number", .read = read_number, .units = "share"},
    [OPT_HIGHLIGHTS] = {"highlights", "K", BLUR, .daily = true, .bytes = BYTES_DIFFER, .needs = NEEDS_DOF,
        SATB_DOF_HIGHLIGHTS(RANGE),
        .more = "Highlights are small, compact and far brighter than their surroundings. If a "
                "highlight is clipped, it was brighter than the file says. K is the assumed "
                "factor; 1 adds no light, and 0 looks for none. The disc has the highlight's colour, or that of its "
                "glow if the highlight is white. The method must be layered.",
        .expects = "0, or a factor", .read = read_number, .units = "factor"},
    [OPT_HIGHLIGHT_THRESHOLD] = {"highlight-threshold", "T", BLUR, .bytes = BYTES_DIFFER, .needs = NEEDS_DOF,
        SATB_DOF_HIGHLIGHT_THRESHOLD(NUMBER),
        .more = "T is a fraction of linear light: 0.5 is one stop below white, the code 188 of 255. "
                "With --gamma, T is a fraction of the largest code. Below 1/64, T counts as 1/64.",
        .expects = "a fraction of white", .read = read_number, .units = "share"},
    [OPT_HIGHLIGHT_SIZE] = {"highlight-size", "PERCENT", BLUR, .bytes = BYTES_DIFFER, .needs = NEEDS_DOF,
        SATB_DOF_HIGHLIGHT_SIZE(NUMBER),
        .more = "Larger bright areas, like windows and the sky, are blurred like the rest.",
        .expects = "per cent", .read = read_number, .units = "percent"},

    [OPT_DEPTH_TYPE] = {"depth-type", "TYPE", DEPTH, .bytes = BYTES_DIFFER, .needs = NEEDS_DEPTH,
        .help = "Map values", .preset = "disparity",
        .choices = depth_types, .read = read_choice, FIELD(dof.depth_type)},
    [OPT_NEAR] = {"near", "COLOUR", DEPTH, .daily = true, .bytes = BYTES_DIFFER, .needs = NEEDS_DEPTH,
        .help = "Nearest depth", .preset = "white",
        .choices = colours, .read = read_choice, FIELD(dof.near_black)},
    [OPT_DEPTH_COLORMAP] = {"depth-colormap", "NAME", DEPTH, .bytes = BYTES_DIFFER, .needs = NEEDS_DEPTH,
        .help = "Colour scale of a false-colour map, like inferno or spectral_r", .preset = "auto",
        .more = "auto finds the scale. White is then the bright end (inferno, magma, plasma, "
                "viridis) or the red end (turbo, jet, spectral). The first colour of a named "
                "scale is black; _r reverses it.",
        .choices = colormaps,
        .expects = "'auto', 'none', 'packed', 'packed-low', or 'inferno', 'magma', 'plasma', 'viridis', 'turbo', 'jet', "
                   "'opencv_jet' or 'spectral', reversed by '_r'",
        .read = read_choice, FIELD(colormap)},
    [OPT_DEPTH_FROM] = {"depth-from", "NAME", DEPTH, .daily = true, .bytes = BYTES_DIFFER, .needs = NEEDS_DEPTH,
        .help = "Program or sensor that made the map, like zoedepth",
        .more = "NAME sets type, near colour, unit and holes of the map. Other options override "
                "it.",
        .choices = depth_sources, .expects = "a name that 'satblur --help=all' lists, like zoedepth",
        .read = read_word, FIELD(depth_from)},
    [OPT_DEPTH_SCALE] = {"depth-scale", "N", DEPTH, .bytes = BYTES_DIFFER, .needs = NEEDS_DEPTH,
        .help = "The map holds distances, N units per metre; 1000 is millimetres",
        .more = "Depth cameras write 1000, KITTI and ZoeDepth 256, TUM 5000, Unreal 100. The "
                "value 0 is unknown. --distance is then not needed.",
        .expects = "units per metre above 0, like 1000", .read = read_positive, FIELD(depth_scale)},
    [OPT_DEPTH_RANGE] = {"depth-range", "A,B", DEPTH, .bytes = BYTES_DIFFER, .needs = NEEDS_DEPTH,
        .help = "Stretch the map's values from A to B to the full scale",
        .more = "A and B are fractions of the full scale if both are at most 1. Otherwise they "
                "are values of the map: up to 255, up to 65535 for a 16-bit map, or up to a "
                "PGM's own largest value. With --depth-type linear and --near black, but without "
                "--distance, values of a 16-bit map are millimetres, which also give the "
                "distances. For a map in metres, A and B are metres and B may be inf. For other "
                "floating-point maps they are map values. 2%,98% are percentiles of any map. The "
                "maps of a clip share one range; by default, numbers and metres use that of all "
                "maps.",
        .expects = "A,B with A below B: fractions 0 to 1 of full scale, codes or numbers of the map, or 2%,98%",
        .read = read_depth_range},
    [OPT_DEPTH_HOLES] = {"depth-holes", "HOW", DEPTH, .bytes = BYTES_DIFFER, .needs = NEEDS_DEPTH,
        .help = "Meaning of the value 0 in the map",
        .more = "The default is none. It is fill for 16-bit maps with --depth-type linear and "
                "--near black, because depth sensors write such maps, in millimetres.",
        .choices = holes, .read = read_choice, FIELD(dof.holes)},
    [OPT_DEPTH_EDGES] = {"depth-edges", "HOW", DEPTH, .bytes = BYTES_DIFFER, .needs = NEEDS_DEPTH,
        .help = "Soft edges of the map", .preset = "fit",
        .more = "A depth between two surfaces belongs to neither, and gives a seam with a blur "
                "of its own. A mask, which is nearly all black or white, keeps its soft rims "
                "with fit. keep suits maps without soft edges, like rendered ones, and maps in "
                "which every value counts.",
        .choices = depth_edges, .read = read_choice, FIELD(dof.edges)},
    [OPT_DEPTH_CHANNEL] = {"depth-channel", "NAME", DEPTH, .bytes = BYTES_DIFFER, .needs = NEEDS_DEPTH,
        .help = "Depth channel of an EXR, also of INPUT; R, G, B, A or Y of others",
        .more = "The default is Z or another channel whose name says depth, the only channel, or "
                "R if G and B are equal to it.",
        .expects = "the name of a channel", .read = read_text, FIELD(depth_channel)},
    [OPT_DEPTH_KEY] = {"depth-key", "NAME", DEPTH, .bytes = BYTES_DIFFER, .needs = NEEDS_DEPTH,
        .help = "Depth array of an NPZ",
        .more = "The default is depth, depths, disparity, arr_0 or the only array.",
        .expects = "the name of an array", .read = read_text, FIELD(depth_key)},

#include "cli/program_rows.h"

    [OPT_FSTOP] = {"fstop", "N", CAMERA, .daily = true, .bytes = BYTES_DIFFER, .needs = NEEDS_FOCUS,
        .help = "F-number of a real lens, like 2.8; it needs --focal",
        .more = "The blur is that of a real lens. The option needs --focal, and also --distance, unless "
                "the map has metres (see --depth-from, --depth-scale and --depth-range).",
        .expects = "an f-number above 0, like 2.8", .read = read_positive, .units = "fstop", FIELD(dof.fstop)},
    [OPT_FOCAL] = {"focal", "MM", CAMERA, .bytes = BYTES_DIFFER, .needs = NEEDS_FOCUS,
        .help = "Focal length in millimetres, like 50",
        .expects = "millimetres above 0, like 50", .read = read_positive, .units = "millimetres", FIELD(dof.focal_mm)},
    [OPT_SENSOR] = {"sensor", "MM", CAMERA, .bytes = BYTES_DIFFER, .needs = NEEDS_FOCUS,
        .help = "Width of the sensor in millimetres", .preset = "36",
        .expects = "millimetres above 0, like 36", .read = read_positive, .units = "millimetres", FIELD(dof.sensor_mm)},
    [OPT_DISTANCE] = {"distance", "NEAR,FAR", CAMERA, .bytes = BYTES_DIFFER, .needs = NEEDS_FOCUS,
        .help = "Metres at the nearest and the farthest end of the map",
        .more = "FAR may be inf, but not with --depth-type linear. Without the option, a linear "
                "map is read as 1,10, or as millimetres (see --depth-range).",
        .expects = "metres NEAR,FAR with 0 < NEAR < FAR, like 0.8,20 or 1,inf", .read = read_distance, .units = "metres"},

    [OPT_GAMMA] = {"gamma", NULL, LOOK, .bytes = BYTES_DIFFER, .needs = NEEDS_BLUR,
        .help = "Blur the stored values instead of linear light",
        .more = "Without the option, samples are read as sRGB, PQ or HLG, and blurred in linear light."},
    [OPT_NO_HDR] = {"no-hdr", NULL, LOOK, .bytes = BYTES_DIFFER, .needs = NEEDS_OUTPUT,
        .help = "Drop a photo's gain map instead of blurring its light",
        .more = "Without the option, a photo with a gain map (Ultra HDR) keeps its bright lamps: in "
                "a JPEG by a new gain map, for about three times the work, and in EXR, HDR and PFM as light."},
    [OPT_EDGE] = {"edge", "MODE", LOOK, .bytes = BYTES_DIFFER, .needs = NEEDS_BLUR,
        .help = "Pixels beyond the border", .preset = "shrink",
        .more = "spread has only shrink. layered has shrink and wrap; with wrap, the left and right sides meet. wrap is "
                "the default for layers if the metadata says that the picture is a panorama of all directions.",
        .choices = edges, .read = read_choice, FIELD(look.edge)},
    [OPT_DITHER] = {"dither", "[=on|off]", LOOK, .bytes = BYTES_DIFFER, .needs = NEEDS_BLUR,
        .help = "Round to 8 bits by a fine pattern, so that skies have no bands", .preset = "on for layered",
        .more = "Sharp pixels keep their bits. Other blurs are only dithered with the option, and take several times as long.",
        .choices = ditherings, .expects = "--dither, --dither=on or --dither=off", .read = read_choice,
        FIELD(dof.rounding)},
    [OPT_GRAIN] = {"grain", "auto|F", LOOK, .bytes = BYTES_DIFFER, .needs = NEEDS_BLUR,
        .help = "Restore the grain that blurring removes",
        .more = "F is the grain's standard deviation in 1/255 of white. auto measures the grain "
                "in flat parts of the picture, by brightness and colour. Sharp parts keep their "
                "own.",
        .choices = grains, .expects = "'auto' or a standard deviation from 0 to 64, like 2.5", .read = read_grain},

    [OPT_DEVICE] = {"device", "DEVICE", ENGINE, .daily = true, .bytes = BYTES_SAME,
        .help = "auto, cpu, cuda, cuda:N or cuda:all", .preset = "auto",
        .more = "Every device gives the same bytes. auto takes a usable GPU, unless the CPU "
                "would finish a single picture before a GPU has started.",
        .choices = devices, .expects = "'auto', 'cpu', 'cuda', 'cuda:N' or 'cuda:all'", .read = read_device,
        FIELD(engine.device)},
    [OPT_THREADS] = {"threads", "N", ENGINE, .bytes = BYTES_SAME,
        .help = "Number of CPU threads", .preset = "all processors",
        .expects = "a number of threads", .read = read_whole, .low = 1, .high = 1024, FIELD(engine.threads)},
    [OPT_VERIFY] = {"verify", NULL, ENGINE, .of_run = true, .bytes = BYTES_SAME,
        .help = "Compute on CPU and GPU; fail unless every byte is equal"},
    [OPT_TIMINGS] = {"timings", NULL, ENGINE, .of_run = true, .bytes = BYTES_SAME,
        .help = "Print the device, the method and the milliseconds of each stage",
        .more = "On a GPU, the option also prints its memory and bands (see --gpu-memory). Of a clip, "
                "it prints the means of all frames."},
    [OPT_GPU_MEMORY] = {"gpu-memory", "SIZE", ENGINE, .bytes = BYTES_SAME,
        .help = "Limit of GPU memory to use, like 512M or 1.5G", .preset = "the free memory",
        .more = "K, M and G mean 2^10, 2^20 and 2^30 bytes. A picture that does not fit is "
                "processed in bands of rows, with the same result.",
        .expects = "a number of bytes, like 512M or 1.5G", .read = read_gpu_memory},
    [OPT_CODEC] = {"codec", "CODEC", ENGINE, .bytes = BYTES_DIFFER,
        .help = "Libraries that read and write pictures", .preset = "fast",
        .more = "The JPEG samples of nvJPEG differ slightly from those of libjpeg-turbo.",
        .choices = codecs, .read = read_choice, FIELD(codec)},
    [OPT_MAX_PIXELS] = {"max-pixels", "N", ENGINE, .bytes = BYTES_SAME,
        .help = "Refuse pictures and maps of more than N pixels, like 50M", .preset = "1073741824, which is 2^30",
        .more = "A larger picture is refused before memory is taken for it. N is 1 to "
                "2147483648; K, M and G mean 10^3, 10^6 and 10^9.",
        .expects = "a number of pixels, 1 to 2147483648, like 50M or 1.5G", .read = read_max_pixels},

    [OPT_DEPTH_DIR] = {"depth-dir", "DIR", BATCH, .of_run = true, .daily = true, .bytes = BYTES_OF_FILE, .needs = NEEDS_BATCH,
        .help = "Blur by depth; DIR has a.png or a_depth.png for a.jpg",
        .more = "The map may also be a.depth.png, or have another format's ending.",
        .expects = "a folder", .read = read_text, FIELD(map)},
    [OPT_DEPTH_SUFFIX] = {"depth-suffix", "TEXT", BATCH, .of_run = true, .bytes = BYTES_SAME, .needs = NEEDS_BATCH,
        .help = "Take only aTEXT.png as the map of a.jpg; '' takes a.png",
        .expects = "the end of a file name, without '/'", .read = read_name_part, FIELD(depth_suffix)},
    [OPT_RECURSIVE] = {"recursive", NULL, BATCH, .of_run = true, .daily = true, .bytes = BYTES_SAME, .needs = NEEDS_BATCH,
        .help = "Include subfolders; OUTPUT gets the same tree"},
    [OPT_FILES_FROM] = {"files-from", "FILE", BATCH, .of_run = true, .bytes = BYTES_SAME, .needs = NEEDS_BATCH,
        .help = "Read the names of the pictures from FILE; - is standard input",
        .more = "Names end with newlines or with NULs. They are relative to INPUT. If only OUTPUT is given, they are "
                "relative to the current folder: satblur OUTPUT --files-from -",
        .expects = "a file name, or - for standard input", .read = read_text, FIELD(files_from)},
    [OPT_SUFFIX] = {"suffix", "TEXT", BATCH, .of_run = true, .bytes = BYTES_SAME, .needs = NEEDS_BATCH,
        .help = "Write a.jpg as aTEXT.jpg",
        .expects = "the end of a file name, without '/'", .read = read_name_part, FIELD(suffix)},
    [OPT_FORMAT] = {"format", "FORMAT", BATCH, .of_run = true, .daily = true, .bytes = BYTES_SAME, .needs = NEEDS_BATCH,
        .help = "Output format, like jpg", .preset = "the input's format",
        .more = "For one picture, FORMAT is the format of OUTPUT -.",
        .choices = format_choices, .expects = "a format that 'satblur --help=all' lists, like png", .read = read_word, FIELD(format)},
    [OPT_JOBS] = {"jobs", "N", BATCH, .bytes = BYTES_SAME, .needs = NEEDS_BATCH,
        .help = "Number of pictures in progress at a time", .preset = "the number of processors",
        .more = "If a GPU blurs, the default is 1.5 times that number. If the GPU also reads and writes "
                "the files (--codec gpu), it is 3 times that number.",
        .expects = "a number of pictures", .read = read_whole, .low = 1, .high = JOBS_MOST, FIELD(jobs)},
    [OPT_SHARD] = {"shard", "I/N", BATCH, .of_run = true, .bytes = BYTES_SAME, .needs = NEEDS_BATCH,
        .help = "Take every N-th picture from the I-th on; N machines share the work",
        .more = "slurm takes I and N from the job array.",
        .expects = "I/N with 1 <= I <= N, like 2/8, or 'slurm' in a job array without gaps", .read = read_shard},
    [OPT_RESUME] = {"resume", NULL, BATCH, .of_run = true, .daily = true, .bytes = BYTES_SAME, .needs = NEEDS_BATCH,
        .help = "Skip the pictures that an earlier run finished",
        .more = "A picture is redone if its file, map or matte, or an option that affects the "
                "output, has changed."},
    [OPT_REPORT] = {"report", "FILE", BATCH, .of_run = true, .bytes = BYTES_SAME, .needs = NEEDS_BATCH,
        .help = "Write a JSON object per picture, then a summary; - is standard output",
        .more = "With --resume, the lines are appended to FILE. A clip has a line for each frame.",
        .expects = "a file name, or - for standard output", .read = read_text, FIELD(report)},

#include "cli/clip_rows.h"

    [OPT_QUALITY] = {"quality", "Q", OUTPUT, .daily = true, .bytes = BYTES_DIFFER, .needs = NEEDS_OUTPUT,
        .help = "Quality of lossy formats, 1 to 100", .preset = "92",
        .more = "Above 90, JPEG and AVIF keep colours in full resolution; HEIC does not, because "
                "phones could not show it. JPEG XL is lossless at 100, and so is WebP, also by "
                "default if INPUT is a lossless WebP.",
        .expects = "a quality", .read = read_whole, .units = "percent", .low = 1, .high = 100, FIELD(quality)},
    [OPT_COMPRESSION] = {"compression", "L", OUTPUT, .bytes = BYTES_DIFFER, .needs = NEEDS_OUTPUT,
        .help = "PNG and TIFF compression, 0 (none) to 12 (small and slow)", .preset = "1",
        .expects = "a compression level", .read = read_whole, .low = 0, .high = 12, FIELD(compression)},
    [OPT_DUMP_COC] = {"dump-coc", "FILE", OUTPUT, .of_run = true, .bytes = BYTES_SAME, .needs = NEEDS_DOF,
        .help = "Also write the blur radii (circles of confusion) to FILE, .png or .pgm",
        .more = "FILE is gray with 16 bits: 32768 is in focus, brighter is in front of the focus, darker is behind it. "
                "A difference of 32767 is the radius at a disparity difference of 1. Those of a clip are coc/%05d.png.",
        .expects = "a file name that ends in .png or .pgm", .read = read_dump_coc, FIELD(coc)},
    [OPT_KEEP_DEPTH] = {"keep-depth", NULL, OUTPUT, .bytes = BYTES_DIFFER, .needs = NEEDS_DEPTH,
        .help = "Store the depth map in OUTPUT, a JPEG, to focus it again",
        .more = "satblur finds the map there without any option, and so do programs that read Google's GDepth."},
    [OPT_NO_CLOBBER] = {"no-clobber", NULL, OUTPUT, .bytes = BYTES_SAME,
        .help = "Never replace an existing file",
        .more = "If a file would be replaced, the run is refused with exit status 1. In a "
                "folder, the picture is skipped."},
    [OPT_QUIET] = {"quiet", NULL, OUTPUT, .daily = true, .bytes = BYTES_SAME,
        .help = "Print errors only (-q); --verbose (-v) prints every detail",
        .more = "Without either, a run prints short notes: what is sharp, how strong the blur "
                "is, and what to change if that is wrong."},
    [OPT_VERBOSE] = {"verbose", NULL, OUTPUT, .bytes = BYTES_SAME,
        .help = "Print everything that was assumed, found and measured"},
    [OPT_NO_CONFIG] = {"no-config", NULL, OUTPUT, .of_run = true, .bytes = BYTES_SAME,
        .help = "Ignore the configuration file",
        .more = "The file is $XDG_CONFIG_HOME/satblur/config, or else ~/.config/satblur/config. A line is an option for all runs: "
                "name = value. The command line overrides it."},
    [OPT_PAGE] = {"page", "DIR", OUTPUT, .of_run = true, .bytes = BYTES_SAME,
        .help = "Write a web page to DIR, to focus with the mouse",
        .more = "DIR/index.html needs no server and no internet, and shows the command for its result.",
        .expects = "a folder", .read = read_text, FIELD(page)},
    [OPT_ONNXRUNTIME] = {"onnxruntime", "DIR", OUTPUT, .of_run = true, .bytes = BYTES_SAME,
        .help = "With --page: add ONNX Runtime, to drop models on the page",
        .more = "DIR is the folder dist of the npm package onnxruntime-web. A model of depth that is dropped makes the maps.",
        .expects = "a folder", .read = read_text, FIELD(onnxruntime)},
    [OPT_VERSION] = {"version", NULL, OUTPUT, .of_run = true, .daily = true, .bytes = BYTES_SAME,
        .help = "Print the version and the libraries of each format"},
    [OPT_HELP] = {"help", "[=all]", OUTPUT, .of_run = true, .daily = true, .bytes = BYTES_SAME,
        .help = "Print the everyday options; =all prints every option",
        .more = "-h is --help. --help=SECTION prints a section of --help=all, like --help=depth.",
        .choices = help_styles, .read = read_help,
        .expects = "--help, --help=all, =man, =bash, =zsh, =fish, =json or a section, like =depth",
        FIELD(help)},
};
/* clang-format on */
