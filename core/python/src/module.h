#pragma once

#include "python/src/array_view.h"

void bind_params(nb::module_ &m);
void bind_arrays(nb::module_ &m);
