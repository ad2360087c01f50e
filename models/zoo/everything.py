"""Builds the networks that only the comparison with the vendor's runtime needs, with the toolkit of this Python: the .rknn files alone.

    models/setup.sh 2.3.2 && target/venv-2.3.2/bin/python models/zoo/everything.py --out DIR [--only GLOB] [--list]

Stopping, going on and the JSON lines are as in build.py. TABLE says which toolkit compiles what.
"""

import argparse
import fnmatch
import hashlib
import json
import os
import pathlib
import tempfile
from importlib.metadata import version

import build
import published
import recipes
import toolkit
import transformers
from one import or_refused, save_samples
from ops.make import golden_inputs
from random_cnns import random_cnn

VERSION = 1  # count up when what comes out changes for another reason than a network
TOOLKITS = ("2.2.0", "2.3.0", "2.3.2", "2.5.0")
BOTH = ("fp16", "int8")
KEPT_APART = dict(optimization_level=0, float_dtype="float16", disable_rules=transformers.UNFUSED)
LEFT_FREE = dict(optimization_level=0, float_dtype="float16", disable_rules=transformers.APART)

# On a Split or Concat with a Reshape beside it these rules of 2.5.0 raise; the toolkit's own message says to switch them off.
RESHAPES_STAY = dict(disable_rules=["reduce_reshape_op_around_split", "reduce_reshape_op_around_concat"])

CNNS = {name: build for name, build in published.NETWORKS.items() if name != "yolov8n"}
DECODED = {"yolov8n": published.yolov8n}
RANDOM = {f"random_cnn{n:02}": lambda n=n: random_cnn(n) for n in range(60)}
BLOCKS = {f"random_transformer{n:02}": lambda n=n: transformers.random_block(n) for n in range(20)}
SHARDS = {"l0_mlp": transformers.l0_mlp, "l0_attn_unfused": transformers.l0_attn_unfused}
FUSED = {"l0_attn_fused": transformers.l0_attn_fused}

# networks, toolkits, precisions, settings of the toolkit. build.py builds the small zoo with 2.5.0.
TABLE = (
    (CNNS, TOOLKITS, BOTH, {}),
    (DECODED, TOOLKITS, BOTH, RESHAPES_STAY),
    (RANDOM, TOOLKITS, BOTH, {}),
    (BLOCKS, TOOLKITS, BOTH, RESHAPES_STAY),
    (SHARDS, ("2.3.2",), ("fp16",), KEPT_APART),
    (FUSED, ("2.3.2",), ("fp16",), LEFT_FREE),
    (recipes.names(), ("2.2.0", "2.3.0", "2.3.2"), BOTH, {}),
)


def jobs():
    """Network, precision and settings for every build of this toolkit."""
    have = version("rknn-toolkit2")
    for networks, toolkits, precisions, settings in TABLE:
        if have in toolkits:
            yield from ((name, precision, settings) for name in networks for precision in precisions)


def recipe(name, packages):
    for networks, *_ in TABLE:
        if name in networks and isinstance(networks, dict):
            model = networks[name]()
            inputs = golden_inputs(name, model, set())
            return recipes.Recipe(name, model, inputs, [inputs])
    return recipes.recipe(name, packages)


def key_of(made, precision, settings):
    """Says whether a build would come out the same."""
    digest = hashlib.sha256(json.dumps([VERSION, settings]).encode())
    digest.update(build.key_of(made, precision).encode())
    return digest.hexdigest()


def compile_one(made, precision, settings, target, report):
    options = dict(zip(("mean", "std"), made.normalise or ())) | settings
    with tempfile.TemporaryDirectory() as scratch:
        samples = save_samples(pathlib.Path(scratch), made.calibration) if precision == "int8" else None
        def work():
            with toolkit.compiled(made.model, target, samples, made.algorithm, **options):
                report(status="ok")

        or_refused(report, work)


class Everything(build.Builder):
    def build(self, name, precision, settings):
        made = recipe(name, self.folder / "packages")
        key = key_of(made, precision, settings)
        if self.is_current(key, (name, precision)):
            return
        target = self.folder / f"{name}-{precision}.rknn"
        target.unlink(missing_ok=True)

        def kept(entry):
            if entry["status"] == "refused":
                target.unlink(missing_ok=True)
            return [target.name] if target.exists() else []

        self.start((name, precision), key, lambda report: compile_one(made, precision, settings, target, report), kept)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", type=pathlib.Path, help="the folder to build in")
    parser.add_argument("--only", default="*", metavar="GLOB", help="builds by name, like l0_mlp-fp16")
    parser.add_argument("--list", action="store_true", help="print the builds and stop")
    parser.add_argument("--jobs", type=int, default=1, help="builds at a time")
    options = parser.parse_args()
    chosen = [job for job in jobs() if fnmatch.fnmatchcase(f"{job[0]}-{job[1]}", options.only)]
    if options.list:
        print("\n".join(f"{name}-{precision}" for name, precision, _ in chosen))
        return
    if not options.out:
        parser.error("--out is missing")
    Everything(options.out.resolve(), len(chosen), build.Children(options.jobs)).run(chosen)


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    main()
