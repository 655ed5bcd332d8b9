#include "base/sink.h"

bool sink_put(sink *to, const void *data, size_t size)
{
    to->failed = to->failed || !to->write(to->user, data, size);
    return !to->failed;
}
