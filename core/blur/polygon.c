/* A polygon becomes the strips that differ least from it, as dynamic programming finds them: exact for an outline of ROWS
 * rows. */
#include "blur/polygon.h"

#include "blur/side.h"

#include <exact_math.h>
#include <math.h>

static const double TURN = 6.283185307179586;

/* --- Outlines --------------------------------------------------------------------------------- */

enum {
    ROWS = 80,
    POINTS = 16 /* of a blade's edge */
};

/* A convex shape, row by row. */
typedef struct outline {
    double top, pitch; /* of the rows */
    double left[ROWS], right[ROWS];
} outline;

typedef struct point {
    double x, y;
} point;

/* Returns a point of a blade's edge, between corner `blade` and the next one. A round edge is on the circle. */
static point edge_at(const satb_shape *s, int blade, double part)
{
    const double turned = TURN * (s->blade_rotation / 360 - 0.25), each = TURN / s->blades;
    const double from = turned + blade * each, to = from + each, round = from + part * each;
    const point chord = {satb_cos(from) + part * (satb_cos(to) - satb_cos(from)),
                         satb_sin(from) + part * (satb_sin(to) - satb_sin(from))};

    return (point){chord.x + s->blade_curvature * (satb_cos(round) - chord.x),
                   chord.y + s->blade_curvature * (satb_sin(round) - chord.y)};
}

static point point_at(const satb_shape *s, int i)
{
    return edge_at(s, i / POINTS, (double)(i % POINTS) / POINTS);
}

double satb_polygon_scale(const satb_shape *s)
{
    const int count = s->blades * POINTS;
    double area = 0;

    for (int i = 0; i < count; i++) {
        const point a = point_at(s, i), b = point_at(s, i + 1);
        area += (a.x * b.y - b.x * a.y) / 2;
    }
    return sqrt(TURN / 2 / area);
}

/* Widens the row at y if the edge from a to b crosses it. */
static void add_edge(double y, point a, point b, double *left, double *right)
{
    const point upper = a.y < b.y ? a : b, lower = a.y < b.y ? b : a;

    if (y < upper.y || y >= lower.y)
        return;
    const double x = upper.x + (lower.x - upper.x) * (y - upper.y) / (lower.y - upper.y);
    *left = fmin(*left, x);
    *right = fmax(*right, x);
}

static void make_outline(const satb_shape *s, double wide, double high, outline *o)
{
    const double scale = satb_polygon_scale(s);
    const int count = s->blades * POINTS;
    double bottom = -INFINITY;

    *o = (outline){.top = INFINITY};
    for (int i = 0; i < count; i++) {
        o->top = fmin(o->top, scale * high * point_at(s, i).y);
        bottom = fmax(bottom, scale * high * point_at(s, i).y);
    }
    o->pitch = (bottom - o->top) / ROWS;
    for (int i = 0; i < ROWS; i++)
        o->left[i] = INFINITY, o->right[i] = -INFINITY;
    for (int i = 0; i < count; i++) {
        const point p = point_at(s, i), q = point_at(s, i + 1);
        const point a = {scale * wide * p.x, scale * high * p.y};
        const point b = {scale * wide * q.x, scale * high * q.y};
        for (int y = 0; y < ROWS; y++)
            add_edge(o->top + (y + 0.5) * o->pitch, a, b, &o->left[y], &o->right[y]);
    }
}

void satb_polygon_rows(const satb_shape *s, satb_rows *rows, double *half)
{
    const double scale = satb_polygon_scale(s);
    const int count = s->blades * POINTS;

    *half = 0;
    for (int i = 0; i < count; i++)
        *half = fmax(*half, scale * fabs(point_at(s, i).y));
    for (int y = 0; y < SATB_ROWS; y++)
        rows->left[y] = INFINITY, rows->right[y] = -INFINITY;
    for (int i = 0; i < count; i++) {
        const point p = point_at(s, i), q = point_at(s, i + 1);
        const point a = {scale * p.x, scale * p.y}, b = {scale * q.x, scale * q.y};
        for (int y = 0; y < SATB_ROWS; y++)
            add_edge((2.0 * y + 1 - SATB_ROWS) / SATB_ROWS * *half, a, b, &rows->left[y],
                     &rows->right[y]);
    }
    for (int y = 0; y < SATB_ROWS; y++)
        if (rows->left[y] > rows->right[y])
            rows->left[y] = rows->right[y] = 0;
}

