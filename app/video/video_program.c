#include "video/video_program.h"

#include "video/video_in.h"

#include <satb_config.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#if SATB_HAVE_FFMPEG
void video_program_start(char **argv)
{
    static const char *const places[] = {"satblur-video",
                                         SATB_VIDEO_PROGRAM}; /* built, installed */
    char path[4096];
    const ssize_t length = video_library() ? 0 : readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0)
        return;
    path[length] = '\0';
    char *const name = strrchr(path, '/') + 1;
    const size_t room = sizeof path - (size_t)(name - path);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if ((size_t)snprintf(name, room, "%s", places[i]) < room)
            execv(path, argv);
}
#else
void video_program_start(char **argv)
{
    (void)argv; /* one of an earlier build may stand there */
}
#endif
