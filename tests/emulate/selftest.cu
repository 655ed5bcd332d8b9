// The emulated device's own test: the language is what CUDA says (selftest_warp.cu), blocks run at
// the same time, and mistakes are caught. kernel<<<1, 2>>>(3) is no launch here, and
// extern __shared__ int nothing[]; declares nothing.
#include "emulate/selftest.h"

#include "common/lookback.cuh"

#include <sys/wait.h>
#include <unistd.h>

static int passed, failed;

void expect(bool holds, const char *what)
{
    if (holds)
        passed++;
    else if (failed++ < 20)
        printf("FAIL %s\n", what);
}

uint64_t random64() // splitmix64
{
    static uint64_t state = 1;
    uint64_t v = state += 0x9e3779b97f4a7c15u;
    v = (v ^ v >> 30) * 0xbf58476d1ce4e5b9u;
    v = (v ^ v >> 27) * 0x94d049bb133111ebu;
    return v ^ v >> 31;
}

// --- Blocks --------------------------------------------------------------------------------------

// Each block waits for all others: they have to run at the same time.
static void check_concurrency(unsigned blocks)
{
    volatile unsigned there[4] = {0, 0, 0, 0};
    unsigned met = 0;
    volatile unsigned *const t = there;
    unsigned *const m = &met;
    each_thread<<<blocks, 1>>>([=] {
        t[blockIdx.x] = 1;
        for (unsigned i = 0; i < gridDim.x; i++)
            while (t[i] == 0)
                ;
        atomicAdd(m, 1u);
    });
    expect(met == blocks, "blocks run at the same time");
}

// Every block has shared memory of its own, and every thread of every block runs once.
static void check_blocks()
{
    const dim3 grid(5, 6, 7), block(4, 3, 8);
    std::vector<unsigned> ran(5 * 6 * 7 * 96);
    unsigned wrong = 0;
    unsigned *const r = ran.data(), *const w = &wrong;
    each_thread<<<grid, block, 0 /* <<< */>>>([=] {
        __shared__ unsigned own;
        const unsigned b = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
        const unsigned i = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
        if (i == b % 96)
            own = b;
        __syncthreads();
        if (own != b)
            atomicAdd(w, 1u);
        atomicAdd(&r[b * 96 + i], 1u);
    });
    for (const unsigned count : ran)
        wrong += count != 1;
    expect(wrong == 0, "shared memory of blocks, and their numbers");
}

// --- Dynamic shared memory -----------------------------------------------------------------------

template <typename T, int FACTOR> static __global__ void reverse(T *data, unsigned *fresh)
{
    extern __shared__ __align__(16) unsigned char bytes[];
    T *const own = (T *)bytes;
    const unsigned i = threadIdx.x, last = blockDim.x - 1, at = blockIdx.x * blockDim.x;

    if (bytes[i * sizeof(T)] == 0xa5 && (uintptr_t)bytes % 16 == 0)
        atomicAdd(fresh, 1u);
    __syncthreads();
    own[i] = data[at + i] * FACTOR;
    __syncthreads();
    data[at + i] = own[last - i];
}

static void check_dynamic_shared()
{
    enum { BLOCKS = 9, SIZE = 96 };
    std::vector<uint64_t> data(BLOCKS * SIZE), before;
    unsigned fresh = 0;
    bool same = true;
    for (uint64_t &v : data)
        v = random64();
    before = data;
    reverse<uint64_t, 3><<<BLOCKS, SIZE, SIZE * sizeof(uint64_t)>>>(data.data(), &fresh);
    for (int i = 0; i < BLOCKS * SIZE; i++)
        same = same && data[i] == 3 * before[i / SIZE * SIZE + (SIZE - 1 - i % SIZE)];
    expect(same && fresh == BLOCKS * SIZE, "dynamic shared memory");
}

static cudaError_t launch_with(size_t shared)
{
    uint32_t word = 0;
    unsigned fresh;
    reverse<uint32_t, 1><<<1, 1, shared>>>(&word, &fresh);
    return cudaGetLastError();
}

