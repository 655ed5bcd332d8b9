/* Every block size, and what is known about it. Measured: NVIDIA H200, device events, median of 21,
 * commit 0d98c52 where nothing else is said; "the copy" moves the same bytes, in the same run. */
#ifndef SATK_TUNE_CUH
#define SATK_TUNE_CUH

#define SATK_WARP 32

/* Threads that a multiprocessor holds: no kernel may ask for more blocks than that (CUDA C++
 * Programming Guide, "Technical Specifications per Compute Capability"). */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
#define SATK_MOST_THREADS 1024
#elif defined(__CUDA_ARCH__) &&                                                                    \
    ((__CUDA_ARCH__ > 800 && __CUDA_ARCH__ < 900) || __CUDA_ARCH__ >= 1100)
#define SATK_MOST_THREADS 1536
#else
#define SATK_MOST_THREADS 2048
#endif
#define SATK_BLOCKS(wanted, threads)                                                               \
    ((wanted) * (threads) > SATK_MOST_THREADS ? SATK_MOST_THREADS / (threads) : (wanted))

/* sat_cuda.cu, rows: a block of SATK_ROW_WARPS warps scans a section of SATK_ROW_SECTION pixels;
 * each lane has SATK_ROW_ITEMS pixels in flight, a warp's width apart, so loads and stores are
 * coalesced. */
#define SATK_ROW_WARPS   8
#define SATK_ROW_ITEMS   4
#define SATK_ROW_SECTION (SATK_ROW_WARPS * SATK_WARP * SATK_ROW_ITEMS)

/* sat_cuda.cu, columns: a thread walks SATK_COLUMN_STRIP rows of one table column,
 * SATK_COLUMN_ITEMS in flight.
 *
 * 8192x8192 gray u8 -> u32: 0.479 ms, 5.5 times the copy. The passes' own traffic bounds it to 4.2
 * times: the rows move the copy's 5 bytes a pixel, the columns read and write 8 more, and so do their
 * offsets. Other sizes can win a quarter at most. */
#define SATK_COLUMN_THREADS 256
#define SATK_COLUMN_ITEMS   8
#define SATK_OFFSET_THREADS 256 /* adds offsets to the section sums, a word per thread */
#define SATK_COLUMN_STRIP   64

