"""Makes this folder: small networks compiled for RK3588, with inputs and the outputs to expect.

    models/setup.sh && target/venv/bin/python models/ops/make.py [NAME ...]
"""

import pathlib
import sys
import tempfile
import zlib

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import toolkit  # noqa: E402
from networks import networks  # noqa: E402

# One of each kind of arithmetic. int8 programs differ from fp16 ones in structure and not only in scales.
ALSO_INT8 = """conv3x3 dwconv groupconv deconv maxpool avgpool add mul concat sigmoid prelu resblock softmax matmul conv_s2_rgb
transpose""".split()


def golden_inputs(name, model, positive):
    """Normally distributed fp16 values; the seed hangs on the network's name, not on its place in the table."""
    generator = np.random.default_rng(zlib.crc32(name.encode()))
    inputs = {}
    for tensor in model.graph.input:
        values = generator.standard_normal([d.dim_value for d in tensor.type.tensor_type.shape.dim])
        inputs[tensor.name] = toolkit.half(np.abs(values) if tensor.name in positive else values)
    return inputs


def make_fp16(name, model, inputs):
    """The outputs are ONNX Runtime's in float32 on fp16 inputs and weights: what an fp16 device with wide sums should give."""
    toolkit.save_golden(HERE / f"{name}.npz", **{"in": inputs, "out": toolkit.run(toolkit.rounded(model), inputs)})
    with toolkit.compiled(model, HERE / f"{name}-fp16.rknn"):
        pass


def make_int8(name, model, inputs):
    """Calibrated on the very input of the golden, so that no output is clipped and differences are rounding alone."""
    outputs = toolkit.run(model, inputs)
    with tempfile.TemporaryDirectory() as scratch:
        files = [pathlib.Path(scratch) / f"{tensor}.npy" for tensor in inputs]
        for path, values in zip(files, inputs.values()):
            np.save(path, values)
        with toolkit.compiled(model, HERE / f"{name}-int8.rknn", [files]) as rknn:
            simulated = dict(zip(outputs, toolkit.simulate(rknn, list(inputs.values()), "nchw")))
    toolkit.save_golden(HERE / f"{name}-int8.npz", **{"in": inputs, "out": outputs, "sim": simulated})
    for tensor, expected in outputs.items():
        toolkit.require(simulated[tensor].shape == expected.shape, f"{name}: {tensor} comes back as {simulated[tensor].shape}")
        worst, largest = np.abs(simulated[tensor] - expected).max(), np.abs(expected).max()
        print(f"{name} int8: {tensor} at most {worst / largest:.1%} of its largest value off")


def main():
    chosen = sys.argv[1:]
    refused = []
    for name, model, positive in networks():
        if chosen and name not in chosen:
            continue
        inputs = golden_inputs(name, model, positive)
        try:
            make_fp16(name, model, inputs)
        except Exception as error:  # whatever the toolkit raises
            reason = toolkit.last_line(error)
            refused.append(f"{name}: {reason}\n")
            print("refused", refused[-1], end="")
            continue
        if name in ALSO_INT8:
            make_int8(name, model, inputs)
    if not chosen:
        (HERE / "refused.txt").write_text("".join(refused))


if __name__ == "__main__":
    main()
