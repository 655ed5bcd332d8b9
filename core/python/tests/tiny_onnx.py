"""Writes small ONNX networks as protobuf, without the package onnx."""

import numpy as np

KINDS = {"float32": 1, "uint8": 2, "float16": 10}


def number(value):
    """Returns a varint; negative numbers have ten bytes."""
    value &= (1 << 64) - 1
    out = b""
    while value > 127:
        out += bytes([value & 127 | 128])
        value >>= 7
    return out + bytes([value])


def field(key, value):
    """Returns a field of a message: a number, or bytes, a text or messages one after another."""
    if isinstance(value, int):
        return number(key << 3) + number(value)
    if isinstance(value, list):
        return b"".join(field(key, each) for each in value)
    value = value.encode() if isinstance(value, str) else value
    return number(key << 3 | 2) + number(len(value)) + value


def tensor(name, array):
    return field(1, list(array.shape)) + field(2, KINDS[str(array.dtype)]) + field(8, name) + field(9, array.tobytes())


def value(name, kind, shape):
    """Returns an input or an output. Numbers in the shape are fixed sizes, names are free ones."""
    dims = [field(1, side) if isinstance(side, int) else field(2, side) for side in shape]
    return field(1, name) + field(2, field(1, field(1, KINDS[kind]) + field(2, field(1, dims))))


def node(kind, inputs, output, **attributes):
    """Returns a node; attributes are numbers and lists of numbers."""
    def attribute(name, given):
        return field(1, name) + (field(8, given) + field(20, 7) if isinstance(given, list) else field(3, given) + field(20, 2))

    return field(1, inputs) + field(2, [output]) + field(4, kind) + field(5, [attribute(*each) for each in attributes.items()])


def model(nodes, inputs, outputs, weights=()):
    """Returns the file of a network."""
    graph = field(1, nodes) + field(2, "tiny") + field(5, list(weights)) + field(11, inputs) + field(12, outputs)
    return field(1, 8) + field(7, graph) + field(8, [field(1, "") + field(2, 13)])


def brightness(path, *, size=("h", "w"), kind="float32", last=False, weights=(0.2, 0.5, 0.3), bias=0.0, outputs=1, batch=1):
    """Writes a network whose map is weights * colours + bias: one convolution of 1 x 1."""
    made = "float32" if kind == "uint8" else kind
    numbers = [tensor("weights", np.tile(np.array(weights, made).reshape(1, 3, 1, 1), (outputs, 1, 1, 1))),
               tensor("bias", np.full(outputs, bias, made))]  # fmt: skip
    nodes, name = [], "image"
    if kind == "uint8":
        nodes, name = [node("Cast", [name], "floats", to=KINDS[made])], "floats"
    if last:
        nodes, name = nodes + [node("Transpose", [name], "planes", perm=[0, 3, 1, 2])], "planes"
    nodes.append(node("Conv", [name, "weights", "bias"], "map", kernel_shape=[1, 1]))
    path.write_bytes(model(nodes, [value("image", kind, (batch, *size, 3) if last else (batch, 3, *size))],
                           [value("map", made, (batch, outputs, *size))], numbers))  # fmt: skip
    return path
