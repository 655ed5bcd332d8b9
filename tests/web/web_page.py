#!/usr/bin/env python3
"""Drives the page in a browser, chromium or firefox: web_page.py BROWSER PAGE SATBLUR ASSETS [SCREENSHOTS]. It prints a line for
each check."""
import functools
import http.server
import os
import pathlib
import re
import shlex
import statistics
import subprocess
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True
import page_driver
from page_driver import SIZES, Browser, Page, check
from page_looks import check_keys, check_sizes
from page_models import check_models
from page_use import check_kept, check_use, type_value


def native(satblur, command, folder, output):
    """Runs the command that the page shows, with the codecs that the page has."""
    words = shlex.split(command)
    words[0], words[2] = satblur, str(folder / output)
    done = subprocess.run(words + ["--codec", "stb", "--quiet"], cwd=folder, capture_output=True, text=True)
    check(f"the command runs: {command}", done.returncode == 0, done.stderr)
    return (folder / output).read_bytes() if done.returncode == 0 else None


def check_start(page, url):
    paints = []
    while not paints or (min(paints) >= 1000 and len(paints) < 10): # other work only adds time, so the least is nearest to the page's own
        begin = time.time()
        page.browser.get(url)
        check("the page loads and shows the sample", page.wait(), page.problem())
        paint, core = page.js("return ['first-contentful-paint', 'core'].map((name) => (performance.getEntriesByName(name)[0] || {}).startTime)")
        paints.append(paint)
        check("the page is painted before its core has started", core and paint < core, (paint, core))
        print(f"      first paint {paints[-1]:.0f} ms, sample at full size {1000 * (time.time() - begin):.0f} ms")
    check("first paint is within 1 s", min(paints) < 1000, paints)
    urls = page.js("return performance.getEntriesByType('resource').map((e) => e.name)")
    check("nothing is asked of other hosts", all(u.startswith(("file:", "blob:", "data:")) for u in urls), urls)


def check_pictures(page, satblur, assets, work):
    for name in ("street.png", "street_depth.png"):
        (work / name).write_bytes((assets / name).read_bytes())
    page.drop(work / "street_depth.png", work / "street.png")
    check("a photo and its map are dropped", page.wait() and "street.png" in page.text("names"), page.problem())
    page.click(0.5, 0.6)
    check("a click becomes --focus-at", page.wait() and re.search(r"--focus-at (799|800),(639|640)", page.text("command")), page.text("command"))
    check("the notes are those of the picture itself", "at 799,639" in page.text("notes") or "at 800,6" in page.text("notes"), page.text("notes"))
    first = page.save("png")
    check("the PNG's bytes are the program's", first == native(satblur, page.text("command"), work, "a.png"), len(first))
    for option, value in (("max-radius", 3.3), ("focus-range", 0.06), ("near-scale", 0.5), ("blades", "6"), ("highlights", 8)):
        page.set(option, value)
    check("options are worked on", page.wait())
    second = page.save("png")
    check("with options, too", second == native(satblur, page.text("command"), work, "b.png") and second != first)
    for option, value in (("fstop", "2.8"), ("farthest", 40), ("squeeze", 1.5), ("spherical", 0.5), ("gamma", "on"), ("grain", "auto")):
        page.set(option, value)
    third = page.wait() and page.save("png")
    check("with a lens and grain, too", third == native(satblur, page.text("command"), work, "f.png") and third != second)
    check("an aperture takes the place of the strength", "--fstop 2.8 --focal 50 --distance 1,40" in page.text("command")
          and "max-radius" not in page.text("command"), page.text("command"))
    page.set("fstop", "off")
    page.wait()
    picture = page.save("jpg")
    check("the JPEG's bytes are the program's", picture == native(satblur, page.text("command"), work, "c.jpg"), len(picture))


def check_embedded(page, satblur, work, photo):
    (work / photo.name).write_bytes(photo.read_bytes())
    page.drop(work / photo.name)
    check("a photo with a map of its own is dropped", page.wait() and photo.name in page.text("names"), page.problem())
    page.click(0.3, 0.3)
    page.wait()
    data = page.save("png")
    check("its PNG's bytes are the program's", data == native(satblur, page.text("command"), work, "e.png"), len(data))


