#!/usr/bin/env python3
"""Writes TIFF and WebP files with a library, and compares what satblur reads: tiff_webp.py SATBLUR LIBRARY"""
import struct, subprocess, sys, zlib
import numpy as np

satblur, library = sys.argv[1:3]
random = np.random.default_rng(3)
height, width = 21, 37
count = 0


def png(path):
    """Returns the samples of a PNG that is not interlaced and has no palette."""
    with open(path, "rb") as file:
        data = file.read()
    at, packed = 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        if kind == b"IHDR":
            columns, rows, bits, colour = struct.unpack(">IIBB", data[at + 8:at + 18])
        if kind == b"IDAT":
            packed += data[at + 8:at + 8 + size]
        at += 12 + size
    channels = {0: 1, 2: 3, 4: 2, 6: 4}[colour]
    step = channels * bits // 8
    lines = np.frombuffer(zlib.decompress(packed), np.uint8).reshape(rows, 1 + columns * step)
    out = np.zeros((rows + 1, columns + 1, step), np.uint8)
    for y in range(rows):
        line, how = lines[y, 1:].reshape(columns, step), lines[y, 0]
        for x in range(columns):
            left, up, corner = (out[y + 1, x].astype(int), out[y, x + 1].astype(int), out[y, x].astype(int))
            pa, pb, pc = abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)
            paeth = np.where((pa <= pb) & (pa <= pc), left, np.where(pb <= pc, up, corner))
            out[y + 1, x + 1] = line[x] + [0 * left, left, up, (left + up) // 2, paeth][how] & 255
    pixels = np.ascontiguousarray(out[1:, 1:]).reshape(rows, columns * step)
    return pixels.view(">u2" if bits == 16 else np.uint8).astype(np.uint16 if bits == 16 else np.uint8).reshape(rows, columns, channels)


def check(what, path, want):
    global count
    done = subprocess.run([satblur, path, "py.png", "--radius", "0", "--threads", "1"], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{what}: {done.stderr}")
    got = png("py.png")
    want = want.reshape(want.shape[0], want.shape[1], -1)
    if got.shape != want.shape or got.dtype != want.dtype or (got != want).any():
        sys.exit(f"{what}: other pixels: {got.shape} {got.dtype} for {want.shape} {want.dtype}")
    count += 1
    return done.stderr


def noise(channels, kind, most=None):
    shape = (height, width) if channels == 1 else (height, width, channels)
    return random.integers(0, (most or np.iinfo(kind).max) + 1, shape).astype(kind)


def with_tifffile():
    import tifffile
    packings = [None]
    for name in ("zlib", "lzw", "packbits", "zstd", "lzma"):
        try:
            tifffile.imwrite("py.tif", noise(1, np.uint8), compression=name)
            packings.append(name)
        except Exception:
            print(f"tifffile cannot write {name} here")
    number = 0
    for kind in (np.uint8, np.uint16):
        for channels in (1, 3, 4):
            for tile in (None, (16, 32)):
                for packing in packings:
                    pixels, number = noise(channels, kind), number + 1
                    if number % 2:
                        continue
                    planar = "separate" if channels > 1 and number % 4 else "contig"
                    more = {"extrasamples": ["unassalpha"]} if channels == 4 else {}
                    data = np.moveaxis(pixels, 2, 0).copy() if planar == "separate" else pixels
                    tifffile.imwrite("py.tif", data, photometric="rgb" if channels > 1 else "minisblack", tile=tile, compression=packing,
                                     planarconfig=planar if channels > 1 else None, byteorder="<>"[number // 2 % 2], bigtiff=number % 3 == 0,
                                     predictor=packing in ("zlib", "lzw", "zstd") and number % 5 < 3, rowsperstrip=None if tile else 7,
                                     metadata=None, **more)
                    check(f"{kind.__name__} {channels} {tile} {packing} {planar}", "py.tif", pixels)
    for kind in (np.uint8, np.uint16):
        most = np.iinfo(kind).max
        pixels = noise(1, kind)
        tifffile.imwrite("py.tif", pixels, photometric="miniswhite")
        check("0 is white", "py.tif", most - pixels)
        alpha, light = noise(1, kind).astype(np.int64), noise(3, kind).astype(np.int64)
        dimmed = (light * alpha[..., None] + most // 2) // most
        tifffile.imwrite("py.tif", np.dstack([dimmed, alpha]).astype(kind), photometric="rgb", extrasamples=["assocalpha"])
        clear = np.maximum(alpha, 1)[..., None]
        straight = np.where(alpha[..., None] > 0, np.minimum((dimmed * most + clear // 2) // clear, most), 0)
        check("associated alpha", "py.tif", np.dstack([straight, alpha]).astype(kind))
    colours, codes = noise(3, np.uint16)[:1, :1].repeat(256, 1) * 0 + random.integers(0, 65536, (1, 256, 3)), noise(1, np.uint8)
    tifffile.imwrite("py.tif", codes, photometric="palette", colormap=colours[0].T.astype(np.uint16))
    check("a palette", "py.tif", (colours[0][codes] >> 8).astype(np.uint8))
    pixels = noise(1, np.uint8)
    tifffile.imwrite("py.tif", np.stack([pixels] * 5))
    assert "4 further pages are not read" in check("pages", "py.tif", pixels)
    for channels, kind in ((1, np.uint16), (3, np.uint8), (4, np.uint16)):
        pixels = noise(channels, kind)
        tifffile.imwrite("py.tif", pixels, photometric="rgb" if channels > 1 else "minisblack", extrasamples=["unassalpha"] if channels == 4 else None)
        subprocess.run([satblur, "py.tif", "ours.tif", "--radius", "0"], check=True)
        assert (tifffile.imread("ours.tif") == pixels).all(), "tifffile reads ours"


def with_pil():
    from PIL import Image, features
    formats = subprocess.run([satblur, "--version"], capture_output=True, text=True).stdout
    colour, gray = noise(3, np.uint8), noise(1, np.uint8)
    if "TIFF:" in formats:
        flat = Image.fromarray(gray).convert("1")
        for packing in ("raw", "group3", "group4", "tiff_ccitt", "packbits", "tiff_lzw"):
            flat.save("py.tif", compression=packing)
            check(f"one bit, {packing}", "py.tif", np.array(flat.convert("L")))
        palette = Image.fromarray(colour).convert("P", palette=Image.Palette.ADAPTIVE)
        palette.save("py.tif")
        check("a palette", "py.tif", np.array(palette.convert("RGB")))
        Image.fromarray(np.dstack([gray, gray.T.reshape(gray.shape)])[..., :2], "LA").save("py.tif")
        check("gray with alpha", "py.tif", np.dstack([gray, gray.T.reshape(gray.shape)]))
        Image.fromarray(colour).convert("CMYK").save("py.tif")
        assert "CMYK was converted" in check("CMYK", "py.tif", np.array(Image.fromarray(colour).convert("CMYK").convert("RGB")))
        y, x = np.mgrid[:height, :width]
        smooth = np.dstack([x * 4, y * 6, x + y]).astype(np.uint8)
        Image.fromarray(smooth).save("py.tif", compression="jpeg", quality=95)
        subprocess.run([satblur, "py.tif", "py.png", "--radius", "0"], check=True)
        assert abs(png("py.png").astype(int) - np.array(Image.open("py.tif"))).max() <= 2, "JPEG in TIFF"
        notes = Image.Exif()
        notes[0x10F], notes[0x112] = "Maker", 6
        notes.get_ifd(0x8769)[0x8827] = 400
        notes.get_ifd(0x8825)[1] = "N"
        Image.fromarray(colour).save("py.jpg", exif=notes, dpi=(300, 300))
        for name in ("one.tif", "two.tif", "back.jpg"):
            source = {"one.tif": "py.jpg", "two.tif": "one.tif", "back.jpg": "two.tif"}[name]
            subprocess.run([satblur, source, name, "--radius", "0", "--quiet"], check=True)
            with Image.open(name) as image:
                found = image.getexif()
                assert found[0x10F] == "Maker" and found.get_ifd(0x8769)[0x8827] == 400 and found.get_ifd(0x8825)[1] == "N", name
                assert found.get(0x112, 1) == 1 and image.size == (height, width), name
                assert tuple(round(d) for d in image.info["dpi"]) == (300, 300), name
    if "WebP:" in formats and features.check("webp"):
        for pixels in (colour, np.dstack([colour, gray])):
            Image.fromarray(pixels).save("py.webp", lossless=True, exact=True)
            check("lossless", "py.webp", pixels)
            for quality in (20, 90):
                Image.fromarray(pixels).save("py.webp", quality=quality)
                check(f"quality {quality}", "py.webp", np.array(Image.open("py.webp")))
        frames = [Image.fromarray(noise(3, np.uint8)) for _ in range(3)]
        frames[0].save("py.webp", save_all=True, append_images=frames[1:], lossless=True)
        assert "2 further frames are not read" in check("an animation", "py.webp", np.array(frames[0]))


def with_cv2():
    import cv2
    for channels, kind in ((1, np.uint8), (3, np.uint8), (4, np.uint8), (1, np.uint16), (3, np.uint16), (4, np.uint16)):
        pixels = noise(channels, kind)
        order = {1: [0], 3: [2, 1, 0], 4: [2, 1, 0, 3]}[channels]
        cv2.imwrite("py.tif", pixels.reshape(height, width, -1)[..., order])
        check(f"{kind.__name__} {channels}", "py.tif", pixels)
        if channels == 4:
            continue  # OpenCV multiplies the colours by alpha
        subprocess.run([satblur, "py.tif", "ours.tif", "--radius", "0"], check=True)
        ours = cv2.imread("ours.tif", cv2.IMREAD_UNCHANGED).reshape(height, width, -1)
        assert (ours[..., order] == pixels.reshape(ours.shape)).all(), "OpenCV reads ours"


{"tifffile": with_tifffile, "PIL": with_pil, "cv2": with_cv2}[library]()
print(count, "files")
