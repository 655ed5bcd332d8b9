#!/usr/bin/env python3
"""Drives the page in headless Chromium: web_page.py PAGE SATBLUR ASSETS [SCREENSHOTS]. It prints a line for each check."""
import base64
import functools
import http.server
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import threading
import time

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

SIZES = {"desk": (1440, 900), "tablet": (900, 700), "phone": (390, 844)}
failed = 0


def check(name, good, told=""):
    global failed
    failed += not good
    print(("ok    " if good else "FAIL  ") + name + ("" if good else f": {told}"), flush=True)


def start_browser(downloads):
    options = Options()
    options.binary_location = os.environ.get("CHROMIUM", "/usr/bin/chromium")
    for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-dev-shm-usage"):
        options.add_argument(flag)
    options.add_argument(f"--user-data-dir={downloads}/profile")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    browser = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
    browser.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(downloads)})
    return browser


class Page:
    def __init__(self, browser, folder):
        self.browser, self.folder = browser, folder

    def js(self, text, *values):
        return self.browser.execute_script(text, *values)

    def size(self, width, height):
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                     {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500})

    def wait(self, what="return document.documentElement.dataset.busy === '' && Boolean(satblur_page.view.layers.result)", seconds=30):
        end = time.time() + seconds
        while time.time() < end:
            if self.js(what):
                return True
            time.sleep(0.02)
        return False

    def drop(self, *paths):
        files = [(p.name, base64.b64encode(p.read_bytes()).decode()) for p in paths]
        self.js("""const bytes = (t) => Uint8Array.from(atob(t), (c) => c.charCodeAt(0)), data = new DataTransfer();
            for (const [name, text] of arguments[0]) data.items.add(new File([bytes(text)], name));
            document.documentElement.dataset.busy = "1";
            dispatchEvent(new DragEvent("drop", {dataTransfer: data, cancelable: true}));""", files)

    def click(self, across, down):
        """Clicks on a place of the picture, by parts of its sides, as a mouse does."""
        x, y = self.js("""const v = satblur_page.view, box = v.canvas.getBoundingClientRect();
            return [box.left + v.x + arguments[0] * v.width * v.scale, box.top + v.y + arguments[1] * v.height * v.scale]""", across, down)
        for kind in ("mousePressed", "mouseReleased"):
            self.browser.execute_cdp_cmd("Input.dispatchMouseEvent", {"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1})

    def set(self, option, value):
        self.js("""const e = document.getElementById("option-" + arguments[0]); e.value = arguments[1]; e.oninput()""", option, value)

    def text(self, name):
        return self.js("return document.getElementById(arguments[0]).value ?? document.getElementById(arguments[0]).textContent", name)

    def problem(self):
        return self.js("return document.getElementById('problem').hidden ? '' : document.querySelector('#problem span').textContent")

    def save(self, kind):
        """Presses a button of a download and returns the file's bytes."""
        self.js("document.getElementById('save-' + arguments[0]).click()", kind)
        name = self.text("command").split(" ")[2].rsplit(".", 1)[0] + "." + kind
        path, end = self.folder / name, time.time() + 30
        while time.time() < end and not path.exists():
            time.sleep(0.05)
        data = path.read_bytes() if path.exists() else b""
        path.unlink(missing_ok=True)
        return data


def native(satblur, command, folder, output):
    """Runs the command that the page shows, with the codecs that the page has."""
    words = shlex.split(command)
    words[0], words[2] = satblur, str(folder / output)
    done = subprocess.run(words + ["--codec", "stb", "--quiet"], cwd=folder, capture_output=True, text=True)
    check(f"the command runs: {command}", done.returncode == 0, done.stderr)
    return (folder / output).read_bytes() if done.returncode == 0 else None


def check_start(page, url):
    begin = time.time()
    page.browser.get(url)
    check("the page loads and shows the sample", page.wait(), page.problem())
    paint = page.js("return (performance.getEntriesByName('first-contentful-paint')[0] || {}).startTime")
    print(f"      first paint {paint:.0f} ms, sample at full size {1000 * (time.time() - begin):.0f} ms")
    check("first paint is within 1 s", paint < 1000, paint)
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
    page.js("document.querySelector('#problem button').click()")
    page.click(0.6, 0.5)
    check("the picture before stays, and is worked on", page.wait() and "--focus-at" in page.text("command"), page.problem())


def check_lost_workers(page):
    page.wait()
    page.js("satblur_page.live.near.stop('lost'); satblur_page.live.far.stop('lost')")
    page.click(0.5, 0.5)
    check("lost workers are replaced", page.wait() and not page.problem(), page.problem())


def check_browsers(page):
    told = page.js("return [{}, {WebAssembly}, window].map((b) => satblur_missing(b))")
    check("browsers without WebAssembly or workers get a line", all(told[:2]) and told[0] != told[1] and told[2] == "", told)


class Isolated(http.server.SimpleHTTPRequestHandler):
    """A host whose pages may share memory between workers."""

    def end_headers(self):
        self.send_header("Cross-Origin-Opener-Policy", "same-origin")
        self.send_header("Cross-Origin-Embedder-Policy", "require-corp")
        super().end_headers()

    def log_message(self, *words):
        pass


def check_builds(page, folder, satblur, work):
    """The builds of the core that other hosts and browsers get, and their bytes."""
    host = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Isolated, directory=folder))
    threading.Thread(target=host.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{host.server_port}/index.html"
    for build, script in (("threads", ""), ("plain", "WebAssembly.validate = () => false")):
        added = page.browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": script})
        page.browser.get(url)
        loaded = page.wait()
        used = page.js("return satblur_core.build")
        page.browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)
        check(f"{build}: the page loads and uses that build", loaded and used == build, f"{used}, {page.problem()}")
        page.drop(work / "street_depth.png", work / "street.png")
        page.wait()
        data = page.save("png")
        check(f"{build}: the PNG's bytes are the program's", data == native(satblur, page.text("command"), work, "h.png"), len(data))
    host.shutdown()


