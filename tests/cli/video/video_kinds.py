"""Writes clips of every kind with satblur and compares what FFmpeg's programs make of them. video_kinds.py SATBLUR [--quick]

Each row is a case of its own: a file that is written with status 0 has all frames, their times, the pixel format that is
named, and pixels that are equal or near. --quick only writes them, for sanitizers."""
import concurrent.futures
import functools
import json
import re
import subprocess
import sys

satblur, is_quick = sys.argv[1], "--quick" in sys.argv
FRAMES = 5
EXACT = 1000  # dB
LAVFI = "testsrc2=size={}:rate={}"

# Name: size, frames a second, pixel format, what FFmpeg is to do with the frames
SOURCES = {
    "420": ("64x48", "25", "yuv420p", ""),
    "420x10": ("64x48", "25", "yuv420p10le", ""),
    "422x10": ("64x48", "25", "yuv422p10le", ""),
    "444": ("64x48", "25", "yuv444p", ""),
    "444x12": ("64x48", "25", "yuv444p12le", ""),
    "gray": ("64x48", "25", "gray", ""),
    "rgb": ("64x48", "25", "gbrp", ""),
    "full": ("64x48", "25", "yuvj420p", "scale=out_range=full"),
    "wide": ("320x192", "25", "yuv422p10le", ""),
    "large": ("320x192", "25", "yuv420p", ""),
    "odd": ("64x48", "25", "yuv420p", "scale=63:47"),
    "tiny": ("64x48", "25", "yuv420p", "scale=2:2"),
    "dot": ("64x48", "25", "yuv444p", "scale=1:1"),
    "ntsc": ("64x48", "30000/1001", "yuv420p", ""),
    "720p": ("1280x720", "24", "yuv422p10le", ""),
    "1080p": ("1920x1080", "25", "yuv422p10le", ""),
}

# Ending, --video-codec, source, pixel format of the result, PSNR of luma that it has at least
KINDS = [
    ("mp4", "", "420", "yuv420p", 35), ("mov", "", "420", "yuv420p", 35), ("m4v", "", "420", "yuv420p", 35),
    ("mkv", "", "420", "yuv420p", 35), ("webm", "", "420", "yuv420p", 35), ("avi", "", "420", "yuv420p", 35),
    ("y4m", "", "420", "yuv420p", EXACT), ("nut", "", "420", "yuv420p", EXACT), ("ts", "", "420", "yuv420p", 35),
    ("mpg", "", "420", "yuv420p", 35), ("ogv", "", "large", "yuv420p", 30), ("flv", "", "420", "yuv420p", 30),
    ("3gp", "", "420", "yuv420p", 35), ("mxf", "", "420", "yuv420p", 35),
    ("mov", "libx264", "720p", "yuv422p10le", 35), ("mov", "libx264", "1080p", "yuv422p10le", 35),
    ("mov", "libx264", "422x10", "yuv422p10le", 35), ("mp4", "libx264", "422x10", "yuv422p10le", 35),
    ("mkv", "libx264", "420x10", "yuv420p10le", 35), ("mov", "libx264", "444", "yuv444p", 35),
    ("mxf", "libx264", "420", "yuv420p", 35), ("mp4", "libx264", "full", "yuvj420p", 35),
    ("mp4", "libx265", "422x10", "yuv422p10le", 35), ("mov", "libx265", "444x12", "yuv444p12le", 35),
    ("ts", "libx265", "420", "yuv420p", 35), ("webm", "libvpx", "420", "yuv420p", 35),
    ("webm", "libvpx-vp9", "444x12", "yuv444p12le", 35), ("mp4", "libsvtav1", "large", "yuv420p", 35),
    ("mov", "prores_ks", "444x12", "yuv444p12le", 35), ("mov", "prores_ks", "full", "yuv422p10le", 35),
    ("mov", "dnxhd", "wide", "yuv422p10le", 35), ("mxf", "dnxhd", "wide", "yuv422p10le", 35),
    ("mp4", "mpeg4", "420", "yuv420p", 35), ("avi", "mpeg4", "ntsc", "yuv420p", 35), ("mp4", "mpeg4", "full", "yuv420p", 35),
    ("avi", "mpeg2video", "420", "yuv420p", 35), ("mkv", "mpeg2video", "ntsc", "yuv420p", 35),
    ("avi", "mjpeg", "420", "yuvj420p", 35), ("mov", "mjpeg", "full", "yuvj420p", 35), ("mkv", "mjpeg", "rgb", "yuvj444p", 35),
    ("mkv", "ffv1", "422x10", "yuv422p10le", EXACT), ("avi", "ffv1", "444x12", "yuv444p12le", EXACT),
    ("mov", "ffv1", "gray", "gray", EXACT), ("nut", "ffv1", "rgb", "bgr0", EXACT), ("mkv", "ffv1", "odd", "yuv420p", EXACT),
    ("mkv", "ffv1", "dot", "yuv444p", EXACT), ("mkv", "ffvhuff", "444x12", "yuv444p12le", EXACT),
    ("avi", "utvideo", "420", "yuv420p", EXACT), ("mkv", "rawvideo", "422x10", "yuv422p10le", EXACT),
    ("mkv", "rawvideo", "rgb", "rgb24", EXACT), ("avi", "rawvideo", "420", "yuv420p", EXACT),
    ("mov", "png", "rgb", "rgb24", EXACT), ("mov", "v210", "422x10", "yuv422p10le", EXACT), ("mov", "qtrle", "rgb", "rgb24", EXACT),
    ("mp4", "", "odd", "yuv444p", 35), ("mp4", "", "tiny", "yuv420p", 20), ("mkv", "", "dot", "yuv444p", 20),
    ("mp4", "libx265", "odd", "yuv444p", 30), ("mov", "prores_ks", "odd", "yuv422p10le", 35),
]

