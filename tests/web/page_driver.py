"""A browser with the page, for the tests of the page. Both browsers are driven by WebDriver BiDi."""
import base64
import itertools
import json
import os
import pathlib
import re
import shlex
import subprocess
import time
import urllib.request

import websocket

SIZES = {"desk": (1440, 900), "tablet": (900, 700), "phone": (390, 844)}
KEYS = {"TAB": "\ue004", "ENTER": "\ue007", "ESCAPE": "\ue00c", "ARROW_RIGHT": "\ue014", "ARROW_DOWN": "\ue015"}
FLAGS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-dev-shm-usage"]
# Makes errors of the console of what only a page hears: resources that are missing, and what its policy forbids.
HEARS = """() => { for (const kind of ["error", "securitypolicyviolation"])
    addEventListener(kind, (e) => e instanceof ErrorEvent || console.error(kind, e.blockedURI || e.target.src || e.target.href), true); }"""
failed = 0


def check(name, good, told=""):
    global failed
    failed += not good
    print(("ok    " if good else "FAIL  ") + name + ("" if good else f": {told}"), flush=True)


class Browser:
    """A browser of that name, which saves files in a folder. errors: those of the console; saved: paths of files."""

    def __init__(self, name, downloads):
        self.errors, self.saved, self.ids = [], [], itertools.count()
        (downloads / "profile").mkdir()
        self.socket = websocket.create_connection(getattr(self, name)(downloads / "profile"), suppress_origin=True, timeout=120)
        if name == "firefox":
            self.call("session.new", capabilities={})
        self.page = self.call("browsingContext.create", type="window")["context"] # Firefox's first one has no focus
        self.call("session.subscribe", events=["log.entryAdded", "browsingContext.downloadEnd"])
        self.call("script.addPreloadScript", functionDeclaration=HEARS)
        self.call("browser.setDownloadBehavior", downloadBehavior={"type": "allowed", "destinationFolder": str(downloads)})

    def begin(self, command, ready, folder):
        """Starts a program, waits for the line that it is ready, and returns the line's port."""
        with open(folder / "log", "w+") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log, env={**os.environ, "HOME": str(folder), "XDG_CONFIG_HOME": str(folder)})
        for _ in range(600):
            found = re.search(ready, (folder / "log").read_text(errors="replace"))
            if found:
                return found[1]
            time.sleep(0.05)
        self.process.kill()
        raise SystemExit(f"{command[0]} does not start: {(folder / 'log').read_text(errors='replace')}")

    def firefox(self, folder):
        (folder / "user.js").write_text('user_pref("browser.download.alwaysOpenPanel", false);\n') # it would take the focus
        port = self.begin(["firefox-esr", "--headless", "--no-remote", "--profile", folder, "--remote-debugging-port=0"], r"ws://127.0.0.1:(\d+)", folder)
        return f"ws://127.0.0.1:{port}/session"

    def chromium(self, folder):
        port = self.begin(["chromedriver", "--port=0"], r"successfully on port (\d+)", folder)
        wanted = {"webSocketUrl": True, "goog:chromeOptions": {"binary": "/usr/bin/chromium", "args": [*FLAGS, f"--user-data-dir={folder}"]}}
        request = urllib.request.Request(f"http://127.0.0.1:{port}/session", json.dumps({"capabilities": {"alwaysMatch": wanted}}).encode())
        return json.load(urllib.request.urlopen(request))["value"]["capabilities"]["webSocketUrl"]

    def call(self, method, **parameters):
        """Returns the result of a command of BiDi."""
        number = next(self.ids)
        self.socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        told = self.next()
        while told.get("id") != number:
            told = self.next()
        if told["type"] == "error":
            raise RuntimeError(f"{method}: {told['message']}")
        return told["result"]

    def next(self):
        """Returns what the browser tells next."""
        told = json.loads(self.socket.recv())
        if told.get("method") == "log.entryAdded" and told["params"]["level"] == "error":
            self.errors.append(told["params"]["text"])
        if told.get("method") == "browsingContext.downloadEnd":
            self.saved.append(told["params"]["filepath"])
        return told

    def get(self, url):
        self.call("browsingContext.navigate", context=self.page, url=url, wait="complete")

    def act(self, sources):
        """Has hands move: a list of a source's id, its kind and its actions for each; kinds are those of BiDi or "touch"."""
        self.call("input.performActions", context=self.page, actions=[
            {"id": name, "type": "pointer" if kind in ("mouse", "touch") else kind, "actions": actions,
             **({"parameters": {"pointerType": kind}} if kind in ("mouse", "touch") else {})} for name, kind, actions in sources])

    def quit(self):
        self.process.terminate()
        self.process.wait()


