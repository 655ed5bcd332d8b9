/* Edges and ramps of a row of codes of one type. surface_mark_row.c includes this once for each: CODE is the type,
 * OF(name) the name for it. */

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

/* Returns a - b, or 0 where that is negative. */
static inline CODE OF(above)(CODE a, CODE b)
{
    return (CODE)(OF(larger)(a, b) - b);
}

/* --- Ranges ----------------------------------------------------------------------------------- */

typedef struct OF(
    ring) { /* a row's extremes are at its number modulo SATK_MARK_RING, from column -1 on */
    CODE *low, *high, *ranges;
    size_t pitch;
    int next; /* the first row whose extremes are not there yet */
} OF(ring);

static size_t OF(place)(const OF(ring) * r, int y)
{
    return (size_t)(y % SATK_MARK_RING) * r->pitch;
}

/* Finds the extremes of a row and its neighbours in each column, and those of the outermost columns
 * once more. */
static void OF(find_columns)(const satk_plane *map, int y, const OF(ring) * r)
{
    const int w = map->width;
    const CODE *const a = OF(row_of)(map, y > 0 ? y - 1 : y), *const b = OF(row_of)(map, y);
    const CODE *const c = OF(row_of)(map, y + 1 < map->height ? y + 1 : y);
    CODE *const low = r->low + OF(place)(r, y), *const high = r->high + OF(place)(r, y);

    for (int x = 0; x < w; x++) {
        low[x + 1] = OF(lesser)(OF(lesser)(a[x], b[x]), c[x]);
        high[x + 1] = OF(larger)(OF(larger)(a[x], b[x]), c[x]);
    }
    low[0] = low[1], low[w + 1] = low[w];
    high[0] = high[1], high[w + 1] = high[w];
}

/* Finds the ranges of the 3 x 3 around a segment's samples. Returns the largest. */
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

/* Finds the ranges of the 9 x 9 around samples x and on, of a row. They are right only where the 9
 * x 9 lie within the map. */
SATK_FN void OF(find_around)(const OF(ring) * r, int y, int x, CODE *range)
{
    const size_t above = OF(place)(r, y - 3), here = OF(place)(r, y), below = OF(place)(r, y + 3);
    const CODE *const lows = r->low + x - AROUND + 1, *const highs = r->high + x - AROUND + 1;
    CODE low[WIDE + AROUND], high[WIDE + AROUND];

    for (int i = 0; i < WIDE; i++) {
        low[i] = OF(lesser)(OF(lesser)(lows[above + i], lows[here + i]), lows[below + i]);
        high[i] = OF(larger)(OF(larger)(highs[above + i], highs[here + i]), highs[below + i]);
    }
    memset(low + WIDE, 0, AROUND * sizeof *low);
    memset(high + WIDE, 0, AROUND * sizeof *high);
    for (int step = 1; step <= AROUND; step *= 2) /* of 2, 4, 8 columns */
        for (int i = 0; i < WIDE; i++) {
            low[i] = OF(lesser)(low[i + step], low[i]);
            high[i] = OF(larger)(high[i + step], high[i]);
        }
    for (int i = 0; i < SEGMENT; i++)
        range[i] = (CODE)(OF(larger)(high[i + 1], high[i]) - OF(lesser)(low[i + 1], low[i]));
}

/* Finds the ranges at the map's borders, where several samples have the same 9 x 9. */
static void OF(find_around_near_borders)(const OF(ring) * r, const satk_plane *map, int y, int x,
                                         int count, CODE *range)
{
    const int first = inside(x, map->width);

    OF(find_around)(r, y, first, range);
    for (int i = count - 1; i >= 0; i--)
        range[i] = range[inside(x + i, map->width) - first];
}

/* --- Edges and ramps -------------------------------------------------------------------------- */

/* Returns a flag: the middle lies between two opposite samples, further than the margin from
 * both. */
static inline int OF(is_between)(CODE a, CODE middle, CODE b, CODE margin)
{
    const int over = OF(above)(middle, OF(lesser)(a, b)) > margin;
    const int under = OF(above)(OF(larger)(a, b), middle) > margin;

    return over & under;
}

/* Marks a segment. rows: the segment's and its neighbours, from one column before. across: there
 * are rows above and below. */
