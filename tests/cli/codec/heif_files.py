#!/usr/bin/env python3
"""Puts HEIC and AVIF files together out of coded pictures:    heif_files.py FOLDER
FOLDER has pictures that satblur wrote; tests/cli/codec/cli_heif_graph.sh makes them and knows the files that come."""
import struct
import sys


def box(kind, *data):
    data = b"".join(data)
    return struct.pack(">I", 8 + len(data)) + kind + data


def full(kind, version, *data, flags=0):
    return box(kind, struct.pack(">I", version << 24 | flags), *data)


def boxes(data):
    at = 0
    while at + 8 <= len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        yield kind, data[at + 8:at + size]
        at += size


class Coded:
    """The only picture of a file: its configuration and its data."""

    def __init__(self, path):
        whole = open(path, "rb").read()
        meta = dict(boxes(dict(boxes(whole))[b"meta"][4:]))
        properties = list(boxes(dict(boxes(meta[b"iprp"]))[b"ipco"]))
        self.kind = b"av01" if any(k == b"av1C" for k, _ in properties) else b"hvc1"
        self.name = b"av1C" if self.kind == b"av01" else b"hvcC"
        self.config = next(d for k, d in properties if k == self.name)
        self.width, self.height = struct.unpack(">II", next(d for k, d in properties if k == b"ispe")[4:12])
        self.data = dict(boxes(whole))[b"mdat"]

    def properties(self, width=0, height=0):
        return [ispe(width or self.width, height or self.height), box(self.name, self.config)]


def ispe(width, height):
    return full(b"ispe", 0, struct.pack(">II", width, height))


def nclx(is_full):
    return box(b"colr", b"nclx", struct.pack(">HHHB", 1, 13, 6, 0x80 if is_full else 0))


def alpha():
    return full(b"auxC", 0, b"urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0")


def depth():
    return full(b"auxC", 0, b"urn:mpeg:mpegB:cicp:systems:auxiliary:depth\0")


def grid(columns, rows, width, height):
    return struct.pack(">BBBBHH", 0, 0, rows - 1, columns - 1, width, height)


def overlay(count, width, height):
    return struct.pack(">BB4H", 0, 0, 0, 0, 0, 65535) + struct.pack(">HH", width, height) + bytes(4 * count)


class File:
    """Items in their order; ids count from 1, and the first one is the primary picture."""

    def __init__(self):
        self.items, self.references, self.at = [], [], {}

    def add(self, kind, data=b"", properties=(), **references):
        """Returns the id. references: kind=[ids]."""
        self.items.append((kind, data, list(properties)))
        self.references += [(k.encode(), len(self.items), ids) for k, ids in references.items()]
        return len(self.items)

    def add_coded(self, coded, *more, width=0, height=0, **references):
        return self.add(coded.kind, coded.data, coded.properties(width, height) + list(more), **references)

    def write(self, path):
        data, places, order = b"", [], []
        for _, d, _ in self.items:
            places.append(data.find(d) if d in data else len(data))
            data += b"" if d in data else d
        shared = {}
        for _, _, properties in self.items:
            for p in properties:
                shared.setdefault(p, len(shared) + 1)
        lists = b"".join(struct.pack(">HB", i + 1, len(ps)) + b"".join(struct.pack(">H", shared[p]) for p in ps)
                         for i, (_, _, ps) in enumerate(self.items))
        infe = b"".join(full(b"infe", 2, struct.pack(">HH", i + 1, 0), kind, b"\0") for i, (kind, _, _) in enumerate(self.items))
        iref = b"".join(box(k, struct.pack(">HH", a, len(ids)), struct.pack(f">{len(ids)}H", *ids)) for k, a, ids in self.references)

        def head(start):
            iloc = b"".join(struct.pack(">HHHII", i + 1, 0, 1, start + places[i], len(d)) for i, (_, d, _) in enumerate(self.items))
            return box(b"ftyp", b"mif1\0\0\0\0mif1heicavif") + full(
                b"meta", 0, full(b"hdlr", 0, b"\0\0\0\0pict", bytes(13)), full(b"pitm", 0, struct.pack(">H", 1)),
                full(b"iloc", 0, struct.pack(">HH", 0x4400, len(self.items)), iloc),
                full(b"iinf", 0, struct.pack(">H", len(self.items)), infe),
                full(b"iref", 0, iref) if iref else b"",
                box(b"iprp", box(b"ipco", *shared), full(b"ipma", 0, struct.pack(">I", len(self.items)), lists, flags=1)))

        start = len(head(0)) + 8
        with open(path, "wb") as to:
            to.write(head(start) + box(b"mdat", data))


