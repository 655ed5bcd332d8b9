#include "figure/histogram_panel.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

static const colour black = {0.13, 0.13, 0.13}, gray = {0.45, 0.45, 0.45},
                    pale = {0.87, 0.87, 0.87};

void figure_ink(cairo_t *cr, colour ink, double opacity)
{
    cairo_set_source_rgba(cr, ink.r, ink.g, ink.b, opacity);
}

void figure_text(cairo_t *cr, double x, double y, double align, const char *format, ...)
{
    char text[512];
    cairo_text_extents_t size;
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    cairo_text_extents(cr, text, &size);
    cairo_move_to(cr, x - align * size.x_advance, y);
    cairo_show_text(cr, text);
}

static void segment(cairo_t *cr, double x1, double y1, double x2, double y2)
{
    cairo_move_to(cr, x1, y1);
    cairo_line_to(cr, x2, y2);
    cairo_stroke(cr);
}

/* Returns the middle of a code's part of the axis, which all 256 or 65536 codes share evenly. */
static double code_x(const figure *f, double code)
{
    return f->left + f->width * (code + 0.5) / (f->bits == 16 ? 65536 : 256);
}

/* --- Shares ----------------------------------------------------------------------------------- */

typedef struct axis {
    panel_scale scale;
    double low, high; /* percent, or logarithms of percent */
    double step;      /* between the ticks */
    double top, bottom;
} axis;

static double percent(const curve *c, int bin)
{
    const satb_channel_stats *s = c->stats;
    return s->count ? 100.0 * (double)s->histogram[bin] / (double)s->count : 0;
}

static double share_y(const axis *a, double share)
{
    double at = share;
    if (a->scale == PANEL_LOGARITHMIC)
        at = share > 0 ? log10(share) : a->low;
    return a->bottom - (a->bottom - a->top) * (at - a->low) / (a->high - a->low);
}

static double largest_share(const figure *f, bool all)
{
    double largest = 0;
    for (int i = 0; i < f->count; i++)
        for (int bin = 0; bin < SATB_BINS && (all || f->curves[i].scales); bin++)
            largest = fmax(largest, percent(&f->curves[i], bin));
    return largest;
}

/* Returns 1, 2 or 5 times a power of ten, so that two to five steps reach the top. */
static double round_step(double top)
{
    const double power = pow(10, floor(log10(top / 4)));
    const double step = top / 4 / power;
    return power * (step <= 1 ? 1 : step <= 2 ? 2 : step <= 5 ? 5 : 10);
}

static axis linear_axis(const figure *f, double top, double bottom)
{
    const double largest = fmax(largest_share(f, false), 0.01);
    const double step = round_step(largest);
    return (axis){PANEL_LINEAR, 0, step * ceil(largest / step - 1e-9), step, top, bottom};
}

/* The axis begins at half a pixel, so that a bin with one pixel shows. */
static axis logarithmic_axis(const figure *f, double top, double bottom)
{
    const double pixels = (double)f->curves[0].stats->count;
    const double high = ceil(log10(fmax(largest_share(f, true), 100 / pixels)) - 1e-9);
    return (axis){PANEL_LOGARITHMIC, fmin(log10(50 / pixels), high - 1), high, 1, top, bottom};
}

static void share_label(const figure *f, const axis *a, double value, double y)
{
    static const char *const small[] = {"10⁻⁸", "10⁻⁷", "10⁻⁶", "10⁻⁵", "10⁻⁴"};
    if (a->scale == PANEL_LOGARITHMIC && value >= -8 && value <= -4)
        figure_text(f->cr, f->left - 8, y + 4, 1, "%s", small[(int)value + 8]);
    else
        figure_text(f->cr, f->left - 8, y + 4, 1, "%g",
                    a->scale == PANEL_LOGARITHMIC ? pow(10, value) : value);
}

static void draw_shares(const figure *f, const axis *a)
{
    cairo_t *cr = f->cr;
    const double first = a->step * ceil(a->low / a->step - 1e-9);
    for (int i = 0; first + i * a->step <= a->high + a->step * 1e-6; i++) {
        const double value = first + i * a->step;
        const double y = a->bottom - (a->bottom - a->top) * (value - a->low) / (a->high - a->low);
        figure_ink(cr, pale, 1);
        segment(cr, f->left, y, f->left + f->width, y);
        figure_ink(cr, black, 1);
        share_label(f, a, value, y);
    }
    cairo_save(cr);
    cairo_translate(cr, f->left - 58, (a->top + a->bottom) / 2);
    cairo_rotate(cr, -acos(0));
    figure_text(cr, 0, 0, 0.5, a->scale == PANEL_LINEAR ? "pixels, %%" : "pixels, %%, logarithmic");
    cairo_restore(cr);
}

/* --- Codes ------------------------------------------------------------------------------------ */

static const int ticks = 8; /* without the one at the largest code */

static int tick_code(const figure *f, int i)
{
    const int codes = f->bits == 16 ? 65536 : 256;
    return i < ticks ? codes / ticks * i : codes - 1;
}

static void draw_grid(const figure *f, double top, double bottom)
{
    figure_ink(f->cr, pale, 1);
    for (int i = 0; i <= ticks; i++) {
        const double x = code_x(f, tick_code(f, i));
        segment(f->cr, x, top, x, bottom);
    }
}