static void check_shared_limits()
{
    int most = 0;
    setenv("EMULATE_SHARED", "101376", 1);
    cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);
    expect(most == 101376, "EMULATE_SHARED");
    expect(launch_with(49152) == cudaSuccess, "48 KB of shared memory");
    expect(launch_with(49153) == cudaErrorInvalidValue, "more shared memory, not asked for");
    expect(cudaGetLastError() == cudaSuccess, "an error is told once");
    const auto kernel = reverse<uint32_t, 1>;
    const cudaFuncAttribute size = cudaFuncAttributeMaxDynamicSharedMemorySize;
    expect(cudaFuncSetAttribute(kernel, size, most + 1) == cudaErrorInvalidValue, "too much");
    expect(cudaGetLastError() == cudaErrorInvalidValue, "an error is remembered");
    expect(cudaFuncSetAttribute(kernel, size, most) == cudaSuccess, "asking for more");
    expect(launch_with(101376) == cudaSuccess, "as much as asked for");
    unsetenv("EMULATE_SHARED");
    each_thread<<<1, 1025>>>([] {});
    expect(cudaGetLastError() == cudaErrorInvalidConfiguration, "too many threads");
}

// --- Decoupled look-back -------------------------------------------------------------------------

enum { TILE = 128 };

template <typename T, typename OP> struct scan_job {
    const T *in;
    T *out;
    size_t count;
    satk_tile_state<T> *states;
    unsigned long long *counter;
    unsigned *seen; // by the flag of the nearest predecessor when its successor first looks
};

template <typename T, typename OP> static __global__ void scan(const scan_job<T, OP> job)
{
    __shared__ T totals[TILE / SATK_WARP], before;
    const uint64_t tile = satk_draw_tile(job.counter);
    const size_t at = tile * TILE + threadIdx.x;
    const T value = satk_warp_scan<T, OP>(at < job.count ? job.in[at] : 0);

    if (threadIdx.x % SATK_WARP == SATK_WARP - 1)
        totals[threadIdx.x / SATK_WARP] = value;
    __syncthreads();
    const T inclusive = OP()(satk_warps_before<T, OP>(totals), value);
    if (threadIdx.x >= TILE - SATK_WARP) {
        const bool last = threadIdx.x == TILE - 1;
        T ignored;
        if (last && tile > 0) {
            satk_publish(job.states + tile, SATK_SUM, inclusive);
            atomicAdd(&job.seen[satk_peek(job.states + tile - 1, &ignored)], 1u);
        }
        const T prefix = satk_look_back<T, OP>(job.states, (int64_t)tile);
        if (last) {
            satk_publish(job.states + tile, SATK_PREFIX, OP()(prefix, inclusive));
            before = prefix;
        }
    }
    __syncthreads();
    if (at < job.count)
        job.out[at] = OP()(before, inclusive);
}

/* Which states the tiles meet is up to the threads' order, so the scan runs until all have been met, 20 times at most. */
template <typename T, typename OP> static void check_look_back(size_t count)
{
    const size_t tiles = (count + TILE - 1) / TILE;
    std::vector<T> in(count), out(count);
    std::vector<satk_tile_state<T>> states(tiles);
    unsigned seen[3] = {0, 0, 0};
    bool met = tiles < 1000;
    for (T &v : in)
        v = T(random64() >> random64() % 64);
    for (int run = 0; run == 0 || (run < 20 && !met); run++) {
        unsigned long long counter = 0;
        T sum = 0;
        bool same = true;
        memset((void *)states.data(), 0, tiles * sizeof states[0]);
        const scan_job<T, OP> job = {in.data(), out.data(), count, states.data(), &counter, seen};
        scan<T, OP><<<unsigned(tiles), TILE>>>(job);
        for (size_t i = 0; i < count; i++) {
            sum = OP()(sum, in[i]);
            same = same && out[i] == sum;
        }
        expect(same, "scan with look-back");
        met = met || (seen[0] > 0 && seen[SATK_SUM] > tiles / 100 && seen[SATK_PREFIX] > 0);
    }
    expect(met, "tiles meet their predecessor in every state");
    if (tiles >= 1000)
        printf("look-back: of %zu tiles %u met nothing, %u a sum, %u a prefix\n", tiles, seen[0],
               seen[SATK_SUM], seen[SATK_PREFIX]);
}

// --- Mistakes ------------------------------------------------------------------------------------

// In one of two blocks, which run their threads forwards and backwards, it must show.
static void check_missing_barrier()
{
    enum { SIZE = 64 };
    unsigned wrong[2] = {0, 0};
    unsigned *const w = wrong;
    each_thread<<<2, SIZE>>>([=] {
        __shared__ unsigned own[SIZE];
        own[threadIdx.x] = 7 + blockIdx.x;
        /* __syncthreads() is missing */
        if (threadIdx.x + 1 < SIZE && own[threadIdx.x + 1] != 7 + blockIdx.x)
            atomicAdd(&w[blockIdx.x], 1u);
    });
    expect((wrong[0] > 0) != (wrong[1] > 0), "a missing barrier shows in one order");
}

