"""Builds the zoo: every network in fp16 and int8 with inputs, expected outputs and the vendor simulator's. README.md has the formats.

    models/setup.sh && target/venv/bin/python models/zoo/build.py --out DIR [--only GLOB] [--list] [--jobs 1]

What is already there and came from the same network, inputs, toolkit and recipe is left alone, so a stopped run goes on where it was.
One JSON line on stdout per finished build.
"""

import argparse
import concurrent.futures
import fnmatch
import hashlib
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from importlib.metadata import version

import numpy as np
import recipes  # noqa: I001  (makes the modules below importable)
import decide
import toolkit

VERSION = 1  # count up when one.py or decide.py changes what comes out
PRECISIONS = ("fp16", "int8")
SECONDS = 3600  # for one build; calibrating PP-OCRv4 rec takes longest
HERE = pathlib.Path(__file__).resolve().parent


class Index:
    """DIR/index.json: one entry per build. Written anew after each, so that a stopped run loses nothing."""

    def __init__(self, folder):
        self.path = folder / "index.json"
        self.lock = threading.Lock()
        known = json.loads(self.path.read_text()) if self.path.exists() else []
        self.entries = {(e["name"], e["precision"]): e for e in known}

    def put(self, entry):
        with self.lock:
            self.entries[entry["name"], entry["precision"]] = entry
            write(self.path, [self.entries[k] for k in sorted(self.entries)])

    def current(self, folder, key, build):
        """The entry of `build` if it has this key and all its files are as they were written."""
        entry = self.entries.get(build)
        if entry and entry["key"] == key and all(digest_of(folder / f) == d for f, d in entry["files"].items()):
            return entry
        return None


def write(path, value):
    """JSON with one item of the outermost list or dict per line, all at once: a reader never sees half a file."""
    items = [json.dumps(v, ensure_ascii=False) for v in value]
    half = path.with_suffix(".part")
    half.write_text("[\n" + ",\n".join(items) + "\n]\n", encoding="utf-8")
    half.replace(path)


def digest_of(path):
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else None


def key_of(recipe, precision):
    """Says whether a build would come out the same."""
    facts = [VERSION, version("rknn-toolkit2"), version("onnxruntime"), precision, recipe.algorithm, recipe.normalise, recipe.decision]
    digest = hashlib.sha256(json.dumps(facts).encode())
    digest.update(recipe.model.SerializeToString(deterministic=True))
    for inputs in (recipe.inputs, *recipe.judged, *(recipe.calibration if precision == "int8" else ())):
        for values in inputs.values():
            digest.update(np.ascontiguousarray(values))
    return digest.hexdigest()


def outputs_of(folder, name, precision):
    """The files of a build, as paths below `folder`."""
    own = [folder / f"{name}-{precision}.rknn", folder / f"{name}-{precision}.npz"]
    inside = folder / name
    own += [*inside.glob("charset.txt"), *inside.glob("input-*.npz"), *inside.glob(f"{precision}-*.npz")]
    return sorted(str(p.relative_to(folder)) for p in own if p.exists())


def reason_in(log, fallback):
    """The toolkit's own last complaint in one line. Its exceptions come with tracebacks, its checks with one line that starts with E."""
    plain = re.sub(r"\x1b\[[0-9;]*m", "", log)
    complaints = [c for c in re.split(r"^(?=[EWID] )", plain, flags=re.M) if c.startswith("E ") and "rknn-toolkit2 version" not in c]
    return toolkit.last_line(complaints[-1][2:]) if complaints else fallback


def run_one(folder, name, precision, script="one.py"):
    """Builds in a process of its own; returns status, reason, and what became of the simulator if it failed."""
    with tempfile.TemporaryDirectory() as scratch:
        result = pathlib.Path(scratch) / "result.json"
        log = folder / "logs" / f"{name}-{precision}.txt"
        command = [sys.executable, str(HERE / script), name, precision, str(folder), str(result)]
        with open(log, "wb") as out:
            try:
                code = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=out, stderr=out, timeout=SECONDS).returncode
            except subprocess.TimeoutExpired:
                code = -signal.SIGKILL
        facts = json.loads(result.read_text()) if result.exists() else {}
        if code < 0 and facts.get("simulator") == "it died":
            facts["simulator"] = f"died with {signal.Signals(-code).name}"
        toolkit.require(code <= 0, f"{name} {precision}: {script} failed, see {log}")
        if not facts:
            facts = dict(status="refused", reason=f"the toolkit died with {signal.Signals(-code).name}")
        elif facts["status"] == "refused":
            facts["reason"] = reason_in(log.read_text(errors="replace"), facts["reason"])
        return facts


