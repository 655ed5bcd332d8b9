/* CUB, the CUDA Toolkit's own primitives, measured beside ours. Device memory throughout; each call
 * queues on the stream and returns a cudaError_t. As CUB has it: with scratch NULL nothing is done
 * but *bytes set to what it needs. */
#ifndef SATB_PEER_CUB_H
#define SATB_PEER_CUB_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

int peer_reduce(void *scratch, size_t *bytes, const uint32_t *values, uint64_t *out, uint64_t count,
                void *stream);
int peer_scan(void *scratch, size_t *bytes, const void *in, void *out, uint64_t count, int word,
              void *stream);
/* Keeps the values from low to high. */
int peer_compact(void *scratch, size_t *bytes, const uint32_t *in, uint32_t *out, uint64_t *kept,
                 uint64_t count, uint32_t low, uint32_t high, void *stream);
/* Sorts into another array; values may be NULL. */
int peer_sort(void *scratch, size_t *bytes, const void *keys, void *keys_out,
              const uint32_t *values, uint32_t *values_out, uint64_t count, int word, void *stream);
/* Counts RGBA of 8 bits in 256 bins of 4 channels. */
int peer_histogram(void *scratch, size_t *bytes, const uint8_t *pixels, int *bins, int count,
                   void *stream);

#ifdef __cplusplus
}
#endif

#endif
