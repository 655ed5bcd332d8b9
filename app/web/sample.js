// Writes the sample's photo as a JPEG, by the built core: sample.js CORE PHOTO.png PHOTO.jpg
"use strict";
const fs = require("fs");
const path = require("path");
const [built, from, to] = process.argv.slice(2);

async function main() {
    const core = await require(path.resolve(built + ".js"))({wasmBinary: fs.readFileSync(built + ".wasm")});
    core.FS.writeFile("from.png", fs.readFileSync(from));
    const words = ["satblur", "from.png", "to.jpg", "--radius", "0", "--quality", "90"];
    if (!core.ccall("web_run", "number", ["string"], [words.join("\n")]))
        throw new Error(JSON.parse(core.ccall("web_answer", "string", [], [])).problem.text);
    fs.writeFileSync(to, core.FS.readFile("to.jpg"));
}

main();
