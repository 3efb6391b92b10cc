"""Tests that evaluations stop a training where the Estimator's hooks stop it."""

import pytest
import tensorflow as tf
import tf_keras

from legacy import estimator as tf_estimator
from legacy.estimator.hooks import early_stopping as hooks
from modern import porting
from modern.model_files import model_dirs
from modern.porting.training import stopping_callbacks
from modern.records import summaries

LOSSES = {0: 0.9, 10: 0.5, 20: 0.6, 30: 0.5, 40: 0.45, 50: 0.7}
RULES = {
    "stop_if_higher_hook": porting.StopIfHigher,
    "stop_if_lower_hook": porting.StopIfLower,
    "stop_if_no_increase_hook": porting.StopIfNoIncrease,
    "stop_if_no_decrease_hook": porting.StopIfNoDecrease,
}
STEPS = {"run_every_secs": None, "run_every_steps": 1}


def write(folder, until=50):
    writer = summaries.ScalarWriter(str(folder))
    for step, loss in LOSSES.items():
        if step <= until:
            writer.write(step, {"loss": loss, "other": 1.0})


def beside(stop, model_dir):
    """Attaches the callback to a model with a folder, and returns the callback."""
    model = tf_keras.Sequential()
    model_dirs.settle(model, str(model_dir), {})
    stop.set_model(model)
    return stop


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("min_steps", [0, 15])
def test_the_decision_is_that_of_the_hook(rule, min_steps, tmp_path):
    """The hook reads an Estimator's summaries. The callback reads the same ones, and its own."""
    estimator = tf_estimator.Estimator(lambda features: None, str(tmp_path / "a"))
    arguments = (0.46, 0.5, 0.89, 0.95) if "_no_" not in rule else (10, 20, 21, 40)
    said = []
    with tf.Graph().as_default():
        file = tf.compat.v1.summary.FileWriter(estimator.eval_dir())
    for until in LOSSES:
        value = tf.compat.v1.Summary.Value(tag="loss", simple_value=LOSSES[until])
        file.add_summary(tf.compat.v1.Summary(value=[value]), until)
        file.flush()
        write(tmp_path / "b" / "eval", until)
        for argument in arguments:
            hook = getattr(hooks, rule)(estimator, "loss", argument, min_steps=min_steps)
            expected = hook._should_stop_fn()
            for folder in ("a", "b"):
                made = RULES[rule]("loss", argument, min_steps=min_steps, **STEPS)
                stop = beside(made, tmp_path / folder)
                assert stop.wishes(until) == expected, (until, argument, folder)
            said.append(expected)
    file.close()
    assert {*said} == {True, False}


def test_where_the_evaluations_are(tmp_path):
    write(tmp_path / "eval_mine")
    elsewhere = str(tmp_path / "eval_mine")
    for where, expected in (
        ({"eval_name": "mine"}, True),
        ({"eval_dir": elsewhere}, True),
        ({}, False),
    ):
        stop = porting.StopIfHigher("loss", 0.8, **where, **STEPS)
        assert beside(stop, tmp_path).wishes(1) == expected
    assert stopping_callbacks.folder_of("a") == "a/eval"


def test_it_looks_when_it_is_due(tmp_path):
    def looked(**every):
        found = []

        class Rule:
            metric = "loss"

            def reason(self, evaluations):
                found.append([*evaluations])
                return ""

        write(tmp_path / "eval")
        stop = beside(stopping_callbacks.EarlyStopping(Rule(), **every), tmp_path)
        for step in range(1, 8):
            assert not stop.wishes(step)
        return len(found)

    assert looked(run_every_secs=None, run_every_steps=3) == 3  # At steps 1, 4 and 7.
    assert looked(run_every_secs=0) == 7
    assert looked() == 1  # Once a minute.


def test_mistakes_are_errors(tmp_path):
    for every in ({"run_every_steps": 5}, {"run_every_secs": None}):
        with pytest.raises(ValueError, match="exactly one of run_every_secs and run_every_steps"):
            porting.StopIfLower("loss", 0.5, **every)
    write(tmp_path / "eval")
    with pytest.raises(KeyError, match="metric_name='lost' is not among .* step 0 in .*'loss'"):
        beside(porting.StopIfLower("lost", 0.5, **STEPS), tmp_path).wishes(1)
