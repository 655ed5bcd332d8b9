"""Writes the depth maps of a clip as numpy saves them, in one array and in a file each: clip_maps.py FOLDER

Prints the libraries that it used, and ends with status 3 where numpy is missing."""
import os
import sys

try:
    import numpy as np
except ImportError:
    sys.exit(3)
os.chdir(sys.argv[1])
T, H, W = 6, 48, 64
y, x = np.mgrid[:H, :W]
maps = np.stack([np.hypot(x - 10 * t, y - 20) / 8 + 0.5 * t for t in range(T)]).astype(np.float32)
maps[2, 5:9, 5:9] = np.nan
kinds = {
    "f4": maps,
    "f2": maps.astype(np.float16),
    "f8": maps.astype(">f8"),
    "u1": np.nan_to_num(maps * 8).astype(np.uint8),
    "u2": np.nan_to_num(maps * 2000).astype(np.uint16),
}
for name, array in kinds.items():
    np.save(name + ".npy", array)
    os.mkdir(name)
    for t in range(T):
        np.save(f"{name}/00{t + 1}.npy", array[t])
for name in "f4", "u1":
    np.savez(name + "_stored.npz", depths=kinds[name])
for name in "f4", "f2", "u2":
    np.savez_compressed(name + "_packed.npz", depths=kinds[name])  # as Video Depth Anything does
np.savez_compressed("crafter.npz", depth=maps)  # as DepthCrafter does
np.savez_compressed("keys.npz", a=maps[:, ::-1], b=maps, fps=np.array(24.0))
np.savez_compressed("only.npz", predictions=maps, fps=np.array(24.0), times=np.arange(T))
np.save("channel.npy", maps[..., None])
np.save("one.npy", maps[:1])
np.savez("five.npz", depths=maps[:5])
np.save("columns.npy", np.asfortranarray(maps))
np.save("complex.npy", maps.astype(np.complex64))
np.save("four.npy", np.stack([maps, maps]))
np.save("empty.npy", maps[:0])
np.save("unknown.npy", np.full_like(maps, np.nan))
hidden = maps.copy()
hidden[3] = np.nan
np.save("hidden.npy", hidden)
for name in ("f4.npy", "f4_stored.npz", "f4_packed.npz"):
    whole = open(name, "rb").read()
    open("cut_" + name, "wb").write(whole[: len(whole) * 2 // 3])
for name in ("f4_stored.npz", "f4_packed.npz"):
    whole = bytearray(open(name, "rb").read())
    whole[len(whole) // 2] ^= 64
    open("bad_" + name, "wb").write(whole)
ends = maps[np.isfinite(maps)]
open("range", "w").write(f"{float(ends.min())!r},{float(ends.max())!r}")
metres = np.where(np.isnan(maps), 0, 1 + maps).astype(np.float32)
metres[4, :5] = np.inf
np.save("metres.npy", metres)
open("range_metres", "w").write(f"{float(metres[metres > 0].min())!r},inf")
ends = np.floor(np.percentile(kinds["u1"], [5, 95], method="nearest"))
open("range_codes", "w").write(f"{ends[0]:.0f},{ends[1]:.0f}")
used = ["numpy"]
try:
    import tifffile

    os.mkdir("tiff")
    for t in range(T):
        tifffile.imwrite(f"tiff/00{t + 1}.tif", maps[t])
    used.append("tifffile")
except ImportError:
    pass
try:
    import OpenEXR

    os.mkdir("exr")
    for t in range(T):
        with OpenEXR.File({"compression": OpenEXR.ZIP_COMPRESSION, "type": OpenEXR.scanlineimage}, {"V": maps[t]}) as f:
            f.write(f"exr/00{t + 1}.exr")
    used.append("OpenEXR")
except (ImportError, AttributeError):
    pass
os.mkdir("pfm")
for t in range(T):
    open(f"pfm/00{t + 1}.pfm", "wb").write(b"Pf\n%d %d\n-1\n" % (W, H) + maps[t, ::-1].astype("<f4").tobytes())
os.mkdir("u2pgm")
os.mkdir("u1pgm")
for t in range(T):
    code = (maps[t] * 1000 + 1000) * np.isfinite(maps[t])
    open(f"u2pgm/00{t + 1}.pgm", "wb").write(b"P5\n%d %d\n65535\n" % (W, H) + np.nan_to_num(code).astype(">u2").tobytes())
    open(f"u1pgm/00{t + 1}.pgm", "wb").write(b"P5\n%d %d\n255\n" % (W, H) + kinds["u1"][t].tobytes())
head = b"{'descr': '<f4', 'fortran_order': False, 'shape': (99999999, 40000, 40000), }"
open("claims.npy", "wb").write(b"\x93NUMPY\1\0" + bytes([len(head), 0]) + head + bytes(1000))
print(*used)
