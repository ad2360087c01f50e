"""Builds one network in one precision."""

import pathlib
import tempfile

import numpy as np
import recipes  # noqa: I001, F401  (makes the modules below importable)
import toolkit

SMALLEST = 1e-3  # scores below it are stored as 0 in the twenty inputs of text and boxes; README.md


def save_samples(folder, samples):
    files = []
    for i, sample in enumerate(samples):
        files.append([folder / f"{i:02}-{j}.npy" for j in range(len(sample))])
        for path, values in zip(files[-1], sample.values()):
            np.save(path, values)
    return files


def reference(recipe, precision, inputs):
    """ONNX Runtime's outputs; for fp16 with the inputs and weights that an fp16 device has."""
    inputs = recipe.reference_inputs(inputs)
    if precision == "fp16":
        return toolkit.run(toolkit.rounded(toolkit.folded(recipe.model)), {k: toolkit.half(v) for k, v in inputs.items()})
    return toolkit.run(recipe.model, inputs)


def simulate(rknn, outputs, samples):
    """The PC simulator's outputs for each of `samples`, named and checked against `outputs`."""
    toolkit.require(rknn.init_runtime() == 0, "the toolkit's simulator does not start")
    for inputs in samples:
        values = rknn.inference(inputs=list(inputs.values()), data_format=["nchw"] * len(inputs))
        toolkit.require(values is not None and len(values) == len(outputs), "the toolkit's simulator gives no result")
        named = dict(zip(outputs, values))
        for tensor, expected in outputs.items():
            shape = named[tensor].shape
            toolkit.require(shape == expected.shape, f"the simulator gives {tensor} as {list(shape)} instead of {list(expected.shape)}")
        yield named


def sparse(recipe, outputs):
    if recipe.decision not in ("text", "boxes"):
        return outputs
    return {k: np.where(v < SMALLEST, 0, v) for k, v in outputs.items()}


def write_judged(recipe, folder, precision, rknn, outputs):
    """NAME/input-NN.npz and NAME/PRECISION-NN.npz."""
    folder.mkdir(exist_ok=True)
    if recipe.decision == "text":
        (folder / "charset.txt").write_text("".join(c + "\n" for c in recipe.characters()), encoding="utf-8", newline="\n")
    for i, inputs in enumerate(recipe.judged):
        truth = toolkit.run(recipe.model, recipe.reference_inputs(inputs))
        toolkit.save_golden(folder / f"input-{i:02}.npz", **{"in": inputs, "out": sparse(recipe, truth)})
    for i, simulated in enumerate(simulate(rknn, outputs, recipe.judged)):
        toolkit.save_golden(folder / f"{precision}-{i:02}.npz", sim=sparse(recipe, simulated))


def with_simulator(report, work):
    """A build is fine without the simulator, which may raise or take the process with it."""
    report(status="ok", simulator="it died")
    try:
        work()
    except OSError:
        raise
    except Exception as error:  # whatever the simulator raises
        report(status="ok", simulator=toolkit.last_line(error))
    else:
        report(status="ok")


def build(recipe, precision, outputs, folder, report):
    name = recipe.name
    golden = folder / f"{name}-{precision}.npz"

    def simulated(rknn):
        values = next(simulate(rknn, outputs, [recipe.inputs]))
        toolkit.save_golden(golden, **{"in": recipe.inputs, "out": outputs, "sim": values})
        if recipe.judged:
            write_judged(recipe, folder / name, precision, rknn, outputs)

    with tempfile.TemporaryDirectory() as scratch:
        samples = save_samples(pathlib.Path(scratch), recipe.calibration) if precision == "int8" else None
        options = dict(zip(("mean", "std"), recipe.normalise or ()))
        with toolkit.compiled(recipe.model, folder / f"{name}-{precision}.rknn", samples, recipe.algorithm, **options) as rknn:
            toolkit.save_golden(golden, **{"in": recipe.inputs, "out": outputs})
            with_simulator(report, lambda: simulated(rknn))


def or_refused(report, work):
    """Does `work`; what the toolkit raises in it is a refusal."""
    try:
        work()
    except OSError:  # a full disk, say
        raise
    except Exception as error:  # whatever the toolkit raises
        report(status="refused", reason=toolkit.last_line(error))


def run(recipe, precision, folder, report):
    """Everything for one build; `report` is told how it went, and once before what the process may die of."""
    # What goes wrong here is a mistake of ours.
    outputs = reference(recipe, precision, recipe.inputs)
    or_refused(report, lambda: build(recipe, precision, outputs, folder, report))
