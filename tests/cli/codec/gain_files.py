#!/usr/bin/env python3
"""Writes photos with gain maps (Ultra HDR JPEGs), and compares what satblur makes of them with the published formula:
gain_files.py SATBLUR [heic] [avif]"""
import io, re, struct, subprocess, sys
import numpy as np
from PIL import Image
from heif_files import Coded, File, box, full, ispe
from ultra_hdr import Gain, ISO, XMP, apple_joined, apple_notes, iso_of, joined

LUMINANCE = np.array([0.2126, 0.7152, 0.0722])
count = 0


# --- The formula (ISO 21496-1, Adobe's gain map specification) --------------------------------------
def to_light(codes):
    v = np.float64(codes) / 255
    return np.where(v <= 0.04045, v / 12.92, ((v + 0.055) / 1.055) ** 2.4)


def interpolated(codes, shape):
    """The map over the whole base, by the middles of samples and pixels."""
    codes = np.float64(codes)
    for axis in 0, 1:
        n, size = codes.shape[axis], shape[axis]
        middle = np.clip((np.arange(size) + 0.5) * n / size - 0.5, 0, n - 1)
        first = np.minimum(middle.astype(int), n - 1)
        second = np.minimum(first + 1, n - 1)
        share = (middle - first).reshape((-1, 1) if axis == 0 else (1, -1))
        share = share[..., None] if codes.ndim == 3 else share
        codes = np.take(codes, first, axis) * (1 - share) + np.take(codes, second, axis) * share
    return codes


def light_of(base, codes, gain):
    """Light of codes of RGB and of a map, gray or RGB."""
    share = interpolated(codes, base.shape[:2]) / 255
    share = share if share.ndim == 3 else share[..., None]
    least, most, gamma, base_offset, light_offset = (np.array(v) for v in gain.rows().values())
    log = least + (most - least) * share ** (1 / gamma)
    return np.maximum((to_light(base) + base_offset) * 2.0 ** log - light_offset, 0)


def apple_light(base, codes, stops):
    """By Apple's documentation, "Applying Apple HDR effect to your photos"."""
    v = interpolated(codes, base.shape[:2])[..., None] / 255
    linear = np.where(v < 0.081, v / 4.5, ((v + 0.099) / 1.099) ** (1 / 0.45))
    return to_light(base) * (1 + (2.0 ** stops - 1) * linear)


def apple_stops(headroom, gain):
    low = (1.8 - 20 * gain, 3 - 70 * gain) if gain <= 0.01 else (1.601 - 0.101 * gain, 2.303 - 0.303 * gain)
    return max(low[headroom >= 1], 0)


# --- The file ---------------------------------------------------------------------------------------
def jpeg(codes, quality, icc=None):
    out = io.BytesIO()
    Image.fromarray(codes).save(out, "JPEG", quality=quality, subsampling=0, **({"icc_profile": icc} if icc else {}))
    return out.getvalue()


def ultra_hdr(base, codes, gain, icc=None, **more):
    return joined(jpeg(base, 95, icc), jpeg(codes, 95), gain, **more)


def write(path, data):
    open(path, "wb").write(data)
    return path


def read_ultra_hdr(path):
    """Returns base codes, map codes, numbers of the map (XMP's, then ISO's), and the base's XMP. By the index alone."""
    data = open(path, "rb").read()
    at = data.index(b"MPF\0") + 4
    entries = [struct.unpack(">IIIHH", data[at + 50 + 16 * i:at + 66 + 16 * i]) for i in range(2)]
    assert entries[0][:3] == (0x030000, at + entries[1][2], 0), entries
    first, second = data[:entries[0][1]], data[at + entries[1][2]:][:entries[1][1]]
    assert len(first) + len(second) == len(data) and second[:2] == b"\xff\xd8" and second[-2:] == b"\xff\xd9"
    xmp = second[second.index(XMP):].decode("latin1")

    def numbers(name):
        found = re.search(f"<hdrgm:{name}>(.*?)</hdrgm:{name}>", xmp).group(1)
        return np.float64(re.findall(r"-?[0-9.]+", found))
    names = "GainMapMin", "GainMapMax", "Gamma", "OffsetSDR", "OffsetHDR"
    by_xmp = Gain(*(np.broadcast_to(numbers(n), 3) for n in names), numbers("HDRCapacityMin")[0], numbers("HDRCapacityMax")[0])
    at = second.index(ISO) + len(ISO)
    size = struct.unpack(">H", second[at - len(ISO) - 2:at - len(ISO)])[0] - 2 - len(ISO)
    raw = second[at:at + size]
    assert raw[:4] == bytes(4) and raw[4] & 0x40
    values = [a / b for a, b in struct.iter_unpack(">iI", raw[5:])]
    each = np.array([values[2:7]] * 3 if len(values) == 7 else [values[2 + 5 * c:7 + 5 * c] for c in range(3)])
    by_iso = Gain(*each.T, values[0], values[1])
    base, codes = (np.array(Image.open(io.BytesIO(d))) for d in (first, second))
    head = first[first.index(XMP):first.index(b"</x:xmpmeta>", first.index(XMP))].decode("latin1")
    assert ISO + bytes(4) in first
    assert int(re.search('Item:Length="([0-9]+)"', head).group(1)) == len(second), head
    return base, codes, by_xmp, by_iso, head


