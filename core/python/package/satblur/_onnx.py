"""Depth maps by an AI model, through onnxruntime."""


def depth_from_onnx(model, image, *, size=None, mean=(0.485, 0.456, 0.406), std=(0.229, 0.224, 0.225), providers=None):
    """Returns the float32 (h, w) that a depth model makes of an image (H, W, 3) of uint8.

    model        a file, its bytes, or an onnxruntime.InferenceSession; its input is (1, 3, h, w)
    size         (h, w) that the model is given; None: its own, or that of the image
    mean, std    what the model's makers subtract from samples of 0 to 1, and divide by
    providers    of onnxruntime; None: its CPU

    The result is disparity for most models (MiDaS, Depth Anything): dof(image, result). Of those that give metres it is
    dof(image, result, depth_type="linear"). Raises ImportError without onnxruntime, and ValueError.
    """
    import numpy

    try:
        import onnxruntime
    except ImportError:
        raise ImportError("onnxruntime is missing; pip install 'satblur[onnx]'") from None
    image = numpy.asarray(image)
    if image.dtype != numpy.uint8 or image.ndim != 3 or image.shape[2] != 3 or 0 in image.shape:
        raise ValueError(f"image is {image.dtype} of shape {image.shape}; give uint8 of (height, width, 3)")
    session = model
    if not isinstance(model, onnxruntime.InferenceSession):
        session = onnxruntime.InferenceSession(model, providers=providers or ["CPUExecutionProvider"])
    wanted = session.get_inputs()[0]
    own = [side if isinstance(side, int) else None for side in wanted.shape[-2:]]
    height, width = size or (own[0] or image.shape[0], own[1] or image.shape[1])
    samples = _resized(image, height, width).astype(numpy.float32) / 255
    samples = (samples - numpy.float32(mean)) / numpy.float32(std)
    planes = numpy.ascontiguousarray(samples.transpose(2, 0, 1)[None])
    depth = numpy.squeeze(session.run(None, {wanted.name: planes})[0])
    if depth.ndim != 2:
        raise ValueError(f"the model's output has shape {depth.shape}, which is not a depth map")
    return numpy.ascontiguousarray(depth, numpy.float32)


def _resized(image, height, width):
    """Returns the image, bilinear with pixel centres aligned."""
    import numpy

    if image.shape[:2] == (height, width):
        return image

    def places(size, of):
        at = numpy.clip((numpy.arange(size) + 0.5) * of / size - 0.5, 0, of - 1)
        first = at.astype(int)
        return first, numpy.minimum(first + 1, of - 1), (at - first)[:, None]

    y0, y1, fy = places(height, image.shape[0])
    x0, x1, fx = places(width, image.shape[1])
    rows = image[y0] * (1 - fy[..., None]) + image[y1] * fy[..., None]
    return rows[:, x0] * (1 - fx) + rows[:, x1] * fx
