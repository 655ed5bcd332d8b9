/* Memory of the device: copies of blocks, and all that a launch needs. */
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

/* --- The memory of a launch ------------------------------------------------------------------- */

static mirror *add(mirrors *m, mirror made, block *result)
{
    m->failed |= !made.device;
    m->results[m->count] = result;
    m->all[m->count] = made;
    return &m->all[m->count++];
}

void *mirrors_in(mirrors *m, const block *host)
{
    const mirror *const made = add(m, mirror_up(m->c, host), NULL);

    return made->device ? made->device + host->at : NULL;
}

void *mirrors_out(mirrors *m, block *host)
{
    void *const at = mirrors_in(m, host);

    m->results[m->count - 1] = host;
    return at;
}

satk_plane mirrors_in_plane(mirrors *m, const picture *p)
{
    satk_plane plane = p->plane;

    plane.data = mirrors_in(m, &p->memory);
    return plane;
}

satk_plane mirrors_out_plane(mirrors *m, picture *p)
{
    satk_plane plane = p->plane;

    plane.data = mirrors_out(m, &p->memory);
    return plane;
}

void *mirrors_scratch(mirrors *m, size_t bytes)
{
    const mirror *const made = add(m, mirror_empty(m->c, bytes + BLOCK_GUARD), NULL);
    block guard = block_guarded(0, 0);

    block_poison(&guard);
    m->guarded = m->count;
    m->failed |= made->device && device_upload(made->device + bytes, guard.base, BLOCK_GUARD);
    block_free(&guard);
    return made->device;
}

static void check_guard(const mirrors *m, int done)
{
    const mirror *const scratch = &m->all[m->guarded - 1];
    block guard = block_guarded(0, 0);

    block_poison(&guard);
    check_that(m->c, ON_CUDA,
               done &&
                   !device_download(guard.base, scratch->device + scratch->size - BLOCK_GUARD,
                                    BLOCK_GUARD) &&
                   block_intact(&guard),
               "written beyond the scratch memory, or not at all");
    block_free(&guard);
}

int mirrors_end(mirrors *m, int error)
{
    int done = !m->failed && check_launch(m->c, error);

    if (m->guarded)
        check_guard(m, done);
    for (int i = 0; i < m->count; i++) {
        if (m->results[i])
            done = done && mirror_down(m->c, &m->all[i], m->results[i]);
        mirror_free(&m->all[i]);
    }
    return done;
}
