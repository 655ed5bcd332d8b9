#!/usr/bin/env python3
"""Writes pictures of high dynamic range with a library, and compares what satblur makes of them, and what the library
reads of satblur's files: hdr_files.py SATBLUR LIBRARY"""
import subprocess, sys
import numpy as np

satblur, library = sys.argv[1:3]
random = np.random.default_rng(5)
height, width = 37, 53
count = 0

light = (random.random((height, width, 4)) ** 4 * 20).astype(np.float32)
light[..., 3] = random.random((height, width))
light[3, 4, :3] = 1e6, -1, np.nan
light[5, 5, :3] = np.inf
light[6, 6, :3] = 1e-7, 6.1e-5, -1e30
depth = light[..., 3] * 10 + 1


def run(*arguments):
    notes = [] if "--quiet" in arguments else ["--verbose"]
    done = subprocess.run([satblur, *notes, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode != 0:
        sys.exit(f"{arguments}: {done.stderr.decode()}")
    return done.stderr.decode()


def halves(numbers):
    numbers = np.asarray(numbers, np.float64)
    return np.where(np.isfinite(numbers), np.clip(numbers, -65504, 65504), numbers).astype(np.float32).astype(np.float16)


def check(what, got, want):
    global count
    count += 1
    got, want = np.asarray(got), np.asarray(want)
    if got.shape != want.shape or not np.array_equal(got.astype(np.float64), want.astype(np.float64), equal_nan=True):
        sys.exit(f"{what}: {got.shape} {got.dtype} is not {want.shape}: {got.reshape(-1)[:8]} {want.reshape(-1)[:8]}")


def says(what, text, words):
    global count
    count += 1
    if words not in text:
        sys.exit(f"{what}: no '{words}' in '{text}'")


def decoded(codes):
    codes = np.asarray(codes, np.float64)
    return np.where(codes <= 0.04045, codes / 12.92, ((codes + 0.055) / 1.055) ** 2.4)


def encoded(numbers):
    part = np.clip(np.nan_to_num(np.asarray(numbers, np.float64)), 0, 1)
    return np.where(part <= 0.0031308, part * 12.92, 1.055 * part ** (1 / 2.4) - 0.055)


# --- OpenEXR ----------------------------------------------------------------------------------------
def exr_read(path):
    import OpenEXR
    file = OpenEXR.File(path, separate_channels=True)
    return {name: channel.pixels for name, channel in file.channels().items()}, file.header()


def exr_planes(numbers, layer="", letters="RGBA"):
    return {layer + letter: np.ascontiguousarray(numbers[..., i]) for i, letter in enumerate(letters)}


def exr_is(what, path, want, letters="RGBA"):
    channels, _ = exr_read(path)
    if sorted(channels) != sorted(letters):
        sys.exit(f"{what}: channels {sorted(channels)}")
    for i, letter in enumerate(letters):
        if channels[letter].dtype != np.float16:
            sys.exit(f"{what}: {channels[letter].dtype}")
        check(f"{what}, {letter}", channels[letter], want[..., i] if want.ndim == 3 else want)


def exr():
    import OpenEXR
    want = halves(light)
    scanline = {"type": OpenEXR.scanlineimage}
    packings = dict(NO=OpenEXR.NO_COMPRESSION, RLE=OpenEXR.RLE_COMPRESSION, ZIPS=OpenEXR.ZIPS_COMPRESSION, ZIP=OpenEXR.ZIP_COMPRESSION,
                    PIZ=OpenEXR.PIZ_COMPRESSION)
    for name, packing in packings.items():
        for kind in np.float16, np.float32:
            source = want if kind == np.float16 else light
            OpenEXR.File({"compression": packing, **scanline}, exr_planes(source)).write("a.exr")
            run("a.exr", "b.exr", "--radius", "0", "--quiet")
            exr_is(f"{name} {kind.__name__}", "b.exr", want)
    tiles = OpenEXR.TileDescription()
    tiles.xSize, tiles.ySize, tiles.mode = 16, 8, OpenEXR.LevelMode.ONE_LEVEL
    OpenEXR.File({"compression": OpenEXR.ZIP_COMPRESSION, "type": OpenEXR.tiledimage, "tiles": tiles}, exr_planes(light)).write("a.exr")
    run("a.exr", "b.exr", "--radius", "0", "--quiet")
    exr_is("tiles", "b.exr", want)
    whole = random.integers(0, 70000, (height, width, 3), np.uint32)
    OpenEXR.File(scanline, exr_planes(whole, letters="RGB")).write("a.exr")
    run("a.exr", "b.exr", "--radius", "0", "--quiet")
    exr_is("whole numbers", "b.exr", halves(whole), "RGB")

    # as Blender names them, with the depth and a vector
    planes = {**exr_planes(light, "ViewLayer.Combined."), "ViewLayer.Depth.Z": depth, **exr_planes(light, "ViewLayer.Normal.", "XYZ")}
    OpenEXR.File(scanline, planes).write("blender.exr")
    text = run("blender.exr", "b.exr", "--radius", "0")
    exr_is("Blender's layers", "b.exr", want)
    says("Blender's layers", text, "4 other channels (ViewLayer.Depth.Z, ViewLayer.Normal.X, ")
    says("odd samples", text, "3 samples are negative or not numbers and blur as 0; 4 samples are brighter than 4096 and blur as 4096")
    says("depth within", run("blender.exr", "c.exr"), "no operation is given, so its channel ViewLayer.Depth.Z is used as its depth map")
    says("depth within", run("blender.exr", "c.exr", "--depth", "embedded", "--depth-channel", "ViewLayer.Normal.X"),
         "its channel ViewLayer.Normal.X is used")
    run("blender.exr", "d.exr", "--depth", "blender.exr", "--quiet")
    run("blender.exr", "c.exr", "--quiet")
    same = open("c.exr", "rb").read() == open("d.exr", "rb").read()
    check("depth within, and given", same, True)

    # parts: the picture, and depth in another one
    parts = [OpenEXR.Part({**scanline, "name": "depth"}, {"Z": depth}, name="depth"), OpenEXR.Part({**scanline, "name": "light"}, exr_planes(light), name="light")]
    OpenEXR.File(parts).write("parts.exr")
    text = run("parts.exr", "b.exr")
    says("parts", text, "its channel Z is used as its depth map")
    run("parts.exr", "b.exr", "--radius", "0", "--quiet")
    exr_is("parts", "b.exr", want)

    # a data window that is not the display window
    box = lambda x, y, w, h: ((x, y), (x + w - 1, y + h - 1))
    OpenEXR.File({**scanline, "dataWindow": box(5, -3, width, height), "displayWindow": box(0, 0, 20, 30)}, exr_planes(light)).write("a.exr")
    run("a.exr", "b.exr", "--radius", "0", "--quiet")
    shown = np.zeros((30, 20, 4), np.float16)
    shown[:, 5:] = want[3:33, :15]
    exr_is("windows", "b.exr", shown)

    # what is carried
    primaries = (0.708, 0.292, 0.17, 0.797, 0.131, 0.046, 0.3127, 0.329)
    OpenEXR.File({**scanline, "chromaticities": primaries, "owner": "somebody", "expTime": 0.25, "pixelAspectRatio": 2.0}, exr_planes(light)).write("a.exr")
    run("a.exr", "b.exr", "--radius", "0", "--quiet")
    header = exr_read("b.exr")[1]
    check("chromaticities", np.float32(header["chromaticities"]), np.float32(primaries))
    check("a text", header["owner"] == "somebody" and header["expTime"] == 0.25 and header["pixelAspectRatio"] == 2, True)
    says("a PNG", run("a.exr", "b.png", "--radius", "0"), "not copied: chromaticities")

    OpenEXR.File(scanline, {"Y": depth}).write("a.exr")
    run("a.exr", "b.exr", "--radius", "0", "--quiet")
    exr_is("gray", "b.exr", halves(depth), "Y")


# --- OpenCV: HDR, PFM, PNG --------------------------------------------------------------------------
def rgbe(numbers):
    """Rounds as satblur does: 8 bits of the largest channel, and zero for what is negative or no number."""
    numbers = np.nan_to_num(np.maximum(numbers.astype(np.float64), 0), nan=0, posinf=65504)
    top = numbers.max(2)
    unit = np.ldexp(1.0, np.frexp(top)[1] - 8)
    unit = np.where(np.rint(top / unit) > 255, 2 * unit, unit)[..., None]
    return np.rint(numbers / unit) * unit


def cv2_files():
    import cv2
    rgb = light[..., :3]
    sound = np.nan_to_num(np.clip(rgb, 0, 65504))
    want = halves(sound)
    for name in "a.hdr", "a.pfm":
        cv2.imwrite(name, np.ascontiguousarray(sound[..., ::-1]))
        read = cv2.imread(name, cv2.IMREAD_UNCHANGED)[..., ::-1]
        run(name, "b.pfm", "--radius", "0", "--quiet")
        check(name, cv2.imread("b.pfm", cv2.IMREAD_UNCHANGED)[..., ::-1], halves(read))
    with open("a.pfm", "wb") as to:
        to.write(b"PF\n%d %d\n-1\n" % (width, height) + np.ascontiguousarray(rgb[::-1]).astype("<f4").tobytes())
    want = halves(rgb)
    run("a.pfm", "b.pfm", "--radius", "0", "--quiet")
    check("PFM", cv2.imread("b.pfm", cv2.IMREAD_UNCHANGED)[..., ::-1], want)
    run("a.pfm", "b.hdr", "--radius", "0", "--quiet")
    check("HDR", cv2.imread("b.hdr", cv2.IMREAD_UNCHANGED)[..., ::-1], rgbe(want))
    run("a.pfm", "b.png", "--radius", "0", "--quiet")
    check("PNG", cv2.imread("b.png", cv2.IMREAD_UNCHANGED)[..., ::-1], np.rint(encoded(want) * 65535))
    run("a.pfm", "b.bmp", "--radius", "0", "--quiet")
    check("BMP", cv2.imread("b.bmp", cv2.IMREAD_UNCHANGED)[..., ::-1], np.rint(encoded(want) * 255))
    for kind, most in (np.uint8, 255), (np.uint16, 65535):
        codes = random.integers(0, most + 1, (height, width, 3)).astype(kind)
        cv2.imwrite("a.png", codes[..., ::-1])
        run("a.png", "b.pfm", "--radius", "0", "--quiet")
        check(f"{most}", cv2.imread("b.pfm", cv2.IMREAD_UNCHANGED)[..., ::-1], halves(decoded(codes / most).astype(np.float32)))


# --- tifffile ---------------------------------------------------------------------------------------
def tifffile_files():
    import tifffile
    want = halves(light)
    rgb = want[..., :3]
    run_packed = run

    def run_plain(*words):
        return run_packed(*words, "--compression", "0")

    tifffile.imwrite("a.tif", light[..., :3], photometric="rgb")
    run("a.tif", "b.tif", "--radius", "0", "--quiet")
    try:
        tifffile.imread("b.tif")
        pack = run_packed
    except Exception as error:  # its own packers may be missing
        print(f"tifffile reads no packed floats here: {error}")
        pack = run_plain
    for kind in np.float16, np.float32, np.float64:
        source = np.asarray(want if kind == np.float16 else light, kind)
        for more in {}, {"tile": (16, 16)}, {"byteorder": ">"}, {"compression": "zlib"}, {"rowsperstrip": 5}:
            tifffile.imwrite("a.tif", source, photometric="rgb", extrasamples=["assocalpha"], **more)
            pack("a.tif", "b.tif", "--radius", "0", "--quiet")
            check(f"{kind.__name__} {more}", tifffile.imread("b.tif"), want)
        tifffile.imwrite("a.tif", np.ascontiguousarray(np.moveaxis(source[..., :3], 2, 0)), photometric="rgb", planarconfig="separate")
        pack("a.tif", "b.tif", "--radius", "0", "--quiet")
        check(f"{kind.__name__} planes", tifffile.imread("b.tif"), rgb)
        tifffile.imwrite("a.tif", source[..., 3], photometric="minisblack")
        run_plain("a.tif", "b.tif", "--radius", "0", "--quiet")
        check(f"{kind.__name__} gray", tifffile.imread("b.tif"), want[..., 3])
    with tifffile.TiffFile("b.tif") as file:
        check("float", (int(file.pages[0].sampleformat), file.pages[0].bitspersample), (3, 32))
    tifffile.imwrite("a.tif", light, photometric="rgb", extrasamples=["unassalpha"])
    pack("a.tif", "b.tif", "--radius", "0", "--quiet")
    with np.errstate(invalid="ignore"):
        check("alpha", tifffile.imread("b.tif")[..., :3], halves(rgb.astype(np.float32) * want[..., 3:].astype(np.float32)))
    with tifffile.TiffFile("b.tif") as file:
        check("associated alpha", int(file.pages[0].extrasamples[0]), 1)
    profile = bytes(36) + b"acsp" + bytes(88) + bytes(4)
    profile = len(profile).to_bytes(4, "big") + profile[4:12] + b"mntrRGB XYZ " + profile[24:]
    tifffile.imwrite("a.tif", light[..., :3], photometric="rgb", iccprofile=profile)
    pack("a.tif", "b.tif", "--radius", "0", "--quiet")
    with tifffile.TiffFile("b.tif") as file:
        check("profile", file.pages[0].iccprofile == profile, True)
    says("profile", run("a.tif", "b.png", "--radius", "0"), "b.png: not copied: colour profile (samples are converted)")


{"OpenEXR": exr, "cv2": cv2_files, "tifffile": tifffile_files}[library]()
print(f"{count} comparisons")
