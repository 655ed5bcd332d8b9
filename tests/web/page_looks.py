"""How the page looks and is used: sizes, colours, fingers, keys."""
from page_driver import SIZES, check


def check_keys(page):
    page.js("document.activeElement.blur()")
    page.key("d")
    check("D shows the depth map", page.wait("return document.documentElement.dataset.busy === ''") and page.view("shown") == "depth")
    page.key("d")
    page.hold("o", True)
    shown = page.view("shown")
    page.hold("o", False)
    check("O held shows the original", shown == "original" and page.view("shown") == "result", shown)
    page.js("satblur_page.problem('a line')")
    page.key("ESCAPE")
    check("Escape closes a problem", page.problem() == "")
    page.js("document.getElementById('canvas').focus()")
    names, rings = ["canvas"], []
    for _ in range(60):
        page.key("TAB")
        name, ring = page.js("""const e = document.activeElement;
            return [e.id || e.dataset.copies || e.textContent.trim(), e === document.body || getComputedStyle(e).outlineStyle !== 'none'];""")
        if name in names:
            break
        names.append(name)
        rings.append(ring)
    wanted = ["canvas", "hold", "split", "focus", "depth", "out", "fit", "in", "open-photo", "auto", "option-max-radius", "Bokeh", "save-png", "reset"]
    check("Tab reaches everything in the order of the page", [n for n in names if n in wanted] == wanted, names)
    check("what has the focus has a ring", all(rings), [n for n, ring in zip(names, rings) if not ring])
    page.js("satblur_page.focusAt({x: 100, y: 100}); document.getElementById('canvas').focus()")
    page.key("ARROW_RIGHT")
    page.key("ARROW_DOWN")
    step = page.js("return Math.round(Math.max(satblur_page.state.width, satblur_page.state.height) / 50)")
    check("arrows move the focus", f"--focus-at {100 + step},{100 + step}" in page.text("command"), page.text("command"))
    unnamed = page.js("""return [...document.querySelectorAll("button, select, textarea, input, canvas")].filter((e) =>
        !(e.getAttribute("aria-label") || e.textContent.trim() && e.matches("button") || e.labels && e.labels.length)).map((e) => e.id || e.outerHTML)""")
    check("every control has a name for screen readers", not unnamed, unnamed)


def check_touch(page):
    page.press("open-sample")
    page.wait()
    x, y = page.place(0.3, 0.3)
    page.touch("Start", (x, y))
    page.touch("End")
    w, h = page.view("width"), page.view("height")
    check("a tap focuses", page.wait() and abs(page.view("mark.x") - 0.3 * w) < 5 and abs(page.view("mark.y") - 0.3 * h) < 5, page.view("mark"))
    drag, left = [(x, y), (x + 30, y), (x + 60, y + 10)], page.view("x")
    for kind, point in zip(("Start", "Move", "Move"), drag):
        page.touch(kind, point)
    page.touch("End")
    check("a finger does not move a picture that is seen whole", page.view("x") == left, page.view("x") - left)
    scale = page.view("scale")
    for apart, kind in ((30, "Start"), (50, "Move"), (90, "Move")):
        page.touch(kind, (x - apart, y), (x + apart, y))
    zoomed, left = page.view("scale") / scale, page.view("x")
    page.touch("Move", (x - 60, y), (x + 120, y))
    check("two fingers zoom and pan", abs(zoomed - 3) < 0.1 and abs(page.view("x") - left - 30 * page.js("return devicePixelRatio")) < 3,
          (zoomed, page.view("x") - left))
    page.touch("End")
    left = page.view("x")
    for kind, point in zip(("Start", "Move", "Move"), drag):
        page.touch(kind, point)
    page.touch("End")
    check("one finger pans then, and focuses on nothing", page.view("x") - left > 40 and abs(page.view("mark.x") - 0.3 * w) < 5, page.view("x") - left)


def check_phone(page):
    """Looks at each control on a phone, with all groups open."""
    page.js("document.querySelectorAll('details').forEach((e) => e.open = true)")
    small = page.js("""return [...document.querySelectorAll("button, select, summary, input[type=range]")].filter((e) => e.checkVisibility()).map((e) =>
        [e.id || e.textContent, e.getBoundingClientRect(), e.scrollWidth - e.clientWidth, e.parentElement.getBoundingClientRect()]).filter(
        ([name, box, over, around]) => box.height < 40 || box.width < 36 || over > 1 || box.left < 0 || box.right > Math.min(innerWidth, around.right) + 1)
        .map(([name, box, over]) => [name, box.width, box.height, over])""")
    check("phone: controls are large enough for fingers, and none is cut off", not small, small)
    page.js("document.querySelectorAll('details').forEach((e) => e.open = false); document.querySelector('details').open = true")


def check_contrast(page, scheme):
    page.scheme(scheme)
    low = page.js("""const light = (text) => {
            const [r, g, b] = text.match(/[\\d.]+/g).map((v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
            return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const ground = (e) => !e ? "rgb(255, 255, 255)" : /^rgba|transparent/.test(getComputedStyle(e).backgroundColor) ? ground(e.parentElement) :
            getComputedStyle(e).backgroundColor;
        document.getElementById("problem").hidden = false;
        const all = [...document.querySelectorAll("button, select, label, output, summary, p, h1, b, textarea, #legend, #problem")];
        const told = all.filter((e) => e.checkVisibility() && !e.disabled && !["hint", "status"].includes(e.id)).map((e) => {
            const [a, b] = [light(getComputedStyle(e).color), light(ground(e))];
            return [(Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), e.id || e.textContent];
        }).filter(([ratio]) => ratio < 4.5);
        document.getElementById("problem").hidden = true;
        return told;""")
    check(f"{scheme}: all text is readable (contrast of 4.5)", not low, low)


def check_sizes(page, shots=""):
    page.press("open-sample")
    page.wait()
    page.click(0.4, 0.55)
    page.wait()
    for name, (width, height) in SIZES.items():
        page.size(width, height)
        page.frame() # lays out, and observers hear of it
        page.wait()
        wide = page.js("return document.documentElement.scrollWidth")
        check(f"{name}: nothing is wider than the screen", wide <= width, wide)
        if shots:
            page.shot(f"{shots}{name}.png")
    for scheme in ("dark", "light"):
        check_contrast(page, scheme)
    check_phone(page)
    check_touch(page)
    page.size(*SIZES["desk"])
