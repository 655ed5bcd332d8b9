/* Pictures of any size, far beyond 2^32 bytes, are cut into as few bands as fit (bands.h). A
 * stand-in for the device has a limit of memory, and no memory. */
#include "unit/unit.h"

#include "backend/bands.h"

#include <string.h>

static size_t memory, given; /* bytes: the limit, and the last reservation */
static size_t free_bytes;    /* what is there in truth; 0: all of it */

static size_t sum_of(const satb_need *need)
{
    size_t sum = 0;

    for (int i = 0; i < SATB_SLOTS; i++)
        sum += need->bytes[i];
    return sum;
}

static int played_fits(satb_context *context, const satb_need *need, size_t *limit)
{
    (void)context;
    *limit = memory;
    return sum_of(need) <= memory;
}

static satb_status played_reserve_all(satb_context *c, const satb_need *need)
{
    given = sum_of(need);
    return free_bytes > 0 && given > free_bytes ? satb_fail(c, SATB_ERR_DEVICE_NOMEM, "short")
                                                : SATB_OK;
}

static const satb_backend played = {.fits = played_fits, .reserve_all = played_reserve_all};
static satb_context context = {.backend = &played, .name = "played"};

/* Adds the picture, and a table of 8 bytes a sample. */
static void add_need(satb_context *c, const void *job, int rows, satb_need *need)
{
    const satb_image *const image = job;

    (void)c;
    satb_add_plane(need, SATB_SLOT_SRC, image, rows);
    need->bytes[SATB_SLOT_TABLE] +=
        8 * (size_t)image->width * (size_t)image->channels * (size_t)rows;
}

static size_t bytes_of(const satb_image *image, int rows)
{
    satb_need need = {{0}};

    add_need(NULL, image, rows, &need);
    return sum_of(&need);
}

/* Every row belongs to one band, which has all rows that its windows reach. */
static void assert_covered(const satb_image *image, const satb_bands *bands)
{
    const int step = bands->count < 1000 ? 1 : bands->count / 1000;
    int next = 0;

    for (int i = 0; i < bands->count; i += step) {
        const satb_band band = satb_band_at(bands, i);
        if (step == 1)
            assert_int_equal(band.first, next);
        next = band.last;
        assert_true(band.first < band.last && band.last <= image->height);
        assert_true(bytes_of(image, band.end - band.begin) <= memory);
        if (bands->count > 1 && bands->edge != SATB_EDGE_SHRINK) {
            assert_int_equal(band.begin, band.first - bands->reach);
            assert_int_equal(band.end, band.last + bands->reach);
            continue;
        }
        assert_true(band.begin == 0 || band.begin == band.first - bands->reach);
        assert_true(band.end == image->height || band.end == band.last + bands->reach);
        assert_true(band.begin >= 0 && band.end <= image->height);
    }
    assert_int_equal(satb_band_at(bands, bands->count - 1).last, image->height);
}

static void all_sizes(void **state)
{
    static const struct {
        int width, height;
    } sizes[] = {{1, 1}, {7, 1 << 24}, {65536, 32768}, {46341, 46341}, {1 << 24, 128}, {333, 5}};
    static const int reaches[] = {0, 1, 20, 5000};

    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int r = 0; r < 4; r++)
            for (int edge = 0; edge < 4; edge++) {
                const satb_image image = {
                    .width = sizes[s].width, .height = sizes[s].height, .channels = 4, .bits = 16};
                satb_bands bands = {
                    .height = image.height, .reach = reaches[r], .edge = (satb_edge)edge};
                const size_t row = bytes_of(&image, 1), whole = bytes_of(&image, image.height);
                assert_true(whole ==
                            (size_t)sizes[s].height * (((size_t)sizes[s].width * 8 + 15) / 16 * 16 +
                                                       (size_t)sizes[s].width * 32));
                memory = row * (2 * (size_t)reaches[r] + 1 + (size_t)image.height / 9);
                assert_int_equal(satb_cut(&context, &bands, add_need, &image), SATB_OK);
                assert_covered(&image, &bands);
                assert_true(given <= memory && given >= bytes_of(&image, 1));
                assert_int_equal(bands.count == 1, whole <= memory);
                assert_int_equal(context.memory.bands, bands.count);
                /* one band fewer would not fit */
                const int fewer = bands.count - 1;
                if (fewer > 1 && edge != SATB_EDGE_SHRINK)
                    assert_true(bytes_of(&image, (image.height + fewer - 1) / fewer +
                                                     2 * bands.reach) > memory);
            }
}

/* The message has the need of the smallest band, or of the whole picture if that is less. */
static void too_little(void **state)
{
    const satb_image image = {.width = 1 << 17, .height = 10000, .channels = 1, .bits = 8};
    satb_bands bands = {.height = image.height, .reach = 10};

    memory = bytes_of(&image, 21) - 1;
    assert_int_equal(satb_cut(&context, &bands, add_need, &image), SATB_ERR_DEVICE_NOMEM);
    assert_string_equal(context.message,
                        "played: at least 24 MB of its memory are needed, but only "
                        "23.6 MB may be used");
    memory++;
    assert_int_equal(satb_cut(&context, &bands, add_need, &image), SATB_OK);
    assert_int_equal(bands.count, 10000);
    bands = (satb_bands){.height = image.height, .reach = 1 << 23, .edge = SATB_EDGE_WRAP};
    assert_int_equal(satb_cut(&context, &bands, add_need, &image), SATB_ERR_DEVICE_NOMEM);
    assert_non_null(strstr(context.message, "played: at least 11250 MB"));
}

