// The worker of a model: ONNX Runtime, and the way of a picture into a model and of a map out of it. core/python has the same in
// _network.py, where the reasons are, and its table of models.
"use strict";
let runtime = null, model = null, where = "";

// --- Into the model ----------------------------------------------------------------------------------

// Returns how a model wants its picture, by its only input.
function inputOf({inputNames, inputMetadata}) {
    const {shape, type} = (inputMetadata || [{}])[0];
    if (!shape)
        throw new Error("this ONNX Runtime does not say what the model's input is; take 1.22 or a newer one");
    if (inputNames.length !== 1)
        throw new Error(`the model has ${inputNames.length} inputs; one picture is wanted`);
    const fixed = shape.map((side) => typeof side === "number" && side > 0 ? side : null), [rows, across, last] = fixed.slice(-3);
    if (![3, 4].includes(shape.length) || (rows !== 3 && last !== 3 && rows !== null) || (shape.length === 4 && fixed[0] > 1))
        throw new Error(`the model's input has the shape ${shape.join(" x ")}; one picture of three channels is wanted`);
    if (!["float32", "uint8"].includes(type))
        throw new Error(`the model's input is a ${type}; floats of 32 bits or bytes are wanted`);
    const is_last = last === 3 && rows !== 3;
    return {name: inputNames[0], type, has_batch: shape.length === 4, is_last, sides: is_last ? [rows, across] : [across, last]};
}

// Returns the nearest whole number; of two the even one.
function whole(number) {
    return number % 1 === 0.5 ? 2 * Math.round(number / 2) : Math.round(number);
}

// Returns the height and width that the model is given. Strips become at most 3 : 1.
function sidesFor({row, input}, width, height) {
    const {size, multiple} = row, scale = size / Math.min(width, height);
    const free = Array.isArray(size) ? size : [height, width].map((side) =>
        Math.max(multiple, whole(Math.min(side * scale, 3 * size) / multiple) * multiple));
    return input.sides.map((side, i) => side || free[i]);
}

const CUBIC = {reach: 2, at: (x) => x < 1 ? (1.5 * x - 2.5) * x * x + 1 : x < 2 ? ((-0.5 * x + 2.5) * x - 4) * x + 2 : 0};
const LINEAR = {reach: 1, at: (x) => Math.max(1 - x, 0)};

// Returns rows of another length as columns. Shrinking widens the filter, as Pillow does it.
function turned(from, {width, height, channels}, length, filter) {
    const to = new from.constructor(length * height * channels), scale = width / length, wide = Math.max(scale, 1);
    const is_bytes = from instanceof Uint8ClampedArray; // they have whole weights
    for (let i = 0; i < length; i++) {
        const middle = (i + 0.5) * scale, first = Math.max(Math.floor(middle - filter.reach * wide + 0.5), 0);
        const end = Math.min(Math.floor(middle + filter.reach * wide + 0.5), width);
        const shares = Array.from({length: end - first}, (_, k) => filter.at(Math.abs(first + k - middle + 0.5) / wide));
        const sum = shares.reduce((a, b) => a + b);
        const weights = shares.map((share) => is_bytes ? Math.round(share / sum * 2 ** 22) : share / sum);
        for (let y = 0; y < height; y++)
            for (let c = 0; c < channels; c++) {
                let total = 0;
                for (let k = 0; k < weights.length; k++)
                    total += weights[k] * from[(y * width + first + k) * channels + c];
                to[(i * height + y) * channels + c] = is_bytes ? total + 2 ** 21 >> 22 : total;
            }
    }
    return to;
}

// Returns a picture's samples in another size: bytes are rounded after each pass.
function resized(from, {width, height, channels}, [to_height, to_width], filter) {
    const columns = turned(from, {width, height, channels}, to_width, filter);
    return turned(columns, {width: height, height: to_width, channels}, to_height, filter);
}

// Returns the picture as the model's input.
function tensorOf({row, input}, pixels, width, height) {
    const sides = sidesFor({row, input}, width, height), [rows, columns] = sides, count = rows * columns;
    const small = resized(new Uint8ClampedArray(pixels), {width, height, channels: 4}, sides, CUBIC);
    const is_bytes = input.type === "uint8", to = new (is_bytes ? Uint8Array : Float32Array)(3 * count), [mean, std] = row.scale;
    for (let i = 0; i < count; i++)
        for (let c = 0; c < 3; c++)
            to[input.is_last ? 3 * i + c : c * count + i] = is_bytes ? small[4 * i + c] : (small[4 * i + c] / 255 - mean[c]) / std[c];
    const shape = input.is_last ? [rows, columns, 3] : [3, rows, columns];
    return new runtime.Tensor(input.type, to, input.has_batch ? [1, ...shape] : shape);
}

// --- Out of the model --------------------------------------------------------------------------------

