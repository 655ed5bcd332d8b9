#!/usr/bin/env python3
"""The files of soak.sh, and what it finds out about outputs and reports. In the current folder:

  soak.py make N SEED    makes in/, N files, good, broken, hostile and odd, and plan.json, which says which are good
  soak.py change SEED    gives half of the good ones other pixels; hostile ones are good that killed.jsonl has as done
  soak.py some SEED OUT  removes some of what is there
  soak.py present OUT REF...   each output in OUT is what one of the REF has under its name
  soak.py all OUT REF    OUT has an output for each good file, as REF has it, and nothing else
  soak.py report FILE STATUS   FILE has each good file once, with that status, each bad one once as failed
  soak.py reports FILE   FILE, of many runs, has each good file as done or skipped, none as failed, and no bad one as done
Status 1 and a line that says why, where it is not so."""
import json, os, random, struct, sys, tarfile, zlib

from pictures import bmp, chunk, jpeg, noise, png, segment, tga, tiff

ODD = ["", "", "", "", " two  blanks ", '"quoted"', "it's", "new\nline", os.fsdecode(b"\xff\xfe\x80"), "%0a", "back\\slash", "-dash",
       "\u00fc\u5199", "*?[a]", "$(x)`y`", "dots...", "tab\t", "x" * 235]


def fail(why):
    sys.exit("soak.py: " + ascii(why))


# --- Good ones: each returns an ending and a file ---------------------------------------------------
def sides(r):
    one = r.randrange(60)
    long = r.choice([300, 10000])
    return ((1, 1) if one < 6 else (1, long) if one == 6 else (long, 1) if one == 7 else
            (r.randrange(200, 400), r.randrange(100, 300)) if one == 8 else (r.randrange(1, 40), r.randrange(1, 40)))


def exif(r):
    return tiff(r.random() < .5, r.randrange(1, 9))


def good_png(r):
    colour, depth = r.choice([(0, 1), (0, 2), (0, 4), (0, 8), (0, 16), (2, 8), (2, 8), (2, 16), (3, 1), (3, 2), (3, 4), (3, 8),
                              (4, 8), (4, 16), (6, 8), (6, 16)])
    extra = r.choice([b"", b"", chunk(b"eXIf", exif(r)), chunk(b"tEXt", b"Title\0text"), chunk(b"gAMA", struct.pack(">I", 45455))])
    if colour in (0, 2) and r.random() < .2:
        extra += chunk(b"tRNS", bytes(2 if colour == 0 else 6))
    return ".png", png(*sides(r), depth, colour, extra, interlace=r.randrange(2), level=r.randrange(10), seed=r.getrandbits(32))


def good_jpeg(r):
    components = r.choice([1, 3, 3, 3, 4])
    extra = r.choice([b"", b"", segment(0xE1, b"Exif\0\0" + exif(r)), segment(0xFE, b"words")])
    return ".jpg", jpeg(*sides(r), components, halves=components == 3 and r.random() < .5, progressive=r.random() < .4,
                        restarts=r.random() < .2, extra=extra, seed=r.getrandbits(32))


def good_bmp(r):
    width, height = sides(r)
    return ".bmp", bmp(r.choice([8, 24, 24, 32]), height=r.choice([height, -height]), width=width, seed=r.getrandbits(32))


