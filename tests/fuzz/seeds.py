#!/usr/bin/env python3
"""Writes the fuzzers' first inputs, which all come from here: seeds.py SATBLUR CJPEG FOLDER

Small pictures of every kind, sound and odd, put together byte by byte; only JPEGs are made by programs.
The corpora under corpus/ grew out of them: run.sh keeps what reaches new code."""
import io, os, shutil, struct, subprocess, sys, tempfile, zipfile, zlib

here = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(here, "..", "cli"), os.path.join(here, "..", "cli", "codec")]
import mkembedded
from heif_files import Coded, File, full, ispe
from pictures import bmp, chunk, noise, png, segment, tga, tiff
from ultra_hdr import Gain, apple_joined, apple_notes, iso_of, joined, xmp_of

satblur, cjpeg, folder = sys.argv[1:4]


def save(fuzzer, name, data):
    os.makedirs(f"{folder}/{fuzzer}", exist_ok=True)
    with open(f"{folder}/{fuzzer}/{name}", "wb") as to:
        to.write(data)


# --- PNG ------------------------------------------------------------------------------------------
def profile(size, space=b"RGB "):
    return struct.pack(">I", size) + bytes(8) + b"mntr" + space + bytes(16) + b"acsp" + noise(size - 40)


icc = profile(200)
xmp = b"XML:com.adobe.xmp\0"
notes = {
    "icc": chunk(b"iCCP", b"name\0\0" + zlib.compress(icc)),
    "bomb": chunk(b"iCCP", b"bomb\0\0" + zlib.compress(bytes(1 << 25), 9)),
    "exif": chunk(b"eXIf", tiff(True, 6)),
    "exif_little": chunk(b"eXIf", tiff(False, 3)),
    "xmp": chunk(b"iTXt", xmp + b"\0\0\0\0<x/>"),
    "xmp_packed": chunk(b"iTXt", xmp + b"\1\0en\0en\0" + zlib.compress(b"<x/>")),
    "colours": chunk(b"gAMA", struct.pack(">I", 45455)) + chunk(b"cHRM", noise(32)) + chunk(b"pHYs", struct.pack(">IIB", 2835, 2835, 1)),
    "srgb": chunk(b"sRGB", b"\0") + chunk(b"cICP", b"\1\15\0\1") + chunk(b"mDCV", bytes(24)) + chunk(b"cLLI", bytes(8)),
    "texts": chunk(b"tEXt", b"Title\0text") + chunk(b"zTXt", b"Title\0\0" + zlib.compress(b"text")) + chunk(b"bKGD", b"\0\1\0\1\0\1") + chunk(b"spAr", b"own") + chunk(b"tIME", bytes(7)),
    "frames": chunk(b"acTL", bytes(8)) + chunk(b"fcTL", bytes(26)) + chunk(b"sBIT", b"\5\5\5") + chunk(b"caBX", b"x"),
}
for colour, depths in {0: (1, 2, 4, 8, 16), 2: (8, 16), 3: (1, 2, 4, 8), 4: (8, 16), 6: (8, 16)}.items():
    for depth in depths:
        save("decode", f"png_{colour}_{depth}", png(9, 6, depth, colour))
        save("decode", f"png_{colour}_{depth}_interlaced", png(9, 6, depth, colour, interlace=1))
for name, extra in notes.items():
    save("decode", f"png_note_{name}", png(3, 2, 8, 2, extra))
save("decode", "png_all_notes", png(3, 2, 8, 6, b"".join(v for k, v in notes.items() if k != "bomb")))
save("decode", "png_key_gray", png(3, 2, 8, 0, chunk(b"tRNS", b"\0\1")))
save("decode", "png_key_rgb16", png(3, 2, 16, 2, chunk(b"tRNS", bytes(6))))
save("decode", "png_claim", png(1, 1, 8, 0).replace(struct.pack(">II", 1, 1), struct.pack(">II", 2**31 - 1, 2**31 - 1), 1))
save("decode", "png_flat", png(200, 200, 8, 0, filters=[4]))
save("decode", "png_stored", png(5, 4, 8, 2, level=0))
save("decode", "png_cut", png(9, 6, 8, 2)[:-20])
save("decode", "png_wrong_filter", png(9, 6, 8, 2, filters=[7]))

# --- BMP ------------------------------------------------------------------------------------------
for bits in (1, 4, 8, 16, 24, 32):
    save("decode", f"bmp_{bits}", bmp(bits))
    save("decode", f"bmp_{bits}_os2", bmp(bits, head=12))
