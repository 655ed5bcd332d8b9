#!/usr/bin/env python3
"""Writes a JPEG photo with a map in it, as phones do: mkembedded.py KIND PHOTO MAP OUT [ORIGINAL]

Byte by byte by the specifications: Google's GDepth and Dynamic Depth, Adobe's extended XMP, Apple's auxiliary JPEGs, Samsung's
and Huawei's trailers. The kind `kept` takes out a map that --keep-depth has stored in PHOTO. MAP is a PNG or JPEG, or WIDTHxHEIGHT:FILE with raw codes for Samsung and Huawei."""
import base64
import hashlib
import struct
import sys
import xml.dom.minidom

RDF = '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
END = '</rdf:RDF></x:xmpmeta>'
HEAD = b'http://ns.adobe.com/xap/1.0/\0'
MORE = b'http://ns.adobe.com/xmp/extension/\0'


def segment(marker, data):
    return struct.pack('>BBH', 0xff, marker, len(data) + 2) + data


def with_segments(jpeg, segments):
    return jpeg[:2] + b''.join(segments) + jpeg[2:]


def packet(text):
    return segment(0xe1, HEAD + (RDF + text + END).encode())


def extended(text, size=60000, guid=None):
    data = (RDF + text + END).encode()
    guid = guid or hashlib.md5(data).hexdigest().upper()
    parts = [segment(0xe1, MORE + guid.encode() + struct.pack('>II', len(data), at) + data[at:at + size])
             for at in range(0, len(data), size)]
    return guid, parts[::-1]  # in any order


def gdepth(photo, image, original, form='RangeInverse', style='attributes', big=False, wrong=False, units='m'):
    near, far = ('500', '8000') if units == 'mm' else ('0.5', '8')
    names = {'Format': form, 'Near': near, 'Far': far, 'Mime': 'image/jpeg', 'Units': units}
    data = base64.b64encode(image).decode()
    spaces = 'xmlns:D="http://ns.google.com/photos/1.0/depthmap/" xmlns:I="http://ns.google.com/photos/1.0/image/" ' \
             'xmlns:xmpNote="http://ns.adobe.com/xmp/note/"'
    source = ' I:Data="%s"' % base64.b64encode(original).decode() if original else ''
    if big:
        guid, parts = extended('<rdf:Description rdf:about="" %s D:Data="%s"%s/>' % (spaces, data, source), 3000)
        attributes = ''.join(' D:%s="%s"' % pair for pair in names.items())
        main = packet('<rdf:Description rdf:about="" %s%s xmpNote:HasExtendedXMP="%s"/>'
                      % (spaces, attributes, 'F' * 32 if wrong else guid))
        return with_segments(photo, [main] + parts)
    names['Data'] = data
    if style == 'elements':
        inner = ''.join('<D:%s>%s</D:%s>' % (name, value, name) for name, value in names.items())
        return with_segments(photo, [packet('<rdf:Description rdf:about="" %s%s>%s</rdf:Description>' % (spaces, source, inner))])
    attributes = ''.join(' D:%s="%s"' % pair for pair in names.items())
    return with_segments(photo, [packet('<rdf:Description rdf:about="" %s%s%s/>' % (spaces, attributes, source))])


def own_xmp(photo):
    """Extended XMP of its own, and an orientation."""
    dc = 'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmpNote="http://ns.adobe.com/xmp/note/"'
    guid, parts = extended('<rdf:Description rdf:about="" %s><dc:source>%s</dc:source></rdf:Description>' % (dc, 'my words ' * 9000))
    text = '<rdf:Description rdf:about="" %s dc:format="mine" xmpNote:HasExtendedXMP="%s"/>' % (dc, guid)
    exif = segment(0xe1, b'Exif\0\0MM\0*' + struct.pack('>IHHHIHHI', 8, 1, 0x112, 3, 1, 6, 0, 0))
    main = segment(0xe1, HEAD + (RDF + text + END).encode())
    return with_segments(photo, [exif, main] + parts)


