"""Writes the depth maps of a clip as numpy saves them, in one array and in a file each: clip_maps.py FOLDER

Prints "numpy", and ends with status 3 where it is missing."""
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
for name in ("f4.npy", "f4_stored.npz", "f4_packed.npz"):
    whole = open(name, "rb").read()
    open("cut_" + name, "wb").write(whole[: len(whole) * 2 // 3])
for name in ("f4_stored.npz", "f4_packed.npz"):
    whole = bytearray(open(name, "rb").read())
    whole[len(whole) // 2] ^= 64
    open("bad_" + name, "wb").write(whole)
head = b"{'descr': '<f4', 'fortran_order': False, 'shape': (99999999, 40000, 40000), }"
open("claims.npy", "wb").write(b"\x93NUMPY\1\0" + bytes([len(head), 0]) + head + bytes(1000))
print("numpy")
