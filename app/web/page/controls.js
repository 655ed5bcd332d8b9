// The sliders and lists, made from the table of options, and the bar of progress.
const OF_PHOTO = "own"; // of a map within the photo, which says itself what it means

class Controls {
    constructor(form, state, changed) {
        Object.assign(this, {state, changed, inputs: {}, groups: []});
        for (const group of OPTION_GROUPS)
            form.append(this.groupOf(group));
        form.onsubmit = () => false;
        this.refresh();
    }

    groupOf(group) {
        const box = document.createElement("details"), title = document.createElement("summary"), help = document.createElement("p");
        box.open = Boolean(group.open);
        title.textContent = group.name;
        help.className = "help";
        help.textContent = helpOf(group.rows[0]);
        box.append(title, ...group.rows.map((row) => this.controlOf(row, help)), help);
        this.groups.push({group, box});
        return box;
    }

    controlOf(row, help) {
        const box = document.createElement("div"), label = document.createElement("label"), back = document.createElement("button");
        const input = row.words ? this.listOf(row) : this.sliderOf(row), typed = row.words ? null : this.typedOf(row, input);
        Object.assign(box, {className: "control"});
        label.textContent = row.label;
        label.htmlFor = input.id = "option-" + row.option;
        Object.assign(back, {type: "button", className: "back", textContent: "↺", title: "Reset", onclick: () => {
            this.reset([row]);
            input.focus(); // the button vanishes
        }});
        back.setAttribute("aria-label", `Reset ${row.label}`);
        box.append(label, input, ...(typed ? [typed] : []), back);
        input.ariaDescription = row.help;
        box.onpointerenter = input.onfocus = () => help.textContent = helpOf(row);
        this.inputs[row.option] = {row, box, input, typed, back};
        input.oninput = () => this.set(row, input.value);
        return box;
    }

    // Returns the field beside a slider that has its value as a text, where another can be typed. Enter goes back to the slider.
    typedOf(row, slider) {
        const field = document.createElement("input");
        Object.assign(field, {type: "text", id: "typed-" + row.option, className: "typed", inputMode: row.low < 0 ? "text" : "decimal", onfocus: () => field.select()});
        field.setAttribute("aria-label", `${row.label}, typed`);
        field.onchange = () => {
            const value = typedValue(row, field.value);
            value === null ? this.refresh() : this.set(row, value);
        };
        field.onkeydown = ({key}) => {
            if (key === "Escape")
                this.refresh();
            if (["Enter", "Escape"].includes(key))
                slider.focus();
        };
        return field;
    }

    sliderOf(row) {
        const input = document.createElement("input");
        return Object.assign(input, {type: "range", min: row.low, max: row.high, step: row.step, ondblclick: () => this.reset([row])});
    }

    listOf(row) {
        const list = document.createElement("select");
        for (const word of row.words)
            list.add(new Option(shownText(row, word), word));
        if (row.is_of_map)
            list.add(new Option("photo's own", OF_PHOTO));
        return list;
    }

    // Returns another list for the same option, which is used where the option's effect is seen.
    twin(option) {
        const {row, input} = this.inputs[option], box = document.createElement("label"), list = input.cloneNode(true);
        list.id = "twin-" + option;
        for (const option of list.options)
            option.text = row.words.includes(option.value) ? option.value : option.text;
        list.oninput = () => this.set(row, list.value);
        box.append(row.label + " ", list);
        this.inputs[option].twin = list;
        return box;
    }

    set(row, value) {
        if (value === OF_PHOTO)
            return this.reset([row]);
        this.state.values[row.option] = row.words ? value : Number(value);
        this.state.touched.add(row.option);
        this.refresh();
        this.changed();
    }

    reset(rows) {
        for (const row of rows) {
            this.state.values[row.option] = standardOf(row);
            this.state.touched.delete(row.option);
        }
        this.refresh();
        this.changed();
    }

    refresh() {
        const {state} = this, within = state.has_map && !state.map;
        for (const {group, box} of this.groups)
            box.hidden = Boolean(group.only) && !group.only(state);
        for (const {row, box, input, typed, back, twin} of Object.values(this.inputs)) {
            const value = state.values[row.option], says_itself = row.is_of_map && within;
            if (row.is_of_map)
                input.options[input.options.length - 1].hidden = !within;
            input.value = says_itself && !state.touched.has(row.option) ? OF_PHOTO : value;
            if (twin) {
                twin.options[twin.options.length - 1].hidden = !within;
                twin.value = input.value;
            }
            box.hidden = !isShown(row, state);
            back.classList.toggle("idle", says_itself ? !state.touched.has(row.option) : value === standardOf(row));
            if (typed)
                typed.value = shownText(row, value);
        }
    }
}

function helpOf(row) {
    const word = row.part || (row.is_own ? "" : row.option);
    return `${row.label}: ${row.help}${word ? ` (--${word})` : ""}.`;
}

// The bar: it reaches nine tenths when the work was expected to be done, and comes nearer to the end after that.
class Progress {
    constructor(bar) {
        this.bar = bar;
    }

    // Expects the rest of the work to take that time.
    expect(ms) {
        const now = performance.now(), from = this.runs ? this.part(now) : 0;
        Object.assign(this, {from, begin: now, ms: Math.max(ms, 1)});
        this.bar.hidden = false;
        if (!this.runs)
            this.draw();
    }

    part(now) {
        const t = (now - this.begin) / this.ms, done = t < 1 ? 0.9 * t : 1 - 0.1 * Math.exp(1 - t);
        return this.from + (0.99 - this.from) * done;
    }

    draw() {
        const part = 100 * this.part(performance.now());
        this.bar.firstElementChild.style.width = part + "%";
        this.bar.setAttribute("aria-valuenow", Math.round(part));
        this.runs = requestAnimationFrame(() => this.draw());
    }

    end() {
        cancelAnimationFrame(this.runs);
        this.runs = 0;
        this.bar.hidden = true;
    }
}
