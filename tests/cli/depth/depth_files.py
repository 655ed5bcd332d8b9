"""Writes depth maps by the libraries that people use, and maps of the codes that are expected: depth_files.py FOLDER

Needs numpy; cv2 and OpenEXR where they are installed. Prints the names of the libraries that it used."""
import struct
import sys
import os
import zlib

try:
    import numpy as np
except ImportError:
    sys.exit(3)
os.chdir(sys.argv[1])
W, H = 120, 80
y, x = np.mgrid[:H, :W]
metres = (1 + 9 * ((x + y) / (W + H - 2)) ** 2).astype(np.float32)
metres[20:40, 30:50] = 0.75


def png(name, codes):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + row.astype(">u2").tobytes() for row in codes)
    head = struct.pack(">IIBBBBB", codes.shape[1], codes.shape[0], 16, 0, 0, 0, 0)
    with open(name, "wb") as to:
        to.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def codes_of(q, first=0):
    z = (q - np.nanmin(q)) / (np.nanmax(q) - np.nanmin(q))
    return np.where(np.isnan(q), 0, np.floor(first + np.nan_to_num(z) * (65535 - first) + 0.5)).astype(np.uint16)


used = ["numpy"]
png("codes.png", codes_of(1 / metres.astype(np.float64)))
np.save("f4.npy", metres)
np.save("f8.npy", metres.astype(np.float64))
np.save("big.npy", metres.astype(">f4"))
np.save("columns.npy", np.asfortranarray(metres))
np.save("one.npy", metres[None])
np.save("last.npy", metres[..., None])
np.save("two.npy", np.stack([metres, metres]))
np.savez("stored.npz", depth=metres, other=np.zeros(3))
np.savez_compressed("deflated.npz", conf=1 / metres, depths=metres)
np.savez("first.npz", metres)
np.savez("names.npz", far=metres, near=1 / metres)
cameras = {"intrinsics": np.eye(3)[None], "extrinsics": np.eye(4)[None, :3]}
np.savez_compressed("da3.npz", depth=metres[None], conf=np.ones_like(metres)[None], **cameras)
np.savez("da3_clip.npz", depth=np.stack([metres, metres]), conf=np.ones((2, H, W), np.float32), **cameras)
with open("map.dpt", "wb") as to:
    to.write(struct.pack("<fii", 202021.25, W, H) + metres.tobytes())

half = metres.astype(np.float16)
np.save("f2.npy", half)
png("codes_half.png", codes_of(1 / half.astype(np.float64)))

relative = (metres.astype(np.float64) - 5).astype(np.float32)
np.save("relative.npy", relative)
png("codes_relative.png", codes_of(relative.astype(np.float64)))

holes = metres.copy()
holes[5:9, 5:9] = 0
holes[0, 0] = np.nan
holes[1, 0] = -1
holes[60:, 90:] = np.inf
holes[60:62, 80:90] = 1e10
np.save("holes.npy", holes)
q = np.where(holes > 0, 1 / np.where(holes > 0, np.minimum(holes, 1e30), 1).astype(np.float64), np.nan)
q[holes >= 1e9] = 0
png("codes_holes.png", codes_of(q, 1))

millimetres = np.rint(metres * 1000).astype(np.uint16)
millimetres[3:6, 3:6] = 0
png("millimetres.png", millimetres)
np.save("millimetres.npy", millimetres)
q = np.where(millimetres > 0, 1 / np.maximum(millimetres.astype(np.float64) / 1000, 1e-9), np.nan)
png("codes_millimetres.png", codes_of(q, 1))

try:
    import cv2
    cv2.imwrite("map.pfm", metres)
    used.append("cv2")
except ImportError:
    pass
try:
    import OpenEXR
    kinds = {"scan": OpenEXR.scanlineimage, "tiles": OpenEXR.tiledimage}
    for name, kind in kinds.items():
        head = {"compression": OpenEXR.ZIP_COMPRESSION, "type": kind}
        if name == "tiles":
            head["tiles"] = OpenEXR.TileDescription()
        OpenEXR.File(head, {"Z": OpenEXR.Channel(metres)}).write(name + ".exr")
    colours = {c: OpenEXR.Channel((metres * (i + 1)).astype(np.float32)) for i, c in enumerate("RGB")}
    OpenEXR.File({"type": OpenEXR.scanlineimage}, colours | {"ViewLayer.Depth.Z": OpenEXR.Channel(metres)}).write("blender.exr")
    OpenEXR.File({"type": OpenEXR.scanlineimage}, colours).write("colours.exr")
    OpenEXR.File({"type": OpenEXR.scanlineimage}, {"Z": OpenEXR.Channel(half)}).write("half.exr")
    inverse = (1 / metres / 2).astype(np.float32)
    inverse[:, :20] = 0
    OpenEXR.File({"type": OpenEXR.scanlineimage}, {"Z": OpenEXR.Channel(inverse)}).write("inverse.exr")
    share = (1 - inverse / 2).astype(np.float32)  # from 0 to 1, as distances that are scaled are; none is 0
    OpenEXR.File({"type": OpenEXR.scanlineimage}, {"Z": OpenEXR.Channel(share)}).write("share.exr")
    np.save("inverse.npy", inverse)
    used.append("OpenEXR")
except ImportError:
    pass
print(*used)
