/* Edges and ramps of a row of codes of one type: ramp_row.c includes this once for each. CODE is the
 * type, OF(name) the name for it. */

static const CODE *OF(row_of)(const satk_plane *map, int y)
{
    return (const CODE *)((const uint8_t *)map->data + y * map->pitch);
}

static inline CODE OF(lesser)(CODE a, CODE b)
{
    return a < b ? a : b;
}

static inline CODE OF(larger)(CODE a, CODE b)
{
    return a > b ? a : b;
}

/* a - b, or 0. */
static inline CODE OF(above)(CODE a, CODE b)
{
    return (CODE)(OF(larger)(a, b) - b);
}

/* --- Ranges ----------------------------------------------------------------------------------- */

/* rows: the one above, the row, the one below. low, high: their extremes in each column, and once more
 * those of the outermost. */
static void OF(find_columns)(const CODE *const *rows, int width, CODE *low, CODE *high)
{
    const CODE *const a = rows[0], *const b = rows[1], *const c = rows[2];

    for (int x = 0; x < width; x++) {
        low[x + 1] = OF(lesser)(OF(lesser)(a[x], b[x]), c[x]);
        high[x + 1] = OF(larger)(OF(larger)(a[x], b[x]), c[x]);
    }
    low[0] = low[1], low[width + 1] = low[width];
    high[0] = high[1], high[width + 1] = high[width];
}

/* The ranges of the 3 x 3 around a segment's samples. Returns the largest. */
SATK_FN CODE OF(find_ranges)(const CODE *low, const CODE *high, int count, CODE *range)
{
    CODE most = 0;

    for (int i = 0; i < count; i++) {
        const CODE least = OF(lesser)(OF(lesser)(low[i], low[i + 1]), low[i + 2]);
        const CODE top = OF(larger)(OF(larger)(high[i], high[i + 1]), high[i + 2]);
        range[i] = (CODE)(top - least);
        most = OF(larger)(most, range[i]);
    }
    return most;
}

/* The ranges of the 9 x 9 of which the first is at `corner`, and of those beside it; `readable` columns
 * are in the map. */
SATK_FN void OF(find_around)(const CODE *corner, ptrdiff_t pitch, int readable, CODE *range)
{
    CODE row[WIDE] = {0}, low[WIDE + AROUND], high[WIDE + AROUND];

    memset(low, 0xff, sizeof low);
    memset(high, 0, sizeof high);
    for (size_t i = 0; i < sizeof row;
         i += 64) /* of two rows further on; segments come at random */
        __builtin_prefetch((const uint8_t *)corner + (2 * AROUND + 3) * pitch + i);
    for (int j = 0; j <= 2 * AROUND; j++) {
        memcpy(row, (const uint8_t *)corner + j * pitch, (size_t)readable * sizeof *row);
        for (int i = 0; i < WIDE; i++) {
            low[i] = OF(lesser)(row[i], low[i]);
            high[i] = OF(larger)(row[i], high[i]);
        }
    }
    for (int step = 1; step <= AROUND; step *= 2) /* of 2, 4, 8 columns */
        for (int i = 0; i < WIDE; i++) {
            low[i] = OF(lesser)(low[i + step], low[i]);
            high[i] = OF(larger)(high[i + step], high[i]);
        }
    for (int i = 0; i < SEGMENT; i++)
        range[i] = (CODE)(OF(larger)(high[i + 1], high[i]) - OF(lesser)(low[i + 1], low[i]));
}

/* At the map's borders the 9 x 9 of several samples are the same. */
static void OF(find_around_near_borders)(const satk_plane *map, int y, int x, int count,
                                         CODE *range)
{
    const int first = inside(x, map->width), last = inside(x + count - 1, map->width);
    const int columns = last - first + 1 + 2 * AROUND;

    OF(find_around)
    (OF(row_of)(map, y - AROUND) + first - AROUND, map->pitch, columns, range);
    for (int i = count - 1; i >= 0; i--)
        range[i] = range[inside(x + i, map->width) - first];
}

/* --- Edges and ramps -------------------------------------------------------------------------- */

/* Whether the middle lies between two opposite ones, further than the margin from both. */
static inline int OF(is_between)(CODE a, CODE middle, CODE b, CODE margin)
{
    return (OF(above)(middle, OF(lesser)(a, b)) > margin) &
           (OF(above)(OF(larger)(a, b), middle) > margin);
}

/* rows: the segment's and its neighbours, from one column before. across: there are rows above and
 * below. */