/* sat_onepass_cuda.cu: pixels of a lane (16 bytes of words, where that divides), a block's warps side by
 * side and above each other, and the most rows of a warp, unless the shared memory that is allowed holds
 * fewer; blocks of a multiprocessor. Large tiles where they are at least SATK_TABLE_WAVES times the
 * blocks that the device holds. SATK_TABLE_LOOKS words of tiles before are on their way to a thread.
 * sat_gray_cuda.cu: rows of a warp for a small picture, for many of them (and blocks), for large ones.
 * sat_band.cuh: messages of a kind on their way to a thread; tiles of a band, its fewest and most chunks;
 * the widest picture.
 *
 * Versions of one read and one write, gray, ms at 1920x1080 / 3840x2160 / 8192x8192 / 16384x16384 (the
 * copy 0.0045 / 0.0117 / 0.0855 / 0.334):
 *   blocks stay, each adds up what all others published        - / - / 0.151 / 0.66
 *   a tile per block, look-back to the left and then up,
 *     codes in shared memory                                   0.0101 / 0.0178 / 0.1052 / 0.378
 *   a tile per block, one question to all tiles of a band,
 *     codes in registers (8db0c13)                             0.0068 / 0.0151 / 0.1011 / 0.391
 * Look-back was bound by latency: from the launch to a small picture's first store there are its load, its
 * sums and two looks, one after the other. Where tiles publish the last row and the last column of their
 * own table, all that a tile needs can be asked for at once. Predicted at 1920x1080: a look less and no
 * tickets, 1.5 of 10 us; messages are 3.7 MB of reads from the L2 cache, half of that with four sums of 24
 * bits in 16 bytes. Measured there, us (a kernel by itself; the copy 4.6, nothing exchanged 5.6):
 *   messages of 8 bytes, asked for one after the other         8.5 to 9.5
 *   all asked for at once                                      7.44
 *   messages of 16 bytes with four sums                        7.20
 *   sums of rows and columns published before anything else    6.67; with tickets 6.95
 *   tiles of 256 x 80; 128 x 64 by 16 warps                    8.1; 7.6
 * and in the kernel here: the number of the build awaited before the loads 7.5, after them 7.0; the part's
 * table kept in registers 6.9, made again 6.8; odd widths by an instance of their own 6.6; asked before
 * the lanes are scanned 7.5, since it is too early and asked again. Written for gray alone, 7.2, and where there are
 * no corners, without adding them up, 6.8, as it is now. What is left beside the copy is latency: the loads, a
 * message, three barriers.
 * A band has about a wave of tiles; what a tile asks for is then a tenth of what it stores. 8192x8192: 0.088
 * without the exchange, 0.097 without waiting. 16 pictures of 1920x1080 in a launch: 0.0531 (copy 0.0442), by
 * three blocks 0.0564, with more spilled registers 0.058 to 0.069.
 * Other pictures have too many sums to ask for: a row of RGBA has four times as many. 7680x4320 RGBA in bands, codes
 * in shared memory, of 3 chunks: 0.226, of 8 0.232, of 1 0.260, look-back 0.221; without waiting no less, so reading
 * and adding up costs. In registers and tiles of 256 x 32 it takes 0.175 without the exchange, 0.226 to 0.29 with it.
 * RGB 3840x2160 0.055 (look-back 0.052), linear 0.087 (0.078); u16 to u64 8192x8192 0.199 (0.210).
 * Of look-back's large tiles 512 x 160 pixels by two blocks of 512 threads is the best of 50. A flag per warp and
 * a fence, left and up at once, naps of 0 to 500 ns, tiles along diagonals: slower or the same. While a block's
 * ticket is under way it has the tile of its own number brought to the L2 cache, which some block is about to
 * load: 2 % at 8192x8192; nothing for several pictures, which go without. */
#define SATK_TABLE_PIXELS(channels, word)                                                          \
    ((channels) == 3 ? 16 / (word) : (channels) * (word) < 16 ? 16 / ((channels) * (word)) : 1)
#define SATK_TABLE_ACROSS(channels, word)                                                          \
    ((channels) == 3 ? 2 : (channels) == 4 && (word) == 4 ? 8 : 4)
#define SATK_TABLE_DOWN(channels, word) ((channels) == 3 ? 4 : (channels) == 4 ? 2 : 4)
/* Of RGB, whose words go through shared memory on their way: 0.052 ms for 3840x2160; 24 rows: 0.059. */
#define SATK_TABLE_ROWS(channels) ((channels) == 3 ? 16 : 40)
#define SATK_TABLE_MEMORY         (110 << 10)
#define SATK_TABLE_WAVES          1
#define SATK_GRAY_SMALL_ROWS      8
#define SATK_GRAY_ROWS            16
#define SATK_GRAY_BLOCKS          4
#define SATK_GRAY_LARGE_ROWS      32
#define SATK_GRAY_ASKED           2
#define SATK_GRAY_BAND            256
#define SATK_GRAY_LEVELS          2
#define SATK_GRAY_MOST_LEVELS     32
#define SATK_GRAY_WIDEST          (1 << 16)
#define SATK_TABLE_LOOKS          2
#define SATK_TABLE_SMALL_ACROSS   2
#define SATK_TABLE_SMALL_DOWN     4
#define SATK_TABLE_SMALL_ROWS     16
#define SATK_TABLE_SMALL_MEMORY   (60 << 10)
#define SATK_TABLE_SMALL_BLOCKS   3

/* box_cuda.cu: a block is one tile of the output; a warp covers neighbouring pixels of one row,
 * whose table reads share cache lines. */