# Ending and --video-codec of kinds that are refused before the first frame
REFUSED = [("ts", "libvpx-vp9"), ("ts", "ffv1"), ("mpg", "prores_ks"), ("webm", "libx264"), ("avi", "libx265"),
           ("mov", "libsvtav1"), ("flv", "mpeg4"), ("y4m", "ffv1"), ("ogv", "libx264"), ("mkv", "qtrle")]

# Ticks a second of the source, ending of the source, ending of the result, error in seconds that its ticks explain
TIMES = [("90000", "mov", e, by) for e, by in
         (("mp4", 1e-6), ("mov", 1e-6), ("mkv", 5.1e-4), ("ts", 2e-6), ("nut", 1e-6))] + [
    ("1000000", "mov", "mp4", 1e-6), ("1000000", "mov", "mkv", 5.1e-4), ("1000000000", "nut", "mp4", 1e-6),
    ("1000000000", "nut", "mkv", 5.1e-4), ("30000/1001", "mov", "mp4", 1e-6), ("30000/1001", "nut", "nut", 1e-6)]

# Sound and its encoder, ending of the result, whether it is kept
SOUNDS = [("flac", "mp4", True), ("flac", "mov", False), ("flac", "mkv", True), ("flac", "webm", False), ("flac", "ts", False),
          ("truehd", "mp4", True), ("truehd", "mov", False), ("opus", "mp4", True), ("opus", "webm", True),
          ("opus", "mov", False), ("vorbis", "mp4", True), ("vorbis", "ts", False), ("ac3", "mov", True), ("alac", "mp4", True),
          ("pcm_s24be", "mov", True), ("pcm_s24be", "mp4", False), ("pcm_s16le", "avi", True), ("aac", "flv", True),
          ("wavpack", "mp4", False), ("wmav2", "mov", False), ("adpcm_ms", "mov", False), ("adpcm_ima_wav", "mov", False)]


def run(*command):
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)


def ffmpeg(*arguments):
    done = run("ffmpeg", "-v", "error", "-nostdin", "-y", *arguments)
    if done.returncode or done.stderr:
        raise RuntimeError("ffmpeg: " + (done.stderr.strip() or "fails"))
    return done


