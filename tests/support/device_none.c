/* The functions of device.h without CUDA: there is no device, and every call fails. */
#include "support/device.h"

int device_open(void)
{
    return 0;
}

const char *device_reason(void)
{
    return "built without CUDA";
}

const char *device_name(void)
{
    return "none";
}

const char *device_error(void)
{
    return "built without CUDA";
}

size_t device_free_memory(void)
{
    return 0;
}

int device_broken(void)
{
    return 1;
}

void *device_alloc(size_t bytes)
{
    (void)bytes;
    return NULL;
}

void device_free(void *memory)
{
    (void)memory;
}

int device_upload(void *to, const void *from, size_t bytes)
{
    (void)to, (void)from, (void)bytes;
    return 1;
}

int device_download(void *to, const void *from, size_t bytes)
{
    (void)to, (void)from, (void)bytes;
    return 1;
}

int device_copy(void *to, const void *from, size_t bytes)
{
    (void)to, (void)from, (void)bytes;
    return 1;
}

size_t device_sat_scratch(const satk_sat *job)
{
    (void)job;
    return 0;
}

int device_sat(const satk_sat *job)
{
    (void)job;
    return 1;
}

int device_age_boards(void)
{
    return 1;
}

int device_box(const satk_box *job)
{
    (void)job;
    return 1;
}

int device_box_fused_pays(const satk_box *job)
{
    (void)job;
    return 0;
}

size_t device_box_fused_scratch(const satk_box *job)
{
    (void)job;
    return 0;
}

int device_box_fused(const satk_box *job, void *scratch)
{
    (void)job;
    (void)scratch;
    return 1;
}

size_t device_reduce_scratch(const satk_reduce *job)
{
    (void)job;
    return 0;
}

int device_reduce(const satk_reduce *job)
{
    (void)job;
    return 1;
}

size_t device_scan_scratch(const satk_scan *job)
{
    (void)job;
    return 0;
}

int device_scan(const satk_scan *job)
{
    (void)job;
    return 1;
}

int device_scan_convert(const satk_scan_convert *job)
{
    (void)job;
    return 1;
}

int device_histogram(const satk_histogram *job)
{
    (void)job;
    return 1;
}

size_t device_compact_scratch(const satk_compact *job)
{
    (void)job;
    return 0;
}

int device_compact(const satk_compact *job)
{
    (void)job;
    return 1;
}

size_t device_sort_scratch(const satk_sort *job)
{
    (void)job;
    return 0;
}

int device_sort(const satk_sort *job)
{
    (void)job;
    return 1;
}

int device_luma(const satk_luma *job)
{
    (void)job;
    return 1;
}

int device_codes(const satk_codes *job)
{
    (void)job;
    return 1;
}

int device_equalize(const satk_equalize *job)
{
    (void)job;
    return 1;
}

size_t device_layer_scratch(const satk_layer *job)
{
    (void)job;
    return 0;
}

int device_layer(const satk_layer *job)
{
    (void)job;
    return 1;
}

size_t device_spread_scratch(const satk_spread *job)
{
    (void)job;
    return 0;
}

int device_spread(const satk_spread *job)
{
    (void)job;
    return 1;
}

size_t device_surface_scratch(const satk_surface *job)
{
    (void)job;
    return 0;
}

int device_surface(const satk_surface *job)
{
    (void)job;
    return 1;
}

int device_resample(const satk_resample *job)
{
    (void)job;
    return 1;
}

size_t device_cover_scratch(const satk_cover *job)
{
    (void)job;
    return 0;
}

int device_cover(const satk_cover *job)
{
    (void)job;
    return 1;
}

size_t device_matte_plane_scratch(const satk_matte_plane *job)
{
    (void)job;
    return 0;
}

int device_matte_plane(const satk_matte_plane *job)
{
    (void)job;
    return 1;
}

size_t device_follow_scratch(const satk_follow *job)
{
    (void)job;
    return 0;
}

int device_follow(const satk_follow *job)
{
    (void)job;
    return 1;
}

size_t device_separate_scratch(const satk_separate *job)
{
    (void)job;
    return 0;
}

int device_separate(const satk_separate *job)
{
    (void)job;
    return 1;
}

size_t device_fill_scratch(const satk_fill *job)
{
    (void)job;
    return 0;
}

int device_fill(const satk_fill *job)
{
    (void)job;
    return 1;
}

int device_find_lights(const satk_highlight *job)
{
    (void)job;
    return 1;
}

size_t device_lights_scratch(const satk_highlight *job)
{
    (void)job;
    return 0;
}

int device_add_lights(const satk_highlight *job)
{
    (void)job;
    return 1;
}

void *device_stream(void)
{
    return NULL;
}

int device_wait(void)
{
    return 1;
}

int device_idle(void)
{
    return 1;
}

int device_copy_variants(void)
{
    return 0;
}

int device_widen(const void *in, void *out, size_t bytes_in, int variant)
{
    (void)in, (void)out, (void)bytes_in, (void)variant;
    return 1;
}

int device_traffic(const void *in, size_t bytes_in, void *out, size_t bytes_out, int variant)
{
    (void)in, (void)bytes_in, (void)out, (void)bytes_out, (void)variant;
    return 1;
}

int device_start(void)
{
    return 1;
}

double device_stop(void)
{
    return -1;
}