#define SATK_BOX_WIDTH  32
#define SATK_BOX_HEIGHT 8

/* Blocks a multiprocessor is to hold, as many as spill nothing. 7680x4320 RGBA from a u32 table, ms at
 * radius 5 / 5.5 (the copy: 0.153): code for every edge in one kernel, 96 registers, 0.763 / 1.09; clipped
 * windows alone, 32 and 54 registers, 0.282 / 0.757, which the profiler found 80 and 66 % busy with
 * instructions; fewer of them, 39 and 64 registers, 0.262 / 0.624; these blocks, 31 and 48, 0.230 / 0.586. */
#define SATK_BOX_BLOCKS(word, fractions)                                                           \
    SATK_BLOCKS((word) == 32 ? ((fractions) ? 5 : 8) : ((fractions) ? 2 : 4),                      \
                SATK_BOX_WIDTH * SATK_BOX_HEIGHT)

/* box_piece_cuda.cu: columns of a piece of the table, which are threads side by side; threads above each
 * other, and the rows that each has. Windows of at most SATK_PIECE_LARGEST pixels, as their sums fit 21
 * bits, and tiles of at least so many pixels, with a radius that is whole and the same everywhere, and with
 * others.
 *
 * 7680x4320 RGBA, ms for table and means, radius up to 32 from a smooth / a random map of whole radii; with
 * a table in memory 0.853 / 2.07 (four words of 16 bytes a pixel, from places that no two pixels of a warp
 * share if radii are random), and what must be moved at least, 20 bytes a pixel and then 21, 0.348.
 * Predicted: 2.7 pixels of a piece for one of its tile, 26 instructions each, and 80 to average a pixel, are
 * 0.27 at 2.6 instructions a clock; in shared memory a random map costs half as much again, not twice.
 *   two channels at a time, 5 x 35 rows, 160 columns       0.989 / 1.05    566 instructions a pixel
 *   columns as halves of a word, half a warp scans a row,
 *     means of odd areas by one multiplication             0.610 / 0.616   307
 *   windows inside the picture apart, fixed columns        0.475 / 0.505   236
 *   radii in shared memory, the map's codes ahead          0.450 / 0.477
 *   6 x 32 rows, 144 columns: 27 warps, not 22             0.415 / 0.451   2.5 instructions a clock, not 2.2
 *   the map two pixels ahead, unrolled                     0.417 / 0.463
 *   three colours in a cell of 64 bits, opaque alpha left
 *     out: one pass                                        0.313 / 0.334   169; this
 * (With the table 0.60 / 0.95 since whole radii of a map are four reads there, too: 0.382 / 0.729 for 0.633 /
 * 1.85 without the building.) With fractions 0.426 / 0.512 (table: 0.864 / 2.09); radius 5, 32, 40: 0.228, 0.292, 0.372 (table: 0.452,
 * 0.469, 0.479); RGB 3840x2160 radius 8, 32: 0.076, 0.111 (0.110, 0.111), as its pixels are three loads;
 * gray 8192x8192 radius 8, 32, smooth map with fractions: 0.204, 0.298, 0.443 (0.409, 0.409, 0.958). The
 * profiler counts 2.5 instructions a clock; a third of the time is the columns and waiting for them, a
 * fifth each the rows and the means. Linear light takes three words a cell: with two channels at a time,
 * 1.0 ms, it was no faster than the table and is left to it. */
#define SATK_PIECE_COLUMNS     144
#define SATK_PIECE_RUNS        6
#define SATK_PIECE_RUN         32
#define SATK_PIECE_LARGEST     8190
#define SATK_PIECE_LEAST       10000
#define SATK_PIECE_LEAST_MIXED 5800
#define SATK_PIECE_WIDEST      (1 << 20) /* of pictures: offsets within a tile fit 32 bits */

