"""Small pictures, put together byte by byte, so that what the tests read was not written by the program."""
import struct, zlib


def noise(size, state=1):
    out = bytearray()
    while len(out) < size:
        state = (state * 1664525 + 1013904223) & 0xFFFFFFFF
        out.append(state >> 24)
    return bytes(out)


# --- PNG ------------------------------------------------------------------------------------------
def chunk(kind, data=b""):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width, height, depth, colour, extra=b"", interlace=0, filters=range(5), level=9, seed=0):
    channels = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[colour]
    passes = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
    rows = b""
    for x, y, dx, dy in passes if interlace else [(0, 0, 1, 1)]:
        w, h = -(-(width - x) // dx), -(-(height - y) // dy)
        for row in range(h if w > 0 else 0):
            size = (w * channels * depth + 7) // 8
            pixels = noise(size, seed + row) if colour != 3 else bytes(size)
            rows += bytes([list(filters)[row % len(list(filters))]]) + pixels
    head = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, interlace)
    palette = chunk(b"PLTE", noise(9, seed + 1)[:3 << depth]) if colour == 3 else b""
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + extra + palette +
            chunk(b"IDAT", zlib.compress(rows, level)) + chunk(b"IEND"))


def tiff(big, orientation):
    e = ">" if big else "<"
    order = b"MM\0*" if big else b"II*\0"
    second = 8 + 2 + 24 + 4
    return (order + struct.pack(e + "IH", 8, 2) +
            struct.pack(e + "HHIHH", 0x112, 3, 1, orientation, 0) + struct.pack(e + "HHII", 0x11a, 5, 1, second) +
            struct.pack(e + "I", second) + struct.pack(e + "H", 2) + struct.pack(e + "HHII", 0x201, 4, 1, second + 30) +
            struct.pack(e + "HHII", 0x202, 4, 1, 4) + struct.pack(e + "I", 0) + b"\xff\xd8\xff\xd9")


# --- BMP ------------------------------------------------------------------------------------------
def bmp(bits, compression=0, height=3, head=40, pixels=None, masks=b"", colours=0, width=5, seed=1):
    palette = noise(4 * (colours or (1 << bits if bits <= 8 else 0)))
    row = (width * bits + 31) // 32 * 4
    pixels = noise(row * abs(height), seed) if pixels is None else pixels
    info = struct.pack("<IiiHHIIiiII", head, width, height, 1, bits, compression, 0, 0, 0, colours, 0)
    if head == 12:
        info = struct.pack("<IHHHH", 12, width, height, 1, bits)
        palette = noise(3 << bits) if bits <= 8 else b""
    info += masks + bytes(max(0, head - 40 - len(masks)))
    at = 14 + len(info) + len(palette)
    return struct.pack("<2sIHHI", b"BM", at + len(pixels), 0, 0, at) + info + palette + pixels


# --- TGA ------------------------------------------------------------------------------------------
def tga(kind, bits, pixels, descriptor=0, palette=b"", palette_bits=0, word=b""):
    count = len(palette) // ((palette_bits + 7) // 8) if palette else 0
    return struct.pack("<BBBHHBHHHHBB", len(word), palette != b"", kind, 0, count, palette_bits, 0, 0, 4, 3, bits, descriptor) + word + palette + pixels


# --- JPEG -----------------------------------------------------------------------------------------
def segment(marker, data):
    return struct.pack(">BBH", 0xFF, marker, len(data) + 2) + data




class Bits:
    """Packed samples: FF is followed by 0."""

    def __init__(self):
        self.value, self.count = 0, 0

    def put(self, value, count):
        self.value, self.count = self.value << count | value, self.count + count

    def bytes(self):
        fill = -self.count % 8
        whole = (self.value << fill | (1 << fill) - 1).to_bytes((self.count + fill) // 8, "big")
        return whole.replace(b"\xff", b"\xff\0")


def jpeg(width, height, components=3, halves=False, progressive=False, restarts=False, extra=b"", seed=1, frame=None):
    """Blocks of one colour each: of every block there is the mean alone. A mean's size is coded in 4 bits, that there
    is nothing else in 1. 4 components: CMYK, as Adobe writes it. halves: colours of half the resolution."""
    side = 16 if halves else 8
    units = -(-width // side) * -(-height // side)
    blocks = [4 if halves and c == 0 else 1 for c in range(components)]  # in a unit
    means = iter(noise(units * sum(blocks), seed))
    pieces, bits, before = [], Bits(), [0] * components
    for unit in range(units):
        if restarts and unit:
            pieces, bits, before = pieces + [bits.bytes()], Bits(), [0] * components
        for c in [c for c in range(components) for _ in range(blocks[c])]:
            mean = next(means) // 2 - 64
            step, before[c] = mean - before[c], mean
            size = abs(step).bit_length()
            bits.put(size, 4)
            bits.put(step if step >= 0 else step + (1 << size) - 1, size)
            if not progressive:
                bits.put(0, 1)
    pieces.append(bits.bytes())
    scan = b"".join(p + (bytes([0xFF, 0xD0 + i % 8]) if i + 1 < len(pieces) else b"") for i, p in enumerate(pieces))
    shape = struct.pack(">BHHB", 8, height, width, components) + b"".join(
        bytes([c + 1, 0x22 if halves and c == 0 else 0x11, 0]) for c in range(components))
    tables = (segment(0xDB, bytes(1) + bytes([16] * 64)) + segment(0xC4, bytes(4) + b"\x0c" + bytes(12) + bytes(range(12))) +
              segment(0xC4, b"\x10\1" + bytes(15) + b"\0"))
    begin = bytes([components]) + b"".join(bytes([c + 1, 0]) for c in range(components))
    return (b"\xff\xd8" + extra + (segment(0xEE, b"Adobe\0\x64\0\0\0\0\0") if components == 4 else b"") + tables +
            (segment(0xDD, b"\0\1") if restarts else b"") + segment(frame or (0xC2 if progressive else 0xC0), shape) +
            segment(0xDA, begin + (b"\0\0\0" if progressive else b"\0\x3f\0")) + scan + b"\xff\xd9")
