#include "common/pool.h"

#include <satblur.h>

static const char *const texts[] = {
    [SATB_OK] = "success",
    [SATB_ERR_ARG] = "invalid argument",
    [SATB_ERR_LIMIT] = "too large",
    [SATB_ERR_NOMEM] = "out of memory",
    [SATB_ERR_UNAVAILABLE] = "device not available",
    [SATB_ERR_DEVICE_NOMEM] = "out of GPU memory",
    [SATB_ERR_DEVICE] = "GPU failure",
};

const char *satb_status_text(satb_status status)
{
    const unsigned index = (unsigned)status;

    return index < sizeof texts / sizeof *texts ? texts[index] : "unknown status";
}

const char *satb_version(void)
{
    return SATB_VERSION;
}

int satb_processors(void)
{
    return satk_processors();
}