// Runs the mistake in a process of its own, which must end with that message.
template <typename F> static void expect_death(const char *message, F mistake)
{
    int ends[2];
    char text[4096];
    size_t length = 0;
    int status = 0;
    if (pipe(ends))
        exit(1);
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        mistake();
        _exit(0);
    }
    close(ends[1]);
    for (ssize_t got; (got = read(ends[0], text + length, sizeof text - 1 - length)) > 0;)
        length += size_t(got);
    close(ends[0]);
    text[length] = '\0';
    waitpid(child, &status, 0);
    expect(status != 0 && strstr(text, message), message);
}

static void wait_in_order_of_blocks()
{
    volatile unsigned done = 0;
    volatile unsigned *const d = &done;
    each_thread<<<64, 1>>>([=] {
        while (*d != blockIdx.x)
            __nanosleep(100);
        *d = *d + 1;
    });
    done = 0;
}

// As many blocks as the device is said to hold meet at a barrier of theirs, and one more is no launch that can be together.
static void check_together()
{
    int each = 0, processors = 0;
    unsigned arrived = 0;
    const auto meet = [&] {
        __syncthreads();
        if (threadIdx.x == 0) {
            atomicAdd(&arrived, 1u);
            while (*(volatile unsigned *)&arrived < gridDim.x)
                __nanosleep(20);
        }
        __syncthreads();
    };
    const auto kernel = each_thread<decltype(meet)>;
    cudaLaunchAttribute together = {cudaLaunchAttributeCooperative, {1}};
    cudaLaunchConfig_t config = {1, 64, 0, nullptr, &together, 1};

    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, 64, 0);
    config.gridDim = dim3(unsigned(each * processors));
    expect(cudaLaunchKernelEx(&config, kernel, meet) == cudaSuccess &&
               arrived == config.gridDim.x,
           "all blocks that fit meet");
    config.gridDim.x++;
    expect(cudaLaunchKernelEx(&config, kernel, meet) == cudaErrorCooperativeLaunchTooLarge,
           "one more block does not fit");
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, 1025, 0);
    expect(each == 0, "no block of 1025 threads fits");
}

static void check_mistakes()
{
    static uint4 words[2];
    setenv("EMULATE_PATIENCE", "2", 1);
    expect_death(
        "wrote beyond its 8 bytes of dynamic shared memory",
        [] {
            uint32_t data[3] = {0};
            unsigned fresh;
            reverse<uint32_t, 1><<<1, 3, 8>>>(data, &fresh);
        });
    expect_death(
        "wait for each other for ever: 1 of 32",
        [] {
            each_thread<<<1, 64>>>([] {
                if (threadIdx.x == 40)
                    __syncthreads();
                else
                    __syncwarp();
            });
        });
    expect_death(
        "lane is not in the mask", [] { each_thread<<<1, 2>>>([] { __ballot_sync(1, 1); }); });
    expect_death(
        "is misaligned",
        [] {
            const char *const odd = (const char *)words + 8;
            each_thread<<<1, 1>>>([=] { __ldg((const uint4 *)odd); });
        });
    expect_death(
        "misaligned address",
        [] {
            char *const odd = (char *)words + 2;
            each_thread<<<1, 1>>>([=] { *(unsigned *)odd = 1; });
        });
    expect_death("no block has got on", [] {
        for (int i = 0; i < 16; i++)
            wait_in_order_of_blocks();
    });
    unsetenv("EMULATE_PATIENCE");
}

int main()
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    check_mistakes(); // first: a process that has launched has threads that a fork would not have
    check_arithmetic();
    check_warps();
    check_barriers();
    check_atomics();
    for (unsigned blocks = 1; blocks <= 4; blocks++)
        check_concurrency(blocks);
    check_blocks();
    check_dynamic_shared();
    check_shared_limits();
    check_together();
    check_missing_barrier();
    for (const size_t count : {1, 127, 128, 129, 5000, 300000}) {
        check_look_back<uint32_t, satk_add>(count);
        check_look_back<uint64_t, satk_add>(count);
        check_look_back<uint64_t, satk_max>(count);
    }
    printf("%d passed, %d failed: \"<<<\" in a text is no launch, either\n", passed, failed);
    return failed > 0;
}
