// The page: files in, pictures out, and all that is said.
const at = (id) => document.getElementById(id);

class Page {
    constructor() {
        this.state = {photo: null, map: null, has_map: true, focus: null, values: standardValues(), touched: new Set()};
        this.view = new View(at("canvas"));
        this.model = new Model();
        this.past = new Past();
        this.live = new Live(this.state, this.view, this);
        this.controls = new Controls(at("controls"), this.state, () => this.wish());
        this.progress = new Progress(at("progress"));
        this.hands = new Hands(this.view, {focusAt: (pixel, place) => this.focusAt(pixel, place), hold: (on) => this.hold(on),
            split: () => this.split(), show: (name) => this.show(name), auto: () => this.auto(), nudge: (x, y) => this.nudge(x, y),
            dragBand: (part, place) => this.dragBand(part, place), escape: () => this.closeProblem(), undo: (steps) => this.undo(steps),
            help: () => at("help-box").showModal()});
        for (const {name, text} of this.hands.all.filter(({name}) => name))
            for (const [kind, words] of [["dt", name], ["dd", text + "."]])
                at("hands").append(Object.assign(document.createElement(kind), {textContent: words}));
        this.bindButtons();
        this.bindFiles();
        new ResizeObserver(() => {
            const below = at("bar").offsetHeight + 16;
            document.documentElement.style.setProperty("--below", below + "px");
            this.view.cover(below);
        }).observe(at("bar"));
    }

    async start() {
        const missing = missingIn(window);
        if (missing)
            return this.problem(missing);
        try {
            await this.live.start();
            this.hint("Click on what should be sharp");
            if (!this.is_given)
                await this.sample();
        } catch (error) {
            this.problem(error.message);
        }
    }

    // --- Pictures -----------------------------------------------------------------------------------

    async sample() {
        const file = (name) => ({name, bytes: bytesOf(SATBLUR_SAMPLE[name])});
        const [photo, map] = Object.keys(SATBLUR_SAMPLE).sort((a, b) => isMapName(a) - isMapName(b));
        await this.open(file(photo), file(map));
    }

    // Opens a photo with its map; map null: it lies within the photo, or there is none.
    async open(photo, map) {
        at("problem").hidden = true;
        this.busy(1000);
        this.say("Opening …");
        try {
            if (!await this.live.open(photo, map))
                return;
        } catch (error) {
            return this.refused(error);
        }
        const {width, height, has_map} = this.state;
        this.view.open(width, height, coloursOf(photo));
        this.past.clear();
        at("focus-text").textContent = "auto";
        at("notes").textContent = "";
        if (!has_map && this.view.shown === "depth")
            this.show("result");
        document.documentElement.style.setProperty("--ratio", width / height);
        map = this.state.map;
        at("names").textContent = `${photo.name}, ${width} × ${height}\n` +
            (map ? map.name + (map.by ? `, by ${map.by}` : "") : has_map ? "with its own depth map" : "no depth map");
        at("save-map").hidden = !(map && map.by);
        at("save-png").disabled = at("save-jpg").disabled = false;
        at("focus-row").hidden = at("depth").hidden = !has_map;
        if (!has_map)
            this.hint("Click on what should be sharp, or drag the band");
        this.live.original().catch((error) => this.problem(error.message));
        this.change();
    }

    // Goes on with the pictures before.
    async refused(error) {
        this.problem(error.message);
        this.say("");
        if (this.live.opens) // others are opened meanwhile
            return;
        if (!this.state.photo)
            return this.busy(0);
        await this.live.open(this.state.photo, this.state.map).catch(() => {});
        this.change();
    }

    // Takes dropped or chosen files: a photo, a map, or both.
    async take(list, kind) {
        this.is_given = true;
        const read = await readFiles(list).catch((error) => this.problem(error.message));
        if (!read?.length)
            return;
        await this.ready;
        const model = read.find((file) => /\.onnx$/i.test(file.name));
        if (model)
            return this.takeModel(model, read.find((file) => file !== model));
        if (read.length === 2) {
            const [photo, map] = isMap(read[0]) && !isMap(read[1]) ? [read[1], read[0]] : read;
            if (photo.name === map.name)
                map.name = "depth_" + map.name;
            return this.open(photo, map);
        }
        const takes_map = kind === "map" || (!kind && (isMapName(read[0].name) || (!this.state.has_map && isMap(read[0]))));
        return takes_map && this.state.photo ? this.open(this.state.photo, read[0]) : this.open(read[0], null);
    }

