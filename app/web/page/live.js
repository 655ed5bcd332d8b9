// Work that cannot be broken off waits until a hand may have come to rest.
const SETTLE_MS = 120;

// Keeps the picture on the screen up to date: a quick one at once, one that fills a screen, then the picture itself. Only the
// newest wish is worked on, and no view is made twice of the same settings.
class Live {
    constructor(state, view, page) {
        Object.assign(this, {state, view, page});
        this.near = new Core(false); // the quick size and the screen's
        this.far = new Core(true);
        this.version = 0; // of the wish
        this.times = []; // of quick sizes, in milliseconds
        this.opened = 0; // milliseconds that opening took
        this.far_factor = 1.15; // of the time that the screen's size lets expect
    }

    async start() {
        await this.near.start();
        performance.mark("core"); // for those who measure the page
        await this.far.start();
    }

    // Opens pictures, which become the state's; until then nothing is worked on. Returns null if others are opened meanwhile.
    // Fails with a line to show; then no pictures are open.
    async open(photo, map) {
        const mine = this.opening = (this.opening || 0) + 1;
        this.opens = true;
        this.version++;
        clearTimeout(this.later);
        let answer, next;
        const begin = performance.now();
        try {
            answer = await this.near.open(photo, map);
            if (answer.focus === null && this.page.model.is_open && mine === this.opening) {
                map = await this.made(photo, answer);
                answer = map && mine === this.opening ? await this.near.open(photo, map) : answer;
            }
            next = this.stateOf(photo, map, answer);
            if (next.has_map) // it may mean nothing
                await this.near.show(SIZE.quick, VIEW.depth, wordsOf({...this.state, ...next}));
        } finally {
            this.opens = mine !== this.opening;
        }
        if (this.opens)
            return null;
        this.far_ready = null;
        this.opened = performance.now() - begin;
        Object.assign(this.state, next);
        this.is_small = answer.width * answer.height <= 1500000; // the screen's size is the picture itself
        return answer;
    }

    // Returns the map that the model makes of the open photo, or null, and a line says why.
    async made(photo, {width, height}) {
        const words = wordsOf({...this.state, photo, map: null, has_map: false, width, height});
        this.page.making();
        try {
            return await this.page.model.map(photo, await this.near.show(SIZE.screen, VIEW.original, words));
        } catch (error) {
            this.page.problem(error.message);
            return null;
        }
    }

    // Returns the state's part that other pictures change.
    stateOf(photo, map, {focus, width, height, notes}) {
        const is_other = photo !== this.state.photo || map !== this.state.map;
        return {photo, map, has_map: focus !== null, width, height, open_notes: [photo.about, map && map.about, notes].filter(Boolean).join("\n"),
            ...(is_other ? {focus: null, ...withoutMap(this.state)} : {})};
    }

    change() {
        this.version++;
        this.asked = performance.now();
        clearTimeout(this.later);
        if (this.opens)
            return;
        if (!this.isMade())
            this.page.busy(this.expected(), true);
        else
            this.tell(this.wanted);
        if (!this.runs)
            this.run();
    }

    get wanted() {
        return this.view.shown === "original" ? "result" : this.view.shown;
    }

    get last_size() {
        return this.is_small ? SIZE.screen : SIZE.full;
    }

    // Returns whether a view is made of the present settings, in that size or a larger one.
    has(name, size) {
        const layer = this.view.layers[name];
        return Boolean(layer) && layer.size >= size && layer.key === keyOf(this.state, name);
    }

    // Returns whether the wish is fulfilled.
    isMade() {
        return this.has(this.wanted, this.last_size) && this.has("original", this.last_size);
    }

    // Returns the milliseconds that the picture itself is expected to take.
    expected() {
        const pixels = this.state.width * this.state.height;
        return pixels * this.near.rate * this.far_factor + (this.far_ready || this.is_small ? 0 : this.opened);
    }

