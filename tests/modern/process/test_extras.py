"""Tests of `modern.process.extras`, which checks that the packages of an extra are installed."""

import ast
import configparser
import pathlib
import re
import sys

import pytest

from modern.process import cli, extras

ROOT = pathlib.Path(__file__).resolve().parents[3]
# What setup.cfg always installs, and what TensorFlow itself needs.
CORE = {"absl", "google", "keras", "numpy", "tensorflow", "tf_keras"}
# The functions that import these raise an error that names them.
OPTIONAL = {"legacy": {"pandas", "sklearn"}, "migrate": {"jax"}}
EXTRA_OF = {"modern": "launch", "migrate": "migrate", "benchmarks": "compare"}


def imported(package):
    """Returns the top modules that the files of a package import."""
    found = set()
    for path in (ROOT / package).rglob("*.py"):
        if path.name in ("old.py", "new.py") or {"examples", "baselines"} & {*path.parts}:
            continue  # The programs of recipes and of rules, and those of other environments.
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                found |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and not node.level:
                found.add(node.module.partition(".")[0])
    return found


@pytest.mark.parametrize("package", ["modern", "legacy", "migrate", "benchmarks"])
def test_a_package_imports_only_the_modules_of_its_extra(package):
    own = {"modern", "legacy", "migrate", "benchmarks"}
    others = imported(package) - own - CORE - set(sys.stdlib_module_names)
    of_extra = set(extras.MODULES[EXTRA_OF[package]]) if package in EXTRA_OF else set()
    assert others <= of_extra | OPTIONAL.get(package, set())


@pytest.mark.parametrize("extra", extras.MODULES)
def test_the_modules_are_those_of_setup_cfg(extra):
    config = configparser.ConfigParser()
    config.read(ROOT / "setup.cfg")
    packages = re.findall(r"^[a-z0-9]+", config["options.extras_require"][extra], re.MULTILINE)
    assert sorted(extras.MODULES[extra]) == sorted(
        {"pyyaml": "yaml"}.get(package, package) for package in packages
    )


def test_a_missing_module_is_misuse_and_an_import_error(monkeypatch):
    monkeypatch.setitem(sys.modules, "rich", None)
    with pytest.raises(cli.UsageError, match=r"^rich must be .*estimator-ladder\[migrate\]'$"):
        extras.check("migrate", "rich", "scipy")
    with pytest.raises(ImportError):
        extras.check_all("compare", "benchmarks")
