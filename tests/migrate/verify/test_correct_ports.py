"""Tests that correct ports pass: those of the documented jobs, and of programs in the old style."""

import importlib

import pytest

from migrate import verify
from migrate.checkpoint.naming import mapping
from migrate.verify import results
from tests.migrate.programs import jobs

PROGRAMS = [
    "bert_encoder",
    "contrib_cnn",
    "lstm_text",
    "multi_head",
    "resnet",
    "warm_start",
    "wide_deep_columns",
]
# The program `resnet` is a small version of the fourth job, resnet56_cifar10.
JOBS = ["linear_regression", "mnist_cnn", "wide_deep"]


def check_same(report):
    bad = [(level.number, level.verdict, level.findings) for level in report.levels[:6]]
    assert report.verdict == results.SAME, bad
    assert all(level.verdict == results.SAME for level in report.levels[:6])
    # The deviations are rounding, and leave at least half of the tolerance unused.
    assert max(level.worst.used for level in report.levels[:6] if level.worst) < 0.5


@pytest.mark.parametrize("name", PROGRAMS)
def test_passes_a_program(name):
    old = importlib.import_module(f"tests.migrate.programs.legacy_{name}")
    new = importlib.import_module(f"tests.migrate.programs.modern_{name}")
    report = verify.verify(
        old.model_fn,
        new.build_model,
        old.input_fn,
        eval_input_fn=old.eval_input_fn,
        params=old.params,
        tensor_map=mapping.TensorMap(pairs=dict(new.MAP)),
        metric_names=getattr(new, "METRICS", None),
        update_steps=2,
    )
    check_same(report)


@pytest.mark.parametrize("name", JOBS)
def test_passes_a_documented_job(name):
    old = importlib.import_module(f"legacy.jobs.{name}")
    given = mapping.TensorMap(pairs=dict(jobs.WIDE_DEEP_MAP)) if name == "wide_deep" else None
    report = verify.verify(
        old.model_fn,
        getattr(jobs, name),
        getattr(jobs, f"{name}_input_fn"),
        eval_input_fn=getattr(jobs, f"{name}_eval_input_fn"),
        params=getattr(jobs, f"{name}_params"),
        tensor_map=given,
        update_steps=2,
        eval_batches=2,
    )
    check_same(report)
