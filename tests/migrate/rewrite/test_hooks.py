"""Tests for hooks that stop or log: their replacements, and the hooks that stay."""

import pytest

from tests.migrate.rewrite import tools

HOOKS = tools.rule("modern", "hooks")
HEAD = "from legacy import estimator as e\nimport tensorflow as tf\n"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            "e.TrainSpec(f, hooks=[tf.compat.v1.train.StopAtStepHook(5)])",
            "max_steps from the first step",
        ),
        ("job.train(f, hooks=[tf.compat.v1.train.StopAtStepHook(*a)])", "is unknown"),
        ("job.train(f, [tf.compat.v1.train.StopAtStepHook(5)], 3)", "also has steps"),
    ],
)
def test_hooks_that_stop_otherwise_are_left_alone(text, reason):
    outcome = tools.check_noop(HEAD + text + "\n", HOOKS, unsafe=True, api="v2")
    assert reason in outcome.suggestions[0].reason


@pytest.mark.parametrize(
    ("hook", "reason"),
    [
        ("LoggingTensorHook({'a': 'b'}, 10)", "output is lost"),
        ("NanTensorHook(loss)", "a NaN loss"),
        ("StopAtStepHook(last_step=5)", "one more step"),
    ],
)
def test_hooks_whose_like_differs_are_only_suggested(hook, reason):
    text = f"{HEAD}job.train(f, hooks=[tf.compat.v1.train.{hook}, mine])\n"
    outcome = tools.check_noop(text, HOOKS, api="v2")
    assert reason in outcome.suggestions[0].reason
    assert outcome.suggestions[0].applicable
