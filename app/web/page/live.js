// Work that cannot be broken off waits until a hand may have come to rest.
const SETTLE_MS = 120;

// Keeps the picture on the screen up to date: a quick one at once, one that fills a screen, then the picture itself. Only the
// newest wish is worked on.
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
        return {photo, map, has_map: focus !== null, width, height, open_notes: [map && map.about, notes].filter(Boolean).join("\n"),
            ...(is_other ? {focus: null, ...withoutMap(this.state)} : {})};
    }

    words() {
        return wordsOf(this.state);
    }

    change() {
        this.version++;
        this.asked = performance.now();
        clearTimeout(this.later);
        if (this.opens)
            return;
        this.page.busy(this.expected(), true);
        if (!this.runs)
            this.run();
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
                const {asked} = this, begin = performance.now();
                await this.step(this.near, SIZE.quick, mine);
                const end = performance.now();
                this.times.push(end - asked);
                this.page.quick(end - asked);
                await new Promise((pass) => setTimeout(pass, SETTLE_MS));
                if (mine === this.version)
                    await this.step(this.near, SIZE.screen, mine);
                if (mine === this.version)
                    await this.near.fit(end - begin);
            }
            this.runs = false;
            if (this.opens)
                return;
            if (!this.is_small)
                this.later = setTimeout(() => this.finish(), SETTLE_MS);
            else
                this.page.done(this.last_ms);
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

    async step(core, size, mine) {
        const name = this.view.shown === "original" ? "result" : this.view.shown;
        if (core.broken)
            await core.open(this.state.photo, this.state.map);
        const answer = await core.show(size, VIEW[name], this.words());
        if (mine !== this.version && size !== SIZE.quick)
            return;
        this.last_ms = answer.ms;
        this.view.put(name, answer);
        if (name !== "depth")
            this.page.told(answer, this.is_small ? size === SIZE.screen : size === SIZE.full);
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
        const rate = this.near.rate, pixels = this.state.width * this.state.height;
        this.page.busy(this.expected());
        await this.openFar();
        if (mine === this.version) {
            await this.step(this.far, SIZE.full, mine);
            if (mine === this.version && this.view.shown === "result")
                this.far_factor = Math.min(Math.max(this.last_ms / (pixels * rate), 0.3), 4);
        }
        const ms = this.last_ms;
        if (mine === this.version && !this.has_original) {
            const original = await this.far.show(SIZE.full, VIEW.original, this.words());
            this.has_original = mine === this.version;
            if (this.has_original)
                this.view.put("original", original);
        }
        if (mine === this.version)
            this.page.done(ms);
    }

    async original() {
        this.has_original = false;
        this.view.put("original", await this.near.show(SIZE.screen, VIEW.original, this.words()));
    }

    // Returns the bytes of the file that the program would write.
    async save(output) {
        this.page.busy(this.expected() + 2 * this.opened);
        try {
            await this.openFar();
            const answer = await this.far.call("run", {words: wordsOf(this.state, output), output});
            return answer.bytes;
        } finally {
            if (!this.runs && !this.finishing)
                this.page.busy(0);
        }
    }
}
