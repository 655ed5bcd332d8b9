// The picture on the screen: layers of any size in one frame, zoom and pan, the split line, the mark of the focus, the sharp
// band of a photo without a map.
class View {
    constructor(canvas) {
        this.canvas = canvas;
        this.layers = {}; // canvases by name: result, original, focus, depth
        this.width = this.height = 0; // of the picture
        this.split = null; // the line's place, 0 to 1; null: none
        this.shown = "result";
        this.mark = null;
        this.band = null; // angle in degrees, place and width as of --tilt-shift; null: none
        this.below = 56; // of the canvas, in CSS pixels, is covered by buttons
        new ResizeObserver(() => this.resize()).observe(canvas);
    }

    // Keeps fitted pictures above what covers the canvas.
    cover(below) {
        this.below = below;
        if (this.is_fitted)
            this.fit();
    }

    // colours: the space of the picture's colours, as canvases name it.
    open(width, height, colours) {
        this.layers = {};
        this.colours = {colorSpace: colours};
        this.width = width;
        this.height = height;
        this.mark = null;
        this.fit();
    }

    // Takes a layer's pixels, and facts of it that are kept beside them.
    put(name, answer, facts) {
        const layer = Object.assign(document.createElement("canvas"), {width: answer.width, height: answer.height, ...facts});
        layer.getContext("2d", this.colours).putImageData(new ImageData(new Uint8ClampedArray(answer.pixels), answer.width, answer.height, this.colours), 0, 0);
        this.layers[name] = layer;
        this.draw();
    }

    resize() {
        const density = devicePixelRatio || 1, box = this.canvas.getBoundingClientRect();
        this.canvas.width = Math.round(box.width * density);
        this.canvas.height = Math.round(box.height * density);
        if (this.is_fitted)
            this.fit();
        this.draw();
    }

    // --- Zoom: `scale` is the canvas's pixels to a pixel of the picture -----------------------------

    fitScale() {
        const density = devicePixelRatio || 1, margin = 24 * density, bar = this.below * density;
        return Math.max(Math.min((this.canvas.width - margin) / this.width, (this.canvas.height - margin - bar) / this.height), 1e-3);
    }

    fit() {
        if (!this.width)
            return;
        this.scale = this.fitScale();
        this.x = (this.canvas.width - this.width * this.scale) / 2;
        this.y = (this.canvas.height - this.below * (devicePixelRatio || 1) - this.height * this.scale) / 2;
        this.is_fitted = true;
        this.draw();
    }

    // Zooms about a place of the canvas, to at most 400 %.
    zoom(factor, at = {x: this.canvas.width / 2, y: this.canvas.height / 2}) {
        const least = Math.min(this.fitScale(), 1), scale = Math.min(Math.max(this.scale * factor, least), 4);
        this.x = at.x - (at.x - this.x) * scale / this.scale;
        this.y = at.y - (at.y - this.y) * scale / this.scale;
        this.scale = scale;
        this.is_fitted = scale === this.fitScale();
        this.is_fitted ? this.fit() : this.hold();
    }

    // Moves the picture, unless all of it is seen.
    pan(dx, dy) {
        if (this.is_fitted)
            return;
        this.x += dx;
        this.y += dy;
        this.hold();
    }

    // Keeps a part of the picture on the canvas.
    hold() {
        const keep = 80;
        this.x = Math.min(Math.max(this.x, keep - this.width * this.scale), this.canvas.width - keep);
        this.y = Math.min(Math.max(this.y, keep - this.height * this.scale), this.canvas.height - keep);
        this.draw();
    }

    // --- Places -------------------------------------------------------------------------------------

    placeOf(event) {
        const density = devicePixelRatio || 1, box = this.canvas.getBoundingClientRect();
        return {x: (event.clientX - box.left) * density, y: (event.clientY - box.top) * density};
    }

    // Returns the mark's place on the canvas; undefined: there is none.
    placeOfMark() {
        return this.mark ? {x: this.x + (this.mark.x + 0.5) * this.scale, y: this.y + (this.mark.y + 0.5) * this.scale} : undefined;
    }

    // Returns the picture's pixel at a place of the canvas, or null.
    pixelAt(place) {
        const x = Math.floor((place.x - this.x) / this.scale), y = Math.floor((place.y - this.y) / this.scale);
        return x >= 0 && y >= 0 && x < this.width && y < this.height ? {x, y} : null;
    }

    splitAt() {
        return this.x + this.split * this.width * this.scale;
    }

    // Returns what a press there takes hold of: "split", the band's "middle" or "edge", or "". near: CSS pixels.
    handleAt(place, near) {
        const reach = near * (devicePixelRatio || 1);
        if (this.split !== null && this.shown === "result" && Math.abs(place.x - this.splitAt()) < reach)
            return "split";
        if (!this.band || this.shown === "original" || !this.width)
            return "";
        const from = Math.abs(this.acrossOf(place) - this.band.place) * this.bandGeometry().extent * this.scale;
        const half = this.band.width / 2 * this.bandGeometry().extent * this.scale;
        return from < Math.min(reach, Math.max(half / 2, 6)) ? "middle" : Math.abs(from - half) < reach ? "edge" : "";
    }