/* box_slide_cuda.cu: columns of a thread, the most threads of a block, the fewest rows that it does, and the
 * largest window; loads ahead while the bands' sums are scanned. Used from a radius of so many pixels on.
 *
 * 7680x4320 RGBA, ms, radius 500; by a table 0.538 (from which small radii take 0.452). Predicted: a row is
 * read for its band's sums, when it enters, when it leaves and, for half of them, where a band begins; with
 * the means 18 bytes a pixel, 0.14 at the copy's speed; about 60 instructions a pixel, 0.11; together with two
 * barriers a row and two more launches 0.22 to 0.25.
 *   columns of 8 for a thread, 30 warps, 131 bands          0.250   radius 32 0.247, 8 0.263; pieces of a table
 *                                                                   take 0.229 at 8 and 0.293 at 32
 *   means of 1 or 4 pixels at a time, not 2                 0.252 / 0.253
 *   blocks of 16 warps in overlapping segments              0.302   radius 32 0.238
 * The profiler counts 2.4 instructions a clock while it slides, DRAM is 32 % busy: instructions bound it.
 * RGB 3840x2160 with bands of 16 rows, 135 of them for 132 multiprocessors: 0.114; of 9 rows, two blocks on
 * each: 0.080 (table 0.116; pieces 0.076 at radius 8, 0.112 at 32). Gray 8192x8192: 0.250 (table 0.41; pieces
 * 0.205 and 0.298). */
#define SATK_SLIDE_COLUMNS 8
#define SATK_SLIDE_THREADS 1024
#define SATK_SLIDE_ROWS    8
#define SATK_SLIDE_LARGEST (1 << 23)
#define SATK_SLIDE_LEAST   16
#define SATK_BAND_THREADS  128
#define SATK_BAND_LOADS    16

