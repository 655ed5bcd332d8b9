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

static const char *const stages[SATB_STAGES] = {
    [SATB_STAGE_DEPTH] = "depth",       [SATB_STAGE_UPLOAD] = "upload",
    [SATB_STAGE_TABLE] = "table",       [SATB_STAGE_BLUR] = "blur",
    [SATB_STAGE_MEASURE] = "measure",   [SATB_STAGE_EQUALIZE] = "equalize",
    [SATB_STAGE_DOWNLOAD] = "download",
};

const char *satb_stage_name(satb_stage stage)
{
    return (unsigned)stage < SATB_STAGES ? stages[stage] : "unknown stage";
}

const char *satb_version(void)
{
    return SATB_VERSION;
}
