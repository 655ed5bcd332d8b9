"""Compares the times and tags of clips with those that satblur makes of them. clip_times.py SATBLUR [--all] [--quick]

Each row makes a clip as a camera, a phone, an editor or a recorder would. Frames, their times, the duration, the sound's offset
and length, the turn, the colours' tags and the shape of the pixels are to be equal, up to the ticks of both containers. --all
writes every clip into every container; otherwise each goes into its own and one other. Prints a table and fails where they
differ. --quick only writes the clips, for sanitizers."""
import concurrent.futures
import functools
import json
import subprocess
import sys

satblur, is_full, is_quick = sys.argv[1], "--all" in sys.argv, "--quick" in sys.argv
ENDINGS = ("mp4", "mov", "mkv", "webm", "ts")
KIN = ("mp4", "mov")  # which alone say how much of a packet of sound is heard
SOUND = "sine=f=440:r=48000"
FILM = "testsrc2=s=96x64:r={}"
# Frames that come at uneven times, in ticks of a ninetieth of a millisecond
UNEVEN = "settb=1/90000,setpts=N*3003+floor(1100*mod(N*N\\,3))"
COARSE = "settb=1/600,setpts=N*20+mod(N*7\\,5)"
X264 = ("-c:v", "libx264", "-preset", "veryfast")
FLAT = X264 + ("-bf", "0")
DEEP = X264 + ("-bf", "3")
AAC = ("-c:a", "aac", "-ac", "2")
BT709 = ("-color_primaries", "bt709", "-color_trc", "bt709", "-colorspace", "bt709", "-color_range", "tv")
SD = ("-color_primaries", "smpte170m", "-color_trc", "smpte170m", "-colorspace", "smpte170m", "-color_range", "tv")
KEEP = ("-fps_mode", "passthrough", "-enc_time_base:v")
TICKS = {"uneven": KEEP + ("1/90000",), "coarse": KEEP + ("1/600",), "slow": KEEP + ("1/1000",)}


def row(name, ending, rate, codec, *, video="", sound=AAC, late=0, turn=0, frames=24, after=(), before=(), mux=()):
    return dict(name=name, ending=ending, rate=rate, codec=codec, video=video, sound=sound, late=late, turn=turn, frames=frames,
                after=after, before=before, mux=mux)