SATK_FN void OF(mark)(const CODE *const *rows, const CODE *ranges, const CODE *around, CODE least,
                      int across, uint64_t *edge, uint64_t *ramp)
{
    const CODE *const a = rows[0], *const b = rows[1], *const c = rows[2], any = across ? 1 : 0;
    uint8_t edges[SEGMENT], ramps[SEGMENT];

    for (int i = 0; i < SEGMENT; i++) {
        const CODE range = ranges[i], margin = around[i] / 16;
        const CODE more = (CODE)(around[i] - range);
        const int is_steep = range > least, is_sudden = more <= range; /* 2 range >= around */
        const int is_edge = is_steep & is_sudden;
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

/* Marks a segment that has neighbours on both sides in the map. */
static void OF(mark_inner)(const satk_plane *map, const OF(ring) * r, int y, int x, CODE least,
                           uint64_t *edge, uint64_t *ramp)
{
    const int across = y > 0 && y + 1 < map->height;
    const CODE *const rows[] = {OF(row_of)(map, across ? y - 1 : y) + x - 1,
                                OF(row_of)(map, y) + x - 1,
                                OF(row_of)(map, across ? y + 1 : y) + x - 1};
    CODE around[SEGMENT];

    OF(find_around)(r, inside(y, map->height), x, around);
    OF(mark)(rows, r->ranges + x, around, least, across, edge, ramp);
}

/* Marks any other segment. Beside the map, the row's own sample stands in, which is on no slope
 * with it. */
static void OF(mark_outer)(const satk_plane *map, const OF(ring) * r, int y, int x, CODE least,
                           uint64_t *edge, uint64_t *ramp)
{
    const int rest = map->width - x, count = rest < SEGMENT ? rest : SEGMENT;
    const int before = x > 0, after = x + count < map->width;
    const int across = y > 0 && y + 1 < map->height;
    CODE copies[3][SEGMENT + 2] = {{0}}, around[SEGMENT], ranges[SEGMENT] = {0};
    const CODE *const rows[] = {copies[0], copies[1], copies[2]};

    for (int j = 0; j < 3; j++)
        memcpy(copies[j] + 1 - before, OF(row_of)(map, across ? y - 1 + j : y) + x - before,
               (size_t)(count + before + after) * sizeof **copies);
    for (int j = 0; j < 3; j++) {
        if (!before)
            copies[j][0] = copies[1][1];
        if (!after)
            copies[j][count + 1] = copies[1][count];
    }
    memcpy(ranges, r->ranges + x, (size_t)count * sizeof *ranges);
    OF(find_around_near_borders)(r, map, inside(y, map->height), x, count, around);
    OF(mark)(rows, ranges, around, least, across, edge, ramp);
}

static void OF(mark_row)(const satk_marking *job, const OF(ring) * r, int y)
{
    const int w = job->map.width;
    const CODE *const low = r->low + OF(place)(r, y), *const high = r->high + OF(place)(r, y);
    uint64_t *const edge = job->edge + (size_t)y * job->words;
    uint64_t *const ramp = job->ramp + (size_t)y * job->words;
    const CODE least = (CODE)job->least;

    for (int x = 0, i = 0; x < w; x += SEGMENT, i++) {
        const int whole = x + SEGMENT <= w;
        const CODE most = whole ? OF(find_ranges)(low + x, high + x, SEGMENT, r->ranges + x)
                                : OF(find_ranges)(low + x, high + x, w - x, r->ranges + x);
        if (most <= least)
            continue;
        if (x > 0 && x + SEGMENT + AROUND <= w)
            OF(mark_inner)(&job->map, r, y, x, least, &edge[i], &ramp[i]);
        else
            OF(mark_outer)(&job->map, r, y, x, least, &edge[i], &ramp[i]);
    }
}

static void OF(mark_rows)(const satk_marking *job, int first, int last, void *work)
{
    const satk_plane *const map = &job->map;
    const size_t pitch = satk_mark_pitch(map->width), all = SATK_MARK_RING * pitch;
    CODE *const low = work;
    OF(ring) r = {low, low + all, low + 2 * all, pitch, 0};

    memset(work, 0, 2 * all * sizeof *low);
    for (int y = first; y < last; y++) {
        const int middle = inside(y, map->height);
        const int from = middle - 3 < y ? middle - 3 : y, to = middle + 3 > y ? middle + 3 : y;
        for (r.next = r.next < from ? from : r.next; r.next <= to; r.next++)
            OF(find_columns)(map, r.next, &r);
        OF(mark_row)(job, &r, y);
    }
}
