#include "base/write_all.h"

#include <errno.h>
#include <unistd.h>

bool write_all(int fd, const void *data, size_t size)
{
    const char *next = data;
    while (size > 0) {
        const ssize_t done = write(fd, next, size);
        if (done < 0 && errno != EINTR)
            return false;
        if (done > 0) {
            next += done;
            size -= (size_t)done;
        }
    }
    return true;
}