CLIPS = [
    row("camera, 25/s", "mp4", "25", FLAT, after=BT709),
    row("camera, B-frames", "mp4", "25", DEEP, after=BT709),
    row("action camera, 59.94/s, time code", "mp4", "60000/1001", FLAT, after=("-timecode", "01:02:03:04") + BT709),
    row("drone, 29.97/s, no sound", "mp4", "30000/1001", DEEP, sound=None),
    row("phone A: uneven, upright", "mov", "30", FLAT + TICKS["coarse"], video=COARSE, turn=90, mux=("-video_track_timescale", "600"), after=BT709),
    row("phone A: uneven, upside down", "mov", "30", DEEP + TICKS["coarse"], video=COARSE, turn=180, mux=("-video_track_timescale", "600")),
    row("phone B: uneven, 90 kHz", "mp4", "30", FLAT + TICKS["uneven"], video=UNEVEN, turn=270, mux=("-video_track_timescale", "90000")),
    row("phone B: sound begins late", "mp4", "30", FLAT + TICKS["uneven"], video=UNEVEN, late=.25, mux=("-video_track_timescale", "90000")),
    row("phone C: sound begins early", "mp4", "30", DEEP, late=-.2),
    row("messenger: fragments", "mp4", "30", FLAT, mux=("-movflags", "frag_keyframe+empty_moov+default_base_moof")),
    row("messenger: baseline, mono 16 kHz", "mp4", "15", FLAT + ("-profile:v", "baseline"), sound=("-c:a", "aac", "-ac", "1", "-ar", "16000")),
    row("editor A: ProRes, PCM, time code", "mov", "24", ("-c:v", "prores_ks"), sound=("-c:a", "pcm_s24le"), after=("-timecode", "01:00:00:00") + BT709),
    row("editor B: DNxHR, PCM", "mov", "24000/1001", ("-c:v", "dnxhd", "-profile:v", "dnxhr_sq", "-pix_fmt", "yuv422p"), video="scale=256:128",
        sound=("-c:a", "pcm_s16le")),
    row("editor C: cut by an edit list", "mp4", "25", DEEP + ("-g", "50"), frames=40, before=("-ss", "0.5")),
    row("editor C: cut by an edit list, MOV", "mov", "25", DEEP + ("-g", "50"), frames=40, before=("-ss", "0.31")),
    row("editor D: HEVC, B-frames", "mov", "25", ("-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=none"), after=BT709),
    row("editor E: full range", "mp4", "25", X264 + ("-pix_fmt", "yuvj420p")),
    row("recorder A: two tracks of sound, 60/s", "mkv", "60", DEEP, sound=AAC + ("-map", "1:a")),
    row("recorder A: begins at 5.4 s", "mkv", "25", FLAT, mux=("-output_ts_offset", "5.4")),
    row("recorder B: screen, very uneven", "mp4", "30", FLAT + TICKS["slow"], video="settb=1/1000,setpts=N*33+N*N*7"),
    row("recorder B: screen, uneven, Matroska", "mkv", "30", DEEP + TICKS["slow"], video="settb=1/1000,setpts=N*33+N*N*7", sound=("-c:a", "libopus")),
    row("recorder C: a browser's, without a length", "webm", "30", ("-c:v", "libvpx", "-deadline", "realtime") + TICKS["slow"],
        video="settb=1/1000,setpts=N*33+mod(N*N*5\\,11)", sound=("-c:a", "libopus"), mux=("-live", "1")),
    row("web, VP9 and Opus", "webm", "25", ("-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8"), sound=("-c:a", "libopus"), after=BT709),
    row("web, sound begins late", "webm", "30000/1001", ("-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8"), sound=("-c:a", "libopus"), late=.3),
    row("archive: FFV1, wide pixels, FLAC", "mkv", "25", ("-c:v", "ffv1"), video="setsar=16/11", sound=("-c:a", "flac"), after=SD),
    row("disc: HD, AC-3, 23.976/s", "mkv", "24000/1001", DEEP, sound=("-c:a", "ac3"), after=BT709),
    row("television: begins at 3600 s", "ts", "25", DEEP, sound=("-c:a", "mp2"), mux=("-output_ts_offset", "3600"), after=BT709),
    row("television: MPEG-2, 29.97/s, wide pixels", "ts", "30000/1001", ("-c:v", "mpeg2video", "-bf", "2"), video="setsar=16/11", sound=("-c:a", "ac3"),
        after=SD),
    row("camcorder: AVCHD, 50/s", "ts", "50", DEEP, sound=("-c:a", "ac3"), mux=("-mpegts_m2ts_mode", "1")),
    row("stream: sound begins late", "ts", "30", FLAT, late=.15),
    row("phone C: begins at 2 s", "mp4", "30", DEEP, mux=("-output_ts_offset", "2")),
    row("phone A: mirrored", "mov", "30", DEEP, turn="mirror"),
]


def run(*command):
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)


def ffmpeg(*arguments):
    done = run("ffmpeg", "-v", "error", "-nostdin", "-y", *arguments)
    if done.returncode:
        raise RuntimeError("ffmpeg: " + done.stderr.strip())


def name_of(c):
    return "".join(x if x.isalnum() else "_" for x in c["name"]) + "." + c["ending"]


def set_turn(path, turn):
    """Writes the matrix of the first track of pictures."""
    q, m = 1 << 16, -(1 << 16)
    matrix = {90: (0, q, m, 0), 180: (m, 0, 0, m), 270: (0, m, q, 0), "mirror": (m, 0, 0, q)}[turn]
    with open(path, "r+b") as file:
        data = bytearray(file.read())
        at = data.index(b"tkhd") + 4 + 40
        for i, value in zip((0, 1, 3, 4), matrix):
            data[at + 4 * i:at + 4 * i + 4] = (value & 0xffffffff).to_bytes(4, "big")
        file.seek(0)
        file.write(data)