def check_speed(page):
    """Clicks here and there, after the page has found the size that it can answer at once."""
    times = []
    for i in range(8):
        page.click(0.2 + 0.08 * i, 0.4 + 0.03 * i)
        page.wait("return satblur_page.live.runs !== true", 10)
        times.append(page.js("return satblur_page.live.times.at(-1)"))
    print("      click to preview, ms: " + " ".join(f"{t:.0f}" for t in times))
    page.wait()


def check_keys(page):
    page.js("document.activeElement.blur()")
    key = lambda k, kind="keyDown": page.browser.execute_cdp_cmd("Input.dispatchKeyEvent", {"type": kind, "key": k, "text": k})
    key("d")
    check("D shows the depth map", page.wait() and page.js("return satblur_page.view.shown") == "depth")
    key("d")
    key("o")
    shown = page.js("return satblur_page.view.shown")
    key("o", "keyUp")
    check("O held shows the original", shown == "original" and page.js("return satblur_page.view.shown") == "result", shown)


def check_sizes(page, shots):
    page.js("document.getElementById('open-sample').click()")
    page.wait()
    page.click(0.4, 0.55)
    page.wait()
    for name, (width, height) in SIZES.items():
        page.size(width, height)
        page.wait()
        time.sleep(0.2)
        wide = page.js("return document.documentElement.scrollWidth")
        check(f"{name}: nothing is wider than the screen", wide <= width, wide)
        if shots:
            page.browser.save_screenshot(f"{shots}/{name}.png")
    page.size(*SIZES["desk"])


def main():
    folder, satblur, assets = pathlib.Path(sys.argv[1]), os.path.realpath(sys.argv[2]), pathlib.Path(sys.argv[3])
    shots = sys.argv[4] if len(sys.argv) > 4 else None
    with tempfile.TemporaryDirectory() as temporary:
        work = pathlib.Path(temporary)
        browser = start_browser(work)
        try:
            page = Page(browser, work)
            page.size(*SIZES["desk"])
            check_start(page, (folder / "index.html").resolve().as_uri())
            check_sizes(page, shots)
            check_pictures(page, satblur, assets, work)
            photo = os.environ.get("PHOTO_WITH_MAP")
            if photo:
                check_embedded(page, satblur, work, pathlib.Path(photo))
            check_speed(page)
            check_keys(page)
            check_browsers(page)
            check_lost_workers(page)
            check_refusals(page, work)
            check_builds(page, folder, satblur, work)
            errors = [e["message"] for e in browser.get_log("browser") if e["level"] == "SEVERE"]
            check("the console has no errors", not errors, errors)
        finally:
            browser.quit()
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