def decisions(folder, name, recipe):
    """DIR/NAME/decisions.json from the files beside it."""

    def member(path, group):
        with np.load(path) as golden:
            named = {k.split(".", 1)[1]: golden[k] for k in golden.files if k.startswith(group + ".")}
        return decide.decision(recipe.decision, named, recipe.characters())

    rows = []
    for path in sorted((folder / name).glob("input-*.npz")):
        number = path.stem.split("-")[1]
        row = {"input": number, "onnxruntime": member(path, "out")}
        for precision in PRECISIONS:
            simulated = folder / name / f"{precision}-{number}.npz"
            if simulated.exists():
                row |= {f"sim-{precision}": (got := member(simulated, "sim"))}
                row |= {f"same-{precision}": decide.same(recipe.decision, row["onnxruntime"], got)}
        rows.append(row)
    if rows:
        write(folder / name / "decisions.json", [{"kind": recipe.decision}, *rows])
    return {p: sum(r.get(f"same-{p}", False) for r in rows) for p in PRECISIONS}


class Run:
    def __init__(self, folder, names):
        self.folder, self.names = folder, names
        self.index = Index(folder)
        self.total, self.done = len(names) * len(PRECISIONS), 0
        self.packages = threading.Lock()

    def tell(self, entry, cached):
        with self.index.lock:
            self.done += 1
            line = {k: entry[k] for k in ("name", "precision", "status", "reason", "seconds") if k in entry}
            print(json.dumps(line | {"cached": cached, "done": self.done, "total": self.total}), flush=True)

    def network(self, name):
        for precision in PRECISIONS:
            with self.packages:  # two of them may want one download
                recipe = recipes.recipe(name, self.folder / "packages", precision)
            key = key_of(recipe, precision)
            if entry := self.index.current(self.folder, key, (name, precision)):
                self.tell(entry, cached=True)
                continue
            for leftover in outputs_of(self.folder, name, precision):
                if not leftover.startswith(f"{name}/input-"):
                    (self.folder / leftover).unlink()
            start = time.monotonic()
            facts = run_one(self.folder, name, precision)
            entry = {"name": name, "precision": precision, "key": key, **facts}
            entry["seconds"] = round(time.monotonic() - start, 1)
            if recipe.judged and entry["status"] == "ok":
                entry["same"] = decisions(self.folder, name, recipe)[precision]
                entry["judged"] = len(recipe.judged)
            # A refused build leaves nothing: an .rknn without a golden cannot be judged.
            made = outputs_of(self.folder, name, precision)
            if entry["status"] == "refused":
                for path in made:
                    if path.startswith(f"{name}-"):
                        (self.folder / path).unlink()
                made = []
            entry["files"] = {f: digest_of(self.folder / f) for f in made}
            self.index.put(entry)
            self.tell(entry, cached=False)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", type=pathlib.Path, help="the folder to build in")
    parser.add_argument("--only", default="*", metavar="GLOB", help="networks by name")
    parser.add_argument("--list", action="store_true", help="print the names and stop")
    parser.add_argument("--jobs", type=int, default=1, help="networks built at a time")
    options = parser.parse_args()
    names = [n for n in recipes.names() if fnmatch.fnmatchcase(n, options.only)]
    if options.list:
        print("\n".join(names))
        return
    if not options.out or not names:
        parser.error("--out is missing" if names else f"no network is called {options.only}; see --list")
    folder = options.out.resolve()
    (folder / "logs").mkdir(parents=True, exist_ok=True)
    run = Run(folder, names)
    pool = concurrent.futures.ThreadPoolExecutor(options.jobs)
    try:
        for future in [pool.submit(run.network, n) for n in names]:
            future.result()
    finally:
        pool.shutdown(cancel_futures=True)


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    main()