def make(c):
    path, seconds = name_of(c), c["frames"] / eval(c["rate"]) + .05
    sound = c["sound"]
    early = max(0, -c["late"])
    inputs = ["-itsoffset", str(early)] * (early > 0) + ["-f", "lavfi", "-i", FILM.format(c["rate"])]
    if sound:
        inputs += ["-itsoffset", str(c["late"])] * (c["late"] > 0) + ["-f", "lavfi", "-t", str(seconds + early), "-i", SOUND]
        sound = ("-map", "0:v", "-map", "1:a", *sound)
    video = ["-vf", ",".join([f"trim=end_frame={c['frames']}"] + [c["video"]] * bool(c["video"]))]
    depth = [] if "-pix_fmt" in c["codec"] or "prores_ks" in c["codec"] else ["-pix_fmt", "yuv420p"]
    whole = "whole_" + path
    ffmpeg(*inputs, *(sound or ()), *video, *c["codec"], *depth, *c["after"], *c["mux"], whole if c["before"] else path)
    if c["before"]:  # without decoding, so that the index names frames that are not shown
        ffmpeg(*c["before"], "-i", whole, "-c", "copy", *c["mux"], path)
    if c["turn"]:
        set_turn(path, c["turn"])


def try_make(c):
    try:
        return make(c)
    except RuntimeError as error:
        return str(error).replace("\n", " ")


def probe(path):
    done = run("ffprobe", "-v", "error", "-show_format", "-show_streams", "-show_frames", "-show_entries",
               "frame=media_type,stream_index,best_effort_timestamp_time,nb_samples,color_range,color_space,color_primaries,color_transfer",
               "-of", "json", path)
    if done.returncode or done.stderr:
        raise RuntimeError("ffprobe: " + done.stderr.strip())
    return json.loads(done.stdout)


def length_of(about):
    """Returns the seconds from the first time to the last; most containers say when the last one ends."""
    until = float(about.get("duration", "nan"))
    return until if "mpegts" in about["format_name"] else until - max(0, float(about.get("start_time", 0)))


