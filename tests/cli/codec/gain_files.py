#!/usr/bin/env python3
"""Writes photos with gain maps (Ultra HDR JPEGs), and compares what satblur makes of them with the published formula:
gain_files.py SATBLUR"""
import io, re, struct, subprocess, sys
import numpy as np
from PIL import Image

HDRGM = "http://ns.adobe.com/hdr-gain-map/1.0/"
ISO = b"urn:iso:std:iso:ts:21496:-1\0"
XMP = b"http://ns.adobe.com/xap/1.0/\0"
LUMINANCE = np.array([0.2126, 0.7152, 0.0722])
count = 0


# --- The formula (ISO 21496-1, Adobe's gain map specification) --------------------------------------
class Gain:
    """Numbers of three channels."""
    def __init__(self, least=0.0, most=3.0, gamma=1.0, base=1 / 64, light=1 / 64, dark=0.0, bright=3.0):
        self.least, self.most, self.gamma, self.base, self.light = (np.broadcast_to(np.float64(v), 3) for v in (least, most, gamma, base, light))
        self.dark, self.bright = dark, bright

    def rows(self):
        return dict(GainMapMin=self.least, GainMapMax=self.most, Gamma=self.gamma, OffsetSDR=self.base, OffsetHDR=self.light)

    def is_plain(self):
        return all((v == v[0]).all() for v in self.rows().values())


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
    log = gain.least + (gain.most - gain.least) * share ** (1 / gain.gamma)
    return np.maximum((to_light(base) + gain.base) * 2.0 ** log - gain.light, 0)


# --- The file ---------------------------------------------------------------------------------------
def jpeg(codes, quality, icc=None):
    out = io.BytesIO()
    Image.fromarray(codes).save(out, "JPEG", quality=quality, subsampling=0, **({"icc_profile": icc} if icc else {}))
    return out.getvalue()


def segment(marker, data):
    return struct.pack(">BBH", 0xFF, marker, len(data) + 2) + data


def packet(inner):
    return (f'<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">{inner}'
            "</rdf:RDF></x:xmpmeta>").encode()


def xmp_of(gain, **more):
    def row(name, v):
        if (v == v[0]).all():
            return "", f' hdrgm:{name}="{v[0]:.9g}"'
        return f"<hdrgm:{name}><rdf:Seq>{''.join(f'<rdf:li>{x:.9g}</rdf:li>' for x in v)}</rdf:Seq></hdrgm:{name}>", ""
    parts = [row(name, v) for name, v in gain.rows().items()]
    given = dict(Version="1.0", HDRCapacityMin=gain.dark, HDRCapacityMax=gain.bright, BaseRenditionIsHDR="False") | more
    names = "".join(f' hdrgm:{k}="{v}"' for k, v in given.items()) + "".join(b for _, b in parts)
    return packet(f'<rdf:Description rdf:about="" xmlns:hdrgm="{HDRGM}"{names}>{"".join(a for a, _ in parts)}</rdf:Description>')


def iso_of(gain, flags=0x40, common=False):
    def fraction(v, sign):
        return struct.pack(">iI" if sign else ">II", round(v * 2**20), 2**20)[:4 if common else 8]
    channels = range(1 if gain.is_plain() else 3)
    out = struct.pack(">HHB", 0, 0, flags | (0 if gain.is_plain() else 0x80) | (8 if common else 0))
    out += struct.pack(">I", 2**20) if common else b""
    out += fraction(gain.dark, False) + fraction(gain.bright, False)
    for c in channels:
        for v, sign in zip(gain.rows().values(), (True, True, False, True, True)):
            out += fraction(v[c], sign)
    return out


