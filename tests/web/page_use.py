"""What a user does beside clicking: views, undo, looks, typed values, files of all kinds."""
import shlex
import subprocess
import time

from page_driver import check

CONTROL, SHIFT = "\ue009", "\ue008"


def calls(page):
    """Returns the calls of the cores since the last time: show and its size and view, or another name."""
    return page.js("""const core = satblur_core.prototype, seen = window.calls || [], call = core.call;
        if (!window.calls)
            core.call = function (name, what, moved) {
                window.calls.push(name === "show" ? [what.size, what.view] : name);
                return call.call(this, name, what, moved);
            };
        window.calls = [];
        return seen""")


def check_kept(page):
    """Nothing is made again that did not change. A large picture is open, and made."""
    page.wait()
    calls(page)
    page.press("depth")
    page.wait()
    first = calls(page)
    check("Depth makes the depths, in three sizes, and no picture", sorted(first, key=str) == [[0, 2], [1, 2], [2, 2]], first)
    for name in ("depth", "depth", "depth"):
        page.press(name)
        page.wait()
    page.press("focus")
    page.wait()
    page.press("focus")
    page.press("depth")
    page.press("depth")
    done, again = page.wait(), calls(page)
    check("opened and closed again, only the view of the focus is made, once", done and sorted(again, key=str) == [[0, 1], [1, 1], [2, 1]], again)
    page.press("depth")
    page.click(0.7, 0.7)
    page.wait()
    moved = calls(page)
    check("another focus changes no depths", moved == [], moved)
    page.press("depth")
    page.wait("return Boolean(satblur_page.live.finishing)")
    page.press("depth")
    page.press("depth")
    done, glance = page.wait(), calls(page)
    check("a glance at the depths while the picture is made does not start it anew", done and glance.count([2, 0]) == 1, glance)
    check("and the picture is there", page.js("return satblur_page.live.isMade()") and page.view("layers.result.size") == 2)
    page.press("auto")
    page.wait()
    mark, told = page.view("mark"), page.text("focus-text")
    page.press("auto")
    check("Auto once more leaves the mark of the focus", page.wait() and mark and (page.view("mark"), page.text("focus-text")) == (mark, told), page.view("mark"))
    calls(page)
    page.set("quality", 80)
    page.wait()
    changed = calls(page)
    check("the quality of a file changes no view", changed == [], changed)
    begin = time.time()
    page.save("png")
    once = time.time() - begin
    page.save("png")
    saved, ms = calls(page), page.view("layers.result.ms")
    print(f"      the picture took {ms:.0f} ms, its first file {1000 * once:.0f} ms")
    check("the same file is made once", saved == ["run"], saved)
    check("and without blurring again", page.js("return satblur_page.live.saved.is_shown"))


def type_value(page, option, text):
    page.js("const field = document.getElementById('typed-' + arguments[0]); field.closest('details').open = true; field.focus()", option)
    page.key(text)
    page.key("ENTER")


def check_typed(page):
    page.press("reset")
    type_value(page, "max-radius", "2,75")
    check("a value is typed beside its slider", "--max-radius 2.75%" in page.text("command"), page.text("command"))
    check("Enter goes to the slider", page.js("return document.activeElement.id") == "option-max-radius")
    type_value(page, "max-radius", "12 %")
    check("it may lie beyond the slider", "--max-radius 12%" in page.text("command") and page.text("option-max-radius") == "8", page.text("command"))
    type_value(page, "spherical", "−.5")
    check("so is one below 0", "--spherical -0.5" in page.text("command"), page.text("command"))
    type_value(page, "bokeh-edge", "-5")
    type_value(page, "near-scale", "x 3")
    check("but not beyond the program's range", "--near-scale 3" in page.text("command") and "--bokeh-edge -1" in page.text("command"), page.text("command"))
    for text in ("much", "7 8", "1.2.3", "1e9", "4 lines"):
        type_value(page, "near-scale", text)
        check(f"what is no number changes nothing: {text}", page.text("typed-near-scale") == "× 3" and "--near-scale 3" in page.text("command"), page.text("command"))
    wide = page.js("""const [slider, form] = [document.getElementById("option-max-radius"), document.getElementById("controls")];
        document.querySelectorAll('#controls details').forEach((e, i) => e.open = i === 0);
        return slider.getBoundingClientRect().width / form.getBoundingClientRect().width""")
    check("sliders are as wide as the panel", wide > 0.98, wide)
    page.set("fstop", "2.8")
    type_value(page, "farthest", "5")
    check("a room may be smaller than the slider says", "--distance 1,5" in page.text("command"), page.text("command"))
    page.press("reset")
    page.wait()


def check_undo(page):
    def command(key="", shift=False):
        if key:
            page.hold(CONTROL, True)
            if shift:
                page.hold(SHIFT, True)
            page.key(key)
            page.hold(SHIFT, False)
            page.hold(CONTROL, False)
        return [word for word in ("--max-radius 5%", "--blades 6", "--focus-at") if word in page.text("command")]

    page.press("open-sample")
    page.wait()
    page.press("reset")
    page.press("auto")
    rests = "const start = performance.now(); return new Promise((done) => setTimeout(() => done(performance.now() - start), 500))"
    page.js(rests)
    page.js("const e = document.getElementById('option-max-radius'); for (e.value of [3, 4, 5]) e.oninput()")
    page.js(rests)
    page.set("blades", "6")
    page.js(rests)
    page.click(0.4, 0.4)
    page.js("document.activeElement.blur()")
    three = command()
    undone = [command("z"), command("z"), command("z")]
    check("Ctrl Z undoes clicks, lists and whole moves of a slider", len(three) == 3 and undone == [three[:2], three[:1], []], (three, undone))
    redone = [command("z", True), command("y")]
    check("Ctrl Shift Z and Ctrl Y redo them", redone == [three[:1], three[:2]], redone)
    page.press("undo")
    page.press("redo")
    page.press("redo")
    check("so do buttons", command() == three and page.js("return document.getElementById('redo').disabled"), command())
    page.press("undo")
    page.set("blades", "0")
    page.js(rests)
    check("a change after it leaves nothing to redo", command("y") == three[:1] and page.wait(), command())


