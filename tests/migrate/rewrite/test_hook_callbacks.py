"""Hooks as callbacks: what they become, what stays and why."""

import re

import pytest

from migrate.rewrite import engine
from migrate.rewrite.source_file import Context
from tests.migrate.rewrite import tools

ESTIMATORS = tools.rule("modern", "estimators")
HEAD = """\
from legacy import estimator as e
import tensorflow as tf
t = tf.compat.v1.train
def input_fn():
    return tf.data.Dataset.range(3)
"""


def _rewritten(config, *trains, unsafe=False):
    made = f"job = e.Estimator(f, config={config})\n"
    text = HEAD + made + "".join(f"job.train(input_fn, {train})\n" for train in trains)
    context = Context(api="v2")
    outcome = engine.rewrite(text, ESTIMATORS, unsafe=unsafe, context=context)
    return outcome, [line for line in outcome.text.splitlines() if "callbacks" in line]


def test_a_saver_takes_the_place_of_the_estimators_own():
    config = "e.RunConfig('model', save_checkpoints_steps=5, keep_checkpoint_max=2)"
    saver = "t.CheckpointSaverHook('model', 60, save_steps=None)"
    outcome, lines = _rewritten(config, "steps=3", f"steps=3, hooks=[{saver}]")
    assert outcome.suggested == ()
    assert lines == [
        "callbacks = as_estimator.callbacks('model', save_steps=5, keep=2)",
        "job.fit(input_fn().take(3), callbacks=callbacks, verbose=2)",
        "job.fit(input_fn().take(3), callbacks=[*as_estimator.callbacks(), "
        "as_estimator.SaveCheckpoints('model', save_secs=60, keep=2)], verbose=2)",
    ]


def test_a_profile_is_one_of_tensorboards():
    profiler = "e.ProfilerHook(100, output_dir='logs')"
    outcome, lines = _rewritten("e.RunConfig('model')", f"hooks=[{profiler}]", unsafe=True)
    assert outcome.suggested == ()
    assert lines[1] == (
        "job.fit(input_fn(), callbacks=[*callbacks, "
        "as_estimator.Profile('logs', every_steps=100)], verbose=2)"
    )
    (made,) = _rewritten("e.RunConfig('model')", f"hooks=[{profiler}]")[0].suggested
    assert "Chrome traces" in made.reason


@pytest.mark.parametrize(
    ("hooks", "reason"),
    [
        ("hooks", "not seen"),
        ("[Mine()]", "recipes session_run_hook"),
        ("[t.FeedFnHook(f)]", "FeedFnHook in line 7.*recipes session_run_hook"),
        ("[t.StepCounterHook()]", "recipes logging_and_stop_hooks"),
        ("[t.SummarySaverHook(10, 'a')]", "recipes tensorboard"),
        ("[e.experimental.stop_if_lower_hook(a, 'loss', 1)]", "recipes early_stopping"),
        ("[t.CheckpointSaverHook('a', 5, listeners=[b])]", "more than where and how often"),
        ("[t.ProfilerHook(*a)]", "more than where and how often"),
    ],
)
def test_other_hooks_keep_the_estimator_and_the_reason_names_a_recipe(hooks, reason):
    outcome, _ = _rewritten("e.RunConfig('model')", f"hooks={hooks}", unsafe=True)
    (made,) = outcome.suggested
    assert not made.applicable
    assert re.search(reason, made.reason)


def test_a_training_with_contribs_early_stopping_stays_with_its_evaluations():
    text = (
        "from legacy import contrib\nfrom legacy import estimator as e\n"
        "def job(estimator, f):\n"
        "    e.train_and_evaluate(estimator, e.TrainSpec(f, hooks=[\n"
        "        contrib.estimator.stop_if_no_increase_hook(estimator, 'accuracy', 9)]),\n"
        "        e.EvalSpec(f))\n"
    )
    rules = tools.rule("modern", "train_and_evaluate")
    outcome = tools.check_noop(text, rules, unsafe=True, api="v2")
    assert "recipes early_stopping" in outcome.suggested[0].reason
