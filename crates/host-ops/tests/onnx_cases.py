#!/usr/bin/env python3
"""Writes onnx_cases.jsonl from the backend node tests that the PyPI package onnx carries (1.22.0 was used; Apache-2.0).

    python onnx_cases.py ONNX-PACKAGE-DIRECTORY HOST-OPS-TABLE.rs > onnx_cases.jsonl

Kept are networks of one node whose operator is in the table, with tensors of numbers, at most 80 of them in a case, and one larger
case per operator. Left out
are variants that no compiled model was seen to leave to the host; the crate refuses them or has no such numbers.
"""

import collections
import json
import pathlib
import re
import sys

import numpy as np
import onnx
from onnx import numpy_helper

LEFT_OUT = [
    r"resize.*(cubic|antialias|tf_crop|axes_3_2)",
    r"averagepool.*(same|[13]d|dilations)",
    r"(bfloat16|float8|int4|float4|string|bfloat|e5m2|e4m3|e8m0|int2_|_int2)",
    r"averagepool_2d_ceil_last",  # its numbers have four digits
    r"cast(like)?_.*float16",  # rounded where it is stored, not by the operator
    r"(div|pow|mod).*int",
    r"test_(max|min|clip|add|sub|mul|greater|less|equal)_.*int",
]

LARGER = {"Pad": 400, "Slice": 1500, "Flatten": 300, "LRN": 1300}


def tensor(path):
    value = numpy_helper.to_array(onnx.load_tensor(path))
    if value.dtype.kind not in "fiub":
        raise ValueError(path)
    numbers = [float(str(np.float32(v))) if value.dtype.kind == "f" else int(v) for v in value.reshape(-1)]
    return {"shape": list(value.shape), "data": [v if np.isfinite(v) else str(v) for v in numbers]}


def case(folder):
    model = onnx.load(folder / "model.onnx")
    [node] = model.graph.node
    data = folder / "test_data_set_0"
    names = [port.name for port in model.graph.input]
    inputs = [tensor(data / f"input_{names.index(name)}.pb") if name else None for name in node.input]
    outputs = [tensor(data / f"output_{index}.pb") for index in range(len(model.graph.output))]
    attributes = {}
    for attribute in node.attribute:
        value = onnx.helper.get_attribute_value(attribute)
        attributes[attribute.name] = value.decode() if isinstance(value, bytes) else value
    return {"name": folder.name[5:], "kind": node.op_type, "attributes": attributes, "inputs": inputs, "outputs": outputs}


def main():
    known = set(re.findall(r'^    \("(\w+)",', pathlib.Path(sys.argv[2]).read_text(), re.M))
    kept = collections.Counter()
    for folder in sorted(pathlib.Path(sys.argv[1]).glob("backend/test/data/node/test_*")):
        name = folder.name
        if name.endswith("_expanded") or any(re.search(pattern, name.lower()) for pattern in LEFT_OUT):
            continue
        try:
            made = case(folder)
        except (KeyError, ValueError, TypeError, FileNotFoundError):  # other types, more nodes, sequences
            continue
        count = sum(len(each["data"]) for each in made["inputs"] + made["outputs"] if each)
        kind = made["kind"]
        larger = 80 < count <= LARGER.get(kind, 200) and kept[kind] < 1
        if kind in known and (count <= 80 or larger):
            kept[kind] += larger
            print(json.dumps(made))


main()
