/* Batches of slabs, nearest first: the tables of all slabs of a batch where they are needed, then
 * every tile of the picture lays them in turn, with its light in registers. A tile has to do with few
 * batches: it begins its light in the first, and stores its pixels in the last or once all light is
 * used up. Nothing waits for the host: it does not know where slabs are, only which are used. */
#include "launch.cuh"
#include "layer_lay.cuh"
#include "layer_words.cuh"

/* --- Memory ----------------------------------------------------------------------------------- */

static satk_tiling tiling_of(const satk_layer *job)
{
    const satk_tiling t = {(job->src.width + SATK_LAYER_SIDE - 1) / SATK_LAYER_SIDE,
                           (job->src.height + SATK_LAYER_SIDE - 1) / SATK_LAYER_SIDE};
    return t;
}

static size_t tiles_of(const satk_layer *job)
{
    const satk_tiling t = tiling_of(job);
    return (size_t)t.across * (size_t)t.down;
}

/* Every part of the scratch memory begins at a multiple of 16. */
static size_t rounded(size_t bytes)
{
    return (bytes + 15) / 16 * 16;
}

/* Of one slab in a batch: its rows' and its columns' sums, each; what is left of its tiles; the
 * planes of its table. */
static size_t sums_bytes(const satk_layer *job, words w)
{
    return tiles_of(job) * (size_t)(summed(job) + 2) * SATK_LAYER_SIDE * word_bytes(w);
}

static size_t left_bytes(const satk_layer *job, words w)
{
    return rounded(tiles_of(job) * (size_t)(summed(job) + 2) * word_bytes(w));
}

static size_t colour_bytes(const satk_layer *job, words w)
{
    const size_t pixel = w == WORDS_MIXED && summed(job) == 3
                             ? sizeof(satk_u128)
                             : (size_t)satk_colour_lanes(summed(job)) * word_bytes(w);
    return satk_pixels_of(*job) * pixel;
}

static size_t counts_bytes(const satk_layer *job, words w)
{
    return satk_pixels_of(*job) * 2 * count_bytes(w);
}

static size_t slab_bytes(const satk_layer *job, words w)
{
    return 2 * sums_bytes(job, w) + left_bytes(job, w) + rounded(colour_bytes(job, w)) +
           rounded(counts_bytes(job, w));
}

static size_t lights_bytes(const satk_layer *job)
{
    return satk_pixels_of(*job) * ((size_t)summed(job) * sizeof(uint64_t) + sizeof(uint32_t));
}

/* Sets of slabs by tile: own, needed, and what is laid and needed on the way; and laid, by part. */
enum { SET_ARRAYS = 4 + SATK_PARTS };

static size_t sets_bytes(const satk_layer *job)
{
    return tiles_of(job) * sizeof(satk_slab_set);
}

/* --- Batches ---------------------------------------------------------------------------------- */

/* The next batch: slabs down to first in use, with words of one kind. */
struct plan {
    words kind;
    int count, slab[SATK_LAYER_BATCH];
};

/* 0: there is none below slab `below`. */
static int next_batch(const satk_layer *job, int below, plan *p)
{
    size_t most = SATK_LAYER_BATCH;

    p->count = 0;
    for (int k = below - 1; k >= 0 && (size_t)p->count < most; k--) {
        if (!job->slabs[k].used)
            continue;
        const words kind = words_for(job, &job->slabs[k]);
        if (p->count == 0) {
            p->kind = kind;
            most = smaller(most, SATK_LAYER_BYTES / slab_bytes(job, kind) + 1);
        }
        if (kind != p->kind)
            break;
        p->slab[p->count++] = k;
    }
    return p->count;
}

/* Of fewer rows a slab is smaller and a batch may have one more: so this is what any batch may take, which never
 * falls as rows grow. */
