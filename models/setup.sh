#!/bin/sh
# Makes the Python environment in which models/*/make.py run. Safe to run again; does nothing when all is in place.
#
#   models/setup.sh                     rknn-toolkit2 2.5.0; the environment goes to target/venv
#   models/setup.sh 2.3.2               another version of it; the environment goes to target/venv-2.3.2
#   FERRITE_VENV=/somewhere/else models/setup.sh
set -eu

models=$(cd "$(dirname "$0")" && pwd)
usual=2.5.0
toolkit=${1:-$usual}
[ "$toolkit" = "$usual" ] && folder=venv || folder=venv-$toolkit
venv=${FERRITE_VENV:-$models/../target/$folder}

fail() { echo "models/setup.sh: $1" >&2; exit 1; }

cat <<'TEXT'
This installs rknn-toolkit2, which is Rockchip's and not part of Ferrite. Rockchip's licence for it covers developing and testing
software for Rockchip chips; read it before you use the toolkit for anything else.
TEXT

[ "$(uname -s)-$(uname -m)" = Linux-x86_64 ] || fail "rknn-toolkit2 $toolkit has wheels for Linux on x86-64 only, this is $(uname -s)-$(uname -m)"

if [ ! -x "$venv/bin/python" ]; then
    command -v python3.11 >/dev/null 2>&1 || fail "python3.11 not found: the toolkit's wheel wants exactly Python 3.11 (Debian: python3.11-venv; or pyenv, uv)"
    python3.11 -m venv "$venv" || fail "cannot make a virtual environment at $venv (Debian needs python3.11-venv)"
fi
"$venv/bin/python" -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' || fail "$venv holds another Python than 3.11: remove it or set FERRITE_VENV"

ready() {
    "$venv/bin/python" - "$models/requirements.txt" "$toolkit" <<'PY'
import sys
from importlib.metadata import version, PackageNotFoundError
want = dict(line.split("==") for line in open(sys.argv[1]).read().split() if "==" in line)
want |= {"rknn-toolkit2": sys.argv[2], "torch": "2.4.0"}
def have(name):
    try:
        return version(name)
    except PackageNotFoundError:
        return None
wrong = {n: (v, have(n)) for n, v in want.items() if have(n) != v}
for name, (wanted, found) in wrong.items():
    print(f"  {name}: want {wanted}, found {found}")
sys.exit(bool(wrong))
PY
}

if ! ready; then
    pip="$venv/bin/python -m pip --disable-pip-version-check --quiet"
    # --no-deps: the toolkit asks for PyTorch and a windowed OpenCV; requirements.txt names what it really uses.
    $pip install --no-deps "rknn-toolkit2==$toolkit" || fail "cannot install rknn-toolkit2 $toolkit: is the package index reachable?"
    $pip install --no-deps -r "$models/requirements.txt" || fail "cannot install models/requirements.txt: is the package index reachable?"
    # A copy, because building in place would leave build folders in the source tree.
    copy=$(mktemp -d)
    trap 'rm -rf "$copy"' EXIT
    cp -r "$models/torch_placeholder" "$copy/"
    $pip install --no-deps --no-build-isolation "$copy/torch_placeholder" || fail "cannot install the torch placeholder"
    ready || fail "the environment is still not as wanted (see above)"
fi
"$venv/bin/python" -c 'from rknn.api import RKNN' >/dev/null || fail "rknn-toolkit2 is installed but does not start"
echo "ready: $venv/bin/python"
