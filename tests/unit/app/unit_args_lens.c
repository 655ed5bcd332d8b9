/* Tests of the options that choose how a lens blurs: the method, the aperture and highlights. */
#include "unit/app/args_case.h"

#include "unit/unit.h"

static void test_method(void **state)
{
    options o = accepted("i.png o.png --depth d.png");
    assert_int_equal(o.dof.method, SATB_METHOD_DEFAULT);
    assert_int_equal(o.dof.bokeh, SATB_BOKEH_DISC);
    o = accepted("i.png o.png --depth d.png --method layered --bokeh square --edge shrink");
    assert_int_equal(o.dof.method, SATB_METHOD_LAYERED);
    assert_int_equal(o.dof.bokeh, SATB_BOKEH_SQUARE);
    o = accepted("i.png o.png --depth d.png --method layered --bokeh disc");
    assert_int_equal(o.dof.bokeh, SATB_BOKEH_DISC);
    o = accepted("i.png o.png --depth d.png --bokeh smooth --highlights 2");
    assert_int_equal(o.dof.bokeh, SATB_BOKEH_SMOOTH);
    o = accepted("i.png o.png --depth d.png --method gather --bokeh square --edge mirror");
    assert_int_equal(o.dof.method, SATB_METHOD_GATHER);
    assert_int_equal(o.dof.look.edge, SATB_EDGE_MIRROR);
    o = accepted("i.png o.png --depth d.png --edge mirror --bokeh square");
    assert_int_equal(o.dof.method, SATB_METHOD_DEFAULT); /* which is gather there */
    o = accepted(
        "i.png o.png --depth d.png --edge wrap --method layered --highlights 2 --squeeze 2");
    assert_int_equal(o.dof.look.edge, SATB_EDGE_WRAP);
    refused("a b --depth d --edge wrap --vignette 1",
            "--vignette and --edge wrap exclude each other");
    o = accepted("i.png o.png --depth d.png --method spread --edge shrink --bokeh square");
    assert_int_equal(o.dof.method, SATB_METHOD_SPREAD);
    refused("a b --depth d --method Layered",
            "--method Layered: expected 'layered', 'gather' or 'spread'");
    refused("a b --depth d --method spread --edge wrap",
            "--method spread cannot be combined with --edge wrap");
    refused("a b --depth d --bokeh disc --method spread",
            "--bokeh disc and --method spread exclude each other");
    refused("a b --depth d --method", "--method needs a value");
    refused("a b --depth d --bokeh ring", "--bokeh ring: expected 'disc', 'square' or 'smooth'");
    refused("a b --depth d --method layered --edge mirror",
            "--method layered cannot be combined with --edge mirror");
    refused("a b --depth d --edge clamp --method layered",
            "--method layered cannot be combined with --edge clamp");
    refused("a b --depth d --bokeh disc --method gather", "exclude each other");
    refused("a b --depth d --bokeh disc --edge mirror",
            "--bokeh disc cannot be combined with --edge mirror");
    refused("a b --depth d --bokeh smooth --method gather",
            "--bokeh smooth and --method gather exclude each other");
    refused("a b --depth d --bokeh smooth --method spread",
            "--bokeh smooth and --method spread exclude each other");
    refused("a b --depth d --bokeh smooth --edge clamp",
            "--bokeh smooth cannot be combined with --edge clamp");
    refused("a b --radius 1 --method gather", "--method needs --depth MAP");
    refused("a b --radius-map m --max-radius 1 --bokeh square", "--bokeh needs --depth MAP");
    refused("a b --equalize --method layered", "--method needs --depth MAP");
    refused("a --stats --bokeh disc", "--bokeh needs --depth MAP");
}

static void test_aperture(void **state)
{
    options o = accepted("i.png o.png --depth d.png --blades 0");
    assert_int_equal(o.dof.blades, 0);
    o = accepted("i.png o.png --depth d.png --blades 6 --blade-rotation 15 --blade-curvature 0.5");
    assert_true(o.dof.blades == 6 && o.dof.blade_rotation == 15 && o.dof.blade_curvature == 0.5);
    o = accepted("i.png o.png --depth d.png --bokeh smooth --squeeze 2");
    assert_true(o.dof.squeeze == 2);
    assert_int_equal(accepted("i.png o.png --depth d.png --blades 3").dof.blades, 3);
    assert_int_equal(accepted("i.png o.png --depth d.png --blades 9").dof.blades, 9);
    refused("a b --depth d --blades 2", "--blades 2: expected 0, or a number of blades, 3 to 9");
    refused("a b --depth d --blades 10", "--blades 10: expected");
    o = accepted("i.png o.png --depth d.png --blades 6 --blade-rotation -15");
    assert_true(o.dof.blade_rotation == -15);
    refused("a b --depth d --blades 6 --blade-rotation -361", "expected degrees, -360 to 360");
    refused("a b --depth d --squeeze 0", "--squeeze 0: expected a factor");
    refused("a b --depth d --blade-curvature 2 --blades 5", "--blade-curvature 2: expected");
    refused("a b --depth d --blade-rotation 10", "--blade-rotation needs --blades N");
    refused("a b --depth d --blade-curvature 1 --blades 0", "--blade-curvature needs --blades N");
    refused("a b --depth d --blades 6 --bokeh square",
            "--blades and --bokeh square exclude each other");
    refused("a b --depth d --blades 6 --method gather",
            "--blades and --method gather exclude each other");
    refused("a b --depth d --squeeze 2 --edge clamp",
            "--squeeze cannot be combined with --edge clamp");
    refused("a b --radius 3 --squeeze 2", "--squeeze needs --depth MAP");
    o = accepted("i.png o.png --depth d.png --fringe 0.25");
    assert_true(o.dof.fringe == 0.25);
    refused("a b --depth d --fringe 0.6", "--fringe 0.6: expected a number, 0 to 0.5");
}

