"""Pictures that the tests make, and the program to compare with."""

import subprocess
import sys

import numpy as np
import pytest


@pytest.fixture
def rng():
    return np.random.default_rng(5)


@pytest.fixture
def scene(rng):
    """A picture of 8 bits with detail, and a map of two surfaces on a slope."""
    y, x = np.mgrid[:60, :80]
    image = rng.integers(0, 256, (60, 80, 3), dtype=np.uint8)
    depth = (y * 2 + ((x - 40) ** 2 + (y - 30) ** 2 < 250) * 100).astype(np.uint8)
    return image, depth


@pytest.fixture
def run_program(tmp_path):
    """Runs the program that the wheel carries, into out.png: run_program(image, *options). Arrays are files, too."""
    pillow = pytest.importorskip("PIL.Image", reason="SKIPPED LOUDLY: no Pillow, so nothing is compared with the program")

    def save(array, name):
        if array.dtype.kind == "f":
            np.save(tmp_path / f"{name}.npy", array)
            return str(tmp_path / f"{name}.npy")
        pillow.fromarray(array).save(tmp_path / f"{name}.png")
        return str(tmp_path / f"{name}.png")

    def run(image, *options):
        out = str(tmp_path / "out.png")
        words = [save(o, f"map{i}") if isinstance(o, np.ndarray) else str(o) for i, o in enumerate(options)]
        return subprocess.run([sys.executable, "-m", "satblur", save(image, "in"), out, "--device", "cpu", *words],
                              capture_output=True, text=True)

    return run


@pytest.fixture
def program(run_program, tmp_path):
    """program(image, *options) returns the program's result."""

    def run(image, *options):
        done = run_program(image, *options)
        assert done.returncode == 0, done.stderr
        return np.asarray(pytest.importorskip("PIL.Image").open(tmp_path / "out.png"))

    return run
