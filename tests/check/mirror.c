/* Memory of the device: copies of blocks, and scratch memory. */
#include "check/check.h"

#include "support/device.h"

mirror mirror_empty(check *c, size_t bytes)
{
    const mirror m = {device_alloc(bytes), bytes};

    if (!m.device)
        check_that(c, ON_CUDA, 0, "%zu bytes of device memory: %s", bytes, device_error());
    return m;
}

mirror mirror_up(check *c, const block *host)
{
    mirror m = mirror_empty(c, host->size);

    if (m.device && device_upload(m.device, host->base, host->size)) {
        check_that(c, ON_CUDA, 0, "upload: %s", device_error());
        mirror_free(&m);
    }
    return m;
}

void *mirror_at(const mirror *m, const block *host, const void *pointer)
{
    return m->device + ((const uint8_t *)pointer - host->base);
}

satk_plane mirror_plane(const mirror *m, const picture *p)
{
    satk_plane plane = p->plane;

    plane.data = mirror_at(m, &p->memory, p->plane.data);
    return plane;
}

int mirror_down(check *c, const mirror *m, block *into)
{
    const int error = device_download(into->base, m->device, m->size);

    return !error || check_that(c, ON_CUDA, 0, "download: %s", device_error());
}

void mirror_free(mirror *m)
{
    if (m->device)
        device_free(m->device);
    m->device = NULL;
}

/* --- Scratch memory --------------------------------------------------------------------------- */

mirror mirror_scratch(check *c, size_t bytes)
{
    mirror m = mirror_empty(c, bytes + BLOCK_GUARD);
    block guard = block_guarded(0, 0);

    block_poison(&guard);
    if (m.device && device_upload(m.device + bytes, guard.base, BLOCK_GUARD)) {
        check_that(c, ON_CUDA, 0, "upload: %s", device_error());
        mirror_free(&m);
    }
    block_free(&guard);
    return m;
}

int mirror_end_scratch(check *c, mirror *m, int launched)
{
    block guard = block_guarded(0, 0);

    block_poison(&guard);
    const int done = m->device && launched &&
                     !device_download(guard.base, m->device + m->size - BLOCK_GUARD, BLOCK_GUARD);
    check_that(c, ON_CUDA, done && block_intact(&guard),
               "written beyond the scratch memory, or not at all");
    block_free(&guard);
    mirror_free(m);
    return done;
}
