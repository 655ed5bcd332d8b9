/* Compiled instead of peer_cub.cu where there is no CUDA. */
#include "bench/peer_cub.h"

int peer_reduce(void *scratch, size_t *bytes, const uint32_t *values, uint64_t *out, uint64_t count,
                void *stream)
{
    (void)scratch, (void)bytes, (void)values, (void)out, (void)count, (void)stream;
    return 1;
}

int peer_scan(void *scratch, size_t *bytes, const void *in, void *out, uint64_t count, int word,
              void *stream)
{
    (void)scratch, (void)bytes, (void)in, (void)out, (void)count, (void)word, (void)stream;
    return 1;
}

int peer_compact(void *scratch, size_t *bytes, const uint32_t *in, uint32_t *out, uint64_t *kept,
                 uint64_t count, uint32_t low, uint32_t high, void *stream)
{
    (void)scratch, (void)bytes, (void)in, (void)out, (void)kept, (void)count;
    (void)low, (void)high, (void)stream;
    return 1;
}

int peer_sort(void *scratch, size_t *bytes, const void *keys, void *keys_out,
              const uint32_t *values, uint32_t *values_out, uint64_t count, int word, void *stream)
{
    (void)scratch, (void)bytes, (void)keys, (void)keys_out, (void)values, (void)values_out;
    (void)count, (void)word, (void)stream;
    return 1;
}

int peer_histogram(void *scratch, size_t *bytes, const uint8_t *pixels, int *bins, int count,
                   void *stream)
{
    (void)scratch, (void)bytes, (void)pixels, (void)bins, (void)count, (void)stream;
    return 1;
}