void panel_codes(const figure *f, double top, double y)
{
    draw_grid(f, top, y);
    figure_ink(f->cr, black, 1);
    segment(f->cr, f->left, y, f->left + f->width, y);
    for (int i = 0; i <= ticks; i++) {
        const double x = code_x(f, tick_code(f, i));
        segment(f->cr, x, y, x, y + 5);
        figure_text(f->cr, x, y + 19, 0.5, "%d", tick_code(f, i));
    }
}

/* --- Curves ----------------------------------------------------------------------------------- */

/* Draws the bins as steps. */
static void trace(const figure *f, const curve *c, const axis *a)
{
    const double each = f->width / SATB_BINS;
    cairo_move_to(f->cr, f->left, a->bottom);
    for (int bin = 0; bin < SATB_BINS; bin++) {
        const double y = share_y(a, percent(c, bin));
        cairo_line_to(f->cr, f->left + bin * each, y);
        cairo_line_to(f->cr, f->left + (bin + 1) * each, y);
    }
    cairo_line_to(f->cr, f->left + f->width, a->bottom);
}

/* Draws all areas first, so that no line is hidden. */
static void draw_curves(const figure *f, const axis *a)
{
    cairo_t *cr = f->cr;
    cairo_save(cr);
    cairo_rectangle(cr, f->left, a->top - 1, f->width, a->bottom - a->top + 2);
    cairo_clip(cr);
    for (int i = 0; i < f->count; i++)
        if (f->curves[i].filled) {
            trace(f, &f->curves[i], a);
            figure_ink(cr, f->curves[i].ink, 0.28);
            cairo_fill(cr);
        }
    for (int i = 0; i < f->count; i++) {
        trace(f, &f->curves[i], a);
        figure_ink(cr, f->curves[i].ink, 0.9);
        cairo_stroke(cr);
    }
    cairo_restore(cr);
}

void panel_draw(const figure *f, panel_scale scale, double top, double bottom)
{
    const axis a =
        scale == PANEL_LINEAR ? linear_axis(f, top, bottom) : logarithmic_axis(f, top, bottom);
    cairo_set_line_width(f->cr, 1);
    draw_grid(f, top, bottom);
    draw_shares(f, &a);
    draw_curves(f, &a);
    figure_ink(f->cr, black, 1);
    segment(f->cr, f->left, bottom, f->left + f->width, bottom);
    segment(f->cr, f->left, top, f->left, bottom);
}

/* --- Strips ----------------------------------------------------------------------------------- */

typedef struct strip {
    double p1, p5, median, p95, p99, mean; /* x */
} strip;

static void strip_shape(cairo_t *cr, const strip *s, double y, colour ink)
{
    cairo_set_line_width(cr, 1.5);
    figure_ink(cr, ink, 1);
    segment(cr, s->p1, y, s->p99, y);
    segment(cr, s->p1, y - 4, s->p1, y + 4);
    segment(cr, s->p99, y - 4, s->p99, y + 4);
    cairo_rectangle(cr, s->p5, y - 6, s->p95 - s->p5, 12);
    cairo_set_source_rgb(cr, 1 - 0.3 * (1 - ink.r), 1 - 0.3 * (1 - ink.g), 1 - 0.3 * (1 - ink.b));
    cairo_fill_preserve(cr);
    figure_ink(cr, ink, 1);
    cairo_stroke(cr);
    cairo_set_line_width(cr, 3);
    segment(cr, s->median, y - 8, s->median, y + 8);
    cairo_move_to(cr, s->mean, y - 5);
    cairo_line_to(cr, s->mean + 5, y);
    cairo_line_to(cr, s->mean, y + 5);
    cairo_line_to(cr, s->mean - 5, y);
    cairo_close_path(cr);
    cairo_set_source_rgb(cr, 1, 1, 1);
    cairo_fill_preserve(cr);
    cairo_set_line_width(cr, 1.5);
    figure_ink(cr, black, 1);
    cairo_stroke(cr);
}

void strip_draw(const figure *f, const curve *c, double y)
{
    const satb_channel_stats *s = c->stats;
    figure_ink(f->cr, black, 1);
    figure_text(f->cr, f->left - 8, y + 4, 1, "%s", c->name);
    figure_text(f->cr, f->left + f->width + 88, y + 4, 1, "%.1f", s->mean);
    figure_text(f->cr, f->left + f->width + 152, y + 4, 1, "%u", (unsigned)s->median);
    if (s->count == 0)
        return;
    const strip at = {code_x(f, s->p1),  code_x(f, s->p5),  code_x(f, s->median),
                      code_x(f, s->p95), code_x(f, s->p99), code_x(f, s->mean)};
    strip_shape(f->cr, &at, y, c->ink);
}

void strip_legend(const figure *f, double y)
{
    const double x = f->left;
    const strip example = {x, x + 30, x + 60, x + 100, x + 140, x + 80};
    strip_shape(f->cr, &example, y, gray);
    figure_ink(f->cr, black, 1);
    figure_text(f->cr, x + 152, y + 4, 0,
                "line: 1 %% to 99 %% of the pixels, box: 5 %% to 95 %%, bar: median (50 %%), "
                "diamond: mean");
}
