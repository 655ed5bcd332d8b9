// The options that the page offers, and the words they become: of the program's command line and of Python's call. A new
// slider is a row here. What a row does not say is the program's: range, default, words and text, of option_facts.js. A row
// has a range of its own where its slider ends before the program's range; up to `most` is typed where the program's table
// has no range. A row whose `part` is set is one number of the option of that name, in the order of the rows.
const has_layers = (v) => v.method === "layered";
const has_lens = (v, state) => v.fstop !== "off" && state.has_map;
const OPTION_GROUPS = [
    {name: "Blur", open: true, rows: [
        {option: "max-radius", label: "Strength", low: 0, high: 8, step: 0.1, standard: 2, unit: "%", python: "max_radius",
            help: "Largest radius of the blur, in % of the photo's longer side", only: (v, state) => !has_lens(v, state)},
        {option: "focus-range", label: "Focus range", high: 0.5, step: 0.01, python: "focus_range", only: (v, state) => state.has_map},
        {option: "near-scale", label: "Near blur", high: 2, step: 0.05, python: "near_scale", times: true, only: (v, state) => state.has_map},
        {option: "far-scale", label: "Far blur", high: 2, step: 0.05, python: "far_scale", times: true, only: (v, state) => state.has_map},
    ]},
    {name: "Sharp band", open: true, only: (state) => !state.has_map, rows: [
        {option: "tilt-angle", part: "tilt-shift", label: "Angle", low: -90, high: 90, most: 90, step: 1, standard: 0, unit: "°",
            help: "Turns the band; 0 is level"},
        {option: "tilt-place", part: "tilt-shift", label: "Place", low: 0, high: 1, most: 1, step: 0.001, standard: 0.55,
            help: "Middle of the band: 0 is the top, 1 is the bottom. A click on the picture also sets it"},
        {option: "tilt-width", part: "tilt-shift", label: "Width", low: 0, high: 0.9, most: 1, step: 0.01, standard: 0.2,
            help: "Width of the band, as a fraction of the picture"},
    ]},
    {name: "Bokeh", rows: [
        {option: "method", label: "Method", python: "method",
            help: "layered is close to a lens; gather is faster, but leaves halos around sharp objects; spread leaves none, but no object covers another"},
        {option: "bokeh", label: "Shape", python: "bokeh", only: has_layers,
            help: "Aperture shape; smooth is brightest in its middle"},
        {option: "blades", label: "Blades", words: ["0", "3", "4", "5", "6", "7", "8", "9"], texts: {0: "round"}, is_number: true,
            python: "blades", only: (v) => has_layers(v) && v.bokeh === "disc"},
        {option: "blade-curvature", label: "Round blades", step: 0.05, python: "blade_curvature",
            only: (v) => has_layers(v) && v.bokeh === "disc" && v.blades !== "0"},
        {option: "blade-rotation", label: "Turn blades", low: 0, high: 120, step: 1, show: "°", python: "blade_rotation",
            only: (v) => has_layers(v) && v.bokeh === "disc" && v.blades !== "0"},
        {option: "squeeze", label: "Squeeze", low: 0.5, high: 2, step: 0.05, python: "squeeze", times: true, only: has_layers},
        {option: "vignette", label: "Cat's eyes", step: 0.05, python: "vignette", only: has_layers},
        {option: "bokeh-edge", label: "Rim", step: 0.05, python: "bokeh_edge",
            only: (v) => has_layers(v) && v.bokeh !== "smooth"},
        {option: "spherical", label: "Spherical", step: 0.05, python: "spherical",
            only: (v) => has_layers(v) && v.bokeh !== "smooth"},
        {option: "fringe", label: "Fringe", step: 0.02, python: "fringe"},
    ]},
    {name: "Highlights", rows: [
        {option: "highlights", label: "Highlights", low: 0, high: 16, step: 1, standard: 0, texts: {0: "off"}, python: "highlights",
            only: has_layers},
        {option: "highlight-threshold", label: "Brighter than", low: 0.05, step: 0.05, python: "highlight_threshold",
            only: (v) => has_layers(v) && v.highlights > 0},
        {option: "highlight-size", label: "Smaller than", low: 0.5, high: 10, step: 0.5, show: "%", python: "highlight_size",
            only: (v) => has_layers(v) && v.highlights > 0},
    ]},
    {name: "Lens", only: (state) => state.has_map, rows: [
        {option: "fstop", label: "Aperture", words: ["off", "0.95", "1.2", "1.4", "1.8", "2", "2.8", "4", "5.6", "8", "11", "16"],
            texts: (word) => word === "off" ? "off: use Strength" : "f/" + word, is_number: true, python: "fstop"},
        {option: "focal", label: "Focal length", low: 10, high: 300, step: 1, standard: 50, show: "mm", python: "focal_mm", is_needed: true,
            only: has_lens},
        {option: "sensor", label: "Sensor", words: ["36", "23.5", "17.3", "13.2", "9.8"], is_number: true, python: "sensor_mm",
            texts: {36: "36 mm, full frame", 23.5: "23.5 mm, APS-C", 17.3: "17.3 mm, Four Thirds", 13.2: "13.2 mm, 1 inch", 9.8: "9.8 mm, phone"},
            only: has_lens},
        {option: "distances", label: "Distances", words: ["given", "map"], texts: {given: "as below", map: "those of the map"}, is_own: true,
            help: "Photos of phones and maps in metres have distances; for other maps, give the metres at the ends", only: has_lens},
        {option: "nearest", part: "distance", label: "Nearest", low: 0.2, high: 10, step: 0.1, standard: 1, show: "m", python: "distance",
            help: "Metres at the nearest end of the map", only: (v, state) => has_lens(v, state) && v.distances === "given"},
        {option: "farthest", part: "distance", label: "Farthest", low: 11, high: 200, step: 1, standard: 20, show: "m", python: "distance",
            help: "Metres at the farthest end of the map", only: (v, state) => has_lens(v, state) && v.distances === "given"},
    ]},
    {name: "Finish", rows: [
        {option: "gamma", label: "Light", words: ["off", "on"], texts: {off: "linear, like a lens", on: "stored values, darker"}, is_flag: true,
            python: "linear=False"},
        {option: "dither", label: "Banding", words: ["on", "off"], texts: {on: "dithered", off: "plain rounding"}, is_flag: true,
            word: "--dither=off", python: "dither=False", only: has_layers},
        {option: "grain", label: "Grain", words: ["off", "auto"], texts: {off: "none added", auto: "as in the photo"}},
        {option: "quality", label: "JPEG quality", low: 50, step: 1, ending: "jpg"},
    ]},
    {name: "Depth map", is_of_map: true, only: (state) => state.has_map, rows: [
        {option: "near", label: "Near is", python: "near", is_of_map: true,
            help: "Colour of near objects in the map's file. In the Depth view, near objects must be white"},
        {option: "depth-type", label: "Values are", texts: {disparity: "disparity (1/distance)", linear: "linear distance"},
            python: "depth_type", is_of_map: true, help: "AI models and stereo programs give disparity; depth sensors and 3D programs give distance"},
        {option: "depth-edges", label: "Edges", texts: {fit: "fit to the photo", keep: "unchanged"}, python: "edges",
            help: "Soft edges of the map are cut at their middle, or kept; keep suits rendered maps"},
        {option: "depth-colormap", label: "Colours", words: ["auto", "none", "inferno", "magma", "plasma", "viridis", "turbo",
            "jet", "spectral"], texts: {auto: "found automatically"}},
    ]},
];
const OPTIONS = OPTION_GROUPS.flatMap((group) => group.rows.map((row) => Object.assign(row, {...OPTION_FACTS[row.option], ...row, group})));

