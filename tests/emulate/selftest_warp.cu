// Every intrinsic against a plain loop.
#include "emulate/selftest.h"

// --- Shuffles ------------------------------------------------------------------------------------

enum { THREADS = 64 };

// Returns the lane that a shuffle reads, by the definition in CUDA's manual. how: 's', 'u', 'd' or
// 'x'.
static int source_of(char how, int lane, int by, int width)
{
    const int first = lane / width * width, last = first + width - 1;
    switch (how) {
    case 's': return first + by % width;
    case 'u': return lane - by >= first ? lane - by : lane;
    case 'd': return lane + by <= last ? lane + by : lane;
    default: return (lane ^ by) <= last ? lane ^ by : lane;
    }
}

template <typename T> static T shuffled(char how, T value, int by, int width)
{
    switch (how) {
    case 's': return __shfl_sync(~0u, value, by, width);
    case 'u': return __shfl_up_sync(~0u, value, unsigned(by), width);
    case 'd': return __shfl_down_sync(~0u, value, unsigned(by), width);
    default: return __shfl_xor_sync(~0u, value, by, width);
    }
}

template <typename T> static void check_shuffle(char how, int by, int width)
{
    std::vector<T> in(THREADS), out(THREADS);
    for (T &v : in)
        v = T(random64());
    const T *const from = in.data();
    T *const to = out.data();
    each_thread<<<1, THREADS>>>(
        [=] { to[threadIdx.x] = shuffled(how, from[threadIdx.x], by, width); });
    bool same = true;
    for (int i = 0; i < THREADS; i++)
        same = same && out[i] == in[i / 32 * 32 + source_of(how, i % 32, by, width)];
    expect(same, "shuffle");
}

static void check_shuffles()
{
    for (const char how : {'s', 'u', 'd', 'x'})
        for (int width = 1; width <= 32; width *= 2)
            for (int by = 0; by < 32; by++) {
                check_shuffle<uint64_t>(how, by, width);
                check_shuffle<int>(how, by, width);
            }
}

// Lane 0 meets lane 1, then lane 2, which waits for it meanwhile. Each must get the value that was
// meant for it, whichever comes first.
static void check_overlap(bool late)
{
    unsigned out[2][4];
    unsigned(*const to)[4] = out;
    each_thread<<<2, 3>>>([=] {
        const unsigned lane = threadIdx.x;
        unsigned *const got = to[blockIdx.x];
        if (lane == 1 && late)
            __nanosleep(1);
        if (lane < 2)
            got[lane] = __shfl_xor_sync(3, 10 + lane, 1);
        if (lane != 1)
            got[2 + lane / 2] = __shfl_xor_sync(5, 20 + lane, 2);
    });
    for (const unsigned *got : out)
        expect(got[0] == 11 && got[1] == 10 && got[2] == 22 && got[3] == 20, "overlapping groups");
}

// --- Votes and reductions ------------------------------------------------------------------------

struct lane_result {
    unsigned ballot, any, all, match, match_long, match_all, add, least, most, bits;
    int sum, low, high;
};

static lane_result ask_warp(unsigned mask, unsigned value, unsigned long long wide)
{
    int all_same;
    lane_result r;
    r.ballot = __ballot_sync(mask, int(value & 2));
    r.any = unsigned(__any_sync(mask, value % 8 == 1));
    r.all = unsigned(__all_sync(mask, value % 4 != 3));
    r.match = __match_any_sync(mask, value);
    r.match_long = __match_any_sync(mask, wide);
    r.match_all = __match_all_sync(mask, value & 1, &all_same) ^ unsigned(all_same);
    r.add = __reduce_add_sync(mask, value << 28);
    r.least = __reduce_min_sync(mask, value);
    r.most = __reduce_max_sync(mask, value);
    __syncwarp(mask);
    r.bits = __reduce_and_sync(mask, value) << 20 | __reduce_or_sync(mask, value) << 10 |
             __reduce_xor_sync(mask, value);
    r.sum = __reduce_add_sync(mask, int(value) - 8);
    r.low = __reduce_min_sync(mask, int(value) - 8);
    r.high = __reduce_max_sync(mask, int(value) - 8);
    return r;
}

