/* The prose of --help and of the manual page that belongs to no single option. */
#include "cli/args_help.h"

const char args_summary[] = "depth of field from depth maps, box blurs and statistics";

/* clang-format off */
const char args_description[] =
    "satblur blurs pictures with summed-area tables, so the time does not depend on the radius. "
    "With a depth map, satblur gives a picture the depth of field of a camera. The program also "
    "blurs by one radius or by a map of radii, equalises and measures. It works on a picture, a "
    "folder or a clip. The CPU and an NVIDIA GPU give the same bytes.";

const help_text args_usages[] = {
    {"INPUT OUTPUT --depth MAP [options]", "depth of field"},
    {"INPUT OUTPUT --radius R [options]", "box blur"},
    {"CLIP OUTCLIP --depth MAPS [options]", "video, or in/%05d.png"},
    {"INPUT [--stats[=json]] [--histogram FILE]", "statistics"},
    {"FOLDER OUTFOLDER --depth-dir MAPFOLDER", "all pictures of a folder"},
    {0},
};

const help_text args_examples[] = {
    {"photo.jpg blurred.jpg --depth depth.png --focus-at 640,360", "Focus on the object at a pixel."},
    {"photo.jpg blurred.jpg --depth depth.png --fstop 1.8 --focal 50 --distance 0.8,inf --focus 2.5m",
     "Blur like a 50 mm lens at f/1.8, focused at 2.5 metres."},
    {"in.png out.png --depth millimetres.png --depth-type linear --near black "
     "--depth-range 300,4000 --fstop 2 --focal 50 --focus 0.8m",
     "Use a depth sensor's map, whose millimetres also give the distances."},
    {"photo.jpg blurred.jpg --matte cutout.png", "Blur everything but the subject, which another "
                                                 "program has cut out."},
    {"city.jpg toys.jpg --tilt-shift 0,0.6,0.2", "Make a view from above look like a miniature."},
    {"night.png out.png --depth depth.png --highlights 8", "Turn highlights into bright discs."},
    {"in.png out.png --radius 12.5", "Blur by a fixed radius."},
    {"- - --radius 12.5 --format jpg", "Read a picture from a pipe, and write a JPEG into "
                                       "another pipe."},
    {"photos blurred --depth-dir depths --recursive --resume", "Blur a folder, and continue "
                                                               "after a break."},
    {"photos --stats --report stats.jsonl", "Measure a folder, one JSON object per picture."},
    {0},
};

const help_note args_notes[] = {
    {"Files",
     "A file's first bytes tell its format. The ending of OUTPUT names the format to write. Bit "
     "depth and channels are kept if that format can hold them; otherwise a note says what "
     "changed.\n- is standard input for INPUT, MAP or MASK, and standard output for OUTPUT; "
     "--format then names the format. A file of that name is ./-. -o OUTPUT may stand anywhere "
     "in the command.\nOUTPUT appears only when it is complete. A picture may be its own OUTPUT, "
     "but a folder may not. The files of --histogram, --dump-coc and --focus-view must not be "
     "inputs.", NULL},
    {"Maps for any photo",
     "satblur computes no depth. A phone's portrait photo has a map in it, which satblur photo.jpg out.jpg finds. For "
     "any other photo, an AI model of your choice estimates the depth. The program satblur-depth of the Python package "
     "runs it: satblur photo.jpg out.jpg --depth-process satblur-depth. With the line 'depth-process = satblur-depth' in "
     "~/.config/satblur/config, satblur photo.jpg out.jpg is enough. --depth-command runs any other program. --matte "
     "takes a mask or a cut-out of the subject instead, as programs that remove backgrounds make them.\n"
     "app/doc/map-sources.md in the sources has these ways step by step, and models with their licences.", NULL},
    {"Formats",
     "A format is missing here if its library is not built in.", help_formats},
    {"Metadata",
     "Colour profile (ICC), EXIF, XMP and density are copied between formats that keep them (see "
     "Formats). The other kinds are copied only between files of one format. A note names the "
     "metadata that is not copied. Thumbnails and previews in metadata are left out, because "
     "they show the old pixels.\nEXIF orientation is kept in JPEG output, and if input and "
     "output have the same format; other outputs are rotated upright. MAP, --focus-at and "
     "--radius RX,RY refer to INPUT as a viewer shows it. If MAP matches only INPUT's stored "
     "orientation, that orientation is used, with a note.", NULL},
    {"Numbers", "A number may have its unit: 40px, 2%, f/1.8, 50mm, 2.5m. If a fraction is "
                "expected, 80% is 0.8.", NULL},
    {"Folders",
     "Several pictures before a folder, as for cp, are treated like a folder: satblur a.jpg "
     "b.jpg OUTFOLDER. --jobs pictures are in progress at a time. If a picture fails, satblur "
     "prints one error line and continues with the others; the exit status is then 1. Ctrl-C "
     "finishes the pictures in progress. A second Ctrl-C stops at once.\nOUTPUT gets a list of "
     "the finished pictures, .satblur.done. --resume reads the list. A picture is redone if it "
     "is missing or failed, or if the picture, its map, its output or an option that affects the "
     "output has changed. The frames of a clip in numbered files have a list of their own.", NULL},
    {"Report",
     "--report writes an object for each picture. A key without a value is left out.", help_report},
    {"Summary of a report", "The summary is the last line.", help_summary},
    {"Statistics",
     "Percentiles are codes: the p-th percentile is the smallest code that at least p% of the pixels do not exceed. "
     "Entropy is Shannon's, in bits per sample. Clipped pixels have code 0 (low) or the largest code (high).\n"
     "--stats=json prints one object on standard output: file, width, height, bits, channels, device, and with --depth "
     "also depth (file, width, height, bits and channels of the map, whose first channel counts). A channel has name "
     "(gray, R, G, B or alpha), min, max, mean, stddev, median, p1, p5, p95, p99, entropy, clipped_low and clipped_high "
     "(shares from 0 to 1), and histogram: 256 counts, each of one code for 8 bits, of 256 codes for 16 bits. Notes, "
     "timings and errors go to standard error.", NULL},
    {"Exit status",
     "0: everything is done. 1: something failed. 2: the command line is wrong. If a file could "
     "not be finished, it is absent, or has its old content.", NULL},
    {0},
};
/* clang-format on */
