// Compares the page's core with the program, under node: web_core.js PAGE SATBLUR FOLDER. FOLDER has the files of
// CASES, of which own.jpg is a photo with its map, and photo.jpg, of which subject.jpg is made. Prints a line for each comparison of all bytes.
"use strict";
const {execFileSync} = require("child_process");
const fs = require("fs");
const path = require("path");
const parts = require("./page_parts.js");
const [page, satblur, folder] = process.argv.slice(2);

const DEPTH = ["table.png", "out.png", "--depth", "table_depth.png"];
const CASES = [
    DEPTH,
    [...DEPTH, "--focus-at", "600,400", "--max-radius", "3.3%", "--focus-range", "0.05"],
    [...DEPTH, "--focus-at", "100,900", "--near-scale", "0.5", "--far-scale", "1.5", "--near", "black"],
    [...DEPTH, "--bokeh", "smooth"],
    [...DEPTH, "--bokeh", "square", "--depth-edges", "keep"],
    [...DEPTH, "--blades", "6", "--blade-curvature", "0.3", "--highlights", "8"],
    [...DEPTH, "--method", "gather", "--depth-type", "linear"],
    [...DEPTH, "--method", "spread"],
    [...DEPTH, "--fringe", "0.1", "--max-radius", "1%"],
    ["table.png", "out.jpg", "--depth", "table_depth.png"],
    ["deep.png", "out.png", "--depth", "deep_map.png", "--max-radius", "4"],
    ["own.jpg", "out.jpg", "--depth", "embedded", "--focus-at", "20,20"],
    ["own.jpg", "out.png", "--depth", "embedded", "--max-radius", "5%"],
    ["subject.jpg", "out.jpg", "--depth", "map.png"],
    ["subject.jpg", "out.png", "--depth", "map.png", "--grain", "auto"],
];

// Returns a JPEG whose EXIF says that it is stored turned, and where its subject is.
function withSubject(jpeg) {
    const exif = Buffer.from("4578696600004d4d002a00000008000201120003000000010006000087690004000000010000002600000000" +
        "00019214000300000002" + "012c00c8" + "00000000", "hex");
    return Buffer.concat([jpeg.subarray(0, 2), Buffer.from([0xff, 0xe1, 0, exif.length + 2]), exif, jpeg.subarray(2)]);
}

// Returns the bytes that the core writes by these words, or its line.
function bytesOf(core, words, is_shown = 0) {
    const done = core.ccall("web_run", "number", ["string", "number"], [["satblur", ...words].join("\n"), is_shown]);
    return done ? Buffer.from(core.FS.readFile(words[1])) : Buffer.from(parts.answer(core).problem.text);
}

// Clicks on the corners, as a small picture's pixels are counted otherwise.
function failuresAtBorders(core) {
    let failed = 0;
    const call = (name, kinds, values) => core.ccall("web_" + name, "number", kinds, values);
    call("open", ["string", "string", "number", "number"], ["table.png", "table_depth.png", 0, 40000]);
    const {width, height} = parts.answer(core);
    for (const [x, y] of [[0, 0], [width - 1, 0], [0, height - 1], [width - 1, height - 1]]) {
        const words = ["satblur", ...DEPTH, "--focus-at", `${x},${y}`];
        const done = call("show", ["number", "number", "string"], [0, 2, words.join("\n")]);
        failed += !done;
        console.log(`${done ? "ok   " : "FAIL "} a click at ${x},${y}: ${done ? "" : parts.answer(core).problem.text}`);
    }
    return failed;
}

// Shows the picture itself.
function show(core, words) {
    const call = (name, kinds, values) => core.ccall("web_" + name, "number", kinds, values);
    call("open", ["string", "string", "number", "number"], [words[0], words[3], 1, 40000]);
    call("show", ["number", "number", "string"], [2, 0, ["satblur", ...words].join("\n")]);
}

// Writes the shown picture without its work: so even by the words of another one.
function failuresOfShown(core) {
    const [one, other] = CASES;
    show(core, other);
    const good = bytesOf(core, one, 1).equals(bytesOf(core, other)) && !bytesOf(core, one).equals(bytesOf(core, other));
    console.log(`${good ? "ok   " : "FAIL "} the picture that is shown is written without blurring again`);
    return !good;
}

// Asks for more memory than a tab can have.
function failuresOfMemory(core) {
    const pixels = 16e6, head = Buffer.from(`P5 1 ${pixels} 255\n`), rows = Buffer.alloc(pixels, Uint8Array.from({length: 251}, (_, i) => i));
    core.FS.writeFile("tall.pgm", Buffer.concat([head, rows]));
    const told = bytesOf(core, ["tall.pgm", "out.png", "--depth", "tall.pgm", "--max-radius", "2%"]).toString("latin1").slice(0, 200);
    const goes_on = bytesOf(core, CASES[0]).length > 10000;
    const good = /^[^\n]*out of memory[^\n]*$/.test(told) && goes_on;
    console.log(`${good ? "ok   " : "FAIL "} a line says that memory runs out, and the next picture is made: ${told}`);
    return !good;
}

async function main() {
    let failed = 0;
    const core = await parts.core(page, folder);
    fs.writeFileSync(path.join(folder, "subject.jpg"), withSubject(fs.readFileSync(path.join(folder, "photo.jpg"))));
    for (const name of ["table.png", "table_depth.png", "deep.png", "deep_map.png", "own.jpg", "subject.jpg", "map.png"])
        core.FS.writeFile(name, fs.readFileSync(path.join(folder, name)));
    CASES.forEach((words) => {
        execFileSync(satblur, [...words, "--codec", "stb", "--quiet"], {cwd: folder});
        const wanted = fs.readFileSync(path.join(folder, words[1])), ours = bytesOf(core, words);
        show(core, words);
        const same = ours.equals(wanted) && bytesOf(core, words, 1).equals(wanted);
        failed += !same;
        console.log(`${same ? "ok   " : "FAIL "} ${words.join(" ")}${ours.length < 200 ? ": " + ours : ""}`);
    });
    failed += failuresAtBorders(core) + failuresOfShown(core) + failuresOfMemory(core);
    process.exit(failed ? 1 : 0);
}

main();
