/* The table of the kernels that a back end calls as they are. A row becomes, in the floors above, a member of the back ends'
 * table, its functions on the CPU and on a GPU, and the tests' call of the device:
 *
 *     PLAIN(NAME, JOB, WORK)    void satk_NAME_cpu(const satk_JOB *job, int threads);
 *                               int satk_NAME_cuda(const satk_JOB *job, void *stream);
 *     SCRATCH(NAME, JOB, WORK)  the same, and the bytes of job->scratch, which the back end fills in:
 *                               size_t satk_JOB_scratch_cpu(const satk_JOB *job, int threads);
 *                               size_t satk_JOB_scratch_cuda(const satk_JOB *job);
 *     APART(NAME, JOB, WORK)    as SCRATCH, of a kernel that reads src around the pixel that it writes to dst. If both are one
 *                               image of the caller's, the CPU's back end copies src first.
 *
 * WORK is the work that an error message names. Code above this floor calls backend->NAME(context, job), and
 * backend->add_NAME_need() for the scratch memory of a GPU; a test calls device_NAME(job).
 *
 * Tables and window means have no row, as a back end does more for them than to run a kernel (sat.h, box.h). */
#ifndef SATK_KERNELS_H
#define SATK_KERNELS_H

#include "array/compact.h"
#include "array/reduce.h"
#include "array/scan.h"
#include "array/sort.h"
#include "box/box.h"
#include "cover/cover.h"
#include "fill/fill.h"
#include "highlight/highlight.h"
#include "highlight/points.h"
#include "layer/coc.h"
#include "layer/layer.h"
#include "layer/radii.h"
#include "matte/follow.h"
#include "matte/matte_plane.h"
#include "matte/separate.h"
#include "protect/mix.h"
#include "protect/protect.h"
#include "sat/sat.h"
#include "spread/spread.h"
#include "stats/codes.h"
#include "stats/equalize.h"
#include "stats/histogram.h"
#include "stats/patches.h"
#include "surface/resample.h"
#include "surface/rim_codes.h"
#include "surface/rim_width.h"
#include "surface/show.h"
#include "surface/surface.h"

/* clang-format off */
#define SATK_KERNELS(PLAIN, SCRATCH, APART) \
    SCRATCH(reduce, reduce, "reducing") \
    SCRATCH(scan, scan, "scanning") \
    SCRATCH(compact, compact, "compacting") \
    SCRATCH(sort, sort, "sorting") \
    PLAIN(radii, radii, "making radii") \
    SCRATCH(coc, coc, "drawing radii") \
    APART(layer, layer, "blurring layers") \
    APART(spread, spread, "spreading light") \
    APART(highlight_find, highlight, "finding lamps") \
    APART(points_find, points, "finding points of light") \
    SCRATCH(points_add, points, "adding points of light") \
    SCRATCH(resample, resample, "resampling a map") \
    SCRATCH(fill, fill, "filling holes of depth") \
    SCRATCH(surface, surface, "finding surfaces of depth") \
    PLAIN(rim_codes, rim_codes, "finding codes of rims") \
    PLAIN(rim_width, rim_width, "measuring rims") \
    SCRATCH(cover, cover, "covering rims") \
    PLAIN(show, show, "showing half floats") \
    PLAIN(unshow, show, "making half floats") \
    SCRATCH(matte_plane, matte_plane, "reading a matte") \
    SCRATCH(follow, follow, "following a matte") \
    SCRATCH(separate, separate, "separating colours") \
    PLAIN(protect, protect, "protecting pixels") \
    PLAIN(mix, mix, "mixing pictures") \
    SCRATCH(histogram, histogram, "counting") \
    SCRATCH(luma, luma, "counting luminances") \
    SCRATCH(codes, codes, "finding codes") \
    PLAIN(patches, patches, "summing patches") \
    PLAIN(equal_lut, equal_lut, "making a table of luminances") \
    PLAIN(equalize, equalize, "equalising")
/* clang-format on */

#endif
