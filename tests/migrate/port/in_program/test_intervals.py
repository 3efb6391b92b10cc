"""Tests that no save or evaluation of a recorded program depends on the clock."""

import types

import pytest
import tensorflow as tf

from migrate.port.in_program import intervals
from modern.porting.training import evaluations, stopping_callbacks
from modern.training import saving

tf1 = tf.compat.v1


@pytest.fixture
def patched():
    """Returns a function that patches a subclass of a class of a module, and the notes."""
    notes = []
    patches = intervals.patches(lambda: notes.append("due"))

    def patch(module_name, kind):
        copy = type(kind.__name__, (kind,), {})
        patches[module_name](types.SimpleNamespace(**{kind.__name__: copy}))
        return copy, notes

    return patch


def test_a_timer_of_a_saver_triggers_at_its_first_step_only(patched):
    timer_kind, notes = patched(
        "tensorflow.python.training.basic_session_run_hooks", tf1.train.SecondOrStepTimer
    )
    timer = timer_kind(every_secs=1e-9)
    assert timer.should_trigger_for_step(1)
    timer.update_last_triggered_step(1)
    assert not timer.should_trigger_for_step(2)
    assert notes == ["due"]
    patient = timer_kind(every_secs=1000)
    patient.update_last_triggered_step(1)
    assert not patient.should_trigger_for_step(2)
    assert notes == ["due"]
    by_step = timer_kind(every_steps=2)
    by_step.update_last_triggered_step(1)
    assert [by_step.should_trigger_for_step(step) for step in (2, 3)] == [False, True]
    always = timer_kind(every_secs=0)  # EvalSpec(throttle_secs=0) evaluates each checkpoint.
    always.update_last_triggered_step(1)
    assert always.should_trigger_for_step(2)


def test_log_lines_come_by_the_clock(patched):
    timer_kind, notes = patched(
        "tensorflow.python.training.basic_session_run_hooks", tf1.train.SecondOrStepTimer
    )

    class LoggingTensorHook:
        def __init__(self):
            self.timer = timer_kind(every_secs=1e-9)
            self.timer.update_last_triggered_step(1)

        def is_due(self):
            return self.timer.should_trigger_for_step(2)

    assert LoggingTensorHook().is_due()
    assert notes == []


@pytest.mark.parametrize("failures", [0, 1])
def test_a_saver_of_keras_only_retries_by_the_clock(patched, failures):
    saver_kind, notes = patched("modern.training.saving", saving.Saver)
    saver = object.__new__(saver_kind)
    saver._rule = saving.SaveRule(every_secs=1e-9, retry_secs=1e-9)
    saver._last_time, saver._failures = 0.0, failures
    assert saver.is_due_by_time() == bool(failures)
    assert notes == ["due"][failures:]


@pytest.mark.parametrize(
    ("throttle_secs", "steps", "due"),
    [(1e-9, [1], ["due", "due"]), (600, [1], []), (0, [1, 2, 3], [])],
)
def test_a_throttled_evaluation_runs_once(patched, throttle_secs, steps, due):
    kind, notes = patched("modern.porting.training.evaluations", evaluations.PeriodicEvaluation)
    evaluation, evaluated = kind(None, throttle_secs), []
    evaluation._evaluate = lambda step: (
        evaluated.append(step),
        setattr(evaluation, "_last", (step, 0.0 if throttle_secs < 1 else 1e12)),
    )
    evaluation._evaluations = types.SimpleNamespace(keeping_metrics=lambda: tf1.name_scope("x"))
    for step in (1, 2, 3):
        evaluation.after_save(step)
    assert (evaluated, notes) == (steps, due)


def test_early_stopping_looks_once(patched, tmp_path):
    kind, notes = patched(
        "modern.porting.training.stopping_callbacks", stopping_callbacks.EarlyStopping
    )
    callback = object.__new__(kind)
    callback._secs, callback._steps, callback._last_check = 1e-9, None, (1, 0.0)
    assert not callback.wishes(2)
    assert notes == ["due"]