def rings(folder, coded):
    f = File()
    f.add(b"iden", b"", [ispe(28, 20)], dimg=[1])
    f.write(f"{folder}/ring_self.heic")
    f = File()
    f.add(b"iden", b"", [ispe(28, 20)], dimg=[2])
    f.add(b"iden", b"", [ispe(28, 20)], dimg=[1])
    f.write(f"{folder}/ring_of_2.heic")
    f = File()
    for to in 2, 1:
        f.add(b"grid", grid(1, 1, 64, 64), [ispe(64, 64)], dimg=[to])
    f.write(f"{folder}/ring_grids.heic")
    f = File()
    f.add_coded(coded, alpha(), auxl=[2])
    f.add_coded(coded, alpha(), auxl=[1])
    f.write(f"{folder}/ring_alphas.heic")


def overlays(folder, coded, ending):
    levels, f = 8, File()
    for i in range(levels):
        f.add(b"iovl", overlay(10, 64, 64), [ispe(64, 64)], dimg=[i + 2] * 10)
    f.add_coded(coded)
    f.write(f"{folder}/levels.{ending}")
    for name, count, side in ("few", 4, 64), ("many", 1000, 64):
        f = File()
        f.add(b"iovl", overlay(count, side, side), [ispe(side, side)], dimg=[2] * count)
        f.add_coded(coded)
        f.write(f"{folder}/overlay_{name}.{ending}")


def sizes(folder, small, large, ending):
    f = File()
    f.add_coded(large, width=28, height=20)
    f.write(f"{folder}/codes_more.{ending}")
    f = File()
    f.add_coded(small)
    f.add_coded(large, alpha(), auxl=[1])
    f.write(f"{folder}/large_alpha.{ending}")
    f = File()
    f.add(b"grid", grid(1, 1, 8000, 8000), [ispe(64, 64)], dimg=[2])
    f.add_coded(small)
    f.write(f"{folder}/large_grid.{ending}")
    f = File()
    f.add(b"iovl", overlay(50, large.width, large.height), [ispe(large.width, large.height)], dimg=[2] * 50)
    f.add_coded(large)
    f.write(f"{folder}/overlay_large.{ending}")
    f = File()
    f.add_coded(small)
    f.add_coded(large, depth(), width=28, height=20, auxl=[1])
    f.write(f"{folder}/large_depth.{ending}")


def outside(folder, coded, ending):
    f = File()
    f.add(b"iovl", overlay(0, 64, 64) + struct.pack(">hh", -8, 0), [ispe(64, 64)], dimg=[2])
    f.add_coded(coded)
    f.write(f"{folder}/overlay_outside.{ending}")


def part_alphas(folder, small, large, ending):
    for name, kind, data in ("tile", b"grid", grid(1, 1, large.width, large.height)), ("layer", b"iovl", overlay(1, large.width, large.height)):
        f = File()
        f.add(kind, data, [ispe(large.width, large.height)], dimg=[2])
        f.add_coded(large)
        f.add_coded(small, alpha(), width=large.width, height=large.height, auxl=[2])
        f.write(f"{folder}/{name}_alpha.{ending}")


