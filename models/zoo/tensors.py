"""What the PC simulator computes between the operators of the int8 real networks, for `cargo xtask isolate`; README.md has the format.

    models/setup.sh && target/venv/bin/python models/zoo/tensors.py --out DIR [--only GLOB]

DIR is the folder of build.py. The toolkit tells its tensors only of a network that it has just compiled, so each is compiled again,
from the same calibration; what is already there and came from the same recipe is left alone.
"""

import argparse
import contextlib
import fnmatch
import os
import pathlib
import tempfile

import numpy as np
import recipes  # noqa: I001  (makes the modules below importable)
import build
import one
import toolkit


def simulated(rknn, inputs, scratch):
    """Name -> values of every tensor that the simulator computes from `inputs`."""
    files = one.save_samples(scratch, [inputs])[0]
    status = rknn.accuracy_analysis(inputs=[str(f) for f in files], output_dir=str(scratch / "analysis"), target=None)
    toolkit.require(status == 0, "the toolkit's accuracy analysis fails")
    rows = (scratch / "analysis/map_name_to_file.txt").read_text().splitlines()[2:]  # under a head and a rule
    names = {file.removesuffix(".txt"): name for name, file in map(str.split, filter(str.strip, rows))}
    arrays = (scratch / "analysis/simulator/npy").glob("*.npy")
    return {names[path.stem]: np.load(path) for path in arrays if path.stem in names}


@contextlib.contextmanager
def output_to(path):
    """Sends what this process prints, the toolkit's progress above all, to a file."""
    kept = [os.dup(1), os.dup(2)]
    with open(path, "wb") as log:
        os.dup2(log.fileno(), 1)
        os.dup2(log.fileno(), 2)
        try:
            yield
        finally:
            os.dup2(kept[0], 1)
            os.dup2(kept[1], 2)


def write(name, folder):
    recipe = recipes.recipe(name, folder / "packages", "int8")
    key = build.key_of(recipe, "int8")
    out, mark = folder / f"{name}-int8.tensors.npz", folder / f"{name}-int8.tensors.key"
    if out.exists() and mark.exists() and mark.read_text() == key:
        return
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        (scratch / "calibration").mkdir()
        samples = one.save_samples(scratch / "calibration", recipe.calibration)
        options = dict(zip(("mean", "std"), recipe.normalise or ()))
        with toolkit.compiled(recipe.model, scratch / f"{name}.rknn", samples, recipe.algorithm, **options) as rknn:
            tensors = simulated(rknn, recipe.inputs, scratch)
    part = folder / f"{name}-int8.part.npz"
    toolkit.save_golden(part, **{"in": recipe.inputs, "sim": tensors})
    part.rename(out)
    mark.write_text(key)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", type=pathlib.Path, required=True, help="the folder of build.py")
    parser.add_argument("--only", metavar="GLOB", help="networks by name instead of the real ones")
    options = parser.parse_args()
    folder = options.out.resolve()
    (folder / "logs").mkdir(parents=True, exist_ok=True)
    for name in fnmatch.filter(recipes.names(), options.only) if options.only else recipes.REAL:
        with output_to(folder / "logs" / f"{name}-tensors.txt"):
            write(name, folder)


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    main()