/* layer_table.cuh, layer_cuda.cu: tiles are SATK_LAYER_SIDE pixels wide and high, a warp's width; a
 * thread scans SATK_LAYER_RUN of a tile's pixels, and as many threads share a strip. Batches of up to
 * SATK_LAYER_BATCH slabs, fewer where their tables would outgrow SATK_LAYER_BYTES. Threads that look for
 * slabs are SATK_LAYER_OWN_ROWS above each other; a block lays SATK_LAYER_PART_ROWS rows of a tile, and a
 * multiprocessor has SATK_LAYER_LAY_BLOCKS of them.
 *
 * Predicted for an H200. On satbench's objects, 3840x2160 RGBA, a pixel is laid in
 * 2.75 of 20 slabs and needed in the tables of 3.36 at radius 40; in 4.49 and 6.67 of 37 at radius
 * 400 (counted on the map; tiles of 16 or 64 pixels: 2.58 and 3.16, 3.60 and 4.82 at radius 40). A
 * needed pixel of a slab writes 24 bytes (40 with u64), reads 5 bytes twice and moves 3 bytes of
 * carries twice; a laid one reads the counts at 12 places, 96 bytes, and where the slab has a share
 * the colours, 192 bytes, of which neighbours share most in the L1 cache: about 80 bytes come from
 * further away. A whole slab of the picture is then 330 MB, 0.08 ms, as a table and 660 MB, 0.16 ms,
 * when laid; arithmetic is in the same order, 75 and 300 instructions a pixel. Radius 40: 0.3 ms of
 * tables and 0.4 ms of laying, and 0.07 ms for 18 launches; radius 400 three times that, because its
 * widest slabs need u64.
 * Measured: radius 40 1.71 ms, radius 400 3.92, a random map 8.7, a constant one 1.10: twice the
 * prediction. RGB, radius to 46: 1.90 ms; a table of the whole picture for every slab took 18.8.
 * The profiler counts 1560 instructions for a pixel of the constant map and its two slabs, where 600 were
 * predicted, a memory that is never busy, and 118 us for the sets of slabs. Versions, ms at radius 40:
 *   windows inside the picture apart, places of 32 bits, the last quotients by floats, masks
 *     made by the host for "any slab of the batch", a thread's pixels of a column for the sets    1.46
 *   a block lays 8 rows of a tile, not 32: four on a multiprocessor, which start and end apart    1.34
 *   scans of tiles by 16 warps, not 32, that exchange all sums at once, not field by field        1.275
 *   (8 warps 1.29, but a random map 9.2 for 7.5; parts of 4 rows 1.34; five blocks, which spill, the same;
 *   sums of tiles by warp reductions, without prefixes 1.31)
 *   opaque alpha left out                                                                         1.17
 *   a tile's slabs of the batch found once, by a lane each, not by every pixel, whose code for
 *     it took 19 instructions a slab, laid or not; each slab's planes by a pointer of their own     1.09
 *   batches of 12 slabs / of 20, not 8: 19 launches become 8                                        1.01 / 0.93
 *   the quotients of narrow tables by floats, too, and 24 slabs                                     0.915
 * (with alpha 1.27, 1.13, 1.06, 0.996, 0.970; a slope 1.25, 1.10, 1.01, 1.05, 0.944; five blocks 0.963). Before that
 * the profiler counted, in us at its clock: laying 700, tables 350, their tiles' sums 180, scans 150, sets 50.
 * Radius 400, opaque: 3.04, then 2.93, 2.85 / 2.76, and 2.75; most is read from wide tables, twice as large.
 * A coarser grid of radii, 2.69 slabs laid and 3.21 needed at radius 40, 4.27 and 6.14 at 400, and wide tables of
 * three channels packed: read in as many bytes as narrow ones, divided by without 64-bit divisions, and made in tiles
 * of 32-bit sums, 48 to 61 registers and 21 KB a block for 76 to 80 and 36 KB. Bytes counted as above, radius 40 and
 * 400: 353 and 834 before, 344 and 588 then. Predicted: 3 % less at radius 40; at 400 1.7 times radius 40. Measured
 * (8db0c13): 0.879, 4 % less, and 2.02, 2.3 times; with alpha, whose wide tables are not packed, 0.935 and 2.78.
 *
 * Coarse slabs, in cells. Predicted: at radius 400 the slabs from 37 on cost a sixteenth of their tables and of
 * their laying, so as much as radius 40 or less. Their sums, slab by slab and once more for the table, took most: 359
 * and 424 us by the profiler's clock of 1750. Summed once, a thread a cell, with its pixels' positions in registers
 * and colours only where a pixel is in the slab, 170, and the table's two steps 89 and 139. Slabs of windows from 64 /
 * 36 / 28 pixels on, ms at radius 400, with alpha: 1.43 / 1.27 / 1.24, opaque 1.34 / 1.19 / 1.15, and a slope to radius
 * 40, where most is fine, 0.954 / 0.953 / 1.04. Radius 40: 0.956 (0.935 before) and 0.909, so 1.33 and 1.30 times. What
 * is left: pixels between cells of tiles with nothing else, 242 us of those 1400, and what the other slabs take. */
#define SATK_LAYER_SIDE       32
#define SATK_LAYER_OWN_ROWS   8
#define SATK_LAYER_PART_ROWS  8
#define SATK_LAYER_LAY_BLOCKS 4
#define SATK_LAYER_RUN        4
#define SATK_LAYER_SCAN_WARPS 16
#define SATK_LAYER_BATCH      24
#define SATK_LAYER_BYTES      ((uint64_t)4 << 30)

/* spread_cuda.cu: a pixel per thread, 256 of a row.
 *
 * Predicted for an H200, 3840x2160 RGB: 16 corners of 4 lanes are 531 million additions of 64 bits (4
 * corners where radii are whole: 133). Where neighbours have the same radius, a warp's 32 are 8 sectors; at
 * a sector a clock for each of 96 slices of the L2 cache that is 0.8 ms, and 3.3 ms where all radii
 * differ. The planes are 265 MB: cleared, read and written three times, read once, 0.5 ms.
 * Measured (a5a0049): smooth map to 46 1.15 ms with whole radii, 2.09 with fractions, to 240 2.24; a random map
 * 5.67. Which part the additions are has not been profiled. */