function standardOf(row) {
    return row.words ? row.words[0] : row.standard;
}

function standardValues() {
    return Object.fromEntries(OPTIONS.map((row) => [row.option, standardOf(row)]));
}

// Returns the values, and which of them the user chose, without what was said of the map.
function withoutMap({values, touched}) {
    const rows = OPTIONS.filter((row) => row.group.is_of_map);
    return {values: {...values, ...Object.fromEntries(rows.map((row) => [row.option, standardOf(row)]))},
        touched: new Set([...touched].filter((option) => !rows.some((row) => row.option === option)))};
}

function isShown(row, state) {
    return (!row.group.only || row.group.only(state)) && (!row.only || row.only(state.values, state));
}

// Returns the rows that count: those that differ from what the program does without them. The photo's own map says itself
// what is near, so a choice of the user's is always given then. A part of an option is given with its others. Rows with an
// `ending` count for files of that name alone.
function givenRows(state, output = "") {
    return OPTIONS.filter((row) => isShown(row, state) && !row.is_own && (!row.ending || output.endsWith(row.ending)) &&
        (row.part || row.is_needed || state.values[row.option] !== standardOf(row) || (row.is_of_map && state.touched.has(row.option))));
}

function valueText(row, value) {
    return row.words ? value : String(Number(Number(value).toFixed(3)));
}