static lane_result ask_loop(unsigned mask, int lane, const unsigned *value,
                            const unsigned long long *wide)
{
    lane_result r = {0, 0, 1, 0, 0, 0, 0, ~0u, 0, 0, 0, 1000, -1000};
    unsigned same = 0, both = ~0u, either = 0, odd = 0;
    for (int i = 0; i < 32; i++)
        if (mask >> i & 1) {
            const unsigned v = value[i];
            r.ballot |= unsigned((v & 2) != 0) << i;
            r.any |= v % 8 == 1;
            r.all &= v % 4 != 3;
            r.match |= unsigned(v == value[lane]) << i;
            r.match_long |= unsigned(wide[i] == wide[lane]) << i;
            same |= unsigned((v & 1) == (value[lane] & 1)) << i;
            r.add += v << 28;
            r.least = v < r.least ? v : r.least;
            r.most = v > r.most ? v : r.most;
            both &= v, either |= v, odd ^= v;
            r.sum += int(v) - 8;
            r.low = int(v) - 8 < r.low ? int(v) - 8 : r.low;
            r.high = int(v) - 8 > r.high ? int(v) - 8 : r.high;
        }
    r.match_all = same == mask ? mask ^ 1u : 0;
    r.bits = both << 20 | either << 10 | odd;
    return r;
}

// The lanes of a warp fall into groups, and each group votes alone.
static void check_votes(int groups)
{
    unsigned value[32], masks[32] = {0}, group[32];
    unsigned long long wide[32];
    lane_result out[32];
    for (int i = 0; i < 32; i++) {
        group[i] = unsigned(random64() % unsigned(groups));
        masks[group[i]] |= 1u << i;
        value[i] = unsigned(random64() % 16);
        wide[i] = (unsigned long long)(random64() % 3) << 40;
    }
    const unsigned *const v = value, *const m = masks, *const g = group;
    const unsigned long long *const w = wide;
    lane_result *const to = out;
    each_thread<<<1, 32>>>([=] {
        const unsigned lane = threadIdx.x;
        to[lane] = ask_warp(m[g[lane]], v[lane], w[lane]);
    });
    for (int i = 0; i < 32; i++) {
        const lane_result want = ask_loop(masks[group[i]], i, value, wide);
        expect(memcmp(&want, &out[i], sizeof want) == 0, "vote or reduction of a warp");
    }
}

void check_warps()
{
    check_shuffles();
    check_overlap(false);
    check_overlap(true);
    for (int i = 0; i < 100; i++)
        check_votes(1 + i % 8);
}

// --- Barriers ------------------------------------------------------------------------------------

void check_barriers()
{
    enum { SIZE = 100, GONE = 7 };
    int out[2][SIZE];
    int(*const all)[SIZE] = out;
    each_thread<<<2, SIZE>>>([=] {
        const int i = int(threadIdx.x);
        int *const to = all[blockIdx.x];
        if (i < GONE) // who is gone does not count
            return;
        to[i] = __syncthreads_count(i % 3 == 0);
        to[i] += 1000 * __syncthreads_and(i >= GONE) + 2000 * __syncthreads_and(i > GONE);
        to[i] += 4000 * __syncthreads_or(i == GONE) + 8000 * __syncthreads_or(i < GONE);
    });
    for (int i = GONE; i < SIZE; i++)
        expect(out[0][i] == 5000 + 31 && out[1][i] == 5000 + 31, "barrier with a vote");
}

// --- Arithmetic ----------------------------------------------------------------------------------