/* Returns the second moment along an axis, the mean of both. */
static double moment_of(const outline *o)
{
    double area = 0, moment = 0;

    for (int i = 0; i < ROWS; i++) {
        const double y = o->top + (i + 0.5) * o->pitch, across = o->right[i] - o->left[i];
        area += across;
        moment += (satb_cube(o->right[i]) - satb_cube(o->left[i])) / 3 + y * y * across;
    }
    return moment / area / 2;
}

/* --- Strips ----------------------------------------------------------------------------------- */

/* Numbers in order, and what they differ from their median all together. */
typedef struct ordered {
    double number[ROWS];
    int count;
} ordered;

static void insert(ordered *o, double number)
{
    int i = o->count++;

    for (; i > 0 && o->number[i - 1] > number; i--)
        o->number[i] = o->number[i - 1];
    o->number[i] = number;
}

static double median_of(const ordered *o)
{
    return (o->number[(o->count - 1) / 2] + o->number[o->count / 2]) / 2;
}

static double differences_of(const ordered *o)
{
    double sum = 0;

    for (int i = 0; i < o->count / 2; i++)
        sum += o->number[o->count - 1 - i] - o->number[i];
    return sum;
}

/* The best strips for the rows before `end`: how much differs, and the row that the last strip begins with. */
typedef struct best_strips {
    double differs[SATB_WINDOW_STRIPS + 1][ROWS + 1]; /* [strips][end] */
    int begin[SATB_WINDOW_STRIPS + 1][ROWS + 1];
} best_strips;

/* Finds them for all numbers of strips, of at most `most` rows each. Rows above the first strip are left out. */
static void find_best(const outline *o, int most, best_strips *best)
{
    best->differs[0][0] = 0;
    for (int end = 1; end <= ROWS; end++)
        best->differs[0][end] = best->differs[0][end - 1] + o->right[end - 1] - o->left[end - 1];
    for (int n = 1; n <= SATB_WINDOW_STRIPS; n++)
        for (int end = 0; end <= ROWS; end++)
            best->differs[n][end] = INFINITY;
    for (int end = 1; end <= ROWS; end++) {
        ordered left = {.count = 0}, right = {.count = 0};
        for (int begin = end - 1; begin >= 0 && begin >= end - most; begin--) {
            insert(&left, o->left[begin]);
            insert(&right, o->right[begin]);
            const double strip = differences_of(&left) + differences_of(&right);
            for (int n = 1; n <= SATB_WINDOW_STRIPS; n++)
                if (best->differs[n - 1][begin] + strip < best->differs[n][end]) {
                    best->differs[n][end] = best->differs[n - 1][begin] + strip;
                    best->begin[n][end] = begin;
                }
        }
    }
}

/* Returns the row behind the last of n strips: rows below it are left out. */
static int end_of(const best_strips *best, int n)
{
    const double *const above = best->differs[0], *const differs = best->differs[n];
    int end = ROWS;

    for (int i = ROWS - 1; i > 0; i--)
        if (differs[i] + above[ROWS] - above[i] < differs[end] + above[ROWS] - above[end])
            end = i;
    return end;
}

static satk_form_box box_of(const outline *o, int begin, int end)
{
    ordered left = {.count = 0}, right = {.count = 0};

    for (int i = begin; i < end; i++) {
        insert(&left, o->left[i]);
        insert(&right, o->right[i]);
    }
    return (satk_form_box){satb_in_form(median_of(&left)), satb_in_form(median_of(&right)),
                           satb_in_form(o->top + begin * o->pitch),
                           satb_in_form(o->top + end * o->pitch), 1};
}

static satk_form make_strips(const outline *o, const best_strips *best, int count)
{
    satk_form form = {.count = count};
    int end = end_of(best, count);

    for (int n = count; n > 0; n--) {
        form.box[n - 1] = box_of(o, best->begin[n][end], end);
        end = best->begin[n][end];
    }
    return form;
}

double satb_make_polygon(const satb_shape *s, double wide, double high, satk_form *windows)
{
    outline o;
    best_strips best;

    make_outline(s, wide, high, &o);
    find_best(&o, s->vignette > 0 ? 2 * ROWS / SATB_WINDOW_STRIPS : ROWS, &best);
    *windows = make_strips(&o, &best, SATB_WINDOW_STRIPS);
    return 1 / moment_of(&o);
}