# --- The program ------------------------------------------------------------------------------------
def run(*arguments, status=0):
    done = subprocess.run([sys.argv[1], *arguments, "--verbose"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode != status:
        sys.exit(f"{arguments}: {done.returncode} {done.stderr.decode()}")
    return done.stderr.decode()


def pfm(path):
    data = open(path, "rb").read()
    kind, size, _, rest = data.split(b"\n", 3)
    width, height = map(int, size.split())
    return np.frombuffer(rest, "<f4").reshape(height, width, 3 if kind == b"PF" else 1)[::-1]


def check(what, condition, more=""):
    global count
    count += 1
    if not condition:
        sys.exit(f"{what}: {more}")


def lost(note):
    return re.search("not copied: .*gain map", note)


def steps(got, want):
    """Differences in steps of halves."""
    return np.abs(np.float16(got).view(np.uint16).astype(int) - np.float16(want).view(np.uint16).astype(int))


random = np.random.default_rng(3)


def smooth(shape):
    """Random codes whose neighbours are alike."""
    small = random.integers(0, 256, (5, 6) + shape[2:]).astype(np.float64)
    return np.clip(interpolated(small, shape[:2]) + random.normal(0, 2, shape), 0, 255).astype(np.uint8)


def reading():
    cases = {
        "usual": (Gain(), (37, 53, 3), (10, 14), {}),
        "ISO 21496-1": (Gain(most=4, dark=0.5), (40, 56, 3), (10, 14), dict(kinds=("iso",))),
        "both": (Gain(), (40, 56, 3), (10, 14), dict(kinds=("xmp", "iso"))),
        "one denominator": (Gain(least=-1, most=2.5), (40, 56, 3), (20, 28), dict(kinds=("iso",), iso=dict(common=True))),
        "three channels": (Gain(least=[-0.5, 0, 0.25], most=[2, 3, 4], gamma=[1, 2.2, 0.5], base=[0.01, 0.02, 0], light=[0, 0.03, 1e-3]),
                           (41, 39, 3), (11, 39, 3), {}),
        "three, ISO": (Gain(least=[-0.5, 0, 0.25], most=[2, 3, 4]), (41, 39, 3), (9, 9, 3), dict(kinds=("iso",))),
        "gray by three numbers": (Gain(most=[1, 2, 3]), (30, 30, 3), (8, 8), {}),
        "gamma": (Gain(gamma=2.2, least=-2, most=6, bright=6.0), (60, 80, 3), (15, 20), {}),
        "no gain": (Gain(least=1, most=1, gamma=0.5), (16, 16, 3), (4, 4), {}),
        "one pixel": (Gain(), (17, 19, 3), (1, 1), {}),
        "large": (Gain(least=-8, most=8, bright=8.0), (17, 19, 3), (17, 19), {}),
        "gray": (Gain(), (33, 35), (9, 9), {}),
    }
    for name, (gain, shape, small, more) in cases.items():
        base, codes = smooth(shape), smooth(small)
        write("a.jpg", ultra_hdr(base, codes, gain, **more))
        note = run("a.jpg", "a.pfm", "--radius", "0")
        check(name, "its gain map was read" in note and not lost(note), note)
        data = open("a.jpg", "rb").read()
        split = data.index(b"\xff\xd9\xff\xd8") + 2
        seen, map_seen = (np.array(Image.open(io.BytesIO(d))) for d in (data[:split], data[split:]))
        run("a.jpg", "a.png", "--radius", "0", "--no-hdr")
        check(f"{name}, base", (np.array(Image.open("a.png")) == seen).all())
        want = light_of(seen.reshape(shape[:2] + (-1,)), map_seen, gain)
        want = want[..., :1] if len(shape) == 2 else want
        off = steps(pfm("a.pfm"), want)
        check(name, off.max() <= 1 and (off > 0).mean() < 0.01, f"{off.max()} steps, {(off > 0).mean():.4f}")


def refusing():
    base, codes = smooth((32, 48, 3)), smooth((8, 12))
    far = struct.pack(">HHB", 1, 0, 0x40)
    cases = {"high dynamic range": dict(more=dict(BaseRenditionIsHDR="True")), "its numbers are damaged": dict(more=dict(HDRCapacityMax="nan")),
             "other colours": dict(kinds=("iso",), iso=dict(flags=0)), "the picture itself": dict(kinds=("iso",), iso=dict(flags=0x44))}
    for words, more in cases.items():
        write("a.jpg", ultra_hdr(base, codes, Gain(), **more))
        for to in "a.pfm", "b.jpg":
            note = run("a.jpg", to, "--radius", "1")
            check(words, "its gain map is not read (" in note and words in note and lost(note), note)
        check(words, open("b.jpg", "rb").read().count(b"\xff\xd8\xff") == 1)
    write("a.jpg", ultra_hdr(base, codes, Gain(), kinds=("iso",)).replace(ISO + iso_of(Gain())[:5], ISO + far))
    check("a later version", "its numbers are of a later version" in run("a.jpg", "a.pfm", "--radius", "1"))
    write("a.jpg", ultra_hdr(base, smooth((40, 8)), Gain()))
    check("a large map", "it has 8 x 40 pixels, more than the picture" in run("a.jpg", "a.pfm", "--radius", "1"))
    write("a.jpg", ultra_hdr(base[..., 0], smooth((8, 8, 3)), Gain()))
    check("colours", "it has colours, and the picture is gray" in run("a.jpg", "a.pfm", "--radius", "1"))
    whole = ultra_hdr(base, codes, Gain())
    for cut in 1, 40, 400:
        write("a.jpg", whole[:-cut])
        note = run("a.jpg", "b.jpg", "--radius", "1")
        check("cut off", "its gain map is not read (" in note or lost(note), note)
    write("a.jpg", whole)
    for more in ("--no-hdr",), ("--gamma",):
        note = run("a.jpg", "b.jpg", "--radius", "1", *more)
        check(more, lost(note), note)
        check(more, b"hdrgm" not in open("b.jpg", "rb").read().replace(b"xmlns:hdrgm", b""))
    for to in "b.png", "b.bmp":
        check(to, lost(run("a.jpg", to, "--radius", "1")))
    note = run("a.jpg", "b.pfm", "--radius", "1", "--stats", status=1)
    check("figures of light", "give --no-hdr" in note, note)
    run("a.jpg", "b.pfm", "--radius", "1", "--stats", "--no-hdr")


def primaries():
    """A picture of Display P3, whose light becomes sRGB's."""
    xyz = np.array([[0.51512, 0.24120, -0.00105], [0.29198, 0.69225, 0.04189], [0.15710, 0.06657, 0.78407]])  # ICC's, by D50
    numbers = b"".join(struct.pack(">4s4x3i", b"XYZ ", *np.rint(row * 65536).astype(int)) for row in xyz)
    tags = b"".join(struct.pack(">4sII", tag, 128 + 4 + 36 + 20 * i, 20) for i, tag in enumerate((b"rXYZ", b"gXYZ", b"bXYZ")))
    head = struct.pack(">I4s", 128 + 4 + 36 + 60, b"") + struct.pack(">I4s4s4s", 0x02100000, b"mntr", b"RGB ", b"XYZ ") + bytes(12) + b"acsp"
    profile = head.ljust(128, b"\0") + struct.pack(">I", 3) + tags + numbers
    base, codes = smooth((40, 56, 3)), smooth((10, 14))
    write("a.jpg", ultra_hdr(base, codes, Gain(), icc=profile))
    note = run("a.jpg", "a.pfm", "--radius", "0")
    check("primaries", "colour profile (samples are converted)" in note, note)
    parts = open("a.jpg", "rb").read().split(b"\xff\xd9\xff\xd8")
    seen, map_seen = (np.array(Image.open(io.BytesIO(d))) for d in (parts[0] + b"\xff\xd9", b"\xff\xd8" + parts[1]))
    srgb = np.array([[0.43607, 0.22249, 0.01392], [0.38515, 0.71687, 0.09708], [0.14307, 0.06061, 0.71410]])
    want = light_of(seen, map_seen, Gain()) @ xyz @ np.linalg.inv(srgb)
    off = np.abs(pfm("a.pfm") - want)
    check("primaries", (off <= 0.002 * np.abs(want).max(2, keepdims=True) + 1e-4).all(), off.max())
    run("a.jpg", "b.jpg", "--radius", "2")
    check("primaries, JPEG", profile in open("b.jpg", "rb").read())


def both_parts(path):
    data = open(path, "rb").read()
    at = data.index(b"\xff\xd9\xff\xd8") + 2
    return [np.array(Image.open(io.BytesIO(d))) for d in (data[:at], data[at:])]


def light_is(what, path, want):
    note = run(path, "a.pfm", "--radius", "0")
    check(what, "its gain map was read" in note and not lost(note), note)
    off = steps(pfm("a.pfm"), want)
    check(what, off.max() <= 1 and (off > 0).mean() < 0.01, f"{off.max()} steps, {(off > 0).mean():.4f}")


def apples():
    base, codes = smooth((40, 56, 3)), smooth((10, 14))
    for headroom, gain in (0.5, 0.005), (0.5, 0.4), (1.2, 0.002), (1.2, 0.4):
        write("a.jpg", apple_joined(jpeg(base, 95), jpeg(codes, 95), apple_notes(headroom, gain)))
        light_is(f"Apple's {headroom}, {gain}", "a.jpg", apple_light(*both_parts("a.jpg"), apple_stops(headroom, gain)))
    write("a.jpg", apple_joined(jpeg(base, 95), jpeg(codes, 95), apple_notes(1, 0), 6.25))
    want = apple_light(*both_parts("a.jpg"), np.log2(6.25))
    light_is("Apple's XMP", "a.jpg", want)
    run("a.jpg", "b.jpg", "--radius", "0", "--quality", "100")
    base_out, map_out, by_xmp, by_iso, head = read_ultra_hdr("b.jpg")
    off = np.abs(np.log2((light_of(base_out, map_out, by_iso) + 1 / 64) / (want + 1 / 64)))
    check("Apple's, written", np.median(off) < 0.02 and off.max() < 0.35, f"{np.median(off)} {off.max()}")
    write("a.jpg", apple_joined(jpeg(base, 95), jpeg(codes, 95), apple_notes(1, 9)))
    check("Apple's, no gain", "or it has no gain" in run("a.jpg", "a.pfm", "--radius", "1"))


def heif(ending):
    """The map is an auxiliary picture, or a part of a tmap."""
    base, codes, colours = smooth((64, 96, 3)), smooth((64, 64)), smooth((64, 64, 3))
    for name, picture in ("base", base), ("codes", codes), ("colours", colours):
        Image.fromarray(picture).save(f"{name}.png")
        run(f"{name}.png", f"{name}.{ending}", "--radius", "0", "--quality", "100")
    coded, gray, rgb = (Coded(f"{name}.{ending}") for name in ("base", "codes", "colours"))
    auxiliary = full(b"auxC", 0, b"urn:com:apple:photo:2020:aux:hdrgainmap\0")
    nclx = box(b"colr", b"nclx", struct.pack(">HHHB", 1, 13, 6, 0x80))

    def seen(coded):
        f = File()
        f.add_coded(coded, nclx)
        f.write(f"one.{ending}")
        run(f"one.{ending}", "one.png", "--radius", "0")
        return np.array(Image.open("one.png"))

    def iso(numbers, part, turn=(), **more):
        f = File()
        f.add_coded(coded, nclx, *turn)
        f.add_coded(part, nclx)
        f.add(b"tmap", b"\0" + iso_of(numbers, **more), [ispe(96, 64)], dimg=[1, 2])
        f.write(f"a.{ending}")
    plain, channels = Gain(most=4, bright=4.0), Gain(least=[-0.5, 0, 0.25], most=[2, 3, 4])
    iso(plain, gray)
    light_is(f"{ending}, ISO", f"a.{ending}", light_of(seen(coded), seen(gray), plain))
    iso(plain, gray, [box(b"irot", b"\1")])
    light_is(f"{ending}, turned", f"a.{ending}", np.rot90(light_of(seen(coded), seen(gray), plain)))
    run(f"a.{ending}", "b.jpg", "--radius", "0", "--quality", "100")
    base_out, map_out, _, by_iso, _ = read_ultra_hdr("b.jpg")
    off = np.abs(np.log2((light_of(base_out, map_out, by_iso) + 1 / 64) / (np.rot90(light_of(seen(coded), seen(gray), plain)) + 1 / 64)))
    check(f"{ending}, to JPEG", np.median(off) < 0.03, f"{np.median(off)} {off.max()}")
    iso(channels, rgb)
    light_is(f"{ending}, ISO, channels", f"a.{ending}", light_of(seen(coded), seen(rgb), channels))
    iso(plain, gray, flags=0)
    check(f"{ending}, other colours", "for other colours" in run(f"a.{ending}", "a.pfm", "--radius", "1"))
    check(f"{ending}, kept out", lost(run(f"a.{ending}", f"b.{ending}", "--radius", "1")))
    f = File()
    f.add_coded(coded, nclx)
    f.add_coded(gray, auxiliary, auxl=[1])
    f.add(b"Exif", bytes(4) + apple_notes(1.2, 0.4), [], cdsc=[1])
    f.write(f"a.{ending}")
    light_is(f"{ending}, Apple's", f"a.{ending}", apple_light(seen(coded), seen(gray), apple_stops(1.2, 0.4)))


def writing():
    """The light of the output is that of the blurred light, within a step of the codes of both and what the map's area hides."""
    shape, small = (64, 96, 3), (16, 24)
    for name, gain, size in (("gray", Gain(least=-0.5, most=4, bright=4.0), small), ("colours", Gain(least=[-1, 0, 0], most=[3, 4, 5], gamma=1.5), small + (3,)),
                             ("three numbers", Gain(most=[3, 3, 2.5]), small)):
        base, codes = smooth(shape), smooth(size)
        write("a.jpg", ultra_hdr(base, codes, gain, kinds=("xmp", "iso")))
        run("a.jpg", "same.jpg", "--radius", "0", "--quality", "100")
        base_in, map_in = (np.array(Image.open(io.BytesIO(d))) for d in [open("a.jpg", "rb").read()[i:] for i in (0, open("a.jpg", "rb").read().index(b"\xff\xd9\xff\xd8") + 2)])
        base_out, map_out, by_xmp, by_iso, head = read_ultra_hdr("same.jpg")
        check(name, 'dc:source="mine"' in head and head.count("Directory>") == 2, head)
        for other in by_xmp, by_iso:
            for key, v in gain.rows().items():
                check(f"{name}, {key}", np.abs(np.subtract(v, other.rows()[key])).max() < 1e-6, f"{v} {other.rows()[key]}")
            check(name, (other.dark, other.bright) == (gain.dark, gain.bright))
        codes_of = map_in if map_in.ndim == map_out.ndim else np.repeat(map_in[..., None], 3, 2)
        off = np.abs(codes_of.astype(int) - map_out.astype(int))
        check(f"{name}, not blurred: the same codes but for the packing of JPEG", off.max() <= 6 and off.mean() < 1, f"{off.max()} {off.mean()}")
        run("a.jpg", "blurred.jpg", "--radius", "6", "--quality", "100")
        run("a.jpg", "blurred.pfm", "--radius", "6")
        run("a.jpg", "plain.jpg", "--radius", "6", "--quality", "100", "--no-hdr")
        base_out, map_out, by_xmp, by_iso, head = read_ultra_hdr("blurred.jpg")
        check(f"{name}, base", (base_out == np.array(Image.open("plain.jpg"))).all())
        want, got = np.float64(pfm("blurred.pfm")), light_of(base_out, map_out, by_iso)
        if map_out.ndim == 2:  # has one gain for all colours
            got, want = got @ LUMINANCE, want @ LUMINANCE
        off = np.abs(np.log2((got + 1 / 64) / (want + 1 / 64)))
        check(f"{name}, blurred", np.median(off) < 0.03 and off.max() < 0.35, f"{np.median(off):.3f} {off.max():.3f} stops")
        keep = ["--depth", "depth.pgm", "--keep-depth", "--quality", "100"]
        write("depth.pgm", b"P5 4 1 255 " + bytes([10, 90, 160, 255]))
        run("a.jpg", "kept.jpg", *keep)
        run("a.jpg", "other.jpg", *keep[:2], *keep[3:])
        one, two = read_ultra_hdr("kept.jpg"), read_ultra_hdr("other.jpg")
        check(f"{name}, beside a map that is kept", (one[0] == two[0]).all() and (one[1] == two[1]).all() and "HasExtendedXMP" in one[4], one[4])
        check(f"{name}, again", "has a gain map" in run("blurred.jpg", "b.jpg", "--radius", "1"))


reading()
refusing()
primaries()
writing()
apples()
for ending in sys.argv[2:]:
    heif(ending)
print(f"{count} comparisons")
