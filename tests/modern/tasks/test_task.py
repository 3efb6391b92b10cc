"""Tests of a task that trains and evaluates."""

import sys

from tests.cluster import trainings

PROGRAM = [sys.executable, "-m", "tests.modern.tasks.models_at_evaluation"]


def test_the_trained_model_is_gone_when_its_weights_are_evaluated(tmp_path):
    flags = ("--job=linear_regression", "--train_steps=4", "--warmup_steps=1", "--noexport")
    done = trainings.alone(tmp_path / "m", *flags, program=PROGRAM)
    assert "models: 0" in done.stdout.splitlines()
