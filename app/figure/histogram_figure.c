#include "figure/histogram_figure.h"

#include "codec/codec.h"
#include "figure/histogram_panel.h"
#include "base/output.h"
#include "base/paths.h"
#include "base/utf8.h"

#include <cairo-svg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum {
    WIDTH = 1000,
    PANEL = 210,
    STRIP = 26,
    SHARPNESS = 2
}; /* SHARPNESS: pixels of a PNG per unit */

/* Colours that differ in brightness, too, for the colour-blind. */
static const colour inks[5] = {{0.82, 0.13, 0.15},
                               {0.13, 0.55, 0.20},
                               {0.15, 0.30, 0.82},
                               {0.55, 0.35, 0.65},
                               {0.2, 0.2, 0.2}};
enum { RED, GREEN, BLUE, ALPHA, DARK };

/* --- Curves ----------------------------------------------------------------------------------- */

static void add_curve(figure *f, const char *name, const satb_channel_stats *stats, int ink,
                      bool filled, bool scales)
{
    f->curves[f->count++] = (curve){name, stats, inks[ink], filled, scales};
}

static void add_curves(figure *f, const engine_request *q)
{
    const int channels = q->src.channels, colours = channels < 3 ? 1 : 3;
    for (int c = 0; c < colours; c++)
        add_curve(f, picture_channel_name(channels, c), &q->stats[c], colours == 1 ? DARK : c, true,
                  true);
    if (colours == 3)
        add_curve(f, "luminance", &q->luminance, DARK, false, true);
    if (channels % 2 ==
        0) /* all of it may be opaque, and its one bin would flatten the other curves */
        add_curve(f, "alpha", &q->stats[channels - 1], ALPHA, false, false);
}

/* --- Title and legend ------------------------------------------------------------------------- */

/* Cuts whole characters off the end until the text is narrow enough. */
static void fit(cairo_t *cr, char *text, double width)
{
    cairo_text_extents_t size;
    size_t length = strlen(text);
    cairo_text_extents(cr, text, &size);
    while (size.x_advance > width && length > 0) {
        do
            length--;
        while (length > 0 && ((unsigned char)text[length] & 0xc0) == 0x80);
        strcpy(text + length, "…"); /* draw_title() leaves room for it */
        cairo_text_extents(cr, text, &size);
    }
}

static void draw_title(const figure *f, const engine_request *q)
{
    char name[300];
    cairo_t *cr = f->cr;
    utf8_show(path_base(q->o->input), name, sizeof name - 8);
    figure_ink(cr, inks[DARK], 1);
    cairo_select_font_face(cr, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_BOLD);
    cairo_set_font_size(cr, 20);
    fit(cr, name, WIDTH - f->left - 20);
    figure_text(cr, f->left, 36, 0, "%s", name);
    cairo_select_font_face(cr, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cr, 13);
    figure_text(cr, f->left, 58, 0, "%d × %d pixels, %s, %d bits", q->src.width, q->src.height,
                picture_channel_words(q->src.channels), q->src.bits);
}

static void draw_legend(const figure *f, double y)
{
    const double x = f->left + f->width + 24;
    for (int i = 0; i < f->count; i++, y += 22) {
        const curve *c = &f->curves[i];
        cairo_rectangle(f->cr, x, c->filled ? y : y + 6, 22, c->filled ? 12 : 0);
        figure_ink(f->cr, c->ink, 0.28);
        cairo_fill_preserve(f->cr);
        figure_ink(f->cr, c->ink, 0.9);
        cairo_set_line_width(f->cr, c->filled ? 1 : 2);
        cairo_stroke(f->cr);
        figure_ink(f->cr, inks[DARK], 1);
        figure_text(f->cr, x + 32, y + 11, 0, "%s", c->name);
    }
}

/* --- Figure ----------------------------------------------------------------------------------- */

static double height_for(const figure *f)
{
    return 84 + 2 * PANEL + 60 + STRIP * f->count + 96;
}

static void draw_figure(const figure *f, const engine_request *q)
{
    cairo_t *cr = f->cr;
    const double low = 84 + PANEL + 36 + PANEL, strips = low + 46;
    cairo_set_source_rgb(cr, 1, 1, 1);
    cairo_paint(cr);
    draw_title(f, q);
    panel_draw(f, PANEL_LINEAR, 84, 84 + PANEL);
    panel_draw(f, PANEL_LOGARITHMIC, 84 + PANEL + 36, low);
    draw_legend(f, 92);
    figure_text(cr, f->left + f->width + 88, strips - 22, 1, "mean");
    figure_text(cr, f->left + f->width + 152, strips - 22, 1, "median");
    const double bottom = strips + STRIP * (f->count - 1) + 18;
    cairo_set_line_width(cr, 1);
    panel_codes(f, strips - 14, bottom);
    for (int i = 0; i < f->count; i++)
        strip_draw(f, &f->curves[i], strips + STRIP * i);
    figure_text(cr, f->left + f->width + 40, bottom + 19, 0, "code");
    strip_legend(f, bottom + 48);
}

/* --- File ------------------------------------------------------------------------------------- */

static cairo_status_t put(void *user, const unsigned char *data, unsigned size)
{
    return output_write(user, data, size) ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

static bool is_svg(const char *name)
{
    return strcasecmp(name + strlen(name) - 4, ".svg") == 0;
}

static cairo_status_t draw_into(output *out, figure *f, const engine_request *q)
{
    const double height = height_for(f);
    const bool svg = is_svg(q->o->histogram);
    cairo_surface_t *surface =
        svg ? cairo_svg_surface_create_for_stream(put, out, WIDTH, height)
            : cairo_image_surface_create(CAIRO_FORMAT_RGB24, SHARPNESS * WIDTH,
                                         (int)(SHARPNESS * height));
    f->cr = cairo_create(surface);
    if (svg)
        cairo_svg_surface_set_document_unit(surface, CAIRO_SVG_UNIT_PX);
    else
        cairo_scale(f->cr, SHARPNESS, SHARPNESS);
    draw_figure(f, q);
    cairo_status_t status = cairo_status(f->cr);
    cairo_destroy(f->cr);
    if (status == CAIRO_STATUS_SUCCESS && !svg)
        status = cairo_surface_write_to_png_stream(surface, put, out);
    cairo_surface_finish(surface);
    if (status == CAIRO_STATUS_SUCCESS)
        status = cairo_surface_status(surface);
    cairo_surface_destroy(surface);
    return status;
}

bool histogram_figure_check(problem *p)
{
    (void)p;
    return true;
}

bool histogram_figure_write(const engine_request *q, problem *p)
{
    figure f = {.bits = q->src.bits, .left = 92, .width = 720};
    output out;
    add_curves(&f, q);
    if (!output_begin(&out, q->o->histogram, p))
        return false;
    out.is_new = q->o->given[OPT_NO_CLOBBER];
    const cairo_status_t status = draw_into(&out, &f, q);
    if (status == CAIRO_STATUS_SUCCESS || out.error != 0) /* output_commit() says why */
        return output_commit(&out, p);
    output_abort(&out);
    return problem_set(p, "%s: cannot be drawn: %s", q->o->histogram,
                       cairo_status_to_string(status));
}
