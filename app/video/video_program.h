/* The program for videos. FFmpeg's libraries take longer to load than a small photo takes to blur, so a program that has them
 * stands beside satblur: the same source, with video_in.c and video_out.c instead of video_none.c. */
#ifndef SATBLUR_APP_VIDEO_PROGRAM_H
#define SATBLUR_APP_VIDEO_PROGRAM_H

/* Goes on as that program with the same arguments. Returns if this is it, or if there is none. */
void video_program_start(char **argv);

#endif
