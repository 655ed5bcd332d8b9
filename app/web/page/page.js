// The page: files in, pictures out, and all that is said.
const at = (id) => document.getElementById(id);
const MOST_BYTES = 400e6;

class Page {
    constructor() {
        this.state = {photo: null, map: null, focus: null, values: standardValues(), touched: new Set()};
        this.view = new View(at("canvas"));
        this.live = new Live(this.state, this.view, this);
        this.controls = new Controls(at("controls"), this.state, () => this.wish());
        this.hands = new Hands(this.view, {focusAt: (pixel) => this.focusAt(pixel), hold: (on) => this.hold(on), split: () => this.split(),
            show: (name) => this.show(name)});
        this.bindButtons();
        this.bindFiles();
    }

    async start() {
        const missing = missingIn(window);
        if (missing)
            return this.problem(missing);
        try {
            await this.live.start();
            this.hint("Click on what should be sharp");
            if (!this.state.photo)
                await this.sample();
        } catch (error) {
            this.problem(error.message);
        }
    }

    // --- Pictures -----------------------------------------------------------------------------------

    async sample() {
        const file = (name) => ({name, bytes: bytesOf(SATBLUR_SAMPLE[name])});
        await this.open(file("table.jpg"), file("table_depth.png"));
    }

    // Opens a photo with its map; map null: it lies within the photo.
    async open(photo, map) {
        at("problem").hidden = true;
        this.busy(true);
        try {
            if (!await this.live.open(photo, map))
                return;
        } catch (error) {
            this.busy(false);
            return this.refused(photo, map, error);
        }
        this.wanted = null;
        this.state.focus = null;
        this.view.open(this.state.width, this.state.height);
        at("names").textContent = `${photo.name}, ${map ? map.name : "its own depth map"}, ${this.state.width} × ${this.state.height}`;
        at("save-png").disabled = at("save-jpg").disabled = false;
        this.live.original().catch((error) => this.problem(error.message));
        this.change();
    }

    // A photo without a map is kept until its map is dropped.
    async refused(photo, map, error) {
        if (!map && /carries no depth map/.test(error.message)) {
            this.wanted = photo;
            this.problem(`${photo.name} carries no depth map; drop its map, too, or choose it with “Depth map …”`);
        } else {
            this.problem(error.message);
        }
        if (!this.state.photo || this.live.opens)
            return;
        await this.live.open(this.state.photo, this.state.map).catch(() => {});
        this.change();
    }

    // Takes dropped or chosen files: a photo, a map, or both. The map is the file whose name says so, or the second.
    async take(list, kind) {
        const files = [...list].slice(0, 2);
        const large = files.find((file) => file.size > MOST_BYTES);
        if (large)
            return this.problem(`${large.name} has more than 400 MB; use a smaller picture, or the program itself`);
        const read = await Promise.all(files.map(async (file) => ({name: safeName(file.name), bytes: await file.arrayBuffer()})));
        const is_map = (file) => /depth|disp|_map|\.(npy|npz|pfm|dpt)$/i.test(file.name);
        if (read.length === 2) {
            const [photo, map] = is_map(read[0]) && !is_map(read[1]) ? [read[1], read[0]] : read;
            if (photo.name === map.name)
                map.name = "depth_" + map.name;
            return this.open(photo, map);
        }
        if (read.length === 0)
            return;
        const takes_map = kind === "map" || (!kind && (this.wanted || is_map(read[0])));
        const photo = takes_map ? this.wanted || this.state.photo : read[0];
        return takes_map && photo ? this.open(photo, read[0]) : this.open(read[0], null);
    }

    // --- Wishes -------------------------------------------------------------------------------------

    change() {
        if (!this.state.photo)
            return;
        at("command").value = commandOf(this.state);
        at("python").value = pythonOf(this.state);
        this.live.change();
    }

    focusAt(pixel) {
        this.state.focus = pixel;
        this.view.mark = pixel;
        this.view.draw();
        this.wish();
    }

    // Takes a change by the user, who has read what was said before.
    wish() {
        at("problem").hidden = true;
        this.change();
    }

    show(name) {
        this.view.shown = this.view.shown === name ? "result" : name;
        at("focus").setAttribute("aria-pressed", this.view.shown === "focus");
        at("depth").setAttribute("aria-pressed", this.view.shown === "depth");
        this.change();
    }

    hold(on) {
        if (on && this.view.shown !== "original")
            this.before = this.view.shown;
        this.view.shown = on ? "original" : this.view.shown === "original" ? this.before : this.view.shown;
        at("hold").classList.toggle("held", on);
        this.view.draw();
    }

    split() {
        this.view.split = this.view.split === null ? 0.5 : null;
        at("split").setAttribute("aria-pressed", this.view.split !== null);
        this.view.draw();
    }

