"""Tests of contrib's lazy imports, of its left-out names as a whole, and of its old paths."""

import importlib
import inspect
import pathlib
import re
import subprocess
import sys

import pytest

from legacy import contrib
from legacy.contrib import _missing
from legacy.names import contrib_aliases

MINE = (
    "cluster_resolver",
    "data",
    "deprecated",
    "distribute",
    "distributions",
    "eager",
    "estimator",
    "factorization",
    "feature_column",
    "learn",
    "linear_optimizer",
    "lookup",
    "metrics",
    "predictor",
    "saved_model",
    "stateless",
    "summary",
    "tensorboard",
    "tfprof",
    "tpu",
    "training",
    "util",
)


def test_importing_contrib_imports_none_of_its_parts():
    code = (
        "import sys; from legacy import contrib; dir(contrib);"
        "print([n for n in sys.modules if n.startswith('legacy.contrib.') or n == 'tensorflow'])"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert result.stdout.strip() == "['legacy.contrib._missing']"


@pytest.mark.parametrize("group", MINE)
def test_a_part_is_imported_when_it_is_asked_for(group):
    assert getattr(contrib, group).__name__ == f"legacy.contrib.{group}"


@pytest.mark.parametrize("group", MINE)
def test_all_names_what_there_is(group):
    module = getattr(contrib, group)
    for name in getattr(module, "__all__", ()):
        assert hasattr(module, name), name


def test_what_is_left_out_is_left_out():
    for path in _missing.rows():
        module, _, name = path.rpartition(".")
        if not module:
            assert name not in contrib.GROUPS, path
        elif module in MINE and name not in vars(getattr(contrib, module)):
            with pytest.raises(AttributeError, match="is not provided"):
                getattr(getattr(contrib, module), name)


def test_what_is_there_and_listed_refuses():
    listed = {path.rpartition(".")[::2] for path in _missing.rows()}
    refusing = [
        getattr(getattr(contrib, module), name)
        for module, name in sorted(listed)
        if module in MINE and name in vars(getattr(contrib, module))
    ]
    assert len(refusing) > 5
    for each in refusing:
        with pytest.raises(NotImplementedError, match="is not provided: .*; "):
            each()


@pytest.mark.parametrize("old", sorted(contrib_aliases.ALIASES))
def test_an_old_path_leads_somewhere(old):
    module, _, name = contrib_aliases.ALIASES[old].partition(":")
    found = importlib.import_module(module)
    assert not name or inspect.isclass(getattr(found, name))


def test_the_old_paths_that_programs_import_have_the_names_they_import():
    for path, name in (
        ("training.python.training.hparam", "HParams"),
        ("training.python.training.evaluation", "checkpoints_iterator"),
        ("learn.python.learn.learn_runner", "run"),
        ("learn.python.learn.experiment", "Experiment"),
        ("learn.python.learn.estimators.run_config", "ClusterConfig"),
        ("learn.python.learn.estimators.run_config", "TaskType"),
        ("learn.python.learn.estimators.estimator", "SKCompat"),
        ("learn.python.learn.estimators.dnn", "DNNRegressor"),
        ("learn.python.learn.estimators.svm", "SVM"),
        ("learn.python.learn.datasets.base", "maybe_download"),
        ("learn.python.learn.datasets.mnist", "read_data_sets"),
        ("learn.python.learn.utils.saved_model_export_utils", "make_export_strategy"),
        ("learn.python.learn.utils.input_fn_utils", "build_parsing_serving_input_fn"),
        ("tpu.python.tpu.tpu_config", "InputPipelineConfig"),
        ("tpu.python.tpu.tpu_estimator", "TPUEstimator"),
        ("tpu.python.tpu.tpu_estimator", "ExportSavedModelApiVersion"),
        ("tpu.python.tpu.tpu_optimizer", "CrossShardOptimizer"),
        ("tpu.python.tpu.bfloat16", "bfloat16_scope"),
        ("tpu.python.tpu.util", "check_positive_integer"),
    ):
        assert hasattr(importlib.import_module(contrib_aliases.ALIASES[path]), name), (path, name)


def test_the_readme_counts_the_users_of_each_part():
    """The folder is frozen: a new part needs a row, and with it a counted user."""
    folder = pathlib.Path(contrib.__file__).parent
    rows = re.findall(r"^\| `(\w+)` \|", (folder / "README.md").read_text(), re.MULTILINE)
    modules = {path.stem for path in folder.glob("[a-z]*.py")}
    packages = {path.parent.name for path in folder.glob("*/__init__.py")}
    assert sorted(rows) == sorted(modules | packages)
