/* The variants of scan.h that take three phases. */
#ifndef SATK_SCAN_TEXTBOOK_CUH
#define SATK_SCAN_TEXTBOOK_CUH

#include "array/scan.h"

#include <cuda_runtime.h>

size_t satk_scan_textbook_scratch(const satk_scan *job); /* bytes */

/* Scans count > 0 words. Returns a cudaError_t; 0 = launched. */
int satk_scan_textbook_cuda(const satk_scan *job, cudaStream_t stream);

#endif
