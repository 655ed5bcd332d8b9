// Statuses of the library as exceptions.
#pragma once

#include <satblur.h>

#include <new>
#include <stdexcept>
#include <string>

struct limit_error : std::runtime_error { // satblur.LimitError
    using std::runtime_error::runtime_error;
};

struct argument_error : std::runtime_error { // ValueError
    using std::runtime_error::runtime_error;
};

struct memory_error : std::runtime_error { // MemoryError
    using std::runtime_error::runtime_error;
};

[[noreturn]] inline void throw_status(satb_status status, const char *message)
{
    const std::string text = message[0] ? message : satb_status_text(status);
    switch (status) {
    case SATB_ERR_ARG: throw argument_error(text);
    case SATB_ERR_LIMIT: throw limit_error(text);
    case SATB_ERR_NOMEM:
    case SATB_ERR_DEVICE_NOMEM: throw memory_error(text);
    default: throw std::runtime_error(text);
    }
}
