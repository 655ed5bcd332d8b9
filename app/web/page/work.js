// A worker that answers calls.
class Answering {
    waiting = new Map();
    next = 1;

    // Starts a worker, whose script has that address.
    begin(address) {
        this.broken = false;
        this.worker = new Worker(address);
        this.worker.onmessage = ({data}) => this.take(data);
        this.worker.onerror = (event) => this.stop(event.message || "the worker stopped");
    }

    // Asks for what is moved, not copied, if it is in that list. Fails with a line to show.
    call(name, what = {}, moved = []) {
        const id = this.next++;
        return new Promise((resolve, reject) => {
            this.waiting.set(id, {resolve, reject});
            this.worker.postMessage({id, call: name, ...what}, moved);
        });
    }

    take({id, answer, problem, broken}) {
        const call = this.waiting.get(id), line = problem && problemLine(problem);
        this.waiting.delete(id);
        if (call)
            answer ? call.resolve(answer) : call.reject(new Error(line));
        if (broken)
            this.stop(line);
    }

    stop(problem) {
        this.worker?.terminate();
        this.broken = true;
        for (const call of this.waiting.values())
            call.reject(new Error(problem));
        this.waiting.clear();
    }
}

// A worker with the program's core. It is replaced if its memory runs out.
class Core extends Answering {
    constructor(full) {
        super();
        this.full = full;
        this.queue = Promise.resolve();
        this.rate = 0.00015; // milliseconds a pixel, corrected by each answer
    }

    // Starts the core in a worker. The worker's text gets an address: pages of file:// may not start workers of files.
    async start() {
        const {glue, worker, wasm} = SATBLUR_CORE;
        Core.bytes ??= await unpacked(bytesOf(wasm));
        Core.address ??= URL.createObjectURL(new Blob([glue, "\n", worker], {type: "text/javascript"}));
        this.begin(Core.address);
        const late = setTimeout(() => this.stop("the core does not start"), START_MS);
        await this.call("start", {wasm: Core.bytes});
        clearTimeout(late);
    }

    // Opens the pictures, in a new worker if the old one is lost.
    async open(photo, map) {
        if (this.broken || !this.worker) {
            this.broken = false;
            await this.start();
        }
        const file = (f) => f && {name: pathOf(f.name), bytes: f.bytes};
        return this.call("open", {photo: file(photo), map: file(map), full: this.full, quick: this.quick || QUICK_PIXELS});
    }

    async show(size, view, words) {
        const answer = await this.call("show", {size, view, words});
        const rate = answer.ms / (answer.width * answer.height);
        if (view === VIEW.result)
            this.rate = rate;
        return answer;
    }

    // Fits the quick size to the time that it took, in milliseconds.
    async fit(ms) {
        const quick = this.quick || QUICK_PIXELS, fits = Math.min(Math.max(quick * QUICK_MS / ms, 40000), QUICK_PIXELS);
        if (fits > quick * 0.85 && fits < quick * 1.5)
            return;
        this.quick = fits;
        await this.call("quicken", {quick: fits});
    }
}

const SIZE = {quick: 0, screen: 1, full: 2};
const VIEW = {result: 0, focus: 1, depth: 2, original: 3};
const QUICK_PIXELS = 400000, QUICK_MS = 65;
const MOST_THREADS = 8, START_MS = 20000;

function loadScript(name) {
    return new Promise((resolve, reject) => {
        const script = document.createElement("script");
        script.src = name;
        script.onload = resolve;
        script.onerror = () => reject(new Error(`${name} is missing beside the page`));
        document.head.append(script);
    });
}

function bytesOf(base64) {
    const text = atob(base64), bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++)
        bytes[i] = text.charCodeAt(i);
    return bytes.buffer;
}

// Returns the bytes that gzip has packed.
function unpacked(bytes) {
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

// Returns why the page cannot work in this browser, or "".
function missingIn(browser) {
    const simd = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15,
        253, 98, 11]);
    const lacks = !browser.WebAssembly ? "WebAssembly" : !browser.Worker ? "workers" :
        !browser.DecompressionStream || !browser.CompressionStream ? "streams of compression" :
        !browser.WebAssembly.validate(simd) ? "SIMD of WebAssembly" : "";
    return lacks && `this browser has no ${lacks}; use Chrome or Edge 91, Firefox 113, Safari 16.4 or newer, or the program itself`;
}
