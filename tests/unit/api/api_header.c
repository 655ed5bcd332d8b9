/* The public header alone, as C. api_header.cc is the same as C++. */
#include <satblur.h>

int satb_header_compiles(void);

int satb_header_compiles(void)
{
    const satb_dof_params defaults = {0};

    return (int)defaults.focus_mode + (int)sizeof(satb_channel_stats);
}
