#!/usr/bin/env -S python3 -IS
"""A program that makes maps for --depth-process, and misbehaves by its first argument. map_program.py [MODE]

By default a map is as bright as the picture is red, so that a test knows it. A line for each picture goes to $MAP_LOG. As
--depth-command it is run as map_program.py file[-MODE] IN OUT. Only Python's own library is used.
"""
import os
import signal
import struct
import sys
import time
import zlib


def read_png(path):
    """Returns width, height and rows of RGB bytes of a PNG with 8 bits."""
    data = open(path, "rb").read()
    assert data[:8] == b"\x89PNG\r\n\x1a\n", "no PNG"
    at, packed = 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        at += size + 12
        if kind == b"IHDR":
            width, height, bits, colour = struct.unpack(">IIBB", body[:10])
            assert (bits, colour) == (8, 2), "not RGB of 8 bits"
        packed += body if kind == b"IDAT" else b""
    raw, stride, rows, above = zlib.decompress(packed), 3 * width, [], bytes(3 * width)
    for y in range(height):
        kind, line = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        for x in range(stride):
            left, up = (line[x - 3] if x >= 3 else 0), above[x]
            corner = above[x - 3] if x >= 3 else 0
            if kind == 4:
                guess = left + up - corner
                near = min((abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))[2]
            else:
                near = (0, left, up, (left + up) // 2)[kind]
            line[x] = (line[x] + near) & 255
        rows.append(bytes(line))
        above = rows[-1]
    return width, height, rows


def png(width, height, rows, bits=8):
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    head = struct.pack(">IIBBBBB", width, height, bits, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"".join(b"\0" + r for r in rows), 1)) + \
        chunk(b"IEND", b"")


def npy(width, height, rows):
    """Returns an NPY of float32: 1 to 2 by the bytes."""
    head = "{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }" % (height, width)
    head += " " * (117 - len(head)) + "\n"
    numbers = [1 + b / 255 for r in rows for b in r]
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + struct.pack("<%df" % len(numbers), *numbers)


