"""Prints how long box blurs take beside other libraries' of the same window, the overhead of Python over the C call, and
the import. bench.py [WIDTH HEIGHT RADIUS]. Libraries that are not installed are left out; with a GPU there are its columns."""

import functools
import importlib
import statistics
import subprocess
import sys
import time

import numpy as np

import satblur

WIDTH, HEIGHT, RADIUS = (int(each) for each in sys.argv[1:4]) if len(sys.argv) > 3 else (1920, 1080, 8)
SIDE = 2 * RADIUS + 1


def module(name):
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def milliseconds(function, end=lambda: None, runs=15):
    function(), end()
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        function(), end()
        times.append((time.perf_counter() - start) * 1e3)
    return statistics.median(times)


def row(name, time_taken, note):
    print(f"| {name} | {time_taken:.2f} | {note} |", flush=True)


def in_turn(functions, runs=11):
    """Returns the medians of functions that run one after the other, again and again: what else runs slows all of them."""
    times = {name: [] for name in functions}
    for turn in range(runs + 1):
        for name, function in functions.items():
            start = time.perf_counter()
            function()
            times[name] += [(time.perf_counter() - start) * 1e3] * (turn > 0)
    return {name: statistics.median(each) for name, each in times.items()}


def of_types(image):
    """Returns the picture in each type of samples."""
    floats = image / np.float32(255)
    return {"uint8": image, "uint16": image * np.uint16(257), "float16": floats.astype(np.float16), "float32": floats}


def cpu_types(image):
    """Prints a row for each type: sRGB, light, and OpenCV, which has no half floats; and depth of field."""
    cv2, functions = module("cv2"), {}
    depth = np.tile(np.linspace(0, 255, WIDTH).astype(np.uint8), (HEIGHT, 1))
    for name, given in of_types(image).items():
        out = np.empty_like(given)
        light = {"image": given, "transfer": "linear", "out": out, "device": "cpu"}
        srgb = {**light, "transfer": None}
        functions[name, "sRGB"] = functools.partial(satblur.box, radius=RADIUS, **srgb)
        functions[name, "light"] = functools.partial(satblur.box, radius=RADIUS, **light)
        if cv2 and name != "float16":
            functions[name, "blur"] = functools.partial(cv2.blur, given, (SIDE, SIDE), dst=out)
        functions[name, "dof"] = functools.partial(satblur.dof, depth=depth, focus=0.8, max_radius="2%", **srgb)
        functions[name, "dof light"] = functools.partial(satblur.dof, depth=depth, focus=0.8, max_radius="2%", **light)
    times = in_turn(functions)
    print("\n| type | box, sRGB / light | cv2.blur | dof, sRGB / light |\n|---|---|---|---|")
    for name in of_types(image[:1]):
        box, light, blur, dof, dof_light = (
            f"{times[name, what]:.2f}" if (name, what) in times else "" for what in ("sRGB", "light", "blur", "dof", "dof light"))
        print(f"| {name} | {box} / {light} | {blur} | {dof} / {dof_light} |", flush=True)


def cpu_boxes(image):
    out = np.empty_like(image)
    cv2, ndimage, torch = module("cv2"), module("scipy.ndimage"), module("torch")
    functions = {"satblur.box, codes": lambda: satblur.box(image, RADIUS, linear=False, out=out, device="cpu"),
                 "satblur.box, linear light": lambda: satblur.box(image, RADIUS, out=out, device="cpu")}
    if cv2:
        functions["OpenCV boxFilter"] = lambda: cv2.boxFilter(image, -1, (SIDE, SIDE))
    if ndimage:
        functions["scipy uniform_filter"] = lambda: ndimage.uniform_filter(image, (SIDE, SIDE, 1))
    notes = {"satblur.box, codes": "exact, rounded once, weighted by area at edges", "scipy uniform_filter": "rounds after each axis",
             "OpenCV boxFilter": "rounds once", "satblur.box, linear light": "the same"}
    for name, time_taken in in_turn(functions).items():
        row(name, time_taken, notes[name])
    if module("skimage.filters.rank"):
        gray, window = image[..., 0].copy(), np.ones((SIDE, SIDE), np.uint8)
        mean = module("skimage.filters.rank").mean
        row("scikit-image rank.mean, x3", 3 * milliseconds(lambda: mean(gray, window), runs=3), "one channel, times 3")
    if torch:
        planes = torch.from_numpy(image).permute(2, 0, 1)[None].float()
        row("PyTorch avg_pool2d", milliseconds(lambda: torch.nn.functional.avg_pool2d(
            planes, SIDE, 1, RADIUS, count_include_pad=False), runs=3), "float32 planes")


def cpu_tables(image):
    table = np.empty(image.shape, np.uint32)
    functions = {"satblur.table, 32 bits": lambda: satblur.table(image, bits=32, out=table, device="cpu")}
    if module("cv2"):
        functions["OpenCV integral"] = lambda: module("cv2").integral(image)
    for name, time_taken in in_turn(functions).items():
        row(name, time_taken, "RGB, uint32 or int32")
    if module("skimage.transform"):
        integral = module("skimage.transform").integral_image
        row("scikit-image integral_image", milliseconds(lambda: integral(image), runs=5), "RGB")


def gpu_boxes(image):
    torch = module("torch")
    if not torch or not torch.cuda.is_available():
        print("\nNo PyTorch with a GPU, so no GPU columns.")
        return
    end, here = torch.cuda.synchronize, torch.from_numpy(image).cuda()
    out, planes = torch.empty_like(here), here.permute(2, 0, 1)[None].float().contiguous()
    print("\n| on the GPU, tensors | ms | |\n|---|---|---|")
    row("satblur.box, codes", milliseconds(lambda: satblur.box(here, RADIUS, linear=False, out=out), end), "")
    row("PyTorch avg_pool2d", milliseconds(lambda: torch.nn.functional.avg_pool2d(
        planes, SIDE, 1, RADIUS, count_include_pad=False), end), "float32 planes")


def overhead():
    """Returns milliseconds that satblur.dof takes on a picture of 8 x 8, whose C call is short, and those of the C call."""
    image, depth = np.zeros((8, 8, 3), np.uint8), np.zeros((8, 8), np.uint8)
    whole = milliseconds(lambda: satblur.dof(image, depth, focus=0.0, max_radius=0, device="cpu"), runs=500)
    params = satblur._core.DofParams()
    params.focus_mode, params.strength = 1, 1
    out, place = np.empty_like(image), satblur._core.Place(-1, None)
    call = milliseconds(lambda: satblur._core.dof(image, depth, None, None, out, False, params, 0, False, False, None, False, place), runs=500)
    return whole, call


def main():
    image = np.random.default_rng(1).integers(0, 256, (HEIGHT, WIDTH, 3), dtype=np.uint8)
    print(f"{satblur.describe('cpu')}; {WIDTH} x {HEIGHT} RGB of 8 bits, windows of {SIDE} x {SIDE}, medians\n")
    print("| on the CPU, arrays | ms | |\n|---|---|---|")
    cpu_boxes(image)
    cpu_tables(image)
    cpu_types(image)
    gpu_boxes(image)
    whole, call = overhead()
    print(f"\nsatblur.dof of 8 x 8 pixels: {whole:.3f} ms, of which the extension takes {call:.3f} ms")
    code = "import time; t = time.perf_counter(); import satblur; print(time.perf_counter() - t)"
    print("import satblur:", min(subprocess.check_output([sys.executable, "-c", code]) for _ in range(5)).decode().strip(), "s")


if __name__ == "__main__":
    main()