class Page:
    def __init__(self, browser, folder):
        self.browser, self.folder, self.fingers = browser, folder, 0

    def js(self, text, *values):
        """Runs the body of a function, and returns what it returns, or what its promise becomes."""
        whole = f"(async function () {{ {text}\n }}).apply(null, {json.dumps(values)}).then((value) => JSON.stringify(value))"
        answer = self.browser.call("script.evaluate", expression=whole, target={"context": self.browser.page}, awaitPromise=True)
        if answer["type"] == "exception":
            raise RuntimeError(f"{text}: {answer['exceptionDetails']['text']}")
        return json.loads(answer["result"].get("value", "null"))

    def size(self, width, height):
        self.browser.call("browsingContext.setViewport", context=self.browser.page, viewport={"width": width, "height": height}, devicePixelRatio=1)

    def scheme(self, scheme):
        """Shows the page as those see it who prefer that scheme, "light" or "dark"."""
        self.js("""window.schemes ??= [...document.styleSheets[0].cssRules].filter((rule) => /prefers-color-scheme/.test(rule.conditionText))
                .map(({media}) => [media, media.mediaText]);
            for (const [media, text] of schemes) media.mediaText = text.includes(arguments[0]) ? "all" : "not all";""", scheme)

    def shot(self, path):
        pathlib.Path(path).write_bytes(base64.b64decode(self.browser.call("browsingContext.captureScreenshot", context=self.browser.page)["data"]))

    def wait(self, what="return document.documentElement.dataset.busy === '' && Boolean(satblur_page.view.layers.result)", seconds=120):
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
            dispatchEvent(new DragEvent("drop", {dataTransfer: data, cancelable: true}));
            return satblur_page.taken.then(() => null)""", files)

    def click(self, across, down):
        """Clicks on a place of the picture, by parts of its sides, as a mouse does."""
        x, y = self.place(across, down)
        for kind in ("Pressed", "Released"):
            self.mouse(kind, x, y)

    def place(self, across, down):
        return self.js("""const v = satblur_page.view, box = v.canvas.getBoundingClientRect();
            return [box.left + v.x + arguments[0] * v.width * v.scale, box.top + v.y + arguments[1] * v.height * v.scale]""", across, down)

    def mouse(self, kind, x, y):
        """Moves the mouse; a button is "Pressed" or "Released" there."""
        button = {"Pressed": [{"type": "pointerDown", "button": 0}], "Released": [{"type": "pointerUp", "button": 0}]}.get(kind, [])
        self.browser.act([("mouse", "mouse", [{"type": "pointerMove", "x": x, "y": y}, *button])])

    def touch(self, kind, *points):
        """Fingers "Start" or "Move" at points, or all "End"."""
        if kind == "End":
            moves = [[{"type": "pointerUp", "button": 0}]] * self.fingers
        else:
            moves = [[{"type": "pointerMove", "x": x, "y": y}] + [{"type": "pointerDown", "button": 0}] * (kind == "Start") for x, y in points]
        self.fingers = len(moves)
        self.browser.act([(f"finger{i}", "touch", move) for i, move in enumerate(moves)])
        self.frame() # brings the moves

    def frame(self):
        """Waits until the page has drawn once more."""
        self.js("return new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")

    def key(self, text):
        """Presses keys, by their characters or by a name of KEYS, and lets them go."""
        self.browser.act([("keys", "key", [{"type": kind, "value": key} for key in KEYS.get(text, text) for kind in ("keyDown", "keyUp")])])

    def hold(self, key, on):
        self.browser.act([("keys", "key", [{"type": "keyDown" if on else "keyUp", "value": key}])])

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
        """Presses a button of a download and returns the file's bytes; b"" if it has another name."""
        self.press(button)
        while not self.browser.saved:
            self.browser.next()
        path = pathlib.Path(self.browser.saved.pop())
        data = path.read_bytes()
        path.unlink()
        return data if path == self.folder / name else b""
