"""Reads networks.txt (its head explains the format) into ONNX models."""

import pathlib
import zlib

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

TABLE = pathlib.Path(__file__).with_name("networks.txt")
WEIGHTS_SEED = 1


def _shape(word):
    return [] if word == "scalar" else [int(n) for n in word.split(",")]


def _weights(words, generator):
    kind, name, shape, *rest = words
    if kind == "int":
        array = np.array([int(v) for v in rest], np.int64)
    elif rest[0] == "normal":
        array = (generator.standard_normal(_shape(shape)) * float(rest[1])).astype(np.float32)
        if rest[2:3] == ["positive"]:
            array = np.abs(array) + np.float32(rest[3])
    else:
        array = np.array([float(v) for v in rest], np.float32)
    return numpy_helper.from_array(array.reshape(_shape(shape)), name)


def _number(word):
    return float(word) if "." in word or "e" in word else int(word)


def _attribute(word):
    name, value = word.split("=")
    if not value.lstrip("-")[0].isdigit():
        return name, value
    numbers = [_number(n) for n in value.split(",") if n]
    return name, numbers if "," in value else numbers[0]


def _operator(words):
    arrow = words.index("->")
    attributes = dict(_attribute(w) for w in words[arrow + 1 :] if "=" in w)
    inputs = ["" if w == "-" else w for w in words[1:arrow]]
    return helper.make_node(words[0], inputs, [w for w in words[arrow + 1 :] if "=" not in w], **attributes)


def _network(lines, generator):
    name, *opset = lines[0].split()
    parts = {"in": [], "out": [], "weights": [], "op": []}
    positive = set()
    for line in lines[1:]:
        kind, *words = line.split()
        if kind in ("in", "out"):
            parts[kind].append(helper.make_tensor_value_info(words[0], TensorProto.FLOAT, _shape(words[1])))
            if words[2:] == ["positive"]:
                positive.add(words[0])
        elif kind == "op":
            parts[kind].append(_operator(words))
        else:
            parts["weights"].append(_weights([kind, *words], generator))
    graph = helper.make_graph(parts["op"], name, parts["in"], parts["out"], parts["weights"])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", int(opset[0]) if opset else 13)])
    model.ir_version = 8
    onnx.checker.check_model(model)
    return name, model, positive


def networks(table=TABLE, seed_by_name=False):
    """Yields (name, model, names of the inputs that must be positive) in the order of the table.

    With `seed_by_name` a network's weights hang on its name and not on its place in the table.
    """
    generator = np.random.default_rng(WEIGHTS_SEED)
    text = "\n".join(line for line in table.read_text().split("\n") if not line.startswith("#"))
    for block in text.split("\n\n"):
        lines = [line for line in block.split("\n") if line.strip()]
        if lines:
            if seed_by_name:
                generator = np.random.default_rng([WEIGHTS_SEED, zlib.crc32(lines[0].split()[0].encode())])
            yield _network(lines, generator)
