"""Names in the modules of `legacy`, tf-keras and Keras 3, read from source.

An import would load TensorFlow.

>>> has("legacy.contrib.layers", "l2_regularizer")
True
"""

from __future__ import annotations

import ast
import functools
import importlib.util
import os
import pathlib

_ROOT = str(pathlib.Path(__file__).resolve().parents[3])
_KERAS = ("keras", "tf_keras")
# Modules that look up names on access (`__getattr__`), and the modules that have these names.
_FORWARDED = {
    "legacy.contrib.slim": ("legacy.contrib.layers", "legacy.contrib.framework"),
    "legacy.contrib.eager": (),
    "legacy.contrib.keras": (),
}
# Names that modules make on access.
_LAZY = {"legacy.contrib.eager": ("metrics",)}


def is_module(name: str) -> bool:
    """Says whether a full name is that of a module of `legacy`, tf-keras or Keras 3."""
    return _file(name) is not None


def has(module: str, name: str) -> bool:
    """Says whether a module of `legacy`, tf-keras or Keras 3 has a name once it is imported.

    Args:
      module: Full name of the module.
      name: The name. A submodule counts if the module imports it, at once or on access.
    """
    if module == "legacy.contrib":
        return is_module(f"{module}.{name}") and not name.startswith("_")
    if module == "legacy.contrib.keras":
        return True  # It forwards every name to tf.keras.
    if name in _names(module) or name in _LAZY.get(module, ()):
        return True
    return any(name in _names(source) for source in _FORWARDED.get(module, ()))


@functools.cache
def origin(module: str, name: str) -> tuple[str, str]:
    """Returns the place that defines a name of a module of `legacy`.

    Args:
      module: Full name of the module.
      name: Its name there.

    Returns:
      The module and the name. The arguments themselves, if the module defines the name or if the
      place cannot be determined.
    """
    for node in _tree(module).body:
        if not isinstance(node, ast.ImportFrom):
            continue
        source = node.module or ""
        for alias in node.names:
            if (alias.asname or alias.name) == name and _file(source):
                return origin(source, alias.name)
            if (
                alias.name == "*"
                and name in _starred_names(source)
                and name not in _names_bound_in(module)
            ):
                return origin(source, name)
    return module, name


def _names_bound_in(module: str) -> set[str]:
    return {name for node in _tree(module).body for name in _bound_names(node)}


def _file(module: str) -> str | None:
    package = module.partition(".")[0]
    root = _ROOT if package == "legacy" else _root_of(package) if package in _KERAS else None
    if root is None:
        return None
    path = os.path.join(root, *module.split("."))
    for file in (f"{path}.py", os.path.join(path, "__init__.py")):
        if os.path.isfile(file):
            return file
    return None


@functools.cache
def _root_of(package: str) -> str | None:
    """Returns the folder that holds a package, without importing it."""
    spec = importlib.util.find_spec(package)
    return os.path.dirname(os.path.dirname(spec.origin)) if spec and spec.origin else None


@functools.cache
def _names(module: str) -> frozenset[str]:
    """Returns the names that a module binds, including submodules that are imported with it."""
    file = _file(module)
    if file is None:
        return frozenset()
    names: set[str] = set()
    for node in _tree(module).body:
        names |= _bound_names(node)
        for part in ast.walk(node):
            if isinstance(part, ast.ImportFrom) and part.names[0].name == "*":
                names |= _starred_names(part.module or "")
    if file.endswith("__init__.py"):
        names |= _imported_submodules(module)
    return frozenset(names)


def _bound_names(node: ast.stmt) -> set[str]:
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return {node.name}
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return {alias.asname or alias.name.partition(".")[0] for alias in node.names}
    targets = node.targets if isinstance(node, ast.Assign) else []
    if isinstance(node, ast.AnnAssign):
        targets = [node.target]
    parts = (part for target in targets for part in ast.walk(target))
    return {part.id for part in parts if isinstance(part, ast.Name)}


def _starred_names(module: str) -> frozenset[str]:
    """Returns the names that `from module import *` brings."""
    return _listed_names(module) or frozenset(n for n in _names(module) if not n.startswith("_"))


@functools.cache
def _listed_names(module: str) -> frozenset[str]:
    """Returns the names of a module's `__all__`, if it is a plain list."""
    for node in _tree(module).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            parts = getattr(node.value, "elts", [])
            if all(isinstance(part, ast.Constant) for part in parts):
                return frozenset(part.value for part in parts)
    return frozenset()


@functools.cache
def _tree(module: str) -> ast.Module:
    with open(_file(module) or os.devnull, encoding="utf-8") as text:
        return ast.parse(text.read())


@functools.cache
def _imported_submodules(package: str) -> frozenset[str]:
    """Returns the submodules that files of a package import, so that they become attributes."""
    file = _file(package)
    if file is None:
        return frozenset()
    folder = os.path.dirname(file)
    names = set()
    for name in sorted(os.listdir(folder)):
        if not name.endswith(".py"):
            continue
        with open(os.path.join(folder, name), encoding="utf-8") as text:
            source = text.read()
        if name != "__init__.py" and f"{package}.{name[:-3]}" not in _imports(package):
            continue
        for node in ast.walk(ast.parse(source)):
            module = node.module or "" if isinstance(node, ast.ImportFrom) else ""
            if module.startswith(f"{package}."):
                names.add(module.removeprefix(f"{package}.").partition(".")[0])
    return frozenset(names)


@functools.cache
def _imports(package: str) -> frozenset[str]:
    """Returns the full names that a package imports, of modules and of their members."""
    names = set()
    for node in ast.walk(_tree(package)):
        if isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return frozenset(names)
