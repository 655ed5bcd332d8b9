// Parts of the built page for tests under node.
"use strict";
const fs = require("fs");
const path = require("path");
const zlib = require("zlib");

// Starts a page's core, whose script is written into a folder.
exports.core = async (page, folder) => {
    const built = JSON.parse(/^const SATBLUR_CORE = (.*);$/m.exec(fs.readFileSync(path.join(page, "index.html"), "utf8"))[1]);
    const glue = path.resolve(folder, "glue.js");
    fs.writeFileSync(glue, built.glue);
    return require(glue)({wasmBinary: zlib.gunzipSync(Buffer.from(built.wasm, "base64")), print() {}, printErr() {}});
};

// Returns the core's answer to the last call.
exports.answer = (core) => JSON.parse(core.ccall("web_answer", "string", [], []));

// Returns the functions of the page's table of options.
exports.options = () => {
    const page = path.join(__dirname, "../../app/web/page");
    const source = ["option_facts.js", "options.js"].map((name) => fs.readFileSync(path.join(page, name), "utf8")).join("\n");
    return new Function(source + ";return {OPTIONS, standardValues, wordsOf, commandOf, pythonOf, isShown, whyNotArrays, problemLine}")();
};