def make_source(name):
    size, rate, pixels, filters = SOURCES[name]
    frames = 2 if name[-1] == "p" else FRAMES
    tags = ("-color_range", "pc") if name == "full" else ()
    ffmpeg("-f", "lavfi", "-i", LAVFI.format(size, rate), "-frames:v", str(frames), *(("-vf", filters) if filters else ()), *tags,
           "-pix_fmt", pixels, "-c:v", "ffv1", source_file(name))


def source_file(name):
    return f"{name}.mkv" if name == "full" else f"{name}.nut"  # NUT says no range


class Written(Exception):
    """A clip is written, which is enough for a quick run."""


def is_written():
    if is_quick:
        raise Written


@functools.cache
def probe(path):
    """Decodes all frames; returns the first stream of pictures and the frames' times."""
    is_written()
    done = run("ffprobe", "-v", "error", "-select_streams", "v:0", "-show_frames", "-show_streams", "-of", "json", path)
    if done.returncode or done.stderr:
        raise RuntimeError("ffprobe: " + done.stderr.strip())
    found = json.loads(done.stdout)
    times = [float(f.get("best_effort_timestamp_time", "nan")) for f in found["frames"]]
    return found["streams"][0], [t - times[0] for t in times]


def psnr(path, name):
    """Returns the PSNR of luma, or of green."""
    rgb = SOURCES[name][2] == "gbrp"
    deep = "gbrp" if rgb else "yuv444p16le" if SOURCES[name][2] != "gray" else "gray"
    ranges = ":".join(("scale=out_range=full", "flags=bicubic+accurate_rnd+full_chroma_int"))
    done = run("ffmpeg", "-v", "info", "-nostdin", "-i", source_file(name), "-i", path, "-lavfi",
               f"[0]{ranges},format={deep}[a];[1]{ranges},format={deep}[b];[a][b]psnr", "-f", "null", "-")
    found = re.search(r"PSNR [yr]:(\S+)", done.stderr)
    if not found:
        raise RuntimeError("no PSNR: " + done.stderr[-200:])
    return EXACT if found[1] == "inf" else float(found[1])


def check_times(times, wanted, by):
    if len(times) != len(wanted):
        return f"{len(times)} frames, not {len(wanted)}"
    far = max(abs(a - b) for a, b in zip(times, wanted))
    return None if far <= by else f"times are wrong by {far:.6f} s: {times}"


def check_kind(ending, codec, name, pixels, least):
    path = f"kind_{name}_{codec}.{ending}"
    done = run(satblur, source_file(name), path, "--radius", "0", *(("--video-codec", codec) if codec else ()))
    if done.returncode:
        return "SKIP" if "has no encoder" in done.stderr else done.stderr
    stream, times = probe(path)
    _, wanted = probe(source_file(name))
    if stream["pix_fmt"] != pixels:
        return f"its pixels are {stream['pix_fmt']}"
    got = psnr(path, name)
    return check_times(times, wanted, 0.0011) or (None if got >= least else f"PSNR {got} dB")


def check_refused(ending, codec):
    path = f"refused_{codec}.{ending}"
    done = run(satblur, source_file("large"), path, "--radius", "0", "--video-codec", codec)
    if "has no encoder" in done.stderr:
        return "SKIP"
    return None if done.returncode == 1 and "cannot be written; name another ending" in done.stderr else done.stderr


def check_time(ticks, source, ending, by):
    name, path = f"times_{ticks.replace('/', '_')}.{source}", f"times_{ticks.replace('/', '_')}_{source}.{ending}"
    done = run(satblur, name, path, "--radius", "0")
    return done.stderr if done.returncode else check_times(probe(path)[1], probe(name)[1], by)


def check_moved(ticks, source, ending):
    name = f"times_{ticks}.{source}"
    said = ["times of frames move by up to" in run(satblur, path, f"moved.{ending}", "--radius", "0").stderr
            for path in (name, source_file("420"))]
    return None if said == [True, False] else f"the note is said: {said}"