size_t satk_layer_scratch_cuda(const satk_layer *job)
{
    size_t slab = 0, count = 0;

    for (int k = 0; k < job->count; k++) {
        if (!job->slabs[k].used)
            continue;
        const size_t bytes = slab_bytes(job, words_for(job, &job->slabs[k]));
        slab = bytes > slab ? bytes : slab;
        count += count < SATK_LAYER_BATCH;
    }
    return SET_ARRAYS * sets_bytes(job) + rounded(lights_bytes(job)) +
           (size_t)smaller(count * slab, SATK_LAYER_BYTES + slab);
}

/* --- Launches --------------------------------------------------------------------------------- */

/* Scratch memory that all batches share. */
struct memory {
    satk_slab_set *sets[5]; /* laid is the last */
    light_planes lights;
    uint8_t *tables;
};

static memory divide_scratch(const satk_layer *job)
{
    uint8_t *at = (uint8_t *)job->scratch;
    memory m;

    for (int i = 0; i < 5; i++)
        m.sets[i] = (satk_slab_set *)(at + i * sets_bytes(job));
    at += SET_ARRAYS * sets_bytes(job);
    m.lights.pixels = satk_pixels_of(*job);
    m.lights.sums = (uint64_t *)at;
    m.lights.left = (uint32_t *)(m.lights.sums + (size_t)summed(job) * m.lights.pixels);
    m.tables = at + rounded(lights_bytes(job));
    return m;
}

/* Distances in tiles: a pixel is at least 32 (d - 1) + 1 from those d tiles away; a prefix may be one
 * pixel beyond the window. */
static satk_tile_reaches reaches_of(const satk_layer *job)
{
    satk_tile_reaches r;

    for (int k = 0; k < SATK_MAX_SLABS; k++) {
        r.laid[k] = r.needed[k] = -1;
        if (k >= job->count || !job->slabs[k].used)
            continue;
        const int reach = satk_reach(&job->slabs[k]);
        r.laid[k] = (reach + SATK_LAYER_SIDE - 1) / SATK_LAYER_SIDE;
        r.needed[k] = r.laid[k] + (reach + SATK_LAYER_SIDE) / SATK_LAYER_SIDE;
    }
    return r;
}

static int find_sets(const satk_layer *job, satk_slab_set *const *sets, cudaStream_t stream)
{
    const satk_tiling t = tiling_of(job);
    const satk_tile_reaches reaches = reaches_of(job);
    const unsigned tiles = (unsigned)tiles_of(job), each = SATK_ARRAY_THREADS / SATK_WARP;
    const unsigned blocks = (tiles + each - 1) / each,
                   pixels = SATK_LAYER_SIDE * SATK_LAYER_OWN_ROWS;

    satk_find_own<<<tiles, pixels, 0, stream>>>(*job, t.across, sets[0]);
    int error = satk_launched(stream);
    if (error)
        return error;
    satk_spread_sets<<<blocks, SATK_ARRAY_THREADS, 0, stream>>>(reaches, job->count, t, 1, 1,
                                                                sets[0], sets[0], sets[2], sets[3]);
    error = satk_launched(stream);
    if (error)
        return error;
    satk_spread_sets<<<blocks, SATK_ARRAY_THREADS, 0, stream>>>(
        reaches, job->count, t, 0, SATK_PARTS, sets[2], sets[3], sets[4], sets[1]);
    return satk_launched(stream);
}

template <typename T, typename COUNT>
static satk_batch<T, COUNT> make_batch(const satk_layer *job, const plan *p, const memory *m)
{
    satk_batch<T, COUNT> b = {};
    uint8_t *at = m->tables;

    b.job = *job;
    b.tiles = tiling_of(job);
    b.own = m->sets[0], b.needed = m->sets[1], b.laid = m->sets[4];
    b.count = p->count;
    b.nearer = satk_slabs_between(p->slab[0] + 1, SATK_MAX_SLABS);
    b.farther = satk_slabs_between(0, p->slab[p->count - 1]);
    for (int i = 0; i < p->count; i++) {
        b.slab[i] = p->slab[i];
        b.shape[i] = job->slabs[p->slab[i]];
    }
    for (int i = 0; i < p->count; i++)
        b.colours[i] = (T *)at, at += rounded(colour_bytes(job, p->kind));
    for (int i = 0; i < p->count; i++)
        b.counts[i] = (COUNT *)at, at += rounded(counts_bytes(job, p->kind));
    b.rows = (T *)at, at += p->count * sums_bytes(job, p->kind);
    b.columns = (T *)at, at += p->count * sums_bytes(job, p->kind);
    b.left = (T *)at;
    return b;
}

