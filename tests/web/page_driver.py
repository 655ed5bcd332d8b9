"""A browser with the page, for the tests of the page."""
import base64
import os
import shlex
import time

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

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

    def touched(self, on):
        self.browser.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": on})

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
        x, y = self.place(across, down)
        for kind in ("Pressed", "Released"):
            self.mouse(kind, x, y)

    def place(self, across, down):
        return self.js("""const v = satblur_page.view, box = v.canvas.getBoundingClientRect();
            return [box.left + v.x + arguments[0] * v.width * v.scale, box.top + v.y + arguments[1] * v.height * v.scale]""", across, down)

    def mouse(self, kind, x, y):
        self.browser.execute_cdp_cmd("Input.dispatchMouseEvent", {"type": "mouse" + kind, "x": x, "y": y, "button": "left", "buttons": 1,
                                                                  "clickCount": 1})

    def touch(self, kind, *points):
        places = [{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(points)]
        self.browser.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": "touch" + kind, "touchPoints": places})
        self.js("return new Promise((done) => requestAnimationFrame(() => setTimeout(done)))") # moves come with the next frame

    def key(self, key):
        """Presses a key, by its character or as Keys.NAME, and lets it go."""
        ActionChains(self.browser, duration=0).send_keys(getattr(Keys, key, key)).perform()

    def hold(self, key, on):
        chain = ActionChains(self.browser, duration=0)
        (chain.key_down(key) if on else chain.key_up(key)).perform()

    def press(self, name):
        self.js("document.getElementById(arguments[0]).click()", name)

    def view(self, what):
        return self.js("return satblur_page.view." + what)

    def set(self, option, value):
        self.js("""const e = document.getElementById("option-" + arguments[0]); e.value = arguments[1]; e.oninput()""", option, value)

    def text(self, name):
        return self.js("return document.getElementById(arguments[0]).value ?? document.getElementById(arguments[0]).textContent", name)

    def problem(self):
        return self.js("return document.getElementById('problem').hidden ? '' : document.querySelector('#problem span').textContent")

    def save(self, kind):
        """Downloads the picture and returns the file's bytes."""
        return self.saved("save-" + kind, shlex.split(self.text("command"))[2].rsplit(".", 1)[0] + "." + kind)

    def saved(self, button, name):
        """Presses a button of a download and returns the file's bytes."""
        self.press(button)
        path, end = self.folder / name, time.time() + 30
        while time.time() < end and not path.exists():
            time.sleep(0.05)
        data = path.read_bytes() if path.exists() else b""
        path.unlink(missing_ok=True)
        return data
