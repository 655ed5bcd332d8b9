// The options that the page offers, and the words they become: of the program's command line and of Python's call. A new
// slider is a row here.
const OPTION_GROUPS = [
    {name: "Blur", open: true, rows: [
        {option: "max-radius", label: "Strength", low: 0, high: 8, step: 0.1, standard: 2, unit: "%", python: "max_radius",
            help: "Largest radius, in % of the longer side"},
        {option: "focus-range", label: "Focus range", low: 0, high: 0.5, step: 0.01, standard: 0, python: "focus_range",
            help: "Keep a band of disparity of this width sharp"},
        {option: "near-scale", label: "Near", low: 0, high: 2, step: 0.05, standard: 1, python: "near_scale",
            help: "Multiply the blur radius in front of the focus; 0 keeps it sharp"},
        {option: "far-scale", label: "Far", low: 0, high: 2, step: 0.05, standard: 1, python: "far_scale",
            help: "Multiply the blur radius behind the focus; 0 keeps it sharp"},
    ]},
    {name: "Bokeh", rows: [
        {option: "method", label: "Method", words: ["layered", "gather", "spread"], python: "method", help: "How to blur"},
        {option: "bokeh", label: "Shape", words: ["disc", "square", "smooth"], python: "bokeh", help: "Blurred points",
            only: (v) => v.method === "layered"},
        {option: "blades", label: "Blades", words: ["0", "3", "4", "5", "6", "7", "8", "9"], is_number: true,
            python: "blades", help: "Blurred points are polygons of N sides; 0 is a disc",
            only: (v) => v.method === "layered" && v.bokeh === "disc"},
        {option: "blade-curvature", label: "Curvature", low: 0, high: 1, step: 0.05, standard: 0, python: "blade_curvature",
            help: "Round the polygon's sides: 0 is straight, 1 is a disc",
            only: (v) => v.method === "layered" && v.bokeh === "disc" && v.blades !== "0"},
        {option: "vignette", label: "Cat's eyes", low: 0, high: 1, step: 0.05, standard: 0, python: "vignette",
            help: "Cut blurred points towards the corners", only: (v) => v.method === "layered"},
        {option: "bokeh-edge", label: "Rim", low: -1, high: 1, step: 0.05, standard: 0, python: "bokeh_edge",
            help: "Blurred points have a bright rim, up to 1, or a soft one, down to -1",
            only: (v) => v.method === "layered" && v.bokeh !== "smooth"},
        {option: "highlights", label: "Highlights", low: 0, high: 16, step: 1, standard: 0, python: "highlights",
            help: "Bright points become discs of light; 4 to 16 suit lamps, 0 is off", only: (v) => v.method === "layered"},
        {option: "fringe", label: "Fringe", low: 0, high: 0.5, step: 0.02, standard: 0,
            help: "Colour fringes: red is blurred more before the focus, blue behind it; the blur takes three times as long"},
    ]},
    {name: "Depth map", rows: [
        {option: "near", label: "Nearest", words: ["white", "black"], python: "near", help: "Nearest depth", is_of_map: true},
        {option: "depth-type", label: "Values", words: ["disparity", "linear"], python: "depth_type", help: "Map values", is_of_map: true},
        {option: "depth-edges", label: "Edges", words: ["fit", "keep"], python: "edges", help: "Fit soft edges of the map to the picture, or keep them"},
        {option: "depth-colormap", label: "Colours", words: ["auto", "none", "inferno", "magma", "plasma", "viridis", "turbo",
            "jet", "spectral"], help: "Scale of a map in false colours"},
    ]},
];
const OPTIONS = OPTION_GROUPS.flatMap((group) => group.rows);

function standardOf(row) {
    return row.words ? row.words[0] : row.standard;
}

function standardValues() {
    return Object.fromEntries(OPTIONS.map((row) => [row.option, standardOf(row)]));
}

// Returns the rows that count: those that differ from what the program does without them. The photo's own map says itself
// what is near, so a choice of the user's is always given then.
function givenRows(state) {
    return OPTIONS.filter((row) => (!row.only || row.only(state.values)) &&
        (state.values[row.option] !== standardOf(row) || (row.is_of_map && state.touched.has(row.option))));
}

function valueText(row, value) {
    return row.words ? value : String(Number(Number(value).toFixed(3)));
}

function depthWord(state) {
    return state.map ? state.map.name : "embedded";
}

// Returns the words behind the program's name. An OUTPUT that is left out is the page's own.
function wordsOf(state, output) {
    const words = [state.photo.name, output || outputName(state, "png"), "--depth", depthWord(state)];
    if (state.focus)
        words.push("--focus-at", `${state.focus.x},${state.focus.y}`);
    for (const row of givenRows(state))
        words.push("--" + row.option, valueText(row, state.values[row.option]) + (row.unit || ""));
    return words;
}

function outputName(state, ending) {
    return state.photo.name.replace(/\.[^.]*$/, "") + "_blurred." + ending;
}

function quote(word) {
    return /^[\w@%+=:,./-]+$/.test(word) && !word.startsWith("-") ? word : "'" + word.replace(/'/g, "'\\''") + "'";
}

function commandOf(state) {
    const words = wordsOf(state);
    return "satblur " + words.map((word) => word.startsWith("--") ? word : quote(word)).join(" ");
}

function pythonValue(row, state) {
    if (row.option === "max-radius") {
        const longer = Math.max(state.width, state.height);
        return String(Number((Number(valueText(row, state.values[row.option])) / 100 * longer).toPrecision(12)));
    }
    const text = valueText(row, state.values[row.option]);
    return row.words && !row.is_number ? JSON.stringify(text) : text;
}

function pythonOf(state) {
    if (!state.map)
        return "# Python reads no maps within photos; the command above does.";
    const rows = givenRows(state);
    const words = rows.filter((row) => row.python).map((row) => `${row.python}=${pythonValue(row, state)}`);
    if (state.focus)
        words.unshift(`focus=(${state.focus.x}, ${state.focus.y})`);
    const lost = rows.filter((row) => !row.python).map((row) => "--" + row.option);
    const lines = [
        "import numpy as np", "from PIL import Image, ImageOps", "import satblur", "",
        `image = np.asarray(ImageOps.exif_transpose(Image.open(${JSON.stringify(state.photo.name)})))`,
        `depth = np.asarray(Image.open(${JSON.stringify(state.map.name)}))`,
        "depth = depth[..., 0] if depth.ndim > 2 else depth",
        `result = satblur.dof(${["image", "depth"].concat(words).join(", ")})`,
        `Image.fromarray(result).save(${JSON.stringify(outputName(state, "png"))})`,
    ];
    if (lost.length)
        lines.push(`# Python has no ${lost.join(" and no ")}; the command has.`);
    return lines.join("\n");
}
