"""Collects what the toolkit prints about the cost of each layer while it compiles the zoo: cycles of DDR and NPU, KB read.

    models/setup.sh && target/venv/bin/python models/zoo/cycles.py [--out models/zoo/cycles.tsv] [--only GLOB]

Nothing is kept of the compiled networks: the programs are those of build.py, and do not depend on what is calibrated. Layers without
figures (0/0/0: all but convolutions and matrix products) are left out. Takes three minutes.
"""

import argparse
import fnmatch
import os
import pathlib
import re
import signal
import sys
import tempfile
from importlib.metadata import version

import recipes  # noqa: I001  (makes the modules below importable)
import one
import toolkit

HERE = pathlib.Path(__file__).resolve().parent
SECONDS = 300  # for one build
# ID OpType DataType Target InputShape OutputShape Cycles(DDR/NPU/Total) RW(KB) FullName
ROW = re.compile(r"(\d+)\s+(\S+)\s+\S+\s+(?:NPU|CPU)\s+\S+\s+\S+\s+(\d+)/(\d+)/(\d+)\s+(\d+)\s+(.*?)\s*$")
HEAD = """\
# What rknn-toolkit2 {version} prints about the layers of the zoo when it compiles them for rk3588 with verbose=True ("Network Layer
# Information Table"), collected by cycles.py. The total it prints is the larger of ddr and npu everywhere. Layers with 0/0/0 are left out.
build\toperator\ttype\tddr\tnpu\tread_kb
"""


def compile_one(name, precision):
    """In a process of its own: the toolkit may die, and writes to the process's output."""
    recipe = recipes.recipe(name, HERE.parents[1] / "target" / "zoo" / "packages", precision)
    with tempfile.TemporaryDirectory() as scratch:
        samples = None
        if precision == "int8":
            samples = one.save_samples(pathlib.Path(scratch), recipe.calibration[:1])
        options = dict(zip(("mean", "std"), recipe.normalise or ()))
        with toolkit.compiled(recipe.model, pathlib.Path(scratch) / "model.rknn", samples, verbose=True, **options):
            pass


def log_of(name, precision):
    with tempfile.TemporaryFile() as log:
        if (child := os.fork()) == 0:
            signal.alarm(SECONDS)
            os.dup2(log.fileno(), 1)
            os.dup2(log.fileno(), 2)
            try:
                compile_one(name, precision)
            except Exception as error:  # whatever the toolkit raises: it refuses some networks
                print(error, file=sys.stderr)
            finally:
                os._exit(0)
        os.waitpid(child, 0)
        log.seek(0)
        return re.sub(r"\x1b\[[0-9;]*m", "", log.read().decode(errors="replace"))


def layers(log):
    """The rows of the last table: the toolkit prints one per attempt."""
    lines = [re.sub(r"^D RKNN: \[[0-9:.]+\] ", "", line) for line in log.split("\n")]
    starts = [i for i, line in enumerate(lines) if "Cycles(DDR/NPU/Total)" in line]
    for line in lines[starts[-1] + 2 :] if starts else ():
        if line.startswith("---"):
            return
        if found := ROW.match(line):
            operator, kind, ddr, npu, total, kb, _ = found.groups()
            toolkit.require(int(total) == max(int(ddr), int(npu)), f"the total is not the larger of both: {line}")
            if int(total):
                yield f"{operator}\t{kind}\t{ddr}\t{npu}\t{kb}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", type=pathlib.Path, default=HERE / "cycles.tsv")
    parser.add_argument("--only", default="*", metavar="GLOB", help="networks by name")
    options = parser.parse_args()
    text = HEAD.format(version=version("rknn-toolkit2"))
    for name in recipes.names():
        if fnmatch.fnmatchcase(name, options.only):
            for precision in ("fp16", "int8"):
                text += "".join(f"{name}-{precision}\t{row}\n" for row in layers(log_of(name, precision)))
    half = options.out.with_suffix(".part")
    half.write_text(text)
    half.replace(options.out)


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    main()
