// The picture on the screen: layers of any size in one frame, zoom and pan, the split line, the mark of the focus.
class View {
    constructor(canvas) {
        this.canvas = canvas;
        this.layers = {}; // canvases by name: result, original, focus, depth
        this.width = this.height = 0; // of the picture
        this.split = null; // the line's place, 0 to 1; null: none
        this.shown = "result";
        this.mark = null;
        new ResizeObserver(() => this.resize()).observe(canvas);
    }

    open(width, height) {
        this.layers = {};
        this.width = width;
        this.height = height;
        this.mark = null;
        this.fit();
    }

    put(name, answer) {
        const layer = document.createElement("canvas");
        layer.width = answer.width;
        layer.height = answer.height;
        layer.getContext("2d").putImageData(new ImageData(new Uint8ClampedArray(answer.pixels), answer.width), 0, 0);
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
        const margin = 24 * (devicePixelRatio || 1), bar = 56 * (devicePixelRatio || 1);
        return Math.min((this.canvas.width - margin) / this.width, (this.canvas.height - margin - bar) / this.height);
    }

    fit() {
        if (!this.width)
            return;
        const bar = 56 * (devicePixelRatio || 1);
        this.scale = Math.max(this.fitScale(), 1e-3);
        this.x = (this.canvas.width - this.width * this.scale) / 2;
        this.y = (this.canvas.height - bar - this.height * this.scale) / 2;
        this.is_fitted = true;
        this.draw();
    }

    // Zooms about a place of the canvas, to at most 400 %.
    zoom(factor, at = {x: this.canvas.width / 2, y: this.canvas.height / 2}) {
        const least = Math.min(this.fitScale(), 1), scale = Math.min(Math.max(this.scale * factor, least), 4);
        this.x = at.x - (at.x - this.x) * scale / this.scale;
        this.y = at.y - (at.y - this.y) * scale / this.scale;
        this.scale = scale;
        this.is_fitted = false;
        this.hold();
    }

    pan(dx, dy) {
        this.x += dx;
        this.y += dy;
        this.is_fitted = false;
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

    // Returns the picture's pixel at a place of the canvas, or null.
    pixelAt(place) {
        const x = Math.floor((place.x - this.x) / this.scale), y = Math.floor((place.y - this.y) / this.scale);
        return x >= 0 && y >= 0 && x < this.width && y < this.height ? {x, y} : null;
    }

    splitAt() {
        return this.x + this.split * this.width * this.scale;
    }

    isAtSplit(place) {
        return this.split !== null && Math.abs(place.x - this.splitAt()) < 14 * (devicePixelRatio || 1);
    }

    moveSplit(place) {
        this.split = Math.min(Math.max((place.x - this.x) / (this.width * this.scale), 0), 1);
        this.draw();
    }

    // --- Drawing ------------------------------------------------------------------------------------

    draw() {
        if (!this.is_asked)
            requestAnimationFrame(() => this.drawNow());
        this.is_asked = true;
    }

    drawNow() {
        const to = this.canvas.getContext("2d");
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
        if (this.mark && this.shown !== "original")
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
    }

    drawMark(to) {
        const density = devicePixelRatio || 1, r = 9 * density;
        const x = this.x + (this.mark.x + 0.5) * this.scale, y = this.y + (this.mark.y + 0.5) * this.scale;
        for (const [colour, width] of [["rgb(0 0 0 / .7)", 4], ["#fff", 1.6]]) {
            to.strokeStyle = colour;
            to.lineWidth = width * density;
            to.beginPath();
            to.arc(x, y, r, 0, 7);
            for (const [dx, dy] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) {
                to.moveTo(x + dx * r, y + dy * r);
                to.lineTo(x + dx * r * 1.6, y + dy * r * 1.6);
            }
            to.stroke();
        }
    }
}
