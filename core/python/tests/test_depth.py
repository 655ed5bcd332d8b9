"""satblur-depth, by networks that the tests write: one convolution of 1 x 1, from colours to depth."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import zipfile

import numpy as np
import pytest

pytest.importorskip("onnxruntime", reason="SKIPPED LOUDLY: no onnxruntime, so satblur-depth is not tested")
pillow = pytest.importorskip("PIL.Image", reason="SKIPPED LOUDLY: no Pillow, so satblur-depth is not tested")

from tiny_onnx import brightness, model, node, value  # noqa: E402, I001
from satblur import _models, _network  # noqa: E402

PLAIN = _models.UNKNOWN._replace(scale=_models.UNIT, multiple=1)


def slope(width, height, channels=3):
    """A smooth picture: red grows across, green down, blue both."""
    y, x = np.mgrid[:height, :width]
    planes = [x * 255 // max(width - 1, 1), y * 255 // max(height - 1, 1), (x + y) * 255 // max(width + height - 2, 1)]
    return pillow.fromarray(np.stack(planes[:channels], -1).astype(np.uint8))


def network(path, row=PLAIN):
    return _network.Network(_network.start(path), row)


def expected(picture, weights=(0.2, 0.5, 0.3)):
    return (np.asarray(picture, np.float64) / 255) @ np.array(weights)


# --- The network: shapes, types, scales


@pytest.mark.parametrize("kind,tolerance", [("float32", 1e-6), ("float16", 2e-3), ("uint8", 1e-3)])
@pytest.mark.parametrize("last", [False, True])
@pytest.mark.parametrize("size", [("h", "w"), (60, 80), (60, "w")])
def test_types_and_layouts(tmp_path, kind, tolerance, last, size):
    picture = slope(80, 60)
    result = network(brightness(tmp_path / "m.onnx", kind=kind, last=last, size=size), PLAIN._replace(size=60)).map(picture)
    assert result.shape == (60, 80) and result.dtype == np.float32
    wanted = expected(picture) * (255 if kind == "uint8" else 1)
    assert np.abs(result - wanted).max() <= tolerance * max(wanted.max(), 1)


def test_mean_and_std(tmp_path):
    picture, row = slope(64, 64), PLAIN._replace(scale=_models.IMAGENET, size=64)
    result = network(brightness(tmp_path / "m.onnx"), row).map(picture)
    mean, std = (np.array(each) for each in _models.IMAGENET)
    wanted = ((np.asarray(picture) / 255 - mean) / std) @ np.array((0.2, 0.5, 0.3))
    assert np.abs(result - wanted).max() < 1e-5


@pytest.mark.parametrize("picture,size,multiple,wanted", [
    ((400, 300), 518, 14, (518, 686)),
    ((300, 400), 518, 14, (686, 518)),
    ((4000, 400), 256, 32, (256, 768)),  # a strip is squeezed
    ((1, 900), 64, 32, (192, 64)),
    ((500, 500), (192, 320), 32, (192, 320)),
])  # fmt: skip
def test_sides(tmp_path, picture, size, multiple, wanted):
    given = network(brightness(tmp_path / "m.onnx"), PLAIN._replace(size=size, multiple=multiple))
    assert given.sides(*picture) == wanted


@pytest.mark.parametrize("size", [(64, 64), (30, 90), (90, 30)])
def test_a_fixed_size_keeps_the_proportions(tmp_path, size):
    """A map of other proportions than the photo would be doubted."""
    picture = slope(240, 160)
    result = network(brightness(tmp_path / "m.onnx", size=size)).map(picture)
    assert abs(result.shape[1] / result.shape[0] - 1.5) < 0.04
    whole = expected(picture.resize(result.shape[::-1]))
    assert np.abs(result - whole)[4:-4, 4:-4].max() < 0.02


@pytest.mark.parametrize("times", [2, 3, 4])
@pytest.mark.parametrize("photo", [(300, 200), (199, 301), (64, 64)])
@pytest.mark.parametrize("output", ["disparity", "metres"])
def test_tiles_are_the_whole_of_a_linear_network(tmp_path, photo, times, output):
    path, picture = brightness(tmp_path / "m.onnx", bias=0.5), slope(*photo)
    row = PLAIN._replace(size=50, output=output)
    tiled = network(path, row).map(picture, times)
    whole = network(path, row._replace(size=50 * times)).map(picture)
    coarse = network(path, row).map(picture)
    assert tiled.shape == tuple(times * side for side in coarse.shape)
    whole = _network.resized(whole, *tiled.shape[::-1])
    assert np.abs(tiled - whole)[3:-3, 3:-3].max() < 0.02


def test_pictures_of_any_size(tmp_path):
    """Tiles end at the picture's end, and strips make no giant maps."""
    made = network(brightness(tmp_path / "m.onnx"), PLAIN._replace(size=28, multiple=14))
    for width, height in [(w, h) for w in range(1, 400, 37) for h in range(1, 400, 41)] + [(1, 20000), (30000, 2)]:
        picture = pillow.new("RGB", (width, height), (width % 256, height % 256, 0))
        result = made.map(picture, 1 + width % 4)
        assert result.size < 1 << 20 and np.isfinite(result).all()
        assert np.abs(result - expected(picture)[0, 0]).max() < 1e-4


