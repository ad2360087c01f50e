"""An empty stand-in for PyTorch.

rknn-toolkit2 imports torch when it starts, yet needs it for nothing but loading PyTorch models. We give it ONNX only, so a package
whose every attribute is an inert object saves an installation of several gigabytes. Anything that truly computed with it would
fail loudly: an inert object has no numbers in it.
"""

import importlib.abc
import importlib.machinery
import sys
import types

__version__ = "2.4.0"  # the newest the toolkit's metadata allows
__path__ = []


def _lookup(name):
    """Every ordinary name exists; dunder names do not, so that Python's own protocols see nothing unusual."""
    if name.startswith("__") and name.endswith("__"):
        raise AttributeError(name)
    return Inert


class _InertType(type):
    def __getattr__(cls, name):
        return _lookup(name)


class Inert(metaclass=_InertType):
    """Can be subclassed, called, used as a decorator's factory or asked for attributes; never does anything."""

    def __init__(self, *args, **kwargs):
        pass

    def __call__(self, *args, **kwargs):
        return self

    def __getattr__(self, name):
        return _lookup(name)


class _Submodule(types.ModuleType):
    __path__ = []

    def __getattr__(self, name):
        return _lookup(name)


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Answers `import torch.anything.at.all` with an empty module."""

    def find_spec(self, name, path=None, target=None):
        if name.startswith(__name__ + "."):
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec):
        return _Submodule(spec.name)

    def exec_module(self, module):
        pass


sys.meta_path.insert(0, _Finder())


def __getattr__(name):
    return _lookup(name)