#define SATK_SPREAD_THREADS 256

/* highlight_cuda.cu: a pixel per thread, 256 of a row, as in spread_cuda.cu.
 *
 * Predicted for an H200, 3840x2160 RGB, lights on both sides: finding reads picture, mean and map and writes
 * two planes, 91 MB; each side looks at 58 MB for its lights, and its planes are 199 MB, cleared, read and
 * written three times, read once: 0.4 ms. Measured (0dfb620): 2.17 ms, and not profiled. */
#define SATK_HIGHLIGHT_THREADS 256

/* surface.cuh: rows of a thread's strip, threads of a block, and its rows; the samples around come from the L1 cache.
 * 3840x2160 RGB, map of 8 bits, ms with objects that have hard edges / random codes: a pixel per thread 0.310 / 3.34, a
 * strip per thread 0.280 / 3.30: a few lanes of each warp along an edge had work, up to four times, and all others
 * waited. Since those pixels are shared out among the block's threads (and five bits of a row are one word): predicted
 * 0.1, measured 0.163 / 1.73. For folders' 1920x1080 with JPEGs as maps, us of mark, vote and join: 56, 119, 127 before,
 * 20, 35, 31 since. */
#define SATK_SURFACE_STRIP   4
#define SATK_SURFACE_THREADS 256
#define SATK_SURFACE_ROWS    (SATK_SURFACE_THREADS / SATK_WARP * SATK_SURFACE_STRIP)

/* histogram_cuda.cu, equalize_cuda.cu: one block per multiprocessor strides over the image. Its warps take segments of
 * rows, each lane SATK_HISTOGRAM_LOADS loads of 16 bytes or SATK_HISTOGRAM_CODES 16-bit codes at a
 * time.
 *
 * With 8 bits a lane has a copy of the counters in a memory bank of its own,
 * so a warp's 32 additions are one access of shared memory whatever the codes are. 7680x4320 RGBA is
 * 31,400 of them per multiprocessor of an H200, 36 us at two clocks each; reading the picture takes
 * 28 us meanwhile, and clearing and adding up 128 KB about 3 us. The block is as large as allowed,
 * since only one fits beside so many counters, and its 32 warps have 64 KB of loads under way, three
 * times what hides the memory's latency. Measured: 41 us, random or of one colour; CUB's
 * MultiHistogramEven takes 85 and 153. With 16 bits the image is read once per range of codes and
 * channel, mostly from the L2 cache, and finding equal codes takes longer than reading: 20 times the
 * copy, the slowest of all kernels by that measure. */
#define SATK_HISTOGRAM_THREADS 1024
#define SATK_HISTOGRAM_LOADS   4
#define SATK_HISTOGRAM_CODES   4
#define SATK_EQUALIZE_THREADS  256 /* applies the table, a pixel per thread; not tuned yet */

/* reduce_cuda.cu: the textbook variants' blocks, the pairs that a thread of `coarsened` adds up by
 * itself; and `fast`: threads, blocks per multiprocessor, loads of 16 bytes in flight per thread.
 * 2048 threads with 64 bytes each in flight are 128 KB per multiprocessor, several times what latency
 * times bandwidth asks for: 2^28 words take 1.02 times the copy, CUB's DeviceReduce 1.03. */
#define SATK_REDUCE_THREADS      1024
#define SATK_REDUCE_COARSE       4
#define SATK_REDUCE_FAST_THREADS 256
#define SATK_REDUCE_FAST_BLOCKS  8
#define SATK_REDUCE_LOADS        4

