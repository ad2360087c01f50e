"""What the emulator is timed against: ONNX Runtime and the vendor's PC simulator, one thread each. `cargo xtask bench` drives it.

    python benches/peers.py PACKAGES

Takes commands on standard input, one a line, and answers each with one line of JSON on standard output:

    load NAME PRECISION     a network of models/zoo/recipes.py, fp16 or int8 (that is for the simulator; ONNX Runtime computes in float32)
    onnx                    one run; {"seconds": ...}
    simulator               one run; {"seconds": ...}
"""

import json
import os
import pathlib
import sys
import tempfile
import time

# One processor, whatever the libraries think; and the protocol keeps the standard output for itself, on which the toolkit talks.
os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1")
os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
ANSWERS = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)

import numpy as np  # noqa: E402
import onnx  # noqa: E402
import onnxruntime  # noqa: E402

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent.parent / "models" / "zoo")]

import recipes  # noqa: E402
import toolkit  # noqa: E402


class Peers:
    """One network, ready to run in both."""

    def __init__(self, name, precision, packages):
        source, member, shape, *_ = recipes.REAL[name]
        package = recipes._package(source, packages)
        model = toolkit.with_input_shape(onnx.load_from_string(recipes._member(package, member)), shape)
        self.tensor = model.graph.input[0].name
        self.values = np.random.default_rng(1).normal(0, 1, shape).astype(np.float32)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        self.session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
        self.scratch = tempfile.TemporaryDirectory()
        calibration = None
        if precision == "int8":
            sample = pathlib.Path(self.scratch.name) / "sample.npy"
            np.save(sample, self.values)
            calibration = [[sample]]
        self.compiled = toolkit.compiled(model, pathlib.Path(self.scratch.name) / f"{name}.rknn", calibration)
        self.rknn = self.compiled.__enter__()
        toolkit.require(self.rknn.init_runtime() == 0, "the toolkit's simulator does not start")

    def onnx(self):
        self.session.run(None, {self.tensor: self.values})

    def simulator(self):
        self.rknn.inference(inputs=[self.values], data_format=["nchw"])

    def close(self):
        self.compiled.__exit__(None, None, None)
        self.scratch.cleanup()


def timed(run):
    start = time.perf_counter()
    run()
    return {"seconds": time.perf_counter() - start}


def main():
    packages = pathlib.Path(sys.argv[1])
    packages.mkdir(parents=True, exist_ok=True)
    peers = None
    for line in sys.stdin:
        command, *arguments = line.split()
        try:
            if command == "load":
                if peers:
                    peers.close()
                peers = Peers(*arguments, packages)
                answer = {}
            else:
                answer = timed(getattr(peers, command))
        except Exception as error:  # the toolkit raises whatever it likes
            answer = {"error": toolkit.last_line(error)}
        print(json.dumps(answer), file=ANSWERS, flush=True)


if __name__ == "__main__":
    main()
