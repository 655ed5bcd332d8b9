// The sliders and lists, made from the table of options.
class Controls {
    constructor(form, state, changed) {
        this.state = state;
        this.inputs = {};
        for (const group of OPTION_GROUPS)
            form.append(this.groupOf(group, changed));
        form.onsubmit = () => false;
        this.refresh();
    }

    groupOf(group, changed) {
        const box = document.createElement("details"), title = document.createElement("summary");
        box.open = Boolean(group.open) || innerHeight > 820;
        title.textContent = group.name;
        box.append(title, ...group.rows.map((row) => this.controlOf(row, changed)));
        return box;
    }

    controlOf(row, changed) {
        const box = document.createElement("div"), label = document.createElement("label");
        const input = row.words ? this.listOf(row) : this.sliderOf(row);
        box.className = "control";
        box.title = `--${row.option}: ${row.help}`;
        label.textContent = row.label;
        label.htmlFor = input.id = "option-" + row.option;
        box.append(label, input);
        const output = row.words ? null : box.appendChild(document.createElement("output"));
        this.inputs[row.option] = {row, box, input, output};
        input.oninput = () => {
            this.state.values[row.option] = row.words ? input.value : Number(input.value);
            this.state.touched.add(row.option);
            this.refresh();
            changed();
        };
        box.ondblclick = () => {
            input.value = standardOf(row);
            input.oninput();
        };
        return box;
    }

    sliderOf(row) {
        const input = document.createElement("input");
        Object.assign(input, {type: "range", min: row.low, max: row.high, step: row.step});
        return input;
    }

    listOf(row) {
        const list = document.createElement("select");
        for (const word of row.words)
            list.add(new Option(row.option === "blades" && word === "0" ? "disc" : word, word));
        return list;
    }

    refresh() {
        for (const {row, box, input, output} of Object.values(this.inputs)) {
            const value = this.state.values[row.option];
            input.value = value;
            box.hidden = Boolean(row.only) && !row.only(this.state.values);
            if (output)
                output.textContent = row.option === "highlights" && value === 0 ? "off" : valueText(row, value) + (row.unit ? " " + row.unit : "");
        }
    }
}
