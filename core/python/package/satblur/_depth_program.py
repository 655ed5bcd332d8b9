"""satblur-depth: makes maps of photos by a model, for satblur's --depth-process and --depth-command."""

from __future__ import annotations

import argparse
import glob
import hashlib
import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from . import _models

PROTOCOL = "1"
HELP = """The program answers satblur's requests on its standard input, or makes one map of one photo:

    satblur --depth-process "satblur-depth --model NAME" photo.jpg out.jpg
    satblur-depth --model NAME photo.jpg map.png

The map is a PNG of 16 bits, white near (models of metres: 1 / metres), or the model's own numbers if its name ends in .npy.
NAME is a file, or one of the names that --models prints, looked up in $SATBLUR_MODELS, $XDG_DATA_HOME/satblur/models and
/usr/share/satblur/models. Nothing is downloaded."""


class Parser(argparse.ArgumentParser):
    """Ends with one line."""

    def error(self, message: str) -> Any:
        self.exit(2, f"satblur-depth: {message}; see satblur-depth --help\n")


def printable(text: str) -> str:
    """Returns text that fits a line and a field."""
    return "".join(c if c.isprintable() else " " for c in text)


def one_line(error: BaseException) -> str:
    """Returns the problem in one line."""
    text = str(error).strip() or type(error).__name__
    if isinstance(error, OSError) and error.strerror:
        text = f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return printable(text)[:300]


