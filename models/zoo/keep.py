"""Copies the builds that chosen.txt names from a finished zoo into data/.

    target/venv/bin/python models/zoo/keep.py DIR
"""

import pathlib
import shutil
import sys

HERE = pathlib.Path(__file__).resolve().parent
LARGEST, TOTAL = 1_000_000, 5_000_000  # bytes: of a file, of all


def chosen():
    for line in (HERE / "chosen.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            name, *precisions = line.split()
            yield from (f"{name}-{p}{suffix}" for p in precisions for suffix in (".rknn", ".npz"))


def main():
    source, target = pathlib.Path(sys.argv[1]), HERE / "data"
    files = [source / name for name in chosen()]
    sizes = {f.name: f.stat().st_size for f in files}
    large = [name for name, size in sizes.items() if size > LARGEST]
    if large or sum(sizes.values()) > TOTAL:
        sys.exit(f"too much: {sum(sizes.values())} bytes in all, large {large}")
    target.mkdir(exist_ok=True)
    for old in target.iterdir():
        if old.name not in sizes:
            old.unlink()
    for file in files:
        shutil.copyfile(file, target / file.name)
    print(f"{len(files)} files, {sum(sizes.values())} bytes")


if __name__ == "__main__":
    main()