def check_refusals(page, work):
    (work / "note.png").write_text("no picture")
    page.drop(work / "note.png")
    check("a file that is no picture is refused by a line", page.wait("return !document.getElementById('problem').hidden")
          and "note.png" in page.problem(), page.problem())
    (work / "huge.pgm").write_bytes(b"P5 60000 60000 255\n" + bytes(1000))
    page.drop(work / "huge.pgm")
    check("a huge picture is refused by a line", page.wait("return /huge/.test(document.querySelector('#problem span').textContent)"), page.problem())
    (work / "tall.pgm").write_bytes(b"P5 1 40000 255\n" + bytes(40000))
    page.drop(work / "tall.pgm")
    check("so is one with a side that no browser shows", page.wait("return /32767/.test(document.querySelector('#problem span').textContent)"), page.problem())
    page.drop(work / "tall.pgm", work / "note.png", work / "street.png")
    check("three files are refused by a line", page.wait("return /^3 files/.test(document.querySelector('#problem span').textContent)"), page.problem())
    (work / "phone.heic").write_bytes(b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + bytes(999))
    page.drop(work / "phone.heic")
    check("files that only the program reads are named as such", page.wait("return /phone.heic/.test(document.querySelector('#problem span').textContent)")
          and "use the program" in page.problem(), page.problem())
    page.js("document.querySelector('#problem button').click()")
    page.click(0.6, 0.5)
    check("the picture before stays, and is worked on", page.wait() and "--focus-at" in page.text("command"), page.problem())


def check_other_maps(page, satblur, work):
    """Pictures whose names or values are not what a page expects."""
    page.press("reset")
    (work / "even.pgm").write_bytes(b"P5 64 64 255\n" + bytes([128]) * 4096)
    page.drop(work / "even.pgm", work / "street.png")
    check("the gray one of two files is the map", page.wait() and "street.png" in page.text("names").split("\n")[0], page.text("names"))
    (work / "colours_depth.png").write_bytes((work / "street.png").read_bytes())
    page.drop(work / "colours_depth.png", work / "street.png")
    check("a map that means nothing is refused when it is opened", page.wait() and "colours_depth.png" in page.problem()
          and "even.pgm" in page.text("names"), (page.problem(), page.text("names")))
    page.js("document.querySelector('#problem button').click()")
    page.set("near", "black")
    page.wait()
    page.drop(work / "street_depth.png", work / "street.png")
    check("another map does not keep what was said of the one before", page.wait() and "--near" not in page.text("command"), page.text("command"))
    for photo, map_name in (("-a.png", "-a_blurred.png"), ("display.png", "embedded")):
        (work / photo).write_bytes((work / "street.png").read_bytes())
        (work / map_name).write_bytes((work / "street_depth.png").read_bytes())
        page.drop(work / photo, work / map_name)
        page.wait()
        data = page.save("png")
        check(f"{photo} with {map_name}: the PNG's bytes are the program's", data == native(satblur, page.text("command"), work, "n.png"), len(data))
    page.drop(work / "display.png")
    check("display.png is a photo", page.wait() and "no depth map" in page.text("names"), page.text("names"))


def check_lost_workers(page):
    page.wait()
    page.js("satblur_page.live.near.stop('lost'); satblur_page.live.far.stop('lost')")
    page.click(0.5, 0.5)
    check("lost workers are replaced", page.wait() and not page.problem(), page.problem())


def check_browsers(page):
    lacks = {"WebAssembly": "{}", "workers": "{WebAssembly}", "streams of compression": "{WebAssembly, Worker, DecompressionStream}",
             "SIMD of WebAssembly": "{Worker, DecompressionStream, CompressionStream, WebAssembly: {validate: () => false}}"}
    told = page.js("return [" + ", ".join([*lacks.values(), "window"]) + "].map((b) => satblur_missing(b))")
    check("a browser that lacks what the page needs gets a line", told[-1] == "" and
          all(f"has no {name}; use Chrome" in line for name, line in zip(lacks, told)), told)


class Host(http.server.SimpleHTTPRequestHandler):
    """A host that prints no lines."""

    def log_message(self, *words):
        pass


