"""Blurs clips of high dynamic range with satblur and compares their light with ITU-R BT.2100's, and with that of FFmpeg's filter
zscale. clip_hdr.py SATBLUR

Clips have luma and chroma of 10 bits in the limited range, the first half of all grays, the second of colours."""
import array
import fractions
import json
import math
import os
import struct
import subprocess
import sys

satblur = sys.argv[1]
W, H = 64, 32
LUMA, CHROMA = 876, 896
KR, KB = 0.2627, 0.0593
KG = 1 - KR - KB
TAGS = ["-color_primaries", "bt2020", "-colorspace", "bt2020nc", "-color_range", "tv"]
CURVES = {"smpte2084": "PQ", "arib-std-b67": "HLG"}


def run(*words, data=None):
    return subprocess.run([str(w) for w in words], input=data, capture_output=True, timeout=120)


def ffmpeg(*words, data=None):
    done = run("ffmpeg", "-v", "error", "-y", *words, data=data)
    if done.returncode:
        raise RuntimeError(done.stderr.decode())
    return done.stdout


def blur(*words):
    done = run(satblur, *words)
    if done.returncode:
        raise RuntimeError(done.stderr.decode())
    return done.stderr.decode()


def report(name, fault):
    print(f"FAIL  {name}: {fault}" if fault else f"ok    {name}")


# --- The curves, in units of 100 cd/m2 (PQ) and of the light of the code 0.75 (HLG) ---------------
def pq_light(v):
    e = v ** (32 / 2523)
    return 100 * (max(e - 0.8359375, 0) / (18.8515625 - 18.6875 * e)) ** (16384 / 2610)


def pq_code(light):
    y = (max(light, 0) / 100) ** (2610 / 16384)
    return ((0.8359375 + 18.8515625 * y) / (1 + 18.6875 * y)) ** (2523 / 32)


def hlg_scene(v):
    return v * v / 3 if v <= 0.5 else (math.exp((v - 0.55991073) / 0.17883277) + 0.28466892) / 12


def hlg_light(v):
    return hlg_scene(v) / hlg_scene(0.75)


def hlg_code(light):
    e = max(light, 0) * hlg_scene(0.75)
    return math.sqrt(3 * e) if e <= 1 / 12 else 0.17883277 * math.log(12 * e - 0.28466892) + 0.55991073


LIGHT = {"smpte2084": pq_light, "arib-std-b67": hlg_light}
CODE = {"smpte2084": pq_code, "arib-std-b67": hlg_code}


# --- Clips ----------------------------------------------------------------------------------------
def codes_of_rgb(r, g, b):
    y = KR * r + KG * g + KB * b
    cb, cr = (b - y) / 2 / (1 - KB), (r - y) / 2 / (1 - KR)
    return tuple(min(max(math.floor(v + 0.5), 0), 1023) for v in (64 + LUMA * y, 512 + CHROMA * cb, 512 + CHROMA * cr))


def rgb_of_codes(y, cb, cr):
    y, cb, cr = (y - 64) / LUMA, (cb - 512) / CHROMA, (cr - 512) / CHROMA
    r, b = y + 2 * (1 - KR) * cr, y + 2 * (1 - KB) * cb
    return r, (y - KR * r - KB * b) / KG, b