static void check_bits(uint64_t r)
{
    int ones = 0, first = 0, leading = 0;
    unsigned reversed = 0;
    const unsigned v = unsigned(r);
    for (int i = 63; i >= 0; i--) {
        ones += int(r >> i & 1);
        first = r >> i & 1 ? i + 1 : first;
    }
    while (leading < 64 && !(r >> (63 - leading) & 1))
        leading++;
    for (int i = 0; i < 32; i++)
        reversed = reversed << 1 | (v >> i & 1);
    expect(__popcll(r) == ones && __popc(v) + __popc(unsigned(r >> 32)) == ones, "popc");
    expect(__ffsll((long long)r) == first && __ffs(int(v)) == (first > 32 ? 0 : first), "ffs");
    expect(__clzll((long long)r) == leading, "clzll");
    expect(__clz(int(r >> 32)) == (leading > 32 ? 32 : leading), "clz");
    expect(__brev(v) == reversed, "brev");
}

static void check_words(unsigned a, unsigned b, unsigned c)
{
    unsigned char bytes[8], permuted[4];
    unsigned want = 0, sum = c, sum_signed = c;
    memcpy(bytes, &a, 4);
    memcpy(bytes + 4, &b, 4);
    for (int i = 0; i < 4; i++) {
        permuted[i] = bytes[c >> 4 * i & 7];
        sum += bytes[i] * bytes[4 + i];
        sum_signed += unsigned((signed char)bytes[i] * (signed char)bytes[4 + i]);
        want |= bytes[i] == bytes[4 + i] ? 255u << 8 * i : 0;
    }
    expect(__vcmpeq4(a, b) == want, "vcmpeq4");
    memcpy(&want, permuted, 4);
    expect(__byte_perm(a, b, c) == want, "byte_perm");
    expect(__dp4a(a, b, c) == sum && __dp4a(int(a), int(b), int(c)) == int(sum_signed), "dp4a");
    const int by = c & 31;
    expect(__funnelshift_l(a, b, c) == (by ? b << by | a >> (32 - by) : b), "funnelshift_l");
    expect(__funnelshift_r(a, b, c) == (by ? a >> by | b << (32 - by) : a), "funnelshift_r");
}

void check_arithmetic()
{
    for (int i = 0; i < 1000; i++) {
        const uint64_t a = random64(), b = random64();
        check_bits(i == 0 ? 0 : i % 2 ? a >> i % 64 : a << i % 64);
        check_words(unsigned(a), i % 2 ? unsigned(b) : unsigned(a) ^ (255u << i % 32),
                    unsigned(b >> 32));
    }
}

// --- Atomics -------------------------------------------------------------------------------------

void check_atomics()
{
    enum { BLOCKS = 16, SIZE = 256, ALL = BLOCKS * SIZE };
    struct sums {
        unsigned add, sub, least, most, any, all, locked, lock;
        int low;
        unsigned long long wide, last, exchanged;
    } s = {0, 0, ~0u, 0, 0, ~0u, 0, 0, 0, 0, 0, 0};
    sums *const to = &s;
    each_thread<<<BLOCKS, SIZE>>>([=] {
        const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
        atomicAdd(&to->add, 1);
        atomicSub(&to->sub, 2);
        atomicMin(&to->least, i ^ 0x555);
        atomicMax(&to->most, i ^ 0x555);
        atomicMin(&to->low, -int(i));
        atomicOr(&to->any, 1u << i % 31);
        atomicAnd(&to->all, ~(2u << i % 31));
        atomicAdd(&to->wide, (unsigned long long)i << 32);
        atomicAdd(&to->exchanged, atomicExch(&to->last, (unsigned long long)i));
        while (atomicCAS(&to->lock, 0u, 1u) != 0)
            ;
        to->locked++;
        __threadfence();
        atomicExch(&to->lock, 0u);
    });
    const unsigned long long sum = (unsigned long long)ALL * (ALL - 1) / 2;
    expect(s.add == ALL && s.sub == 0u - 2 * ALL, "atomicAdd, atomicSub");
    expect(s.least == 0 && s.most == ALL - 1 && s.low == 1 - ALL, "atomicMin, atomicMax");
    expect(s.any == 0x7fffffff && s.all == 1, "atomicOr, atomicAnd");
    expect(s.wide == sum << 32 && s.exchanged + s.last == sum, "64-bit atomics");
    expect(s.locked == ALL, "atomicCAS");
}
