"""Tests for the functions of add_metrics."""

import pytest

from migrate.rewrite.engine import fixed_point
from tests.migrate.rewrite import tools

CANNED = [*tools.rule("modern", "added_metrics"), *tools.rule("modern", "canned_models")]
HEAD = """\
import functools
import tensorflow as tf
from legacy import estimator as tf_estimator
number = tf.feature_column.numeric_column("a")
def input_fn():
    return tf.data.Dataset.from_tensors(({"a": [1.0]}, [2.0]))
"""
TAIL = """\
job = tf_estimator.LinearRegressor([number], 'model')
job = tf_estimator.add_metrics(job, metric_fn)
job.train(input_fn)
"""
METRICS = "metrics = tf.compat.v1.metrics\n"


def _rewritten(text, rules=CANNED, api="v2"):
    return fixed_point.rewrite(HEAD + text, rules, unsafe=True, plan=tools.plan(api=api))


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        ("def metric_fn(labels, *more):\n  return {}", "takes *args or **kwargs"),
        ("def metric_fn(labels, mode):\n  return {}", "its function takes mode"),
        ("def metric_fn(config):\n  return {'a': config.x}", "reads the RunConfig"),
    ],
)
def test_a_function_that_keras_cannot_call_is_left_to_the_bridge(function, reason):
    outcome = _rewritten(f"{METRICS}{function}\n{TAIL}")
    assert outcome.changes == ()
    assert any(reason in suggestion.reason for suggestion in outcome.suggestions), outcome
    rules = [*CANNED, *tools.rule("modern", "canned_estimators")]
    bridged = _rewritten(f"{METRICS}{function}\n{TAIL}", rules).text
    assert "job = as_estimator.add_metrics(job, metric_fn)" in bridged


@pytest.mark.parametrize(
    "function",
    [
        "from metrics import metric_fn",
        "def metric_fn(labels):\n  return {'a': metrics.recall_at_k(labels, labels, 2)}",
        "def metric_fn(labels):\n  mean = functools.partial(metrics.mean, name='a')\n"
        "  return {'a': mean(labels)}",
    ],
)
def test_any_other_function_stays_as_it_is(function):
    text = f"{METRICS}{function}\n{TAIL}"
    new_text = _rewritten(text).text
    assert function in new_text
    assert "job = porting.add_metrics(job, metric_fn)\n" in new_text


@pytest.mark.parametrize(
    ("parameters", "reason"),
    [("labels, predictions", ""), ("labels, mode", "its function takes mode")],
)
def test_a_method_may_compute_metrics(parameters, reason):
    text = (
        f"{METRICS}class Job:\n  def more(self, {parameters}):\n"
        "    return {'a': metrics.mean(labels)}\n  def __init__(self):\n"
        "    self.job = tf_estimator.LinearRegressor([number], 'model')\n"
        "    self.job = tf_estimator.add_metrics(self.job, self.more)\n"
        "  def run(self):\n    self.job.train(input_fn)\n"
    )
    outcome = _rewritten(text)
    assert ("self.job = porting.add_metrics(self.job, self.more)" in outcome.text) == (not reason)
    assert not reason or reason in outcome.suggestions[0].reason


def test_an_estimator_without_the_metrics_reports_them_too():
    text = f"{METRICS}metric_fn = lambda labels: {{'a': metrics.mean(labels)}}\n{TAIL}"
    text = text.replace("job = tf_estimator.add_metrics", "more = tf_estimator.add_metrics")
    (change,) = _rewritten(text).changes
    assert "evaluations of job also report the metrics of add_metrics in line 10" in change.reason


MODEL_FN = """\
def metric_fn(labels, predictions):
    return {'a': metrics.mean(predictions['out'])}
def model_fn(features, labels, mode):
    out = tf.compat.v1.layers.dense(features["a"][:, tf.newaxis], 1)
    predictions = {'out': out}
    if mode == 'infer':
        return tf_estimator.EstimatorSpec(mode, predictions)
    loss = tf.reduce_mean((out[:, 0] - labels) ** 2)
    train_op = tf.compat.v1.train.GradientDescentOptimizer(0.1).minimize(
        loss, tf.compat.v1.train.get_global_step())
    return tf_estimator.EstimatorSpec(mode, predictions, loss, train_op)
job = tf_estimator.Estimator(model_fn, 'model')
job = tf_estimator.add_metrics(job, metric_fn)
job.train(input_fn)
"""


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("", "", ""),
        ("(mode, predictions, loss", "(mode, None, loss", "returns no predictions for evaluation"),
        (
            "(mode, predictions, loss",
            "(mode, {'out': out * 2.0}, loss",
            "returns other predictions",
        ),
        ("= tf_estimator.Estimator(model_fn", "= tf_estimator.Estimator(some.f", "no Keras model"),
    ],
)
def test_the_predictions_of_a_model_fn_must_be_those_of_an_evaluation(old, new, reason):
    text = METRICS + MODEL_FN.replace(old, new)
    outcome = _rewritten(text, tools.rule("modern", "model_fns"))
    assert ("porting.add_metrics(job, metric_fn)" in outcome.text) == (not reason)
    assert not reason or reason in outcome.suggestions[0].reason
