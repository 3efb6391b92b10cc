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
        ("from metrics import metric_fn", "metric_fn is not one of this file"),
        ("def metric_fn(labels, *more):\n  return {}", "takes *args or **kwargs"),
        ("def metric_fn(labels, mode):\n  return {}", "its function takes mode"),
        ("def metric_fn(config):\n  return {'a': config.x}", "reads the RunConfig"),
        (
            "@tf.function\ndef metric_fn(labels):\n  return {}",
            "metric_fn is not one of this file",
        ),
        (
            "def metric_fn(labels):\n  return {'a': metrics.mean_tensor(labels)}",
            "it uses tf.metrics.mean_tensor in line 9",
        ),
        (
            "def metric_fn(labels):\n  return {'a': metrics.mean(labels, None, ['c'])}",
            "the arguments of tf.metrics.mean in line 9 are unknown",
        ),
        (
            "def metric_fn(labels):\n  return {'a': metrics.mean(labels, updates_collections=c)}",
            "the argument updates_collections of tf.metrics.mean",
        ),
        (
            "def metric_fn(labels):\n  return {'a': metrics.auc(labels, labels, "
            "summation_method='minoring')}",
            "the argument summation_method of tf.metrics.auc",
        ),
        (
            "def metric_fn(labels):\n  mean = functools.partial(metrics.mean, name='a')\n"
            "  return {'a': mean(labels)}",
            "the arguments of tf.metrics.mean in line 9 are unknown",
        ),
        (
            "class Kappa(tf.keras.metrics.Metric):\n  pass\n"
            "def metric_fn(labels):\n  return {'a': Kappa()}",
            "Kappa() in line 11 may create variables",
        ),
        (
            "def metric_fn(labels):\n  return {'a': tf.compat.v1.get_variable('a', [])}",
            "it uses tf.get_variable",
        ),
        (
            "def of(labels):\n  return metrics.recall_at_k(labels, labels, 2)\n"
            "def metric_fn(labels):\n  return {'a': of(labels)}",
            "it uses tf.metrics.recall_at_k",
        ),
    ],
)
def test_a_function_that_keras_cannot_call_is_left_to_the_bridge(function, reason):
    outcome = _rewritten(f"{METRICS}{function}\n{TAIL}")
    assert outcome.changes == ()
    assert any(reason in suggestion.reason for suggestion in outcome.suggestions), outcome
    rules = [*CANNED, *tools.rule("modern", "canned_estimators")]
    bridged = _rewritten(f"{METRICS}{function}\n{TAIL}", rules).text
    assert "job = as_estimator.add_metrics(job, metric_fn)" in bridged


def test_functions_that_a_function_calls_change_as_well():
    text = (
        f"{METRICS}def of(labels):\n  return metrics.mean(labels)\n"
        "def plain(labels):\n  return labels * 2.0\n"
        f"metric_fn = lambda labels: {{'a': of(labels), 'b': plain(labels)}}\n{TAIL}"
    )
    new_text = _rewritten(text).text
    assert "  return added_metrics.mean(labels)\n" in new_text
    assert "job = porting.add_metrics(job, metric_fn)\n" in new_text


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("metrics.mean(predictions['predictions'] * self.scale)", ""),
        ("self.of(labels)", "self.of() in line 11 may make metrics"),
    ],
)
def test_a_method_may_compute_metrics(line, reason):
    text = (
        f"{METRICS}class Job:\n  scale = 2.0\n  def more(self, labels, predictions):\n"
        f"    return {{'a': {line}}}\n  def __init__(self):\n"
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
