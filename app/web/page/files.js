// Files in and out.
const MOST_BYTES = 400e6;
const STRIP = 512; // rows: some browsers have no canvas of a whole photo

// Returns files with their bytes, of pictures that the core reads if the browser does. Fails with a line to show.
async function readFiles(list) {
    const files = [...list], large = files.find((file) => file.size > MOST_BYTES);
    if (files.length > 2)
        throw new Error(`${files.length} files are too many; drop one photo, or a photo and its depth map`);
    if (large)
        throw new Error(`${large.name} has more than 400 MB; use a smaller picture, or the program itself`);
    return Promise.all(files.map(async (file) => {
        try {
            return await readable(file, {name: safeName(file.name), bytes: await file.arrayBuffer()});
        } catch {
            throw new Error(`${file.name} cannot be read; drop one photo, or a photo and its depth map`);
        }
    }));
}

// Returns a name that names no folder and is one line.
function safeName(name) {
    return name.replace(/[\/\n\r\0]/g, "_");
}

// Replaces the bytes of a picture that only the browser reads: WebP, AVIF and HEIC, JPEG XL, TIFF. If it does not either, the
// core says so.
async function readable(file, read) {
    const first = String.fromCharCode(...new Uint8Array(read.bytes, 0, Math.min(12, read.bytes.byteLength)));
    if (!/^(RIFF....WEBP|....ftyp|\xff\x0a|\0\0\0\x0cJXL |II\*\0|MM\0\*)/s.test(first))
        return read;
    const bitmap = await createImageBitmap(file).catch(() => null);
    return bitmap ? {...read, bytes: await pamOf(bitmap), about: `${read.name} was decoded by the browser, to 8 bits of sRGB without metadata`} : read;
}

// Returns a bitmap as the bytes of a PAM, without an alpha channel that is opaque.
function pamOf(bitmap) {
    const {width, height} = bitmap, to = new OffscreenCanvas(width, Math.min(STRIP, height)).getContext("2d", {willReadFrequently: true});
    const samples = new Uint8Array(4 * width * height);
    for (let y = 0; y < height; y += STRIP) {
        to.clearRect(0, 0, width, STRIP);
        to.drawImage(bitmap, 0, -y);
        samples.set(to.getImageData(0, 0, width, Math.min(STRIP, height - y)).data, 4 * width * y);
    }
    bitmap.close();
    let count = 0, at = 3;
    while (at < samples.length && samples[at] === 255)
        at += 4;
    const channels = at < samples.length ? 4 : 3;
    for (let i = 0; channels === 3 && i < samples.length; i++)
        if (i % 4 < 3)
            samples[count++] = samples[i];
    const head = `P7\nWIDTH ${width}\nHEIGHT ${height}\nDEPTH ${channels}\nMAXVAL 255\nENDHDR\n`;
    return new Blob([head, channels === 3 ? samples.subarray(0, count) : samples]).arrayBuffer();
}

// Returns the space of a photo's colours, as canvases name it, by the name of its profile: photos of phones have the wide one.
function coloursOf({bytes}) {
    const text = new TextDecoder("latin1").decode(bytes.slice(0, 200000));
    return /D\0?i\0?s\0?p\0?l\0?a\0?y\0? \0?P\0?3/.test(text) ? "display-p3" : "srgb";
}

function download(name, bytes, kind) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([bytes], {type: kind}));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
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
