// Mouse, fingers and keys on the picture.
const WAYS = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};

// Returns what hands can do: its name, what it does in words, and for keys of the page their characters and the action.
function handsOn(view, actions) {
    return [
        {name: "Click", text: "focuses there"},
        {name: "Wheel, two fingers", text: "zoom"},
        {name: "Drag", text: "pans a zoomed picture, and moves the split and the band"},
        {name: "Double click on a slider", text: "resets it"},
        {name: "Arrows", text: "move the focus; with Shift, they pan"},
        {name: "O, held", text: "shows the photo itself", keys: "o", does: () => actions.hold(true)},
        {name: "S", text: "splits the view into before and after", keys: "s", does: () => actions.split()},
        {name: "F", text: "shows what is in focus", keys: "f", does: () => actions.show("focus")},
        {name: "D", text: "shows the depth map", keys: "d", does: () => actions.show("depth")},
        {name: "A", text: "finds a subject to focus on", keys: "a", does: () => actions.auto()},
        {name: "+ and −", text: "zoom", keys: "+=", does: () => view.zoom(1.25)},
        {keys: "-", does: () => view.zoom(0.8)},
        {name: "0", text: "shows the whole picture", keys: "0", does: () => view.fit()},
        {name: "1", text: "shows the picture's own pixels", keys: "1", does: () => view.zoom(1 / view.scale, view.placeOfMark())},
        {name: "Ctrl Z, ⌘ Z", text: "undoes a change; with Shift, redoes it"},
        {name: "?", text: "shows these lines", keys: "?", does: () => actions.help()},
    ];
}

class Hands {
    constructor(view, actions) {
        this.view = view;
        this.actions = actions;
        this.down = new Map();
        this.all = handsOn(view, actions);
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
        const way = WAYS[event.key];
        if (!way || !this.view.width || event.ctrlKey || event.metaKey || event.altKey)
            return;
        event.preventDefault();
        if (event.shiftKey)
            this.view.pan(-60 * way[0], -60 * way[1]);
        else
            this.actions.nudge(...way);
    }

    key(event) {
        const key = event.key.toLowerCase(), has_command = event.ctrlKey || event.metaKey;
        if (key === "escape")
            return this.actions.escape();
        if (event.altKey || document.querySelector("dialog[open]") || event.target.matches("textarea, input:not([type=range])"))
            return;
        if (has_command && (key === "z" || key === "y")) {
            event.preventDefault();
            return this.actions.undo(key === "y" || event.shiftKey ? 1 : -1);
        }
        const row = this.all.find(({keys}) => keys && keys.includes(key));
        if (row && this.view.width && !has_command && !event.target.matches("select"))
            row.does();
    }
}
