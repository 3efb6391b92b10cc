"""What the modules of `legacy` have, read from their source: importing them imports TensorFlow.

>>> has("legacy.contrib.layers", "l2_regularizer")
True
"""

from __future__ import annotations

import ast
import functools
import os
import pathlib

_ROOT = str(pathlib.Path(__file__).resolve().parents[3])
# Modules that find names when they are asked for them: where these are.
_SHOWN_THROUGH = {
    "legacy.contrib.slim": ("legacy.contrib.layers", "legacy.contrib.framework"),
    "legacy.contrib.eager": (),
    "legacy.contrib.keras": (),
}
_MADE_LATER = {"legacy.contrib.eager": ("metrics",)}


def is_module(name: str) -> bool:
    """Says whether a full name is that of a module of `legacy`."""
    return _file(name) is not None


def has(module: str, name: str) -> bool:
    """Says whether a module of `legacy` has a name when it has been imported.

    Args:
      module: The module's full name.
      name: The name; one of its own modules counts where it imports that, or does so when asked.
    """
    if module == "legacy.contrib":
        return is_module(f"{module}.{name}") and not name.startswith("_")
    if module == "legacy.contrib.keras":
        return True  # What tf.keras has.
    if name in _names(module) or name in _MADE_LATER.get(module, ()):
        return True
    return any(name in _names(shown) for shown in _SHOWN_THROUGH.get(module, ()))


@functools.cache
def origin(module: str, name: str) -> tuple[str, str]:
    """Returns where something is defined that a module of `legacy` has.

    Args:
      module: The module's full name.
      name: Its name there.

    Returns:
      (the module, the name); those that were given where it is defined there, or it cannot be told.
    """
    for node in _tree(module).body:
        if not isinstance(node, ast.ImportFrom):
            continue
        source = node.module or ""
        for alias in node.names:
            if (alias.asname or alias.name) == name and _file(source):
                return origin(source, alias.name)
            if alias.name == "*" and name in _starred(source) and name not in _bound_in(module):
                return origin(source, name)
    return module, name


def _bound_in(module: str) -> set[str]:
    return {name for node in _tree(module).body for name in _bound(node)}


def _file(module: str) -> str | None:
    if module.partition(".")[0] != "legacy":
        return None
    path = os.path.join(_ROOT, *module.split("."))
    for file in (f"{path}.py", os.path.join(path, "__init__.py")):
        if os.path.isfile(file):
            return file
    return None


@functools.cache
def _names(module: str) -> frozenset[str]:
    """The names that a module binds, and of its own modules those that are imported with it."""
    file = _file(module)
    if file is None:
        return frozenset()
    found: set[str] = set()
    for node in _tree(module).body:
        found |= _bound(node)
        for part in ast.walk(node):
            if isinstance(part, ast.ImportFrom) and part.names[0].name == "*":
                found |= _starred(part.module or "")
    if file.endswith("__init__.py"):
        found |= _loaded_below(module)
    return frozenset(found)


def _bound(node: ast.stmt) -> set[str]:
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return {node.name}
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return {alias.asname or alias.name.partition(".")[0] for alias in node.names}
    targets = node.targets if isinstance(node, ast.Assign) else []
    if isinstance(node, ast.AnnAssign):
        targets = [node.target]
    return {part.id for target in targets for part in ast.walk(target) if _is_name(part)}


def _is_name(node: ast.AST) -> bool:
    return isinstance(node, ast.Name)


def _starred(module: str) -> set[str]:
    """The names that `from module import *` brings."""
    return _listed(module) or {name for name in _names(module) if not name.startswith("_")}


@functools.cache
def _listed(module: str) -> frozenset[str]:
    """The names of a module's `__all__`, if it is a plain list."""
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
def _loaded_below(package: str) -> frozenset[str]:
    """The modules of a package that its own files import, so that they are there."""
    folder = os.path.dirname(_file(package) or "")
    found = set()
    for name in sorted(os.listdir(folder)):
        if not name.endswith(".py"):
            continue
        with open(os.path.join(folder, name), encoding="utf-8") as text:
            source = text.read()
        if name != "__init__.py" and not _imports(package, name.removesuffix(".py")):
            continue
        for node in ast.walk(ast.parse(source)):
            module = node.module or "" if isinstance(node, ast.ImportFrom) else ""
            if module.startswith(f"{package}."):
                found.add(module.removeprefix(f"{package}.").partition(".")[0])
    return frozenset(found)


def _imports(package: str, name: str) -> bool:
    """Says whether the package itself imports one of its modules."""
    with open(_file(package) or "", encoding="utf-8") as text:
        source = text.read()
    return f"{package}.{name} " in source or f"import {name}" in source