    moveSplit(place) {
        this.split = Math.min(Math.max((place.x - this.x) / (this.width * this.scale), 0), 1);
        this.draw();
    }

    // --- The band: `across` is 0 at the first corner and 1 at the last one ---------------------------

    bandGeometry() {
        const angle = this.band.angle * Math.PI / 180, s = Math.sin(angle), c = Math.cos(angle);
        return {s, c, extent: this.width * Math.abs(s) + this.height * Math.abs(c)};
    }

    acrossOf(place) {
        const {s, c, extent} = this.bandGeometry();
        const x = (place.x - this.x) / this.scale - this.width / 2, y = (place.y - this.y) / this.scale - this.height / 2;
        return 0.5 + (x * s + y * c) / extent;
    }

    drawBand(to) {
        const {s, c, extent} = this.bandGeometry(), density = devicePixelRatio || 1, long = (this.width + this.height) * this.scale;
        const {place, width} = this.band;
        to.save();
        to.beginPath();
        to.rect(this.x, this.y, this.width * this.scale, this.height * this.scale);
        to.clip();
        for (const [at, dash] of [[place, [10, 7]], [place - width / 2, []], [place + width / 2, []]]) {
            const off = (at - 0.5) * extent * this.scale;
            const x = this.x + this.width * this.scale / 2 + off * s, y = this.y + this.height * this.scale / 2 + off * c;
            to.setLineDash(dash.map((each) => each * density));
            to.beginPath();
            to.moveTo(x - long * c, y + long * s);
            to.lineTo(x + long * c, y - long * s);
            this.strokeTwice(to, 3, 1.4);
        }
        to.restore();
    }

    // Draws a line that is seen on light and on dark.
    strokeTwice(to, dark, light) {
        for (const [colour, width] of [["rgb(0 0 0 / .6)", dark], ["#fff", light]]) {
            to.strokeStyle = colour;
            to.lineWidth = width * (devicePixelRatio || 1);
            to.stroke();
        }
    }

    // --- Drawing ------------------------------------------------------------------------------------

    draw() {
        if (!this.is_asked)
            requestAnimationFrame(() => this.drawNow());
        this.is_asked = true;
    }

    drawNow() {
        const to = this.canvas.getContext("2d", {colorSpace: "display-p3"}); // which has all of sRGB
        this.is_asked = false;
        to.clearRect(0, 0, this.canvas.width, this.canvas.height);
        const layer = this.layers[this.shown] || this.layers.result || this.layers.original;
        if (!layer)
            return;
        to.imageSmoothingEnabled = this.scale < 2 || layer.width < this.width;
        to.imageSmoothingQuality = "high";
        to.drawImage(layer, this.x, this.y, this.width * this.scale, this.height * this.scale);
        if (this.split !== null && this.shown === "result" && this.layers.original)
            this.drawSplit(to);
        if (this.band && this.shown !== "original")
            this.drawBand(to);
        if (this.mark && !this.band && this.shown !== "original")
            this.drawMark(to);
    }

    drawSplit(to) {
        const at = this.splitAt(), layer = this.layers.original, density = devicePixelRatio || 1;
        to.drawImage(layer, 0, 0, layer.width * this.split, layer.height, this.x, this.y, this.width * this.scale * this.split,
            this.height * this.scale);
        to.fillStyle = "#fff";
        to.shadowColor = "#000";
        to.shadowBlur = 4 * density;
        to.fillRect(at - density, this.y, 2 * density, this.height * this.scale);
        to.beginPath();
        to.arc(at, this.y + this.height * this.scale / 2, 9 * density, 0, 7);
        to.fill();
        to.shadowBlur = 0;
        this.drawWord(to, "Original", at - 10 * density, "right");
        this.drawWord(to, "Blurred", at + 10 * density, "left");
    }

    // Writes beside the split, at the top of what is seen.
    drawWord(to, word, x, side) {
        const density = devicePixelRatio || 1;
        to.font = `600 ${13 * density}px system-ui, sans-serif`;
        to.textAlign = side;
        to.textBaseline = "top";
        to.lineWidth = 3 * density;
        to.lineJoin = "round";
        to.strokeStyle = "rgb(0 0 0 / .7)";
        to.strokeText(word, x, Math.max(this.y, 0) + 10 * density);
        to.fillText(word, x, Math.max(this.y, 0) + 10 * density);
    }

    drawMark(to) {
        const density = devicePixelRatio || 1, r = 9 * density;
        const {x, y} = this.placeOfMark();
        to.beginPath();
        to.arc(x, y, r, 0, 7);
        for (const [dx, dy] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) {
            to.moveTo(x + dx * r, y + dy * r);
            to.lineTo(x + dx * r * 1.6, y + dy * r * 1.6);
        }
        this.strokeTwice(to, 4, 1.6);
    }
}