def triple(text: str) -> Sequence[float]:
    numbers = [float(word) for word in text.split(",")]
    if len(numbers) not in (1, 3):
        raise argparse.ArgumentTypeError("one number or three are wanted")
    return tuple(numbers * (3 // len(numbers)))


def multiple(text: str) -> int:
    if not 1 <= int(text) <= 256:
        raise argparse.ArgumentTypeError("1 to 256 is wanted")
    return int(text)


def sides(text: str) -> Any:
    """Reads N, a shorter side, or WIDTHxHEIGHT, as height and width."""
    numbers = [int(word) for word in text.lower().split("x")]
    if len(numbers) > 2 or min(numbers) < 1 or max(numbers) > 16384:
        raise argparse.ArgumentTypeError("N or WIDTHxHEIGHT is wanted, of at most 16384")
    return numbers[0] if len(numbers) == 1 else tuple(numbers[::-1])


def arguments(words: Sequence[str] | None) -> argparse.Namespace:
    plain = argparse.RawDescriptionHelpFormatter
    parser = Parser("satblur-depth", description=HELP, formatter_class=plain, allow_abbrev=False)
    parser.add_argument("photo", nargs="?", help="photo to make one map of")
    parser.add_argument("map", nargs="?", help="file to write")
    parser.add_argument("--model", help="file or name; the first model of depth that is found if missing")
    parser.add_argument("--also-matte", metavar="MODEL", help="a model of mattes; it writes MAP.matte if it finds a subject")
    parser.add_argument("--tile", type=int, default=1, metavar="N", choices=range(1, 5),
                        help="N times finer maps, by tiles that are aligned to the whole picture's map")
    parser.add_argument("--models", action="store_true", help="print the known models, their licences and which are here")
    parser.add_argument("--output", choices=_models.OUTPUTS, help="meaning of the model's numbers; disparity if not known")
    parser.add_argument("--mean", type=triple, help="what is subtracted from samples of 0 to 1, like 0.485,0.456,0.406")
    parser.add_argument("--std", type=triple, help="what they are then divided by")
    parser.add_argument("--size", type=sides, metavar="N|WxH", help="shorter side, or both sides, of what the model is given")
    parser.add_argument("--multiple", type=multiple, metavar="N", help="number that divides both sides")
    parser.add_argument("--device", choices=("auto", "cpu", "cuda"), default="auto", help="where the model runs")
    parser.add_argument("--threads", type=int, default=0, metavar="N", help="of the CPU; 0: all")
    given = parser.parse_args(words)
    if given.photo and not given.map:
        parser.error(f"the name of the map is missing behind the photo '{printable(given.photo)}'; "
                     "put quotes around names with blanks")
    return given


class Maker(NamedTuple):
    """A network, and what names it."""

    network: Any
    title: str  # the file's name and a digest
    row: _models.Known


def load(path: Path, row: _models.Known, given: argparse.Namespace) -> Maker:
    """Returns the model of a file, loaded."""
    from . import _network

    digest = hashlib.sha256()
    with open(path, "rb") as file:
        for block in iter(lambda: file.read(1 << 20), b""):
            digest.update(block)
    try:
        network = _network.Network(_network.start(path, given.device, given.threads), row)
    except Exception as error:
        if re.search("Protobuf parsing failed|No graph was found", str(error)):
            error = ValueError(f"it is no whole model of {path.suffix[1:].upper()}; download it again "
                               f"(it has {path.stat().st_size} bytes)")
        raise ValueError(f"cannot use {path}: {one_line(error)}") from None
    for beside in sorted(path.parent.glob(glob.escape(path.name) + "*data")):  # weights of large models, perhaps gigabytes
        digest.update(f"{beside.stat().st_size} {beside.stat().st_mtime_ns}".encode())
    tell_licence(path, row, digest.hexdigest())
    return Maker(network, f"{printable(path.name)} {digest.hexdigest()[:8]}", row)


def tell_licence(path: Path, row: _models.Known, digest: str) -> None:
    """Prints a model's licence if it was not printed before."""
    state = Path(os.environ.get("XDG_STATE_HOME") or "~/.local/state").expanduser() / "satblur" / "licences"
    try:
        if digest in state.read_text():
            return
    except (OSError, ValueError):
        pass
    text = f"the licence of this model is {row.licence}; source: {row.source}" if row.licence else \
        "this model is not in the table of satblur-depth --models; its source says its licence, and what its numbers mean"
    print(f"satblur-depth: {path.name}: {text}", file=sys.stderr)
    try:
        state.parent.mkdir(parents=True, exist_ok=True)
        with open(state, "a") as file:
            file.write(f"{digest} {path.name}\n")
    except (OSError, ValueError):
        pass


def picture_of(path: str) -> Any:
    """Returns a photo upright, as RGB of 8 bits, which networks expect."""
    import numpy
    from PIL import Image, ImageOps

    Image.MAX_IMAGE_PIXELS = 1 << 29
    with Image.open(path) as file:
        picture = ImageOps.exif_transpose(file)
    if picture.mode.startswith("I"):  # gray of 16 bits
        picture = Image.fromarray((numpy.asarray(picture) // 257).astype(numpy.uint8))
    return picture.convert("RGB")


def write(path: str, numbers: Any, as_numbers: bool) -> None:
    """Writes a map as NPY or as PNG of 16 bits; the file appears whole."""
    import numpy
    from PIL import Image

    part = f"{path}.{os.getpid()}.part"
    try:
        with open(part, "wb") as file:
            if as_numbers:
                numpy.save(file, numbers)
            else:
                Image.fromarray(numbers).save(file, "PNG", compress_level=1)
        os.replace(part, path)
    except BaseException as error:
        Path(part).unlink(missing_ok=True)
        raise (OSError(error.errno, error.strerror, path) if isinstance(error, OSError) and error.errno else error) from None


class Program:
    """The models of one run."""

    def __init__(self, given: argparse.Namespace):
        path = _models.find(given.model)
        row = _models.known(path)
        row = row._replace(output=given.output or row.output, scale=(given.mean or row.scale[0], given.std or row.scale[1]),
                           size=given.size or row.size, multiple=given.multiple or row.multiple)
        self.main = load(path, row, given)
        self.makers, self.times, self.has_matte = {row.kind: self.main}, given.tile, bool(given.also_matte)
        if given.also_matte:
            path = _models.find(given.also_matte)
            if row.kind != "depth" or _models.known(path).kind != "matte":
                raise ValueError("--model wants a model of depth beside --also-matte, and that a model of mattes of the table")
            self.makers["matte"] = load(path, _models.known(path), given)

    def title(self) -> str:
        """Returns the program's name, version and models: maps of others are other maps."""
        from . import __version__

        return f"satblur-depth {__version__} ({', '.join(maker.title for maker in self.makers.values())})"

    def make(self, kind: str, photo: str, target: str, as_numbers: bool) -> list[str]:
        """Writes the map of a photo, as codes of 16 bits or as numbers. Returns the fields of the answer."""
        from ._mask import agreed
        from ._network import codes, metres, shares

        if kind not in self.makers:
            raise ValueError(f"{self.main.title.split()[0]} makes no {kind}; give another --model")
        picture, meaning = picture_of(photo), self.makers[kind].row.output
        if kind == "matte":
            matte = self.matte_of(picture)
            if matte is None:
                raise ValueError("the model finds no subject in the picture")
            write(target, matte if as_numbers else shares(matte), as_numbers)
            return []
        numbers = self.main.network.map(picture, self.times)
        matte = self.matte_of(picture, numbers) if self.has_matte else None
        if matte is not None:
            numbers = agreed(numbers, matte)
            write(target + ".matte", shares(matte), False)
        if meaning == "metres":
            numbers, meaning = (metres(numbers), "metres") if as_numbers else (numbers, "disparity")
        write(target, numbers if as_numbers else codes(numbers), as_numbers)
        return [f"type={meaning}"] + ["matte=1"] * (matte is not None)

    def matte_of(self, picture: Any, depth: Any = None) -> Any:
        """Returns the matte of a picture. None: not a hundredth of the picture is a subject."""
        matte = self.makers["matte"].network.map(picture, depth=depth)
        return matte if (matte > 0.9).mean() >= 0.01 else None

    def one(self, photo: str, target: str) -> None:
        """Makes one map. Prints the options that satblur needs, if it needs any."""
        fields = self.make(self.main.row.kind, photo, target, target.endswith(".npy"))
        needed = {"type=metres": "--depth-type linear", "type=depth": "--depth-type linear --near black"}
        for option in (needed[field] for field in fields if field in needed):
            print(f"satblur-depth: satblur reads {printable(target)} by {option}", file=sys.stderr)

    def serve(self, requests: BinaryIO, answers: BinaryIO) -> None:
        """Answers requests until their end. A picture that fails is answered, and the next one is waited for."""

        def say(*fields: str) -> None:
            answers.write(os.fsencode("\t".join(fields) + "\n"))

        say("satblur-map", PROTOCOL, self.title())
        for line in requests:
            number, *fields = os.fsdecode(line).rstrip("\n").split("\t")
            try:
                if len(fields) < 3 or not line.endswith(b"\n"):
                    raise ValueError("the request is not a number, depth or matte, a picture and a map, separated by tabs")
                kind, photo, target = fields[:3]
                say(number, "ok", *self.make(kind, photo, target, kind == "depth" and self.main.row.output == "metres"))
            except BrokenPipeError:
                raise
            except Exception as error:
                say(number, "error", one_line(error))


def print_models() -> None:
    """Prints the table, and the files that are here."""
    found = list(_models.files())
    for row in _models.KNOWN:
        here = [str(path) for path in found if _models.known(path) is row]
        print(f"{row.name}\n    {row.kind}    {_models.OUTPUTS[row.output]}\n    licence  {row.licence}\n"
              f"    source   {row.source}\n    here     {', '.join(here) or 'no'}")
    for path in found:
        if _models.known(path) is _models.UNKNOWN:
            print(f"{path}\n    not known: --output, --mean, --std and --size describe it")
    if not found:
        print(f"none is here; put one into {_models.folders()[0]}")
    print("folders: " + ", ".join(map(str, _models.folders())))


def own_output() -> BinaryIO:
    """Returns the standard output, which from now on nobody else writes to: what libraries print goes to stderr."""
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    return answers


def run(given: argparse.Namespace) -> None:
    if given.photo:
        return Program(given).one(given.photo, given.map)
    if sys.stdin is None or sys.stdin.isatty():
        raise ValueError("satblur's requests are wanted on the standard input; for one photo: satblur-depth photo.jpg map.png")
    answers = own_output()
    return Program(given).serve(sys.stdin.buffer, answers)


def main(words: Sequence[str] | None = None) -> None:
    given = arguments(words)
    try:
        print_models() if given.models else run(given)
        sys.stdout.flush()
    except ImportError as missing:
        sys.exit(f"satblur-depth: {missing.name or one_line(missing)} is missing; {sys.executable} -m pip install "
                 "numpy onnxruntime pillow")
    except BrokenPipeError:
        os._exit(1)
    except KeyboardInterrupt:
        os._exit(130)
    except Exception as error:
        sys.exit(f"satblur-depth: {one_line(error)}")