    // Takes a model for photos without a map, and the photo that came with it, if one did.
    async takeModel(model, photo) {
        let line = "";
        at("problem").hidden = true;
        this.busy(3000);
        this.say(`Loading ${model.name} …`);
        try {
            await this.model.open(model);
            this.hint(`${model.name} makes the depth maps of photos without one`);
        } catch (error) {
            line = error.message;
        }
        this.say("");
        this.busy(0);
        const {state} = this, lacks_map = state.photo && (!state.has_map || (state.map && state.map.by));
        if (photo || (lacks_map && this.model.is_open))
            await this.open(photo || state.photo, null);
        if (line)
            this.problem(line);
    }

    making() {
        this.busy(this.model.ms, true);
        this.say(`${this.model.name} makes the depth map …`);
    }

    // --- Wishes -------------------------------------------------------------------------------------

    change() {
        const {state} = this;
        if (!state.photo)
            return;
        const {values} = state;
        this.view.band = state.has_map ? null : {angle: values["tilt-angle"], place: values["tilt-place"], width: values["tilt-width"]};
        this.controls.refresh();
        this.showLooks();
        this.tell();
        clearTimeout(this.noting);
        this.noting = setTimeout(() => this.note(), 400); // a slider that moves is one change
        this.live.change();
    }

    // Notes the settings for undo.
    note() {
        clearTimeout(this.noting);
        this.past.note(this.state);
        at("undo").disabled = !this.past.has(-1);
        at("redo").disabled = !this.past.has(1);
    }

    // Goes back in what was set, or on: -1 or 1.
    undo(steps) {
        this.note();
        if (!this.past.has(steps))
            return;
        this.past.go(steps, this.state);
        this.state.has_map ? this.focusAt(this.state.focus) : this.wish();
        this.note();
    }

    // Lists the looks; that of the present settings is chosen.
    showLooks() {
        const {state} = this, looks = looksFor(state), text = (values) => JSON.stringify(OPTIONS.map(({option}) => values[option]));
        const now = looks.find((look) => text(lookOf(look, state)) === text(state.values));
        at("look").replaceChildren(...looks.map(({word, help}) => Object.assign(new Option(word), {title: help})), ...(now ? [] : [new Option("your own", "")]));
        at("look").value = now ? now.word : "";
    }

    takeLook(word) {
        this.state.values = lookOf(looksFor(this.state).find((look) => look.word === word), this.state);
        this.wish();
    }

    // Focuses on a pixel of the picture, or moves the sharp band to a place of the canvas.
    focusAt(pixel, place) {
        if (!this.state.has_map)
            return place && this.setBand("tilt-place", this.view.acrossOf(place));
        this.state.focus = pixel;
        this.view.mark = pixel;
        at("focus-text").textContent = pixel ? `${pixel.x}, ${pixel.y}` : "auto";
        this.view.draw();
        this.wish();
    }

    auto() {
        if (this.state.has_map)
            this.focusAt(null);
    }

    nudge(x, y) {
        const v = this.view;
        if (v.band)
            return this.setBand("tilt-place", v.band.place + 0.02 * (x * v.bandGeometry().s + y * v.bandGeometry().c));
        const step = Math.max(1, Math.round(Math.max(v.width, v.height) / 50)), from = v.mark || {x: v.width >> 1, y: v.height >> 1};
        this.focusAt({x: Math.min(Math.max(from.x + step * x, 0), v.width - 1), y: Math.min(Math.max(from.y + step * y, 0), v.height - 1)});
    }

    dragBand(part, place) {
        const across = this.view.acrossOf(place);
        if (part === "middle")
            this.setBand("tilt-place", across);
        else
            this.setBand("tilt-width", 2 * Math.abs(across - this.view.band.place));
    }

    setBand(option, value) {
        const row = this.controls.inputs[option].row;
        this.controls.set(row, Number(Math.min(Math.max(value, row.low), row.high).toFixed(3)));
        this.view.draw();
    }

    // Takes a change by the user, who has read what was said before.
    wish() {
        at("problem").hidden = true;
        this.change();
    }

    show(name) {
        this.view.shown = this.view.shown === name || (name === "depth" && !this.state.has_map) ? "result" : name;
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
            const saving = this.live.save(name);
            this.say(`Writing ${name} …`);
            const bytes = await saving;
            this.say(`${name}: ${(bytes.byteLength / 1e6).toFixed(1)} MB`);
            download(name, bytes, kind);
        } catch (error) {
            this.say("");
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
        at("problem").firstElementChild.textContent = text;
        at("problem").hidden = false;
        at("hint").classList.add("gone");
    }

    closeProblem() {
        at("problem").hidden = true;
    }

    say(text) {
        at("status").textContent = text;
    }

