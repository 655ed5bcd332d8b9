// What the user sets: its past, for undo and redo, and ready looks.
class Past {
    constructor() {
        this.clear();
    }

    clear() {
        this.texts = [];
        this.at = -1;
    }

    // Adds the settings if they are new, and drops what was undone.
    note({values, touched, focus}) {
        const text = JSON.stringify({values, touched: [...touched], focus});
        if (text !== this.texts[this.at])
            this.texts.splice(++this.at, Infinity, text);
    }

    has(steps) {
        return this.at + steps in this.texts;
    }

    // Gives the state the settings that many steps later.
    go(steps, state) {
        this.at += steps;
        const {values, touched, focus} = JSON.parse(this.texts[this.at]);
        Object.assign(state, {values, touched: new Set(touched), focus});
    }
}

// Returns the rows of an option of the program: more than one if the page has its numbers apart.
function rowsOf(option) {
    return OPTIONS.filter((row) => (row.part || row.option) === option);
}

// Returns the values of a ready look. Those of the map and of files stay as they are.
function lookOf({sets}, {values}) {
    const look = Object.fromEntries(OPTIONS.map((row) => [row.option, row.group.is_of_map || row.ending ? values[row.option] : standardOf(row)]));
    for (const [option, text] of Object.entries(sets))
        rowsOf(option).forEach((row, i) => look[row.option] = row.words ? text : parseFloat(text.split(",")[i]));
    return look;
}

// Returns the looks whose options the open pictures have.
function looksFor(state) {
    const looks = [{word: "default", help: "As the program blurs without options", sets: {}}, ...PRESETS];
    return looks.filter((look) => Object.keys(look.sets).every((option) => rowsOf(option).every((row) => isShown(row, {...state, values: lookOf(look, state)}))));
}
