// Runs the Python calls that the page shows, and compares their pixels with the page's: web_python.js PAGE SATBLUR MKIMAGE
// PYTHON FOLDER. PYTHON has satblur and Pillow; FOLDER has the sample and own.jpg, a photo with its map.
"use strict";
const {execFileSync, spawnSync} = require("child_process");
const fs = require("fs");
const path = require("path");
const parts = require("./page_parts.js");
const [page, satblur, mkimage, python, folder] = process.argv.slice(2);
const options = parts.options();

// Photos and maps of all kinds, of the sample.
const MAKER = `
import numpy as np
from PIL import Image
photo = Image.open("table.png").convert("RGB").resize((240, 160), Image.BOX)
codes = np.asarray(Image.open("table_depth.png"))[3::7, 3::7][:150, :220].astype(np.uint16)
depth = codes.astype(np.float32) / 65535
photo.save("rgb.png"); photo.save("it's one.png"); photo.convert("L").save("gray.png"); photo.convert("LA").save("gray_alpha.png")
Image.fromarray(np.asarray(photo.convert("L")).astype(np.uint16) * 257).save("gray16.png")
palette = photo.quantize(64)
palette.save("palette.png"); palette.save("palette_clear.png", transparency=5)
photo.convert("L").quantize(16).convert("L").save("levels.png", bits=4); photo.convert("1").save("bilevel.png")
key = photo.getpixel((100, 80)); photo.save("key.png", transparency=key); photo.convert("L").save("gray_key.png", transparency=90)
clear = photo.convert("RGBA"); clear.putalpha(photo.convert("L")); clear.save("rgba.png")
exif = Image.Exif(); exif[0x112] = 6
photo.transpose(Image.ROTATE_90).save("turned.jpg", quality=95, exif=exif); photo.convert("L").save("gray.jpg")
eight = Image.fromarray((codes >> 8).astype(np.uint8))
eight.save("map8.png"); eight.convert("RGB").save("map_rgb.png"); Image.fromarray(codes).save("map16.png"); eight.save("map.jpg", quality=97)
Image.fromarray((65535 // np.maximum(codes >> 7, 12)).astype(np.uint16)).save("map_mm.png")
np.save("map.npy", depth); np.save("metres.npy", (1 / (0.1 + depth)).astype(np.float64)); np.savez("map.npz", depth=depth)
with open("map.pfm", "wb") as f:
    f.write(b"Pf\\n220 150\\n-1.0\\n" + depth[::-1].tobytes())
scale = np.stack([np.clip(1.5 - abs(4 * depth - k), 0, 1) for k in (3, 2, 1)], -1)
Image.fromarray((255 * scale + 0.5).astype(np.uint8)).save("map_jet.png")
photo.transpose(Image.ROTATE_90).save("stored.jpg", exif=exif); eight.transpose(Image.ROTATE_90).save("stored_map.png")
`;

// Runs texts one after another, and prints a line of what went wrong for each.
const RUNNER = `
import json, sys
for text in json.load(sys.stdin):
    try:
        exec(text, {})
        print("")
    except Exception as error:
        print(repr(error).replace(chr(10), " ") or "failed")
`;