save("decode", "bmp_top_down", bmp(24, height=-3))
save("decode", "bmp_rle8", bmp(8, 1, pixels=b"\5\1\0\0\5\2\0\0\5\3\0\1"))
save("decode", "bmp_565", bmp(16, 3, masks=struct.pack("<III", 0xF800, 0x7E0, 0x1F)))
save("decode", "bmp_v4", bmp(32, 3, head=108, masks=struct.pack("<IIII", 0xFF, 0xFF00, 0xFF0000, 0xFF000000)))
save("decode", "bmp_v5", bmp(24, 0, head=124))
save("decode", "bmp_few_colours", bmp(8, colours=3))
save("decode", "bmp_cut", bmp(24)[:-7])
save("decode", "bmp_tall", bmp(24, height=-2**31, pixels=noise(48)))

# --- TGA ------------------------------------------------------------------------------------------
packed = b"\x85\1\2\3\4\2" + noise(40)
for bits in (8, 15, 16, 24, 32):
    size = 12 * ((bits + 7) // 8)
    gray = bits in (8, 16)
    save("decode", f"tga_plain_{bits}", tga(3 if gray else 2, bits, noise(size)))
    save("decode", f"tga_packed_{bits}", tga(11 if gray else 10, bits, packed))
save("decode", "tga_palette", tga(1, 8, bytes([0, 1, 2, 9] * 3), palette=noise(9), palette_bits=24))
save("decode", "tga_palette_packed", tga(9, 8, b"\x8b\1" + bytes(9), palette=noise(12), palette_bits=32))
save("decode", "tga_mirrored", tga(2, 32, noise(48), descriptor=0x38, word=b"words") + bytes(8) + b"TRUEVISION-XFILE.\0")
save("decode", "tga_long_run", tga(10, 24, b"\xff\1\2\3"))
save("decode", "tga_cut", tga(2, 24, noise(20)))

# --- HEIC and AVIF, where the program has them ------------------------------------------------------
def by_satblur(name, source, *options):
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/in.png", "wb") as to:
            to.write(source)
        done = subprocess.run([satblur, f"{folder}/in.png", f"{folder}/o.{name}", "--radius", "0", "--quiet", *options])
        return open(f"{folder}/o.{name}", "rb").read() if done.returncode == 0 else None


for ending in "heic", "avif":
    for colour, depth in (0, 8), (2, 8), (2, 16), (6, 8):
        data = by_satblur(ending, png(64, 64, depth, colour), "--quality", "20")
        if data:
            save("decode", f"{ending}_{colour}_{depth}", data)
            save("decode", f"{ending}_{colour}_{depth}_cut", data[:-20])
    data = by_satblur(ending, png(37, 21, 8, 2, extra=notes["icc"] + notes["exif"] + notes["xmp"]), "--quality", "20")
    if data:
        save("decode", f"{ending}_odd_with_notes", data)

for quality in "90", "100":
    data = by_satblur("jxl", png(37, 21, 8, 6, extra=notes["exif"] + notes["xmp"]), "--quality", quality)
    if data:
        save("jxl", f"file_{quality}", b"\6" + data)
        save("decode", f"jxl_{quality}", data)

# --- Depth maps of numbers --------------------------------------------------------------------------
def npy(kind="<f4", shape="(2, 3)", samples=struct.pack("<6f", 1, 2, 0, -1, 1e10, float("inf")), order="False", version=1):
    words = f"{{'descr': '{kind}', 'fortran_order': {order}, 'shape': {shape}, }}\n".encode()
    return b"\x93NUMPY" + struct.pack("<BB", version, 0) + struct.pack("<H" if version == 1 else "<I", len(words)) + words + samples


for kind, size in {"<f2": 2, ">f4": 4, "<f8": 8, "|u1": 1, "<u2": 2, ">u2": 2, "|i1": 1, "<i2": 2, "<u4": 4, "<i8": 8, "|b1": 1}.items():
    save("decode", f"npy_{kind[1:]}_{ord(kind[0])}", npy(kind, samples=noise(6 * size)))
save("decode", "npy_columns", npy(order="True"))
save("decode", "npy_one", npy(shape="(1, 2, 3)", version=2))
save("decode", "npy_three", npy(shape="(2, 3, 3)", version=3))
save("decode", "npy_claim", npy(shape="(16777216, 16777216)"))
save("decode", "npy_cut", npy()[:-1])
save("decode", "pfm_gray", b"Pf\n3 2\n-1.0\n" + noise(24))
save("decode", "pfm_rgb", b"PF 2 1 1 " + noise(24))
save("decode", "pfm_cut", b"Pf\n3 2\n-1.0\n" + noise(23))
def hdr(rows, size=b"-Y 2 +X 8", words=b"FORMAT=32-bit_rle_rgbe\n"):
    return b"#?RADIANCE\n" + words + b"\n" + size + b"\n" + rows


packed_row = b"\2\2\0\x08" + b"\x88\x80\x08" + noise(8) + b"\x84\1\4abcd\x88\x81"
save("decode", "hdr_packed", hdr(packed_row * 2))
save("decode", "hdr_both", hdr(packed_row + noise(32)))
save("decode", "hdr_old", hdr(b"\x80\x40\xff\x81\1\1\1\xff\1\1\1\1", b"-Y 1 +X 512"))
save("decode", "hdr_plain", hdr(noise(48), b"-Y 3 +X 4", b"# by hand\nEXPOSURE=2\nFORMAT=32-bit_rle_rgbe\n"))
save("decode", "hdr_xyz", hdr(noise(48), b"-Y 3 +X 4", b"FORMAT=32-bit_rle_xyze\n"))
save("decode", "hdr_turned", hdr(noise(48), b"+X 4 -Y 3"))
save("decode", "hdr_cut", hdr(packed_row * 2)[:-3])
save("decode", "dpt", struct.pack("<fii", 202021.25, 3, 2) + noise(24))
save("decode", "dpt_claim", struct.pack("<fii", 202021.25, 1 << 24, 1 << 24) + noise(24))


# --- PNM ------------------------------------------------------------------------------------------
for name, head, size in (("gray", b"P5 3 2 255\n", 6), ("rgb", b"P6\n3 2\n255\n", 18), ("deep", b"P5 3 2 1023 ", 12),
                         ("deep_rgb", b"P6 3 2 65535\n", 36), ("few", b"P5#c\n#d\r3 2 15\n", 6), ("claim", b"P5 99999999 9 255\n", 9)):
    save("decode", f"pnm_{name}", head + bytes(b & 3 for b in noise(size)))
for name, data in (("bits", b"P4\n9 2\n" + noise(4)), ("digits_bits", b"P1 5 2 1 0 1\n0#c\n1 01100"), ("digits_gray", b"P2\n3 1\n15\n0 15\n# c\n1"),
                   ("digits_deep", b"P3 1 1 65535 65535 1 300\n"), ("digits_wrong", b"P2 2 1 15 1 99"), ("digits_claim", b"P3 9999 9999 255 1 2 3"),
                   ("pam", b"P7\n# c\nWIDTH 2\nHEIGHT 1\nDEPTH 2\nMAXVAL 255\nTUPLTYPE GRAYSCALE_ALPHA\nENDHDR\n" + noise(4)),
                   ("pam_deep", b"P7\nMAXVAL 65535\nDEPTH 4\nHEIGHT 1\nWIDTH 1\nENDHDR\n" + noise(8)), ("pam_wide", b"P7\nWIDTH 1\nHEIGHT 1\nDEPTH 9\nMAXVAL 1\nENDHDR\n" + bytes(9))):
    save("decode", f"pnm_{name}", data)


# --- GIF, COLMAP ----------------------------------------------------------------------------------
def gif(codes, least=2, size=(4, 3), frame=(0, 0, 4, 3), flags=0, before=b"", after=b"\x3b", screen=0x81):
    """codes: of least + 1 bits, as long as no more are made."""
    bits = sum(code << (least + 1) * i for i, code in enumerate(codes))
    data = bits.to_bytes((len(codes) * (least + 1) + 7) // 8, "little")
    head = b"GIF89a" + struct.pack("<HHBBB", *size, screen, 0, 0) + (noise(12) if screen & 0x80 else b"")
    return head + before + b"," + struct.pack("<HHHHB", *frame, flags) + (noise(6) if flags & 0x80 else b"") + bytes([least, len(data)]) + data + b"\0" + after


flat = [4] + [1, 2, 4] * 6 + [5]  # the table is begun anew before it grows
clear = b"!\xf9\4\1\0\0\2\0"
save("decode", "gif", gif(flat))
save("decode", "gif_clear", gif(flat, before=b"!\xfe\3abc\0" + clear))
save("decode", "gif_interlaced", gif(flat, flags=0x40))
save("decode", "gif_own_palette", gif(flat, flags=0x80))
save("decode", "gif_within", gif(flat, size=(9, 8), frame=(2, 3, 4, 3), after=clear + b"," + struct.pack("<HHHHB", 0, 0, 4, 3, 0) + b"\2\1\4\0;"))
save("decode", "gif_beyond", gif(flat, size=(3, 2), frame=(2, 1, 4, 3)))
save("decode", "gif_strings", gif([4, 1, 6, 7, 4, 2, 6, 4, 2, 2, 5]))
save("decode", "gif_no_palette", gif(flat, screen=1))
save("decode", "gif_cut", gif(flat)[:-6])
save("decode", "gif_claim", gif(flat, size=(65535, 65535)))
save("decode", "colmap", b"3&2&1&" + noise(24))
save("decode", "colmap_claim", b"9999999&9999999&1&" + noise(24))
save("decode", "colmap_normals", b"3&2&3&" + noise(72))
save("decode", "tga_map_later", bytes([0, 1, 1, 20, 0, 3, 0, 24]) + bytes(4) + struct.pack("<HHBB", 4, 3, 8, 0x20) + noise(9) + bytes([20, 21, 22, 0] * 3))
save("decode", "tga_map_unused", bytes([2, 1, 2, 0, 0, 1, 0, 24]) + bytes(4) + struct.pack("<HHBB", 4, 3, 24, 0) + b"id" + noise(3 + 36))

for i, magic in enumerate((b"", b"GIF89a", b"RIFF....WEBP", b"II*\0", b"P3 1 1 255 0", b"BM", b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n")):
    save("decode", f"stranger_{i}", magic)

# --- EXR and NPZ ----------------------------------------------------------------------------------
def exr(names, packing=0, sample=2, tile=0, window=(0, 0, 6, 4), shown=(0, 0, 6, 4), pack=lambda b: b):
    """sample: the number of the type, of which uint and float have 4 bytes and half has 2. pack: packs a block."""
    def head(name, kind, data):
        return name + b"\0" + kind + b"\0" + struct.pack("<I", len(data)) + data

    channels = b"".join(n + b"\0" + struct.pack("<IIII", sample, 0, 1, 1) for n in names) + b"\0"
    start = struct.pack("<II", 20000630, 0x202 if tile else 2) + head(b"channels", b"chlist", channels)
    start += head(b"compression", b"compression", bytes([packing])) + head(b"lineOrder", b"lineOrder", b"\0")
    start += head(b"dataWindow", b"box2i", struct.pack("<4i", *window)) + head(b"displayWindow", b"box2i", struct.pack("<4i", *shown))
    start += head(b"pixelAspectRatio", b"float", struct.pack("<f", 1)) + head(b"screenWindowWidth", b"float", struct.pack("<f", 1))
    start += head(b"screenWindowCenter", b"v2f", bytes(8))
    start += (head(b"tiles", b"tiledesc", struct.pack("<IIB", tile, tile, 0)) if tile else b"") + b"\0"
    width, height = window[2] - window[0] + 1, window[3] - window[1] + 1
    down, across = (tile, tile) if tile else ({3: 16, 4: 32, 5: 16, 6: 32, 7: 32}.get(packing, 1), width)
    blocks = []
    for y in range(0, height, down):
        for x in range(0, width, across):
            size = len(names) * min(down, height - y) * min(across, width - x) * (2 if sample == 1 else 4)
            block = pack(bytes(b & 63 for b in noise(size)))
            block = block if len(block) < size else bytes(b & 63 for b in noise(size))
            place = struct.pack("<4I", x // across, y // down, 0, 0) if tile else struct.pack("<i", window[1] + y)
            blocks.append(place + struct.pack("<I", len(block)) + block)
    at = len(start) + 8 * len(blocks)
    offsets = [at + sum(map(len, blocks[:i])) for i in range(len(blocks))]
    return start + b"".join(struct.pack("<Q", o) for o in offsets) + b"".join(blocks)


def runs(block):
    return b"".join(bytes([0, b]) for b in block[:8]) + bytes([127, 0]) * 9


for sample in (0, 1, 2):
    save("decode", f"exr_{sample}", exr([b"A", b"Z"], sample=sample))
    save("decode", f"exr_{sample}_tiles", exr([b"A", b"Z"], sample=sample, tile=4))
    for packing in range(1, 11):
        pack = {1: runs}.get(packing, lambda b: zlib.compress(bytes(len(b))) if packing in (2, 3, 5) else b[:14])
        save("decode", f"exr_{sample}_packed_{packing}", exr([b"Z"], packing, sample, pack=pack))
save("decode", "exr_gray", exr([b"B", b"G", b"R"], packing=3, pack=lambda b: zlib.compress(bytes(len(b)))))
save("decode", "exr_layers", exr([b"V.Depth.Z", b"V.N.X", b"V.N.Z"]))
save("decode", "exr_window", exr([b"Z"], window=(-1, 2, 5, 9), shown=(0, 0, 4, 4)))
for names in ([b"A", b"B", b"G", b"R"], [b"A", b"Y"], [b"L.B", b"L.G", b"L.R"], [b"BY", b"RY", b"Y"], [b"B", b"G", b"R", b"Z"]):
    for sample in (0, 1, 2):
        save("decode", f"exr_light_{sample}_{b'_'.join(names).decode()}", exr(names, sample=sample))
save("decode", "exr_light_tiles", exr([b"B", b"G", b"R"], tile=4, window=(-1, 2, 5, 9), shown=(0, 0, 4, 4)))
save("decode", "exr_claim", exr([b"Z"], shown=(0, 0, 1 << 20, 1 << 20)))


def npy(kind, shape, size):
    words = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}".encode().ljust(117) + b"\n"
    return b"\x93NUMPY\1\0" + struct.pack("<H", len(words)) + words + noise(size)


def npz(packing=zipfile.ZIP_STORED, wide=False, **arrays):
    to = io.BytesIO()
    with zipfile.ZipFile(to, "w", packing) as archive:
        for name, array in arrays.items():
            about = zipfile.ZipInfo(name + ".npy")
            about.compress_type = packing
            with archive.open(about, "w", force_zip64=wide) as member:
                member.write(array)
    return to.getvalue()


for packing in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2):
    save("decode", f"npz_{packing}", npz(packing, depth=npy("<f4", (3, 2), 24)))
save("decode", "npz_wide", npz(wide=True, depth=npy("|u1", (3, 2), 6)))
save("decode", "npz_only", npz(a=npy("<f2", (3, 2), 12), b=npy("<f8", (2,), 16)))
save("decode", "npz_two", npz(a=npy("<f2", (3, 2), 12), b=npy("<f2", (3, 2), 12)))

# --- JPEG -----------------------------------------------------------------------------------------
def jpeg(*options, size=(21, 14), gray=False):
    head = b"P%d %d %d 255\n" % (5 if gray else 6, *size)
    pixels = noise(size[0] * size[1] * (1 if gray else 3))
    return subprocess.run([cjpeg, *options], input=head + pixels, stdout=subprocess.PIPE, check=True).stdout


kinds = {
    "plain": jpeg(), "gray": jpeg(gray=True), "progressive": jpeg("-progressive"), "restarts": jpeg("-restart", "1"),
    "444": jpeg("-sample", "1x1"), "422": jpeg("-sample", "2x1"), "440": jpeg("-sample", "1x2"), "411": jpeg("-sample", "4x1"),
    "odd": jpeg("-sample", "3x2,1x2,1x1"), "arithmetic": jpeg("-arithmetic"), "rgb": jpeg("-rgb"), "rough": jpeg("-quality", "3"),
    "gray_progressive": jpeg("-progressive", gray=True), "progressive_restarts": jpeg("-progressive", "-restart", "1"),
}
for name, data in kinds.items():
    save("decode", f"jpeg_{name}", data)
# --- Photos with maps within ------------------------------------------------------------------------
photo, sharp, small = jpeg("-quality", "5"), jpeg("-quality", "20"), jpeg("-quality", "5", size=(11, 7), gray=True)
plane, raw = png(11, 7, 8, 0), noise(11 * 7)
depth_photos = {
    "gdepth": mkembedded.gdepth(photo, plane, b""), "gdepth_original": mkembedded.gdepth(photo, plane, sharp),
    "gdepth_elements": mkembedded.gdepth(photo, small, b"", style="elements"),
    "gdepth_linear": mkembedded.gdepth(photo, plane, b"", form="RangeLinear"),
    "gdepth_strange": mkembedded.gdepth(photo, plane, b"", form="Strange"),
    "gdepth_extended": mkembedded.gdepth(photo, plane, sharp, big=True),
    "gdepth_extended_parts": mkembedded.gdepth(photo, png(70, 50, 8, 0), b"", big=True),
    "gdepth_other_guid": mkembedded.gdepth(photo, plane, b"", big=True, wrong=True),
    "dynamic": mkembedded.dynamic(photo, small, b""), "dynamic_original": mkembedded.dynamic(photo, plane, sharp),
    "dynamic_linear": mkembedded.dynamic(photo, small, b"", form="RangeLinear"), "dynamic_short": mkembedded.dynamic(photo, small, b"", cut=len(photo) + 9),
    "apple": mkembedded.apple(photo, small, "absolute"), "apple_relative": mkembedded.apple(photo, small, "relative"),
    "apple_matte": mkembedded.apple(photo, small, "matte"),
    "huawei": mkembedded.huawei(photo, raw, 11, 7, b""), "huawei_original": mkembedded.huawei(photo, raw, 11, 7, sharp),
    "samsung_plain": mkembedded.samsung(photo, raw, 11, 7, b""),
    "xiaomi": photo + b"PMPD\2\0" + noise(40),
}
for version in (1, 3, 4, 5, 6, 9):
    depth_photos[f"samsung_{version}"] = mkembedded.samsung(photo, raw, 11, 7, sharp, version)
for name, data in depth_photos.items():
    save("embedded", name, data)
    save("embedded", f"{name}_cut", data[:-15])

gray_map, colour_map = jpeg("-quality", "60", size=(5, 3), gray=True), jpeg("-quality", "60", size=(4, 3))
channels = Gain(least=[-0.5, 0, 0.25], most=[2, 3, 4], gamma=[1, 2.2, 0.5], base=[0.01, 0.02, 0])
gain_photos = {
    "xmp": joined(photo, gray_map, Gain()), "both": joined(photo, gray_map, Gain(gamma=2.2), ("xmp", "iso")), "iso": joined(photo, gray_map, Gain(), ("iso",)),
    "channels": joined(photo, colour_map, channels), "channels_iso": joined(photo, colour_map, channels, ("iso",)),
    "gray_channels": joined(photo, gray_map, channels), "common": joined(photo, gray_map, Gain(), ("iso",), iso=dict(common=True)),
    "inverse": joined(photo, gray_map, Gain(), more=dict(BaseRenditionIsHDR="True")), "large": joined(photo, jpeg(size=(64, 64)), Gain()),
}
gain_photos["apple"] = apple_joined(photo, gray_map, apple_notes(1.2, 0.4))
gain_photos["apple_xmp"] = apple_joined(photo, gray_map, b"", 6.25)
with tempfile.TemporaryDirectory() as work:
    pictures = []
    for name, size in ("base", (64, 64)), ("map", (16, 16)):
        open(f"{work}/{name}.ppm", "wb").write(b"P6 %d %d 255\n" % size + noise(3 * size[0] * size[1]))
        subprocess.run([satblur, f"{work}/{name}.ppm", f"{work}/{name}.heic", "--radius", "3", "--quality", "10"], check=True)
        pictures.append(Coded(f"{work}/{name}.heic"))
    for name in "tmap", "auxiliary":
        f = File()
        f.add_coded(pictures[0])
        if name == "tmap":
            f.add_coded(pictures[1])
            f.add(b"tmap", b"\0" + iso_of(Gain()), [ispe(64, 64)], dimg=[1, 2])
        else:
            f.add_coded(pictures[1], full(b"auxC", 0, b"urn:com:apple:photo:2020:aux:hdrgainmap\0"), auxl=[1])
            f.add(b"Exif", bytes(4) + apple_notes(1.2, 0.4), [], cdsc=[1])
        f.write(f"{work}/{name}.heic")
        gain_photos[f"heic_{name}"] = open(f"{work}/{name}.heic", "rb").read()
for name, data in gain_photos.items():
    save("gain", name, data)
    save("gain", f"{name}_cut", data[:-15])
for plain in Gain(), channels:
    save("gain", f"numbers_{plain.is_plain()}", iso_of(plain))
    save("gain", f"packet_{plain.is_plain()}", xmp_of(plain))

tiny = jpeg("-quality", "20", size=(2, 1))


def with_segments(*segments):
    return tiny[:2] + b"".join(segments) + tiny[2:]


def parts(size):
    pieces = [icc[i:i + size] for i in range(0, len(icc), size)]
    return [segment(0xE2, b"ICC_PROFILE\0" + bytes([i + 1, len(pieces)]) + p) for i, p in enumerate(pieces)]


save("decode", "jpeg_exif", with_segments(segment(0xE1, b"Exif\0\0" + tiff(True, 6))))
save("decode", "jpeg_exif_little", with_segments(segment(0xE1, b"Exif\0\0" + tiff(False, 8))))
save("decode", "jpeg_xmp", with_segments(segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0<x/>")))
save("decode", "jpeg_more_xmp", with_segments(segment(0xE1, b"http://ns.adobe.com/xmp/extension/\0<x/>")))
save("decode", "jpeg_icc", with_segments(*parts(1000)))
save("decode", "jpeg_icc_parts", with_segments(*reversed(parts(90))))
save("decode", "jpeg_icc_missing", with_segments(*parts(90)[:-1]))
save("decode", "jpeg_comment", with_segments(segment(0xFE, b"words"), segment(0xED, b"Photoshop 3.0\0x"), segment(0xE2, b"MPF\0x"), segment(0xE9, b"x")))
save("decode", "jpeg_adobe_cmyk", with_segments(segment(0xEE, b"Adobe\0\x64\0\0\0\0\2")))
save("decode", "jpeg_two_pictures", tiny + tiny)
save("decode", "jpeg_cut", kinds["plain"][:-30])
save("decode", "jpeg_no_tables", tiny.replace(b"\xff\xc4", b"\xff\xe9"))
four = bytearray(jpeg("-sample", "1x1", size=(8, 8)))  # three components become four: CMYK, cut off
at = four.index(b"\xff\xc0")
save("decode", "jpeg_cmyk", bytes(four[:at + 2]) + struct.pack(">H", 20) + bytes(four[at + 4:at + 9]) + b"\4" + bytes(four[at + 10:at + 19]) + b"\4\x11\1" + bytes(four[at + 19:]))

# --- TIFF and WebP ----------------------------------------------------------------------------------
def tiff_picture(big=False, width=6, height=5, bits=8, samples=1, photometric=1, rows=3, tile=0, planar=1, kind=1, packing=1, data=None, **more):
    """more: tag numbers, as t338=(type, values)."""
    e = ">" if big else "<"
    planes, each = (samples, 1) if planar == 2 else (1, samples)
    side = (tile, tile) if tile else (width, rows)
    blocks = planes * -(-height // side[1]) * -(-width // side[0])
    block = noise((side[0] * each * bits + 7) // 8 * side[1]) if data is None else data
    tags = {256: (4, [width]), 257: (4, [height]), 258: (3, [bits] * samples), 259: (3, [packing]), 262: (3, [photometric]), 277: (3, [samples]),
            284: (3, [planar]), 339: (3, [kind] * samples), 324 if tile else 273: (4, [8 + len(block) * i for i in range(blocks)]),
            325 if tile else 279: (4, [len(block)] * blocks)}
    tags.update({322: (4, [tile]), 323: (4, [tile])} if tile else {278: (4, [rows])})
    tags.update({int(k[1:]): v for k, v in more.items()})
    first = 8 + len(block) * blocks
    behind, entries = b"", b""
    for tag, (form, values) in sorted(tags.items()):
        packed = values if isinstance(values, bytes) else struct.pack(e + {3: "H", 4: "I"}[form] * len(values), *values)
        if len(packed) > 4:
            where, behind = first + 2 + 12 * len(tags) + 4 + len(behind), behind + packed
            packed = struct.pack(e + "I", where)
        entries += struct.pack(e + "HHI", tag, form, len(values)) + packed.ljust(4, b"\0")
    return ((b"MM\0*" if big else b"II*\0") + struct.pack(e + "I", first) + block * blocks + struct.pack(e + "H", len(tags)) + entries +
            bytes(4) + behind)


for bits in (1, 2, 4, 8, 12, 16):
    save("decode", f"tiff_gray_{bits}", tiff_picture(bits=bits))
    save("decode", f"tiff_white_{bits}", tiff_picture(bits=bits, photometric=0, big=True))
for samples, extra in ((3, None), (4, 0), (4, 1), (4, 2), (5, 2)):
    more = {} if extra is None else {"t338": (3, [extra] * (samples - 3))}
    save("decode", f"tiff_rgb_{samples}_{extra}", tiff_picture(samples=samples, photometric=2, **more))
    save("decode", f"tiff_planes_{samples}_{extra}", tiff_picture(samples=samples, photometric=2, planar=2, bits=16, **more))
    save("decode", f"tiff_tiles_{samples}_{extra}", tiff_picture(samples=samples, photometric=2, tile=16, big=True, **more))
save("decode", "tiff_palette", tiff_picture(bits=4, photometric=3, t320=(3, list(range(0, 48 * 1300, 1300)))))
save("decode", "tiff_cmyk", tiff_picture(samples=4, photometric=5))
save("decode", "tiff_ycbcr", tiff_picture(samples=3, photometric=6, t530=(3, [1, 1])))
save("decode", "tiff_lab", tiff_picture(samples=3, photometric=8))
for kind, bits in ((3, 16), (3, 32), (3, 64), (2, 8), (2, 16), (2, 32), (1, 32), (1, 64), (2, 64), (6, 64)):
    save("decode", f"tiff_numbers_{kind}_{bits}", tiff_picture(kind=kind, bits=bits))
for bits in (16, 32, 64):
    for extra in (1, 2):
        save("decode", f"tiff_light_{bits}_{extra}", tiff_picture(kind=3, bits=bits, samples=4, photometric=2, t338=(3, [extra])))
    save("decode", f"tiff_light_planes_{bits}", tiff_picture(kind=3, bits=bits, samples=3, photometric=2, planar=2, big=True))
    save("decode", f"tiff_light_tiles_{bits}", tiff_picture(kind=3, bits=bits, samples=2, tile=16, t338=(3, [2])))
save("decode", "tiff_no_data", tiff_picture(kind=3, bits=32, t42113=(2, b"-9999\0")))
packed_rows = zlib.compress(bytes(18))
for packing, data in ((5, b"\x80\0\x20\x50\x38\x24\x16\x0d\x07\x80"), (8, packed_rows), (32773, b"\xef\1"), (3, b"\0\x10\1"), (4, b"\x26\xa0"), (7, tiny)):
    save("decode", f"tiff_packed_{packing}", tiff_picture(packing=packing, data=data, bits=1 if packing in (3, 4) else 8))
save("decode", "tiff_predictor", tiff_picture(packing=8, data=packed_rows, t317=(3, [2])))
save("decode", "tiff_notes", tiff_picture(samples=3, photometric=2, t34675=(7, icc), t700=(1, b"<x:xmpmeta/>"), t274=(3, [6]), t271=(2, b"Maker\0"), t34665=(4, [8])))
save("decode", "tiff_ring", tiff_picture().replace(bytes(4) + b"\0", struct.pack("<I", 8) + b"\0", 1))
save("decode", "tiff_huge", tiff_picture(width=2**31, height=2**31, data=b"x" * 9, rows=2**31))
save("decode", "tiff_cut", tiff_picture()[:-9])
for name, colour, options in (("tif", 6, ["--compression", "1"]), ("webp", 2, ["--quality", "100"]), ("webp", 6, ["--quality", "80"]),
                              ("webp", 6, ["--quality", "100"])):
    save("scratch", "in.png", png(9, 6, 8, colour, b"".join(v for k, v in notes.items() if k in ("icc", "exif", "xmp"))))
    if subprocess.run([satblur, f"{folder}/scratch/in.png", f"{folder}/scratch/out.{name}", "--radius", "0", "--quiet", *options]).returncode == 0:
        with open(f"{folder}/scratch/out.{name}", "rb") as made:
            save("decode", f"{name}_{colour}_{options[1]}", made.read())
shutil.rmtree(f"{folder}/scratch")

# --- The others -----------------------------------------------------------------------------------
text = subprocess.run([satblur, "--help=all"], stdout=subprocess.PIPE, check=True).stdout.decode()
values = ["1", "2.5,3", "0.5", "2.5m", "1,inf", "12,0", "a.png", "auto", "layered", "gather", "spread", "disc", "square", "smooth", "linear",
          "black", "fill", "wrap", "cuda:all", "json", "2/8", "jpg", "100M", "slurm", "nan", "-1", "stb"]
for i, name in enumerate(sorted({w.split("=")[0].split("[")[0] for w in text.split() if w.startswith("--")})):
    save("args", f"one_{i}", "\n".join(["a.png", "b.png", name, values[i % len(values)]]).encode())
for i, line in enumerate((
        "a.png b.png --depth d.png", "a.png b.png --depth d --fstop 2 --focal 50 --distance 1,8 --focus 2.5m",
        "a.png b.png --depth d --near black --depth-type linear --depth-range 10,200 --max-radius 30 --focus-range 0.1",
        "in out --depth-dir d --depth-suffix _z --suffix _b --format jpg --jobs 3 --recursive --resume --report r --shard 2/8",
        "--radius=2.5 -- --in.png -out.png", "a b --radius-map m --max-radius 1", "a --stats=json --histogram h.svg",
        "out --files-from - --radius 3,0.25", "a b --radius 1 --max-pixels 1.5G --codec stb --device cuda:3 --threads 7",
        "a b --depth d --dump-coc c.pgm --method gather --bokeh square --near-scale 0 --far-scale 2",
        "a b --depth d --highlights 8.5", "a b --dept d", "a b -radius 3", "a b --verify=yes", "--help", "-h --version",
        "a --depth d --focus-view v.jpg", "a b --tilt-shift -12.5,0.6,0.2", "a b --dof-preset miniature",
        "a b --depth d --dof-preset cine --method gather --max-radius 3%", "a b --depth d --focus-plane 1,2,30,4,5,60",
        "a b --depth d --focus-plane 1,2,0.1,30,4,0.2,5,60,1")):
    save("args", f"line_{i}", line.replace(" ", "\n").encode())

line = b"0123456789abcdef 12 3456 1700000000.000000001 0 -1 0.000000000 789 1700000001.000000002 sub/a%20b.png"
save("lists", "line", b"\0" + line)
save("lists", "line_damaged", b"\0" + line.replace(b" 12 ", b" 12345678901234567890 "))
save("lists", "line_escapes", b"\0" + line + b"%%%2%0a%00%zz")
save("lists", "entry", b"\1" + noise(28) + b"a b\n%.png")
save("lists", "names", b"\2a.jpg\n./b.png\n../c.png\n/d.png\na/../b\n\n\nsub/e.JPEG\na_depth.png\na.png\na.depth.png\n")
save("lists", "names_nul", b"\2a.jpg\0b\nc.png\0\0")
save("lists", "names_no_end", b"\2a.jpg")
for i, shard in enumerate((b"1/1", b"2/8", b"3/2", b"16777216/16777216", b"/", b"1/2/3", b"1e1/9")):
    save("lists", f"shard_{i}", b"\3" + shard)

for i in range(40):
    save("operations", f"noise_{i}", bytes([i % 8]) + noise(150, i * 7919))
    save("arrays", f"noise_{i}", bytes([i % 4, i // 4 % 4]) + noise(60, i * 104729))
    save("jpeg", f"noise_{i}", bytes([i * 5 % 100, i % 2, i * 3 % 64, i * 7 % 64, i % 4]) + noise(120, i * 31))
    save("entropy", f"noise_{i}", bytes([i % 6]) + noise(20 * (i + 1), i * 65537))
    save("heif", f"noise_{i}", noise(30 * (i + 1), i * 31337))
    save("jxl", f"noise_{i}", bytes([i % 6]) + noise(10 * (i % 12), i * 31337))
# A sound picture of each kind, two that refer to each other, a grid and an overlay: see heif.c
for i, items in enumerate((b"\0", b"\1", b"\2\4\1\1\0", b"\3\4\1\2\1", b"\4\4\2\1\1\0\0", b"\2\4\1\0\2\4\1\0")):
    save("heif", f"items_{i}", bytes([0, len(items) % 5]) + items * 4)
