#include "bench/peer_npp.h"

#include <cuda_runtime_api.h>
#include <nppi_filtering_functions.h>
#include <nppi_statistics_functions.h>

static int attribute(enum cudaDeviceAttr which)
{
    int value = 0, device = 0;

    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&value, which, device);
    return value;
}

static NppStreamContext context_of(void *stream)
{
    NppStreamContext c = {.hStream = stream};

    cudaGetDevice(&c.nCudaDeviceId);
    c.nMultiProcessorCount = attribute(cudaDevAttrMultiProcessorCount);
    c.nMaxThreadsPerMultiProcessor = attribute(cudaDevAttrMaxThreadsPerMultiProcessor);
    c.nMaxThreadsPerBlock = attribute(cudaDevAttrMaxThreadsPerBlock);
    c.nSharedMemPerBlock = (size_t)attribute(cudaDevAttrMaxSharedMemoryPerBlock);
    c.nCudaDevAttrComputeCapabilityMajor = attribute(cudaDevAttrComputeCapabilityMajor);
    c.nCudaDevAttrComputeCapabilityMinor = attribute(cudaDevAttrComputeCapabilityMinor);
    cudaStreamGetFlags(stream, &c.nStreamFlags);
    return c;
}

int peer_integral(const uint8_t *gray, int32_t *table, int width, int height, void *stream)
{
    const NppiSize size = {width, height};

    return nppiIntegral_8u32s_C1R_Ctx(gray, width, table, (width + 1) * (int)sizeof *table, size, 0,
                                      context_of(stream)) != NPP_SUCCESS;
}

int peer_box(const uint8_t *rgba, uint8_t *out, int width, int height, int radius, void *stream)
{
    const NppiSize size = {width, height}, mask = {2 * radius + 1, 2 * radius + 1};
    const NppiPoint origin = {0, 0}, anchor = {radius, radius};

    return nppiFilterBoxBorder_8u_C4R_Ctx(rgba, 4 * width, size, origin, out, 4 * width, size, mask,
                                          anchor, NPP_BORDER_REPLICATE,
                                          context_of(stream)) != NPP_SUCCESS;
}
