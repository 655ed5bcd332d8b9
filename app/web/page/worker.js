// The worker: the program's core, and what the page asks of it. Files live in memory.
"use strict";
let core = null;
let shown = ""; // the words of the last full result

// What the program refuses, with a problem as the core's answers have it.
class Refusal extends Error {
    constructor(problem) {
        super(problem.kind);
        this.problem = problem;
    }
}

function call(name, result, kinds, values) {
    return core.ccall("web_" + name, result, kinds, values);
}

// Calls one of the core's functions of work, and returns its answer.
function ask(name, kinds, values) {
    const done = call(name, "number", kinds, values), answer = JSON.parse(call("answer", "string", [], []));
    if (!done)
        throw new Refusal(answer.problem);
    return answer;
}

function lines(words) {
    return ["satblur"].concat(words).join("\n");
}

function replaceFiles(files) {
    for (const name of core.FS.readdir("."))
        if (name !== "." && name !== "..")
            core.FS.unlink(name);
    for (const file of files)
        core.FS.writeFile(file.name, new Uint8Array(file.bytes));
}

const calls = {
    async start({wasm}) {
        core = await satblur_module({wasmBinary: new Uint8Array(wasm), printErr() {}, print() {}});
        core.FS.mkdir("/pictures");
        core.FS.chdir("/pictures");
        return {};
    },
    async open({photo, map, full, quick}) {
        shown = "";
        replaceFiles(map ? [photo, map] : [photo]);
        return ask("open", ["string", "string", "number", "number"], [photo.name, map ? map.name : "embedded", full ? 1 : 0, quick]);
    },
    async show({size, view, words}) {
        const start = performance.now(), is_full = size === 2 && view === 0;
        shown = is_full ? "" : shown;
        const answer = ask("show", ["number", "number", "string"], [size, view, lines(words)]), at = call("rgba", "number", [], []);
        answer.pixels = core.HEAPU8.slice(at, at + 4 * answer.width * answer.height).buffer;
        answer.ms = performance.now() - start;
        shown = is_full ? lines(words) : shown;
        return answer;
    },
    async quicken({quick}) {
        return ask("quicken", ["number"], [quick]);
    },
    // `as` are the words that a view of the same picture would have.
    async run({words, as, output}) {
        const is_shown = lines(as) === shown;
        ask("run", ["string", "number"], [lines(words), is_shown ? 1 : 0]);
        const bytes = core.FS.readFile(output);
        core.FS.unlink(output);
        return {bytes: bytes.buffer, is_shown};
    },
};

// Returns a problem for an error of any kind: those of the browser mean that its memory has run out.
function problemOf(error) {
    if (error instanceof Refusal)
        return error.problem;
    const starved = error instanceof WebAssembly.RuntimeError || error instanceof RangeError;
    return {kind: starved ? "memory" : "broken", where: "", text: error.message};
}

onmessage = async ({data}) => {
    try {
        const answer = await calls[data.call](data);
        const moved = [answer.pixels, answer.bytes].filter(Boolean);
        postMessage({id: data.id, answer}, moved);
    } catch (error) {
        const problem = problemOf(error);
        postMessage({id: data.id, problem, broken: ["memory", "broken"].includes(problem.kind)});
    }
};
