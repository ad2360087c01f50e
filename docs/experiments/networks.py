"""Small networks of our own and the vendor's compiler around them, for the experiments in this folder.

Needs a Python 3.11 environment with rknn-toolkit2 (2.2.0, 2.3.0, 2.3.2 or 2.5.0), onnx and numpy. The toolkit imports
PyTorch at start but uses it only for PyTorch models; an empty stand-in module named torch is enough.

    python networks.py NAME OUT.rknn          compile one network
    python networks.py                        list their names
"""
import os
import sys
import tempfile

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper


def values(name, *shape, scale=0.1):
    """Constants that depend on name and shape only."""
    seed = sum(map(ord, name)) + sum(shape)
    return numpy_helper.from_array((np.random.RandomState(seed).randn(*shape) * scale).astype(np.float32), name)


def model(nodes, inputs, outputs, constants=()):
    """An ONNX model; inputs are (name, shape), outputs are names."""
    graph = helper.make_graph(
        nodes, "g",
        [helper.make_tensor_value_info(n, TensorProto.FLOAT, s) for n, s in inputs],
        [helper.make_tensor_value_info(n, TensorProto.FLOAT, None) for n in outputs],
        list(constants))
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)


def conv(channels=16, size=14, out=16, batch=1):
    return model([helper.make_node("Conv", ["x", "w", "b"], ["y"], pads=[1, 1, 1, 1])],
                 [("x", [batch, channels, size, size])], ["y"], [values("w", out, channels, 3, 3), values("b", out)])


def relu(channels=16, size=14):
    return model([helper.make_node("Relu", ["x"], ["y"])], [("x", [1, channels, size, size])], ["y"])


def silu(channels=16, size=14):
    return model([helper.make_node("Sigmoid", ["x"], ["s"]), helper.make_node("Mul", ["x", "s"], ["y"])],
                 [("x", [1, channels, size, size])], ["y"])


def erf(channels=16, size=6):
    return model([helper.make_node("Erf", ["x"], ["y"])], [("x", [1, channels, size, size])], ["y"])


def host_between(channels=16, size=8):
    """An operator that runs on the host between two that run on the NPU."""
    return model([helper.make_node("Relu", ["x"], ["r"]), helper.make_node("Exp", ["r"], ["e"]),
                  helper.make_node("MaxPool", ["e"], ["y"], kernel_shape=[2, 2], strides=[2, 2])],
                 [("x", [1, channels, size, size])], ["y"])


def two_inputs(channels=16, size=8):
    """Two inputs, two outputs, one intermediate tensor."""
    return model([helper.make_node("Add", ["a", "c"], ["s"]),
                  helper.make_node("Relu", ["s"], ["y"]),
                  helper.make_node("MaxPool", ["s"], ["z"], kernel_shape=[2, 2], strides=[2, 2])],
                 [("a", [1, channels, size, size]), ("c", [1, channels, size, size])], ["y", "z"])


def rgb(channels=3, height=10, width=18):
    """First layer of a picture network; the width is no multiple of 16."""
    return model([helper.make_node("Conv", ["x", "w"], ["y"], pads=[1, 1, 1, 1])],
                 [("x", [1, channels, height, width])], ["y"], [values("w", 16, channels, 3, 3)])


def dynamic():
    return model([helper.make_node("Relu", ["x"], ["y"])], [("x", ["n", 16, "h", "w"])], ["y"])


NETWORKS = {
    "conv": (conv, {}), "relu": (relu, {}), "silu": (silu, {}), "erf": (erf, {}), "two_inputs": (two_inputs, {}),
    "host_between": (host_between, {}),
    "rgb_int8": (rgb, {"quantize": True}),
    "rgb_mean": (rgb, {"mean_values": [[1, 2, 3]], "std_values": [[4, 5, 6]]}),
    "dynamic": (dynamic, {"dynamic_input": [[[1, 16, 8, 8]], [[1, 16, 4, 12]]]}),
}


def compile(network, out, quantize=False, dataset=None, target="rk3588", **config):
    """Compiles an ONNX model to the file `out`; `quantize` calibrates on fixed noise."""
    from rknn.api import RKNN
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "network.onnx")
        onnx.save(network, path)
        names = []
        for value in network.graph.input:
            shape = [d.dim_value for d in value.type.tensor_type.shape.dim]
            names.append(os.path.join(folder, value.name + ".npy"))
            if quantize:
                np.save(names[-1], np.random.RandomState(1).rand(*shape).astype(np.float32))
        listing = os.path.join(folder, "dataset.txt")
        with open(listing, "w") as file:
            file.write(" ".join(names) + "\n")
        toolkit = RKNN(verbose=False)
        try:
            toolkit.config(target_platform=target, **config)
            assert toolkit.load_onnx(model=path) == 0
            assert toolkit.build(do_quantization=quantize, dataset=listing if quantize else None) == 0
            assert toolkit.export_rknn(out) == 0
        finally:
            toolkit.release()


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("networks: " + " ".join(NETWORKS))
    make, options = NETWORKS[sys.argv[1]]
    compile(make(), sys.argv[2], **options)
