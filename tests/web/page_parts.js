// Parts of the built page for tests under node.
"use strict";
const fs = require("fs");
const path = require("path");

// Returns the core of a built page.
exports.core = async (page) => {
    const source = fs.readFileSync(path.join(page, "core.js"), "utf8");
    const built = JSON.parse(source.slice(source.indexOf("{"), source.lastIndexOf("}") + 1));
    const make = eval(built.glue + ";satblur_module");
    return make({wasmBinary: Buffer.from(built.wasm, "base64"), print() {}, printErr() {}});
};

// Returns the functions of the page's table of options.
exports.options = () => {
    const source = fs.readFileSync(path.join(__dirname, "../../app/web/page/options.js"), "utf8");
    return new Function(source + ";return {OPTIONS, standardValues, wordsOf, commandOf, pythonOf, isShown, whyNotArrays}")();
};
