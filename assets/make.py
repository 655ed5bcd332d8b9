#!/usr/bin/env python3
"""Makes the JPEGs of this folder from rendered scenes: make.py [--build FOLDER] [--work FOLDER] [NAME...]

NAME is portrait, night, light, lens, focus, methods or pull; without one all are made. Needs Pillow 10.1 or newer, and a build
with -DSATB_TOOLS=ON. Scenes that lie in the work folder (out/assets) are used again. Rendering the portrait and the night
takes about half an hour on two processors.
"""
import argparse
import pathlib
import subprocess

from PIL import Image, ImageDraw, ImageFont

ASSETS = pathlib.Path(__file__).resolve().parent
GAP = 8  # pixels between pictures


def run(*words):
    subprocess.run([str(word) for word in words], check=True)


def render(name):
    """The sharp picture and the depth map of a scene."""
    picture, depth = work / f"{name}.png", work / f"{name}_depth.png"
    if not picture.exists():
        run(build / "tests/render", "--scene", name, "--image-samples", SAMPLES[name], "--no-truth", "--out", work)
    return picture, depth


def blur(picture, words, name):
    out = work / f"{picture.stem}_{name}.png"
    run(build / "app/satblur", picture, out, "--quiet", *words.split())
    return Image.open(out).convert("RGB")


def labelled(image, text):
    """A copy with the text in a dark box, bottom left."""
    font = ImageFont.load_default(20)
    copy = image.convert("RGBA")
    box = Image.new("RGBA", copy.size)
    draw = ImageDraw.Draw(box)
    left, top, right, bottom = draw.textbbox((22, copy.height - 38), text, font=font)
    draw.rounded_rectangle((left - 10, top - 8, right + 10, bottom + 8), 6, fill=(0, 0, 0, 150))
    draw.text((22, copy.height - 38), text, font=font, fill="white")
    return Image.alpha_composite(copy, box).convert("RGB")


def sheet(rows, name, quality):
    """Saves rows of pictures of one size."""
    width, height = rows[0][0].size
    columns = max(len(row) for row in rows)
    whole = Image.new("RGB", (columns * (width + GAP) - GAP, len(rows) * (height + GAP) - GAP), "white")
    for y, row in enumerate(rows):
        for x, image in enumerate(row):
            whole.paste(image, (x * (width + GAP), y * (height + GAP)))
    whole.save(ASSETS / f"{name}.jpg", quality=quality, optimize=True, progressive=True)


def crop(image, x, y, width, height):
    return image.crop((x, y, x + width, y + height))


def portrait():
    picture, depth = render("portrait")
    blurred = blur(picture, f"--depth {depth} {HEAD} {LAMPS}", "dof")
    sheet([[labelled(Image.open(picture), "before"), labelled(blurred, AFTER)]], "portrait", 85)


def night():
    picture, depth = render("night")
    blurred = blur(picture, f"--depth {depth} --max-radius 60 --focus 0.564 {LAMPS}", "dof")
    sheet([[labelled(Image.open(picture), "before")], [labelled(blurred, AFTER)]], "night", 85)


def light():
    """Parts of a picture in linear light, of its blur, and of what a lens makes of it."""
    folder = work / "harbour"
    if not (folder / "truth.png").exists():
        run(build / "tests/layers", "--scene", "harbour", "--out", work)
    exr = folder / "harbour.exr"
    run(build / "app/satblur", folder / "image.pfm", exr, "--radius", 0, "--quiet")
    blurred = blur(exr, f"--depth {folder / 'exact.png'} --near white --focus 0.6 --max-radius 30", "dof")
    images = [(Image.open(folder / "image.png"), "before"), (blurred, "after, by a depth map"),
              (Image.open(folder / "truth.png").convert("RGB"), "a traced lens")]
    sheet([[labelled(crop(image, 150, 80, 528, 400), text) for image, text in images]], "light", 88)


def lens():
    picture, depth = render("night")
    options = ["", "--blades 6", "--blades 5", "--blades 5 --blade-curvature 0.6", "--squeeze 2", "--fringe 0.2",
               "--bokeh-edge 1", "--spherical -0.8"]
    crops = []
    for i, words in enumerate(options):
        blurred = blur(picture, f"--depth {depth} --max-radius 80 --focus 0.564 {LAMPS} {words}", f"lens{i}")
        crops.append(labelled(crop(blurred, 620, 10, 528, 300), words or "a disc: no option"))
    picture, depth = render("portrait")  # it has lamps at its border
    blurred = blur(picture, f"--depth {depth} {HEAD} {LAMPS} --vignette 0.8", "vignette")
    crops.insert(6, labelled(crop(blurred, 0, 120, 528, 300), "--vignette 0.8"))
    sheet([crops[0:3], crops[3:6], crops[6:9]], "lens", 85)


def focus():
    picture, depth = ASSETS / "street.png", ASSETS / "street_depth.png"
    scene = work / "street.png"
    scene.write_bytes(picture.read_bytes())
    view = work / "street_view.png"
    run(build / "app/satblur", scene, "--depth", depth, "--max-radius", 32, "--focus-view", view, "--quiet")
    images = [(blur(scene, "--tilt-shift 0,0.6,0.15 --max-radius 16", "tilted"), "--tilt-shift 0,0.6,0.15"),
              (Image.open(view).convert("RGB"), "--focus-view FILE")]
    sheet([[labelled(image.resize((800, 533), Image.Resampling.LANCZOS), text) for image, text in images]], "focus", 82)


def methods():
    picture, depth = ASSETS / "table.png", ASSETS / "table_depth.png"
    scene = work / "table.png"
    scene.write_bytes(picture.read_bytes())
    crops = [labelled(crop(blur(scene, f"--depth {depth} --max-radius 48 --method {method}", method), 380, 250, 400, 320),
                      f"--method {method}") for method in ("gather", "layered")]
    truth = crop(Image.open(ASSETS / "table_truth.png").convert("RGB"), 380, 250, 400, 320)
    sheet([crops + [labelled(truth, "a traced lens")]], "table_methods", 90)


def pull():
    folder = work / "pull"
    folder.mkdir(exist_ok=True)
    run(build / "tests/clip", "--out", work, "--scene", "walk")
    run(build / "app/satblur", work / "walk/image/%03d.png", folder / "%03d.png", "--depth", work / "walk/exact/%03d.png",
        "--focus-keys", "10:0.75,40:0.1", "--max-radius", 14, "--quiet")
    frames = [Image.open(folder / f"{number:03}.png").convert("RGB") for number in (5, 20, 32, 50)]
    sheet([frames[:2], frames[2:]], "pull", 88)


SAMPLES = {"portrait": 40, "night": 32}  # rays per pixel
HEAD = "--max-radius 46 --focus-range 0.06"  # all of it is sharp, so it covers the discs
LAMPS = "--highlights 8 --highlight-threshold 0.2"
AFTER = "after, by a depth map, with --highlights 8"
MAKERS = [portrait, night, light, lens, focus, methods, pull]

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("names", nargs="*", metavar="NAME", choices=[[], *(maker.__name__ for maker in MAKERS)])
parser.add_argument("--build", type=pathlib.Path, default=ASSETS.parent / "build")
parser.add_argument("--work", type=pathlib.Path, default=ASSETS.parent / "out/assets")
chosen = parser.parse_args()
build, work = chosen.build.resolve(), chosen.work.resolve()
work.mkdir(parents=True, exist_ok=True)
for maker in MAKERS:
    if not chosen.names or maker.__name__ in chosen.names:
        maker()
