#!/usr/bin/env python3
"""Hides a picture in metadata in every place and spelling, and looks for it in what satblur writes: previews.py SATBLUR FOLDER

FOLDER has base.png, base.jpg, and base.webp and base.tif where satblur writes those. The picture is a JPEG of random bytes. Each
output is searched as it is, inflated, without the zeros of UTF-16, and decoded from base64, hex, references and percent codes."""
import base64
import binascii
import html
import os
import random
import re
import struct
import subprocess
import sys
import urllib.parse
import zlib

satblur, folder = sys.argv[1:3]
read = lambda name: open(os.path.join(folder, name), 'rb').read()
noise = random.Random(5)
BODY = bytes(noise.choice([b for b in range(1, 255)]) for _ in range(1800))
WORDS = [BODY[i:i + 12] for i in range(0, len(BODY), 36)]
RAW = BODY * 2  # a picture without a form


def segment(marker, data):
    return struct.pack('>BBH', 0xff, marker, len(data) + 2) + data


def picture(before=1, first=b'\xff', fill=b''):
    """Returns a JPEG in form: segments, a scan."""
    segments = b''.join(fill + segment(0xe5, b'x%d' % i) for i in range(before))
    return first + b'\xd8' + segments + segment(0xda, b'\1\1\0\0\x3f\0') + BODY + b'\xff\xd9'


JPEG = picture()
KEPT = b'KEPT-MAKER'

# --- Looking ---------------------------------------------------------------------------------------


def inflated(data):
    yield data
    for found in re.finditer(b'\x78[\x01\x5e\x9c\xda]', data):
        try:
            yield zlib.decompressobj().decompress(data[found.start():])
        except zlib.error:
            pass