def chart():
    """Pixels of luma, Cb, Cr: all grays, and colours that RGB holds."""
    grays = [(64 + min(i, LUMA), 512, 512) for i in range(W * H // 2)]
    return grays + [(64 + LUMA * 3 // 10 + i * 7 % (LUMA * 4 // 10), 480 + i * 5 % 65, 480 + i * 11 % 65) for i in range(W * H // 2)]


def planes(pixels):
    return b"".join(array.array("H", [p[c] for p in pixels]).tobytes() for c in range(3))


def write_clip(name, pixels, curve, *words):
    # From a clip of its own: otherwise the filters of FFmpeg's program take the samples for BT.601.
    ffmpeg("-f", "rawvideo", "-pix_fmt", "yuv444p10le", "-s", f"{W}x{H}", "-r", "25", "-color_trc", curve, *TAGS, "-i", "-", "-c:v", "ffv1",
           "-color_trc", curve, *TAGS, "raw.mkv", data=planes(pixels))
    ffmpeg("-i", "raw.mkv", *(words or ["-c:v", "ffv1"]), "-color_trc", curve, *TAGS, name)


def read_clip(name):
    data = array.array("H", ffmpeg("-i", name, "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "yuv444p10le", "-"))
    return list(zip(data[:W * H], data[W * H:2 * W * H], data[2 * W * H:]))


def read_light(name):
    head, size, scale, data = open(name, "rb").read().split(b"\n", 3)
    w, h = map(int, size.split())
    f = array.array("f", data)
    rows = [f[3 * w * y:3 * w * (y + 1)] for y in reversed(range(h))]
    return [tuple(row[3 * x:3 * x + 3]) for row in rows for x in range(w)]


def probe(name, what="stream"):
    done = run("ffprobe", "-v", "error", "-select_streams", "v", "-show_streams", "-show_frames", "-read_intervals", "%+#1", "-of", "json", name)
    found = json.loads(done.stdout)
    return found["streams" if what == "stream" else "frames"][0]


def far(a, b):
    return max(abs(x - y) for p, q in zip(a, b) for x, y in zip(p, q))


# --- Checks ---------------------------------------------------------------------------------------
def check_kept(curve):
    blur("chart.mkv", "kept.mkv", "--radius", "0", "--video-codec", "ffv1")
    if read_clip("kept.mkv") != chart():
        return "codes changed"
    tags = [probe("kept.mkv").get(k) for k in ("color_transfer", "color_primaries", "color_space")]
    return None if tags == [curve, "bt2020", "bt2020nc"] else str(tags)


def check_light(curve):
    """Light is the formulas', rounded to half floats, and its codes are those of the clip."""
    blur("chart.mkv", "light/%d.pfm", "--radius", "0")
    for codes, light in zip(chart(), read_light("light/1.pfm")):
        rgb = rgb_of_codes(*codes)
        back = codes_of_rgb(*(CODE[curve](v) for v in light))
        if far([codes], [back]) > (codes[1:] != (512, 512)):
            return f"{codes} became light of {back}"
        for v, got in zip(rgb, light):
            want = LIGHT[curve](v)
            if abs(got - want) > want / 1000 + 1e-5:
                return f"{codes} became light {got}, not {want}"
    return None


def zscale_light(curve):
    data = array.array("f", ffmpeg("-i", "chart.mkv", "-vf", "zscale=transfer=linear:npl=100,format=gbrpf32le", "-f", "rawvideo", "-"))
    g, b, r = (data[W * H * i:W * H * (i + 1)] for i in range(3))
    light = list(zip(r, g, b))
    if curve == "smpte2084":
        return light
    # zscale's light of HLG is a display's of 1000 cd/m2, with a gamma of 1.2 of each channel
    return [tuple((max(v, 0) / 10) ** (1 / 1.2) / hlg_scene(0.75) for v in p) for p in light]


def check_zscale(curve):
    """Codes of light are zscale's: equal of grays, within one of colours."""
    for codes, ours, theirs in zip(chart(), read_light("light/1.pfm"), zscale_light(curve)):
        a, b = ([math.floor(LUMA * CODE[curve](v) + 0.5) for v in light] for light in (ours, theirs))
        if far([a], [b]) > (codes[1:] != (512, 512)):
            return f"{codes} is {a}, and {b} by zscale"
    return None


def check_mean(curve):
    """A box's mean is one of light."""
    radius = 2
    blur("chart.mkv", "mean.mkv", "--radius", radius, "--video-codec", "ffv1")
    light = [[LIGHT[curve](min(max(v, 0), 1)) for v in rgb_of_codes(*p)] for p in chart()]
    got, most = read_clip("mean.mkv"), 0
    for y in range(0, H, 3):
        for x in range(0, W, 3):
            box = [light[j * W + i] for j in range(max(0, y - radius), min(H, y + radius + 1)) for i in range(max(0, x - radius), min(W, x + radius + 1))]
            want = codes_of_rgb(*(CODE[curve](sum(p[c] for p in box) / len(box)) for c in range(3)))
            most = max(most, far([want], [got[y * W + x]]))
    return None if most <= 1 else f"{most} codes off"


def check_discs():
    """A lamp of 1000 cd/m2 becomes a round disc, even inside, of all its light."""
    dark, lamp = codes_of_rgb(*[pq_code(0.05)] * 3), codes_of_rgb(*[pq_code(10)] * 3)
    x0, y0, radius = 30, 16, 9
    pixels = [lamp if abs(i % W - x0) <= 1 and abs(i // W - y0) <= 1 else dark for i in range(W * H)]
    write_clip("lamp.mkv", pixels, "smpte2084")
    with open("far.pgm", "wb") as file:
        file.write(b"P5\n%d %d\n255\n" % (W, H) + bytes(W * H))
    blur("lamp.mkv", "disc.mkv", "--depth", "far.pgm", "--focus", 1, "--max-radius", radius, "--video-codec", "ffv1")
    light = [pq_light(rgb_of_codes(*p)[1]) - 0.05 for p in read_clip("disc.mkv")]
    at = lambda i: math.hypot(i % W - x0, i // W - y0)
    inside = [v for i, v in enumerate(light) if at(i) < radius - 2.5]
    outside = [v for i, v in enumerate(light) if at(i) > radius + 2.5]
    share = sum(light) / (9 * 9.95)
    if max(inside) > 1.03 * min(inside) or max(outside) > 0.02 * max(inside) or abs(share - 1) > 0.03:
        return f"{min(inside):.3f} to {max(inside):.3f} inside, {max(outside):.3f} outside, {share:.3f} of the light"
    return None


def side_data(of):
    return {s["side_data_type"]: {k: fractions.Fraction(v) for k, v in s.items() if k != "side_data_type"}
            for s in of.get("side_data_list", []) if "light level" in s["side_data_type"] or "Mastering" in s["side_data_type"]}


def check_mastering():
    """HEVC of 10 bits, with tags, the mastering display and the light level, in the stream and in the container."""
    display = "G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,1)"
    write_clip("hdr10.mp4", chart(), "smpte2084", "-pix_fmt", "yuv420p10le", "-c:v", "libx265", "-x265-params",
               f"log-level=none:master-display={display}:max-cll=1000,400")
    blur("hdr10.mp4", "out.mp4", "--radius", "1")
    keys = ("codec_name", "pix_fmt", "color_range", "color_transfer", "color_primaries", "color_space")
    before, after = probe("hdr10.mp4"), probe("out.mp4")
    if any(before.get(k) != after.get(k) for k in keys):
        return str([after.get(k) for k in keys])
    want, coded = side_data(probe("hdr10.mp4", "frame")), side_data(probe("out.mp4", "frame"))
    return None if len(want) == 2 and want == coded == side_data(after) else f"{want} became {coded} and {side_data(after)}"


def check_depth(pixel_format, *words):
    write_clip("depth.mkv", chart(), "arib-std-b67", "-pix_fmt", pixel_format, *words)
    blur("depth.mkv", "out.mov", "--radius", "1")
    found = probe("out.mov")
    return None if (found["pix_fmt"], found.get("color_transfer")) == (pixel_format, "arib-std-b67") else str(found)


def check_refused(words, line):
    done = run(satblur, "chart.mkv", *words, "--radius", "1", "--quiet")
    text = done.stderr.decode()
    return None if done.returncode == 1 and line in text and text.count("\n") == 1 else text


def check_matrix(matrix):
    """A clip whose RGB is not found channel by channel is refused, also as codes."""
    ffmpeg("-i", "raw.mkv", "-c:v", "libx265", "-pix_fmt", "yuv420p10le", "-x265-params", f"log-level=none:colormatrix={matrix}:transfer=smpte2084", "other.mp4")
    for words in ([], ["--gamma"]):
        done = run(satblur, "other.mp4", "o%d.pfm", "--radius", "1", *words)
        if done.returncode != 1 or b"convert it to the usual BT.2020" not in done.stderr:
            return f"{words}: {done.stderr.decode()}"
    return None


def check_note(words, line, count):
    notes = blur("chart.mkv", *words, "--radius", "1")
    return None if notes.count(line) == count else notes


def check_codes(curve):
    """--gamma blurs the codes, as those of a clip of standard range."""
    write_clip("sdr.mkv", chart(), "bt709")
    for name in ("chart", "sdr"):
        blur(f"{name}.mkv", f"{name}_codes.mkv", "--radius", "2", "--gamma", "--video-codec", "ffv1")
    return None if read_clip("chart_codes.mkv") == read_clip("sdr_codes.mkv") else "other codes"


def insert_dolby(name, to, profile, compatible):
    """Adds a box of Dolby Vision to an MP4 whose index stands at its end."""
    record = bytes([1, 0, profile << 1, 3 << 3 | 5, compatible << 4]) + bytes(19)
    box = struct.pack(">I", 32) + (b"dvvC" if profile > 7 else b"dvcC") + record
    data = bytearray(open(name, "rb").read())
    at = data.index(b"hvcC") - 4
    for kind in (b"moov", b"trak", b"mdia", b"minf", b"stbl", b"stsd", b"hvc1" if b"hvc1" in data else b"hev1"):
        place = data.rindex(kind, 0, at) - 4
        data[place:place + 4] = struct.pack(">I", struct.unpack(">I", data[place:place + 4])[0] + len(box))
    data[at:at] = box
    open(to, "wb").write(data)


def check_dolby():
    write_clip("hlg.mp4", chart(), "arib-std-b67", "-pix_fmt", "yuv420p10le", "-c:v", "libx265", "-x265-params", "log-level=none")
    insert_dolby("hlg.mp4", "dolby.mp4", 8, 4)
    if "DOVI" not in str(probe("dolby.mp4")):
        return "the test's clip has no Dolby Vision"
    notes = blur("dolby.mp4", "out.mp4", "--radius", "1")
    if notes.count("its metadata of Dolby Vision is lost, because") != 1:
        return notes
    if "DOVI" in str(probe("out.mp4")):
        return "Dolby Vision is written"
    insert_dolby("hlg.mp4", "alone.mp4", 5, 0)
    for words in ([], ["--gamma"]):
        done = run(satblur, "alone.mp4", "out.mp4", "--radius", "1", *words)
        if done.returncode != 1 or b"Dolby Vision alone" not in done.stderr:
            return f"{words}: {done.stderr.decode()}"
    return None


filters = run("ffmpeg", "-hide_banner", "-filters").stdout
encoders = run("ffmpeg", "-hide_banner", "-encoders").stdout
os.mkdir("light")


def attempt(name, function, *words, needs=True, lacks=""):
    if not needs:
        print(f"SKIP  {name}: FFmpeg here has no {lacks}")
        return
    try:
        report(name, function(*words))
    except (RuntimeError, OSError, subprocess.TimeoutExpired, KeyError, IndexError, ValueError) as error:
        report(name, str(error).strip() or repr(error))


x265 = {"needs": b"libx265" in encoders, "lacks": "libx265"}
for curve, name in CURVES.items():
    write_clip("chart.mkv", chart(), curve)
    attempt(f"{name}: codes that do not change, and tags", check_kept, curve)
    attempt(f"{name}: light", check_light, curve)
    attempt(f"{name}: light as zscale's", check_zscale, curve, needs=b" zscale " in filters, lacks="filter zscale")
    attempt(f"{name}: the mean of light", check_mean, curve)
    attempt(f"{name}: --gamma blurs codes", check_codes, curve)
    attempt(f"{name}: no 8 bits", check_refused, ["o.mkv", "--video-codec", "mpeg4"],
            f"high dynamic range ({name}) needs 10 bits, and yuv420p of the encoder mpeg4 has 8; write a .mp4, .mov or .mkv")
    attempt(f"{name}: no 8 bits by name", check_refused, ["o.mkv", "--pixel-format", "yuv420p"], "leave out --pixel-format")
    attempt(f"{name}: no PNG", check_refused, ["o%d.png"], "name files like out/%05d.exr")
    for sheet in ("o.png", "o.exr"):
        attempt(f"{name}: no sheet {sheet}", check_refused, [sheet, "--frames", "2"], "which a sheet does not hold; give --gamma to blur the codes")
    for ending, count in (("y4m", 1), ("nut", 1), ("mkv", 0)):
        attempt(f"{name}: whether .{ending} has the curve", check_note, [f"o.{ending}", "--video-codec", "ffv1"][:1 if ending == "y4m" else 3],
                f"o.{ending}: has no place for the curve ({name}); name it to what reads the video, like ffmpeg -color_trc {curve} -i", count)
    attempt(f"{name}: H.264 names no format of 8 bits", check_note, ["o.mp4", "--video-codec", "h264"], "yuv420p plays", 0, needs=b"libx264" in encoders,
            lacks="libx264")
attempt("a lamp of 1000 cd/m2", check_discs)
attempt("HEVC with the mastering display", check_mastering, **x265)
attempt("12 bits stay", check_depth, "yuv422p12le", "-c:v", "ffv1", **x265)
attempt("8 bits stay", check_depth, "yuv420p", "-c:v", "ffv1", **x265)
attempt("ICtCp", check_matrix, "ictcp", **x265)
attempt("constant luminance", check_matrix, "bt2020c", **x265)
attempt("Dolby Vision", check_dolby, **x265)
