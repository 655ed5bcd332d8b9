// Parts of the built page for tests under node.
"use strict";
const fs = require("fs");
const path = require("path");
const zlib = require("zlib");

const THREADS = 3;

// Starts a build of a page's core. One with threads reads the scripts of its workers from files, which are written into a folder.
exports.core = async (page, build, folder) => {
    const source = fs.readFileSync(path.join(page, `core_${build}.js`), "utf8");
    const built = JSON.parse(source.slice(source.indexOf("{"), source.lastIndexOf("}") + 1));
    const glue = path.resolve(folder, `glue_${build}.js`), thread = path.resolve(folder, `thread_${build}.js`);
    fs.writeFileSync(glue, built.glue);
    fs.writeFileSync(thread, built.thread);
    return require(glue)({wasmBinary: zlib.gunzipSync(Buffer.from(built.wasm, "base64")), threads: THREADS, mainScriptUrlOrBlob: glue,
        locateFile: () => thread, print() {}, printErr() {}});
};

// Returns the core's answer to the last call.
exports.answer = (core) => JSON.parse(core.ccall("web_answer", "string", [], []));

// Returns the functions of the page's table of options.
exports.options = () => {
    const page = path.join(__dirname, "../../app/web/page");
    const source = ["option_facts.js", "options.js"].map((name) => fs.readFileSync(path.join(page, name), "utf8")).join("\n");
    return new Function(source + ";return {OPTIONS, standardValues, wordsOf, commandOf, pythonOf, isShown, whyNotArrays, problemLine}")();
};
