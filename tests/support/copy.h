/* The yardsticks of satbench: kernels that only move bytes, as fast as the device can.
 *
 * widen    u8 read, u32 written: exactly the bytes of a table's build. bytes_in: multiple of 16.
 * traffic  bytes_in read, bytes_out written, of any proportion; what is written depends on all that
 *          was read. Both are multiples of 16, and bytes_out is at least 16.
 *
 * Which of the variants is fastest depends on the device and the size, so satbench times them all
 * and takes the best. */
#ifndef SATB_COPY_H
#define SATB_COPY_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define COPY_VARIANTS 8

/* Return a cudaError_t; 0 = launched. */
int copy_widen_cuda(const void *in, void *out, size_t bytes_in, int variant, void *stream);
int copy_traffic_cuda(const void *in, size_t bytes_in, void *out, size_t bytes_out, int variant,
                      void *stream);

#ifdef __cplusplus
}
#endif

#endif