    async save(ending, kind) {
        const name = outputName(this.state, ending);
        try {
            const bytes = await this.live.save(name);
            this.saved = {name, bytes};
            const link = document.createElement("a");
            link.href = URL.createObjectURL(new Blob([bytes], {type: kind}));
            link.download = name;
            link.click();
            setTimeout(() => URL.revokeObjectURL(link.href), 60000);
        } catch (error) {
            this.problem(error.message);
        }
    }

    // --- What is said -------------------------------------------------------------------------------

    hint(text) {
        clearTimeout(this.hint_timer);
        at("hint").textContent = text;
        at("hint").classList.remove("gone");
        this.hint_timer = setTimeout(() => at("hint").classList.add("gone"), 4000);
    }

    problem(text) {
        at("problem").firstElementChild.textContent = text.replace(/ that --max-pixels allows; .*/, " that the page takes; use a smaller picture, or the program itself");
        at("problem").hidden = false;
        at("hint").classList.add("gone");
    }

    quick(ms) {
        document.documentElement.dataset.quickMs = ms.toFixed(1);
    }

    // Takes the numbers of a picture, and its notes if it is final: those of a smaller one count its pixels.
    told(answer, is_final) {
        const scale = this.state.width / answer.width, found = answer.x >= 0 && !this.state.focus;
        if (found)
            this.view.mark = {x: Math.floor((answer.x + 0.5) * scale), y: Math.floor((answer.y + 0.5) * scale)};
        at("focus-text").textContent = `${this.state.focus ? `at ${this.state.focus.x}, ${this.state.focus.y}` : "auto"} (${answer.focus.toFixed(3)})`;
        if (is_final)
            at("notes").textContent = [this.state.open_notes, answer.notes].filter(Boolean).join("\n").replaceAll("; ", "\n");
        this.view.draw();
    }

    busy(on) {
        at("progress").hidden = !on;
        document.documentElement.dataset.busy = on ? "1" : "";
        if (on)
            Object.assign(at("progress").firstElementChild.style, {transition: "none", width: "8%"});
    }

    // Moves the bar as far as work of that time is expected to be.
    expect(ms) {
        const bar = at("progress").firstElementChild;
        bar.getBoundingClientRect();
        Object.assign(bar.style, {transition: `width ${Math.round(ms)}ms linear`, width: "95%"});
    }

    // --- Buttons and files --------------------------------------------------------------------------

    bindButtons() {
        const press = {split: () => this.split(), focus: () => this.show("focus"), depth: () => this.show("depth"), fit: () => this.view.fit(),
            in: () => this.view.zoom(1.25), out: () => this.view.zoom(0.8), auto: () => this.focusAt(null),
            "save-png": () => this.save("png", "image/png"), "save-jpg": () => this.save("jpg", "image/jpeg"),
            "open-photo": () => at("photo-file").click(), "open-map": () => at("map-file").click(),
            "open-sample": () => this.sample()};
        for (const [id, action] of Object.entries(press))
            at(id).onclick = action;
        at("hold").onpointerdown = () => this.hold(true);
        at("hold").onpointerup = at("hold").onpointerleave = at("hold").onpointercancel = () => this.hold(false);
        at("hold").onkeydown = (event) => [" ", "Enter"].includes(event.key) && this.hold(true);
        at("hold").onkeyup = () => this.hold(false);
        at("problem").lastElementChild.onclick = () => at("problem").hidden = true;
        for (const button of document.querySelectorAll("[data-copies]"))
            button.onclick = () => copy(at(button.dataset.copies), button);
    }

    bindFiles() {
        for (const kind of ["photo", "map"])
            at(kind + "-file").onchange = (event) => {
                this.take(event.target.files, kind);
                event.target.value = "";
            };
        addEventListener("dragover", (event) => {
            event.preventDefault();
            at("stage").classList.add("drops");
        });
        addEventListener("dragleave", (event) => event.relatedTarget || at("stage").classList.remove("drops"));
        addEventListener("drop", (event) => {
            event.preventDefault();
            at("stage").classList.remove("drops");
            this.take(event.dataTransfer.files);
        });
        addEventListener("paste", (event) => event.clipboardData.files.length && this.take(event.clipboardData.files));
    }
}

// Returns a name that is no option and names no folder.
function safeName(name) {
    return name.replace(/[\/\\\n\r\0]/g, "_").replace(/^[-.]+/, "_") || "picture";
}

async function copy(from, button) {
    from.select();
    try {
        await navigator.clipboard.writeText(from.value);
    } catch {
        document.execCommand("copy"); // a page of file:// may have no clipboard
    }
    button.textContent = "Copied";
    setTimeout(() => button.textContent = "Copy", 1500);
}

const page = new Page();
addEventListener("load", () => page.start());
