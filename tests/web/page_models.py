"""Models that are dropped on the page: a model makes the map of a photo without one."""
from page_driver import check


def check_models(page, folder, tiny, picture, satblur_of, work):
    """folder: the page with ONNX Runtime. satblur_of(command): the bytes that the program makes. Returns the map's bytes."""
    photo = work / "alone.png"
    photo.write_bytes(picture.read_bytes())
    page.drop(tiny)
    check("without ONNX Runtime, a line says how to get it", page.wait("return !document.getElementById('problem').hidden")
          and "satblur --page DIR --onnxruntime DIR" in page.problem(), page.problem())
    page.browser.get((folder / "index.html").resolve().as_uri())
    page.wait()
    loaded = page.js("const load = () => satblur_page.model.constructor.load();"
                     "return Promise.all([load(), load()]).then(() => document.querySelectorAll('script[src=\"onnxruntime.js\"]').length)")
    check("ONNX Runtime is loaded once for two models at a time", loaded == 1, loaded)
    page.drop(tiny)
    check("a model is taken, and the sample keeps its map", page.wait() and not page.problem()
          and "makes the depth maps" in page.text("hint") and "by tiny.onnx" not in page.text("names"), page.problem())
    page.drop(photo)
    check("it makes the map of a photo without one", page.wait() and "alone_depth.png, by tiny.onnx" in page.text("names")
          and not page.problem(), (page.text("names"), page.problem()))
    check("the notes say that the table has no such model", "is not in the page's table" in page.text("notes"), page.text("notes"))
    made = page.saved("save-map", "alone_depth.png")
    (work / "alone_depth.png").write_bytes(made)
    page.click(0.4, 0.4)
    page.wait()
    data = page.save("png")
    check("the PNG's bytes are the program's by the map that the page made", data == satblur_of(page.text("command")), len(data))
    (work / "broken.onnx").write_bytes(b"no model")
    page.drop(work / "broken.onnx", photo)
    check("a file that is no model is one line, and the photo is opened", page.wait() and "no depth map" in page.text("names")
          and page.wait("return /^broken.onnx: /.test(document.querySelector('#problem span').textContent)"), (page.text("names"), page.problem()))
    (work / "selfie.onnx").write_bytes(tiny.read_bytes())
    page.drop(work / "selfie.onnx")
    check("so is a model of mattes", page.wait() and "makes mattes" in page.problem(), page.problem())
    page.drop(tiny)
    check("a model makes the map of the open photo", page.wait() and "by tiny.onnx" in page.text("names"), page.text("names"))
    return made
