/* The textbooks' variant of compact.h: `three-kernel`. */
#ifndef SATK_COMPACT_TEXTBOOK_CUH
#define SATK_COMPACT_TEXTBOOK_CUH

#include "array/compact.h"

#include <cuda_runtime.h>

size_t satk_compact_textbook_scratch(const satk_compact *job); /* bytes */

/* Compacts count > 0 values. Returns a cudaError_t; 0 = launched. */
int satk_compact_textbook_cuda(const satk_compact *job, cudaStream_t stream);

#endif
