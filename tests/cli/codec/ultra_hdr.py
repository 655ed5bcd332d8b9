"""Photos with gain maps as phones write them: Ultra HDR JPEGs put together of two JPEGs, and the numbers of others."""
import struct

HDRGM = "http://ns.adobe.com/hdr-gain-map/1.0/"
ISO = b"urn:iso:std:iso:ts:21496:-1\0"
XMP = b"http://ns.adobe.com/xap/1.0/\0"


class Gain:
    """Numbers of a map, three of each: log2 of the gain at the smallest and the largest code, gamma, and offsets."""
    def __init__(self, least=0.0, most=3.0, gamma=1.0, base=1 / 64, light=1 / 64, dark=0.0, bright=3.0):
        self.least, self.most, self.gamma, self.base, self.light = ([float(x) for x in v] if hasattr(v, "__len__") else [float(v)] * 3
                                                                    for v in (least, most, gamma, base, light))
        self.dark, self.bright = dark, bright

    def rows(self):
        return dict(GainMapMin=self.least, GainMapMax=self.most, Gamma=self.gamma, OffsetSDR=self.base, OffsetHDR=self.light)

    def is_plain(self):
        return all(v == [v[0]] * 3 for v in self.rows().values())


def segment(marker, data):
    return struct.pack(">BBH", 0xFF, marker, len(data) + 2) + data


def packet(inner):
    return (f'<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">{inner}'
            "</rdf:RDF></x:xmpmeta>").encode()


def xmp_of(gain, **more):
    def row(name, v):
        if v == [v[0]] * 3:
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


def apple_notes(headroom, gain):
    """EXIF whose maker's notes have Apple's numbers 33 and 48."""
    notes = b"Apple iOS\0\0\1MM" + struct.pack(">H", 3) + struct.pack(">HHIi", 1, 9, 1, 14)
    at = len(notes) + 24 + 4
    notes += struct.pack(">HHII", 33, 10, 1, at) + struct.pack(">HHII", 48, 10, 1, at + 8) + bytes(4)
    notes += struct.pack(">ii", round(headroom * 10000), 10000) + struct.pack(">ii", round(gain * 10000), 10000)
    first = b"MM\0*" + struct.pack(">IH", 8, 1) + struct.pack(">HHII", 0x8769, 4, 1, 26) + bytes(4)
    return first + struct.pack(">H", 1) + struct.pack(">HHII", 0x927C, 7, len(notes), 44) + bytes(4) + notes


def apple_joined(first, behind, exif, headroom=None):
    """A JPEG with Apple's map. headroom: in the map's XMP."""
    given = f' xmlns:HDRGainMap="http://ns.apple.com/HDRGainMap/1.0/" HDRGainMap:HDRGainMapVersion="131072" HDRGainMap:HDRGainMapHeadroom="{headroom}"'
    xmp = packet('<rdf:Description rdf:about="" xmlns:apdi="http://ns.apple.com/pixeldatainfo/1.0/"'
                 f' apdi:AuxiliaryImageType="urn:com:apple:photo:2020:aux:hdrgainmap"{given if headroom else ""}/>')
    return first[:2] + segment(0xE1, b"Exif\0\0" + exif) + first[2:] + behind[:2] + segment(0xE1, XMP + xmp) + behind[2:]


def index_of(sizes, before):
    """MPF; before: bytes of the first picture before the segment."""
    entries = struct.pack(">IIIHH", 0x030000, sizes[0], 0, 0, 0) + struct.pack(">IIIHH", 0, sizes[1], max(0, sizes[0] - before - 8), 0, 0)
    return (b"MPF\0MM\0*" + struct.pack(">I", 8) + struct.pack(">H", 3) + struct.pack(">HHI4s", 0xB000, 7, 4, b"0100") +
            struct.pack(">HHII", 0xB001, 4, 1, 2) + struct.pack(">HHII", 0xB002, 7, 32, 50) + struct.pack(">I", 0) + entries)


def joined(first, behind, gain, kinds=("xmp",), more={}, iso={}):
    """The JPEG of the base, and that of the map behind it; kinds: of the numbers."""
    head = segment(0xE1, XMP + xmp_of(gain, **more)) if "xmp" in kinds else b""
    head += segment(0xE2, ISO + iso_of(gain, **iso)) if "iso" in kinds else b""
    behind = behind[:2] + head + behind[2:]
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
