"""Prints how long box blurs take beside other libraries' of the same window, the overhead of Python over the C call, and
the import. bench.py [WIDTH HEIGHT RADIUS]. Libraries that are not installed are left out; with a GPU there are its columns."""

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


def cpu_boxes(image):
    out = np.empty_like(image)
    row("satblur.box, codes", milliseconds(lambda: satblur.box(image, RADIUS, linear=False, out=out, device="cpu")),
        "exact, rounded once, weighted by area at edges")
    row("satblur.box, linear light", milliseconds(lambda: satblur.box(image, RADIUS, out=out, device="cpu")), "the same")
    cv2, ndimage, torch = module("cv2"), module("scipy.ndimage"), module("torch")
    if cv2:
        row("OpenCV boxFilter", milliseconds(lambda: cv2.boxFilter(image, -1, (SIDE, SIDE))), "rounds once")
    if ndimage:
        row("scipy uniform_filter", milliseconds(lambda: ndimage.uniform_filter(image, (SIDE, SIDE, 1)), runs=5),
            "rounds after each axis")
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
    row("satblur.table, 32 bits", milliseconds(lambda: satblur.table(image, bits=32, out=table, device="cpu")), "RGB")
    if module("cv2"):
        row("OpenCV integral", milliseconds(lambda: module("cv2").integral(image)), "RGB, int32")
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
    call = milliseconds(lambda: satblur._core.dof(image, depth, None, None, out, False, params, 0, False, None, False, place), runs=500)
    return whole, call


def main():
    image = np.random.default_rng(1).integers(0, 256, (HEIGHT, WIDTH, 3), dtype=np.uint8)
    print(f"{satblur.describe('cpu')}; {WIDTH} x {HEIGHT} RGB of 8 bits, windows of {SIDE} x {SIDE}, medians\n")
    print("| on the CPU, arrays | ms | |\n|---|---|---|")
    cpu_boxes(image)
    cpu_tables(image)
    gpu_boxes(image)
    whole, call = overhead()
    print(f"\nsatblur.dof of 8 x 8 pixels: {whole:.3f} ms, of which the extension takes {call:.3f} ms")
    code = "import time; t = time.perf_counter(); import satblur; print(time.perf_counter() - t)"
    print("import satblur:", min(subprocess.check_output([sys.executable, "-c", code]) for _ in range(5)).decode().strip(), "s")


if __name__ == "__main__":
    main()