def decoded(data):
    yield data
    text = data.decode('latin-1')
    for _ in range(3):
        text = html.unescape(text)
    text = re.sub(r'<!\[CDATA\[|\]\]>|</?[\w:]+>|&#\w+;|\\n|\\(?=/)|\s', '', text)
    yield text.encode('latin-1', 'replace')
    yield urllib.parse.unquote_to_bytes(text)
    for found in re.finditer('[A-Za-z0-9+/_-]{16,}', text):
        word = found.group().replace('-', '+').replace('_', '/')
        for i in range(4):
            yield base64.b64decode(word[i:i + (len(word) - i) // 4 * 4])
    for found in re.finditer('[0-9a-fA-F]{24,}', text):
        for i in range(2):
            yield bytes.fromhex(found.group()[i:i + (len(found.group()) - i) // 2 * 2])


def shows(data, depth=1):
    """Returns whether a piece of the hidden picture can be found, in codes within codes as well."""
    for one in inflated(data):
        for form in {one, one.replace(b'\0', b'')}:
            for text in decoded(form):
                if any(word in text for word in WORDS):
                    return True
                if depth and len(text) > 200 and text != form and shows(text, depth - 1):
                    return True
    return False


# --- XMP -------------------------------------------------------------------------------------------
RDF = ('<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
       '<rdf:Description xmlns:tiff="http://ns.adobe.com/tiff/1.0/" tiff:Make="KEPT-MAKER" %s</rdf:Description></rdf:RDF></x:xmpmeta>')
GIMG = 'xmlns:%s="http://ns.adobe.com/xap/1.0/g/img/"'


def lines(text, end='\n'):
    return end.join(text[i:i + 76] for i in range(0, len(text), 76))


def cut(text, size, between=' '):
    return between.join(text[i:i + size] for i in range(0, len(text), size))


def codes():
    """Yields names and texts that are a picture in other codes and in short pieces, and what of them no output may have."""
    b64, hex_digits, b85 = base64.b64encode(BODY).decode(), BODY.hex(), base64.b85encode(BODY).decode()
    numbers = ','.join(str(b) for b in BODY)
    for size in (2, 4, 12, 30):
        yield 'base64_%d' % size, cut(b64, size), b64
        yield 'hex_%d' % size, cut(hex_digits, size), hex_digits
    yield 'base64_list', '["%s"]' % cut(b64, 30, '", "'), b64
    yield 'base64_breaks', cut(b64, 36, '\\n'), b64
    yield 'base85', b85, b85
    yield 'ascii85', base64.a85encode(BODY, wrapcol=72).decode(), base64.a85encode(BODY).decode()
    lines_of_45 = [binascii.b2a_uu(BODY[i:i + 45]).decode() for i in range(0, len(BODY), 45)]
    yield 'uuencode', 'begin 644 a\n' + ''.join(lines_of_45), lines_of_45[5].strip()
    yield 'numbers', '[%s]' % numbers, numbers
    yield 'hex_0x', ', '.join('0x%02X' % b for b in BODY), hex_digits.upper()
    yield 'hex_escapes', ''.join('\\x%02x' % b for b in BODY), hex_digits
    yield 'hex_colons', cut(hex_digits, 2, ':'), hex_digits


def shows_code(data, code):
    """Returns whether a longer piece of the code is there, when what stands between its pieces is left out. Its ends may be: they
    are in blocks with what stands beside the code."""
    wanted = code if isinstance(code, list) else [code[i:i + 24].encode() for i in range(300, len(code) - 300, 90)] or [code.encode()]
    for one in inflated(data):
        text = html.unescape(one.replace(b'\0', b'').decode('latin-1'))
        bare = re.sub(r'</?rdf:\w+>|\\n|\\x|0x|[\s":]', '', text)
        for form in (text, bare, bare.replace(',', '')):
            if any(piece in form.encode('latin-1', 'replace') for piece in wanted):
                return True
    return False


def packets():
    b64 = base64.b64encode(JPEG).decode()
    element = lambda value: RDF % ('xmlns:u="u:u/"><u:p>%s</u:p>' % value)
    attribute = lambda value: RDF % ('xmlns:u="u:u/" u:p="%s">' % value)
    yield 'attribute', attribute(b64)
    yield 'quote', attribute(b64).replace('u:p="%s"' % b64, "u:p = '%s'" % b64)
    yield 'element', element(b64)
    yield 'breaks', element('&#xA;' + lines(b64, '&#xA;'))
    yield 'breaks10', attribute('&#10;' + lines(b64, '&#10;'))
    yield 'lines', element('\n' + lines(b64))
    yield 'cdata', element('<![CDATA[' + lines(b64) + ']]>')
    yield 'cdatas', element(''.join('<![CDATA[%s]]>' % b64[i:i + 60] for i in range(0, len(b64), 60)))
    yield 'references', element(b64.replace('/', '&#x2F;').replace('+', '&#43;'))
    yield 'all_references', element(''.join('&#%d;' % ord(c) for c in b64))
    yield 'twice', element(html.escape(html.escape('<a b="%s"/>' % lines(b64, '&#xA;'))))
    yield 'url', element('data:image/jpeg;base64,' + b64)
    yield 'url_percent', element('DATA:Image/jpeg,' + urllib.parse.quote(BODY))
    for name, start in (('png', b'\x89PNG\r\n\x1a\n'), ('webp', b'RIFF\0\1\0\0WEBPVP8 '), ('heif', b'\0\0\0\x18ftypheic'), ('none', b'')):
        yield name, element(base64.b64encode(start + BODY).decode())
    yield 'url_alphabet', attribute(base64.urlsafe_b64encode(BODY).decode())
    yield 'hex', element(lines(BODY.hex()))
    yield 'json', element('{"a":"%s"}' % b64.replace('/', '\\/'))
    yield 'items', element('<rdf:Seq>%s</rdf:Seq>' % ''.join('<rdf:li>%s</rdf:li>' % b64[i:i + 64] for i in range(0, len(b64), 64)))
    yield 'comment', element('<!-- %s -->' % b64)
    yield 'instruction', element('<?a %s?>' % b64)
    for name, one in (('gimg', 'xmpGImg:image'), ('other_prefix', 'q:image')):
        prefix = one.split(':')[0]
        yield name, RDF % ('%s><%s>x %s</%s>' % (GIMG % prefix, one, lines(b64, '&#xA;'), one))
    yield 'default_prefix', RDF % ('><image %s>x %s</image>' % ('xmlns="http://ns.adobe.com/xap/1.0/g/img/"', b64))
    pieces = ''.join('<rdf:li>%s</rdf:li>' % b64[i:i + 24] for i in range(0, len(b64), 24))
    yield 'thumbnails', RDF % ('xmlns:xap="http://ns.adobe.com/xap/1.0/"><xap:Thumbnails>%s</xap:Thumbnails>' % pieces)
    yield 'small_pieces_gimg', RDF % ('%s><g:image>%s</g:image>' % (GIMG % 'g', pieces))
    yield 'gdepth', RDF % ('xmlns:G="http://ns.google.com/photos/1.0/image/" G:Data="%s">' % b64)
    yield 'setting', RDF % ('xmlns:c="http://ns.adobe.com/camera-raw-settings/1.0/" c:Table_0="%s">' % b64)
    yield 'bom', '\ufeff' + element(b64)
    yield 'doctype-', '<!DOCTYPE a [<!ENTITY b "%s">]>' % b64 + element('&b;')
    yield 'not_closed-', element(b64)[:-30]
    yield 'escaped_space-', RDF % ('xmlns:g="http&#58;//ns.adobe.com/xap/1.0/g/img/"><g:image>%s</g:image>' % pieces)


def xmp():
    """Yields names and packets; a name ends in '-' where the whole packet has to go."""
    for name, text in packets():
        yield name, text.encode()
    text = dict(packets())['breaks']
    for code in ('utf-16-le', 'utf-16-be', 'utf-32-le', 'utf-32-be'):
        yield code, text.encode(code)
        yield code + '_bom', ('\ufeff' + text).encode(code)


# --- EXIF ------------------------------------------------------------------------------------------
class Exif:
    """A TIFF that grows: each directory's entries are (tag, type, bytes or directory)."""

    def __init__(self, order='<', behind=b''):
        self.order, self.behind = order, behind

    def number(self, form, *values):
        return struct.pack(self.order + form, *values)

    def build(self, entries, more=()):
        """Returns the file: its first directory has a make; those of `more` follow it in the chain."""
        self.out = bytearray((b'II*\0' if self.order == '<' else b'MM\0*') + self.number('I', 8))
        link = self.directory([(0x10f, 2, KEPT + b'\0')] + entries)
        for entries in more:
            self.out[link:link + 4] = self.number('I', len(self.out))
            link = self.directory(entries)
        return bytes(self.out) + self.behind

    def directory(self, entries):
        units = {1: 1, 2: 1, 3: 2, 4: 4, 7: 1, 13: 4}
        entries = sorted(entries, key=lambda e: e[0])
        at = len(self.out)
        self.out += self.number('H', len(entries)) + bytes(12 * len(entries) + 4)
        for i, (tag, kind, value) in enumerate(entries):
            size = None
            if isinstance(value, list):  # directories
                places = []
                for one in value:
                    places.append(len(self.out))
                    self.directory(one)
                value = self.number('%dI' % len(places), *places)
            if callable(value):
                value = value(self)
            if isinstance(value, tuple):
                value, size = value
            count = size or len(value) // units[kind]
            if len(value) <= 4:
                field = value.ljust(4, b'\0')
            else:
                field = self.number('I', len(self.out))
                self.out += value
            entry = at + 2 + 12 * i
            self.out[entry:entry + 12] = self.number('HHI', tag, kind, count) + field
        return at + 2 + 12 * len(entries)

    def part(self, data):
        """Appends data, and returns its place and size as numbers."""
        self.out += data
        return self.number('I', len(self.out) - len(data))


def strips(data=RAW, tags=(0x111, 0x117), pieces=1):
    size = -(-len(data) // pieces)
    cuts = [data[i:i + size] for i in range(0, len(data), size)]
    place = lambda e: b''.join(e.part(one) for one in cuts)
    return [(tags[0], 4, place), (tags[1], 4, lambda e: b''.join(e.number('I', len(one)) for one in cuts))]


def exif(order):
    """Yields names and blocks; a name ends in '-' where the whole block has to go."""
    new = lambda entries, more=(), behind=b'': Exif(order, behind).build(entries, more)
    b64 = base64.b64encode(JPEG)
    raw_jpeg = (0x201, 0x202)
    tiles = (0x144, 0x145)
    yield 'thumbnail', new([], [strips(JPEG, raw_jpeg)])
    yield 'third', new([], [[], strips()])
    for name, tags in (('strip', (0x111, 0x117)), ('tile', tiles), ('jpeg', raw_jpeg)):
        yield name + '_0', new(strips(RAW, tags))
        yield name + '_exif', new([(0x8769, 4, [strips(RAW, tags)])])
        yield name + '_gps', new([(0x8825, 4, [strips(RAW, tags, 3)])])
        yield name + '_interoperability', new([(0x8769, 4, [[(0xa005, 4, [strips(RAW, tags)])]])])
        yield name + '_sub', new([(0x14a, 4, [strips(RAW, tags), strips(RAW, tags)])])
        yield name + '_sub_of_exif', new([(0x8769, 4, [[(0x14a, 13, [strips(RAW, tags)])]])])
        yield name + '_sub_of_1', new([], [[(0x14a, 4, [strips(RAW, tags)])]])
    notes = lambda data: new([(0x8769, 4, [[(0x927c, 7, b'notes' + data + b'more')]])])
    yield 'notes', notes(JPEG)
    yield 'notes_first_byte', notes(picture(first=b'\2'))
    yield 'notes_fill', notes(picture(fill=b'\xff\xff\xff'))
    yield 'notes_segments', notes(picture(before=90))
    yield 'notes_70', notes(b''.join(b'\xff\xd8' + segment(0xda, b'\1\1\0\0\x3f\0') + BODY[25 * i:25 * i + 25] + b'\xff\xd9'
                                     for i in range(72)))
    yield 'notes_png-', notes(b'\x89PNG\r\n\x1a\n' + BODY)
    yield 'notes_base64', notes(b64)
    yield 'behind', new([], behind=JPEG)
    yield 'behind_cut', new([], behind=JPEG[:-100])
    ascii_head, utf16 = b'ASCII\0\0\0', b'UNICODE\0'
    yield 'comment_base64', new([(0x8769, 4, [[(0x9286, 7, ascii_head + b64)]])])
    yield 'comment_lines', new([(0x8769, 4, [[(0x9286, 7, ascii_head + lines(b64.decode()).encode())]])])
    yield 'comment_utf16', new([(0x8769, 4, [[(0x9286, 7, utf16 + b64.decode().encode('utf-16-le'))]])])
    yield 'comment_jpeg', new([(0x8769, 4, [[(0x9286, 7, ascii_head + JPEG)]])])
    yield 'description', new([(0x10e, 2, b64 + b'\0')])
    yield 'description_hex', new([(0x10e, 2, BODY.hex().encode() + b'\0')])
    yield 'title_utf16', new([(0x9c9b, 1, b64.decode().encode('utf-16-le'))])
    yield 'microsoft', new([(0x501b, 7, RAW)])
    yield 'layers', new([(0x935c, 7, RAW)])
    yield 'unknown', new([(0xbeef, 7, RAW)])
    for kind in (2, 3, 4):
        yield 'unknown_%d' % kind, new([(0xbeef, kind, RAW)])
    yield 'unknown_pieces', new([(0xbee0 + i, 7, RAW[900 + 600 * i:][:600]) for i in range(3)])
    yield 'xmp', new([(0x2bc, 1, dict(xmp())['breaks'])])
    yield 'photoshop', new([(0x8649, 1, resource(1036, bytes(28) + RAW))])
    yield 'iptc', new([(0x83bb, 7, record(2, 5, b'title') + record(2, 202, RAW))])
    yield 'chain-', new([], [[]] * 70 + [strips()])
    yield 'parts-', new([], [[(0x111, 4, lambda e: e.number('5000I', *[len(e.out)] * 5000)), (0x117, 4, lambda e: e.number('5000I', *[3] * 5000))],
                             strips()])
    yield 'unread-', new([(0x111, 4, lambda e: (e.part(RAW), 1 << 20)), (0x117, 4, lambda e: e.number('I', 99))])


# --- Photoshop and IPTC ----------------------------------------------------------------------------
def resource(number, data, name=b'', kind=b'8BIM'):
    name = bytes([len(name)]) + name
    return kind + struct.pack('>H', number) + name + b'\0' * (len(name) % 2) + struct.pack('>I', len(data)) + data + b'\0' * (len(data) % 2)


def record(number, kind, data, extended=False):
    size = struct.pack('>HI', 0x8004, len(data)) if extended else struct.pack('>H', len(data))
    return bytes([0x1c, number, kind]) + size + data


def photoshop():
    title = resource(1028, record(2, 80, KEPT))
    for number in (1033, 1036):
        yield 'thumbnail_%d' % number, title + resource(number, struct.pack('>7I', 1, 9, 9, 27, 99, 99, 0x180001) + JPEG) + resource(1034, b'\1')
        yield 'raw_%d' % number, title + resource(number, bytes(28) + RAW, b'name') + resource(1034, b'\1')
    yield 'plug_in', title + resource(4000, RAW)
    yield 'unknown', resource(9999, RAW) + title
    yield 'other_sign', title + resource(1005, RAW, kind=b'MeSa')
    yield 'kept_with_jpeg', title + resource(1057, JPEG)
    yield 'xmp', title + resource(1060, dict(xmp())['cdata'])
    yield 'record', resource(1028, record(2, 80, KEPT) + record(2, 200, b'\0\1') + record(2, 202, RAW))
    yield 'record_extended', resource(1028, record(2, 80, KEPT) + record(8, 10, RAW, True))
    yield 'record_caption', resource(1028, record(2, 80, KEPT) + record(2, 120, base64.b64encode(BODY)))
    yield 'damaged-', title + b'8BIM' + RAW


# --- Files -----------------------------------------------------------------------------------------
def chunk(kind, data):
    return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))


def in_png(*chunks):
    return read('base.png')[:33] + b''.join(chunks) + read('base.png')[33:]


def in_jpeg(*segments):
    return read('base.jpg')[:2] + b''.join(segments) + read('base.jpg')[2:]


def in_webp(kind, data):
    chunks = read('base.webp')[12:]
    if chunks[:4] != b'VP8X':
        chunks = b'VP8X' + struct.pack('<I', 10) + b'\x0c\0\0\0' + struct.pack('<I', 23)[:3] + struct.pack('<I', 15)[:3] + chunks
    chunks += kind + struct.pack('<I', len(data)) + data + b'\0' * (len(data) % 2)
    return b'RIFF' + struct.pack('<I', len(chunks) + 4) + b'WEBP' + chunks


def in_tiff(tag, kind, data):
    """Adds an entry to the first directory, which moves to the end."""
    base = bytearray(read('base.tif'))
    at = struct.unpack('<I', base[4:8])[0]
    count = struct.unpack('<H', base[at:at + 2])[0]
    entries = [bytes(base[at + 2 + 12 * i:at + 14 + 12 * i]) for i in range(count)]
    entries.append(struct.pack('<HHII', tag, kind, len(data), len(base)))
    base += data + b'\0' * (len(data) % 2)
    base[4:8] = struct.pack('<I', len(base))
    entries.sort(key=lambda e: e[:2][::-1])
    return bytes(base) + struct.pack('<H', len(entries)) + b''.join(entries) + bytes(4)


def tiff_with_exif(entries):
    """Adds a directory EXIF."""
    block = Exif('<').build([(0x8769, 4, [entries])])
    base = read('base.tif')
    moved = bytearray(base + b'\0' * (len(base) % 2))
    e = Exif('<')
    e.out = moved
    place = len(moved)
    e.directory(entries)
    at = struct.unpack('<I', moved[4:8])[0]
    count = struct.unpack('<H', moved[at:at + 2])[0]
    all_entries = [bytes(moved[at + 2 + 12 * i:at + 14 + 12 * i]) for i in range(count)] + [struct.pack('<HHII', 0x8769, 4, 1, place)]
    all_entries.sort(key=lambda entry: entry[:2][::-1])
    moved[4:8] = struct.pack('<I', len(moved))
    return bytes(moved) + struct.pack('<H', count + 1) + b''.join(all_entries) + bytes(4) if block else None


def raw_profile(kind, data, packed=True):
    text = ('\n%s\n%8d\n' % (kind, len(data)) + lines(data.hex()) + '\n').encode()
    key = b'Raw profile type ' + kind.encode() + b'\0'
    return chunk(b'zTXt', key + b'\0' + zlib.compress(text)) if packed else chunk(b'tEXt', key + text)


XMP_HEAD, MORE_HEAD = b'http://ns.adobe.com/xap/1.0/\0', b'http://ns.adobe.com/xmp/extension/\0'
KEYWORD = b'XML:com.adobe.xmp'


def extended(packet, cut):
    guid = b'0123456789ABCDEF' * 2
    main = (RDF % ('xmlns:n="http://ns.adobe.com/xmp/note/" n:HasExtendedXMP="%s">' % guid.decode())).encode()
    part = lambda at, data: segment(0xe1, MORE_HEAD + guid + struct.pack('>II', len(packet), at) + data)
    return in_jpeg(segment(0xe1, XMP_HEAD + main), part(cut, packet[cut:]), part(0, packet[:cut]))


def files():
    """Yields names, files and whether the rest of the block is kept."""
    webp, tiff = (os.path.exists(os.path.join(folder, 'base.' + ending)) for ending in ('webp', 'tif'))
    for name, packet in xmp():
        kept = not name.endswith('-')
        name = 'xmp_' + name.strip('-')
        yield name + '.jpg', in_jpeg(segment(0xe1, XMP_HEAD + packet)), kept
        yield name + '.png', in_png(chunk(b'iTXt', KEYWORD + b'\0\0\0\0\0' + packet)), kept
        yield name + '_packed.png', in_png(chunk(b'iTXt', KEYWORD + b'\0\1\0en\0a\0' + zlib.compress(packet))), kept
        yield name + '_raw.png', in_png(raw_profile('xmp', packet)), kept
        if not name.startswith('xmp_utf'):
            yield name + '_keyword.png', in_png(chunk(b'iTXt', b'Comment\0\0\0\0\0' + packet)), kept
            yield name + '_text.png', in_png(chunk(b'zTXt', b'Comment\0\0' + zlib.compress(packet))), kept
        yield name + '_more.jpg', extended(packet, len(packet) // 3), False
        yield name + '_exif.jpg', in_jpeg(segment(0xe1, b'Exif\0\0' + Exif('>').build([(0x2bc, 1, packet)]))), True
        if webp:
            yield name + '.webp', in_webp(b'XMP ', packet), kept
        if tiff:
            yield name + '.tif', in_tiff(700, 1, packet), kept
    for cut in (800, 801, 802, 803):
        yield 'more_%d.jpg' % cut, extended(dict(xmp())['element'], cut), False
    for order in '<>':
        for name, block in exif(order):
            kept = not name.endswith('-')
            name = 'exif_%s_%s' % (name.strip('-'), 'little' if order == '<' else 'big')
            yield name + '.jpg', in_jpeg(segment(0xe1, b'Exif\0\0' + block)), kept
            yield name + '.png', in_png(chunk(b'eXIf', block)), kept
            yield name + '_raw.png', in_png(raw_profile('exif', b'Exif\0\0' + block, order == '<')), kept
            yield name + '_app1.png', in_png(raw_profile('APP1', b'Exif\0\0' + block)), kept
            if webp:
                yield name + '.webp', in_webp(b'EXIF', block), kept
    head = b'Photoshop 3.0\0'
    for name, block in photoshop():
        kept = not name.endswith('-')
        name = 'ps_' + name.strip('-')
        yield name + '.jpg', in_jpeg(segment(0xed, head + block)), kept
        for cut in (40, len(block) // 2):
            yield name + '_%d.jpg' % cut, in_jpeg(segment(0xed, head + block[:cut]), segment(0xed, head + block[cut:])), kept
        yield name + '_raw.png', in_png(raw_profile('8bim', block)), False
        yield name + '_iptc.png', in_png(raw_profile('iptc', head + block)), False
    yield 'iim.png', in_png(raw_profile('iptc', record(2, 202, RAW))), False
    yield from others(webp, tiff)


def coded_files():
    """Yields names, files, and what no output may have."""
    for name, text, code in codes():
        data = text.encode()
        pieces = text.split(' ') if name[-1].isdigit() else [text]
        bag = ''.join('<rdf:li>%s</rdf:li>' % html.escape(one) for one in pieces)
        packet = (RDF % ('xmlns:u="u:u/"><u:p><rdf:Bag>%s</rdf:Bag></u:p>' % bag)).encode()
        yield name + '_text.png', in_png(chunk(b'zTXt', b'Preview\0\0' + zlib.compress(data))), code
        yield name + '_comment.jpg', in_jpeg(segment(0xfe, data)), code
        yield name + '_caption.jpg', in_jpeg(segment(0xed, b'Photoshop 3.0\0' + resource(1028, record(2, 120, data)))), code
        yield name + '_user.jpg', in_jpeg(segment(0xe1, b'Exif\0\0' + Exif('<').build(
            [(0x8769, 4, [[(0x9286, 7, b'UNICODE\0' + text.encode('utf-16-le'))]])]))), code
        yield name + '_xmp.jpg', in_jpeg(segment(0xe1, XMP_HEAD + packet)), code
    for size in (20, 60, 79):  # over many texts; what comes first may be carried, as few characters are no picture
        code = base64.b64encode(BODY).decode()
        parts = [code[i:i + size].encode() for i in range(0, len(code), size)]
        rest = [part[:20] for part in parts[1100 // size:-1]]
        yield 'texts_%d.png' % size, in_png(*[chunk(b'tEXt', b'P%d\0' % i + part) for i, part in enumerate(parts)]), rest
        yield 'keywords_%d.png' % size, in_png(*[chunk(b'tEXt', part + b'\0a') for part in parts]), rest
        yield 'comments_%d.jpg' % size, in_jpeg(*[segment(0xfe, part) for part in parts]), rest
        yield 'records_%d.jpg' % size, in_jpeg(segment(0xed, b'Photoshop 3.0\0' + resource(1028, b''.join(record(2, 25, one) for one in parts)))), rest


def ordinary():
    """Yields names, and packets that have to be carried as they are: settings, names of 128 bits, words."""
    some = random.Random(9)
    name = lambda: '%032X' % some.getrandbits(128)
    dashed = lambda: '%08x-%04x-%04x-%04x-%012x' % tuple(some.getrandbits(n) for n in (32, 16, 16, 16, 48))
    signs = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz.-:+=^!/*?`|()[]{}@%$#'
    table = lambda size: ''.join(some.choice(signs) for _ in range(size))
    packed = lambda size: 'gz05' + base64.b64encode(zlib.compress(some.randbytes(size))).decode()
    crs, dark = 'xmlns:c="http://ns.adobe.com/camera-raw-settings/1.0/"', 'xmlns:d="http://darktable.sf.net/"'
    seq = lambda names: '<rdf:Seq>%s</rdf:Seq>' % ''.join('<rdf:li>%s</rdf:li>' % one for one in names)
    yield 'tables', RDF % (crs + ' c:LookTable="%s" %s>' % (name(), ' '.join('c:Table_%s="%s"' % (name(), table(6000)) for _ in range(3))))
    yield 'table_elements', RDF % (crs + '>' + ''.join('<c:Table_%d>%s</c:Table_%d>' % (i, table(6000), i) for i in range(3)))
    yield 'masks', RDF % (crs + '>' + seq('<c:M c:MaskDigest="%s" c:CorrectionSyncID="%s" c:Reference="0.%06d 0.5"/>' % (
        name(), name(), some.randrange(10**6)) for _ in range(200)))
    yield 'dabs', RDF % (crs + '><c:Dabs>' + seq('d 0.%06d 0.%06d' % (some.randrange(10**6), some.randrange(10**6)) for _ in range(900)) + '</c:Dabs>')
    yield 'darktable', RDF % (dark + '>' + seq('<d:a d:params="%s" d:blendop_params="%s"/>' % (packed(90), some.randbytes(60).hex()) for _ in range(60)))
    yield 'ancestors', RDF % ('xmlns:p="http://ns.adobe.com/photoshop/1.0/"><p:DocumentAncestors>' + seq(
        some.choice([name, dashed, lambda: 'xmp.did:' + dashed()])() for _ in range(400)) + '</p:DocumentAncestors>')
    yield 'dashed', RDF % ('xmlns:u="u:u/"><u:p>' + ', '.join(dashed() for _ in range(200)) + '</u:p>')
    yield 'colours', RDF % ('xmlns:u="u:u/"><u:p>' + ' '.join('#%06x' % some.getrandbits(24) for _ in range(200)) + '</u:p>')
    yield 'curve', RDF % ('xmlns:u="u:u/"><u:p>' + ', '.join(str(i // 3) for i in range(768)) + '</u:p>')
    gear = ('Nikon Z%d w/ NIKKOR Z 24-120mm f/4 S @ 1/250s, ISO 64', 'Canon EOS R%d + RF100-500mm F4.5-7.1 L IS USM', 'Sigma %dmm F1.4 DG DN | Art',
            'SONY ILCE-7RM%d FE 70-200mm F2.8 GM OSS II', 'Tamron %d-180mm F/2.8 Di III VXD (A056)')
    yield 'lenses', RDF % ('xmlns:u="u:u/"><u:p>' + ', '.join(some.choice(gear) % some.randrange(99) for _ in range(100)) + '</u:p>')
    yield 'addresses', RDF % ('xmlns:u="u:u/"><u:p>' + ' '.join(
        'https://www.example.com/photos/somebody/%d/in/album-%d/' % (some.getrandbits(33), some.getrandbits(50)) for _ in range(60)) + '</u:p>')


def others(webp, tiff):
    b64 = base64.b64encode(JPEG)
    yield 'com_jpeg.jpg', in_jpeg(segment(0xfe, JPEG)), False
    yield 'com_base64.jpg', in_jpeg(segment(0xfe, b64)), False
    for i in range(16):
        yield 'app%d.jpg' % i, in_jpeg(segment(0xe0 + i, b'Name\0' + JPEG)), False
    yield 'jfif.jpg', in_jpeg(segment(0xe0, b'JFIF\0\1\1\0\0\1\0\1\x14\x1e' + RAW[:20 * 30 * 3])), False
    yield 'jfxx.jpg', in_jpeg(segment(0xe0, b'JFXX\0\x10' + JPEG)), False
    yield 'trailer.jpg', read('base.jpg') + JPEG, False
    yield 'mpf.jpg', in_jpeg(segment(0xe2, b'MPF\0' + JPEG)), False
    for kind in (b'thMb', b'prVw', b'vpAg', b'oFFs', b'caNv', b'gIFx', b'unKn'):
        yield 'chunk_%s.png' % kind.decode(), in_png(chunk(kind, JPEG)), False
    yield 'behind.png', read('base.png') + JPEG, False
    for name, text in (('base64', b64), ('lines', lines(b64.decode()).encode()), ('json', b'{"image": "data:image/jpeg;base64,' + b64 + b'"}'),
                       ('hex', BODY.hex().encode()), ('raw', JPEG), ('utf16', b64.decode().encode('utf-16-le')),
                       ('slashes', b'{"a":"' + b64.replace(b'/', b'\\/') + b'"}'), ('url', b'data:image/jpeg,' + urllib.parse.quote(BODY).encode()),
                       ('html', b'<img src="data:image/jpeg;base64,' + b64 + b'"/>')):
        yield 'text_%s_t.png' % name, in_png(chunk(b'tEXt', b'Preview\0' + text)), False
        yield 'text_%s_z.png' % name, in_png(chunk(b'zTXt', b'Preview\0\0' + zlib.compress(text))), False
        yield 'text_%s_i.png' % name, in_png(chunk(b'iTXt', b'Preview\0\0\0\0\0' + text)), False
        yield 'text_%s_p.png' % name, in_png(chunk(b'iTXt', b'Preview\0\1\0en\0x\0' + zlib.compress(text))), False
    yield 'text_language.png', in_png(chunk(b'iTXt', b'Preview\0\0\0' + b64 + b'\0\0text')), False
    yield 'text_translated.png', in_png(chunk(b'iTXt', b'Preview\0\0\0en\0' + b64 + b'\0text')), False
    for kind in ('app12', 'generic', 'icc'):
        yield 'raw_%s.png' % kind, in_png(raw_profile(kind, JPEG)), False
    profile = struct.pack('>I', 132 + len(JPEG)) + b'test\2\0\0\0mntrRGB XYZ ' + bytes(12) + b'acsp' + bytes(92) + JPEG
    yield 'profile.png', in_png(chunk(b'iCCP', b'a\0\0' + zlib.compress(profile))), False
    yield 'profile.jpg', in_jpeg(segment(0xe2, b'ICC_PROFILE\0\1\1' + profile)), False
    if webp:
        yield 'icc.webp', in_webp(b'ICCP', profile), False
        yield 'other.webp', in_webp(b'prVw', JPEG), False
    if tiff:
        yield 'icc.tif', in_tiff(34675, 7, profile), False
        yield 'photoshop.tif', in_tiff(34377, 1, resource(1036, bytes(28) + RAW)), False
        yield 'notes.tif', tiff_with_exif([(0x927c, 7, b'notes' + JPEG)]), False
        yield 'comment.tif', tiff_with_exif([(0x9286, 7, b'ASCII\0\0\0' + b64)]), False
        yield 'description.tif', in_tiff(0x10e, 2, b64 + b'\0'), False


# --- All -------------------------------------------------------------------------------------------
def special():
    """Returns the faults of pictures in other codes, and of ordinary packets."""
    inputs, out = (os.path.join(folder, name) for name in ('codes', 'codes_out'))
    os.makedirs(inputs)
    code_of = {}
    for name, data, code in coded_files():
        code_of[name] = code
        if not shows_code(data, code):
            sys.exit('%s: nothing is hidden in it' % name)
        with open(os.path.join(inputs, name), 'wb') as file:
            file.write(data)
    packets_of = {name + '.png': packet.encode() for name, packet in ordinary()}
    for name, packet in packets_of.items():
        with open(os.path.join(inputs, name), 'wb') as file:
            file.write(in_png(chunk(b'iTXt', KEYWORD + b'\0\0\0\0\0' + packet)))
    done = subprocess.run([satblur, inputs, out, '--radius', '1', '--quiet'], capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    made = lambda name: open(os.path.join(out, name), 'rb').read()
    return (['%s: shows the picture' % name for name, code in code_of.items() if shows_code(made(name), code)] +
            ['%s: is changed' % name for name, packet in packets_of.items() if packet not in made(name)])


def main():
    inputs, keeps = os.path.join(folder, 'in'), {}
    os.makedirs(inputs)
    for name, data, kept in files():
        if not shows(data):
            sys.exit('%s: nothing is hidden in it' % name)
        name = name.replace('.', '_') + name[name.rindex('.'):]
        if name in keeps:
            sys.exit('%s: twice' % name)
        keeps[name] = kept
        with open(os.path.join(inputs, name), 'wb') as file:
            file.write(data)
    formats = subprocess.run([satblur, '--version'], capture_output=True, text=True).stdout
    endings = ['png', 'jpg'] + [e for e, word in (('tif', 'TIFF'), ('webp', 'WebP'), ('heic', 'HEIC')) if word in formats]
    failed = special() + convert(inputs, sorted(keeps), keeps, 'same')
    for i, ending in enumerate(endings):  # blocks are cleaned when they are read, so each format gets a share of them
        failed += convert(inputs, sorted(keeps)[i::len(endings)], keeps, ending)
    print(*failed, sep='\n')
    print('%d files, %d faults' % (len(keeps), len(failed)))
    sys.exit(len(failed) > 0 or len(keeps) < 700)


def convert(inputs, names, keeps, ending):
    """Blurs files of the folder; 'same' keeps their formats. Returns the faults."""
    some, out = (os.path.join(folder, kind + ending) for kind in ('some_', 'out_'))
    os.mkdir(some)
    for name in names:
        os.link(os.path.join(inputs, name), os.path.join(some, name))
    done = subprocess.run([satblur, some, out, '--radius', '1', '--quiet', '--jobs', '2'] +
                          ([] if ending == 'same' else ['--format', ending]), capture_output=True, text=True)
    if done.returncode:
        sys.exit('%s: %s' % (ending, done.stderr))
    made = lambda name: os.path.join(out, name if ending == 'same' else name[:name.rindex('.')] + '.' + ending)
    return ['%s to %s: %s' % (name, ending, why) for name in names for why in look(made(name), keeps[name])]


def look(path, kept):
    with open(path, 'rb') as file:
        data = file.read()
    if shows(data):
        yield 'shows the picture'
    if kept and not path.endswith('.tif') and ('ps_' not in path or '_jpg.jpg' in path) and KEPT not in data:
        yield 'lost all of its block'


main()