/* If more bands than allowed were needed, the message has the need of the allowed ones. */
static void too_many(void **state)
{
    const satb_image image = {.width = 1 << 17, .height = 10000, .channels = 1, .bits = 8};
    satb_bands bands = {.height = image.height, .reach = 10};

    memory = bytes_of(&image, 1270); /* 8 bands of 1250 rows and 20 */
    context.most_bands = 8;
    assert_int_equal(satb_cut(&context, &bands, add_need, &image), SATB_OK);
    assert_int_equal(bands.count, 8);
    context.most_bands = 7;
    assert_int_equal(satb_cut(&context, &bands, add_need, &image), SATB_ERR_DEVICE_NOMEM);
    assert_string_equal(context.message,
                        "played: at least 1631 MB of its memory are needed, but only "
                        "1428.8 MB may be used");
    context.most_bands = 1;
    assert_int_equal(satb_cut(&context, &bands, add_need, &image), SATB_ERR_DEVICE_NOMEM);
    memory = bytes_of(&image, 10000);
    assert_int_equal(satb_cut(&context, &bands, add_need, &image), SATB_OK);
    assert_int_equal(bands.count, 1);
    context.most_bands = 0;
}

static const size_t GIGABYTE = (size_t)1 << 30;

/* Adds tables that would like 10 GB for a whole picture, and need little. */
static void add_tables(satb_context *c, const void *job, int rows, satb_need *need)
{
    const satb_image *const image = job;
    const size_t liked = 10 * GIGABYTE / (size_t)image->height * (size_t)rows;
    const size_t most = c->most_tables ? c->most_tables : SIZE_MAX;

    need->bytes[SATB_SLOT_TABLE] += liked < most ? liked : most;
}

static void tables_have_a_share(void **state)
{
    assert_int_equal(satb_share_of_tables(0), SATK_LAYER_BYTES);
    assert_int_equal(satb_share_of_tables(4 * GIGABYTE), SATK_LAYER_BYTES);
    assert_int_equal(satb_share_of_tables(5 * GIGABYTE), 5 * GIGABYTE / 4);
    assert_int_equal(satb_share_of_tables(6 * GIGABYTE - 1), 5 * GIGABYTE / 4); /* in steps */
    assert_int_equal(satb_share_of_tables(80 * GIGABYTE), 20 * GIGABYTE);
    assert_true(satb_share_of_tables(SIZE_MAX) > SIZE_MAX / 8);
}

/* A picture is whole wherever small tables let it, and tables take no more than their share. */
static void tables_take_what_is_there(void **state)
{
    static const struct {
        size_t memory, free, given; /* free 0: all of it */
        int is_whole;
    } cases[] = {
        {(size_t)80 << 30, 0, (size_t)10 << 30, 1},
        {(size_t)24 << 30, 0, (size_t)6 << 30, 1},
        {(size_t)3 << 30, 0, SATK_LAYER_BYTES, 1},
        {SATK_LAYER_BYTES, 0, SATK_LAYER_BYTES, 1},
        {SATK_LAYER_BYTES - 1, 0, SATK_LAYER_BYTES - 1, 0},
        {(size_t)80 << 30, (size_t)2 << 30, SATK_LAYER_BYTES, 1}, /* others have taken some */
    };
    const satb_image image = {.width = 10000, .height = 10000, .channels = 3, .bits = 8};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        satb_bands bands = {.height = image.height, .reach = 10};
        memory = cases[i].memory;
        free_bytes = cases[i].free;
        context.message[0] = '\0';
        assert_int_equal(satb_cut(&context, &bands, add_tables, &image), SATB_OK);
        assert_int_equal(bands.count == 1, cases[i].is_whole);
        assert_in_range(given, cases[i].given / 2, cases[i].given);
        assert_true(!cases[i].is_whole || given > cases[i].given - (1 << 20));
        assert_string_equal(context.message, "");
    }
    free_bytes = 1;
    satb_bands bands = {.height = image.height, .reach = 10};
    assert_int_equal(satb_cut(&context, &bands, add_tables, &image), SATB_ERR_DEVICE_NOMEM);
    free_bytes = 0;
}

/* Rows beyond the picture are those that the edge modes list. */
static void rows_beyond(void **state)
{
    static const char *const modes[] = {"", "aaaaaaabccccccc", "abccbaabccbaabc",
                                        "abcabcabcabcabc"};
    static const int begins[] = {0, -6, -6, -6};

    for (int edge = SATB_EDGE_CLAMP; edge <= SATB_EDGE_WRAP; edge++)
        for (int i = 0; modes[edge][i]; i++)
            assert_int_equal(satb_row_at((satb_edge)edge, begins[edge] + i, 3),
                             modes[edge][i] - 'a');
}

UNIT_MAIN(UNIT(all_sizes), UNIT(too_little), UNIT(too_many), UNIT(tables_have_a_share),
          UNIT(tables_take_what_is_there), UNIT(rows_beyond))