// Returns the value as the page shows it.
function shownText(row, value) {
    const text = valueText(row, value), other = typeof row.texts === "function" ? row.texts(text) : (row.texts || {})[text];
    const unit = row.unit || row.show;
    return other || (row.times ? "× " + text : unit === "°" || unit === "%" ? text + unit : unit ? text + " " + unit : text);
}

// Returns what was typed as a value of a slider, within the program's range, which may be wider than the slider; null: it is
// more than a number and its unit.
function typedValue(row, text) {
    const found = text.trim().replace(",", ".").replace("−", "-").match(/^[x×]?\s*(-?(\d+\.?\d*|\.\d+))\s*(%|°|mm|m)?$/);
    const {low = 0.1, high = row.most || 10000} = OPTION_FACTS[row.option] || {};
    return found ? Number(valueText(row, Math.min(Math.max(Number(found[1]), Math.min(low, row.low)), high))) : null;
}

// Returns the options with their values, as the command line has them.
function givenOptions(state, output) {
    const given = [];
    for (const row of givenRows(state, output)) {
        const option = row.part || row.option, last = given[given.length - 1];
        const value = valueText(row, state.values[row.option]) + (row.unit && !row.part ? row.unit : "");
        if (last && last.option === option)
            last.values.push(value);
        else
            given.push({option, row, values: row.is_flag ? [] : [value]});
    }
    return given;
}

// The page's own lines for problems of these kinds.
const PROBLEMS = {
    memory: () => "not enough memory for this picture; use a smaller one, or the program itself",
    "too-large": ({where, width, height, most}) =>
        `${where}${width} × ${height} pixels are more than the ${most} that the page takes; use a smaller picture, or the program itself`,
    "not-built-in": ({where, format}) => `${where}the page does not read ${format}; use the program, or convert it to PNG`,
};

// Returns a problem of the core as a line of the page. All but PROBLEMS have the program's text, with the page's names for the
// options.
function problemLine(problem) {
    const own = PROBLEMS[problem.kind];
    return own ? own(problem) : problem.where + withLabels(problem.text);
}

// Replaces the names of options by the page's.
function withLabels(sentence) {
    const lacks = new Set();
    const text = sentence.replace(/--([a-z][a-z-]*)/g, (word, name) => {
        const row = OPTIONS.find((row) => (row.part || row.option) === name);
        if (!row && name !== "depth")
            lacks.add(word);
        return name === "depth" ? "Depth map …" : row ? `“${row.part ? row.group.name : row.label}”` : word;
    });
    return lacks.size ? `${text} (the program has ${[...lacks].join(" and ")}, but the page does not)` : text;
}

// --- The command -------------------------------------------------------------------------------------

// Returns a file's name as a word that means nothing else.
function pathOf(name) {
    return name.startsWith("-") || name === "embedded" ? "./" + name : name;
}

