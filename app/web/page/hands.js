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
        this.holds = this.down.size === 1 ? this.view.handleAt(place, event.pointerType === "touch" ? 22 : 12) : "";
        this.moved = this.down.size > 1 ? 1e9 : 0;
        this.fingers = this.twoFingers();
    }

    // Returns the middle between two fingers and how far they are apart, or null.
    twoFingers() {
        const [a, b] = [...this.down.values()];
        return b ? {x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, apart: Math.hypot(a.x - b.x, a.y - b.y)} : null;
    }

    move(event) {
        const place = this.view.placeOf(event), last = this.down.get(event.pointerId);
        this.view.canvas.dataset.handle = this.down.size > 0 ? this.holds : this.view.handleAt(place, 12);
        if (!last)
            return;
        this.moved += Math.hypot(place.x - last.x, place.y - last.y);
        if (this.moved <= this.slack())
            return;
        this.down.set(event.pointerId, place);
        if (this.holds === "split")
            this.view.moveSplit(place);
        else if (this.holds)
            this.actions.dragBand(this.holds, place);
        else
            this.drag(last, place);
    }

    // Returns how far a click may move.
    slack() {
        return 6 * (devicePixelRatio || 1);
    }

    drag(last, place) {
        this.view.canvas.classList.toggle("pans", !this.view.is_fitted);
        if (this.down.size === 1)
            return this.view.pan(place.x - last.x, place.y - last.y);
        const before = this.fingers, now = this.fingers = this.twoFingers();
        if (before && before.apart > 0 && now.apart > 0) {
            this.view.pan(now.x - before.x, now.y - before.y);
            this.view.zoom(now.apart / before.apart, now);
        }
    }

    release(event) {
        const place = this.view.placeOf(event), is_click = event.type === "pointerup" && this.down.size === 1 && this.moved <= this.slack();
        this.down.delete(event.pointerId);
        this.fingers = this.twoFingers();
        this.view.canvas.classList.remove("pans");
        const pixel = is_click && this.holds !== "split" && this.view.width ? this.view.pixelAt(place) : null;
        if (pixel)
            this.actions.focusAt(pixel, place);
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
        if (event.shiftKey)
            this.view.pan(-60 * way[0], -60 * way[1]);
        else
            this.actions.nudge(...way);
    }

    key(event) {
        if (event.key === "Escape")
            return this.actions.escape();
        const is_text = event.target.matches("textarea, select, input:not([type=range])");
        if (is_text || event.ctrlKey || event.metaKey || event.altKey)
            return;
        const key = event.key.toLowerCase(), actions = this.actions;
        const does = {o: () => actions.hold(true), s: () => actions.split(), f: () => actions.show("focus"), d: () => actions.show("depth"),
            a: () => actions.auto(), 0: () => this.view.fit(), "+": () => this.view.zoom(1.25), "=": () => this.view.zoom(1.25),
            "-": () => this.view.zoom(0.8)}[key];
        if (does && this.view.width)
            does();
    }
}
