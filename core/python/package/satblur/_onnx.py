"""Depth maps by an AI model, through onnxruntime."""


def depth_from_onnx(model, image, *, size=None, mean=(0.485, 0.456, 0.406), std=(0.229, 0.224, 0.225), providers=None):
    """Returns the float32 (h, w) that a depth model makes of an image (H, W, 3) of uint8.

    model        a file, its bytes, or an onnxruntime.InferenceSession; its input is one picture of three channels
    size         (h, w) that the model is given; None: its own, or that of the image
    mean, std    what the model's makers subtract from samples of 0 to 1, and divide by
    providers    of onnxruntime; None: its CPU

    The result is disparity for most models (MiDaS, Depth Anything): dof(image, result). Of those that give metres it is
    dof(image, result, depth_type="linear"). Raises ImportError without onnxruntime or Pillow, and ValueError.
    """
    import numpy

    try:
        import onnxruntime
        from PIL import Image

        from ._models import UNKNOWN
        from ._network import Network
    except ImportError as missing:
        raise ImportError(f"{missing.name} is missing; pip install 'satblur[onnx]'") from None
    image = numpy.asarray(image)
    if image.dtype != numpy.uint8 or image.ndim != 3 or image.shape[2] != 3 or 0 in image.shape:
        raise ValueError(f"image is {image.dtype} of shape {image.shape}; give uint8 of (height, width, 3)")
    session = model
    if not isinstance(model, onnxruntime.InferenceSession):
        session = onnxruntime.InferenceSession(model, providers=providers or ["CPUExecutionProvider"])
    row = UNKNOWN._replace(scale=(mean, std), size=tuple(size or image.shape[:2]), multiple=1)
    network = Network(session, row)
    if size:
        network.fixed = list(size)
    return network.raw(Image.fromarray(image))
