/* For hosts in other languages: the program's work on pictures that they hold in memory, by the program's own words, and its
 * reading of files. These functions take plain numbers and texts, so a host needs no struct of ours. app/hosts/host.map exports
 * them from libsatblur-host.so, and those of satblur.h with them. Any thread may call; the work of several is done one after another.
 *
 * A sample's kind is its bits: 8, 16, HOST_HALF for half floats, or HOST_NUMBER for the floats of a depth map. */
#ifndef SATBLUR_APP_HOST_H
#define SATBLUR_APP_HOST_H

#include <satblur.h>

enum { HOST_HALF = -16, HOST_NUMBER = 32 };

/* The pictures of a host's call: the roles of engine/options.h, and the result behind them. */
enum { HOST_IMAGE, HOST_DEPTH, HOST_MATTE, HOST_PROTECT, HOST_RESULT };

typedef struct satb_host satb_host;

/* Does all that the program does, and returns its exit status. */
SATB_API int satb_host_main(int argc, char **argv);

/* Names the program, which reads some formats in a process of its own. It is copied. Once, before all else. */
SATB_API void satb_host_begin(const char *program);

/* Ends the threads and frees the memory that are kept for later work. */
SATB_API void satb_host_end(void);

/* Returns the line about the thread's last failure, and whether memory ran out. */
SATB_API const char *satb_host_problem(void);
SATB_API int satb_host_is_starved(void);

/* Reads options, one a line, as of a command line that begins with the names of INPUT and OUTPUT, whose name does not
 * matter. is_clip: the pictures are the frames of a clip, in order. NULL: satb_host_problem() says why not. */
SATB_API satb_host *satb_host_open(const char *lines, int is_clip);
SATB_API void satb_host_close(satb_host *h);

/* Copies a dense picture for the next satb_host_run(). Returns 0 if memory runs out. */
SATB_API int satb_host_give(satb_host *h, int role, const void *data, int width, int height,
                            int channels, int kind);

/* Does the work on the pictures that were given since the last call. Returns 0 on a failure. */
SATB_API int satb_host_run(satb_host *h);

/* Reads the file of a role, or, with HOST_RESULT, a photo with the map and the matte within its file. NULL: a failure. */
SATB_API satb_host *satb_host_read(const char *lines, int role);

/* Returns a picture, upright, dense, until the next call with h, and its width, height, channels and kind. NULL: none. */
SATB_API const void *satb_host_picture(const satb_host *h, int role, int shape[4]);

/* Returns the report of the last satb_host_run(), as bytes of a satb_dof_report. */
SATB_API const void *satb_host_report(const satb_host *h);

/* Returns the notes of satb_host_read() or of the last satb_host_run(): lines, each with its NUL. Those about the options, and
 * those beyond 8 KiB, go to stderr. */
SATB_API const char *satb_host_notes(const satb_host *h, size_t *size);

/* Returns what the map that was read means: options, one a line. */
SATB_API const char *satb_host_meaning(const satb_host *h);

#endif
