// The worker: the program's core, and what the page asks of it. Files live in memory.
"use strict";
let core = null;

function fail(text) {
    throw new Error(text);
}

function call(name, result, kinds, values) {
    return core.ccall("web_" + name, result, kinds, values);
}

function text() {
    return call("text", "string", [], []);
}

function numbers() {
    const [width, height, focus, x, y, radius] = [0, 1, 2, 3, 4, 5].map((i) => call("number", "number", ["number"], [i]));
    return {width, height, focus, x, y, radius};
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
    // `threads` above 1 is for the build that has them: `glue` and `thread` are the texts of their workers.
    async start({wasm, glue, thread, threads}) {
        core = await satblur_module({wasmBinary: new Uint8Array(wasm), threads, mainScriptUrlOrBlob: glue,
            locateFile: () => URL.createObjectURL(thread), printErr() {}, print() {}});
        core.FS.mkdir("/pictures");
        core.FS.chdir("/pictures");
        return {};
    },
    async open({photo, map, full, quick}) {
        replaceFiles(map ? [photo, map] : [photo]);
        const done = call("open", "number", ["string", "string", "number", "number"],
            [photo.name, map ? map.name : "embedded", full ? 1 : 0, quick]);
        return done ? {...numbers(), notes: text()} : fail(text());
    },
    async show({size, view, words}) {
        const start = performance.now();
        if (!call("show", "number", ["number", "number", "string"], [size, view, lines(words)]))
            fail(text());
        const answer = {...numbers(), notes: text()}, at = call("rgba", "number", [], []);
        answer.pixels = core.HEAPU8.slice(at, at + 4 * answer.width * answer.height).buffer;
        answer.ms = performance.now() - start;
        return answer;
    },
    async quicken({quick}) {
        return call("quicken", "number", ["number"], [quick]) ? {} : fail(text());
    },
    async run({words, output}) {
        if (!call("run", "number", ["string"], [lines(words)]))
            fail(text());
        const bytes = core.FS.readFile(output);
        core.FS.unlink(output);
        return {bytes: bytes.buffer, notes: text()};
    },
};

onmessage = async ({data}) => {
    try {
        const answer = await calls[data.call](data);
        const moved = [answer.pixels, answer.bytes].filter(Boolean);
        postMessage({id: data.id, answer}, moved);
    } catch (error) {
        const broken = error instanceof WebAssembly.RuntimeError || /abort|memory access|out of memory/i.test(error.message);
        postMessage({id: data.id, broken, problem: broken ?
            "not enough memory for this picture; use a smaller one, or the program itself" : error.message});
    }
};
