// The public header alone, as C++. api_header.c is the same as C.
#include <satblur.h>

int satb_header_compiles_as_cxx()
{
    const satb_dof_params defaults = {};

    return int(defaults.focus_mode) + int(sizeof(satb_channel_stats));
}
