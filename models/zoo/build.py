"""Builds the zoo: every network in fp16 and int8 with inputs, expected outputs and the vendor simulator's. README.md has the formats.

    models/setup.sh && target/venv/bin/python models/zoo/build.py --out DIR [--only GLOB] [--list] [--jobs 1]

What is already there and came from the same network, inputs, toolkit and recipe is left alone, so a stopped run goes on where it was.
One JSON line on stdout per finished build.
"""

import argparse
import fnmatch
import hashlib
import json
import os
import pathlib
import re
import signal
import sys
import tempfile
import time
import traceback
from importlib.metadata import version

import numpy as np
import recipes  # noqa: I001  (makes the modules below importable)
import decide
import one
import toolkit

VERSION = 1  # count up when one.py or decide.py changes what comes out
PRECISIONS = ("fp16", "int8")
SECONDS = 3600  # for one build; calibrating PP-OCRv4 rec takes longest
HERE = pathlib.Path(__file__).resolve().parent


class Index:
    """DIR/index.json: one entry per build. Written anew after each, so that a stopped run loses nothing."""

    def __init__(self, folder):
        self.path = folder / "index.json"
        known = json.loads(self.path.read_text()) if self.path.exists() else []
        self.entries = {(e["name"], e["precision"]): e for e in known}

    def put(self, entry):
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


class Children:
    """Processes that build, a few at a time. The toolkit may die and takes its process with it, so each build has its own: a fork, which
    costs a tenth of what a new process that loads the toolkit does."""

    def __init__(self, most=1, seconds=SECONDS):
        self.most, self.seconds, self.running = most, seconds, {}

    def start(self, log, work, done):
        """Runs `work(report)` in a child and then `done(facts)` here: what the child last reported, or why it could not."""
        while len(self.running) >= self.most:
            self.wait_for_one()
        handle, result = tempfile.mkstemp(suffix=".json")
        os.close(handle)
        sys.stdout.flush()
        child = os.fork()
        if child == 0:
            self.in_the_child(log, pathlib.Path(result), work)
        self.running[child] = pathlib.Path(result), log, done

    def in_the_child(self, log, result, work):
        code = 1
        try:
            with open(log, "wb") as out:
                os.dup2(out.fileno(), 1)
                os.dup2(out.fileno(), 2)
            signal.alarm(self.seconds)
            work(lambda **facts: result.write_text(json.dumps(facts)))
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)

    def wait_for_one(self):
        child, status = os.waitpid(-1, 0)
        result, log, done = self.running.pop(child)
        text = result.read_text()
        result.unlink()
        facts = json.loads(text) if text else {}
        if os.WIFSIGNALED(status):
            name = signal.Signals(os.WTERMSIG(status)).name
            if facts.get("simulator") == "it died":
                facts["simulator"] = f"died with {name}"
            elif not facts:
                facts = dict(status="refused", reason=f"the toolkit died with {name}")
        elif status or not facts:
            raise RuntimeError(f"a build failed, see {log}")
        if facts["status"] == "refused":
            facts["reason"] = reason_in(log.read_text(errors="replace"), facts["reason"])
        done(facts)

    def wait(self):
        while self.running:
            self.wait_for_one()

    def stop(self):
        for child in self.running:
            os.kill(child, signal.SIGKILL)


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


class Builder:
    """What the scripts that build have in common: the index, the lines on stdout, the children. `build` makes one build, of arguments that
    `run` gets in a list."""

    def __init__(self, folder, total, children):
        (folder / "logs").mkdir(parents=True, exist_ok=True)
        self.folder, self.total, self.done, self.children = folder, total, 0, children
        self.index = Index(folder)

    def tell(self, entry, cached):
        self.done += 1
        line = {k: entry[k] for k in ("name", "precision", "status", "reason", "seconds") if k in entry}
        print(json.dumps(line | {"cached": cached, "done": self.done, "total": self.total}), flush=True)

    def is_current(self, key, build):
        """Says so on stdout, too."""
        entry = self.index.current(self.folder, key, build)
        if entry:
            self.tell(entry, cached=True)
        return entry is not None

    def start(self, build, key, work, keep):
        """Runs `work(report)` in a child; `keep` says which files of an entry stay, as paths below the folder."""
        name, precision = build
        log = self.folder / "logs" / f"{name}-{precision}.txt"
        begun = time.monotonic()

        def done(facts):
            entry = {"name": name, "precision": precision, "key": key, **facts, "seconds": round(time.monotonic() - begun, 1)}
            entry["files"] = {f: digest_of(self.folder / f) for f in keep(entry)}
            self.index.put(entry)
            self.tell(entry, cached=False)

        self.children.start(log, work, done)

    def run(self, builds):
        from rknn.api import RKNN  # noqa: F401  (loaded once, before the forks)

        try:
            for build in builds:
                self.build(*build)
            self.children.wait()
        finally:
            self.children.stop()


class Zoo(Builder):
    def build(self, name, precision):
        recipe = recipes.recipe(name, self.folder / "packages", precision)
        key = key_of(recipe, precision)
        if self.is_current(key, (name, precision)):
            return
        for leftover in outputs_of(self.folder, name, precision):
            if not leftover.startswith(f"{name}/input-"):
                (self.folder / leftover).unlink()
        work = lambda report: one.run(recipe, precision, self.folder, report)  # noqa: E731
        self.start((name, precision), key, work, lambda entry: self.kept(recipe, entry))

    def kept(self, recipe, entry):
        name, precision = entry["name"], entry["precision"]
        if recipe.judged and entry["status"] == "ok":
            entry["same"] = decisions(self.folder, name, recipe)[precision]
            entry["judged"] = len(recipe.judged)
        made = outputs_of(self.folder, name, precision)
        if entry["status"] != "refused":
            return made
        # A refused build leaves nothing: an .rknn without a golden cannot be judged.
        for path in made:
            if path.startswith(f"{name}-"):
                (self.folder / path).unlink()
        return []


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", type=pathlib.Path, help="the folder to build in")
    parser.add_argument("--only", default="*", metavar="GLOB", help="networks by name")
    parser.add_argument("--list", action="store_true", help="print the names and stop")
    parser.add_argument("--jobs", type=int, default=1, help="builds at a time")
    options = parser.parse_args()
    names = [n for n in recipes.names() if fnmatch.fnmatchcase(n, options.only)]
    if options.list:
        print("\n".join(names))
        return
    if not options.out or not names:
        parser.error("--out is missing" if names else f"no network is called {options.only}; see --list")
    builds = [(name, precision) for name in names for precision in PRECISIONS]
    Zoo(options.out.resolve(), len(builds), Children(options.jobs)).run(builds)


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    main()
