"""Tests that imports by `importlib` go one way. The contract in setup.cfg checks the others."""

import ast
import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).parents[1]
FLOORS = ["modern", "legacy", "migrate", "benchmarks"]
# A string that consists of the name of a module may be an argument of importlib.
MODULE = re.compile(rf"({'|'.join(FLOORS)})(\.\w+)+")


def modules_named(path):
    """Yields the names of modules that occur as strings in a file."""
    for node in ast.walk(ast.parse(path.read_text())):
        text = node.value if isinstance(node, ast.Constant) else None
        if isinstance(text, str) and MODULE.fullmatch(text):
            yield text


@pytest.mark.parametrize("floor", FLOORS)
def test_no_module_of_a_higher_floor_is_named(floor):
    higher = FLOORS[FLOORS.index(floor) + 1 :]
    named = [
        (str(path.relative_to(ROOT)), name)
        for path in sorted((ROOT / floor).rglob("*.py"))
        for name in modules_named(path)
        if name.split(".")[0] in higher
    ]
    assert named == []


def test_a_module_that_importlib_would_import_is_seen(tmp_path):
    path = tmp_path / "reaches_up.py"
    path.write_text('import importlib\nimportlib.import_module("migrate.bridge.jobs.job").Job\n')
    assert [*modules_named(path)] == ["migrate.bridge.jobs.job"]