// Returns the words behind the program's name. An OUTPUT that is left out is the page's own.
function wordsOf(state, output) {
    const words = [pathOf(state.photo.name), pathOf(output || outputName(state, "png"))];
    if (state.has_map)
        words.push("--depth", state.map ? pathOf(state.map.name) : "embedded");
    if (state.has_map && state.focus)
        words.push("--focus-at", `${state.focus.x},${state.focus.y}`);
    for (const {option, row, values} of givenOptions(state, output))
        words.push(row.word || "--" + option, ...(values.length ? [values.join(",")] : []));
    return words;
}

// Returns the words that a view of the open pictures depends on, as a text. Depths are shown by what is said of the map alone.
function keyOf(state, view) {
    const of_map = ({row}) => row.group.is_of_map || row.part === "distance";
    return view === "original" ? "" : view !== "depth" ? wordsOf(state).join("\n") :
        givenOptions(state).filter(of_map).map(({option, values}) => `${option} ${values}`).join("\n");
}

// Returns the words of the program elsewhere. Its JPEG reader is faster than the page's, and differs in last bits.
function wordsElsewhere(state) {
    const is_jpeg = [state.photo, state.map].some((file) => file && kindOf(file).format === "jpeg");
    return wordsOf(state).concat(is_jpeg ? ["--codec", "stb"] : []);
}

function outputName(state, ending) {
    const stem = state.photo.name.replace(/\.[^.]*$/, "") + "_blurred", name = `${stem}.${ending}`;
    return state.map && state.map.name === name ? `${stem}_2.${ending}` : name;
}