template <typename T, typename COUNT, int CHANNELS, int PIXEL, int BITS>
static int run_batch(const satk_layer *job, const plan *p, const memory *m, cudaStream_t stream)
{
    const satk_batch<T, COUNT> b = make_batch<T, COUNT>(job, p, m);
    const unsigned tiles = (unsigned)tiles_of(job), threads = SATK_LAYER_SIDE * SATK_RUNS;
    const unsigned lines = SATK_LAYER_SCAN_WARPS * SATK_WARP, count = (unsigned)p->count;

    satk_sum_tiles<T, COUNT, CHANNELS, PIXEL, BITS><<<tiles, threads, 0, stream>>>(b);
    int error = satk_launched(stream);
    if (error)
        return error;
    satk_scan_rows<T, COUNT, CHANNELS><<<count *(unsigned)b.tiles.down, lines, 0, stream>>>(b);
    error = satk_launched(stream);
    if (error)
        return error;
    satk_scan_columns<T, COUNT, CHANNELS><<<count *(unsigned)b.tiles.across, lines, 0, stream>>>(b);
    error = satk_launched(stream);
    if (error)
        return error;
    satk_fill_tiles<T, COUNT, CHANNELS, PIXEL, BITS><<<tiles, threads, 0, stream>>>(b);
    error = satk_launched(stream);
    if (error)
        return error;
    if (job->smooth)
        lay_batch<T, COUNT, CHANNELS, PIXEL, BITS, heap>
            <<<tiles * SATK_PARTS, SATK_PART_PIXELS, 0, stream>>>(b, m->lights);
    else
        lay_batch<T, COUNT, CHANNELS, PIXEL, BITS, corners>
            <<<tiles * SATK_PARTS, SATK_PART_PIXELS, 0, stream>>>(b, m->lights);
    return satk_launched(stream);
}

template <int CHANNELS, int PIXEL, int BITS>
static int blur(const satk_layer *job, cudaStream_t stream)
{
    const memory m = divide_scratch(job);
    int error = find_sets(job, m.sets, stream);
    plan p;

    for (int below = job->count; !error && next_batch(job, below, &p); below = p.slab[p.count - 1])
        switch (p.kind) {
        case WORDS_NARROW:
            error = run_batch<uint32_t, uint32_t, CHANNELS, PIXEL, BITS>(job, &p, &m, stream);
            break;
        case WORDS_MIXED:
            error = run_batch<uint64_t, uint32_t, CHANNELS, PIXEL, BITS>(job, &p, &m, stream);
            break;
        default:
            error = run_batch<uint64_t, uint64_t, CHANNELS, PIXEL, BITS>(job, &p, &m, stream);
            break;
        }
    return error;
}

template <int BITS> static int blur_channels(const satk_layer *job, cudaStream_t stream)
{
    const bool all = summed(job) == job->src.channels;

    switch (job->src.channels) {
    case 1: return blur<1, 1, BITS>(job, stream);
    case 2: return all ? blur<2, 2, BITS>(job, stream) : blur<1, 2, BITS>(job, stream);
    case 3: return blur<3, 3, BITS>(job, stream);
    default: return all ? blur<4, 4, BITS>(job, stream) : blur<3, 4, BITS>(job, stream);
    }
}

int satk_layer_cuda(const satk_layer *job, void *stream)
{
    cudaStream_t const s = (cudaStream_t)stream;

    return job->src.bits == 8 ? blur_channels<8>(job, s) : blur_channels<16>(job, s);
}