def index_of(sizes, before):
    """MPF; before: bytes of the first picture before the segment."""
    entries = struct.pack(">IIIHH", 0x030000, sizes[0], 0, 0, 0) + struct.pack(">IIIHH", 0, sizes[1], max(0, sizes[0] - before - 8), 0, 0)
    return (b"MPF\0MM\0*" + struct.pack(">I", 8) + struct.pack(">H", 3) + struct.pack(">HHI4s", 0xB000, 7, 4, b"0100") +
            struct.pack(">HHII", 0xB001, 4, 1, 2) + struct.pack(">HHII", 0xB002, 7, 32, 50) + struct.pack(">I", 0) + entries)


def ultra_hdr(base, codes, gain, kinds=("xmp",), quality=95, more={}, iso={}, icc=None):
    """A JPEG as phones write it; kinds: of the numbers."""
    behind = jpeg(codes, 95)
    head = segment(0xE1, XMP + xmp_of(gain, **more)) if "xmp" in kinds else b""
    head += segment(0xE2, ISO + iso_of(gain, **iso)) if "iso" in kinds else b""
    behind = behind[:2] + head + behind[2:]
    first = jpeg(base, quality, icc)
    names = f'<rdf:Description rdf:about="" xmlns:hdrgm="{HDRGM}" hdrgm:Version="1.0" xmlns:dc="http://purl.org/dc/elements/1.1/" dc:source="mine"' \
        ' xmlns:Container="http://ns.google.com/photos/1.0/container/" xmlns:Item="http://ns.google.com/photos/1.0/container/item/">' \
        '<Container:Directory><rdf:Seq><rdf:li rdf:parseType="Resource"><Container:Item Item:Semantic="Primary" Item:Mime="image/jpeg"/></rdf:li>' \
        f'<rdf:li rdf:parseType="Resource"><Container:Item Item:Semantic="GainMap" Item:Mime="image/jpeg" Item:Length="{len(behind)}"/></rdf:li>' \
        "</rdf:Seq></Container:Directory></rdf:Description>"
    head = segment(0xE1, XMP + packet(names)) if "xmp" in kinds else b""
    head += segment(0xE2, ISO + bytes(4)) if "iso" in kinds else b""
    place = 2 + len(head)
    size = len(first) + len(head) + 4 + len(index_of((0, 0), 0))
    first = first[:2] + head + segment(0xE2, index_of((size, len(behind)), place)) + first[2:]
    assert len(first) == size
    return first + behind


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
    by_xmp = Gain(*(numbers(n) for n in names), numbers("HDRCapacityMin")[0], numbers("HDRCapacityMax")[0])
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
                check(f"{name}, {key}", np.abs(v - other.rows()[key]).max() < 1e-6, f"{v} {other.rows()[key]}")
            check(name, (other.dark, other.bright) == (gain.dark, gain.bright))
        codes_of = map_in if map_in.ndim == map_out.ndim else np.repeat(map_in[..., None], 3, 2)
        off = np.abs(codes_of.astype(int) - map_out.astype(int))
        check(f"{name}, not blurred: the same codes but for the packing of JPEG", off.max() <= 6 and off.mean() < 1, f"{off.max()} {off.mean()}")
        run("a.jpg", "blurred.jpg", "--radius", "6", "--quality", "100")
        run("a.jpg", "blurred.pfm", "--radius", "6")
        base_out, map_out, by_xmp, by_iso, head = read_ultra_hdr("blurred.jpg")
        want, got = np.float64(pfm("blurred.pfm")), light_of(base_out, map_out, by_iso)
        if map_out.ndim == 2:  # has one gain for all colours
            got, want = got @ LUMINANCE, want @ LUMINANCE
        off = np.abs(np.log2((got + 1 / 64) / (want + 1 / 64)))
        print(name, np.median(off), off.max())
        check(f"{name}, blurred", np.median(off) < 0.03 and off.max() < 0.35, f"{np.median(off):.3f} {off.max():.3f} stops")
        check(f"{name}, again", "has a gain map" in run("blurred.jpg", "b.jpg", "--radius", "1"))


reading()
refusing()
writing()
print(f"{count} comparisons")