def make(source, target, mode):
    """Writes the map."""
    width, height, rows = read_png(source)
    gray = [r[0::3] for r in rows]
    data = png(width, height, gray)
    if mode == "npy":
        data = npy(width, height, gray)
    elif mode == "damaged":
        data = data[:len(data) // 2]
    elif mode == "tiny":
        data = png(1, 1, [b"\x80"])
    elif mode == "huge-header":
        data = data[:16] + struct.pack(">II", 1 << 24, 1 << 24) + data[24:]
    elif mode == "text":
        data = b"this is no picture\n"
    elif mode == "empty":
        data = b""
    elif mode == "half":
        data = png(width // 2, height // 2, [r[:2 * (width // 2):2] for r in gray[:2 * (height // 2):2]])
    if mode == "folder":
        os.mkdir(target)
    elif mode == "link":
        os.symlink("/etc/hostname", target)
    elif mode == "fifo":
        os.mkfifo(target)
    elif mode == "sparse":
        with open(target, "wb") as f:
            f.truncate(400 << 20)
    elif mode == "grows":
        with open(target, "wb") as f:
            for i in range(1000):
                f.truncate((i + 1) << 24)
                time.sleep(0.01)
    elif mode != "nothing":
        with open(target, "wb") as f:
            f.write(data)
    if mode == "sparse-matte":
        with open(target + ".matte", "wb") as f:
            f.truncate(400 << 20)
        time.sleep(60)
    if mode.startswith("with-matte"):
        with open(target + ".matte", "wb") as f:
            spoils = os.path.exists(os.path.abspath(__file__) + ".spoils")
            f.write(b"no picture" if spoils else png(width, height, [bytes(255 * (b > 127) for b in r) for r in gray]))
    if "MAP_LOG" in os.environ:
        with open(os.environ["MAP_LOG"], "a") as f:
            f.write("%d %d %d %d\n" % (os.getpid(), width, height, gray[0][0]))


def note_start(pid):
    if "MAP_STARTS" in os.environ:
        with open(os.environ["MAP_STARTS"], "a") as f:
            f.write("%d\n" % pid)


def say(text):
    os.write(1, text if isinstance(text, bytes) else text.encode())


def greet(mode):
    here = os.path.abspath(__file__)
    version = open(here + ".version").read().strip() if os.path.exists(here + ".version") else "1.0"
    if mode == "no-greeting":
        return
    if mode == "exits-at-once":
        sys.exit(3)
    if mode == "dies-at-once":
        os.kill(os.getpid(), signal.SIGKILL)
    if mode == "late-greeting":
        time.sleep(0.3)
    if mode == "never-greets":
        time.sleep(60)
    if mode == "closes-input":
        os.close(0)
    if mode == "splits":
        say("satblur-m")
        time.sleep(0.05)
    greeting = {"wrong-version": "satblur-map\t2\tx\n", "other-greeting": "Loading the model...\n", "short-greeting": "satblur-map\n",
                "binary-greeting": b"\0\xff\xfe\x00\n", "long-greeting": "satblur-map\t1\t" + "x" * 5000 + "\n",
                "endless-greeting": "x" * 100000, "control-name": "satblur-map\t1\t\x1b[31mred\a\x7f\n", "no-name": "satblur-map\t1\n", "splits": "ap\t1\tsplits\n",
                "more-greeting": "satblur-map\t1\tmap_program 1.0\tand=more\tfields\n"}
    say(greeting.get(mode, "satblur-map\t1\tmap_program %s\n" % version))
    if mode == "dies-after-greeting":
        os.kill(os.getpid(), signal.SIGSEGV)
    if mode == "closes-input":
        time.sleep(60)
    if mode == "closes-after-greeting":
        os.close(1)
        time.sleep(60)


def answer(number, kind, source, target, mode):
    """Answers a request. False: the program ends."""
    if mode.startswith("dies-at-") and number == mode[8:]:
        os.kill(os.getpid(), signal.SIGKILL)
    if mode == "dies-always":
        sys.exit(9)
    if mode == "hangs":
        time.sleep(60)
    if mode == "slow":
        time.sleep(0.2)
    if mode == "fds":
        own = os.open("/proc/self/fd", os.O_RDONLY)
        extra = [fd for fd in os.listdir("/proc/self/fd") if int(fd) > 2 and int(fd) < own]
        os.close(own)
        say(number + ("\terror\tinherits %s\n" % extra if extra else "\terror\tinherits nothing\n"))
        return True
    if mode == "error" or (mode == "error-for-dark" and read_png(source)[2][0][0] < 128):
        say(number + "\terror\tno depth in here\n")
        return True
    if mode == "error-alone":
        say(number + "\terror\n")
        return True
    if mode == "closes":
        os.close(1)
        time.sleep(60)
    if mode == "noise":
        say("50%|#####     | 1/2 [00:01<00:01]\n")
    if mode == "blank-line":
        say("\n")
    if mode == "child":
        note_start(os.posix_spawnp("sleep", ["sleep", "60"], os.environ))
    make(source, target, mode)
    said = {"other": "%d\tok\n" % (int(number) + 1), "negative": "-1\tok\n", "twice": number + "\tok\n" + number + "\tok\n",
            "endless": number + "\tok" + "x" * 100000, "no-newline": number + "\tok", "binary": b"\x00\x01\x02\xff\n", "case": number + "\tOK\n",
            "spaces": number + " ok\n", "no-word": number + "\n", "type-unknown": number + "\tok\ttype=parsecs\n",
            "huge-number": "9" * 3000 + "\tok\n",
            "depth": number + "\tok\ttype=depth\n", "metres": number + "\tok\ttype=metres\n", "disparity": number + "\tok\ttype=disparity\n",
            "npy": number + "\tok\ttype=disparity\n", "with-matte": number + "\tok\tmatte=1\n", "matte-missing": number + "\tok\tmatte=1\n",
            "fields": number + "\tok\tfuture=1\t\ttype=disparity\tx\n"}
    say(said.get(mode, number + "\tok\n"))
    if mode == "dies-after":
        sys.exit(7)
    return mode not in ("leaves", "no-newline")


def serve(mode):
    greet(mode)
    if mode == "deaf":
        for i in range(1, 100000):
            say("%d\tok\n" % i)
        time.sleep(60)
    for line in sys.stdin:
        number, kind, source, target = line.rstrip("\n").split("\t")[:4]
        if not answer(number, kind, source, target, mode):
            break
    if mode == "stays-at-the-end":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        time.sleep(60)


def run_once(mode, source, target):
    if mode == "file-fails":
        print("Traceback (most recent call last):\n  ...\nRuntimeError: out of memory\n", file=sys.stderr)
        sys.exit(1)
    if mode == "file-hangs":
        time.sleep(60)
    while mode == "file-floods":
        os.write(2, b"warning\n" * 1000)
    if mode == "file-dies":
        os.kill(os.getpid(), signal.SIGABRT)
    if mode == "file-talks":
        print("x" * 1000000)
        print("y" * 100000, file=sys.stderr)
    if mode == "file-quietly":
        os.close(2)
    if mode == "file-child":
        note_start(os.posix_spawnp("sleep", ["sleep", "60"], os.environ))
    make(source, target, mode[5:])
    if mode == "file-status":
        sys.exit(4)


def main():
    mode = sys.argv[1] if len(sys.argv) > 1 else "good"
    note_start(os.getpid())
    if mode.startswith("file"):
        run_once(mode, sys.argv[2], sys.argv[3])
    else:
        serve(mode)


main()