def check_hosted(page, folder, satblur, work):
    """The page from a host, and not from a disk."""
    host = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Host, directory=folder))
    threading.Thread(target=host.serve_forever, daemon=True).start()
    page.browser.get(f"http://127.0.0.1:{host.server_port}/index.html")
    check("hosted: the page loads", page.wait(), page.problem())
    page.drop(work / "street_depth.png", work / "street.png")
    page.wait()
    data = page.save("png")
    check("hosted: the PNG's bytes are the program's", data == native(satblur, page.text("command"), work, "h.png"), len(data))
    host.shutdown()


def check_no_map(page, satblur, work):
    page.press("reset")
    page.drop(work / "street.png")
    check("a photo without a map is opened, and a line says so", page.wait() and "carries no depth map" in page.text("legend-text"), page.problem())
    page.click(0.5, 0.7)
    check("a click moves the sharp band", page.wait() and "--tilt-shift 0,0.7,0.2" in page.text("command"), page.text("command"))
    x, y = page.place(0.5, 0.7)
    for kind, down in (("Pressed", y), ("Moved", y - 20), ("Moved", page.place(0.5, 0.4)[1]), ("Released", page.place(0.5, 0.4)[1])):
        page.mouse(kind, x, down)
    check("its middle is dragged", page.wait() and abs(page.view("band.place") - 0.4) < 0.01, page.view("band"))
    x, y = page.place(0.5, 0.5)
    for kind, down in (("Pressed", y), ("Moved", y + 20), ("Moved", page.place(0.5, 0.6)[1]), ("Released", page.place(0.5, 0.6)[1])):
        page.mouse(kind, x, down)
    check("its edge is dragged", page.wait() and abs(page.view("band.width") - 0.4) < 0.01 and abs(page.view("band.place") - 0.4) < 0.01, page.view("band"))
    type_value(page, "tilt-width", "1,5")
    check("no band is typed that the program refuses", page.wait() and page.text("typed-tilt-width") == "1" and not page.problem(), page.problem())
    page.set("tilt-angle", -35)
    page.set("blades", "5")
    page.wait()
    data = page.save("png")
    check("its PNG's bytes are the program's", data == native(satblur, page.text("command"), work, "t.png"), len(data))
    page.press("reset")
    page.drop(work / "street_depth.png")
    check("a map that is dropped then is its map", page.wait() and "--depth street_depth.png" in page.text("command")
          and page.view("band") is None, page.text("command"))


def check_views(page):
    page.press("depth")
    told = page.wait("return document.documentElement.dataset.busy === ''") and page.text("legend-text")
    check("the depth view says what is near and what was assumed", "White is near" in told and "white is near, its values are disparity (assumed" in told, told)
    before = page.js("return satblur_page.view.layers.depth.getContext('2d').getImageData(5, 5, 1, 1).data[0]")
    page.js("const e = document.getElementById('twin-near'); e.value = 'black'; e.oninput()")
    page.wait()
    after = page.js("return satblur_page.view.layers.depth.getContext('2d').getImageData(5, 5, 1, 1).data[0]")
    check("a switch beside it turns the map round", abs(before + after - 255) <= 1 and "--near black" in page.text("command")
          and page.text("option-near") == "black" and "assumed" in page.text("legend-text"), (before, after, page.text("legend-text")))
    page.press("focus")
    page.wait()
    check("the view of the focus says what its colours mean", "Orange is in front of it, blue is behind it" in page.text("legend-text"), page.text("legend-text"))
    page.press("focus")
    back = page.js("const e = document.querySelector('#option-near ~ .back'), seen = getComputedStyle(e).visibility; e.click(); return seen")
    check("a changed option has a button that undoes it", back == "visible" and page.wait() and "--near" not in page.text("command"), back)
    page.set("max-radius", 5)
    page.press("reset")
    check("Reset undoes all of them", page.wait() and "--max-radius" not in page.text("command"), page.text("command"))


