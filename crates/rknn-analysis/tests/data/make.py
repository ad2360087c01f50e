"""Makes stride50-fp16.rknn: `target/venv/bin/python crates/rknn-analysis/tests/data/make.py`; README.md says what it is."""

import pathlib
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[3] / "models"))

import toolkit  # noqa: E402

weights = np.random.default_rng(50).standard_normal((8, 8, 3, 3)).astype(np.float32)
graph = helper.make_graph(
    [helper.make_node("Conv", ["x", "w"], ["y"], strides=[50, 50], kernel_shape=[3, 3])],
    "stride50",
    [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 8, 60, 60])],
    [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 8, 2, 2])],
    [numpy_helper.from_array(weights, "w")],
)
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
with toolkit.compiled(model, HERE / "stride50-fp16.rknn"):
    pass