    // Shows the newest wish in the quick size, and again when there is a newer one.
    async run() {
        this.runs = true;
        let mine = 0;
        try {
            while (mine !== this.version && !this.opens) {
                mine = this.version;
                const {asked, wanted} = this, begin = performance.now();
                const is_new = await this.step(this.near, SIZE.quick, wanted), end = performance.now();
                if (is_new) {
                    this.times.push(end - asked);
                    this.page.quick(end - asked);
                    await new Promise((pass) => setTimeout(pass, SETTLE_MS));
                }
                if (mine === this.version)
                    await this.step(this.near, SIZE.screen, this.wanted);
                if (mine === this.version && is_new && wanted === "result")
                    await this.near.fit(end - begin);
            }
            this.runs = false;
            if (this.opens)
                return;
            if (!this.is_small && !this.isMade())
                this.later = setTimeout(() => this.finish(), SETTLE_MS);
            else
                this.page.done(this.view.layers[this.wanted].ms);
        } catch (error) {
            this.runs = false;
            this.failed(error, mine);
        }
    }

    failed(error, mine) {
        if (mine !== this.version)
            return this.change();
        this.page.busy(0);
        this.page.problem(error.message);
    }

    // Makes a view in that size, unless it is there. A quick one is shown even if it is late. Returns whether there was work.
    async step(core, size, name) {
        if (this.has(name, size))
            return false;
        const key = keyOf(this.state, name), {layers} = this.view;
        if (core.broken)
            await core.open(this.state.photo, this.state.map);
        const answer = await core.show(size, VIEW[name], wordsOf(this.state)), is_late = key !== keyOf(this.state, name);
        if (layers !== this.view.layers || this.has(name, size) || (is_late && size !== SIZE.quick))
            return true;
        this.view.put(name, answer, {key, size, ms: answer.ms, answer: {...answer, pixels: null}});
        this.tell(name);
        return true;
    }

    // Has the page say what a made view is of.
    tell(name) {
        const {answer, size} = this.view.layers[name];
        if (name === "result" || name === "focus")
            this.page.told(answer, name === "result" && size === this.last_size);
    }

    async openFar() {
        const {photo, map} = this.state;
        if (this.far.broken)
            this.far_ready = null;
        this.far_ready = this.far_ready || this.far.open(photo, map);
        try {
            await this.far_ready;
        } catch (error) {
            this.far_ready = null;
            throw error;
        }
    }

    // Makes the picture itself, and its original once.
    async finish() {
        const mine = this.version;
        if (this.finishing)
            return this.finishing.then(() => mine === this.version && this.finish());
        this.finishing = this.full(mine).catch((error) => this.failed(error, mine)).finally(() => this.finishing = null);
    }

    async full(mine) {
        const {wanted} = this, rate = this.near.rate, pixels = this.state.width * this.state.height;
        this.page.busy(this.expected());
        await this.openFar();
        if (mine === this.version && await this.step(this.far, SIZE.full, wanted) && wanted === "result" && this.has(wanted, SIZE.full))
            this.far_factor = Math.min(Math.max(this.view.layers.result.ms / (pixels * rate), 0.3), 4);
        if (mine === this.version)
            await this.step(this.far, SIZE.full, "original");
        if (mine === this.version)
            this.page.done(this.view.layers[wanted].ms);
    }

    // Shows the photo itself in the size of a screen.
    original() {
        return this.step(this.near, SIZE.screen, "original");
    }

    // Returns the bytes of the file that the program would write. The last file is kept.
    async save(output) {
        const words = wordsOf(this.state, output), key = words.join("\n"), {layers} = this.view;
        if (this.saved?.key === key && this.saved.layers === layers)
            return this.saved.bytes;
        this.page.busy((this.isMade() ? 0 : this.expected()) + 2 * this.opened + 300);
        try {
            await this.openFar();
            const answer = await this.far.call("run", {words, as: wordsOf(this.state), output});
            this.saved = {key, layers, ...answer};
            return answer.bytes;
        } finally {
            if (!this.runs && !this.finishing && !this.opens)
                this.page.busy(0);
        }
    }
}