/* scan_cuda.cu: threads of the textbook variants' blocks; a tile of the other variants is
 * SATK_SCAN_THREADS times SATK_SCAN_LOADS loads of 16 bytes.
 *
 * look-back, 2^28 u32, ms by threads x loads (CUB's DeviceScan: 0.69): 512 x 4 1.16, 256 x 4 0.96,
 * 256 x 8 0.80, 128 x 8 0.75, 128 x 16 0.72. While one warp looks back, its block's others wait at a
 * barrier: few warps with many loads each lose least. A tile that is scanned in place needs 96 registers
 * instead of 127, so five blocks fit: 0.69; with loads and stores that leave the caches first: 0.672.
 * 64 x 16 0.72 (the chain of tiles is twice as long). Looking at 64 states instead of 32: no faster. */
#define SATK_SCAN_TAUGHT_THREADS 1024
#define SATK_SCAN_THREADS        128
#define SATK_SCAN_LOADS          16
#define SATK_SCAN_BLOCKS(word)   SATK_BLOCKS((word) == 32 ? 5 : 4, SATK_SCAN_THREADS) /* no spills */
#define SATK_LOOK_BACK_NAP       50 /* nanoseconds; between 0 and 500 nothing changes */

/* compact_cuda.cu: a lane has SATK_COMPACT_ITEMS values in flight, a warp's width apart. */
#define SATK_COMPACT_WARPS 8
#define SATK_COMPACT_ITEMS 16
#define SATK_COMPACT_TILE  (SATK_COMPACT_WARPS * SATK_WARP * SATK_COMPACT_ITEMS)

/* sort_digits_cuda.cu: as many keys per thread as SATK_DIGITS_BLOCKS blocks of a multiprocessor hold
 * in their 80 registers each; one or two more and the compiler spills.
 * Predicted for 2^26 u32 keys on an H200: the traffic is one read for the histograms
 * and a read and a write in each of four passes, 9 times 256 MiB or 0.6 ms at 4 TB/s, and a sixth
 * more for the tile states (2 KiB per 4096 keys, written twice and read once a pass, mostly in the L2
 * cache). A key costs some 60 instructions a pass, half of them in ballots: 0.25 ms a pass at two
 * warp instructions a clock, more than the memory's 0.15 ms. In all 1.2 to 1.6 ms. A tile has runs
 * of 16 keys of a digit, 64 bytes, which tiles nearby complete to whole sectors in the cache.
 * Measured: 2.09 ms, 0.68 of the speed of CUB's radix sort (1.42). The compiled kernel has 1864
 * instructions for a thread's 16 keys, 117 a key and not 60: 1.06 ms at the full issue rate, beside 0.6 ms
 * of traffic. What the remaining time is has not been profiled. */
#define SATK_DIGITS_WARPS       8
#define SATK_DIGITS_BLOCKS      3
#define SATK_DIGITS_ITEMS(word) ((word) == 32 ? 16 : 12)
#define SATK_DIGITS_TILE(word)  (SATK_DIGITS_WARPS * SATK_WARP * SATK_DIGITS_ITEMS(word))

/* and its histograms: keys in flight per thread, and blocks per multiprocessor. */
#define SATK_COUNT_ITEMS  8
#define SATK_COUNT_BLOCKS 8

/* sort_tiles_cuda.cu: sorted and merged in tiles of as many keys. An odd number of items has each
 * lane of a warp write its own bank. */
#define SATK_MERGE_WARPS 8
#define SATK_MERGE_ITEMS 7
#define SATK_MERGE_TILE  (SATK_MERGE_WARPS * SATK_WARP * SATK_MERGE_ITEMS)

/* The simplest kernels over arrays: a word per thread. */
#define SATK_ARRAY_THREADS 256

/* Up to so many elements, arrays of positions have 32-bit words. A build that says less proves the
 * 64-bit ones without 2^32 elements. */
#ifndef SATK_NARROW_COUNT
#define SATK_NARROW_COUNT 0xffffffffull
#endif

/* Up to such sums, tables of layers have 32-bit words; likewise. */
#ifndef SATK_NARROW_SUM
#define SATK_NARROW_SUM 0xffffffffull
#endif

#endif
