#include "video/video_times.h"

#include <inttypes.h>

void video_times_add(video_times *t, const picture_job *j)
{
    engine_request sums = j->request;
    for (int i = 0; i < SATB_STAGES; i++)
        sums.timings.ms[i] += t->frames > 0 ? t->last.timings.ms[i] : 0;
    sums.start_ms += t->last.start_ms;
    t->last = sums;
    t->sums.decode += j->times.decode;
    t->sums.encode += j->times.encode;
    t->sums.commit += j->times.commit;
    t->sums.total += j->times.total;
    t->sums.decoder = j->times.decoder;
    t->sums.map_decoder = j->times.map_decoder;
    t->sums.encoder = j->times.encoder;
    t->frames++;
}

void video_times_print(const video_times *t, const options *o)
{
    engine_request mean = t->last;
    stage_times times = t->sums;
    const double frames = (double)t->frames;
    if (t->frames == 0)
        return;
    for (int i = 0; i < SATB_STAGES; i++)
        mean.timings.ms[i] /= frames;
    mean.start_ms /= frames;
    mean.o = o;
    times.decode /= frames;
    times.encode /= frames;
    times.commit /= frames;
    times.total /= frames;
    if (t->frames > 1)
        fprintf(stderr, "means of %" PRIu64 " frames; several are in work at a time\n", t->frames);
    report_timings(stderr, &mean, &times);
}