SATK_FN void OF(mark)(const CODE *const *rows, const CODE *ranges, const CODE *around, CODE least,
                      int across, uint64_t *edge, uint64_t *ramp)
{
    const CODE *const a = rows[0], *const b = rows[1], *const c = rows[2], any = across ? 1 : 0;
    uint8_t edges[SEGMENT], ramps[SEGMENT];

    for (int i = 0; i < SEGMENT; i++) {
        const CODE range = ranges[i], margin = around[i] / 16;
        const CODE more = OF(above)((CODE)(around[i] - range), range);
        const int is_edge = (range > least) & (more <= range); /* 3 range >= around */
        const int is_across = OF(is_between)(a[i + 1], b[i + 1], c[i + 1], margin) |
                              OF(is_between)(a[i], b[i + 1], c[i + 2], margin) |
                              OF(is_between)(a[i + 2], b[i + 1], c[i], margin);
        const int along = OF(is_between)(b[i], b[i + 1], b[i + 2], margin);
        edges[i] = (uint8_t)is_edge;
        ramps[i] = (uint8_t)(is_edge & (along | (is_across & any)));
    }
    *edge = bits_of(edges);
    *ramp = bits_of(ramps);
}

typedef struct OF(row) {
    const satk_plane *map;
    int y;
    CODE least;
    const CODE *rows[3];
    const CODE *ranges;
} OF(row);

/* A segment whose 9 x 9, and some columns more, lie within the map. */
static void OF(mark_inner)(const OF(row) * r, int x, int across, uint64_t *edge, uint64_t *ramp)
{
    const CODE *const rows[] = {r->rows[0] + x - 1, r->rows[1] + x - 1, r->rows[2] + x - 1};
    CODE around[SEGMENT];

    OF(find_around)
    (OF(row_of)(r->map, inside(r->y, r->map->height) - AROUND) + x - AROUND, r->map->pitch, WIDE,
     around);
    OF(mark)(rows, r->ranges + x, around, r->least, across, edge, ramp);
}

/* Any other. What lies beside the map is the row's own sample there, which is on no slope with it. */
static void OF(mark_outer)(const OF(row) * r, int x, int across, uint64_t *edge, uint64_t *ramp)
{
    const int rest = r->map->width - x, count = rest < SEGMENT ? rest : SEGMENT;
    const int before = x > 0, after = x + count < r->map->width;
    CODE copies[3][WIDE] = {{0}}, around[SEGMENT] = {0}, ranges[SEGMENT] = {0};
    const CODE *const rows[] = {copies[0], copies[1], copies[2]};

    for (int j = 0; j < 3; j++)
        memcpy(copies[j] + 1 - before, r->rows[j] + x - before,
               (size_t)(count + before + after) * sizeof **copies);
    for (int j = 0; j < 3; j++) {
        if (!before)
            copies[j][0] = copies[1][1];
        if (!after)
            copies[j][count + 1] = copies[1][count];
    }
    memcpy(ranges, r->ranges + x, (size_t)count * sizeof *ranges);
    OF(find_around_near_borders)(r->map, inside(r->y, r->map->height), x, count, around);
    OF(mark)(rows, ranges, around, r->least, across, edge, ramp);
}

static void OF(mark_row)(const satk_plane *map, int y, uint32_t least, void *work, uint64_t *edge,
                         uint64_t *ramp)
{
    const int w = map->width, across = y > 0 && y + 1 < map->height;
    CODE *const low = work, *const high = low + w + 2, *const ranges = high + w + 2;
    const OF(row) r = {map,
                       y,
                       (CODE)least,
                       {OF(row_of)(map, y > 0 ? y - 1 : y), OF(row_of)(map, y),
                        OF(row_of)(map, y + 1 < map->height ? y + 1 : y)},
                       ranges};

    OF(find_columns)(r.rows, w, low, high);
    for (int x = 0, i = 0; x < w; x += SEGMENT, i++) {
        const int whole = x + SEGMENT <= w;
        const CODE most = whole ? OF(find_ranges)(low + x, high + x, SEGMENT, ranges + x)
                                : OF(find_ranges)(low + x, high + x, w - x, ranges + x);
        if (most <= least)
            continue;
        if (x >= AROUND && x - AROUND + WIDE <= w)
            OF(mark_inner)(&r, x, across, &edge[i], &ramp[i]);
        else
            OF(mark_outer)(&r, x, across, &edge[i], &ramp[i]);
    }
}