    // Writes the command and the Python call, and what the view shows.
    tell() {
        at("command").value = commandOf(this.state);
        at("python").value = pythonOf(this.state);
        const {has_map} = this.state, {shown} = this.view;
        at("legend-text").textContent = shown === "focus" ? "The part inside the white line is in focus. Orange is in front of it, blue is behind it; a stronger colour is more blurred." :
            shown === "depth" ? `White is near, black is far. ${this.assumed()}` :
            has_map ? "" : "This photo carries no depth map: drop one, or blur above and below a line.";
        at("legend").hidden = !at("legend-text").textContent;
        at("legend-switches").hidden = shown !== "depth";
        at("legend-map").hidden = has_map || shown === "focus";
    }

    assumed() {
        const rows = OPTIONS.filter((row) => row.is_of_map && !this.state.touched.has(row.option));
        const [near, type] = ["near", "depth-type"].map((option) => this.state.values[option]);
        if (!this.state.map)
            return "The photo itself gives the meaning of the values.";
        if (this.state.map.by)
            return `${this.state.map.by} made the map${rows.length ? "; change its meaning if near objects are dark" : ""}.`;
        return `The file's ${near} is near, its values are ${type}${rows.length ? " (assumed; change it if near objects are dark)" : ""}.`;
    }

    quick(ms) {
        document.documentElement.dataset.quickMs = ms.toFixed(1);
    }

    // Takes the numbers of a picture, and its notes if it is final: those of a smaller one count its pixels.
    told(answer, is_final) {
        const {state} = this, scale = state.width / answer.width, found = state.has_map && answer.x >= 0 && !state.focus;
        if (found)
            this.view.mark = {x: Math.floor((answer.x + 0.5) * scale), y: Math.floor((answer.y + 0.5) * scale)};
        at("focus-text").textContent = `${state.focus ? `${state.focus.x}, ${state.focus.y}` : "auto"}, depth ${answer.focus.toFixed(3)}`;
        state.is_coloured = answer.coloured;
        state.is_turned = answer.unturned;
        at("python").value = pythonOf(state);
        if (is_final)
            at("notes").textContent = [state.open_notes, answer.notes].filter(Boolean).join("\n").replaceAll("; ", "\n");
        this.view.draw();
    }

    // Shows that work goes on whose rest is expected to take that time, in milliseconds; 0: none does.
    busy(ms, is_new) {
        document.documentElement.dataset.busy = ms ? "1" : "";
        if (!ms || is_new)
            this.progress.end();
        if (!ms)
            return;
        this.progress.expect(ms);
        if (!this.live.opens && this.state.photo)
            this.say(ms > 700 ? `Preview. Full picture: about ${seconds(ms)}` : "");
    }

    // Says how long the picture itself took.
    done(ms) {
        this.busy(0);
        this.say(["depth", "focus"].includes(this.view.shown) ? "" : `Full picture: ${seconds(ms)}`);
    }

    // --- Buttons and files --------------------------------------------------------------------------

    bindButtons() {
        const press = {split: () => this.split(), focus: () => this.show("focus"), depth: () => this.show("depth"), fit: () => this.view.fit(),
            in: () => this.view.zoom(1.25), out: () => this.view.zoom(0.8), auto: () => this.auto(), reset: () => this.controls.reset(OPTIONS),
            "save-png": () => this.save("png", "image/png"), "save-jpg": () => this.save("jpg", "image/jpeg"),
            "save-map": () => download(this.state.map.name, this.state.map.bytes, "image/png"),
            "open-photo": () => at("photo-file").click(), "open-map": () => at("map-file").click(), "legend-map": () => at("map-file").click(),
            "open-sample": () => this.sample(), undo: () => this.undo(-1), redo: () => this.undo(1), help: () => at("help-box").showModal(),
            "help-close": () => at("help-box").close()};
        for (const [id, action] of Object.entries(press))
            at(id).onclick = action;
        at("look").onchange = (event) => this.takeLook(event.target.value);
        at("hold").onpointerdown = () => this.hold(true);
        at("hold").onpointerup = at("hold").onpointerleave = at("hold").onpointercancel = () => this.hold(false);
        at("hold").onkeydown = (event) => {
            if ([" ", "Enter"].includes(event.key))
                this.hold(true);
        };
        at("hold").onkeyup = () => this.hold(false);
        at("problem").lastElementChild.onclick = () => this.closeProblem();
        at("legend-switches").append(...["near", "depth-type"].map((option) => this.controls.twin(option)));
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
            this.taken = this.take(event.dataTransfer.files); // the tests wait for it
        });
        addEventListener("paste", (event) => event.clipboardData.files.length && this.take(event.clipboardData.files));
    }
}

function seconds(ms) {
    return `${(ms / 1000).toFixed(ms < 9500 ? 1 : 0)} s`;
}

const page = new Page();
page.ready = new Promise((resolve) => addEventListener("load", resolve)).then(() => page.start());