static void test_cats_eyes_and_rings(void **state)
{
    options o = accepted("i.png o.png --depth d.png");
    assert_true(o.dof.vignette == 0 && o.dof.bokeh_edge == 0 && o.dof.spherical == 0);
    o = accepted("i.png o.png --depth d.png --vignette 0.8 --bokeh-edge -0.5 --spherical -1");
    assert_true(o.dof.vignette == 0.8 && o.dof.bokeh_edge == -0.5 && o.dof.spherical == -1);
    o = accepted("i.png o.png --depth d.png --bokeh-edge=1 --spherical=-0.25 --bokeh square");
    assert_true(o.dof.bokeh_edge == 1 && o.dof.spherical == -0.25);
    o = accepted("i.png o.png --depth d.png --blades 5 --vignette 1 --method layered");
    assert_true(o.dof.vignette == 1);
    accepted("i.png o.png --depth d.png --bokeh smooth --vignette 1 --bokeh-edge 0");
    refused("a b --depth d --vignette 1.1", "--vignette 1.1: expected a number, 0 to 1");
    refused("a b --depth d --vignette -0.1", "--vignette -0.1: expected a number, 0 to 1");
    refused("a b --depth d --bokeh-edge 1.1", "--bokeh-edge 1.1: expected a number, -1 to 1");
    refused("a b --depth d --bokeh-edge -1.1", "--bokeh-edge -1.1: expected a number, -1 to 1");
    refused("a b --depth d --bokeh-edge=--1", "--bokeh-edge --1: expected");
    refused("a b --depth d --spherical 2", "--spherical 2: expected a number, -1 to 1");
    refused("a b --depth d --spherical -", "--spherical -: expected");
    refused("a b --depth d --spherical", "--spherical needs a value");
    refused("a b --depth d --bokeh smooth --bokeh-edge 0.5",
            "--bokeh-edge and --bokeh smooth exclude each other");
    refused("a b --depth d --bokeh smooth --spherical -0.5",
            "--spherical and --bokeh smooth exclude each other");
    refused("a b --depth d --vignette 0.5 --method gather",
            "--vignette and --method gather exclude each other");
    refused("a b --depth d --bokeh-edge 0.5 --method spread",
            "--bokeh-edge and --method spread exclude each other");
    refused("a b --depth d --spherical 0.5 --edge clamp",
            "--spherical cannot be combined with --edge clamp");
    refused("a b --radius 3 --vignette 0.5", "--vignette needs --depth MAP");
    refused("a b --radius 3 --bokeh-edge 0.5", "--bokeh-edge needs --depth MAP");
    refused("a b --radius 3 --spherical 0.5", "--spherical needs --depth MAP");
}

static void test_highlights(void **state)
{
    options o = accepted("i.png o.png --depth d.png");
    assert_true(o.dof.highlights == 0);
    o = accepted("i.png o.png --depth d.png --highlights 1");
    assert_true(o.dof.highlights == 1);
    o = accepted("i.png o.png --depth d.png --method layered --bokeh square --highlights 7.5");
    assert_true(o.dof.highlights == 7.5);
    o = accepted(
        "i.png o.png --depth d.png --highlights 4 --highlight-threshold 0.25 --highlight-size 2.5");
    assert_true(o.dof.highlight_threshold == 0.25 && o.dof.highlight_size == 2.5);
    refused("a b --depth d --highlights 4 --highlight-threshold 0",
            "--highlight-threshold 0: expected a fraction of white, 0.01 to 1");
    refused("a b --depth d --highlights 4 --highlight-threshold 188",
            "expected a fraction of white");
    refused("a b --depth d --highlights 4 --highlight-size 21", "expected per cent, 0.01 to 20");
    refused("a b --depth d --highlight-threshold 0.25", "--highlight-threshold needs --highlights");
    refused("a b --depth d --highlight-size 3", "--highlight-size needs --highlights");
    refused("a b --depth d --highlights 0.9", "--highlights 0.9: expected 0, or a factor, 1 to 64");
    refused("a b --depth d --highlights 65", "expected 0, or a factor, 1 to 64");
    refused("a b --depth d --highlights", "--highlights needs a value");
    refused("a b --depth d --highlights 2 --method gather",
            "--highlights and --method gather exclude each other");
    refused("a b --depth d --method spread --highlights 2",
            "--highlights and --method spread exclude each other");
    refused("a b --depth d --highlights 2 --edge mirror",
            "--highlights cannot be combined with --edge mirror");
    refused("a b --radius 1 --highlights 2", "--highlights needs --depth MAP");
}

UNIT_MAIN(UNIT(test_method), UNIT(test_aperture), UNIT(test_cats_eyes_and_rings),
          UNIT(test_highlights))
