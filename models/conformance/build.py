"""Compiles the ONNX backend's node tests with rknn-toolkit2, for `cargo xtask conformance`.

    models/setup.sh && target/venv/bin/python models/conformance/build.py --out DIR [--only GLOB] [--list]

Stopping, going on, index.json and the JSON lines are as in ../zoo/build.py. Each test becomes DIR/NAME-fp16.rknn and DIR/NAME-fp16.npz:
`in.TENSOR` and `out.TENSOR` are the test's own, `sim.TENSOR` is what the toolkit's PC simulator answers.
"""

import argparse
import copy
import fnmatch
import hashlib
import json
import os
import pathlib
import re
import sys
import zipfile
from importlib.metadata import version

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "zoo")]

import build  # noqa: E402
import numpy as np  # noqa: E402
import onnx  # noqa: E402
import recipes  # noqa: E402, F401  (makes the modules below importable)
import toolkit  # noqa: E402
from one import or_refused, simulate, with_simulator  # noqa: E402
from onnx import TensorProto, numpy_helper  # noqa: E402

VERSION = 2  # count up when what comes out changes for another reason than a test
TESTS = ("onnx==1.22.0", "--python-version", "3.12", "--only-binary=:all:")
INSIDE = re.compile(r"onnx/backend/test/data/node/(test_\w+)/model\.onnx")
OPSET, IR_VERSION = 19, 9  # the newest that rknn-toolkit2 takes
FLOAT = (TensorProto.FLOAT,)
PLAIN = (*FLOAT, TensorProto.INT32, TensorProto.INT64, TensorProto.BOOL)
# The forms of Constant that hold numbers.
CONSTANTS = dict(value=None, value_float=np.float32, value_floats=np.float32, value_int=np.int64, value_ints=np.int64)
SECONDS = 120  # for one test


def is_a(value, types):
    return value.type.WhichOneof("value") == "tensor_type" and value.type.tensor_type.elem_type in types


def has_static_floats(model):
    """Whether some input is float32, all of those have fixed shapes, and the other inputs and the outputs are plain tensors."""
    floats = [v for v in model.graph.input if is_a(v, FLOAT)]
    dims = [d for v in floats for d in v.type.tensor_type.shape.dim]
    static = all(d.WhichOneof("value") == "dim_value" and d.dim_value > 0 for d in dims)
    return bool(floats) and static and all(is_a(v, PLAIN) for v in (*model.graph.input, *model.graph.output))


def tensors(archive, folder, kind, values):
    """The test's first data set, by name of the graph's inputs or outputs."""
    out = {}
    for i, value in enumerate(values):
        tensor = TensorProto()
        tensor.ParseFromString(archive.read(f"{folder}/test_data_set_0/{kind}_{i}.pb"))
        out[value.name] = numpy_helper.to_array(tensor)
    return out


def prepared(model, inputs):
    """`model` as the toolkit can take it: other inputs than float32 and Constant nodes, of which the toolkit knows one form only,
    become initializers; later versions of operators, which mostly add types, are named by the newest opset the toolkit knows, where
    ONNX finds nothing wrong with that."""
    model = copy.deepcopy(model)
    for value in [v for v in model.graph.input if not is_a(v, FLOAT)]:
        model.graph.initializer.append(numpy_helper.from_array(inputs[value.name], value.name))
        model.graph.input.remove(value)
    for node in [n for n in model.graph.node if n.op_type == "Constant" and n.attribute[0].name in CONSTANTS]:
        value = onnx.helper.get_attribute_value(node.attribute[0])
        array = numpy_helper.to_array(value) if isinstance(value, TensorProto) else np.array(value, CONSTANTS[node.attribute[0].name])
        model.graph.initializer.append(numpy_helper.from_array(array, node.output[0]))
        model.graph.node.remove(node)
    older = copy.deepcopy(model)
    older.ir_version = min(model.ir_version, IR_VERSION)
    for opset in older.opset_import:
        if opset.domain in ("", "ai.onnx"):
            opset.version = min(opset.version, OPSET)
    try:
        onnx.checker.check_model(older)
    except onnx.checker.ValidationError:
        return model
    return older


class Tests:
    def __init__(self, folder):
        self.archive = zipfile.ZipFile(recipes.package(TESTS, folder / "packages"))
        found = (INSIDE.fullmatch(name) for name in self.archive.namelist())
        self.names = sorted(match[1] for match in found if match)

    def model(self, name):
        return onnx.load_from_string(self.archive.read(f"onnx/backend/test/data/node/{name}/model.onnx"))

    def chosen(self, pattern):
        """The tests with static float32 inputs."""
        return [n for n in self.names if fnmatch.fnmatchcase(n, pattern) and has_static_floats(self.model(n))]

    def case(self, name):
        model = self.model(name)
        folder = f"onnx/backend/test/data/node/{name}"
        return model, tensors(self.archive, folder, "input", model.graph.input), tensors(self.archive, folder, "output", model.graph.output)


def compile_one(model, inputs, outputs, target, report):
    model = prepared(model, inputs)
    given = {v.name: inputs[v.name] for v in model.graph.input}
    golden = target.with_suffix(".npz")

    def simulated(rknn):
        values = next(simulate(rknn, outputs, [given]))
        toolkit.save_golden(golden, **{"in": given, "out": outputs, "sim": values})

    def work():
        with toolkit.compiled(model, target) as rknn:
            toolkit.save_golden(golden, **{"in": given, "out": outputs})
            with_simulator(report, lambda: simulated(rknn))

    or_refused(report, work)


class Conformance(build.Builder):
    def __init__(self, folder, tests, total, children):
        super().__init__(folder, total, children)
        self.tests = tests

    def build(self, name):
        model, inputs, outputs = self.tests.case(name)
        digest = hashlib.sha256(json.dumps([VERSION, version("rknn-toolkit2"), *TESTS]).encode())
        digest.update(model.SerializeToString(deterministic=True))
        key = digest.hexdigest()
        if self.is_current(key, (name, "fp16")):
            return
        target = self.folder / f"{name}-fp16.rknn"
        made = [target, target.with_suffix(".npz")]

        def kept(entry):
            if entry["status"] == "refused":
                for path in made:
                    path.unlink(missing_ok=True)
            return [path.name for path in made if path.exists()]

        self.start((name, "fp16"), key, lambda report: compile_one(model, inputs, outputs, target, report), kept)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", type=pathlib.Path, required=True, help="the folder to build in")
    parser.add_argument("--only", default="*", metavar="GLOB", help="tests by name")
    parser.add_argument("--list", action="store_true", help="print the names and stop")
    parser.add_argument("--jobs", type=int, default=1, help="builds at a time")
    options = parser.parse_args()
    folder = options.out.resolve()
    tests = Tests(folder)
    names = tests.chosen(options.only)
    if options.list:
        print("\n".join(names))
        return
    if not names:
        parser.error(f"no test is called {options.only}; see --list")
    Conformance(folder, tests, len(names), build.Children(options.jobs, SECONDS)).run([(name,) for name in names])


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    main()