// Returns the first output that has one number a pixel: disparity.
function disparityOf(outputs, row) {
    for (const {dims, type, data} of outputs) {
        const sides = dims.filter((side) => side !== 1);
        if (sides.length !== 2 || type !== "float32")
            continue;
        if (!data.some(Number.isFinite))
            throw new Error("the model's output has no finite number");
        return {sides, numbers: row.output === "metres" ? data.map((x) => x > 0 ? 1 / x : NaN) : data};
    }
    throw new Error(`the model's output has the shape ${outputs[0].dims.join(" x ")}; one number a pixel is wanted`);
}

// Returns the map in the picture's proportions, if a model of fixed size changed them.
function proportioned({sides: [height, width], numbers}, right, bottom) {
    if (Math.abs(width * bottom - height * right) <= 0.01 * width * bottom)
        return {sides: [height, width], numbers};
    const across = width / right, down = height / bottom, scale = Math.min(Math.max(across, down), 4 * Math.min(across, down));
    const sides = [bottom, right].map((side) => Math.max(1, whole(side * scale)));
    return {sides, numbers: resized(numbers, {width, height, channels: 1}, sides, LINEAR)};
}

// Returns the number below which that share of the sorted ones lies.
function percentile(sorted, share) {
    const place = share * (sorted.length - 1), low = Math.floor(place);
    return sorted[low] + (place - low) * (sorted[Math.min(low + 1, sorted.length - 1)] - sorted[low]);
}

// Returns codes from 1 to 65535, and 0 where there is no number. Outliers are clipped.
function codesOf(numbers) {
    const sorted = Float64Array.from(numbers.filter(Number.isFinite)).sort();
    let low = percentile(sorted, 0.001), high = percentile(sorted, 0.999);
    const margin = (high - low) / 4;
    low = Math.max(sorted[0], low - margin);
    high = Math.min(sorted[sorted.length - 1], high + margin);
    return Uint16Array.from(numbers, (x) =>
        Number.isNaN(x) ? 0 : whole((Math.min(Math.max(x, low), high) - low) / ((high - low) || 1) * 65534) + 1);
}

// --- A PNG -------------------------------------------------------------------------------------------

function checksum(bytes) {
    let sum = -1;
    for (const byte of bytes) {
        sum ^= byte;
        for (let i = 0; i < 8; i++)
            sum = sum >>> 1 ^ (sum & 1 && 0xedb88320);
    }
    return ~sum;
}

function chunk(name, data) {
    const bytes = new Uint8Array(data.length + 12), view = new DataView(bytes.buffer);
    view.setUint32(0, data.length);
    bytes.set([...name].map((letter) => letter.charCodeAt(0)), 4);
    bytes.set(data, 8);
    view.setUint32(data.length + 8, checksum(bytes.subarray(4, data.length + 8)));
    return bytes;
}

// Returns a gray PNG of 16 bits.
async function pngOf(codes, [height, width]) {
    const head = new DataView(new ArrayBuffer(13)), rows = new DataView(new ArrayBuffer(height * (2 * width + 1)));
    head.setUint32(0, width);
    head.setUint32(4, height);
    head.setUint8(8, 16);
    codes.forEach((code, i) => rows.setUint16(1 + 2 * i + Math.floor(i / width), code));
    const packed = new Response(new Blob([rows]).stream().pipeThrough(new CompressionStream("deflate")));
    return new Blob([Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10), chunk("IHDR", new Uint8Array(head.buffer)),
        chunk("IDAT", new Uint8Array(await packed.arrayBuffer())), chunk("IEND", [])]).arrayBuffer();
}

// --- Calls -------------------------------------------------------------------------------------------

// Returns the address of a script. On a page of file:// only the worker that imports it may make it.
function addressOf(part, type = "text/javascript") {
    return URL.createObjectURL(new Blob([part], {type}));
}

const calls = {
    async open({module, glue, wasm, threads, name, bytes, row}) {
        where = name + ": ";
        runtime = await import(addressOf(module));
        Object.assign(runtime.env.wasm, {wasmPaths: {mjs: addressOf(glue), wasm: addressOf(wasm, "application/wasm")}, numThreads: threads});
        runtime.env.logLevel = "error";
        const session = await runtime.InferenceSession.create(new Uint8Array(bytes), {executionProviders: ["wasm"]});
        model = {session, row, input: inputOf(session)};
        return {};
    },
    async map({pixels, width, height}) {
        const {session, row, input} = model, answer = await session.run({[input.name]: tensorOf(model, pixels, width, height)});
        const {sides, numbers} = proportioned(disparityOf(session.outputNames.map((name) => answer[name]), row), width, height);
        return {bytes: await pngOf(codesOf(numbers), sides)};
    },
};

onmessage = async ({data: {id, call, ...what}}) => {
    const fail = (error) => postMessage({id, problem: {kind: "plain", where, text: String(error.message || error).split("\n")[0]}});
    onunhandledrejection = ({reason}) => fail(reason); // in ONNX Runtime, which then never answers
    try {
        const answer = await calls[call](what);
        postMessage({id, answer}, answer.bytes ? [answer.bytes] : []);
    } catch (error) {
        fail(error);
    }
};