def make_times(ticks, source):
    a, b = (ticks + "/1").split("/")[:2]
    step = f"floor({a}/{b}/25)+1" if int(a) > 40000 else "1"
    ffmpeg("-f", "lavfi", "-i", LAVFI.format("64x48", 25), "-frames:v", "12", "-vf",
           f"settb={b}/{a},setpts=N*({step})+floor(({step})/3)*mod(N*N\\,3)", "-fps_mode", "passthrough", "-enc_time_base", f"{b}/{a}",
           "-c:v", "ffv1", *(("-video_track_timescale", a) if source == "mov" else ()), f"times_{ticks.replace('/', '_')}.{source}")


def check_sound(sound, ending, kept):
    path = f"kept_{sound}.{ending}"
    done = run(satblur, f"sound_{sound}.mkv", path, "--radius", "0")
    if done.returncode:
        return done.stderr
    is_written()
    ffmpeg("-i", path, "-map", "0:v", "-map", "0:a?", "-f", "null", "-")
    found = run("ffprobe", "-v", "error", "-select_streams", "a", "-show_entries", "stream=codec_name", "-of", "csv=p=0", path).stdout.strip(",\n")
    is_said = f"lost, because the container does not take it: sound ({sound})" in done.stderr
    return None if (found == sound and not is_said if kept else not found and is_said) else f"'{found}': {done.stderr}"


def check_aspect(ending):
    path = f"aspect.{ending}"
    done = run(satblur, "aspect.nut", path, "--radius", "0")
    aspect = "none" if done.returncode else probe(path)[0].get("sample_aspect_ratio")
    return None if aspect == "16:11" else f"the aspect is {aspect}: {done.stderr}"


def check_alpha():
    said = ["its alpha is lost" in run(satblur, path, "alpha.mp4", "--radius", "0").stderr
            for path in ("alpha.mov", source_file("420"))]
    return None if said == [True, False] else f"the note is said: {said}"


def check_gap(ending):
    """Says how far frames behind a gap are moved."""
    done = run(satblur, "gap.nut", f"gap.{ending}", "--radius", "0")
    return None if done.returncode == 0 and "move by up to 400 ms" in done.stderr else done.stderr


def check_narrow():
    done = run(satblur, "dot.nut", "dot.ogv", "--radius", "0")
    return None if done.returncode == 1 and "narrower than 18" in done.stderr else done.stderr


def check_chapters(ending, kept):
    done = run(satblur, "chapters.mkv", f"chapters_out.{ending}", "--radius", "0")
    found = len(json.loads(run("ffprobe", "-v", "error", "-show_chapters", "-of", "json", f"chapters_out.{ending}").stdout)["chapters"])
    is_said = "does not take it: chapters" in done.stderr
    return None if (found, is_said) == ((1, False) if kept else (0, True)) else f"{found} chapters: {done.stderr}"


def check_late():
    """A clip that begins at an hour is whole."""
    done = run(satblur, "late.mkv", "late_out.mkv", "--radius", "0", "--on-error", "fail")
    return done.stderr if done.returncode or "cut off" in done.stderr else None


def element(name, *parts):
    """Returns an element of Matroska, of bytes and numbers."""
    data = b"".join(p if isinstance(p, bytes) else p.to_bytes(8, "big") for p in parts)
    return bytes.fromhex(name) + (len(data) | 1 << 56).to_bytes(8, "big") + data


def make_long(path):
    """Writes raw frames, each as long as 64 bits allow."""
    shape = element("e0", element("b0", 16), element("ba", 16), element("2eb524", b"I420"))
    track = element("ae", element("d7", 1), element("73c5", 1), element("83", 1), element("86", b"V_UNCOMPRESSED"), shape)
    frames = [element("1f43b675", element("e7", at), element("a0", element("a1", b"\x81\0\0\0" + bytes(384)), element("9b", 2**63 - 5)))
              for at in (0, 40, 80)]
    with open(path, "wb") as file:
        file.write(element("1a45dfa3", element("4282", b"matroska"))
                   + element("18538067", element("1549a966", element("2ad7b1", 10**6)), element("1654ae6b", track), *frames))


