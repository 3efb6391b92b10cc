"""Tests for hooks as callbacks: their replacements, and the hooks that stay with the reason."""

import re

import pytest

from migrate.rewrite.engine import fixed_point
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
    plan = tools.plan(api="v2")
    outcome = fixed_point.rewrite(text, ESTIMATORS, unsafe=unsafe, plan=plan)
    return outcome, [line for line in outcome.text.splitlines() if "callbacks" in line]


def test_a_saver_takes_the_place_of_the_estimators_own():
    config = "e.RunConfig('model', save_checkpoints_steps=5, keep_checkpoint_max=2)"
    saver = "t.CheckpointSaverHook('model', 60, save_steps=None)"
    outcome, lines = _rewritten(config, "steps=3", f"steps=3, hooks=[{saver}]")
    assert outcome.suggestions == ()
    assert "as_estimator.restore(job, 'model', save_steps=5, keep=2)" in outcome.text
    assert lines == [
        "job.fit(input_fn().take(3), callbacks=as_estimator.callbacks(job), verbose=2)",
        "job.fit(input_fn().take(3), callbacks=[*as_estimator.callbacks(), "
        "as_estimator.SaveCheckpoints('model', save_secs=60, keep=2)], verbose=2)",
    ]


def test_a_saver_in_another_function_does_not_know_how_many_are_kept():
    text = (
        f"{HEAD}def use(job):\n"
        "    job.train(input_fn, hooks=[t.CheckpointSaverHook('model', 60)])\n"
        "job = e.Estimator(f, 'model')\nuse(job)\n"
    )
    outcome = tools.check_noop(text, ESTIMATORS, unsafe=True, api="v2")
    assert "the number to keep is unknown" in outcome.suggestions[0].reason


def test_a_profile_is_one_of_tensorboards():
    profiler = "e.ProfilerHook(100, output_dir='logs')"
    outcome, lines = _rewritten("e.RunConfig('model')", f"hooks=[{profiler}]", unsafe=True)
    assert outcome.suggestions == ()
    assert lines == [
        "job.fit(input_fn(), callbacks=[*as_estimator.callbacks(job), "
        "as_estimator.Profile('logs', every_steps=100)], verbose=2)"
    ]
    (made,) = _rewritten("e.RunConfig('model')", f"hooks=[{profiler}]")[0].suggestions
    assert "Chrome traces" in made.reason


def test_a_look_by_steps_alone_is_none_by_seconds():
    hook = "e.experimental.stop_if_higher_hook(job, 'a', 9, 'logs', run_every_secs=None, {})"
    outcome, lines = _rewritten(
        "e.RunConfig('model')", f"hooks=[{hook.format('run_every_steps=5')}]", unsafe=True
    )
    assert outcome.suggestions == ()
    assert "run_every_secs=None, run_every_steps=5" in lines[0]


@pytest.mark.parametrize(
    ("hooks", "written"),
    [
        ("found", "*as_estimator.run_hooks(found)]"),
        ("get_hooks(flags, 3)", "*as_estimator.run_hooks(get_hooks(flags, 3))]"),
        ("[Mine(), mine]", "*as_estimator.run_hooks([Mine(), mine])]"),
        ("[mine, t.LoggingTensorHook({}, 1)]", "*as_estimator.run_hooks([mine])]"),
        (
            "[Mine(), t.CheckpointSaverHook('a', 5)]",
            "as_estimator.SaveCheckpoints('a', save_secs=5), *as_estimator.run_hooks([Mine()])]",
        ),
    ],
)
def test_hooks_of_the_programs_own_run_as_they_are(hooks, written):
    outcome, lines = _rewritten("e.RunConfig('model')", f"hooks={hooks}", unsafe=True)
    assert written in "".join(lines)
    assert outcome.suggestions == ()
    (made,) = _rewritten("e.RunConfig('model')", f"hooks={hooks}")[0].suggestions
    assert "custom hooks run only in processes with one replica" in made.reason


def test_the_session_debugger_is_dropped_and_said():
    hooks = "hooks=[tf.python.debug.LocalCLIDebugHook()]"
    outcome, lines = _rewritten("e.RunConfig('model')", hooks, unsafe=True)
    assert outcome.suggestions == ()
    assert "LocalCLIDebugHook" not in "".join(lines)
    (made,) = _rewritten("e.RunConfig('model')", hooks)[0].suggestions
    assert "the session debugger is dropped" in made.reason


@pytest.mark.parametrize(
    ("hooks", "reason"),
    [
        ("[t.FeedFnHook(f)]", "in line 7 takes FeedFnHook.*recipes session_run_hook"),
        ("[t.StopAtStepHook(9)]", "recipes logging_and_stop_hooks"),
        ("[e.experimental.make_early_stopping_hook(a, b)]", "recipes early_stopping"),
        ("[t.CheckpointSaverHook('a', 5, listeners=[b])]", "unsupported arguments"),
        ("[t.ProfilerHook(*a)]", "unsupported arguments"),
        ("[t.CheckpointSaverHook(save_steps=5)]", "in line 7 lacks checkpoint_dir"),
        ("[e.experimental.stop_if_higher_hook(job, threshold=9)]", "lacks metric_name"),
        ("[e.experimental.stop_if_no_increase_hook(job, 'a')]", "lacks max_steps_without_increase"),
    ],
)
def test_other_hooks_keep_the_estimator_and_the_reason_names_a_recipe(hooks, reason):
    outcome, _ = _rewritten("e.RunConfig('model')", f"hooks={hooks}", unsafe=True)
    (made,) = outcome.suggestions
    assert not made.applicable
    assert re.search(reason, made.reason)


def test_hooks_that_no_call_passes_are_none():
    text = (
        f"{HEAD}def use(job, hooks=None):\n    job.train(input_fn, hooks=hooks)\n"
        "job = e.Estimator(f, 'model')\nuse(job)\n"
    )
    outcome = fixed_point.rewrite(text, ESTIMATORS, unsafe=True, plan=tools.plan(api="v2"))
    assert "job.fit(input_fn(), callbacks=as_estimator.callbacks(job), verbose=2)" in outcome.text