function quote(word) {
    return /^[\w@%+=:,./-]+$/.test(word) ? word : "'" + word.replace(/'/g, "'\\''") + "'";
}

function commandOf(state) {
    return "satblur " + wordsElsewhere(state).map(quote).join(" ");
}

// --- Python ------------------------------------------------------------------------------------------

function pythonWords(state) {
    const words = state.focus ? [`focus=(${state.focus.x}, ${state.focus.y})`] : [];
    for (const {option, row, values} of givenOptions(state)) {
        if (option === "max-radius")
            words.push(`max_radius=${parseFloat(values[0])} / 100 * ${Math.max(state.width, state.height)}`);
        else if (row.is_flag)
            words.push(row.python);
        else if (values.length > 1)
            words.push(`${row.python}=(${values.join(", ")})`);
        else
            words.push(`${row.python}=${row.words && !row.is_number ? JSON.stringify(values[0]) : values[0]}`);
    }
    return words;
}

// Returns why arrays would not give this picture, or "".
function whyNotArrays(state) {
    const lost = givenRows(state).filter((row) => !row.python).map((row) => "--" + (row.part || row.option));
    if (lost.length)
        return `satblur.dof() has no ${[...new Set(lost)].join(" and no ")}.`;
    if (!state.map)
        return "The map lies within the photo.";
    if (pillowReads(kindOf(state.photo)) === null)
        return "Pillow would not read this photo as it is.";
    if (mapLines(state.map) === null)
        return "Neither Pillow nor numpy reads this map as it is.";
    return state.is_coloured ? "The map has false colours." : state.is_turned ? "The map is turned like the stored photo." : "";
}

function mapLines(map) {
    const kind = kindOf(map), name = JSON.stringify(map.name);
    if (kind.format === "npy" && kind.is_plain)
        return [`depth = np.load(${name})`];
    if (kind.format === "pfm")
        return [`depth = np.asarray(Image.open(${name}))  # Pillow 10.3 or newer`];
    const how = pillowReads(kind);
    if (how === null)
        return null;
    const line = `depth = np.asarray(${kind.format === "jpeg" ? `ImageOps.exif_transpose(Image.open(${name}))` : `Image.open(${name})`}${how})`;
    return kind.channels > 1 || how ? [line, "depth = np.ascontiguousarray(depth[..., 0]) if depth.ndim > 2 else depth"] : [line];
}

function pythonOf(state) {
    const why = whyNotArrays(state);
    if (why)
        return [`# ${why} This runs the program, which the package has.`, "import subprocess", "import sys", "",
            "words = [", ...wordsElsewhere(state).map((word) => `    ${JSON.stringify(word)},`), "]",
            "subprocess.run([sys.executable, \"-m\", \"satblur\", *words], check=True)"].join("\n");
    const is_jpeg = [state.photo, state.map].some((file) => kindOf(file).format === "jpeg");
    return [
        ...(is_jpeg ? ["# Pillow's reader of JPEG differs from the page's in last bits, and so may the picture."] : []),
        "import numpy as np", "from PIL import Image, ImageOps", "import satblur", "",
        `photo = Image.open(${JSON.stringify(state.photo.name)})`,
        `image = np.asarray(ImageOps.exif_transpose(photo)${pillowReads(kindOf(state.photo))})`,
        ...mapLines(state.map),
        `result = satblur.dof(${["image", "depth", ...pythonWords(state)].join(", ")})`,
        `Image.fromarray(result).save(${JSON.stringify(outputName(state, "png"))}, icc_profile=photo.info.get("icc_profile"))`,
    ].join("\n");
}

// --- Files -------------------------------------------------------------------------------------------

// Returns whether a file has numbers: it is no photo.
function isNumbers(name) {
    return /\.(npy|npz|pfm|dpt)$/i.test(name);
}

function isMapName(name) {
    return isNumbers(name) || /(^|[^a-z])(depth|depthmap|disp|disparity|map)([^a-z]|$)/i.test(name.replace(/([a-z])(?=[A-Z])/g, "$1 "));
}

// Returns whether a file is more likely a map than a photo.
function isMap(file) {
    return isMapName(file.name) || [1, 2].includes(kindOf(file).channels);
}

// Returns what a file's first bytes say: its format, and of PNG, JPEG and NPY what readers in Python must know.
function kindOf(file) {
    const bytes = new Uint8Array(file.bytes), is = (...values) => values.every((value, i) => bytes[i] === value);
    if (is(0x89, 0x50, 0x4e, 0x47))
        return {format: "png", bits: bytes[24], type: bytes[25], channels: [1, 0, 3, 3, 2, 0, 4][bytes[25]], has_key: hasChunk(bytes, "tRNS")};
    if (is(0xff, 0xd8))
        return {format: "jpeg", channels: jpegChannels(bytes)};
    if (is(0x93, 0x4e, 0x55, 0x4d)) {
        const head = String.fromCharCode(...bytes.subarray(0, 200));
        return {format: "npy", is_plain: /'descr': '<f[248]'/.test(head) && /'fortran_order': False/.test(head) && /\(\d+, \d+\)/.test(head)};
    }
    if (is(0x50, 0x66))
        return {format: "pfm", channels: 1};
    return {format: "other", channels: is(0x50, 0x35) || is(0x50, 0x32) ? 1 : 0}; // PGM
}

function hasChunk(bytes, name) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let at = 8; at + 8 <= bytes.length; at += 12 + view.getUint32(at)) {
        const chunk = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
        if (chunk === name || chunk === "IDAT")
            return chunk === name;
    }
    return false;
}

function jpegChannels(bytes) {
    for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff; at += 2 + 256 * bytes[at + 2] + bytes[at + 3])
        if (bytes[at + 1] >= 0xc0 && bytes[at + 1] <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(bytes[at + 1]))
            return bytes[at + 9];
    return 0;
}

// Returns what is called on Pillow's picture to get the samples that the program reads, or null.
function pillowReads(kind) {
    if (kind.format === "jpeg")
        return kind.channels === 1 || kind.channels === 3 ? "" : null;
    if (kind.format !== "png")
        return null;
    if (kind.bits === 16)
        return kind.type === 0 && !kind.has_key ? "" : null;
    if (kind.has_key)
        return kind.type === 0 ? ".convert(\"LA\")" : ".convert(\"RGBA\")";
    return kind.type === 3 ? ".convert(\"RGB\")" : kind.bits < 8 ? ".convert(\"L\")" : "";
}