def drop_large(page):
    """Drops a photo of 12 megapixels, upright, and a smaller map, which are made in the page."""
    page.js("""const [w, h] = [3000, 4000], head = (t) => new TextEncoder().encode(t), data = new DataTransfer();
        const photo = new Uint8Array(3 * w * h), map = new Uint8Array(w * h / 16);
        for (let i = 0, n = 1; i < photo.length; i++) {
            n = (n * 1103515245 + 12345) & 0x7fffffff;
            photo[i] = 100 + 60 * Math.sin(i / 900) + (n >> 24) / 4;
        }
        for (let i = 0; i < map.length; i++) map[i] = i / map.length * 255;
        data.items.add(new File([head(`P6 ${w} ${h} 255\\n`), photo], "large.ppm"));
        data.items.add(new File([head(`P5 ${w / 4} ${h / 4} 255\\n`), map], "large_depth.pgm"));
        document.documentElement.dataset.busy = "1";
        dispatchEvent(new DragEvent("drop", {dataTransfer: data, cancelable: true}));""")


def check_speed(page):
    """Clicks here and there on a large photo, after the page has found the size that it can answer at once."""
    times = []
    drop_large(page)
    page.wait("return satblur_page.state.photo.name === 'large.ppm' && Boolean(satblur_page.view.layers.result)")
    for i in range(10):
        page.click(0.2 + 0.06 * i, 0.4 + 0.03 * i)
        page.wait("return satblur_page.live.runs !== true")
        times.append(page.js("return satblur_page.live.times.at(-1)"))
    middle = statistics.median(times[2:])
    check("where the focus is takes one line", page.js("return document.getElementById('focus-text').getClientRects().length") == 1, page.text("focus-text"))
    print("      12 megapixels, click to preview, ms: " + " ".join(f"{t:.0f}" for t in times) + f", median {middle:.0f}")
    check("a click is answered at once, even on a busy machine", middle < 250, middle)


def check_progress(page):
    page.wait()
    page.js("""window.bar = [];
        (function look() {
            const e = document.getElementById("progress");
            if (!e.hidden) bar.push([Number(e.getAttribute("aria-valuenow")), document.getElementById("status").textContent]);
            window.looks = requestAnimationFrame(look);
        })()""")
    page.click(0.5, 0.3)
    done = page.wait()
    seen = page.js("cancelAnimationFrame(looks); return bar")
    parts = [part for part, _ in seen]
    print(f"      the bar went from {parts[0]} to {parts[-1]} % in {len(parts)} frames; {page.text('status')}")
    check("the bar only grows, and is never full while work goes on", done and parts == sorted(parts) and parts[-1] > 30 and max(parts) < 100, parts[-5:])
    check("a line says how long the picture takes, before and after", any(re.match(r"Preview. Full picture: about \d", text) for _, text in seen)
          and re.match(r"Full picture: \d+(\.\d)? s$", page.text("status")), page.text("status"))


def main():
    name, folder, satblur, assets, *shots = sys.argv[1:]
    folder, satblur, assets = pathlib.Path(folder), os.path.realpath(satblur), pathlib.Path(assets)
    with tempfile.TemporaryDirectory() as temporary:
        work = pathlib.Path(temporary)
        browser = Browser(name, work)
        try:
            page = Page(browser, work)
            page.size(*SIZES["desk"])
            check_start(page, (folder / "index.html").resolve().as_uri())
            check_sizes(page, *shots)
            check_pictures(page, satblur, assets, work)
            photo = os.environ.get("PHOTO_WITH_MAP")
            if photo:
                check_embedded(page, satblur, work, pathlib.Path(photo))
            check_no_map(page, satblur, work)
            check_views(page)
            check_speed(page)
            check_progress(page)
            check_kept(page)
            check_keys(page)
            check_use(page, lambda command, output="u.png": native(satblur, command, work, output), satblur, work)
            check_browsers(page)
            check_lost_workers(page)
            check_refusals(page, work)
            check_other_maps(page, satblur, work)
            check_hosted(page, folder, satblur, work)
            check("the console has no errors", not browser.errors, browser.errors)
            if "TINY_MODEL" in os.environ:
                made = check_models(page, pathlib.Path("model"), pathlib.Path(os.environ["TINY_MODEL"]), pathlib.Path("photo.png"),
                                    lambda command: native(satblur, command, work, "m.png"), work)
                pathlib.Path("page_depth.png").write_bytes(made)
        finally:
            browser.quit()
    sys.exit(1 if page_driver.failed else 0)


if __name__ == "__main__":
    main()