def good_tga(r):
    bits = r.choice([8, 24, 32])
    return ".tga", tga(3 if bits == 8 else 2, bits, noise(12 * bits // 8, r.getrandbits(32)), r.choice([0, 0x20, 0x10]))


def good_pnm(r, gray=False):
    (width, height), deep = sides(r), r.random() < .5
    head = b"P%d # words\n%d %d %d\n" % (5 if gray else 6, width, height, 65535 if deep else 255)
    return ".pgm" if gray else ".ppm", head + noise(width * height * (1 if gray else 3) * (2 if deep else 1), r.getrandbits(32))


def gray_pnm(r):
    return good_pnm(r, True)


KINDS = [good_png] * 6 + [good_jpeg] * 4 + [good_bmp, good_bmp, good_tga, good_tga, good_pnm, gray_pnm]


def good(r):
    ending, data = r.choice(KINDS)(r)
    if ending in (".png", ".jpg") and r.random() < .1:
        data += b"what follows the end"
    if ending in (".png", ".jpg", ".bmp") and r.random() < .1:  # by the wrong name
        ending = r.choice([".png", ".jpg", ".bmp", ".jpeg"])
    return ending.upper() if r.random() < .1 else ending, data


# --- Bad ones ---------------------------------------------------------------------------------------
def cut(r):
    ending, data = r.choice(KINDS)(r)
    most = len(data) - (4 if ending == ".bmp" else 1)  # a BMP ends with up to 3 bytes that mean nothing
    return ending, data[:r.choice([0, 1, 2, 3, 8, 20, 33, 54, most - 4, most - 1, most, r.randrange(most), r.randrange(most)])][:most]


def flipped(r):
    ending, data = good_png(r)
    at = r.randrange(len(data))
    return ending, data[:at] + bytes([data[at] ^ 1 << r.randrange(8)]) + data[at + 1:]


def other(r):
    plain = png(9, 6, 8, 2)
    size = struct.pack(">II", 9, 6)
    rows = chunk(b"IDAT", zlib.compress(noise(60), 9))
    ending = r.choice([".png", ".jpg", ".bmp", ".pgm"])
    return r.choice([
        (ending, b"not a picture\n"), (ending, b"\1" + noise(r.randrange(999), r.getrandbits(32))), (ending, b"GIF89a" + bytes(20)),
        (ending, bytes(r.randrange(1, 500))), (".png", png(9, 6, 8, 2, filters=[7])),
        (".png", plain[:8] + chunk(b"IHDR", struct.pack(">IIBBBBB", 2**31 - 1, 2**31 - 1, 8, 2, 0, 0, 0)) + plain[33:]),
        (".png", plain[:8] + chunk(b"IHDR", bytes(8) + plain[24:29]) + plain[33:]),
        (".png", plain[:33] + rows + chunk(b"IEND")), (".png", plain[:33] + chunk(b"IEND")),
        (".png", plain[:33] + chunk(b"IDAT", noise(40)) + chunk(b"IEND")), (".pgm", plain), (".jpg", jpeg(9, 6, frame=0xC3)),
        (".jpg", jpeg(9, 6, frame=0xC9)), (".ppm", b"P6 9 9 0\n" + bytes(243)), (".pgm", b"P5 2 2 99\n" + b"\x64" * 4),
        (".pnm", b"P3 1 1 255 0 0\n"), (".tga", jpeg(9, 6)[:1] + b"\xd8"), (".bmp", bmp(24, height=0, pixels=b""))])


def bad(r):
    return r.choice([cut, cut, flipped, other])(r)


def hostile(r, corpora={}):
    """A file of the fuzzers: only the program can say whether it is good."""
    name = r.choice(["decode", "decode", "embedded", "gain"])
    if name not in corpora:
        with tarfile.open(f"{os.path.dirname(os.path.abspath(__file__))}/../fuzz/corpus/{name}.tar") as of:
            corpora[name] = [of.extractfile(m).read() for m in of]
    return r.choice([".png", ".jpg", ".tga", ".tif", ".heic"]), r.choice(corpora[name])


# --- Making -----------------------------------------------------------------------------------------
def write(name, data):
    with open(name, "wb") as to:
        to.write(data)


def make(count, seed):
    r = random.Random(int(seed))
    plan = {"good": [], "bad": [], "hostile": []}
    os.makedirs("in/folder.png")
    os.makedirs("elsewhere")
    write("in/notes.txt", b"not a picture")
    write("in/.hidden.png", b"not for us")
    os.mkfifo("in/pipe.png")
    for i in range(int(count)):
        kind = r.choices(["good", "bad", "hostile"], [6, 2, 2])[0]
        ending, data = {"good": good, "bad": bad, "hostile": hostile}[kind](r)
        name = f"{i:06d}{r.choice(ODD)}{ending}"
        if r.random() < .03:  # a link, or one to nothing
            kind = kind if r.random() < .8 else "bad"
            os.symlink("../elsewhere/" + name if kind != "bad" else "nowhere", "in/" + name)
            write("elsewhere/" + name, data)
        else:
            write("in/" + name, data)
        plan[kind].append(name)
    save(plan)


def save(plan):
    with open("plan.json", "w") as to:
        json.dump(plan, to)


def change(plan, seed):
    r = random.Random(int(seed))
    became = {l.get("input"): l.get("status") for l in lines("killed.jsonl")}
    for name in plan.pop("hostile"):
        if told(name) in became:  # else a build without a library does not know the ending
            plan["good" if became[told(name)] == "done" else "bad"].append(name)
    save(plan)
    for name in r.sample(plan["good"], len(plan["good"]) // 2):
        ending = os.path.splitext(name)[1].lower()
        write("in/" + name, {".tga": good_tga, ".pgm": gray_pnm}.get(ending, good_png)(r)[1])


def some(seed, folder):
    r = random.Random(int(seed))
    for name in sorted(os.listdir(folder)):
        if r.random() < .25 and name != ".satblur.done":
            os.unlink(f"{folder}/{name}")


# --- Outputs ----------------------------------------------------------------------------------------
def read(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None


def present(plan, folder, *references):
    """Those that were killed leave temporaries, which --resume removes."""
    names = set(plan["good"])
    for name in os.listdir(folder):
        if name in names:
            if read(f"{folder}/{name}") not in [read(f"{of}/{name}") for of in references]:
                fail(f"{folder}/{name}: is not what it should be")
        elif name != ".satblur.done" and not (name[0] == "." and name[-15:-6] == ".satblur." and any(n.startswith(name[1:-15]) for n in names)):
            fail(f"{folder}/{name}: should not be there")


def all_there(plan, folder, reference):
    for name in plan["good"]:
        data = read(f"{folder}/{name}")
        if data is None or data != read(f"{reference}/{name}"):
            fail(f"{folder}/{name}: is {'missing' if data is None else 'not what it should be'}")
    for name in set(os.listdir(folder)) - set(plan["good"]) - {".satblur.done"}:
        fail(f"{folder}/{name}: should not be there")


# --- Reports ----------------------------------------------------------------------------------------
def told(name):
    """How the report, which is UTF-8, has the name."""
    return "in/" + "".join("\ufffd" if "\udc80" <= c <= "\udcff" else c for c in name)


def lines(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def report(plan, path, status):
    found = lines(path)
    expected = {(told(n), status) for n in plan["good"]} | {(told(n), "failed") for n in plan["bad"]}
    items = [(l["input"], l["status"]) for l in found[:-1]]
    for item in set(items) ^ expected:
        fail(f"{path}: {item[0]} is {item[1]}, which is not " + ("expected" if item in items else "reported"))
    if len(items) != len(expected):
        fail(f"{path}: something is reported twice")
    for l in found[:-1]:
        if l["status"] == "failed" and not l.get("message"):
            fail(f"{path}: {l['input']}: no word on why")
    last = found[-1]
    if (last[status], last["failed"], last["items"]) != (len(plan["good"]), len(plan["bad"]), len(items)):
        fail(f"{path}: the summary is {last}")


def reports(plan, path):
    items = {(l["input"], l["status"]) for l in lines(path) if "input" in l}
    for name in plan["good"]:
        if not {(told(name), "done"), (told(name), "skipped")} & items or (told(name), "failed") in items:
            fail(f"{path}: {name} is good, and never done, or failed")
    for name in plan["bad"]:
        if (told(name), "done") in items or (told(name), "skipped") in items:
            fail(f"{path}: {name} is bad, and done")


if __name__ == "__main__":
    word, arguments = sys.argv[1], sys.argv[2:]
    if word == "make":
        make(*arguments)
    elif word == "some":
        some(*arguments)
    else:
        with open("plan.json") as file:
            plan = json.load(file)
        {"change": change, "present": present, "all": all_there, "report": report, "reports": reports}[word](plan, *arguments)