def hard_xmp(photo, size=0):
    """A packet of 64 KB with a prefix of its own, names of extended XMP that is not there, and a comment that ends rdf:RDF."""
    note = 'xmlns:xmpNote="http://ns.adobe.com/xmp/note/"'
    text = '<rdf:Description rdf:about="" %s xmpNote:HasExtendedXMP="ABC" xmlns:dc="http://purl.org/dc/elements/1.1/" dc:format="%s"/>' % (note, 'mine ' * (size // 5))
    text += '<rdf:Description rdf:about="" %s><xmpNote:HasExtendedXMP>%s</xmpNote:HasExtendedXMP></rdf:Description></rdf:RDF ><!-- </rdf:RDF> --></x:xmpmeta>' % (note, 'A' * 32)
    text = '<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?>' + (RDF + text).replace('rdf:', 'r:').replace(':rdf', ':r')
    return with_segments(photo, [segment(0xe1, HEAD + (text + ' ' * (65450 - len(text)) + '<?xpacket end="w"?>').encode())])


def kept(photo):
    """The map that is in extended XMP, whose name, sizes and places must be right."""
    segments, at = [], 2
    while photo[at + 1] != 0xda:
        size = struct.unpack('>H', photo[at + 2:at + 4])[0]
        segments.append(photo[at + 4:at + 2 + size])
        at += 2 + size
    main, = [s[len(HEAD):].decode() for s in segments if s.startswith(HEAD)]
    data = b''
    for part in [s[len(MORE):] for s in segments if s.startswith(MORE)]:
        guid, (size, at) = part[:32].decode(), struct.unpack('>II', part[32:40])
        assert at == len(data) and main.count('HasExtendedXMP="%s"' % guid) == main.count('HasExtendedXMP') == 1, main
        data += part[40:]
    assert hashlib.md5(data).hexdigest().upper() == guid and size == len(data), guid
    for packet_of in main, data.decode():
        rdf, = [n for n in xml.dom.minidom.parseString(packet_of).documentElement.childNodes if n.localName == 'RDF']
        assert 'GDepth' in ''.join(n.toxml() for n in rdf.childNodes if n.localName == 'Description'), packet_of[:999]
    return base64.b64decode(data.split(b'GDepth:Data="')[1].split(b'"')[0])


def dynamic(photo, image, original, form='RangeInverse', cut=0):
    files = [('primary_image', 0, b'')] + ([('android/original_image', 0, original)] if original else []) + \
            [('android/depthmap', 3, image), ('android/confidencemap', 0, photo)]
    items = ''.join('<rdf:li rdf:parseType="Resource"><C:Item T:Mime="image/jpeg" T:Length="%d" T:Padding="%d" T:DataURI="%s"/></rdf:li>'
                    % (len(data), padding, uri) for uri, padding, data in files)
    dd = 'http://ns.google.com/photos/dd/1.0/'
    text = ('<rdf:Description rdf:about="" xmlns:C="%scontainer/" xmlns:T="%sitem/" xmlns:M="%sdepthmap/" xmlns:K="%scamera/">'
            '<C:Directory><rdf:Seq>%s</rdf:Seq></C:Directory><K:DepthMap M:Format="%s" M:Near="0.5" M:Far="8" M:Units="Meters" '
            'M:DepthURI="android/depthmap"/></rdf:Description>' % (dd, dd, dd, dd, items, form))
    out = with_segments(photo, [packet(text)]) + b''.join(data + b'\0' * padding for _, padding, data in files)
    return out[:len(out) - cut] if cut else out


def auxiliary(image, properties):
    inner = ''.join('<a:%s>%s</a:%s>' % (name, value, name) for name, value in properties.items() if name != 'Accuracy')
    accuracy = '<d:Accuracy>%s</d:Accuracy>' % properties['Accuracy'] if 'Accuracy' in properties else ''
    return with_segments(image, [packet('<rdf:Description rdf:about="" xmlns:a="http://ns.apple.com/pixeldatainfo/1.0/" '
                                        'xmlns:d="http://ns.apple.com/depthData/1.0/">%s%s</rdf:Description>' % (inner, accuracy))])


def apple(photo, image, kind):
    gain = auxiliary(photo, {'AuxiliaryImageType': 'urn:com:apple:photo:2020:aux:hdrgainmap'})
    skin = auxiliary(photo, {'AuxiliaryImageType': 'depth', 'AuxiliaryImageSubType': 'semanticskinmatte'})
    wanted = auxiliary(image, {'AuxiliaryImageType': 'depth', 'AuxiliaryImageSubType': 'portraiteffectsmatte'} if kind == 'matte' else
                       {'AuxiliaryImageType': 'disparity', 'FloatMinValue': '0.125', 'FloatMaxValue': '2', 'Accuracy': kind})
    return photo + gain + skin + wanted


def samsung(photo, raw, width, height, original, version=5):
    info = [0] * 24
    info[0] = version
    w, h = {1: (9, 10), 3: (12, 13), 4: (17, 18), 5: (20, 19), 6: (22, 21)}.get(version, (1, 2))
    info[w], info[h] = width, height
    blocks = b''
    entries = []
    for kind, name, data in ((1, b'DualShot_1', original), (0x0ab1, b'DualShot_DepthMap_1', raw),
                             (0x0ab3, b'DualShot_Extra_Info', struct.pack('<24I', *info))):
        block = struct.pack('<HHI', 0, kind, len(name)) + name + data
        entries.append((kind, len(blocks), len(block)))
        blocks += block
    directory = b'SEFH' + struct.pack('<II', 103, len(entries)) + \
                b''.join(struct.pack('<HHII', 0, kind, len(blocks) - at, size) for kind, at, size in entries)
    return photo + blocks + directory + struct.pack('<I', len(directory)) + b'SEFT'


def huawei(photo, raw, width, height, original):
    head = bytearray(64)
    head[3] = 0x10
    head[12:16] = struct.pack('<HH', width, height)
    block = bytes(head) + raw
    return photo + original + struct.pack('<I', len(original)) + b'edof\0\0\0\0' + block + struct.pack('<I', len(block)) + b'DepthEn\0'


def main():
    kind, photo, image, out = sys.argv[1:5]
    original = open(sys.argv[5], 'rb').read() if len(sys.argv) > 5 else b''
    photo = open(photo, 'rb').read()
    size, _, name = image.rpartition(':')
    width, height = map(int, size.split('x')) if size else (0, 0)
    image = open(name, 'rb').read()
    if size:
        image = image[-width * height:]  # of a PGM
    files = {
        'gdepth': lambda: gdepth(photo, image, original),
        'gdepth-elements': lambda: gdepth(photo, image, original, style='elements'),
        'gdepth-linear': lambda: gdepth(photo, image, original, form='RangeLinear', units='mm'),
        'gdepth-strange': lambda: gdepth(photo, image, original, form='Strange'),
        'gdepth-big': lambda: gdepth(photo, image, original, big=True),
        'gdepth-guid': lambda: gdepth(photo, image, original, big=True, wrong=True),
        'dynamic': lambda: dynamic(photo, image, original),
        'dynamic-cut': lambda: dynamic(photo, image, original, cut=len(photo) + len(image) // 2),
        'apple': lambda: apple(photo, image, 'absolute'),
        'apple-relative': lambda: apple(photo, image, 'relative'),
        'apple-matte': lambda: apple(photo, image, 'matte'),
        'own-xmp': lambda: own_xmp(photo),
        'hard-xmp': lambda: hard_xmp(photo),
        'full-xmp': lambda: hard_xmp(photo, 64700),
        'kept': lambda: kept(photo),
        'huawei': lambda: huawei(photo, image, width, height, original),
    }
    for version in (1, 3, 4, 5, 6, 9):
        files['samsung%d' % version] = lambda version=version: samsung(photo, image, width, height, original, version)
    with open(out, 'wb') as to:
        to.write(files[kind]())


if __name__ == '__main__':
    main()