def counts(folder, coded, ending):
    f = File()
    for _ in range(4000):
        f.add_coded(coded)
    f.write(f"{folder}/items.{ending}")


def sound(folder, coded, ending):
    """As phones write them: tiles, and a turn of them; a burst."""
    f = File()
    f.add(b"iden", b"", [ispe(180, 120), box(b"irot", b"\1")], dimg=[2])
    f.add(b"grid", grid(3, 2, 180, 120), [ispe(180, 120)], dimg=list(range(3, 9)))
    for _ in range(6):
        f.add_coded(coded)
    f.write(f"{folder}/tiles.{ending}")
    f = File()
    for _ in range(3):
        f.add_coded(coded)
    f.write(f"{folder}/burst.{ending}")


def header_range(data):
    """Returns the data with the range bit of its reduced sequence header cleared."""
    out, at = bytearray(data), 0
    assert data[at] >> 3 & 15 == 2 or data[at] >> 3 & 15 == 1
    while data[at] >> 3 & 15 != 1:
        at += 2 + data[at + 1]
    bits = int.from_bytes(data[at + 2:at + 2 + data[at + 1]], "big")
    count = 8 * data[at + 1]
    place = [0]

    def take(n):
        place[0] += n
        return bits >> count - place[0] & (1 << n) - 1

    take(4)
    if take(1):
        take(5)
    else:
        assert take(1) == 0
        assert take(1) == 0 and take(5) == 0
        take(12)
        if take(5) > 7:
            take(1)
    wide, high = take(4) + 1, take(4) + 1
    take(wide + high)
    reduced = bits >> count - 5 & 1
    if not reduced:
        assert take(1) == 0
    take(3)
    if not reduced:
        take(4)
        order = take(1)
        take(2 if order else 0)
        if (take(1) or take(1)) and not take(1):
            take(1)
        take(3 if order else 0)
    take(3)
    deep = take(1)
    if bits >> count - 3 == 2 and deep:
        take(1)
    assert take(1) == 1, "gray"
    take(24 if take(1) else 0)
    assert take(1) == 1
    index = place[0] - 1
    out[at + 2 + index // 8] &= ~(0x80 >> index % 8)
    return bytes(out)


def ranges(folder, name, ending):
    """Gray of limited range: by the file's word, or by the coded picture's."""
    coded = Coded(f"{folder}/{name}.{ending}")
    f = File()
    f.add_coded(coded, nclx(False))
    f.write(f"{folder}/{name}_by_file.{ending}")
    f = File()
    f.add(b"grid", grid(1, 1, coded.width, coded.height), [ispe(coded.width, coded.height), nclx(False)], dimg=[2])
    f.add_coded(coded, nclx(False))
    f.write(f"{folder}/{name}_grid.{ending}")
    f = File()
    f.add(b"iden", b"", [ispe(coded.width, coded.height)], dimg=[2])
    f.add_coded(coded, nclx(False))
    f.write(f"{folder}/{name}_iden.{ending}")
    if coded.kind == b"av01":
        for word in "full", "by_header":
            if word == "by_header":
                coded.data, coded.config = header_range(coded.data), coded.config[:4]
            f = File()
            f.add_coded(coded, box(b"irot", b"\1"))
            f.write(f"{folder}/{name}_turned_{word}.{ending}")


def main(folder):
    for ending in "heic", "avif":
        small, large = Coded(f"{folder}/small.{ending}"), Coded(f"{folder}/large.{ending}")
        overlays(folder, small, ending)
        sizes(folder, small, large, ending)
        outside(folder, small, ending)
        part_alphas(folder, small, large, ending)
        counts(folder, small, ending)
        sound(folder, small, ending)
        for name in "studio8", "studio16":
            ranges(folder, name, ending)
        if ending == "heic":
            rings(folder, small)


if __name__ == "__main__":
    main(sys.argv[1])