def shown_by(path):
    """Returns the size of the first picture as a player shows it, and the brightness of its eighths."""
    done = subprocess.run(("ffmpeg", "-v", "error", "-nostdin", "-i", path, "-frames:v", "1", "-pix_fmt", "gray", "-c:v", "pgm", "-f",
                           "image2pipe", "-"), capture_output=True, timeout=60)
    _, width, height, _, data = done.stdout.split(maxsplit=4)
    w, h = int(width), int(height)
    cells = [[data[y * w + x] for y in range(j * h // 8, (j + 1) * h // 8) for x in range(i * w // 8, (i + 1) * w // 8)]
             for j in range(8) for i in range(8)]
    return (w, h), [sum(c) // len(c) for c in cells]


@functools.cache
def described(path):
    """Returns what is to be equal, and the length of a tick of the pictures in seconds."""
    found = probe(path)
    picture = next(s for s in found["streams"] if s["codec_type"] == "video")
    sounds = [s for s in found["streams"] if s["codec_type"] == "audio"]
    times = [float(f["best_effort_timestamp_time"]) for f in found["frames"] if f["stream_index"] == picture["index"]]
    heard = [[f for f in found["frames"] if f["stream_index"] == s["index"]] for s in sounds]
    sides = [d for d in picture.get("side_data_list", []) if "rotation" in d]
    a, b = picture["time_base"].split("/")
    first = found["frames"][0] if found["frames"][0]["media_type"] == "video" else next(f for f in found["frames"] if f["media_type"] == "video")
    return {
        "frames": len(times),
        "begin": times[0],
        "times": [t - times[0] for t in times],
        "length": length_of(found["format"]),
        "track": float(picture.get("duration", "nan")),
        "offsets": [float(h[0]["best_effort_timestamp_time"]) - times[0] for h in heard],
        "samples": [sum(f["nb_samples"] for f in h) for h in heard],
        "shown": shown_by(path),
        "turn": [d["displaymatrix"] for d in sides],
        "colours": [first.get("color_range", "tv")] + [first.get("color_" + k, "unknown") for k in ("space", "primaries", "transfer")],
        "pixels": eval(picture.get("sample_aspect_ratio", "1:1").replace(":", "/")),
    }, int(a) / int(b)


def far(a, b):
    return 0 if a == b or a != a or b != b else abs(a - b)


def differences(c, path, ending):
    """Lists what is not equal."""
    (was, tick), (now, new_tick) = described(name_of(c)), described(path)
    by = tick + new_tick + 2e-6
    out = []
    if was["frames"] != now["frames"]:
        return [f"{now['frames']} frames, not {was['frames']}"]
    moved = max(far(a, b) for a, b in zip(was["times"], now["times"]))
    if moved > by:
        out.append(f"times move by {1000 * moved:.3f} ms")
    if ending == c["ending"] and far(was["begin"], now["begin"]) > by:
        out.append(f"begins at {now['begin']:.3f}, not {was['begin']:.3f} s")
    if c["ending"] == "ts" != ending and now["begin"] > .5:
        out.append(f"begins at {now['begin']:.3f} s of the sender's clock")
    step = was["times"][-1] / max(1, was["frames"] - 1)
    about = max(.065, step) if "ts" in (ending, c["ending"]) else max(by, .6 * step, .022)  # a packet of sound; TS has no lengths
    if len(was["offsets"]) == len(now["offsets"]) and far(was["length"], now["length"]) > about:
        out.append(f"lasts {now['length']:.3f}, not {was['length']:.3f} s")
    # FFmpeg reads a frame that an edit list cuts as whole, or not at all, and knows no length of the last uneven one
    if ending in KIN and c["ending"] in KIN and far(was["track"], now["track"]) > (step if c["before"] or "settb" in c["video"] else by):
        out.append(f"its pictures last {now['track']:.4f}, not {was['track']:.4f} s")
    if len(was["offsets"]) != len(now["offsets"]):
        out.append("sound is lost")
    else:
        late = max([far(a, b) for a, b in zip(was["offsets"], now["offsets"])] + [0])
        if late > by + (1e-3 if ending in KIN or ending == c["ending"] else .0135):
            out.append(f"sound is moved by {1000 * late:.2f} ms")
        if max([far(a, b) for a, b in zip(was["samples"], now["samples"])] + [0]) > (0 if ending in KIN and c["ending"] in KIN else 1024):
            out.append(f"{now['samples']} samples of sound, not {was['samples']}")
    if (was["turn"] if ending in KIN else []) != now["turn"]:
        out.append(f"is turned by {now['turn']}, not {was['turn']}")
    (size, cells), (new_size, new_cells) = was["shown"], now["shown"]
    if size != new_size or max(far(a, b) for a, b in zip(cells, new_cells)) > 12:
        out.append(f"shows another picture, of {new_size}")
    out += [f"{k}: {now[k]}, not {was[k]}" for k in ("colours",) if was[k] != now[k]]
    if far(was["pixels"], now["pixels"]) > .01:
        out.append(f"pixels of {now['pixels']:.3f}, not {was['pixels']:.3f}")
    return out


def check(job):
    c, ending = job
    path = f"to_{ending}_{name_of(c)}.{ending}"
    try:
        done = run(satblur, name_of(c), path, "--radius", "0")
        if done.returncode or is_quick:
            return [done.stderr.strip()] if done.returncode else []
        said = [line for line in done.stderr.splitlines() if "lost, because" in line]
        return [f"{d} (said)" if said and "sound is lost" in d else d for d in differences(c, path, ending)]
    except (RuntimeError, subprocess.TimeoutExpired, StopIteration, KeyError) as error:
        return [str(error)]


def main():
    jobs = []
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for i, (c, lacks) in enumerate(zip(CLIPS, pool.map(try_make, CLIPS))):
            if lacks:
                print(f"{'FAIL' if 'nknown encoder' not in lacks else 'SKIP'}  {c['name']}: ffmpeg cannot make the clip: {lacks}")
                continue
            others = [e for e in ENDINGS if e != c["ending"]]
            jobs += [(c, e) for e in ([c["ending"]] + (others if is_full else [others[i % len(others)]]))]
        for (c, ending), found in zip(jobs, pool.map(check, jobs)):
            bad = [d for d in found if not d.endswith("(said)")]
            print(f"{'FAIL' if bad else 'ok  '}  {c['name']:<44} {c['ending']:>4} to {ending:<4} {'; '.join(found)}", flush=True)


main()
