"""Nothing but legacy/original.py imports what is private to TensorFlow."""

import ast
import pathlib

import pytest

ROOT = pathlib.Path(__file__).parents[2]
PACKAGES = ("modern", "legacy", "benchmarks")
FILES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
THE_ONE = ROOT / "legacy" / "original.py"
PRIVATE = ("tensorflow.python", "tf_keras.src", "keras.src")


def private_imports(text):
    """Returns the private modules that a program imports."""
    found = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            found += [f"{node.module}.{alias.name}" for alias in node.names]
    return [name for name in found if name.startswith(PRIVATE)]


@pytest.mark.parametrize("package", PACKAGES)
def test_only_public_modules_are_imported(package):
    for path in FILES:
        if path != THE_ONE and path.is_relative_to(ROOT / package):
            assert private_imports(path.read_text()) == [], path


def test_a_private_import_is_seen():
    assert private_imports("def f():\n  from tensorflow.python import tf2")
    assert private_imports(THE_ONE.read_text())