const FOCUS = {x: 90, y: 60};
const CASES = [ // photo, map, the user's values, where the user clicked
    ["rgb.png", "map8.png"],
    ["rgb.png", "map16.png", {}, FOCUS],
    ["it's one.png", "map16.png", {"max-radius": 3.3, "focus-range": 0.06, "near-scale": 0.55, "far-scale": 1.35}, FOCUS],
    ["rgb.png", "map16.png", {"max-radius": 7.7, blades: "7", "blade-rotation": 20, "blade-curvature": 0.35, squeeze: 1.35, vignette: 0.8,
        "bokeh-edge": 0.45, spherical: -0.3, highlights: 8}, FOCUS],
    ["rgb.png", "map8.png", {bokeh: "square", near: "black", "depth-edges": "keep"}],
    ["rgb.png", "map16.png", {method: "gather", gamma: "on"}],
    ["rgb.png", "map16.png", {method: "spread", "depth-type": "linear"}],
    ["rgb.png", "map_mm.png", {"depth-type": "linear", near: "black"}, FOCUS],
    ["rgb.png", "map16.png", {fstop: "1.4", focal: 85, sensor: "23.5", nearest: 0.7, farthest: 14}, FOCUS],
    ["gray.png", "map_rgb.png", {bokeh: "smooth"}], ["gray16.png", "map16.png"], ["gray_alpha.png", "map8.png"], ["rgba.png", "map8.png"],
    ["palette.png", "map8.png"], ["palette_clear.png", "map8.png"], ["levels.png", "map8.png"], ["bilevel.png", "map8.png"],
    ["key.png", "map8.png"], ["gray_key.png", "map8.png"],
    ["rgb.png", "map.npy", {}, FOCUS], ["rgb.png", "metres.npy", {"depth-type": "linear"}, FOCUS], ["rgb.png", "map.pfm", {}, FOCUS],
    ["rgb.png", "map.npz"], ["rgb.png", "map_jet.png"], ["deep.png", "deep_map.png", {"max-radius": 4}],
    ["rgb.png", "map16.png", {fringe: 0.2, dither: "on", grain: "auto", highlights: 6, "highlight-size": 3}],
    ["rgb.png", null, {"tilt-angle": 20, "tilt-place": 0.4}], ["own.jpg", null, {}, FOCUS],
    ["turned.jpg", "map16.png", {}, FOCUS], ["turned.jpg", "map16.png"], ["gray.jpg", "map.jpg"], ["stored.jpg", "stored_map.png"],
];

function opened(core, [photo, map, values, focus]) {
    const file = (name) => name && {name, bytes: fs.readFileSync(path.join(folder, name))};
    for (const each of [photo, map].filter(Boolean))
        core.FS.writeFile(each, file(each).bytes);
    const done = core.ccall("web_open", "number", ["string", "string", "number", "number"], [photo, map || "embedded", 0, 300000]);
    const {width, height, focus: found, problem} = parts.answer(core);
    const state = {photo: file(photo), map: file(map), has_map: found !== null, focus, width, height,
        values: {...options.standardValues(), ...values}, touched: new Set(Object.keys(values || {}))};
    if (!done)
        throw new Error(`${photo}: ${problem.text}`);
    return state;
}

// Writes the page's picture. A JPEG becomes pixels by Pillow as by the program's own library, not by the page's.
function make(core, state, name) {
    const words = ["satblur", ...options.wordsOf(state, name)];
    const done = core.ccall("web_run", "number", ["string"], [words.join("\n")]);
    const {problem, coloured, unturned} = parts.answer(core);
    if (!done)
        throw new Error(`${state.photo.name}: ${problem.text}`);
    state.is_coloured = coloured;
    state.is_turned = unturned;
    fs.writeFileSync(path.join(folder, name), core.FS.readFile(name));
    if (/differs/.test(options.pythonOf(state)))
        execFileSync(satblur, [...words.slice(1), "--quiet"], {cwd: folder});
}

async function main() {
    const core = await parts.core(page, folder);
    let failed = 0;
    execFileSync(python, ["-c", MAKER], {cwd: folder});
    const states = CASES.map((each) => opened(core, each));
    states.forEach((state, i) => make(core, state, `page${i}.png`));
    const texts = states.map((state, i) => options.pythonOf(state).replaceAll(/"[^"]*_blurred.png"/g, `"python${i}.png"`));
    const told = execFileSync(python, ["-c", RUNNER], {cwd: folder, input: JSON.stringify(texts), encoding: "utf8"}).split("\n");
    states.forEach((state, i) => {
        const same = !told[i] && spawnSync(mkimage, ["same", `page${i}.png`, `python${i}.png`], {cwd: folder}).status === 0;
        failed += !same;
        console.log(`${same ? "ok   " : "FAIL "} Python (${options.whyNotArrays(state) || "satblur.dof"}): ${options.commandOf(state)}`);
        if (!same)
            console.log(texts[i] + "\n" + told[i]);
    });
    process.exit(failed ? 1 : 0);
}

main();
