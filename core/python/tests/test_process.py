"""Threads, forks, imports."""

import os
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import satblur


def test_threads(scene):
    image, depth = scene
    wanted, results = satblur.dof(image, depth), [None] * 8

    def work(i):
        results[i] = satblur.dof(image, depth)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert all(np.array_equal(r, wanted) for r in results)


def test_gil_is_released():
    image, done, ticks = np.zeros((1500, 1500, 3), np.uint8), threading.Event(), [0]

    def work():
        satblur.dof(image, np.tile(np.arange(1500) % 256, (1500, 1)).astype(np.uint8))
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    while not done.is_set():
        ticks[0] += 1
        time.sleep(0.001)
    thread.join()
    assert ticks[0] > 5


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_fork(scene):
    """A child works on the CPU, by threads of its own."""
    code = """if True:
        import os, numpy as np, satblur
        image, depth = np.zeros((300, 300, 3), np.uint8), np.tile(np.arange(300) // 2, (300, 1)).astype(np.uint8)
        image[::3] = 200
        wanted, name = satblur.dof(image, depth, device="cpu"), satblur.describe("cpu")
        child = os.fork()
        if not child:
            same = np.array_equal(satblur.dof(image, depth, device="cpu"), wanted)
            os._exit(0 if same and satblur.describe("cpu") == name else 1)
        raise SystemExit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=20)
    assert done.returncode == 0, done


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_fork_workers(scene):
    code = """if True:
        import multiprocessing, numpy as np, satblur
        image = np.arange(30000, dtype=np.uint8).reshape(100, 300)
        wanted = satblur.box(image, 5, device="cpu")
        def work(i):
            return satblur.box(image, 5, device="cpu").tobytes() == wanted.tobytes()
        with multiprocessing.get_context("fork").Pool(3) as pool:
            raise SystemExit(not all(pool.map(work, range(9))))"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_fork_before_a_look():
    code = """if True:
        import os, types, satblur
        child = os.fork()
        if not child:
            from satblur import _looks
            os._exit(_looks._device(types.SimpleNamespace(image=None), None) != "cpu")
        raise SystemExit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=20)


@pytest.mark.parametrize("look", ["", ", grain=1"])
def test_a_thread_at_the_end(look):
    code = f"""if True:
        import threading, time, numpy as np, satblur
        image, depth = np.zeros((300, 300, 3), np.uint8), np.tile(np.arange(300) // 2, (300, 1)).astype(np.uint8)
        def work():
            while True:
                satblur.dof(image, depth{look})
        threading.Thread(target=work, daemon=True).start()
        time.sleep(0.2)"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=20)
    assert done.returncode == 0 and done.stderr == "", done


def test_other_interpreters_are_refused():
    """An import there must not break the extension here."""
    name, kind = ("_xxsubinterpreters", "isolated=False") if sys.version_info < (3, 13) else ("_interpreters", "'legacy'")
    code = f"import {name} as others, satblur, numpy as np; i = others.create({kind}); error = None\n" \
           "try: error = others.run_string(i, 'import satblur')\nexcept Exception as e: error = e\n" \
           "assert 'main interpreter' in str(error), error\n" \
           "satblur.dof(np.ones((9, 9), np.uint8), np.tile(np.arange(9, dtype=np.uint8) * 28, (9, 1)))"  # fmt: skip
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=20)
    assert done.returncode == 0, done


def test_import_is_light():
    code = "import sys, time; t = time.process_time(); import satblur; t = time.process_time() - t;" \
           "assert not {'numpy', 'torch', 'onnxruntime'} & set(sys.modules); print(t)"  # fmt: skip
    times = [float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)
             for _ in range(3)]  # fmt: skip
    assert min(times) < 0.1


def test_trim(scene):
    wanted = satblur.dof(*scene)
    satblur.trim()
    assert np.array_equal(satblur.dof(*scene), wanted)
