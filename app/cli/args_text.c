/* The prose of --help and of the manual page that belongs to no single option. */
#include "cli/args_help.h"

#include <satb_config.h>

const char args_summary[] = "depth of field from depth maps, box blurs and statistics";

/* clang-format off */
const char args_description[] =
    "satblur blurs pictures with summed-area tables, so that the time does not depend on the radius. With a depth map it "
    "gives a picture the depth of field of a camera. It also blurs by one radius or by a map of radii, equalises and "
    "measures. It works on one picture, or on the pictures of a folder. The CPU and an NVIDIA GPU give the same bytes.";

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
     "Blur as a lens of 50 mm at f/1.8 does, focused at 2.5 metres."},
    {"in.png out.png --depth millimetres.png --depth-type linear --near black "
     "--depth-range 300,4000 --fstop 2 --focal 50 --focus 0.8m",
     "Use the map of a depth sensor, in millimetres: they are the distances, too."},
    {"photo.jpg blurred.jpg --matte cutout.png", "Blur all but the subject, which another program has cut out."},
    {"city.jpg toys.jpg --tilt-shift 0,0.6,0.2", "Make a view from above look like a miniature."},
    {"night.png out.png --depth depth.png --highlights 8", "Turn lamps into discs of light."},
    {"in.png out.png --radius 12.5", "Blur by a fixed radius."},
    {"- - --radius 12.5 --format jpg", "Read a picture from a pipe, and write a JPEG into another."},
    {"photos blurred --depth-dir depths --recursive --resume", "Blur a folder, and go on after a break."},
    {"photos --stats --report stats.jsonl", "Measure a folder, one JSON object per picture."},
    {0},
};

const help_text args_notes[] = {
    {"Files",
     "satblur reads PNG, JPEG, BMP, TGA, "
#if SATB_HAVE_TIFF
     "TIFF, "
#endif
#if SATB_HAVE_WEBP
     "WebP, "
#endif
     "PGM and PPM. The ending of OUTPUT names the format to write. Bit depth and channels stay as they are if that format "
     "can hold them; otherwise a note says what changed.\n"
     "- is standard input, as INPUT or as MAP or MASK, and standard output, as OUTPUT; --format then names the format. "
     "A file with that name is ./-. -o OUTPUT names OUTPUT at any place.\n"
     "OUTPUT appears when it is complete, or not at all. A picture may be its own OUTPUT; a folder may not. The files of "
     "--histogram, --dump-coc and --focus-view must not be inputs."},
    {"Metadata",
     "Colour profile, EXIF, XMP and pixel density are copied between PNG, JPEG, TIFF and WebP. From PNG to PNG, texts and "
     "chunks about colours are copied as well; from JPEG to JPEG, comments and IPTC are. A note names what is not copied. "
     "Thumbnails and previews in metadata are left out, because they show the old pixels.\n"
     "EXIF orientation is kept in JPEG output, and if input and output have the same format; other outputs are rotated "
     "upright. MAP, --focus-at and --radius RX,RY refer to INPUT as a viewer shows it. If MAP matches only INPUT's stored "
     "orientation, that is used, with a note."},
    {"Numbers", "A number may have its unit: 40px, 2%, f/1.8, 50mm, 2.5m. Where a part is meant, 80% is 0.8."},
    {"Folders",
     "Several pictures before a folder, as for cp, are like those of a folder: satblur a.jpg b.jpg OUTFOLDER. --jobs pictures are in progress at a time. A failed picture prints one error line, and the others go on; the exit "
     "status is then 1. Ctrl-C finishes the pictures in progress. A second Ctrl-C stops at once.\n"
     "OUTPUT gets a list of the finished pictures, .satblur.done. --resume reads the list. A picture is made again if it "
     "is missing or failed, or if the picture, its map, its output or an option that changes bytes is another than "
     "before. The frames of a clip in numbered files have a list of their own.\n"
     "--report writes for each picture: input, output, map, status (done, skipped, failed), message, width, height, "
     "channels, bits, device, gpu_memory (bytes), bands, decoder, map_decoder, encoder (libraries), stayed (true: the "
     "pixels stayed on the GPU from decoder to encoder), ms (by stage) and stats. The last line is a summary."},
    {"Statistics",
     "Percentiles are codes: the p-th percentile is the smallest code that at least p % of the pixels do not exceed. "
     "Entropy is Shannon's, in bits per sample. Clipped pixels have code 0 (low) or the largest code (high).\n"
     "--stats=json prints one object on standard output: file, width, height, bits, channels, device, and with --depth "
     "also depth (file, width, height, bits and channels of the map, whose first channel counts). A channel has name "
     "(gray, R, G, B or alpha), min, max, mean, stddev, median, p1, p5, p95, p99, entropy, clipped_low and clipped_high "
     "(shares from 0 to 1), and histogram: 256 counts, each of one code for 8 bits, of 256 codes for 16 bits. Notes, "
     "timings and errors go to standard error."},
    {"Exit status",
     "0: everything is done. 1: something failed. 2: the command line is wrong. A file that could not be finished is "
     "absent, or has its old content."},
    {0},
};
/* clang-format on */
