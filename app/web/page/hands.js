// Mouse, fingers and keys on the picture.
class Hands {
    constructor(view, actions) {
        this.view = view;
        this.actions = actions;
        this.down = new Map();
        const canvas = view.canvas;
        canvas.onpointerdown = (event) => this.press(event);
        canvas.onpointermove = (event) => this.move(event);
        canvas.onpointerup = canvas.onpointercancel = (event) => this.release(event);
        canvas.onwheel = (event) => this.wheel(event);
        canvas.onkeydown = (event) => this.arrow(event);
        addEventListener("keydown", (event) => this.key(event));
        addEventListener("keyup", (event) => event.key.toLowerCase() === "o" && actions.hold(false));
        addEventListener("blur", () => actions.hold(false));
    }

    press(event) {
        const place = this.view.placeOf(event);
        this.view.canvas.setPointerCapture(event.pointerId);
        this.down.set(event.pointerId, place);
        this.splits = this.down.size === 1 && this.view.isAtSplit(place);
        this.moved = this.down.size > 1 ? 1e9 : 0;
        this.apart = this.distance();
    }

    distance() {
        const [a, b] = [...this.down.values()];
        return b ? Math.hypot(a.x - b.x, a.y - b.y) : 0;
    }

    move(event) {
        const place = this.view.placeOf(event), last = this.down.get(event.pointerId);
        this.view.canvas.classList.toggle("splits", this.splits && this.down.size > 0 || this.view.isAtSplit(place));
        if (!last)
            return;
        this.moved += Math.hypot(place.x - last.x, place.y - last.y);
        if (this.splits)
            this.view.moveSplit(place);
        else if (this.moved > 6 * (devicePixelRatio || 1))
            this.drag(event.pointerId, last, place);
        if (this.moved > 6 * (devicePixelRatio || 1) || this.splits)
            this.down.set(event.pointerId, place);
    }

    drag(id, last, place) {
        this.view.canvas.classList.add("pans");
        this.down.set(id, place);
        if (this.down.size === 1)
            return this.view.pan(place.x - last.x, place.y - last.y);
        const apart = this.distance(), [a, b] = [...this.down.values()];
        if (this.apart > 0 && apart > 0)
            this.view.zoom(apart / this.apart, {x: (a.x + b.x) / 2, y: (a.y + b.y) / 2});
        this.apart = apart;
    }

    release(event) {
        const place = this.view.placeOf(event);
        const is_click = event.type === "pointerup" && this.down.size === 1 && !this.splits && this.moved <= 6 * (devicePixelRatio || 1);
        this.down.delete(event.pointerId);
        this.view.canvas.classList.remove("pans");
        const pixel = is_click && this.view.width ? this.view.pixelAt(place) : null;
        if (pixel)
            this.actions.focusAt(pixel);
    }

    wheel(event) {
        event.preventDefault();
        if (this.view.width)
            this.view.zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0015)), this.view.placeOf(event));
    }

    // Moves the focus by a fiftieth of the picture, or pans with Shift.
    arrow(event) {
        const way = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]}[event.key];
        if (!way || !this.view.width || event.ctrlKey || event.metaKey || event.altKey)
            return;
        event.preventDefault();
        const v = this.view, step = Math.max(1, Math.round(Math.max(v.width, v.height) / 50));
        const from = v.mark || {x: v.width >> 1, y: v.height >> 1};
        if (event.shiftKey)
            return v.pan(-60 * way[0], -60 * way[1]);
        this.actions.focusAt({x: Math.min(Math.max(from.x + step * way[0], 0), v.width - 1),
            y: Math.min(Math.max(from.y + step * way[1], 0), v.height - 1)});
    }

    key(event) {
        const is_text = event.target.matches("textarea, select, input:not([type=range])");
        if (is_text || event.ctrlKey || event.metaKey || event.altKey)
            return;
        const key = event.key.toLowerCase(), actions = this.actions;
        const does = {o: () => actions.hold(true), s: () => actions.split(), f: () => actions.show("focus"), d: () => actions.show("depth"),
            a: () => actions.focusAt(null), 0: () => this.view.fit(), "+": () => this.view.zoom(1.25), "=": () => this.view.zoom(1.25),
            "-": () => this.view.zoom(0.8)}[key];
        if (does && this.view.width)
            does();
    }
}
