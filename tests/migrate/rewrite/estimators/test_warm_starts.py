"""Tests for weights that an Estimator starts from."""

import pytest

from migrate.rewrite.engine import fixed_point
from tests.migrate.rewrite import tools
from tests.migrate.rewrite.estimators import head

CANNED = [*tools.rule("modern", "canned_models"), *tools.rule("modern", "checkpoints")]
HEAD = f"{head.HEAD}import os\nnumber = [tf.feature_column.numeric_column('a')]\n"
SETTINGS = "tf_estimator.WarmStartSettings"


def _rewritten(text):
    return fixed_point.rewrite(HEAD + text, CANNED, unsafe=True, plan=tools.plan(api="v2"))


def _job(start, name="job"):
    return f"{name} = tf_estimator.LinearRegressor(number, 'model', warm_start_from={start})\n"


@pytest.mark.parametrize(
    ("text", "started", "problem"),
    [
        (_job("'old'"), "'old'", ""),
        (_job("os.path.join('old', '1')"), "os.path.join('old', '1')", "not created here"),
        (_job("f'old/{1}'"), "f'old/{1}'", ""),
        (
            _job(f"{SETTINGS}('old', vars_to_warm_start='a.*')"),
            "porting.WarmStartSettings('old', vars_to_warm_start='a.*')",
            "",
        ),
        (
            _job(f"{SETTINGS}('old', ['a.*'])"),
            "porting.WarmStartSettings('old', ['a.*'])",
            "also selected the slots of the optimizer",
        ),
        (f"def build(start=None):\n  {_job('start')}  return job\n", "start", "not created here"),
    ],
)
def test_a_model_starts_from_the_same_weights(text, started, problem):
    outcome = _rewritten(text)
    new_text = " ".join(outcome.text.split())
    assert f"porting.warm_start( job, {started}, )" in new_text or (
        f"porting.warm_start(job, {started})" in new_text
    )
    assert problem in outcome.changes[0].reason
    assert "slots" not in outcome.changes[0].reason or problem


def test_settings_of_several_estimators_change_once():
    text = f"start = {SETTINGS}('old')\n{_job('start')}{_job('start', 'other')}"
    new_text = _rewritten(text).text
    assert "start = porting.WarmStartSettings('old')\n" in new_text
    assert "porting.warm_start(other, start)\n" in new_text
    assert "tf_estimator" not in new_text


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (_job(f"{SETTINGS}(*more)"), "*args or **kwargs"),
        (_job(f"{SETTINGS}('old', '.*', {{'a': info}})"), "another vocabulary"),
    ],
)
def test_settings_that_are_not_understood_are_left(text, reason):
    outcome = _rewritten(text)
    assert outcome.changes == ()
    assert reason in outcome.suggestions[0].reason


FIRST = "first = tf_estimator.LinearRegressor(number, 'first')\nfirst.train(input_fn)\n"


@pytest.mark.parametrize(
    ("second", "reason"),
    [
        (_job("'first'"), ""),
        (_job("'first'") + "use(job)\n", "job is passed on in line"),
        (_job("'first'").replace("warm", "optimizer=make(), warm"), "optimizer make()"),
        (_job("'first'").rstrip() + "  # migrate: ignore[canned_models]\n", "a comment excludes"),
        ("job = build(warm_start_from='first')\n", "may not read that of a Keras model"),
        ("job = build(warm_start_from=None)\n", ""),
        (
            "def build(warm_start_from):\n"
            f"  {_job('warm_start_from')}  job.train(input_fn)\nbuild(warm_start_from='first')\n",
            "",
        ),
        ("job = tf_estimator.Own(warm_start_from='first')\n", "may not read"),
    ],
)
def test_an_estimator_keeps_its_checkpoints_for_another_that_stays(second, reason):
    outcome = _rewritten(FIRST + second)
    assert ("first = heads.Regressor(" in outcome.text) == (not reason)
    reasons = [suggestion.reason for suggestion in outcome.suggestions]
    assert not reason or any(reason in text for text in reasons), reasons


@pytest.mark.parametrize(
    ("call", "text"),
    [
        ("get_variable_names()", "porting.variable_names(job)"),
        ("get_variable_value('dense/kernel')", "porting.variable_value(job, 'dense/kernel')"),
        ("get_variable_value(name='a/Adam')", ""),
        ("get_variable_value('beta1_power')", ""),
        ("get_variable_value('a/Ftrl_1')", ""),
    ],
)
def test_variables_are_read_by_name_without_slots(call, text):
    job = "job = tf_estimator.LinearRegressor(number, 'model')\n"
    outcome = _rewritten(f"{job}x = job.{call}\n")
    assert (f"x = {text}\n" in outcome.text) == bool(text)
    if not text:
        assert "a slot of the optimizer" in outcome.suggestions[0].reason