def test_tiles_add_detail(tmp_path):
    """A grid that the whole map cannot show is in the tiles."""
    grid = pillow.fromarray(np.where(np.mgrid[:400, :400][1] // 4 % 2, 200, 50).astype(np.uint8)).convert("RGB")
    picture = pillow.blend(grid, slope(400, 400), 0.5)
    row = PLAIN._replace(size=50)
    made = network(brightness(tmp_path / "m.onnx"), row)
    plain, tiled = _network.resized(made.map(picture), 400, 400), _network.resized(made.map(picture, 4), 400, 400)
    rough = [np.abs(np.diff(each[100:300, 100:300], axis=1)).mean() for each in (plain, tiled)]
    assert rough[1] > 3 * rough[0]


def test_a_tile_is_scaled_to_the_whole():
    whole = np.linspace(0, 1, 600, dtype=np.float32).reshape(20, 30)
    assert np.allclose(_network.aligned(whole * 7 - 3, whole, 2), whole, atol=1e-5)
    for bad in (-whole, whole * 0, np.full_like(whole, np.nan)):
        assert np.array_equal(_network.aligned(bad, whole, 2), whole)


@pytest.mark.parametrize("length", [4, 7, 100, 101, 1036])
@pytest.mark.parametrize("times", range(2, 5))
def test_spans_cover(length, times):
    spans = _network.spans(length * times, times)
    assert spans[0][0] == 0 and spans[-1][1] == length * times
    assert all(last - first == length and after < last for (first, last), (after, _) in zip(spans, spans[1:]))


def test_codes():
    numbers = np.arange(1000, dtype=np.float32).reshape(20, 50)
    made = _network.codes(numbers)
    assert made.dtype == np.uint16 and made.min() == 1 and made.max() == 65535 and (np.diff(made.ravel()) > 60).all()
    numbers = np.arange(10000, dtype=np.float32).reshape(100, 100)
    numbers[3, 3], numbers[4, 4], numbers[5, 5] = 1e9, np.nan, np.inf
    wild = _network.codes(numbers)
    assert wild[3, 3] == wild[5, 5] == 65535 and wild[4, 4] == 0
    assert wild[99, 99] > 50000  # one outlier takes little of the scale
    assert np.unique(_network.codes(np.full((5, 5), 3, np.float32))).size == 1


@pytest.mark.parametrize("bias,output,wanted", [(-20, "logits", 0), (20, "logits", 1), (0, "logits", 0.5), (9, "matte", 1)])
def test_mattes(tmp_path, bias, output, wanted):
    path = brightness(tmp_path / "m.onnx", weights=(0, 0, 0), bias=bias)
    result = network(path, PLAIN._replace(output=output, size=32)).map(slope(40, 40), 2)
    assert result.shape == (32, 32) and np.allclose(result, wanted, atol=1e-6)


def test_selfie_of_mediapipe(tmp_path):
    """A real matte: the astronaut of scikit-image by the network that MediaPipe's wheel carries."""
    need = "SKIPPED LOUDLY: no real matte: it needs ai-edge-litert, scikit-image, and pip's network or $SATBLUR_SELFIE"
    pytest.importorskip("ai_edge_litert", reason=need)
    data = pytest.importorskip("skimage.data", reason=need)
    selfie = pathlib.Path(os.environ.get("SATBLUR_SELFIE") or tmp_path / "selfie_segmentation.tflite")
    if not selfie.exists():
        words = ["download", "-q", "--no-deps", "--only-binary", ":all:", "--python-version", "3.11", "--platform",
                 "manylinux_2_28_x86_64", "mediapipe==0.10.21", "-d", str(tmp_path)]  # fmt: skip
        if subprocess.run([sys.executable, "-m", "pip", *words], capture_output=True, timeout=120).returncode != 0:
            pytest.skip(need)
        with zipfile.ZipFile(next(tmp_path.glob("*.whl"))) as wheel:
            selfie.write_bytes(wheel.read("mediapipe/modules/selfie_segmentation/selfie_segmentation.tflite"))
    matte = network(selfie, _models.known(selfie)).map(pillow.fromarray(data.astronaut()))
    assert matte.shape == (512, 512) and matte.min() >= 0 and matte.max() <= 1
    assert matte[80:120, 210:250].min() > 0.9 and matte[300:340, 160:220].min() > 0.9  # her face and her suit
    assert matte[10:160, 340:500].max() < 0.1 and matte[10:120, 10:120].max() < 0.1  # the shuttle, and the wall beside her
    assert 0.3 < matte.mean() < 0.6


# --- The table


@pytest.mark.parametrize("file,name", [
    ("depth_anything_v2_vits.onnx", "depth-anything-v2-small"),
    ("depth-anything-v2-small/onnx/model_fp16.onnx", "depth-anything-v2-small"),
    ("dav2s.onnx", "depth-anything-v2-small"),
    ("depth_anything_v2_vits_indoor_dynamic.onnx", "depth-anything-v2-metric"),
    ("depth_anything_v2_vitl.onnx", "depth-anything-v2"),
    ("DepthPro-ONNX/onnx/model_q4.onnx", "depth-pro"),
    ("model-small.onnx", "midas-small-release"),
    ("midas_v21_small_256.onnx", "midas-small"),
    ("zipdepth_base_384x384.onnx", "zipdepth"),
    ("tcmonodepth_tcsmallnet_192x320.onnx", "tcmonodepth"),
    ("u2netp.onnx", "u2net"),
    ("BiRefNet-general-epoch_244.onnx", "birefnet"),
    ("modnet_photographic_portrait_matting.onnx", "modnet"),
    ("selfie_segmentation_landscape.onnx", "mediapipe-selfie"),
    ("model.onnx", ""),
])  # fmt: skip
def test_known(file, name):
    assert _models.known(pathlib.Path("/m") / file).name == name


def test_rows():
    assert len({row.name for row in _models.KNOWN}) == len(_models.KNOWN)
    for row in _models.KNOWN:
        assert row.licence and row.source.startswith("https://") and row.output in _models.OUTPUTS


def test_find(tmp_path, monkeypatch):
    monkeypatch.setenv("SATBLUR_MODELS", f"{tmp_path}/none:{tmp_path}/a")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    with pytest.raises(ValueError, match="a model of depth"):
        _models.find(None)
    for name in ("a/modnet.onnx", "data/satblur/models/zipdepth.onnx", "a/deep/anything.onnx"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        brightness(tmp_path / name)
    assert _models.find(None).name == "zipdepth.onnx"
    assert _models.find("modnet").name == _models.find("modnet.onnx").name == "modnet.onnx"
    assert _models.find("anything").parent.name == "deep"
    assert _models.find(str(tmp_path / "a/modnet.onnx")) == tmp_path / "a/modnet.onnx"
    with pytest.raises(ValueError, match="cannot find nothing"):
        _models.find("nothing")


# --- The program


@pytest.fixture
def depth(tmp_path, monkeypatch):
    """depth(*words, requests) runs satblur-depth in tmp_path, where red.onnx makes a map of red, and m.jpg is a photo."""
    monkeypatch.chdir(tmp_path)
    for name in ("SATBLUR_MODELS", "XDG_DATA_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    brightness(tmp_path / "red.onnx", weights=(1, 0, 0))
    brightness(tmp_path / "modnet.onnx", weights=(0, 1, 0))
    slope(120, 80).save("m.png")

    def run(*words, requests=None, before=""):
        code = before + "\nfrom satblur._depth_program import main; main()"
        program = [sys.executable, "-c", code] if before else [pathlib.Path(sys.executable).parent / "satblur-depth"]
        return subprocess.run([*program, *words], input=requests, stdin=subprocess.DEVNULL if requests is None else None,
                              capture_output=True, timeout=60)  # fmt: skip

    return run


def answers(done):
    """Returns the answers, as lists of fields, behind the greeting."""
    assert done.returncode == 0, done.stderr
    lines = [line.split("\t") for line in done.stdout.decode().splitlines()]
    assert lines[0][:2] == ["satblur-map", "1"] and len(lines[0]) == 3
    return lines[1:]


PLAINLY = ("--model", "red.onnx", "--mean", "0", "--std", "1", "--size", "80", "--multiple", "1")


def test_protocol(depth, tmp_path):
    done = depth(*PLAINLY, requests=f"1\tdepth\t{tmp_path}/m.png\t{tmp_path}/one\n2\tdepth\tm.png\tzw ei\tnew=1\n".encode())
    assert answers(done) == [["1", "ok", "type=disparity"], ["2", "ok", "type=disparity"]]
    for name in ("one", "zw ei"):
        codes = np.asarray(pillow.open(name))
        assert codes.dtype == np.uint16 and codes.shape == (80, 120)
        assert codes[40, 0] == 1 and codes[40, -1] == 65535 and (np.diff(codes[40].astype(int)) > 0).all()
    assert sorted(os.listdir()) == ["XDG_STATE_HOME", "m.png", "modnet.onnx", "one", "red.onnx", "zw ei"]


def test_the_greeting_names_the_file(depth):
    first = depth(*PLAINLY, requests=b"").stdout
    assert depth(*PLAINLY, requests=b"").stdout == first and b"red.onnx" in first
    brightness(pathlib.Path("red.onnx"), weights=(1, 0.1, 0))
    assert depth(*PLAINLY, requests=b"").stdout != first


def test_a_failed_picture_is_answered(depth):
    pathlib.Path("no.png").write_bytes(b"no picture")
    whole = pathlib.Path("m.png").read_bytes()
    pathlib.Path("cut.png").write_bytes(whole[: len(whole) // 2])
    pathlib.Path("folder").mkdir()
    requests = b"1\tdepth\tmissing.png\ta\n2\tdepth\tno.png\tb\n3\tdepth\tcut.png\tc\n4\tdepth\tm.png\tno/where\n" \
               b"5\tmatte\tm.png\te\n6\n7\tnormals\tm.png\tf\n8\tdepth\t.\tg\n9\tdepth\tm.png\tfolder\n" \
               b"\xff\tdepth\tm\xff.png\ti\n11\tdepth\tm.png\tk\n12\tdepth\tm.png\tl"  # fmt: skip
    done = depth(*PLAINLY, requests=requests)
    assert done.returncode == 0
    lines = done.stdout.splitlines()[1:]
    assert [line.split(b"\t")[:2] for line in lines] == [
        [n, b"ok" if n == b"11" else b"error"] for n in [b"%d" % n for n in range(1, 10)] + [b"\xff", b"11", b"12"]]
    assert all(len(line) < 400 and len(line.split(b"\t")) == 3 for line in lines)
    assert lines[0].endswith(b"missing.png: No such file or directory") and b"makes no matte" in lines[4]
    assert os.path.exists("k") and not [name for name in os.listdir() if name in "abcdefgil" or "part" in name]


def test_the_input_ends(depth):
    """A closed standard input is no request, and no error where it was open."""
    assert answers(depth(*PLAINLY, requests=b"")) == []
    program = subprocess.Popen([pathlib.Path(sys.executable).parent / "satblur-depth", *PLAINLY], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE)  # fmt: skip
    program.stdout.readline()
    program.stdin.write(b"1\tdepth\tm.png\tx\n")
    program.stdin.flush()
    assert program.stdout.readline() == b"1\tok\ttype=disparity\n"  # at once
    program.stdin.close()
    assert program.wait(60) == 0
    program.stdout.close()
    shell = f"exec {pathlib.Path(sys.executable).parent}/satblur-depth {' '.join(PLAINLY)}"
    closed = subprocess.run(["sh", "-c", shell + " <&-"], capture_output=True, timeout=60)
    assert closed.returncode == 1 and closed.stderr.count(b"\n") <= 2 and not closed.stdout


def test_satblur_goes_away(depth):
    shell = f"{pathlib.Path(sys.executable).parent}/satblur-depth {' '.join(PLAINLY)}"
    requests = b"1\tdepth\tm.png\tx\n" * 50
    done = subprocess.run(["bash", "-c", f"{shell} | head -n 1; exit ${{PIPESTATUS[0]}}"], input=requests, capture_output=True,
                          timeout=60)  # fmt: skip
    assert done.returncode == 1 and b"Traceback" not in done.stderr and b"Error" not in done.stderr


NOISE = """
import os, sys
from satblur import _network
old = _network.Network.raw
def noisy(self, *given):
    print("noise"); os.write(1, b"more noise\\n"); sys.stdout.flush(); os.system("echo noise of a child")
    return old(self, *given)
_network.Network.raw = noisy
"""


def test_what_libraries_print_is_no_answer(depth):
    done = depth(*PLAINLY, requests=b"1\tdepth\tm.png\tx\n", before=NOISE)
    assert answers(done) == [["1", "ok", "type=disparity"]] and done.stderr.count(b"noise") == 3


def test_metres(depth, tmp_path):
    brightness(tmp_path / "metric.onnx", weights=(9, 0, 0), bias=1)
    words = ("--model", "metric.onnx", "--output", "metres", *PLAINLY[2:])
    assert answers(depth(*words, requests=b"1\tdepth\tm.png\tx.png\n")) == [["1", "ok", "type=metres"]]
    numbers = np.load("x.png")
    assert numbers.dtype == np.float32 and np.allclose(numbers, 1 + 9 * expected(slope(120, 80), (1, 0, 0)), rtol=1e-4)
    done = depth(*words, "m.png", "x.npy")
    assert done.returncode == 0 and b"--depth-type linear" in done.stderr and np.array_equal(np.load("x.npy"), numbers)
    assert depth(*words, "m.png", "map").returncode == 0
    codes = np.asarray(pillow.open("map")).astype(float)
    assert codes[40, 0] == 65535 and np.abs(codes[40] / 65535 - (1 / numbers[40] - 0.1) / 0.9).max() < 1e-3


def test_both(depth):
    words = (*PLAINLY, "--also-matte", "modnet")
    pathlib.Path("SATBLUR_MODELS").mkdir()
    os.rename("modnet.onnx", "SATBLUR_MODELS/modnet.onnx")
    done = depth(*words, requests=b"1\tdepth\tm.png\tx\n2\tmatte\tm.png\ty\n")
    assert answers(done) == [["1", "ok", "type=disparity", "matte=1"], ["2", "ok"]]
    matte = np.asarray(pillow.open("x.matte"))
    assert matte.dtype == np.uint16 and matte[0, 0] == 0 and matte[-1].min() > 65000
    assert pathlib.Path("x.matte").read_bytes() == pathlib.Path("y").read_bytes()
    assert done.stdout.splitlines()[0].count(b".onnx") == 2
    alone = depth("--model", "modnet", requests=b"1\tdepth\tm.png\tx\n2\tmatte\tm.png\tz\n")
    assert answers(alone) == [["1", "error", "modnet.onnx makes no depth; give another --model"], ["2", "ok"]]
    for wrong in (("--model", "modnet", "--also-matte", "modnet"), (*PLAINLY, "--also-matte", "red.onnx")):
        refused = depth(*wrong, requests=b"")
        assert refused.returncode == 1 and b"a model of mattes" in refused.stderr and not refused.stdout


def test_no_subject(depth):
    """A matte of nothing is no matte, and an error where only the matte was asked for."""
    brightness(pathlib.Path("u2net.onnx"), weights=(0, 0, 0), bias=0.5)
    done = depth(*PLAINLY, "--also-matte", "u2net.onnx", requests=b"1\tdepth\tm.png\tx\n2\tmatte\tm.png\ty\n")
    assert answers(done) == [["1", "ok", "type=disparity"], ["2", "error", "the model finds no subject in the picture"]]
    assert os.path.exists("x") and not os.path.exists("x.matte") and not os.path.exists("y")


@pytest.mark.parametrize("mode", ["RGB", "L", "RGBA", "I;16", "P", "CMYK", "1"])
def test_kinds_of_pictures(depth, mode):
    picture = slope(120, 80)
    if mode == "I;16":
        pillow.fromarray(np.asarray(picture)[..., 0].astype(np.uint16) * 257).save("in.png")
    else:
        picture.convert(mode).save("in.tif")
    done = depth(*PLAINLY, "in.png" if mode == "I;16" else "in.tif", "x.npy")
    assert done.returncode == 0, done.stderr
    numbers = np.load("x.npy")
    assert numbers.shape == (80, 120)
    if mode in ("RGB", "RGBA", "I;16", "CMYK"):
        assert np.allclose(numbers, np.asarray(picture)[..., 0] / 255, atol=0.01)


def test_the_model_sees_the_photo_upright(depth):
    picture = slope(120, 80)
    exif = picture.getexif()
    exif[0x0112] = 6  # to be turned clockwise
    picture.save("turned.png", exif=exif)
    assert depth(*PLAINLY, "turned.png", "x.npy").returncode == 0
    assert np.allclose(np.load("x.npy"), np.rot90(np.asarray(picture)[..., 0] / 255, -1), atol=0.01)


def test_tile_option(depth):
    for words, side in (((), 80), (("--tile", "2"), 160), (("--tile", "3"), 240)):
        assert depth(*PLAINLY, *words, "m.png", "x.png").returncode == 0
        assert pillow.open("x.png").height == side


def test_the_licence_is_printed_once(depth, monkeypatch):
    os.rename("red.onnx", "zipdepth.onnx")
    words = ("--model", "zipdepth.onnx", "m.png", "x.png")
    assert depth(*words).stderr.startswith(b"satblur-depth: zipdepth.onnx: the licence of this model is MIT; source: https://")
    assert depth(*words).stderr == b""
    monkeypatch.setenv("XDG_STATE_HOME", "/proc/none")
    for _ in range(2):
        done = depth(*words)
        assert done.returncode == 0 and done.stderr.count(b"\n") == 1


def test_models(depth):
    pathlib.Path("SATBLUR_MODELS/deep").mkdir(parents=True)
    os.rename("red.onnx", "SATBLUR_MODELS/deep/zipdepth.onnx")
    os.rename("modnet.onnx", "SATBLUR_MODELS/own.onnx")
    done = depth("--models")
    printed = done.stdout.decode()
    assert done.returncode == 0 and not done.stderr
    for row in _models.KNOWN:
        assert row.name in printed and row.licence in printed and row.source in printed
    assert re.search(r"here +\S*/deep/zipdepth.onnx\n", printed) and "own.onnx\n    not known" in printed
    assert answers(depth(requests=b"1\tdepth\tm.png\tx\n")) == [["1", "ok", "type=disparity"]]  # zipdepth is found


def two_inputs(path):
    shape = (1, 3, 8, 8)
    path.write_bytes(model([node("Add", ["a", "b"], "map")], [value(name, "float32", shape) for name in "ab"],
                           [value("map", "float32", shape)]))  # fmt: skip


@pytest.mark.parametrize("make,text", [
    (lambda path: path.write_bytes(path.read_bytes()[:60]), b"download it again (it has 60 bytes)"),
    (lambda path: path.write_bytes(b""), b"download it again"),
    (lambda path: path.write_text("Entry not found"), b"it is no whole model of ONNX; download it again"),
    (lambda path: os.unlink(path), b"cannot find red.onnx"),
    (two_inputs, b"2 inputs"),
    (lambda path: brightness(path, batch=4), b"4 pictures at once"),
])  # fmt: skip
def test_models_that_cannot_be_used(depth, make, text):
    make(pathlib.Path("red.onnx"))
    for done in (depth(*PLAINLY, requests=b"1\tdepth\tm.png\tx\n"), depth(*PLAINLY, "m.png", "x")):
        assert done.returncode == 1 and done.stdout == b"" and text in done.stderr
        assert done.stderr.count(b"\n") == 1 and len(done.stderr) < 500 and not os.path.exists("x")


def test_onnxruntime_is_missing(depth):
    done = depth(*PLAINLY, "m.png", "x", before="import sys\nsys.modules['onnxruntime'] = None")
    assert done.returncode == 1 and b"onnxruntime is missing; %s -m pip install" % sys.executable.encode() in done.stderr


def test_outputs_that_are_no_map(depth):
    brightness(pathlib.Path("red.onnx"), outputs=2)
    done = depth(*PLAINLY, requests=b"1\tdepth\tm.png\tx\n")
    assert answers(done) == [["1", "error", "the model's output has the shape (1, 2, 80, 120); one number a pixel is wanted"]]
    brightness(pathlib.Path("red.onnx"), bias=float("nan"))
    assert answers(depth(*PLAINLY, requests=b"1\tdepth\tm.png\tx\n"))[0][2] == "the model's output has no finite number"


def test_the_pair(depth, run_program, scene, tmp_path):
    """satblur blurs by the maps of satblur-depth as by their files; the matte comes along."""
    listed = subprocess.run([sys.executable, "-m", "satblur", "--help=all"], capture_output=True, text=True).stdout
    if "--depth-process" not in listed:
        pytest.skip("SKIPPED LOUDLY: this satblur has no --depth-process")
    words = (*PLAINLY, "--also-matte", "modnet.onnx")
    command = " ".join([str(pathlib.Path(sys.executable).parent / "satblur-depth"), *words])
    made = run_program(np.asarray(slope(120, 80)), "--depth-process", command, "--max-radius", "6")
    assert made.returncode == 0, made.stderr
    blurred = np.asarray(pillow.open("out.png"))
    assert depth(*words, "in.png", "map.png").returncode == 0
    shutil.move("map.png.matte", "matte.png")
    given = run_program(np.asarray(slope(120, 80)), "--depth", "map.png", "--matte", "matte.png", "--max-radius", "6")
    assert given.returncode == 0, given.stderr
    assert np.array_equal(blurred, np.asarray(pillow.open("out.png")))
    assert not np.array_equal(blurred, np.asarray(slope(120, 80)))


@pytest.mark.parametrize("words", [
    ("m.png",), ("a", "b", "c"), ("--size", "0"), ("--size", "8x8x8"), ("--size", "x"), ("--multiple", "0"), ("--mean", "1,2"),
    ("--output", "gold"), ("--tile", "5"), ("--device", "tpu"), ("--what",),
])  # fmt: skip
def test_wrong_words(depth, words):
    done = depth(*words)
    assert done.returncode == 2 and done.stderr.count(b"\n") == 1 and done.stderr.startswith(b"satblur-depth: ")


def test_nothing_is_downloaded(depth):
    """The program opens no socket."""
    before = "import socket\ndef refuse(*given, **more): raise SystemExit('a socket')\nsocket.socket = refuse"
    assert depth(*PLAINLY, "m.png", "x.png", before=before).returncode == 0
