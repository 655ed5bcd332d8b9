/* The keys of --report, in the order of a line: KEY(NAME, "key", "type", "text"). batch/batch_report.c writes their values,
 * and the help lists them. A key is left out where it has no value. */
#ifndef SATBLUR_APP_REPORT_KEYS_H
#define SATBLUR_APP_REPORT_KEYS_H

/* clang-format off */
#define REPORT_KEYS(KEY) /* of a picture */ \
    KEY(INPUT, "input", "text", "File of the picture") \
    KEY(OUTPUT, "output", "text", "File that is written") \
    KEY(FRAME, "frame", "number", "Number of the frame of a clip, from 0 on") \
    KEY(MAP, "map", "text", "File of its depth map or radius map") \
    KEY(MAP_PROGRAM, "map_program", "text", "Program that made its depth map") \
    KEY(MATTE, "matte", "text", "File of its matte") \
    KEY(STATUS, "status", "text", "done, skipped or failed") \
    KEY(MESSAGE, "message", "text", "Reason of a failure, or notes") \
    KEY(WIDTH, "width", "number", "Pixels of a row, as stored") \
    KEY(HEIGHT, "height", "number", "Rows, as stored") \
    KEY(CHANNELS, "channels", "number", "1 to 4") \
    KEY(BITS, "bits", "number", "Bits of a sample: 8 or 16") \
    KEY(HALF_FLOAT, "half_float", "true", "The samples are half floats of linear light") \
    KEY(DEVICE, "device", "text", "CPU or GPU that did the work") \
    KEY(GPU_MEMORY, "gpu_memory", "number", "Most GPU memory in use, in bytes") \
    KEY(BANDS, "bands", "number", "Bands of rows that the GPU worked on one after another") \
    KEY(DECODER, "decoder", "text", "Library that read the picture") \
    KEY(MAP_DECODER, "map_decoder", "text", "Library that read the map") \
    KEY(DEPTH_FROM, "depth_from", "text", "Word of --depth-from") \
    KEY(MAP_FORMAT, "map_format", "text", "Format of a map of numbers") \
    KEY(MAP_CHANNEL, "map_channel", "text", "Channel or array of that map") \
    KEY(MAP_KIND, "map_kind", "text", "Meaning of its numbers") \
    KEY(ENCODER, "encoder", "text", "Library that wrote the output") \
    KEY(STAYED, "stayed", "true", "The pixels stayed on the GPU from decoder to encoder") \
    KEY(MS, "ms", "object", "Milliseconds of each stage, and the total") \
    KEY(STATS, "stats", "object", "With --stats: the object of --stats=json")

#define SUMMARY_KEYS(KEY) /* of the last line */ \
    KEY(SUMMARY, "summary", "true", "Marks the last line") \
    KEY(ITEMS, "items", "number", "Pictures") \
    KEY(DONE, "done", "number", "Pictures that were finished") \
    KEY(SKIPPED, "skipped", "number", "Pictures that an earlier run finished, or whose outputs --no-clobber kept") \
    KEY(FAILED, "failed", "number", "Pictures that failed") \
    KEY(SECONDS, "seconds", "number", "Total time") \
    KEY(RATE, "images_per_second", "number", "Finished pictures per second") \
    KEY(JOBS, "jobs", "number", "Pictures in progress at a time") \
    KEY(INTERRUPTED, "interrupted", "true or false", "Whether pictures were left") \
    KEY(CONFIG, "config", "text", "Configuration file, and the options that it has set") \
    KEY(VERSION, "version", "text", "Version of satblur")
/* clang-format on */

#define REPORT_NUMBER(name, key, type, text) REPORT_##name,
typedef enum report_key { REPORT_KEYS(REPORT_NUMBER) REPORT_COUNT } report_key;

#define SUMMARY_NUMBER(name, key, type, text) SUMMARY_##name,
typedef enum summary_key { SUMMARY_KEYS(SUMMARY_NUMBER) SUMMARY_COUNT } summary_key;

#endif
