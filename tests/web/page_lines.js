// Checks the lines that the page makes of the core's problems: they go by a problem's kind, and never by its text. Prints a line
// for each that is wrong.
"use strict";
const {problemLine} = require("./page_parts.js").options();

const CASES = [
    [{kind: "too-large", where: "a.png: ", text: "another text", width: 90000, height: 800, most: 64000000},
        "a.png: 90000 × 800 pixels are more than the 64000000 that the page takes; use a smaller picture, or the program itself"],
    [{kind: "not-built-in", where: "a.heic: ", text: "another text", format: "HEIF or AVIF"},
        "a.heic: the page does not read HEIF or AVIF; use the program, or convert it to PNG"],
    [{kind: "memory"}, "not enough memory for this picture; use a smaller one, or the program itself"],
    [{kind: "plain", where: "", text: "a title that --max-pixels allows; TIFF is not read here; go on"},
        "a title that --max-pixels allows; TIFF is not read here; go on (the program has --max-pixels, but the page does not)"],
    [{kind: "plain", where: "my--near.png: ", text: "is odd; give --near black or --depth"}, "my--near.png: is odd; give “Near is” black or Depth map …"],
];

const wrong = CASES.filter(([problem, line]) => problemLine(problem) !== line);
for (const [problem, line] of wrong)
    console.log(`${problem.kind}: ${problemLine(problem)}\n    instead of: ${line}`);
process.exit(wrong.length ? 1 : 0);