def check_long(ending):
    done = run(satblur, "long.mkv", f"long_out.{ending}", "--radius", "0", "--quiet")
    return done.stderr if done.returncode or done.stderr else check_times(probe(f"long_out.{ending}")[1], (0, .04, .08), 1e-6)


def make_odd_clips():
    with open("chapters.txt", "w") as file:
        file.write(";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=200\ntitle=one\n")
    ffmpeg("-f", "lavfi", "-i", LAVFI.format("64x48", 25), "-i", "chapters.txt", "-frames:v", "5", "-map_metadata", "1", "-c:v", "ffv1",
           "chapters.mkv")
    ffmpeg("-f", "lavfi", "-i", LAVFI.format("64x48", 25), "-frames:v", "10", "-vf", "select='lt(n,5)+gt(n,14)'", "-fps_mode",
           "passthrough", "-c:v", "ffv1", "gap.nut")
    ffmpeg("-f", "lavfi", "-i", LAVFI.format("64x48", 25), "-frames:v", "5", "-c:v", "ffv1", "-output_ts_offset", "3600", "late.mkv")
    make_long("long.mkv")
    ffmpeg("-f", "lavfi", "-i", LAVFI.format("64x48", 25), "-frames:v", "2", "-vf", "setsar=16/11", "-c:v", "ffv1", "aspect.nut")
    ffmpeg("-f", "lavfi", "-i", LAVFI.format("64x48", 25), "-frames:v", "2", "-vf", "format=argb", "-c:v", "qtrle", "alpha.mov")


def make_sound(sound):
    ffmpeg("-f", "lavfi", "-i", LAVFI.format("64x48", 25), "-f", "lavfi", "-i", "sine=sample_rate=48000", "-t", "0.4", "-ac", "2", "-strict",
           "-2", "-c:v", "ffv1", "-c:a", sound, f"sound_{sound}.mkv")


def attempt(job):
    name, function, row = job
    try:
        return name, function(*row)
    except Written:
        return name, None
    except (RuntimeError, subprocess.TimeoutExpired, KeyError, IndexError) as error:
        return name, str(error)


jobs = ([(f"{e} {c or '(its usual codec)'} of {s}", check_kind, (e, c, s, p, d)) for e, c, s, p, d in KINDS]
        + [(f"{e} takes no {c}", check_refused, (e, c)) for e, c in REFUSED]
        + [(f"times of {t}/s, {s} to {e}", check_time, (t, s, e, by)) for t, s, e, by in TIMES]
        + [("times that a rate moves are said", check_moved, ("90000", "mov", "avi"))]
        + [(f"pixels that are no squares, to {e}", check_aspect, (e,)) for e in ("mp4", "mov", "mkv", "y4m", "ts", "avi")]
        + [("alpha that is lost is said", check_alpha, ()), ("Theora that is too narrow", check_narrow, ()),
           ("a clip that begins late", check_late, ())]
        + [(f"chapters, to {e}", check_chapters, (e, e in ("mp4", "mov", "mkv", "nut")))
           for e in ("mp4", "mov", "mkv", "nut", "avi", "ts", "flv", "mxf", "ogv", "mpg")]
        + [(f"frames as long as 64 bits allow, to {e}", check_long, (e,)) for e in ("mp4", "mkv")]
        + [(f"a gap that {e} cannot hold", check_gap, (e,)) for e in ("y4m", "mxf")]
        + [(f"sound: {s} to {e}", check_sound, (s, e, k)) for s, e, k in SOUNDS])
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    list(pool.map(make_source, SOURCES))
    list(pool.map(lambda t: make_times(*t), sorted({row[:2] for row in TIMES})))
    list(pool.map(make_sound, sorted({row[0] for row in SOUNDS})))
    make_odd_clips()
    for name, fault in pool.map(attempt, jobs):
        if fault == "SKIP":
            print(f"SKIP  {name}: FFmpeg here has no such encoder")
        else:
            print(f"FAIL  {name}: {fault.strip()}" if fault else f"ok    {name}")