def check_looks(page, native, work):
    page.drop(work / "street_depth.png", work / "street.png")
    page.wait()
    page.js("const e = document.getElementById('look'); e.value = 'portrait'; e.onchange({target: e})")
    page.wait()
    wanted = native("satblur street.png p.png --depth street_depth.png --dof-preset portrait")
    check("a look is the program's preset", page.save("png") == wanted, page.text("command"))
    names = page.js("return [...document.getElementById('look').options].map((e) => e.value)")
    check("the list has those for photos with maps", names == ["default", "portrait", "street", "macro", "cine"], names)
    page.set("blades", "5")
    check("it tells settings of one's own", page.text("look") == "" and page.text("option-max-radius") == "3", page.text("look"))
    page.press("reset")
    check("and those of the program", page.wait() and page.text("look") == "default", page.text("look"))


def check_files(page, native, satblur, work):
    """Files that browsers read, names, and the quality of a JPEG."""
    names = {"webp": "A photo, no. 1.v2.webp", "avif": "IMG_1.avif"}
    for ending, name in names.items():
        made = subprocess.run([satblur, "street.png", name, "--radius", "0", "--quality", "100", "--quiet"], cwd=work, capture_output=True, text=True)
        if made.returncode:
            print(f"SKIPPED: {ending} on the page: the program does not write it: {made.stderr.strip()}")
            continue
        page.drop(work / "street_depth.png", work / name)
        check(f"the browser reads {ending}", page.wait() and name in page.text("names") and "by the browser" in page.text("notes"), (page.problem(), page.text("notes")))
        output = shlex.split(page.text("command"))[2]
        check("the output is named like the photo", output == name.rsplit(".", 1)[0] + "_blurred.png", output)
        if ending == "webp":
            data = page.save("png")
            check("of a lossless one, the PNG's bytes are the program's", data == native(page.text("command")), len(data))
    page.drop(work / "street_depth.png", work / "street.png")
    page.wait()
    whole = page.save("jpg")
    page.set("quality", 60)
    page.wait()
    small = page.save("jpg")
    check("the JPEG has the quality of the slider", small == native(page.text("command").replace(".png --", ".jpg --", 2).replace("street.jpg", "street.png", 1)
          + " --quality 60", "q.jpg") and len(small) < len(whole), (len(small), len(whole)))


def check_wide_colours(page, work):
    """A photo whose profile is Display P3, by its name."""
    profile = b"ICC_PROFILE\0\1\1" + "Display P3".encode("utf-16-be")
    plain = (work / "photo_p3.jpg").read_bytes()
    (work / "photo_p3.jpg").write_bytes(plain[:2] + b"\xff\xe2" + (len(profile) + 2).to_bytes(2, "big") + profile + plain[2:])
    space = "return satblur_page.view.layers.result.getContext('2d').getContextAttributes().colorSpace"
    before = page.js(space)
    page.drop(work / "photo_p3.jpg")
    after = page.wait() and page.js(space)
    has = page.js("return document.createElement('canvas').getContext('2d', {colorSpace: 'display-p3'}).getContextAttributes().colorSpace")
    check("a photo of wide colours is shown in them, where the browser has them", (before, after) == ("srgb", has), (before, after, has))


def check_help(page):
    page.js("document.activeElement.blur()")
    page.key("?")
    seen = page.js("const e = document.getElementById('help-box'); return e.open && e.innerText")
    lacks = [row for row in page.js("return satblur_page.hands.all") if row.get("name") and not (seen and row["name"] in seen and row["text"] in seen)]
    check("? shows what mouse and keys do", seen and not lacks, (seen, lacks))
    page.key("ESCAPE")
    check("Escape closes it", not page.js("return document.getElementById('help-box').open"))
    scales = []
    for key in "10":
        page.key(key)
        scales.append((page.view("scale"), page.view("is_fitted")))
    check("1 shows the picture's pixels, and 0 all of it", scales[0] == (1, False) and scales[1][1], scales)


def check_frame(page):
    for scheme in ("light", "dark"):
        page.scheme(scheme)
        colour = page.js("return getComputedStyle(document.getElementById('stage')).backgroundColor + getComputedStyle(document.body).backgroundColor")
        check(f"{scheme}: the frame around the picture is dark and gray", "rgb(27, 27, 27)" in colour, colour)


def check_use(page, native, satblur, work):
    """native(command, output): the bytes that the program makes of files in work."""
    check_typed(page)
    check_undo(page)
    check_looks(page, native, work)
    check_files(page, native, satblur, work)
    (work / "photo_p3.jpg").write_bytes(native("satblur street.png p3.jpg --radius 1", "p3.jpg"))
    check_wide_colours(page, work)
    check_help(page)
    check_frame(page)
    page.press("open-sample")
    page.wait()
