// Models that make depth maps: files in the format ONNX that the user gives. ONNX Runtime lies beside the page if
// satblur --page DIR --onnxruntime DIR wrote it.
class Model extends Answering {
    // Takes a file, in place of the one before. Fails with a line to show.
    async open({name, bytes}) {
        const row = MODELS.find((row) => new RegExp(row.pattern, "i").test(name));
        if (row.kind !== "depth")
            throw new Error(`${name} makes mattes; drop a model of depth, or a photo`);
        await Model.load();
        this.stop("another model is opened");
        this.name = "";
        this.begin(Model.address);
        const threads = crossOriginIsolated ? Math.min(navigator.hardwareConcurrency, MOST_THREADS) : 1;
        await this.call("open", {...Model.runtime, threads, name, bytes, row}, [bytes]);
        this.name = name;
        this.ms = 1000; // that a map is expected to take
        this.about = row.licence ? `Licence of ${name}: ${row.licence}. Source: ${row.source}` :
            `${name} is not in the page's table of models: its numbers are taken as disparity, of samples that are scaled as those of ImageNet`;
    }

    get is_open() {
        return Boolean(this.name) && !this.broken;
    }

    // Loads ONNX Runtime once, for all that ask meanwhile too. A failure is tried again.
    static load() {
        return Model.loading ??= Model.loadOnce().catch((error) => {
            Model.loading = null;
            throw error;
        });
    }

    static async loadOnce() {
        try {
            await loadScript("onnxruntime.js");
        } catch {
            throw new Error("models need ONNX Runtime, which is not beside this page; write it there: satblur --page DIR --onnxruntime DIR");
        }
        const {module, glue, wasm} = SATBLUR_ONNXRUNTIME;
        Model.runtime = {module: bytesOf(module), glue: bytesOf(glue), wasm: bytesOf(wasm)};
        SATBLUR_ONNXRUNTIME.wasm = null;
        Model.address = URL.createObjectURL(new Blob([MODEL_WORKER], {type: "text/javascript"}));
    }

    // Returns the map of a photo as a file, by its pixels. Fails with a line to show; then the model is no more used.
    async map(photo, {pixels, width, height}) {
        const begin = performance.now(), {worker, name, about} = this;
        try {
            const {bytes} = await this.call("map", {pixels, width, height}, [pixels]);
            this.ms = performance.now() - begin;
            return {name: photo.name.replace(/\.[^.]*$/, "") + "_depth.png", bytes, by: name, about};
        } catch (error) {
            if (worker === this.worker)
                this.name = "";
            throw error;
        }
    }
}
